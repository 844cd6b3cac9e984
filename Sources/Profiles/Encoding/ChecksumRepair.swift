import Bluetooth
import PacketCodecs

extension ProfileMessage {
  /// A range of a packet that belongs to the message.
  public typealias Extent = (packet: Int, range: Range<Int>)

  /// The positions of this message's checksums in its packets; nil where they cannot be determined. `extents` has for each packet the range of the
  /// payload and the bytes before it, `payloads` the range of the payload alone; a checksum can follow.
  public func checksumExtents(in packets: [[UInt8]], extents: [Range<Int>], payloads: [Range<Int>]) -> [Extent]? {
    guard checksum == .ok else { return [] }
    guard let stretches = plainStretches(packets, extents, payloads) else { return nil }
    var extents: [Extent] = []
    for (checksum, group, stretch) in stretches {
      guard let range = checksum.range(in: stretch.count) else { return nil }
      for at in range { extents.append(group.extent(stretch.lowerBound + at)) }
    }
    return extents
  }

  /// The possible positions of each checksum of this message according to its profile, although none of them was correct.
  package func assumedChecksumExtents(in packets: [[UInt8]], extents: [Range<Int>], payloads: [Range<Int>]) -> [[Extent]] {
    var result: [[Extent]] = []
    for (checksum, scope, _) in plainChecksums ?? [] {
      for group in Self.groups(packets, extents, payloads, scope) {
        let end = min(group.extent.upperBound &+ (framing.behind ?? 0), group.pieces.reduce(0) { $0 + $1.range.count })
        guard end > group.extent.lowerBound, let range = checksum.range(in: end - group.extent.lowerBound) else { continue }
        result.append(range.map { group.extent(group.extent.lowerBound + $0) })
      }
    }
    return result
  }

  /// Recomputes the checksums of this message in `packets`, which are `original` with changed contents. Nil where a layer changes or moves bytes
  /// before its checksum, or where the checksum is not found in `original`.
  public func repairingChecksums(
    _ packets: [[UInt8]], original: [[UInt8]], extents: [Range<Int>], payloads: [Range<Int>]
  ) -> [[UInt8]]? {
    guard checksum == .ok else { return packets }
    guard let stretches = plainStretches(original, extents, payloads) else { return nil }
    var packets = packets
    for (checksum, group, stretch) in stretches {
      var bytes = Array(group.bytes(packets)[stretch])
      guard checksum.fill(&bytes) else { return nil }
      for (number, byte) in bytes.enumerated() {
        let extent = group.extent(stretch.lowerBound + number)
        packets[extent.packet][extent.range.lowerBound] = byte
      }
    }
    return packets
  }

  /// The range over which each checksum of this message is correct, in the order of the layers; nil where it cannot be determined. A checksum with a
  /// condition that is correct over no range is taken as not present.
  private func plainStretches(
    _ packets: [[UInt8]], _ extents: [Range<Int>], _ payloads: [Range<Int>]
  ) -> [(PacketCodecs.Checksum, Group, Range<Int>)]? {
    guard let checksums = plainChecksums else { return nil }
    let behind = framing.behind
    var found: [(PacketCodecs.Checksum, Group, Range<Int>)] = []
    for (checksum, scope, isConditional) in checksums {
      var all: [(PacketCodecs.Checksum, Group, Range<Int>)]?
      // Each packet can be a frame with a checksum of its own.
      for scope in scope == .frames ? [.packet, .joined] : [scope] where all == nil {
        let groups = Self.groups(packets, extents, payloads, scope)
        let stretches = groups.compactMap { group in group.stretch(of: packets, checksum, behind: behind).map { (checksum, group, $0) } }
        if stretches.count == groups.count { all = stretches }
      }
      if let all { found += all } else if !isConditional { return nil }
    }
    return found.isEmpty && !checksums.isEmpty ? nil : found
  }

