@_spi(Pipeline) import Analysis
@_spi(Pipeline) import Profiles
import Memory
import Redaction
import Text

/// A message of a profile for comparisons: its name, and its fields as text.
struct MessageRecord: Sendable {
  /// A field with its path.
  struct Field: Sendable, Equatable {
    var path: String
    var value: String
    /// It identifies the subject of the message: a command, a register, a kind.
    var identifies: Bool
  }
  var profile: String
  var name: String
  var fields: [Field]

  /// The message's name, with the profile's where it has none.
  var title: String { name.isEmpty ? profile : name }

  /// Separators of messages, fields, and the parts of a field.
  private static let message: UInt8 = 0x1D, field: UInt8 = 0x1E, part: UInt8 = 0x1F

  /// Properties of a field besides its value.
  struct Traits: OptionSet {
    let rawValue: UInt8
    /// It identifies the subject of its message.
    static let identifies = Traits(rawValue: 1)
    /// Redaction does not replace it.
    static let staysRedacted = Traits(rawValue: 2)
  }

  /// A cache of the traits of fields by the hash of their path.
  struct KnownPaths {
    fileprivate var traits: [UInt64: Traits] = [:]
    fileprivate var names = FieldNames()
    fileprivate static let maxCount = 4096
  }

  /// Encodes a message in few bytes. Hidden fields and secrets are left out.
  static func bytes(of message: ProfileMessage, _ paths: inout KnownPaths) -> [UInt8] {
    var bytes: [UInt8] = [Self.message]
    bytes.append(contentsOf: message.profile.id.utf8)
    bytes.append(part)
    if let name = message.name { bytes.append(contentsOf: name.utf8) }
    clean(&bytes, from: 1, but: 1 + message.profile.id.utf8.count)
    if !message.isComplete { property("complete", "no", to: &bytes) }
    if message.checksum == .bad { property("checksum", "bad", to: &bytes) }
    // Redaction replaces all of a message with a missing part, a wrong checksum, or an end that could not be decoded.
    let isWhole = message.isComplete && message.problem == nil && message.checksum != .bad
    let source = Array("\(message.profile.id)-\(message.source)".utf8)
    let origin = paths.names.origin(message.source, of: message.profile)
    var fields = FlatFields(Fields(bytes: bytes, paths: paths, isWhole: isWhole, source: source, origin: origin))
    bytes = []
    paths.traits = [:]
    message.visitFields(&fields)
    paths = fields.sink.paths
    return fields.sink.bytes
  }

  /// Replaces separators in an appended text, except the one at an offset.
  private static func clean(_ bytes: inout [UInt8], from start: Int, but exception: Int = -1) {
    for at in start..<bytes.count where (message...part).contains(bytes[at]) && at != exception { bytes[at] = 0x20 }
  }

  private static func property(_ name: StaticString, _ value: StaticString, to bytes: inout [UInt8]) {
    bytes.append(field)
    bytes.append(contentsOf: "\(name)".utf8)
    bytes += [part, 0]
    bytes.append(contentsOf: "\(value)".utf8)
  }

  /// Gathers the fields of a message.
  private struct Fields: FlatFieldSink {
    var bytes: [UInt8]
    var paths: KnownPaths
    let isWhole: Bool
    /// The origin of the message: the profile's name and the source's.
    let source: [UInt8]
    let origin: FieldOrigin
    /// Most bytes of a message that are kept.
    static let maxBytes = 16384

    mutating func field(_ path: [UInt8], _ index: Int?, _ field: FieldContext, _ value: MessageFieldValue) {
      guard !field.isHidden, !field.isSecret, bytes.count < Self.maxBytes else { return }
      if case .null = value { return }
      bytes.append(MessageRecord.field)
      let start = bytes.count
      bytes.append(contentsOf: path)
      MessageRecord.clean(&bytes, from: start)
      if let index {
        bytes.append(UInt8(ascii: "["))
        bytes.append(decimal: Int64(index))
        bytes.append(UInt8(ascii: "]"))
      }
      bytes.append(MessageRecord.part)
      let traits = traits(path, field, value)
      bytes.append((isWhole ? traits : traits.subtracting(.staysRedacted)).rawValue)
      switch value {
      case .null: return
      case .enumeration(let name, let number):
        if name.isEmpty { return bytes.append(decimal: number) }
        let text = bytes.count
        bytes.append(contentsOf: name)
        MessageRecord.clean(&bytes, from: text)
      case .text(let string):
        let text = bytes.count
        bytes.append(contentsOf: string.prefix(256))
        MessageRecord.clean(&bytes, from: text)
      case .bytes(let string): bytes.append(hexOf: string.slice(0, 128))
      default: bytes.append(json: value)
      }
    }

