import PacketCodecs

/// Writes packets of any source in one format, and counts properties that the format cannot hold.
public final class CaptureWriter {
  /// The output's name, for messages.
  public let name: String
  /// Packets written.
  public private(set) var count = 0
  /// Bytes of the file so far.
  public private(set) var size = 0
  /// The properties lost so far.
  public private(set) var losses = CaptureLosses()

  /// A comment on the entire capture, for formats that have a field for it at their start: the section's comment of pcapng. To be set before the
  /// first packet.
  public var comment: String? {
    get { options.comment }
    set { options.comment = newValue }
  }
  /// Records of pcap and pcapng files are copied unchanged into such files, including sniffers' headers. To be set before the first packet.
  public var keepsLinkTypes: Bool {
    get { options.keepsLinkTypes }
    set { options.keepsLinkTypes = newValue }
  }

  private let output: ByteOutput
  private var encoder: any CaptureEncoder
  private let holdsComments: Bool
  private var options = EncoderOptions()
  private var record: [UInt8] = []
  private var isStarted = false

  /// Opens the output, `-` being standard output. A file appears under its name with ``finish()``; with `inPlace` at once, and grows with each
  /// packet. Throws `CaptureError` where it cannot be written.
  public init(to path: String, target: CaptureTarget, inPlace: Bool = false) throws(CaptureError) {
    name = Self.isStandardOutput(path) ? "standard output" : path
    let encoder = target.makeEncoder()
    self.encoder = encoder
    holdsComments = encoder.holdsComments
    output = try ByteOutput(path, inPlace: inPlace)
  }

  /// Whether a path is standard output: if that leads to a file, the file is written through it, not replaced.
  package static func isStandardOutput(_ path: String) -> Bool { ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].contains(path) }

  /// Writes the packet at `index` of a batch from `source`, with its comments and `notes` as further ones, in UTF-8. Returns false where the format
  /// cannot hold it (which ``losses`` counts). Throws `CaptureError` where writing fails.
  @discardableResult
  public func write(
    _ index: Int, of batch: PacketBatch, from source: any PacketSource, notes: [ArraySlice<UInt8>] = []
  ) throws(CaptureError) -> Bool {
    guard unsafe batch.records.indices.contains(index) else { return false }
    let packet = unsafe batch.records[index]
    let known = source.interfaces
    let origin = known.indices.contains(Int(packet.interface)) ? known[Int(packet.interface)] : CaptureInterface(linkType: -1)
    let comments = batch.notes.isEmpty ? notes : batch.notes.filter { $0.record == index }.map { Array($0.text.utf8)[...] } + notes
    return unsafe try write(
      OutgoingPacket(
        packet, bytes: RawSpan(_unsafeBytes: batch.bytes(packet)), payload: RawSpan(_unsafeBytes: batch.payload(packet)), origin: origin,
        format: source.format, comments: comments))
  }

  /// Writes a packet from its parts: its record, all its bytes (the record gives the range of the payload), and the interface and format of its
  /// capture. Returns false where the format cannot hold it. Throws `CaptureError` where writing fails.
  @discardableResult
  public func write(
    _ packet: PacketRecord, bytes: RawSpan, origin: CaptureInterface, format: CaptureFormat, comments: [ArraySlice<UInt8>] = []
  ) throws(CaptureError) -> Bool {
    let payload = bytes.extracting(droppingFirst: min(packet.payload, bytes.byteCount))
    return try write(
      OutgoingPacket(packet, bytes: bytes, payload: payload, origin: origin, format: format, comments: comments))
  }

  private func write(_ packet: borrowing OutgoingPacket) throws(CaptureError) -> Bool {
    if !isStarted { try start(packet.origin, packet.format) }
    let isWritten = encoder.append(packet, to: &record, &losses)
    if isWritten {
      count += 1
      if !packet.comments.isEmpty, !holdsComments { losses.add(.comments) }
      size += record.count
      try output.write(record)
    } else {
      losses.add(packet.record.kind.isNote ? .notes : .packets)
    }
    record.removeAll(keepingCapacity: true)
    return isWritten
  }

  /// Sets name and description for the pcapng interface of an adapter (0xFFFF: that of packets without one), if it is not written so far. Each
  /// adapter with a name has an interface of its own.
  public func name(adapter: UInt16, _ name: String, _ description: String) { encoder.name(adapter: adapter, name, description) }

  /// Writes a text about the entire capture at its end, for formats that can hold it there: as a note of the monitor or of PacketLogger. Returns
  /// whether the format has a field for it, here or at the start of the file. Throws `CaptureError` where writing fails.
  public func write(note text: String, at time: Int64) throws(CaptureError) -> Bool {
    switch encoder.notePosition {
    case .header: return true
    case .nowhere: return false
    case .record: break
    }
    var packet = PacketRecord()
    packet.time = time
    packet.kind = .systemNote
    let bytes = Array(text.utf8) + [0]
    packet.captured = bytes.count
    packet.original = bytes.count
    let origin = CaptureInterface(linkType: LinkType.linuxMonitor.number)
    return try write(packet, bytes: bytes.rawSpan, origin: origin, format: .btsnoop)
  }

  /// Writes all packets so far, for a program that reads the file meanwhile.
  public func flush() throws(CaptureError) { try output.flush() }

  /// Writes the remaining bytes; a file gets its name now. A capture without packets gets a header for the format of `source`.
  public func finish(source: (any PacketSource)? = nil) throws(CaptureError) {
    if !isStarted {
      let origin = source?.interfaces.first ?? CaptureInterface(linkType: LinkType.hciH4WithDirection.number)
      try start(origin, source?.format ?? .btsnoop)
    }
    try output.finish()
  }

  /// Writes the file's header, for which the first packet determines what the user did not specify.
  private func start(_ origin: CaptureInterface, _ format: CaptureFormat) throws(CaptureError) {
    isStarted = true
    let header = encoder.header(origin, format, options)
    size += header.count
    try output.write(header)
  }
}
