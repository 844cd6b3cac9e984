import PacketCodecs

extension ProfileMessage {
  /// A stretch of a packet: of its bytes, those of the message.
  public typealias Extent = (packet: Int, range: Range<Int>)

  /// Where the checksums of this message lie in the packets that it came in; nil where that cannot be told. `extents` says which bytes of
  /// each packet its payload and what stands before it are, `payloads` which the payload is; a checksum may follow.
  public func checksumPlaces(in packets: [[UInt8]], extents: [Range<Int>], payloads: [Range<Int>]) -> [Extent]? {
    guard checksum == .ok else { return [] }
    var places: [Extent] = []
    for (checksum, scope) in plainChecksums ?? [] {
      for group in Self.groups(packets, extents, payloads, scope) {
        guard let stretch = group.stretch(of: packets, checksum), let place = checksum.place(in: stretch.count) else { return nil }
        for at in place { places.append(group.place(stretch.lowerBound + at)) }
      }
    }
    return plainChecksums == nil ? nil : places
  }

  /// Where the bytes of each checksum of this message would lie by its profile, though none of them was found to be right.
  package func assumedChecksumPlaces(in packets: [[UInt8]], extents: [Range<Int>], payloads: [Range<Int>]) -> [[Extent]] {
    var places: [[Extent]] = []
    for (checksum, scope) in plainChecksums ?? [] {
      for group in Self.groups(packets, extents, payloads, scope) {
        let end = min(group.extent.upperBound &+ (framing.behind ?? 0), group.pieces.reduce(0) { $0 + $1.range.count })
        guard end > group.extent.lowerBound, let place = checksum.place(in: end - group.extent.lowerBound) else { continue }
        places.append(place.map { group.place(group.extent.lowerBound + $0) })
      }
    }
    return places
  }

  /// Writes the checksums of this message anew into `packets`, which are `original` with other contents. Nil where a layer changes or moves
  /// bytes before its checksum, or it is not found in `original`.
  public func repairingChecksums(
    _ packets: [[UInt8]], original: [[UInt8]], extents: [Range<Int>], payloads: [Range<Int>]
  ) -> [[UInt8]]? {
    guard checksum == .ok else { return packets }
    guard let checksums = plainChecksums else { return nil }
    var packets = packets
    for (checksum, scope) in checksums {
      for group in Self.groups(original, extents, payloads, scope) {
        guard let stretch = group.stretch(of: original, checksum) else { return nil }
        var bytes = Array(group.bytes(packets)[stretch])
        guard checksum.fill(&bytes) else { return nil }
        for (number, byte) in bytes.enumerated() {
          let place = group.place(stretch.lowerBound + number)
          packets[place.packet][place.range.lowerBound] = byte
        }
      }
    }
    return packets
  }

  /// It has a checksum that is right, and that ``repairingChecksums(_:original:extents:payloads:)`` cannot compute anew.
  package var hasFixedChecksum: Bool { checksum == .ok && plainChecksums == nil }

