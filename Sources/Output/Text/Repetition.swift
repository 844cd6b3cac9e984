import Bluetooth
import Conversations
import Analysis
import Memory
import Text

/// Finds where the values of a connection begin to repeat: the same exchange again and again, or a transfer of many parts.
///
/// The first cycles are shown. The rows after them are folded as long as only few bytes differ: one row then stands for them, with the ranges of the
/// bytes that changed.
@safe final class Repetition {
  /// Most rows of a cycle.
  static let maxPeriod = 16
  /// Bytes of a value that are compared.
  static let comparedBytes = 64
  private static let ring = 32
  /// Least number of bytes of a value that is a part of a transfer.
  private static let minTransferBytes = 16
  /// Parts of a transfer that are shown.
  private static let partsShown = 16
  /// µs between the parts of a transfer, at most.
  private static let maxTransferGap: Int64 = 200_000

  enum Verdict {
    /// The row is shown.
    case shown
    /// It is part of the row for all folded rows.
    case folded
    /// The folded rows end before it.
    case ends
  }

  /// Hashes of a row, compared before the bytes of its value are.
  private struct RowHashes {
    var signature: UInt64 = 0
    /// Hash of the action and of the length of the value, without its content.
    var shape: UInt64 = 0
  }

  /// One byte of a hash for each of the last sixteen rows, the newest lowest. It distinguishes most rows that differ.
  private struct Tags {
    private var newest: UInt64 = 0
    private var oldest: UInt64 = 0

    /// The byte of a hash.
    @inline(__always)
    private static func tag(_ value: UInt64) -> UInt64 { (value &* 0x9E37_79B9_7F4A_7C15) >> 56 }

    mutating func add(_ value: UInt64) {
      oldest = oldest << 8 | newest >> 56
      newest = newest << 8 | Self.tag(value)
    }

    /// The rows whose byte equals that of a hash, one bit each, the newest lowest. They can have the same hash.
    @inline(__always)
    func candidates(_ value: UInt64) -> UInt32 {
      let pattern = Self.tag(value) &* 0x0101_0101_0101_0101
      return Self.zeros(newest ^ pattern) | Self.zeros(oldest ^ pattern) << 8
    }

    /// The bytes of a word that are zero, one bit each.
    @inline(__always)
    private static func zeros(_ word: UInt64) -> UInt32 {
      let low: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
      let marks = ~((word & low) &+ low | word | low)
      // Moves bit 7 of each byte into the highest byte.
      return UInt32(truncatingIfNeeded: ((marks >> 7) &* 0x0102_0408_1020_4080) >> 56)
    }
  }

  /// For each distance from 1 to ``maxPeriod``: how many consecutive rows were like the row at that distance before them.
  private struct Runs {
    private let lengths = GrowingTable(repeating: 0, capacity: Repetition.maxPeriod + 1)
    /// The distances at which the last row was like an earlier one, one bit each, that of 1 lowest. The lengths of other distances count as 0.
    private var going: UInt32 = 0

    /// Adds a row. `candidates` are the distances at which an earlier row can be like it, `isLike` says whether it is. Returns the least distance at
    /// which the last `needed` rows were like those before them; 0 where there is none.
    @inline(__always)
    mutating func advance(_ candidates: UInt32, _ isLike: (Int) -> Bool, needed: (Int) -> Int) -> Int {
      var found = 0
      var rest = candidates
      var now: UInt32 = 0
      while rest != 0 {
        let bit = rest & (0 &- rest)
        rest &= rest &- 1
        let back = bit.trailingZeroBitCount &+ 1
        guard isLike(back) else { continue }
        now |= bit
        let length = going & bit != 0 ? lengths[back] &+ 1 : 1
        lengths[back] = length
        if found == 0, length >= needed(back) { found = back }
      }
      going = now
      return found
    }

    mutating func end() { going = 0 }

    func deallocate() { lengths.deallocate() }
  }

