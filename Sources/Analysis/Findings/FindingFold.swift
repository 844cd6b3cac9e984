import Conversations

/// Merges repeated findings. The first finding of each key is reported at once; later ones with the same key are counted and reported as one
/// finding at the end of the capture. Up to `maxKeys` keys are remembered; findings with further keys are all reported at once.
struct FindingFold {
  /// Findings with equal keys are merged.
  private struct Key: Hashable {
    var kind: Int
    var variant: Int
    var connection: Int32
    var attribute: Int32
    var address: UInt64
  }

  /// Findings with one key that were counted since one of them was last reported.
  private struct Counted {
    var last: Finding
    var count = 0
    var frames: [Int]
    /// When one was last reported, µs since 1970.
    var reported: Int64

    /// One finding for all that were counted; nil where none was.
    var merged: Finding? {
      guard count > 0 else { return nil }
      var finding = last
      finding.repeated = count
      finding.evidence = frames
      return finding
    }
  }

  private var counted: [Key: Counted] = [:]
  private var order: [Key] = []
  private let isLive: Bool
  private static let maxKeys = 4096
  private static let maxFrames = 32
  /// In a live capture, µs after which findings that were counted are reported.
  private static let interval: Int64 = 30_000_000

  /// With `isLive`, where the end may never come, counted findings are reported when the next one comes ``interval`` or later after the last report.
  init(isLive: Bool) { self.isLive = isLive }

  /// Returns the finding to report now: this one, one that stands for several counted ones, or nil where it was only counted.
  mutating func take(_ finding: Finding) -> Finding? {
    guard let key = Self.key(finding) else { return finding }
    guard counted[key] != nil else {
      if counted.count < Self.maxKeys {
        counted[key] = Counted(last: finding, frames: [finding.frame], reported: finding.time)
        order.append(key)
      }
      return finding
    }
    counted[key]?.count += 1
    counted[key]?.last = finding
    guard let known = counted[key] else { return finding }
    if known.frames.count < Self.maxFrames { counted[key]?.frames.append(finding.frame) }
    guard isLive, finding.time &- known.reported >= Self.interval else { return nil }
    defer { counted[key] = Counted(last: finding, frames: [], reported: finding.time) }
    return counted[key]?.merged
  }

  /// Returns one finding for each key that was counted, in the order in which the keys first appeared, and forgets all keys.
  mutating func finish() -> [Finding] {
    defer {
      counted.removeAll()
      order.removeAll()
    }
    return order.compactMap { counted[$0]?.merged }
  }

  private static func key(_ finding: Finding) -> Key? {
    func key(_ kind: Int, _ variant: Int = 0, ofConnection: Bool = true, ofAttribute: Bool = false) -> Key {
      Key(
        kind: kind, variant: variant, connection: ofConnection ? finding.connection : -1, attribute: ofAttribute ? finding.attribute : -1,
        address: finding.address)
    }
    return switch finding.kind {
    case .badCRC(let announced): key(1, announced == nil ? 0 : 1, ofConnection: false)
    case .unknownPacketType(let type): key(2, Int(type))
    case .advertisingLengthLies: key(3)
    case .connectionFailed(let error, _) where finding.address != 0: key(4, Int(error))
    case .encryptionFailed(let error, let isPairing): key(5, Int(error) << 1 | (isPairing ? 1 : 0))
    case .timeJumps: key(6)
    case .requestRepeated: key(7, ofAttribute: true)
    case .writeRepeated: key(8, ofAttribute: true)
    case .unjoinedAtEnd: key(9, ofAttribute: true)
    case .lengthLies: key(10)
    case .wholePDUAsContinuation(_, let control): key(11, Int(control ?? 0xFF))
    case .reservedLLID: key(15)
    case .connectionRequestInvalid(let hop, let channels, let interval, _, _):
      key(16, Int(hop) << 24 | Int(channels) << 16 | Int(interval), ofConnection: false)
    case .fragmentWithoutStart: key(12)
    case .responseToNothing(let opcode): key(13, Int(opcode))
    case .checksumWrong: key(14, ofAttribute: true)
    case .channelRefused(let psm, let result, let isCreditBased, _, _):
      key(17, Int(psm) << 16 | Int(result) << 1 | (isCreditBased ? 1 : 0))
    case .subscribedByCommand: key(18, ofAttribute: true)
    case .configurationSwapped: key(19, ofAttribute: true)
    default: nil
    }
  }
}
