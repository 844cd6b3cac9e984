import Bluetooth
import Conversations

/// The sentence of a finding, in parts: each output formats names, addresses and durations in its own way. It is written as a string with
/// interpolations: `"answers \(frame: 3) after \(duration: 1200)"`. The label of the finding's attribute precedes it.
public struct FindingSentence: ExpressibleByStringInterpolation {
  /// A part of a sentence.
  public enum Part {
    /// Literal words.
    case words(StaticString)
    /// A user-defined name; outputs escape it.
    case text(String)
    /// A decimal number.
    case number(Int)
    /// Two hexadecimal digits after `0x`.
    case hex(UInt8)
    /// The number of a packet.
    case frame(Int)
    /// A time span in µs.
    case duration(Int64)
    /// A connection parameter in µs, without rounding.
    case interval(Int64)
    /// An attribute, index into ``ConversationTables/attributes``.
    case attribute(Int32)
    /// The name of an error, followed by its code in parentheses.
    case error(UInt8, PacketRow.StatusDomain, showsCode: Bool)
    /// The name of an ATT PDU.
    case pdu(StaticName)
    /// Words followed by the finding's device, if it has an address.
    case device(StaticString)
  }

  /// The parts in order.
  public let parts: [Part]

  /// A sentence without interpolations.
  public init(stringLiteral value: StaticString) { parts = [.words(value)] }

  /// A sentence with interpolations.
  public init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

  /// Collects the parts of a sentence.
  public struct StringInterpolation: StringInterpolationProtocol {
    var parts: [Part] = []

    /// Reserves capacity for the parts.
    public init(literalCapacity: Int, interpolationCount: Int) { parts.reserveCapacity(interpolationCount * 2 + 2) }

    /// Literal words.
    public mutating func appendLiteral(_ literal: StaticString) {
      if literal.utf8CodeUnitCount > 0 { parts.append(.words(literal)) }
    }

    /// Words chosen by a condition.
    public mutating func appendInterpolation(_ words: StaticString) { appendLiteral(words) }

    /// A user-defined name.
    public mutating func appendInterpolation(text: String) { parts.append(.text(text)) }

    /// A decimal number.
    public mutating func appendInterpolation(_ number: Int) { parts.append(.number(number)) }

    /// Two hexadecimal digits after `0x`.
    public mutating func appendInterpolation(hex value: UInt8) { parts.append(.hex(value)) }

    /// The number of a packet.
    public mutating func appendInterpolation(frame: Int) { parts.append(.frame(frame)) }

    /// A time span in µs.
    public mutating func appendInterpolation(duration: Int64) { parts.append(.duration(duration)) }

    /// A connection parameter in µs, without rounding.
    public mutating func appendInterpolation(interval: Int64) { parts.append(.interval(interval)) }

    /// The label of an attribute, by its index.
    public mutating func appendInterpolation(attribute: Int32) { parts.append(.attribute(attribute)) }

    /// A number and its noun: `1 byte`, `2 bytes`.
    public mutating func appendInterpolation(_ number: Int, _ singular: StaticString, _ several: StaticString) {
      parts += [.number(number), .words(" "), .words(number == 1 ? singular : several)]
    }

    /// A number of bytes.
    public mutating func appendInterpolation(bytes: Int) { appendInterpolation(bytes, "byte", "bytes") }

    /// The name of an ATT error, and its code.
    public mutating func appendInterpolation(att error: UInt8, showsCode: Bool = true) {
      parts.append(.error(error, .att, showsCode: showsCode))
    }

    /// The name of an HCI error, and its code.
    public mutating func appendInterpolation(hci error: UInt8) { parts.append(.error(error, .hci, showsCode: true)) }

    /// The name of a reason of Pairing Failed, and its code.
    public mutating func appendInterpolation(smp reason: UInt8) { parts.append(.error(reason, .smp, showsCode: true)) }

    /// The name of an operation of ASCS, or its number.
    public mutating func appendInterpolation(stream opcode: UInt8) {
      if let name = ASCS.Opcode(rawValue: opcode)?.name {
        appendLiteral(name)
      } else {
        appendLiteral("operation ")
        appendInterpolation(hex: opcode)
      }
    }