  let connection: Int32
  private let hashKey = HashKey()
  /// Number of rows of a cycle, 0 where nothing repeats.
  private(set) var period = 0
  /// Number of folded rows.
  private(set) var folded = 0
  /// Total bytes of their values.
  private(set) var bytes = 0
  /// It is a transfer, whose values are not compared.
  private(set) var isTransfer = false
  /// First folded frame.
  private(set) var firstFrame = 0
  private(set) var cycles = 0
  private(set) var anchor: Int64 = 0
  private(set) var lastCycle: Int64 = 0
  private(set) var shortest: Int64 = .max
  private(set) var longestCycle: Int64 = 0
  /// Time of the last row that was shown.
  private var timeBefore: Int64 = 0
  /// Offset in the output at which the row for the folded rows is inserted; -1 for its end.
  var offset = -1
  /// The row of the heading above that offset.
  var heading = PacketRow()
  private var seen = 0
  private let rows = GrowingTable(repeating: PacketRow(), capacity: Repetition.ring)
  private let counts = GrowingTable(repeating: 0, capacity: Repetition.ring)
  /// The channels of the rows. They are kept because the rows' bytes, which identify them, are not.
  private let channels = GrowingTable(repeating: ChannelIdentity(layer: .opaque), capacity: Repetition.ring)
  private let rowHashes = GrowingTable(repeating: RowHashes(), capacity: Repetition.ring)
  /// A profile decoded the value of the row, so that it is not folded into a transfer.
  private let isDecoded = GrowingTable(repeating: false, capacity: Repetition.ring)
  private var signatures = Tags()
  private var shapes = Tags()
  /// Runs of rows with the same action and similar values.
  private var likeRuns = Runs()
  /// Runs of rows of the same shape in quick succession.
  private var transferRuns = Runs()
  /// The first bytes of each value, and the minimum and maximum of each folded byte.
  private let values = GrowingTable<UInt8>(repeating: 0, capacity: Repetition.ring * Repetition.comparedBytes)
  private let lows = GrowingTable<UInt8>(repeating: 0, capacity: Repetition.ring * Repetition.comparedBytes)
  private let highs = GrowingTable<UInt8>(repeating: 0, capacity: Repetition.ring * Repetition.comparedBytes)

  init(_ connection: Int32) { self.connection = connection }

  deinit {
    rows.deallocate()
    counts.deallocate()
    channels.deallocate()
    rowHashes.deallocate()
    likeRuns.deallocate()
    transferRuns.deallocate()
    isDecoded.deallocate()
    values.deallocate()
    lows.deallocate()
    highs.deallocate()
  }

  /// Takes a row with a value; `key` identifies its action and its attribute or channel. `isDescribed`: a profile describes
  /// the value, so that only an equal value repeats it.
  func take(_ row: PacketRow, _ channel: ChannelIdentity, _ value: PDUBytes, _ key: UInt64, isDescribed: Bool) -> Verdict {
    let shape = key ^ UInt64(value.count) &* 0x9E37_79B9_7F4A_7C15
    // Values with different first bytes are never similar: the signature includes the first byte to find that without a comparison.
    let signature =
      isDescribed ? value.hash(key: hashKey.with(key)) : value.isEmpty ? shape : shape ^ (UInt64(value[0]) &+ 1) &* 0xC2B2_AE3D_27D4_EB4F
    let isAtOnce = seen > 0 && row.time &- rows[(seen &- 1) & (Self.ring - 1)].time <= Self.maxTransferGap
    defer { isDecoded[(seen &- 1) & (Self.ring - 1)] = isDescribed && value.count >= Self.minTransferBytes && !row.isWritten }
    if period > 0 {
      let before = (seen &- period) & (Self.ring - 1)
      let isLike =
        isTransfer
        ? isAtOnce && rowHashes[before].shape == shape
        : rowHashes[before].signature == signature && (isDescribed || isSimilar(value, row, before) && !isContent(value, row))
      if isLike {
        fold(row, channel, value, signature, shape)
        return .folded
      }
      let hasFolded = folded > 0
      if !hasFolded { forget() }
      store(row, channel, value, signature, shape)
      return hasFolded ? .ends : .shown
    }
    // The rows that were added since ``forget()``; older tags are stale.
    let known = UInt32(truncatingIfNeeded: (1 << min(Self.maxPeriod, seen)) &- 1)
    // The least distance at which enough rows were like those before them; 0 where there is none.
    let found = likeRuns.advance(
      signatures.candidates(signature) & known,
      { back in
        let before = (seen &- back) & (Self.ring - 1)
        return rowHashes[before].signature == signature && (isDescribed || isSimilar(value, row, before))
      }, needed: { max(3, 2 &* $0) })
    let transfer =
      isAtOnce
      ? transferRuns.advance(
        shapes.candidates(shape) & known, { back in rowHashes[(seen &- back) & (Self.ring - 1)].shape == shape },
        needed: { max(Self.partsShown, 4 &* $0) })
      : 0
    if !isAtOnce { transferRuns.end() }
    store(row, channel, value, signature, shape)
    if found > 0 {
      begin(found, isTransfer: false)
    } else if transfer > 0, transfers(transfer, row.isWritten && value.count >= Self.minTransferBytes || !isDescribed) {
      begin(transfer, isTransfer: true)
    }
    return .shown
  }

