import PacketCodecs

extension ProfileMessage {
  /// A stretch of a packet: of its bytes, those of the message.
  public typealias Extent = (packet: Int, range: Range<Int>)

  /// Where the checksums of this message lie in the packets that it came in; nil where that cannot be told. `extents` says which bytes of
  /// each packet its payload and what stands before it are; a checksum may follow.
  public func checksumPlaces(in packets: [[UInt8]], extents: [Range<Int>]) -> [Extent]? {
    guard checksum == .ok else { return [] }
    var places: [Extent] = []
    for (checksum, isJoined) in plainChecksums ?? [] {
      for group in Self.groups(packets, extents, isJoined: isJoined) {
        guard let stretch = group.stretch(of: packets, checksum), let place = checksum.place(in: stretch.count) else { return nil }
        for at in place { places.append(group.place(stretch.lowerBound + at, in: packets)) }
      }
    }
    return plainChecksums == nil ? nil : places
  }

  /// Writes the checksums of this message anew into `packets`, which are `original` with other contents. Nil where a layer changes or moves
  /// bytes before its checksum, or it is not found in `original`.
  public func repairingChecksums(_ packets: [[UInt8]], original: [[UInt8]], extents: [Range<Int>]) -> [[UInt8]]? {
    guard checksum == .ok else { return packets }
    guard let checksums = plainChecksums else { return nil }
    var packets = packets
    for (checksum, isJoined) in checksums {
      for group in Self.groups(original, extents, isJoined: isJoined) {
        guard let stretch = group.stretch(of: original, checksum) else { return nil }
        var bytes = Array(group.bytes(packets)[stretch])
        guard checksum.fill(&bytes) else { return nil }
        for (number, byte) in bytes.enumerated() {
          let place = group.place(stretch.lowerBound + number, in: packets)
          packets[place.packet][place.range.lowerBound] = byte
        }
      }
    }
    return packets
  }

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

  /// The checksums of the layers, and whether each covers a joined message; nil where a layer before one changes or moves bytes.
  private var plainChecksums: [(PacketCodecs.Checksum, isJoined: Bool)]? {
    var found: [(PacketCodecs.Checksum, isJoined: Bool)] = []
    var isJoined = false
    var isChanged = false
    for layer in profile.sources[sourceNumber].directions[Int(direction.rawValue)].layers {
      switch layer {
      case .stream, .expect: isJoined = true
      case .drop: continue
      case .strip, .unescape, .scramble, .fragments, .slice, .decrypt, .checkPackets: isChanged = true
      case .check(let checksum, _, let value, _):
        guard !isChanged, value == nil else { return nil }
        found.append((checksum, isJoined))
      }
    }
    return found
  }

  /// Packets that one checksum covers.
  private struct Group {
    var packets: Range<Int>
    /// The bytes of the message in them, counted from the first packet's start.
    var extent: Range<Int>

    func bytes(_ all: [[UInt8]]) -> [UInt8] { Array(all[packets].joined()) }

    /// Which bytes the checksum is right over: all, or those of the message and up to eight behind it.
    func stretch(of all: [[UInt8]], _ checksum: PacketCodecs.Checksum) -> Range<Int>? {
      let whole = bytes(all)
      var tried = [0..<whole.count]
      for more in 0...8 where extent.upperBound + more <= whole.count { tried.append(extent.lowerBound..<extent.upperBound + more) }
      return tried.first { range in
        let part = Array(whole[range])
        return unsafe checksum.verify(part.span.bytes).isCorrect
      }
    }

    func place(_ at: Int, in all: [[UInt8]]) -> Extent {
      var left = at
      for packet in packets {
        if left < all[packet].count { return (packet, left..<left + 1) }
        left -= all[packet].count
      }
      return (packets.upperBound - 1, 0..<0)
    }
  }

  private static func groups(_ packets: [[UInt8]], _ extents: [Range<Int>], isJoined: Bool) -> [Group] {
    if !isJoined { return packets.indices.map { Group(packets: $0..<$0 + 1, extent: extents[$0]) } }
    guard let first = extents.first, let last = extents.last else { return [] }
    let before = packets.dropLast().reduce(0) { $0 + $1.count }
    return [Group(packets: packets.indices, extent: first.lowerBound..<max(first.lowerBound, before + last.upperBound))]
  }
}

extension ProfileSet {
  /// The patterns of device names in the rules of the profiles; `*` stands for any characters, `?` for one.
  public var devicePatterns: [String] { indexes.flatMap { $0.rules.flatMap(\.names) + $0.advertisedNames } }
}
