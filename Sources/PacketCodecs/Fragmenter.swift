/// The position of a fragment in its message, from which a header is built.
public struct FragmentContext: Equatable, Sendable {
  /// The fragment's number, from 0.
  public var index: Int
  /// Number of fragments of the message.
  public var count: Int
  /// Number of bytes of the entire message.
  public var total: Int
  /// Offset in bytes of the fragment's payload in the message.
  public var offset: Int
  /// Number of bytes of the fragment's payload.
  public var payload: Int

  /// Whether it is the first one.
  @inlinable
  public var isFirst: Bool { index == 0 }
  /// Whether it is the last one.
  @inlinable
  public var isLast: Bool { index == count &- 1 }
}

/// An error in splitting a message into packets.
public enum FragmentError: Error, Equatable, Sendable {
  /// The header and trailer of this fragment leave no space for payload in the packet.
  case noRoom(index: Int)
  /// The message would need more fragments than are allowed.
  case tooMany
  /// Headers contain the number of fragments, and their lengths depend on it in such a way that no number is right.
  case noConsistentCount
}

/// Splits messages into packets of a given size: the inverse of ``FragmentReassembler``.
public struct Fragmenter: Sendable {
  /// Most bytes of a packet, including header and trailer.
  public var packetSize: Int
  /// Bytes at the end of each packet that are reserved for a checksum; they are written as zeros.
  public var trailer: Int
  /// The byte that pads packets to their size; nil: the last one is shorter.
  public var padding: UInt8?
  /// The most fragments a message may have.
  public var maximumFragments: Int

  /// Makes a fragmenter for packets of at most `packetSize` bytes.
  public init(packetSize: Int, trailer: Int = 0, padding: UInt8? = nil, maximumFragments: Int = 1 << 16) {
    self.packetSize = max(1, packetSize)
    self.trailer = max(0, trailer)
    self.padding = padding
    self.maximumFragments = max(1, maximumFragments)
  }

  /// Splits `message` into packets.
  ///
  /// - Parameters:
  ///   - header: appends the header of a fragment. It is called several times for the same one, until the number of fragments and the payload's
  ///     length are determined; the header's own length must not depend on the payload's.
  ///   - emit: called with each packet in turn, in a buffer that is reused, to copy or to complete it (a checksum in its trailer).
  /// - Throws: ``FragmentError``, before anything is emitted unless a header's length changed after all. An empty message gives one packet.
  public func fragment(
    _ message: RawSpan, header: (FragmentContext, inout [UInt8]) -> Void, emit: (inout [UInt8]) -> Void
  ) throws(FragmentError) {
    let total = message.byteCount
    var packet: [UInt8] = []
    var count = 1
    var isStable = false
    for _ in 0..<8 {
      var offset = 0
      var index = 0
      repeat {
        guard index < maximumFragments else { throw .tooMany }
        let room = try room(FragmentContext(index: index, count: count, total: total, offset: offset, payload: 0), header, &packet)
        if room == 0, offset < total { throw .noRoom(index: index) }
        offset += min(room, total - offset)
        index += 1
      } while offset < total
      isStable = index == count
      if isStable { break }
      count = index
    }
    guard isStable else { throw .noConsistentCount }

    var offset = 0
    for index in 0..<count {
      var context = FragmentContext(index: index, count: count, total: total, offset: offset, payload: 0)
      context.payload = min(try room(context, header, &packet), total - offset)
      packet.removeAll(keepingCapacity: true)
      header(context, &packet)
      guard packet.count + context.payload + trailer <= packetSize else { throw .noRoom(index: index) }
      unsafe message.extracting(offset..<(offset + context.payload)).withUnsafeBytes { unsafe packet.append(contentsOf: $0) }
      if let padding {
        while packet.count + trailer < packetSize { packet.append(padding) }
      }
      for _ in 0..<trailer { packet.append(0) }
      emit(&packet)
      offset += context.payload
    }
  }

  /// Number of payload bytes that fit into a packet.
  private func room(
    _ context: FragmentContext, _ header: (FragmentContext, inout [UInt8]) -> Void, _ packet: inout [UInt8]
  ) throws(FragmentError) -> Int {
    packet.removeAll(keepingCapacity: true)
    header(context, &packet)
    let used = packet.count + trailer
    guard used <= packetSize else { throw .noRoom(index: context.index) }
    return packetSize - used
  }
}
