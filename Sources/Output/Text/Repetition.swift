import Bluetooth
import Conversations
import Analysis
import Memory
import Text

/// Finds where the values of a connection begin to repeat: the same exchange again and again, or a transfer of many parts.
///
/// The first cycles are shown as they are. What follows is like them as long as it differs in few bytes only; then it is told in one row, with the
/// range of what changed.
@safe final class Repetition {
  /// Most rows of a cycle.
  static let maxPeriod = 16
  /// Bytes of a value that are compared.
  static let comparedBytes = 64
  private static let ring = 32
  /// Bytes from which on a value is a part of a transfer.
  private static let minTransferBytes = 16
  /// Parts of a transfer that are shown.
  private static let partsShown = 16
  /// µs between the parts of a transfer, at most.
  private static let maxTransferGap: Int64 = 200_000

  enum Verdict {
    /// The row is shown.
    case shown
    /// It is told with others.
    case folded
    /// What was folded ends before it.
    case ends
  }

  /// What is compared of a row before any byte of its value is.
  private struct Mark {
    var signature: UInt64 = 0
    /// Hash of the action and of the length of the value, without its content.
    var shape: UInt64 = 0
  }

  /// A byte of what is compared, for each of the last sixteen rows, the newest first: most rows that differ are told apart by it.
  private struct Tags {
    private var newest: UInt64 = 0
    private var oldest: UInt64 = 0

    /// A byte of a value that is compared.
    @inline(__always)
    private static func tag(_ value: UInt64) -> UInt64 { (value &* 0x9E37_79B9_7F4A_7C15) >> 56 }

    mutating func add(_ value: UInt64) {
      oldest = oldest << 8 | newest >> 56
      newest = newest << 8 | Self.tag(value)
    }

    /// The rows whose byte is that of a value, a bit each, the newest lowest: those that may have it.
    @inline(__always)
    func candidates(_ value: UInt64) -> UInt32 {
      let pattern = Self.tag(value) &* 0x0101_0101_0101_0101
      return Self.zeros(newest ^ pattern) | Self.zeros(oldest ^ pattern) << 8
    }

    /// The bytes of a word that are zero, a bit each.
    @inline(__always)
    private static func zeros(_ word: UInt64) -> UInt32 {
      let low: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
      let marks = ~((word & low) &+ low | word | low)
      // Bit 7 of each byte becomes a bit of the highest byte.
      return UInt32(truncatingIfNeeded: ((marks >> 7) &* 0x0102_0408_1020_4080) >> 56)
    }
  }

  /// How many rows in a row were like the one a certain number of rows before them, for each such number from 1 to ``longest``.
  private struct Runs {
    private let lengths = GrowingTable(repeating: 0, capacity: Repetition.maxPeriod + 1)
    /// The numbers at which the last row was like the one before it, a bit each, that of 1 lowest: the lengths of others are 0.
    private var going: UInt32 = 0

    /// Goes on with a row. `candidates` are the numbers of rows before it at which it may be like another, `isLike` says whether it is. Returns the
    /// least number for which as many rows as `needed` says were like those before them; 0 where there is none.
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
  /// Rows of a cycle, 0 where nothing repeats.
  private(set) var period = 0
  /// Rows that were folded.
  private(set) var folded = 0
  /// Their bytes.
  private(set) var bytes = 0
  /// It is a transfer: its values differ in everything.
  private(set) var isTransfer = false
  /// Where the fold begins, and where it is.
  private(set) var firstFrame = 0
  private(set) var cycles = 0
  private(set) var anchor: Int64 = 0
  private(set) var lastCycle: Int64 = 0
  private(set) var shortest: Int64 = .max
  private(set) var longestCycle: Int64 = 0
  /// The row before the fold.
  private var timeBefore: Int64 = 0
  /// Offset in the output at which the row for what was folded is inserted; -1 for its end.
  var place = -1
  /// The row of the heading above that offset.
  var heading = PacketRow()
  private var seen = 0
  private let rows = GrowingTable(repeating: PacketRow(), capacity: Repetition.ring)
  private let counts = GrowingTable(repeating: 0, capacity: Repetition.ring)
  /// The channels whose data the rows are; their bytes, which tell it, are gone.
  private let channels = GrowingTable(repeating: ChannelIdentity(layer: .opaque), capacity: Repetition.ring)
  private let marks = GrowingTable(repeating: Mark(), capacity: Repetition.ring)
  /// A profile decoded the value of the row, so that it is not folded into a transfer.
  private let isDecoded = GrowingTable(repeating: false, capacity: Repetition.ring)
  private var signatures = Tags()
  private var shapes = Tags()
  /// Rows that did the same with like values.
  private var likeRuns = Runs()
  /// Rows that had the same shape, and came at once.
  private var transferRuns = Runs()
  /// The first bytes of each value, and the least and the greatest of those that were folded.
  private let values = GrowingTable<UInt8>(repeating: 0, capacity: Repetition.ring * Repetition.comparedBytes)
  private let lows = GrowingTable<UInt8>(repeating: 0, capacity: Repetition.ring * Repetition.comparedBytes)
  private let highs = GrowingTable<UInt8>(repeating: 0, capacity: Repetition.ring * Repetition.comparedBytes)