  /// How many bytes before its payload, and behind it, the layers of this message take off each packet at most; nil where only the packet itself
  /// says how many.
  package var framing: (before: Int?, behind: Int?) {
    var before: Int? = 0
    var behind: Int? = 0
    func add(_ count: Int?, to sum: inout Int?) { sum = sum.flatMap { sum in count.map { sum &+ max(0, $0) } } }
    for layer in profile.sources[sourceNumber].directions[Int(direction.rawValue)].layers {
      switch layer {
      case .slice(let from, let to):
        add(from.number, to: &before)
        // What stands behind a place that is counted from the start is no part of the framing.
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

  /// How many bytes before a marker were skipped, as they belong to no message.
  package var skipped: Int { problems.reduce(0) { $1.kind == .skipped ? $0 &+ max(0, Int(clamping: $1.found)) : $0 } }

  /// The UUIDs of what its source may be.
  package var sourceUUIDs: [BluetoothUUID] { profile.sources[sourceNumber].uuids }

  /// How many bytes at the end of a message's payload are what marks its end in its framing.
  package func endMark(of payload: [UInt8]) -> Int {
    for layer in profile.sources[sourceNumber].directions[Int(direction.rawValue)].layers {
      guard case .stream(let stream) = layer, let mark = stream.rules.ends.first(where: { payload.suffix($0.count).elementsEqual($0) })
      else { continue }
      return mark.count
    }
    return 0
  }

  /// How many bytes at the start of a message's payload are what marks its start in its framing.
  package func startMark(of payload: [UInt8]) -> Int {
    for layer in profile.sources[sourceNumber].directions[Int(direction.rawValue)].layers {
      guard case .stream(let stream) = layer, let mark = stream.rules.starts.first(where: { payload.starts(with: $0) }) else { continue }
      return mark.count
    }
    return 0
  }

  /// What a checksum covers.
  private enum Scope {
    /// A packet.
    case packet
    /// The packets of a message, one behind the other.
    case joined
    /// The payloads of the packets, which were fragments with a header each.
    case fragments
  }

  /// The checksums of the layers, and what each covers; nil where a layer before one changes or moves bytes.
  private var plainChecksums: [(PacketCodecs.Checksum, Scope)]? {
    var found: [(PacketCodecs.Checksum, Scope)] = []
    var scope = Scope.packet
    var isChanged = false
    for layer in profile.sources[sourceNumber].directions[Int(direction.rawValue)].layers {
      switch layer {
      case .stream, .expect:
        isChanged = isChanged || scope == .fragments
        scope = .joined
      case .fragments:
        isChanged = isChanged || scope != .packet
        scope = .fragments
      case .drop: continue
      case .strip, .unescape, .scramble, .slice, .decrypt, .checkPackets: isChanged = true
      case .check(let checksum, _, let value, _):
        guard !isChanged, value == nil else { return nil }
        found.append((checksum, scope))
      }
    }
    return found
  }

  /// What one checksum covers: stretches of packets, one behind the other.
  private struct Group {
    var pieces: [Extent]
    /// The bytes of the message in them, counted from the start of the first.
    var extent: Range<Int>

    func bytes(_ all: [[UInt8]]) -> [UInt8] { Array(pieces.map { all[$0.packet][$0.range] }.joined()) }

    /// Which bytes the checksum is right over: all, or those of the message and up to eight behind it.
    func stretch(of all: [[UInt8]], _ checksum: PacketCodecs.Checksum) -> Range<Int>? {
      let whole = bytes(all)
      var tried = [0..<whole.count]
      for more in 0...ProfileMessage.mostBehind where extent.upperBound + more <= whole.count {
        tried.append(extent.lowerBound..<extent.upperBound + more)
      }
      return tried.first { range in
        let part = Array(whole[range])
        return checksum.verify(part.rawSpan).isCorrect
      }
    }

    func place(_ at: Int) -> Extent {
      var left = at
      for piece in pieces {
        if left < piece.range.count { return (piece.packet, piece.range.lowerBound + left..<piece.range.lowerBound + left + 1) }
        left -= piece.range.count
      }
      return (pieces.last?.packet ?? 0, 0..<0)
    }
  }

  /// Most bytes of a checksum behind a payload.
  private static let mostBehind = 8

  private static func groups(_ packets: [[UInt8]], _ extents: [Range<Int>], _ payloads: [Range<Int>], _ scope: Scope) -> [Group] {
    switch scope {
    case .packet: return packets.indices.map { Group(pieces: [($0, packets[$0].indices)], extent: extents[$0]) }
    case .joined:
      guard let first = extents.first, let last = extents.last else { return [] }
      let before = packets.dropLast().reduce(0) { $0 + $1.count }
      let extent = first.lowerBound..<max(first.lowerBound, before + last.upperBound)
      return [Group(pieces: packets.indices.map { ($0, packets[$0].indices) }, extent: extent)]
    case .fragments:
      var pieces = packets.indices.filter { !payloads[$0].isEmpty }.map { ($0, payloads[$0]) }
      guard let last = pieces.popLast() else { return [] }
      let count = pieces.reduce(last.1.count) { $0 + $1.1.count }
      pieces.append((last.0, last.1.lowerBound..<min(packets[last.0].count, last.1.upperBound + mostBehind)))
      return [Group(pieces: pieces, extent: 0..<count)]
    }
  }
}

extension ProfileSet {
  /// The patterns of device names in the rules of the profiles; `*` stands for any characters, `?` for one.
  public var devicePatterns: [String] { indexes.flatMap { $0.rules.flatMap(\.names) + $0.advertisedNames } }
}