  /// Whether the last rows are a transfer: one of them carries many bytes, and no decoded value from a device is among them.
  private func transfers(_ period: Int, _ isLastFit: Bool) -> Bool {
    guard isLastFit || period > 1 else { return false }
    var largest = 0
    for back in 1...period {
      let index = (seen &- back) & (Self.ring - 1)
      if back > 1, isDecoded[index] { return false }
      largest = max(largest, counts[index])
    }
    return largest >= Self.minTransferBytes
  }

  /// Starts again, after something else happened on the connection. The row for the folded rows must have been printed.
  func forget() {
    period = 0
    folded = 0
    likeRuns.end()
    transferRuns.end()
    seen = 0
  }

  /// Starts again after the row for the folded rows was printed; the row after them is the first that can repeat.
  func restart() {
    let last = (seen &- 1) & (Self.ring - 1)
    let (row, count, hashes, channel) = (rows[last], counts[last], rowHashes[last], channels[last])
    let isDecoded = isDecoded[last]
    values.copy(last * Self.comparedBytes, Self.comparedBytes, to: 0)
    forget()
    (rows[0], counts[0]) = (row, count)
    (rowHashes[0], channels[0]) = (hashes, channel)
    self.isDecoded[0] = isDecoded
    seen = 1
  }

  private func begin(_ back: Int, isTransfer: Bool) {
    period = back
    self.isTransfer = isTransfer
    (folded, bytes, cycles) = (0, 0, 0)
    (shortest, longestCycle) = (.max, 0)
    timeBefore = rows[(seen &- 1) & (Self.ring - 1)].time
    anchor = rows[(seen &- back) & (Self.ring - 1)].time
    lastCycle = anchor
    for slot in 0..<back {
      let position = (seen &- back &+ slot) & (Self.ring - 1)
      for at in 0..<Self.comparedBytes {
        lows[slot * Self.comparedBytes + at] = values[position * Self.comparedBytes + at]
        highs[slot * Self.comparedBytes + at] = values[position * Self.comparedBytes + at]
      }
    }
  }

  private func fold(_ row: PacketRow, _ channel: ChannelIdentity, _ value: PDUBytes, _ signature: UInt64, _ shape: UInt64) {
    if folded == 0 { firstFrame = row.frame }
    let slot = folded % period
    if slot == 0 {
      cycles &+= 1
      let took = row.time &- lastCycle
      shortest = min(shortest, took)
      longestCycle = max(longestCycle, took)
      lastCycle = row.time
    }
    if !isTransfer {
      for at in 0..<min(value.count, Self.comparedBytes) {
        let byte = value[at]
        let index = slot * Self.comparedBytes + at
        lows[index] = min(lows[index], byte)
        highs[index] = max(highs[index], byte)
      }
    }
    folded &+= 1
    bytes &+= value.count
    store(row, channel, value, signature, shape)
  }

  private func store(_ row: PacketRow, _ channel: ChannelIdentity, _ value: PDUBytes, _ signature: UInt64, _ shape: UInt64) {
    let index = seen & (Self.ring - 1)
    rows[index] = row
    channels[index] = channel
    counts[index] = value.count
    rowHashes[index] = RowHashes(signature: signature, shape: shape)
    signatures.add(signature)
    shapes.add(shape)
    let kept = min(value.count, Self.comparedBytes)
    if kept > 0 {
      unsafe values.address(index * Self.comparedBytes).update(from: value.start.assumingMemoryBound(to: UInt8.self), count: kept)
    }
    seen &+= 1
  }

  /// Whether a value is similar to that of the previous cycle: it begins with the same byte, and few bytes differ (a counter and a checksum are two).
  /// Fewer bytes may differ in a written value, which is a command, than in a notified one.
  private func isSimilar(_ value: PDUBytes, _ row: PacketRow, _ position: Int) -> Bool {
    let count = min(value.count, Self.comparedBytes)
    guard count > 0 else { return true }
    guard value[0] == values[position * Self.comparedBytes] else { return false }
    let limit = count < 4 ? min(1, count - 1) : count / 2
    guard let differing = unsafe Self.differing(value.start, UnsafeRawPointer(values.address(position * Self.comparedBytes)), count, limit)
    else {
      return false
    }
    if differing <= Self.maxDifferences(count) { return true }
    return !row.isWritten && !value.isReadable
  }