  /// Whether it has a correct checksum that ``repairingChecksums(_:original:extents:payloads:)`` cannot recompute.
  package var hasFixedChecksum: Bool { checksum == .ok && plainChecksums == nil }

  /// Most bytes before and after the payload that the layers of this message remove from each packet; nil where the number depends on the packet.
  package var framing: (before: Int?, behind: Int?) { framing(before: .max) }

  /// The same of the layers before one.
  package func framing(before end: Int) -> (before: Int?, behind: Int?) {
    var before: Int? = 0
    var behind: Int? = 0
    func add(_ count: Int?, to sum: inout Int?) { sum = sum.flatMap { sum in count.map { sum &+ max(0, $0) } } }
    for layer in profile.sources[sourceNumber].directions[Int(direction.rawValue)].layers.prefix(end) {
      switch layer {
      case .slice(let from, let to):
        add(from.number, to: &before)
        // Bytes after an end that is counted from the start are not part of the framing.
        if let to { add(to.number.map { $0 < 0 ? Int(clamping: $0.magnitude) : 0 }, to: &behind) }
      case .strip(let rules):
        let isFixed = rules.noise.isEmpty && rules.until.isEmpty
        add(isFixed ? rules.head &+ (rules.prefixes.map(\.count).max() ?? 0) : nil, to: &before)
        add(isFixed ? rules.tail &+ (rules.suffixes.map(\.count).max() ?? 0) : nil, to: &behind)
      case .fragments(let rules):
        add(rules.payloadFrom, to: &before)
        if rules.payloadTo != nil { behind = nil }
      case .stream, .expect, .check, .checkPackets, .drop, .unescape, .scramble, .decrypt: continue
      }
    }
    return (before, behind)
  }

  /// Number of bytes that its layers remove from the end of each packet, or frame, before joining them.
  package var behindEach: Int { behindEach(before: .max) }

  /// The same of the layers before one.
  package func behindEach(before end: Int) -> Int {
    var behind = 0
    for layer in profile.sources[sourceNumber].directions[Int(direction.rawValue)].layers.prefix(end) {
      switch layer {
      case .slice(_, let to?): behind = behind &+ (to.number.map { $0 < 0 ? Int(clamping: $0.magnitude) : 0 } ?? 0)
      case .strip(let rules): behind = behind &+ max(0, rules.tail)
      case .fragments: return behind
      default: continue
      }
    }
    return 0
  }

  /// Number of bytes before a marker that were skipped, because they belong to no message.
  package var skipped: Int { problems.reduce(0) { $1.kind == .skipped ? $0 &+ max(0, Int(clamping: $1.found)) : $0 } }

  /// The possible UUIDs of its source.
  package var sourceUUIDs: [BluetoothUUID] { profile.sources[sourceNumber].uuids }

  /// Number of bytes at the end of a message's payload that are the end marker of its framing.
  package func endMarkerCount(of payload: [UInt8]) -> Int {
    for layer in profile.sources[sourceNumber].directions[Int(direction.rawValue)].layers {
      guard case .stream(let stream) = layer, let marker = stream.rules.ends.first(where: { payload.suffix($0.count).elementsEqual($0) })
      else { continue }
      return marker.count
    }
    return 0
  }

  /// Number of bytes at the start of a message's payload that are the start marker of its framing.
  package func startMarkerCount(of payload: [UInt8]) -> Int {
    for layer in profile.sources[sourceNumber].directions[Int(direction.rawValue)].layers {
      guard case .stream(let stream) = layer, let marker = stream.rules.starts.first(where: { payload.starts(with: $0) }) else { continue }
      return marker.count
    }
    return 0
  }

  /// The bytes that a checksum covers.
  private enum Scope {
    /// A packet.
    case packet
    /// The concatenated packets of a message.
    case joined
    /// The same, or each packet, for frames that are fragments of a message.
    case frames
    /// The payloads of the packets, which were fragments with a header each.
    case fragments
  }

