import Analysis
import Bluetooth
import Conversations
import PacketCodecs
import Text

/// Describes a message of AVRCP: the key, the event, and the other fields in a few words.
struct AVRCPText: FieldVisitor {
  /// Type of the command or response (AV/C, 8.2).
  private(set) var type: UInt64 = 0
  /// The event of a notification.
  private(set) var event: StaticName?
  /// It is a key that was pressed or released.
  private(set) var isKey = false
  private let words = TextBuffer(capacity: 64)
  private let style: Style
  private let showsAll: Bool
  private var last = StaticName.empty
  private var isFull = false

  /// Bytes of text after which no field is added.
  private static let longest = 240
  /// Headers, numbers of elements, and what is the same in nearly every message.
  private static let omitted: Set<StaticName> = [
    "invalid_profile", "command_response", "message_packet_type", "transaction_label", "number_of_packets", "profile_identifier", "ctype",
    "subunit_id", "subunit_type", "avc_opcode", "avc_company_id", "avrcp_pdu", "avrcp_packet_type", "avrcp_length",
    "operation_data_length", "avrcp_status", "capability_count", "number_of_settings", "number_of_values", "number_of_attributes",
    "number_of_character_sets", "attribute_count", "item_attribute_count", "character_set", "value_length", "attribute_name_length",
    "value_name_length", "displayable_name_length", "folder_name_length", "search_length", "item_length", "features", "playback_interval",
    "folder_playable", "operands", "unit_info", "unit_id", "extension_code", "page", "page_data", "page_subunit_id",
  ]
  /// Fields that continue the field before them.
  private static let continuing: Set<StaticName> = ["attribute_value", "setting_value", "attribute_name", "value_name", "is_released"]

  /// With `showsAll`, an unknown length or position is printed, too.
  init(_ style: Style, showsAll: Bool = false) {
    self.style = style
    self.showsAll = showsAll
  }

  /// Reads a frame without its AVCTP header. `opcode` is that of its row.
  init(of frame: [UInt8], isResponse: Bool, _ opcode: UInt32, _ style: Style) {
    self.init(style)
    guard !frame.isEmpty else { return }
    let pdu = Self.pdu(frame, isResponse: isResponse)
    var context = PDUContext()
    context.opcode = opcode
    ProtocolID.avrcp.walk(pdu.rawSpan, context, &self)
  }

  /// The frame with an AVCTP header of a single packet with transaction 0.
  fileprivate static func pdu(_ frame: [UInt8], isResponse: Bool) -> [UInt8] { [isResponse ? 2 : 0, 0x11, 0x0E] + frame }

  /// The description without name and event.
  var text: [UInt8] { unsafe Array(words.gathered) }

  mutating func field(_ field: Field, _ value: FieldValue, at range: Range<Int>, in bytes: RawSpan) {
    if case .unsigned(let number) = value {
      if field.name == "ctype" { type = number }
      if field.name == "avc_opcode" { isKey = number == 0x7C }
      if field.name == "event_id" {
        event = field.enumeration?.name(of: number) ?? "unknown event"
        return
      }
    }
    guard !field.isReserved, !isFull, !Self.omitted.contains(field.name) else { return }
    // An answer repeats what was asked.
    if field.name == "capability_id", type > 8 { return }
    if words.count >= Self.longest {
      isFull = true
      return words.text(style.isUnicode ? ", …" : ", ...")
    }
    if isEmpty(field, value) { return }
    let isNext = field.name == last
    last = field.name
    if words.count > 0 { words.text(Self.continuing.contains(field.name) ? " " : ", ") }
    switch value {
    case .bool(let truth) where field.name == "is_released": words.text(truth ? "released" : "pressed")
    case .text: words.value(field, value, bytes, style, limit: 20)
    case .unsigned(let number):
      // An unknown length is printed with its name.
      if let enumeration = field.enumeration, !enumeration.isFlags, enumeration.name != "avrcp-time",
        let name = enumeration.name(of: number)
      {
        return words.name(name)
      }
      fallthrough
    default:
      if !isNext, !Self.continuing.contains(field.name) {
        words.words(field.name)
        words.byte(0x20)
      }
      words.value(field, value, bytes, style, limit: 20)
    }
  }

  /// Whether a field of a response is left out: an unknown length or position (AVRCP 1.6.2, 6.7.1), and the identifier of the selected track in a
  /// response to a request.
  private func isEmpty(_ field: Field, _ value: FieldValue) -> Bool {
    guard !showsAll, event == nil, case .unsigned(let number) = value else { return false }
    return switch field.name {
    case "song_length", "song_position": number == 0xFFFF_FFFF
    case "identifier": number == 0
    default: false
    }
  }

}

extension Operation {
  /// The name of a remote control's command: `Get Play Status`.
  var remoteCommand: StaticName {
    var context = PDUContext()
    context.opcode = lineContext
    let pdu = AVRCPText.pdu(value, isResponse: false)
    return ProtocolID.avrcp.name(of: pdu.rawSpan, context)
  }

  /// The name of a request to a HID device: `Set Report`.
  var requestName: StaticName? {
    guard let (header, _) = reportRequest else { return nil }
    let pdu = [header.type.rawValue << 4 | header.parameter]
    return ProtocolID.hid.name(of: pdu.rawSpan, PDUContext())
  }
}