  /// Whether a value that is written is what a user chose, not a poll: with it, more bytes would have changed since the first than a counter and a
  /// checksum.
  private func isContent(_ value: PDUBytes, _ row: PacketRow) -> Bool {
    guard period == 1, row.isWritten else { return false }
    let count = min(value.count, Self.comparedBytes)
    var changed = 0
    for at in 0..<count where min(lows[at], value[at]) != max(highs[at], value[at]) { changed += 1 }
    return changed > Self.maxDifferences(count)
  }

  /// Number of bytes that may differ in similar values: a counter and a checksum are two.
  private static func maxDifferences(_ count: Int) -> Int { count < 3 ? 0 : count < 6 ? 1 : max(2, count / 4) }

  /// The number of positions at which two sequences of `count` bytes differ; nil where there are more than `limit`.
  private static func differing(_ own: UnsafeRawPointer, _ other: UnsafeRawPointer, _ count: Int, _ limit: Int) -> Int? {
    var differing = 0
    var at = 0
    while at &+ 8 <= count {
      differing &+= unsafe nonzeroBytes(
        own.loadUnaligned(fromByteOffset: at, as: UInt64.self) ^ other.loadUnaligned(fromByteOffset: at, as: UInt64.self))
      if differing > limit { return nil }
      at &+= 8
    }
    while at < count {
      if unsafe own.load(fromByteOffset: at, as: UInt8.self) != other.load(fromByteOffset: at, as: UInt8.self) { differing &+= 1 }
      at &+= 1
    }
    return differing > limit ? nil : differing
  }

  /// The number of bytes of a word that are not zero.
  @inline(__always)
  private static func nonzeroBytes(_ word: UInt64) -> Int {
    let low: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
    return (((word & low) &+ low | word) & ~low).nonzeroBitCount
  }

  // MARK: The folded rows

  /// µs from the last row that was shown to the last that was folded.
  func duration(isBeyond: Bool) -> Int64 { lastRow(isBeyond: isBeyond).time &- timeBefore }

  /// The last folded row; `isBeyond` says whether the row after it was added already.
  func lastRow(isBeyond: Bool) -> PacketRow { rows[(seen &- (isBeyond ? 2 : 1)) & (Self.ring - 1)] }

  /// The row at position `slot` of the last cycle.
  func row(_ slot: Int, isBeyond: Bool) -> PacketRow { rows[position(slot, isBeyond)] }

  /// Whether two slots of a transfer have the same action and number of bytes.
  func isAlike(_ slot: Int, _ other: Int, isBeyond: Bool) -> Bool {
    rowHashes[position(slot, isBeyond)].shape == rowHashes[position(other, isBeyond)].shape
  }

  /// The channel of a slot.
  func channel(_ slot: Int, isBeyond: Bool) -> ChannelIdentity { channels[position(slot, isBeyond)] }

  /// The first bytes of a slot's value, and the value's length.
  func value(_ slot: Int, isBeyond: Bool) -> (bytes: [UInt8], count: Int) {
    let index = position(slot, isBeyond)
    let count = counts[index]
    return (values[index * Self.comparedBytes..<index * Self.comparedBytes + min(count, Self.comparedBytes)], count)
  }

  /// The bytes of a slot that changed, with minimum and maximum of each.
  func changes(_ slot: Int, isBeyond: Bool) -> [(at: Int, low: UInt8, high: UInt8)] {
    var found: [(at: Int, low: UInt8, high: UInt8)] = []
    for at in 0..<min(counts[position(slot, isBeyond)], Self.comparedBytes) {
      let (low, high) = (lows[slot * Self.comparedBytes + at], highs[slot * Self.comparedBytes + at])
      if low != high { found.append((at, low, high)) }
    }
    return found
  }

  private func position(_ slot: Int, _ isBeyond: Bool) -> Int {
    let end = seen &- (isBeyond ? 1 : 0)
    // Slot of the last folded row.
    let last = folded == 0 ? period - 1 : (folded - 1) % period
    let back = (last - slot + period) % period
    return (end &- 1 &- back) & (Self.ring - 1)
  }
}

extension PacketRow {
  /// It writes a value.
  fileprivate var isWritten: Bool { meaning == .write || meaning == .writeCommand }
}
