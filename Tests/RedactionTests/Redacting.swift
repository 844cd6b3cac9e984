import Bluetooth
import CaptureScenes
import Captures
import Conversations
import Memory
@_spi(Pipeline) import Profiles
@testable import Redaction
@_spi(Pipeline) import Analysis

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file that is deleted with this object.
final class TemporaryFile {
  let path: String

  init(_ ending: String) { path = "\(TemporaryFile.folder)/btscribe-\(getpid())-\(UInt64.random(in: 0 ... .max)).\(ending)" }

  deinit { unlink(path) }

  static var folder: String { getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp" }

  /// The contents of the file.
  var bytes: [UInt8] { TemporaryFile.bytes(path) }

  static func bytes(_ path: String) -> [UInt8] {
    guard let file = fopen(path, "rb") else { return [] }
    defer { fclose(file) }
    var result: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { result += buffer[..<count] }
    return result
  }
}

/// The redaction of a capture, and its results.
struct Redacted {
  let file: TemporaryFile
  let exposures: [Exposure]
  let warnings: [String]

  /// The default seed of tests, fixed so that chance has the same results in every run. `BTSCRIBE_SEED` sets another one.
  static let seed = getenv("BTSCRIBE_SEED").map { String(cString: $0) } ?? "a test"

  /// Writes a scene, and its redacted capture.
  static func scene(
    _ scene: Scene, _ target: CaptureTarget, options: Redaction.Options = Redaction.Options(), seed: String? = Redacted.seed
  ) throws -> (original: TemporaryFile, Redacted) {
    let ending = if target.format == .pcapng { "pcapng" } else { "btsnoop" }
    let original = TemporaryFile(ending)
    let source = SceneSource(scene)
    let writer = try CaptureWriter(to: original.path, target: target)
    let batch = PacketBatch()
    while source.read(batch) { for index in batch.records.indices { try writer.write(index, of: batch, from: source) } }
    try writer.finish(source: source)
    return (original, try Redacted(original.path, target, ending, options: options, seed: seed))
  }

  init(
    _ path: String, _ target: CaptureTarget, _ ending: String, options: Redaction.Options = Redaction.Options(),
    seed: String? = Redacted.seed
  ) throws {
    file = TemporaryFile(ending)
    var options = options
    options.isDetailed = true
    options.seed = options.seed ?? seed
    let redaction = Redaction(options)
    let source = try CaptureFile.open(path)
    let facts = CaptureFacts(name: path, title: source.title)
    _ = try redaction.survey(source, facts)
    let writer = try CaptureWriter(to: file.path, target: target)
    writer.comment = redaction.note
    _ = try redaction.write(source, facts, to: writer)
    try writer.finish(source: source)
    if target.format == source.format {
      let written = try CaptureFile.open(file.path)
      try redaction.compare(written, CaptureFacts(name: file.path, title: written.title))
    }
    exposures = redaction.exposures
    warnings = redaction.warnings
  }

  /// The exposures that a check finds in the result.
  func check(_ options: Redaction.Options = Redaction.Options()) throws -> [String] { try Self.exposures(file.path, options) }

  static func exposures(_ path: String, _ options: Redaction.Options = Redaction.Options()) throws -> [String] {
    var options = options
    options.isDetailed = true
    let redaction = Redaction(options)
    let source = try CaptureFile.open(path)
    let facts = CaptureFacts(name: path, title: source.title)
    _ = try redaction.survey(source, facts)
    _ = try redaction.check(source, facts)
    return redaction.exposures.map { "\($0.kind) \($0.field) \($0.frames)" }
  }
}

/// Searches bytes in others: unchanged, reversed, in hexadecimal digits of either case with or without separators, and in UTF-16.
func traces(of secret: [UInt8], in bytes: [UInt8]) -> [String] {
  var forms: [(String, [UInt8])] = [("as it is", secret), ("backwards", secret.reversed())]
  forms.append(("in UTF-16", secret.flatMap { [$0, 0] }))
  for (order, value) in [("", secret), (" backwards", secret.reversed())] {
    for digits in ["0123456789abcdef", "0123456789ABCDEF"].map({ Array($0.utf8) }) {
      for separator in [[], [0x3A], [0x2D], [0x20]] as [[UInt8]] {
        let text = value.map { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }.joined(separator: separator)
        forms.append(("in hex\(order)", Array(text)))
      }
    }
  }
  return forms.filter { contains($0.1, in: bytes) }.map(\.0)
}

func contains(_ needle: [UInt8], in bytes: [UInt8]) -> Bool {
  guard let first = needle.first else { return true }
  return bytes.withUnsafeBytes { all in
    needle.withUnsafeBytes { unsafeRawBufferPointer in
      guard let base = all.baseAddress, let start = unsafeRawBufferPointer.baseAddress else { return false }
      var at = 0
      while all.count - at >= unsafeRawBufferPointer.count,
        let found = memchr(base + at, Int32(first), all.count - at - unsafeRawBufferPointer.count + 1)
      {
        if memcmp(found, start, unsafeRawBufferPointer.count) == 0 { return true }
        at = UnsafeRawPointer(found) - base + 1
      }
      return false
    }
  }
}

/// The timeline's properties of each packet that redaction must keep: layer, name, lengths, status, and the identity of devices.
final class Shape: EventSink {
  private(set) var lines: [String] = []
  /// The indices of lines of packets with a text.
  private var textLines: Set<Int> = []
  private var peers: [Int32: Int] = [:]
  private var frame = 0
  /// Detects advertising data that begin within a structure: the structures in them are ignored.
  private var fragments = AdvertisingFragments()