    /// The name of a Response_Code of ASCS (its number where it is reserved), and in brackets the Reason sent with it.
    public mutating func appendInterpolation(streamCode code: UInt8, _ reason: UInt8) {
      if let name = ASCS.codeName(code) { appendLiteral(name) } else { appendInterpolation(hex: code) }
      guard let name = ASCS.reasonName(reason, of: code) else { return }
      appendLiteral(" (")
      appendLiteral(name)
      appendLiteral(")")
    }

    /// The name of a state of an audio stream endpoint.
    public mutating func appendInterpolation(streamState state: UInt8) {
      appendLiteral(ASCS.State(rawValue: state)?.name ?? "a reserved state")
    }

    /// The side that ended something, and a colon; nothing where it is unknown.
    public mutating func appendInterpolation(ended side: Finding.Side) {
      switch side {
      case .unknown: break
      case .host: appendLiteral("this host ended it: ")
      case .peer: appendLiteral("the peer ended it: ")
      case .central: appendLiteral("the central ended it: ")
      case .peripheral: appendLiteral("the peripheral ended it: ")
      }
    }

    /// The side that did something, after ` by `; nothing where it is unknown.
    public mutating func appendInterpolation(by side: Finding.Side) {
      switch side {
      case .unknown: break
      case .host: appendLiteral(" by this host")
      case .peer: appendLiteral(" by the peer")
      case .central: appendLiteral(" by the central")
      case .peripheral: appendLiteral(" by the peripheral")
      }
    }

    /// The protocol of a PSM, or its number.
    public mutating func appendInterpolation(psm: UInt16) {
      if let known = ProtocolRegistry.onPSM(psm) {
        parts.append(.pdu(known.name))
      } else {
        parts += [.words("PSM "), .hex(UInt8(psm >> 8)), .text((psm & 0xFF < 16 ? "0" : "") + String(psm & 0xFF, radix: 16))]
      }
    }

    /// The name of the result of an L2CAP connection request, and its code.
    public mutating func appendInterpolation(channel result: UInt8, isCreditBased: Bool) {
      parts.append(.error(result, isCreditBased ? .l2capCredit : .l2cap, showsCode: true))
    }

    /// The name of an SMP PDU after words; nothing where it has none.
    public mutating func appendInterpolation(_ words: StaticString, smpPDU opcode: UInt8) {
      guard opcode != 0, let name = SMP.pdus.name(UInt32(opcode)) else { return }
      parts += [.words(words), .pdu(name)]
    }

    /// The name of an ATT PDU; `unknown` where it has none.
    public mutating func appendInterpolation(pdu opcode: UInt8, else unknown: StaticString = "request") {
      parts.append(ATT.pdus.name(UInt32(opcode)).map { .pdu($0) } ?? .words(unknown))
    }

    /// The name of a control PDU of the Link Layer and a space; nothing for other PDUs.
    public mutating func appendInterpolation(control opcode: UInt8?) {
      guard let opcode, let pdu = LinkLayer.control[UInt32(opcode)] else { return }
      parts += [.pdu(pdu.name), .words(" ")]
    }

    /// The rules that the LLData of a connection request violate: each value, and the allowed values.
    public mutating func appendInterpolation(
      rules: [Finding.ConnectionRule], _ hop: UInt8, _ channels: UInt8, _ interval: UInt16, _ latency: UInt16, _ timeout: UInt16
    ) {
      for (index, rule) in rules.enumerated() {
        if index > 0 { parts.append(.words(", ")) }
        switch rule {
        case .hop: parts += [.words("hop "), .number(Int(hop)), .words(" (5 to 16)")]
        case .channels: parts += [.words("channel map with "), .number(Int(channels)), .words(" channels (at least 2)")]
        case .interval: parts += [.words("interval "), .interval(Int64(interval) * 1250), .words(" (7.5 ms to 4 s)")]
        case .latency: parts += [.words("latency "), .number(Int(latency)), .words(" (at most 499)")]
        case .timeout: parts += [.words("timeout "), .interval(Int64(timeout) * 10_000), .words(" (100 ms to 32 s)")]
        }
      }
    }

    /// The device of the finding, after `words`; nothing where it has no address.
    public mutating func appendInterpolation(device words: StaticString) { parts.append(.device(words)) }

    /// A frame after `words`; nothing where there is none.
    public mutating func appendInterpolation(_ words: StaticString, frame: Int?) {
      if let frame { parts += [.words(words), .frame(frame)] }
    }
  }
}
