import Conversations

/// Folds findings that come again and again: the first of a kind about one thing is told at once, the others are counted and told together
/// at the end of the capture. Memory is one record per kind and thing.
struct FindingFold {
  /// What findings that are folded together share.
  private struct Key: Hashable {
    var kind: Int
    var variant: Int
    var connection: Int32
    var attribute: Int32
    var address: UInt64
  }

  private struct More {
    var last: Finding
    var count = 0
    var frames: [Int]
  }

  private var more: [Key: More] = [:]
  private var order: [Key] = []
  private static let mostKeys = 4096
  private static let mostFrames = 32

  /// Whether a finding shall be told now; else it is counted.
  mutating func tells(_ finding: Finding) -> Bool {
    guard let key = Self.key(finding) else { return true }
    guard more[key] != nil else {
      if more.count < Self.mostKeys {
        more[key] = More(last: finding, frames: [finding.frame])
        order.append(key)
      }
      return true
    }
    more[key]?.count += 1
    more[key]?.last = finding
    if let known = more[key], known.frames.count < Self.mostFrames { more[key]?.frames.append(finding.frame) }
    return false
  }

  /// The capture ended: the findings that stand for those that were counted, in the order in which their kinds were first told.
  mutating func finish() -> [Finding] {
    defer {
      more.removeAll()
      order.removeAll()
    }
    return order.compactMap { key in
      guard let more = more[key], more.count > 0 else { return nil }
      var finding = more.last
      finding.repeated = more.count
      finding.evidence = more.frames
      return finding
    }
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
    case .wholePDUAsContinuation: key(11)
    case .fragmentWithoutStart: key(12)
    case .responseToNothing(let opcode): key(13, Int(opcode))
    case .checksumWrong: key(14, ofAttribute: true)
    default: nil
    }
  }
}