  static func of(_ path: String, profiles: ProfileSet? = nil) throws -> [String] { try read(path, profiles).lines }

  private static func read(_ path: String, _ profiles: ProfileSet?) throws -> Shape {
    let source = try CaptureFile.open(path)
    var options = Timeline.Options()
    options.profiles = profiles
    options.includesFragments = true
    let shape = Shape()
    _ = try Timeline(source, options: options).run(CaptureFacts(name: path, title: source.title), to: shape)
    return shape
  }

  /// The first different lines. Consecutive numbers that read as a text were replaced: of these only the positions are compared.
  static func differences(_ before: String, _ after: String) throws -> [String] {
    let (shape, other) = (try read(before, nil), try read(after, nil))
    if shape.lines.count != other.lines.count { return ["\(shape.lines.count) and \(other.lines.count) lines"] }
    func bare(_ line: String) -> [Substring] { line.split(separator: " ").map { $0.prefix { $0 != "=" } } }
    for (number, (before, after)) in zip(shape.lines, other.lines).enumerated() where before != after {
      if !shape.textLines.contains(number) || bare(before) != bare(after) { return [before, after] }
    }
    return []
  }

  func finding(_ finding: Finding, _ batch: RowBatch) {
    // The redaction's note is no packet of the original capture.
    lines.append("\(min(finding.frame, max(frame, 1))) \(finding.id)")
  }

  func packet(_ row: PacketRow, _ batch: RowBatch, isPart: Bool) {
    // Only the redaction's note may be added.
    if Array(row.pdu.buffer).starts(with: Redaction.noteStart.utf8) { return }
    frame = max(frame, row.frame)
    let identity = batch.tables.identity(row.peer)
    var peer = -1
    if identity >= 0 {
      if peers[identity] == nil { peers[identity] = peers.count }
      peer = peers[identity] ?? -1
    }
    fragments.begin(row)
    var fields = FieldShape(fragments: fragments, isChained: isChained(row, batch), layer: row.layer)
    Dissection.walk(row, &fields)
    fragments = fields.fragments
    if fields.hasTextInNumbers(row.pdu) { textLines.insert(lines.count) }
    lines.append(
      "\(row.frame) \(row.layer) \(Dissection.name(row)) \(row.pdu.count) \(row.meaning) status=\(row.status) \(row.flags.rawValue) "
        + "\(row.connection) \(peer) handle=\(row.attributeHandle) \(row.requestFrame) \(fields.text)")
  }

  private func isChained(_ row: PacketRow, _ batch: RowBatch) -> Bool {
    guard row.layer == .advertisingPDU else { return false }
    if row.flags.contains(.badCRC) { return AdvertisingFragments.mayBeChained(row.pdu) }
    let record = batch.packets.records[Int(row.record)]
    guard let access = PDUBytes(batch.packets.payload(record)).u32(0) else { return false }
    return fragments.isChained(row.pdu, access: access, time: record.time)
  }

  func message(_ message: ProfileMessage, _ row: PacketRow, _ batch: RowBatch) {
    lines.append(
      "\(message.profile.id) \(message.name ?? "") \(message.frames) \(message.isComplete) \(message.checksum) \(message.payload.count) "
        + "\(message.replyTo ?? 0)")
  }
}

/// The names of fields, and their values, except addresses, texts and secrets.
private struct FieldShape: FieldVisitor {
  var text = ""
  var fragments: AdvertisingFragments
  let isChained: Bool
  let layer: ProtocolID
  private var isInChain = false
  /// Advertising data that begin within a structure were visited last.
  private var endedContinuation = false
  private var isInContinuation: Bool { isInChain || fragments.isInContinuation }
  /// The ranges of numbers and short UUIDs.
  private var numbers: [Range<Int>] = []
  /// Start of the last advertising structure, and length of the text before it; `raw`: that before the first structure of an unassigned type.
  private var structure = (start: -1, length: 0)
  private var raw: Int?
  private var isInStructure = false
  private var objectLength = 0
  /// The range of the last address.
  private var address: Range<Int>?