  /// The checksums of the layers, their scopes, and whether they have a condition; nil where a layer before one changes or moves bytes.
  private var plainChecksums: [(PacketCodecs.Checksum, Scope, isConditional: Bool)]? {
    var found: [(PacketCodecs.Checksum, Scope, isConditional: Bool)] = []
    var scope = Scope.packet
    var isChanged = false
    let layers = profile.sources[sourceNumber].directions[Int(direction.rawValue)].layers
    for (number, layer) in layers.enumerated() {
      switch layer {
      case .stream, .expect:
        isChanged = isChanged || scope == .fragments
        scope = .joined
      case .fragments:
        isChanged = isChanged || scope != .packet
        scope = .fragments
      case .drop: continue
      case .strip, .unescape, .scramble, .slice, .decrypt, .checkPackets: isChanged = true
      case .check(let checksum, let when, let value, _):
        guard !isChanged, value == nil else { return nil }
        let isOfFrame =
          scope == .joined && layers[number...].contains { if case .fragments = $0 { true } else { false } }
        found.append((checksum, isOfFrame ? .frames : scope, when != nil))
      }
    }
    return found
  }

  /// The concatenated ranges of packets that one checksum covers.
  private struct Group {
    var pieces: [Extent]
    /// The bytes of the message in them, counted from the start of the first.
    var extent: Range<Int>

    func bytes(_ all: [[UInt8]]) -> [UInt8] { Array(pieces.map { all[$0.packet][$0.range] }.joined()) }

    /// The range over which the checksum is correct. Ranges are tried in this order: the message with the bytes after it that the layers remove, all
    /// bytes, the message with up to eight bytes after it. All bytes can include unrelated ones at the end: a CRC with its low byte first is also
    /// correct with a zero after it.
    func stretch(of all: [[UInt8]], _ checksum: PacketCodecs.Checksum, behind: Int?) -> Range<Int>? {
      let whole = bytes(all)
      var tried: [Range<Int>] = []
      if let behind, extent.upperBound <= whole.count - behind { tried.append(extent.lowerBound..<extent.upperBound + behind) }
      tried.append(0..<whole.count)
      for more in 0...ProfileMessage.maxBehind where extent.upperBound + more <= whole.count {
        tried.append(extent.lowerBound..<extent.upperBound + more)
      }
      return tried.first { range in
        let part = Array(whole[range])
        return checksum.verify(part.rawSpan).isCorrect
      }
    }

    func extent(_ at: Int) -> Extent {
      var left = at
      for piece in pieces {
        if left < piece.range.count { return (piece.packet, piece.range.lowerBound + left..<piece.range.lowerBound + left + 1) }
        left -= piece.range.count
      }
      return (pieces.last?.packet ?? 0, 0..<0)
    }
  }

  /// Most bytes of a checksum after a payload.
  private static let maxBehind = 8

  private static func groups(_ packets: [[UInt8]], _ extents: [Range<Int>], _ payloads: [Range<Int>], _ scope: Scope) -> [Group] {
    switch scope {
    case .packet: return packets.indices.map { Group(pieces: [($0, packets[$0].indices)], extent: extents[$0]) }
    case .joined, .frames:
      guard let first = extents.first, let last = extents.last else { return [] }
      let before = packets.dropLast().reduce(0) { $0 + $1.count }
      let extent = first.lowerBound..<max(first.lowerBound, before + last.upperBound)
      return [Group(pieces: packets.indices.map { ($0, packets[$0].indices) }, extent: extent)]
    case .fragments:
      var pieces = packets.indices.filter { !payloads[$0].isEmpty }.map { ($0, payloads[$0]) }
      guard let last = pieces.popLast() else { return [] }
      let count = pieces.reduce(last.1.count) { $0 + $1.1.count }
      pieces.append((last.0, last.1.lowerBound..<min(packets[last.0].count, last.1.upperBound + maxBehind)))
      return [Group(pieces: pieces, extent: 0..<count)]
    }
  }
}
