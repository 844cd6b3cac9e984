import ArgumentParser
import Memory
import Profiles
import Output
import Text

/// `btscribe encode`: prints the packets that an app has to write.
struct Encode: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "encode",
    abstract: "Encode a message by a profile: the packets an app would have to write, one line of hexadecimal digits each.",
    discussion: """
      Fields are named as "btscribe decode --format json" names them: id=set_shutter, parameters.mode=1, elements[0].id=2. A value is JSON, or else \
      text; for a field of text or bytes it is text as it stands. Lengths, counts, constants and checksums follow from the rest and need not \
      be given. A computed value may be given, but must then equal the result of its computation.
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }

  @OptionGroup var device: DeviceOptions

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The characteristic or channel, where several carry the message.", valueName: "name"))
  var characteristic: String?

  @Option(help: ArgumentHelp("All fields, as one JSON object.", valueName: "object"))
  var json: String?

  @Option(help: ArgumentHelp("Size of a packet in bytes, if the profile does not define it.", valueName: "bytes"))
  var packetSize: Int?

  @Option(
    help: ArgumentHelp(
      "A value of the profile's state, as earlier messages would have left it. May be given again.", valueName: "name=value"))
  var state: [String] = []

  @Option(
    help: ArgumentHelp(
      "A packet of the request that the message answers, as hexadecimal digits. May be given again, for each of its packets.",
      valueName: "hex"))
  var request: [String] = []

  @Option(help: "How to print.")
  var format = Format.text

  @OptionGroup var results: OutputOptions

  @Argument(help: "The message, by its name in the profile.")
  var message: String

  @Argument(help: ArgumentHelp("Fields.", valueName: "field=value"))
  var fields: [String] = []

  func validate() throws {
    if let packetSize, !(1...65536).contains(packetSize) { throw ValidationError("--packet-size takes a number from 1 to 65536") }
  }

  func run() throws {
    try OutputOptions.spare([device.profile], from: [results.output])
    let (set, profile) = try device.load()
    var values = FieldTree.object([])
    if let json {
      guard let parsed = FieldTree(json: Array(json.utf8)), case .object = parsed else {
        throw CommandError(CommandError.Status.usage, "--json takes one JSON object")
      }
      values = parsed
    }
    for field in fields {
      let (name, value) = try Self.pair(field)
      guard let more = values.setting(name, to: value) else {
        throw CommandError(CommandError.Status.usage, "\"\(CommandError.clean(name))\" conflicts with the fields before it")
      }
      values = more
    }
    let encoder = MessageEncoder(profile, of: set, facts: device.facts)
    encoder.packetSize = packetSize
    for assignment in state {
      let (name, value) = try Self.pair(assignment)
      guard encoder.setState(name, value) else {
        throw CommandError(
          CommandError.Status.usage, "profile \(profile.id) has no state \"\(CommandError.clean(name))\" that can be set so")
      }
    }
    if !request.isEmpty {
      guard let source = characteristic ?? encoder.answering(message),
        encoder.setRequest(try request.map(CommandError.packet), answeredBy: source)
      else {
        throw CommandError(
          CommandError.Status.usage, "the packets of --request make no request that \"\(CommandError.clean(message))\" answers")
      }
    }
    let encoded: EncodedMessage
    do throws(EncodeError) {
      encoded = try encoder.encode(message, values, source: characteristic)
    } catch {
      throw CommandError(CommandError.Status.usage, CommandError.clean(error.description), see: .profiles)
    }
    var out: [UInt8] = []
    if format == .json {
      out.append("{\"characteristic\":")
      out.append(jsonString: encoded.source)
      out.append(",\"direction\":")
      out.append(jsonString: encoded.direction.key)
      out.append(",\"payload\":\"")
      encoded.payload.withBorrowedBytes { out.append(hexOf: $0) }
      out.append("\",\"packets\":[")
      for (index, packet) in encoded.packets.enumerated() {
        out.append(index > 0 ? ",\"" : "\"")
        packet.withBorrowedBytes { out.append(hexOf: $0) }
        out.append("\"")
      }
      out.append("]}\n")
    } else {
      for packet in encoded.packets {
        packet.withBorrowedBytes { out.append(hexOf: $0) }
        out.append("\n")
      }
    }
    try results.print(out)
  }

  /// Name and value of `NAME=VALUE`: JSON, a number written as `0x…`, or text.
  private static func pair(_ text: String) throws -> (String, FieldTree) {
    guard let equal = text.firstIndex(of: "="), equal > text.startIndex else {
      throw CommandError(CommandError.Status.usage, "\"\(CommandError.clean(text))\" is not a field; write NAME=VALUE")
    }
    let value = String(text[text.index(after: equal)...])
    // A text of digits with a leading zero is hex bytes, not a number.
    let isDigits = value.utf8.count > 1 && value.utf8.first == UInt8(ascii: "0") && value.utf8.allSatisfy { (0x30...0x39).contains($0) }
    let name = String(text[..<equal])
    guard !isDigits, let read = FieldTree(json: Array(value.utf8)) ?? hexadecimal(value) else { return (name, .text(value)) }
    switch read {
    case .int, .uint, .double, .bool: return (name, .written(value, read))
    default: return (name, read)
    }
  }

  /// A number written as `0x…`, which is no JSON.
  private static func hexadecimal(_ text: String) -> FieldTree? {
    guard text.hasPrefix("0x"), let number = UInt64(text.dropFirst(2), radix: 16) else { return nil }
    return Int64(exactly: number).map { .int($0) } ?? .uint(number)
  }
}
