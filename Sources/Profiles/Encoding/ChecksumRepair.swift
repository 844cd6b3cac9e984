import PacketCodecs

extension ProfileMessage {
  /// Changed packets of this message, of the same sizes, with the checksums corrected that the layers verify. Packets of a message without a
  /// checksum, or with a wrong one, are returned as they are. Nil where the layers do not allow it.
  public func repairingChecksums(_ packets: [[UInt8]]) -> [[UInt8]]? {
    guard checksum == .ok else { return packets }
    var packets = packets
    var isJoined = false
    // Whether a layer moved or changed the bytes: the place of a checksum behind it is then unknown.
    var isChanged = false
    for layer in profile.sources[sourceNumber].directions[Int(direction.rawValue)].layers {
      switch layer {
      case .stream, .expect: isJoined = true
      case .drop: continue
      case .strip, .unescape, .scramble, .fragments, .slice: isChanged = true
      case .check(let checksum, _, let value, _):
        guard !isChanged, value == nil else { return nil }
        if isJoined {
          var whole = Array(packets.joined())
          guard checksum.fill(&whole) else { return nil }
          var at = 0
          for place in packets.indices {
            let count = packets[place].count
            packets[place] = Array(whole[at..<at + count])
            at += count
          }
        } else {
          for place in packets.indices where !checksum.fill(&packets[place]) { return nil }
        }
      }
    }
    return packets
  }
}

extension ProfileSet {
  /// The patterns of device names in the rules of the profiles; `*` stands for any characters, `?` for one.
  public var devicePatterns: [String] { indexes.flatMap { $0.rules.flatMap(\.names) + $0.advertisedNames } }
}
