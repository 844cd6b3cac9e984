import ArgumentParser
@_spi(Pipeline) import Profiles
import Memory
import Output
import Text

extension CommandError {
  /// Parses the bytes of a packet. Throws ``CommandError`` where the text is none.
  static func packet(_ text: String) throws -> [UInt8] {
    guard let bytes = [UInt8](hex: text) else {
      throw CommandError(Status.usage, "\"\(clean(text))\" is not a packet: give hexadecimal digits, two per byte")
    }
    return bytes
  }
}

/// `btscribe decode`: decodes packets from arguments in the same way as those of a capture.
struct Decode: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "decode",
    abstract: "Decode packets given by hand, by a profile.",
    discussion: """
      One HEX per packet, in the order they came. The exit status is 65 where a message is incomplete, its checksum is wrong, or its body could not \
      be read to its end; what could be decoded is printed anyway.
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }
  enum Way: String, ExpressibleByArgument, CaseIterable { case write, notify, indicate, read, advertise }

  @OptionGroup var device: DeviceOptions

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The characteristic, descriptor, advertisement or channel, by its name or UUID.", valueName: "name"))
  var characteristic: String

  @Option(help: ArgumentHelp("The operation that carried the packets; by default that of answers, if there are two.", valueName: "way"))
  var direction: Way?

  @Option(
    help: ArgumentHelp(
      "A packet of the request that the packets answer, as hexadecimal digits. May be given again, for each of its packets.",
      valueName: "hex"))
  var request: [String] = []

  @Flag(help: "The bytes are a whole message: leave out the layers before the body.")
  var payload = false

  @Option(help: "How to print.")
  var format = Format.text

  @OptionGroup var results: OutputOptions

  @Argument(help: "Packets, as hexadecimal digits.")
  var packets: [String]

  func run() throws {
    try OutputOptions.spare([device.profile], from: [results.output])
    let (set, profile) = try device.load()
    let engine = ProfileEngine(set)
    let link = engine.connect(device.facts)
    let slot = engine.slot(link, profile: profile, source: characteristic)
    guard slot >= 0, let source = engine.source(link, slot: slot)?.source else {
      throw CommandError(
        CommandError.Status.usage,
        "profile \(profile.id) has no characteristic \"\(CommandError.clean(characteristic))\"; it has \(profile.sourceNames.joined(separator: ", "))"
      )
    }
    let valueDirection =
      direction.flatMap { name in ValueDirection.allCases.first { $0.key == name.rawValue } } ?? profile.usualDirection(source)
    guard let valueDirection, profile.carries(source, valueDirection) else {
      throw CommandError(
        CommandError.Status.usage,
        "\"\(CommandError.clean(characteristic))\" carries nothing in direction \(direction?.rawValue ?? "notify")")
    }
    let values = try packets.map(CommandError.packet)
    if !request.isEmpty {
      guard engine.feed(request: try request.map(CommandError.packet), answeredBy: source, of: profile, link) != nil else {
        throw CommandError(
          CommandError.Status.usage,
          "the packets of --request make no request that \"\(CommandError.clean(characteristic))\" answers by the profile's \"answers\"")
      }
    }

    var out: [UInt8] = []
    var count = 0
    var isBad = false
    func take() {
      for message in engine.messages {
        if !message.isComplete || message.checksum == .bad || message.problem != nil { isBad = true }
        if format == .json {
          out.append(count == 0 ? "[" : ",\n ")
          message.appendRow(to: &out)
          append(faults: message.faults, unread: message.unreadRanges.map { [UInt8](message.payload[$0]) }, to: &out)
        } else {
          message.appendText(to: &out)
          for fault in message.faults { out.append("    \(CommandError.clean(fault))\n") }
          for range in message.unreadRanges {
            let hex = String(hexOf: message.payload[range])
            let location =
              range.upperBound == message.payload.count ? "behind the last field" : "at \(range.lowerBound) that no field reads"
            out.append("    \(range.count) byte\(range.count == 1 ? "" : "s") \(location): \(hex)\n")
          }
        }
        count += 1
      }
    }
    var refused: String?
    for (index, value) in values.enumerated() {
      let before = count
      _ = value.withBorrowedBytes { bytes in
        if payload {
          engine.feed(payload: bytes, link, slot, valueDirection, frame: index + 1, time: Int64(index) * 1000)
        } else {
          engine.feed(link, slot, valueDirection, bytes, frame: index + 1, time: Int64(index) * 1000)
        }
      }
      take()
      if count == before, valueDirection == .advertise, payload || !profile.joinsPackets(source, valueDirection) {
        refused =
          refused ?? "packet \(index + 1) is no message: no \"when\" of \"\(CommandError.clean(characteristic))\" holds for its bytes"
      }
    }
    engine.finish()
    take()
    if format == .json { out.append(count == 0 ? "[]\n" : "]\n") }
    try results.print(out)
    if let refused { throw CommandError(CommandError.Status.malformed, refused, see: .profiles) }
    if isBad { throw CommandError(CommandError.Status.malformed, format == .json ? "" : "not all of it could be decoded") }
  }

  /// Appends the problems and unread bytes, for the author of a profile, to a row that was just written.
  private func append(faults: [String], unread: [[UInt8]], to out: inout [UInt8]) {
    guard !faults.isEmpty || !unread.isEmpty, out.last == UInt8(ascii: "}") else { return }
    out.removeLast()
    if !faults.isEmpty {
      out.append(",\"failed\":[")
      for (index, fault) in faults.enumerated() {
        if index > 0 { out.append(",") }
        out.append(jsonString: fault)
      }
      out.append("]")
    }
    if !unread.isEmpty { out.append(",\"unread\":\"\(unread.map { String(hexOf: $0) }.joined(separator: " "))\"") }
    out.append("}")
  }
}