  /// Whether consecutive numbers read as a text.
  func hasTextInNumbers(_ pdu: PDUBytes) -> Bool {
    var bytes = [UInt8](repeating: 0, count: pdu.count)
    for range in numbers { for at in range.clamped(to: bytes.indices) { bytes[at] = pdu[at] } }
    return !TextRuns.ascii(in: bytes, fewest: 8).isEmpty
  }

  init(fragments: AdvertisingFragments, isChained: Bool, layer: ProtocolID) {
    (self.fragments, self.isChained, self.layer) = (fragments, isChained, layer)
  }

  mutating func field(_ field: Field, _ value: FieldValue, at range: Range<Int>, in bytes: RawSpan) {
    if isInContinuation { return }
    endedContinuation = false
    fragments.take(field, value)
    if field.name == "type", case .unsigned(let type) = value {
      structure = (range.lowerBound - 1, objectLength)
      isInStructure = true
      if raw == nil, AdvertisingData.Kind(rawValue: UInt8(truncatingIfNeeded: type)).name == nil { raw = objectLength }
    }
    if case .address = value, range.count == 6, FieldJudge.advertisers.contains(field.name) { address = range }
    text += " \(field.name)@\(range.lowerBound)+\(range.count)"
    switch value {
    case .unsigned, .signed, .bool: numbers.append(range)
    case .uuid where range.count <= 4: numbers.append(range)
    case .bytes where range.count <= max(layer == .att ? 4 : 0, AllowedFields.longest(field.name, isAdvertised: false)):
      numbers.append(range)
    default: break
    }
    // Numbers without a layout, or wide enough to be identities, are replaced.
    guard !field.isSecret, !Self.replaced.contains(field.name) else { return }
    switch value {
    // Unassigned company identifiers, and those that are a part of the device's address, are replaced.
    case .unsigned(let number) where field.name == "company_identifier" && isInStructure:
      let isPart = address.map { range.lowerBound + 4 <= bytes.byteCount && FieldJudge.isPart(of: $0, range.lowerBound, bytes) } ?? false
      if !isPart, KnownUUIDs().isKnown(company: UInt16(truncatingIfNeeded: number)) { text += "=\(number)" }
    case .unsigned(let number) where range.count <= 4: text += "=\(number)"
    case .signed(let number) where range.count <= 4: text += "=\(number)"
    case .bool(let truth): text += "=\(truth)"
    // Unknown UUIDs outside of declarations are replaced.
    case .uuid(let uuid) where isName(uuid): text += "=\(uuid)"
    case .address(let address): text += "=\(address.randomness)"
    default: break
    }
  }
  private func isName(_ uuid: BluetoothUUID) -> Bool {
    if layer == .att { return true }
    let known = KnownUUIDs()
    // A member's UUID is replaced where it is a part of a number.
    if layer != .sdp, uuid.short16 ?? 0 >= 0xFC00 { return known.isNamed(uuid) }
    return known.isKnown(uuid, isService: layer != .sdp)
  }
  private static let replaced: Set<StaticName> = [
    "encrypted_diversifier", "encryption_diversifier", "ediv", "value", "uid", "identifier", "time_number", "song_length", "hash", "prand",
    "upper_address_part", "non_significant_address_part", "contributing_sources", "extension_profile",
    // Checksums cover replaced data.
    "fcs", "crc", "hec", "header_checksum", "icmp_checksum", "tcp_checksum", "udp_checksum", "icmpv6_checksum",
  ]
  mutating func beginObject(_ field: Field, at offset: Int) {
    if isInContinuation { return }
    objectLength = text.utf8.count
    text += "{"
  }
  mutating func endObject(_ field: Field, at range: Range<Int>) {
    if range.lowerBound == structure.start { isInStructure = false }
    if !isInContinuation { text += "}" }
  }
  mutating func beginArray(_ field: Field, at offset: Int) {
    if isInContinuation { return }
    text += "["
    if !isInStructure { raw = nil }
    fragments.beginArray(field)
    if isChained, field.name == "adv_data" { isInChain = true }
  }
  mutating func endArray(_ field: Field, at range: Range<Int>) {
    let isEnd = fragments.endArray(field, at: range) || isInChain && field.name == "adv_data"
    if isInContinuation, !isEnd { return }
    (isInChain, endedContinuation) = (false, isEnd)
    text += "]"
  }
  mutating func problem(_ problem: FieldProblem) {
    if isInContinuation || endedContinuation { return }
    // A structure that is longer than the data is replaced as a whole.
    if isInStructure, case .short(_, structure.start, _, _) = problem {
      text = (String(text.utf8.prefix(raw ?? structure.length)) ?? "") + "{ raw"
    }
    text += "!"
  }
}