  init(_ connection: Int32) { self.connection = connection }

  deinit {
    rows.deallocate()
    counts.deallocate()
    channels.deallocate()
    marks.deallocate()
    likeRuns.deallocate()
    transferRuns.deallocate()
    isDecoded.deallocate()
    values.deallocate()
    lows.deallocate()
    highs.deallocate()
  }

  /// Takes a row with a value; `key` tells what it is done with. `isDescribed`: a profile says what it means, so that only the very same is a repetition.
  func take(_ row: PacketRow, _ channel: ChannelIdentity, _ value: PDUBytes, _ key: UInt64, isDescribed: Bool) -> Verdict {
    let shape = key ^ UInt64(value.count) &* 0x9E37_79B9_7F4A_7C15
    // Values that begin with another byte are never alike: that is seen before they are compared.
    let signature =
      isDescribed ? value.hash(key: hashKey.with(key)) : value.isEmpty ? shape : shape ^ (UInt64(value[0]) &+ 1) &* 0xC2B2_AE3D_27D4_EB4F
    let isAtOnce = seen > 0 && row.time &- rows[(seen &- 1) & (Self.ring - 1)].time <= Self.maxTransferGap
    defer { isDecoded[(seen &- 1) & (Self.ring - 1)] = isDescribed && value.count >= Self.minTransferBytes && !row.isWritten }
    if period > 0 {
      let before = (seen &- period) & (Self.ring - 1)
      let isLike =
        isTransfer
        ? isAtOnce && marks[before].shape == shape
        : marks[before].signature == signature && (isDescribed || isSimilar(value, row, before))
      if isLike {
        fold(row, channel, value, signature, shape)
        return .folded
      }
      let hasFolded = folded > 0
      if !hasFolded { forget() }
      store(row, channel, value, signature, shape)
      return hasFolded ? .ends : .shown
    }
    // Of the rows that were taken; tags of others are left from before.
    let known = UInt32(truncatingIfNeeded: (1 << min(Self.maxPeriod, seen)) &- 1)
    // The shortest distance at which enough rows were like those before them; 0 where there is none.
    let found = likeRuns.advance(
      signatures.candidates(signature) & known,
      { back in
        let before = (seen &- back) & (Self.ring - 1)
        return marks[before].signature == signature && (isDescribed || isSimilar(value, row, before))
      }, needed: { max(3, 2 &* $0) })
    let transfer =
      isAtOnce
      ? transferRuns.advance(
        shapes.candidates(shape) & known, { back in marks[(seen &- back) & (Self.ring - 1)].shape == shape },
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

  /// Whether the last rows are those of a transfer: one of them carries many bytes, and what a profile told of a device is not among them.
  private func transfers(_ period: Int, _ isLastFit: Bool) -> Bool {
    guard isLastFit || period > 1 else { return false }
    var most = 0
    for back in 1...period {
      let place = (seen &- back) & (Self.ring - 1)
      if back > 1, isDecoded[place] { return false }
      most = max(most, counts[place])
    }
    return most >= Self.minTransferBytes
  }

  /// Something else happened on the connection. What was folded is to be told first.
  func forget() {
    period = 0
    folded = 0
    likeRuns.end()
    transferRuns.end()
    seen = 0
  }

  /// What was folded has been told; the row behind it is the first of what may repeat next.
  func restart() {
    let last = (seen &- 1) & (Self.ring - 1)
    let (row, count, mark, channel) = (rows[last], counts[last], marks[last], channels[last])
    let isDecoded = isDecoded[last]
    values.copy(last * Self.comparedBytes, Self.comparedBytes, to: 0)
    forget()
    (rows[0], counts[0]) = (row, count)
    (marks[0], channels[0]) = (mark, channel)
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
      let place = (seen &- back &+ slot) & (Self.ring - 1)
      for at in 0..<Self.comparedBytes {
        lows[slot * Self.comparedBytes + at] = values[place * Self.comparedBytes + at]
        highs[slot * Self.comparedBytes + at] = values[place * Self.comparedBytes + at]
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
        let place = slot * Self.comparedBytes + at
        lows[place] = min(lows[place], byte)
        highs[place] = max(highs[place], byte)
      }
    }
    folded &+= 1
    bytes &+= value.count
    store(row, channel, value, signature, shape)
  }

  private func store(_ row: PacketRow, _ channel: ChannelIdentity, _ value: PDUBytes, _ signature: UInt64, _ shape: UInt64) {
    let place = seen & (Self.ring - 1)
    rows[place] = row
    channels[place] = channel
    counts[place] = value.count
    marks[place] = Mark(signature: signature, shape: shape)
    signatures.add(signature)
    shapes.add(shape)
    let kept = min(value.count, Self.comparedBytes)
    if kept > 0 {
      unsafe values.address(place * Self.comparedBytes).update(from: value.start.assumingMemoryBound(to: UInt8.self), count: kept)
    }
    seen &+= 1
  }

  /// Whether a value is like the one of a cycle before: it begins with the same byte, and few bytes differ (a counter and a checksum are two).
  /// What is written is a command, of which fewer may differ than of what is notified.
  private func isSimilar(_ value: PDUBytes, _ row: PacketRow, _ place: Int) -> Bool {
    let count = min(value.count, Self.comparedBytes)
    guard count > 0 else { return true }
    guard value[0] == values[place * Self.comparedBytes] else { return false }
    let few = count < 3 ? 0 : count < 6 ? 1 : max(2, count / 4)
    let most = count < 4 ? min(1, count - 1) : count / 2
    guard let differing = unsafe Self.differing(value.start, UnsafeRawPointer(values.address(place * Self.comparedBytes)), count, most)
    else {
      return false
    }
    if differing <= few { return true }
    return !row.isWritten && !value.isReadable
  }

  /// The number of places at which two sequences of `count` bytes differ; nil where there are more than `most`.
  private static func differing(_ one: UnsafeRawPointer, _ other: UnsafeRawPointer, _ count: Int, _ most: Int) -> Int? {
    var differing = 0
    var at = 0
    while at &+ 8 <= count {
      differing &+= unsafe nonzeroBytes(
        one.loadUnaligned(fromByteOffset: at, as: UInt64.self) ^ other.loadUnaligned(fromByteOffset: at, as: UInt64.self))
      if differing > most { return nil }
      at &+= 8
    }
    while at < count {
      if unsafe one.load(fromByteOffset: at, as: UInt8.self) != other.load(fromByteOffset: at, as: UInt8.self) { differing &+= 1 }
      at &+= 1
    }
    return differing > most ? nil : differing
  }

  /// The number of bytes of a word that are not zero.
  @inline(__always)
  private static func nonzeroBytes(_ word: UInt64) -> Int {
    let low: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
    return (((word & low) &+ low | word) & ~low).nonzeroBitCount
  }

  // MARK: What is told

  /// µs from the last row that was shown to the last that was folded.
  func duration(isBeyond: Bool) -> Int64 { lastRow(isBeyond: isBeyond).time &- timeBefore }

  /// The last row that was folded, where `isBeyond` says whether the row behind it is taken already.
  func lastRow(isBeyond: Bool) -> PacketRow { rows[(seen &- (isBeyond ? 2 : 1)) & (Self.ring - 1)] }

  /// The row of the last cycle in a slot.
  func row(_ slot: Int, isBeyond: Bool) -> PacketRow { rows[place(slot, isBeyond)] }

  /// Two slots of a transfer do the same with as many bytes.
  func isAlike(_ slot: Int, _ other: Int, isBeyond: Bool) -> Bool {
    marks[place(slot, isBeyond)].shape == marks[place(other, isBeyond)].shape
  }

  /// The channel whose data it was.
  func channel(_ slot: Int, isBeyond: Bool) -> ChannelIdentity { channels[place(slot, isBeyond)] }

  /// The first bytes of its value, and how many it has.
  func value(_ slot: Int, isBeyond: Bool) -> (bytes: [UInt8], count: Int) {
    let place = place(slot, isBeyond)
    let count = counts[place]
    return (values[place * Self.comparedBytes..<place * Self.comparedBytes + min(count, Self.comparedBytes)], count)
  }

  /// The bytes of a slot that changed, with the least and the greatest of each.
  func changes(_ slot: Int, isBeyond: Bool) -> [(at: Int, low: UInt8, high: UInt8)] {
    var found: [(at: Int, low: UInt8, high: UInt8)] = []
    for at in 0..<min(counts[place(slot, isBeyond)], Self.comparedBytes) {
      let (low, high) = (lows[slot * Self.comparedBytes + at], highs[slot * Self.comparedBytes + at])
      if low != high { found.append((at, low, high)) }
    }
    return found
  }

  private func place(_ slot: Int, _ isBeyond: Bool) -> Int {
    let end = seen &- (isBeyond ? 1 : 0)
    // The slot of the last row that was folded.
    let last = folded == 0 ? period - 1 : (folded - 1) % period
    let back = (last - slot + period) % period
    return (end &- 1 &- back) & (Self.ring - 1)
  }
}

extension PacketRow {
  /// It writes a value.
  fileprivate var isWritten: Bool { meaning == .write || meaning == .writeCommand }
}