    private mutating func traits(_ path: [UInt8], _ field: FieldContext, _ value: MessageFieldValue) -> Traits {
      let isName = if case .enumeration = value { true } else { false }
      let isText =
        switch value {
        case .text, .bytes: true
        default: false
        }
      var hash = StepHash()
      hash.add(path.span)
      hash.add(source.span)
      hash.add((isName ? 1 : 0) | (isText ? 2 : 0) | UInt64(min(field.range.count, 255)) << 8)
      if let known = paths.traits[hash.value] { return known }
      var traits: Traits = MessageRecord.identifies(path, isName: isName) ? .identifies : []
      // The names of the objects around the field, and its own; an element of a list has the name of the list.
      var around = String(decoding: path, as: UTF8.self).split(separator: ".").map { String($0.prefix { $0 != "[" }) }
      let last = around.popLast() ?? ""
      let name = field.name.isEmpty ? last : field.name.string
      if paths.names.isHarmless(field, value, name, in: around, of: origin) {
        traits.insert(.staysRedacted)
      }
      if paths.traits.count < KnownPaths.maxCount { paths.traits[hash.value] = traits }
      return traits
    }
  }

  /// Whether a top-level field identifies the subject of the message, by its name.
  private static func identifies(_ path: [UInt8], isName: Bool) -> Bool {
    guard !path.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "[") }) else { return false }
    let words = String(decoding: path, as: UTF8.self).lowercased().split { $0 == "_" || $0 == "-" }
    guard let last = words.last else { return false }
    return identifying.contains(last) || words.count > 1 && identifying.contains(words[0]) && isName
  }

  private static let identifying: Set<Substring> = [
    "command", "cmd", "opcode", "op", "code", "id", "kind", "type", "register", "address", "parameter", "param", "feature", "action",
    "service", "setting", "key", "attribute", "function", "request", "message", "method", "event", "channel", "query", "target",
  ]

  /// Whether a string of the pool contains messages.
  static func isMessage(_ bytes: some Collection<UInt8>) -> Bool { bytes.first == message }

  /// A part of encoded messages, as hashes.
  enum Piece {
    /// A message begins.
    case message(profile: UInt64, name: UInt64)
    /// A field of it. Fields of messages with other names have other paths.
    case field(path: UInt64, value: UInt64, traits: Traits)
  }

  /// Visits the parts of encoded messages without making texts, with the range of a field's value.
  static func visit(_ bytes: borrowing Span<UInt8>, _ body: (Piece, Range<Int>) -> Void) {
    var at = 0
    var name: UInt64 = 0
    while at < bytes.count {
      let isMessage = bytes[at] == message
      at &+= 1
      let middle = separator(in: bytes, from: at)
      var end = middle
      if middle < bytes.count, bytes[middle] == part { end = separator(in: bytes, from: middle &+ 1) }
      let rest = min(middle &+ 1, end)
      if isMessage {
        name = StepHash.of(bytes.extracting(rest..<end))
        body(.message(profile: StepHash.of(bytes.extracting(at..<middle)), name: name), rest..<end)
      } else if rest < end {
        var path = StepHash()
        path.add(name)
        path.add(bytes.extracting(at..<middle))
        let value = StepHash.of(bytes.extracting(rest &+ 1..<end))
        body(.field(path: path.value, value: value, traits: Traits(rawValue: bytes[rest])), rest &+ 1..<end)
      }
      at = end
    }
  }

  private static func separator(in bytes: borrowing Span<UInt8>, from start: Int) -> Int {
    var at = start
    while at < bytes.count, !(message...part).contains(bytes[at]) { at &+= 1 }
    return at
  }

  /// The hash of a field's path as in ``visit(_:_:)``.
  static func path(_ path: String, of message: String) -> UInt64 {
    var hash = StepHash()
    hash.add(StepHash.of(message.utf8))
    hash.add(bytes: path.utf8)
    return hash.value
  }

  /// Decodes the messages that ``bytes(of:_:)`` encoded.
  static func all(_ bytes: ArraySlice<UInt8>) -> [MessageRecord] {
    bytes.split(separator: message).map { line in
      var parts = line.split(separator: field, omittingEmptySubsequences: false)
      let head = parts.removeFirst().split(separator: part, maxSplits: 1, omittingEmptySubsequences: false)
      let fields = parts.compactMap { text -> Field? in
        let halves = text.split(separator: part, maxSplits: 1, omittingEmptySubsequences: false)
        guard halves.count == 2, let first = halves[1].first else { return nil }
        return Field(
          path: String(decoding: halves[0], as: UTF8.self), value: String(decoding: halves[1].dropFirst(), as: UTF8.self),
          identifies: Traits(rawValue: first).contains(.identifies))
      }
      return MessageRecord(
        profile: String(decoding: head[0], as: UTF8.self), name: head.count > 1 ? String(decoding: head[1], as: UTF8.self) : "",
        fields: fields)
    }
  }
}
