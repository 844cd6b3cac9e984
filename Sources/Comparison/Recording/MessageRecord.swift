@_spi(Pipeline) import Analysis
@_spi(Pipeline) import Profiles
import Text

/// A message of a profile as it is compared: what it is, and its fields as text.
struct MessageRecord: Sendable {
  /// A field with the path that leads to it.
  struct Field: Sendable, Equatable {
    var path: String
    var value: String
    /// It tells what the message is about: a command, a register, a kind.
    var identifies: Bool
  }
  var profile: String
  var name: String
  var fields: [Field]

  /// The message's name, with the profile's where it has none.
  var title: String { name.isEmpty ? profile : name }

  /// Between messages, fields, and the parts of a field.
  private static let message: UInt8 = 0x1D, field: UInt8 = 0x1E, part: UInt8 = 0x1F

  /// Which fields tell what their message is about, by hash of their path: to find out takes longer than to remember.
  struct KnownPaths {
    fileprivate var identifies: [UInt64: Bool] = [:]
    fileprivate static let most = 4096
  }

  /// A message in few bytes. Fields that people need not see, and secrets, are left out.
  static func bytes(of message: ProfileMessage, _ paths: inout KnownPaths) -> [UInt8] {
    var bytes: [UInt8] = [Self.message]
    append(message.profile.id.utf8, to: &bytes)
    bytes.append(part)
    append((message.name ?? "").utf8, to: &bytes)
    if !message.isComplete { property("complete", "no", to: &bytes) }
    if message.checksum == .bad { property("checksum", "bad", to: &bytes) }
    var fields = FlatFields(Fields(bytes: bytes, paths: paths))
    paths = KnownPaths()
    message.visitFields(&fields)
    paths = fields.sink.paths
    return fields.sink.bytes
  }

  private static func append(_ text: some Sequence<UInt8>, to bytes: inout [UInt8]) {
    for byte in text { bytes.append((0x1D...0x1F).contains(byte) ? 0x20 : byte) }
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
    /// Most bytes of a message that are kept.
    static let most = 4096

    mutating func field(_ path: [UInt8], _ index: Int?, _ field: FieldContext, _ value: FieldValue) {
      guard !field.isHidden, !field.isSecret, bytes.count < Self.most else { return }
      var text: [UInt8] = []
      var isName = false
      switch value {
      case .null: return
      case .enumeration(let name, let number):
        isName = true
        if name.isEmpty { text.append(decimal: number) } else { text.append(contentsOf: name) }
      case .text(let string): unsafe text.append(contentsOf: string.prefix(256))
      case .bytes(let string): unsafe text.append(hexOf: UnsafeRawBufferPointer(rebasing: string[0..<min(string.count, 128)]))
      default: text.append(json: value)
      }
      bytes.append(MessageRecord.field)
      MessageRecord.append(path, to: &bytes)
      if let index {
        bytes.append(UInt8(ascii: "["))
        bytes.append(decimal: Int64(index))
        bytes.append(UInt8(ascii: "]"))
      }
      bytes.append(MessageRecord.part)
      bytes.append(identifies(path, isName: isName) ? 1 : 0)
      MessageRecord.append(text, to: &bytes)
    }

    private mutating func identifies(_ path: [UInt8], isName: Bool) -> Bool {
      var hash = StepHash()
      hash.add(path.span)
      hash.add(isName ? 1 : 0)
      if let known = paths.identifies[hash.value] { return known }
      let answer = MessageRecord.identifies(path, isName: isName)
      if paths.identifies.count < KnownPaths.most { paths.identifies[hash.value] = answer }
      return answer
    }
  }

  /// Whether a field at the top of a message tells what the message is about, by its name.
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

  /// What stands in the bytes of messages, as numbers.
  enum Piece {
    /// A message begins.
    case message(profile: UInt64, name: UInt64)
    /// A field of it. Fields of messages with other names have other paths.
    case field(path: UInt64, value: UInt64, identifies: Bool)
  }

  /// Tells what stands in the bytes of messages without making texts of it.
  static func visit(_ bytes: borrowing Span<UInt8>, _ body: (Piece) -> Void) {
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
        body(.message(profile: StepHash.of(bytes.extracting(at..<middle)), name: name))
      } else if rest < end {
        var path = StepHash()
        path.add(name)
        path.add(bytes.extracting(at..<middle))
        body(.field(path: path.value, value: StepHash.of(bytes.extracting(rest &+ 1..<end)), identifies: bytes[rest] == 1))
      }
      at = end
    }
  }

  private static func separator(in bytes: borrowing Span<UInt8>, from start: Int) -> Int {
    var at = start
    while at < bytes.count, !(message...part).contains(bytes[at]) { at &+= 1 }
    return at
  }

  /// The path of a field as ``visit(_:_:)`` tells it.
  static func path(_ path: String, of message: String) -> UInt64 {
    var hash = StepHash()
    hash.add(StepHash.of(message.utf8))
    hash.add(bytes: path.utf8)
    return hash.value
  }

  /// The messages that ``bytes(of:_:)`` were made of.
  static func all(_ bytes: ArraySlice<UInt8>) -> [MessageRecord] {
    bytes.split(separator: message).map { one in
      var parts = one.split(separator: field, omittingEmptySubsequences: false)
      let head = parts.removeFirst().split(separator: part, maxSplits: 1, omittingEmptySubsequences: false)
      let fields = parts.compactMap { text -> Field? in
        let halves = text.split(separator: part, maxSplits: 1, omittingEmptySubsequences: false)
        guard halves.count == 2, let first = halves[1].first else { return nil }
        return Field(
          path: String(decoding: halves[0], as: UTF8.self), value: String(decoding: halves[1].dropFirst(), as: UTF8.self),
          identifies: first == 1)
      }
      return MessageRecord(
        profile: String(decoding: head[0], as: UTF8.self), name: head.count > 1 ? String(decoding: head[1], as: UTF8.self) : "",
        fields: fields)
    }
  }
}
