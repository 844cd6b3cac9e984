import Conversations
import Memory
import Testing
import TestSupport

@testable import Analysis

/// The hash table from integers to indices.
@Suite struct HashIndexTests {
  @Test func itKnowsWhatADictionaryKnows() {
    var state = testSeed
    var table = HashIndex()
    var dictionary: [UInt64: Int32] = [:]
    for index in 0..<5000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      // Numbers close to each other, and numbers that differ in their upper bits only.
      let key = state & 1 == 0 ? state >> 50 : (state >> 52) << 48
      #expect(table[key] == dictionary[key] ?? -1, "BTSCRIBE_SEED=\(testSeed)")
      guard dictionary[key] == nil else { continue }
      dictionary[key] = Int32(index)
      table.insert(Int32(index), for: key)
    }
    #expect(table.count == dictionary.count)
    for (key, index) in dictionary { #expect(table[key] == index, "BTSCRIBE_SEED=\(testSeed)") }
  }

  @Test func equalBytesHaveOneHash() {
    let (key, other) = (HashKey(), HashKey())
    let bytes = Array(UInt8(0)..<64)
    bytes.withBorrowedBytes { all in
      var hashes: Set<UInt64> = []
      for count in 0...32 {
        for start in 0..<24 {
          let bytes = all.slice(start, count)
          let hash = bytes.hash(key: key)
          Array(bytes).withBorrowedBytes {
            #expect($0.hash(key: key) == hash)
            #expect($0.isEqual(to: bytes))
          }
          #expect(bytes.hash(key: other) != hash)
          #expect(bytes.hash(key: key.with(1)) != hash)
          #expect(bytes.hash(key: .fixed) == bytes.hash(key: .fixed))
          hashes.insert(hash)
        }
      }
      // All slices of zero bytes are equal.
      #expect(hashes.count == 32 * 24 + 1)
    }
  }

  @Test func eachByteCounts() {
    let key = HashKey()
    for count in 1...40 {
      let bytes = [UInt8](repeating: 7, count: count)
      for index in 0..<count {
        var other = bytes
        other[index] ^= 0x80
        bytes.withBorrowedBytes { second in
          other.withBorrowedBytes {
            #expect($0.hash(key: key) != second.hash(key: key))
            #expect(!$0.isEqual(to: second))
          }
        }
      }
    }
  }
}
