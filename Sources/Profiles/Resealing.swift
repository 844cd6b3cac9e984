import PacketCodecs

extension Message {
  /// Other packets for this message, as many bytes each, with the checksums made right that its layers look at. Nil where the layers are
  /// such that this cannot be done from outside; what had no checksum, or a wrong one, comes back as it is.
  public func resealed(_ packets: [[UInt8]]) -> [[UInt8]]? {
    guard checksum == .ok else { return packets }
    var packets = packets
    var isJoined = false
    // What stands between the packets and the bytes at hand; then a checksum further in lies elsewhere.
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
  /// The patterns of device names by which the profiles find their devices: `*` stands for any characters, `?` for one.
  public var devicePatterns: [String] { indexes.flatMap { $0.rules.flatMap(\.names) + $0.advertisedNames } }
}
