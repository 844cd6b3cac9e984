import Bluetooth
import Captures
import Conversations
import Memory

/// AT commands and results of the Hands-Free and the Headset Profile. Wireshark has a field for each parameter, by command and position, with its
/// quotes; a parameter that is not a number has the number 0.
extension FilterRow {
  static let services: [FilterRow] = [
    FilterRow("bthfp.role") { packet, values in packet.roles(.hfp, &values) },
    FilterRow("bthsp.role") { packet, values in packet.roles(.hsp, &values) },
    FilterRow("bthfp.data") { packet, values in packet.streams(.hfp, &values) },
    FilterRow("bthsp.data") { packet, values in packet.streams(.hsp, &values) },
    FilterRow("bthfp.fragment") { packet, values in packet.fragments(.hfp, &values) },
    FilterRow("bthsp.fragment") { packet, values in packet.fragments(.hsp, &values) },
    FilterRow("bthfp.fragmented") { packet, values in packet.unfinished(.hfp, &values) },
    FilterRow("bthsp.fragmented") { packet, values in packet.unfinished(.hsp, &values) },
    FilterRow("bthfp.at_cmd") { packet, values in packet.commands(.hfp, &values) },
    FilterRow("bthsp.at_cmd") { packet, values in packet.commands(.hsp, &values) },
    FilterRow("bthfp.command") { packet, values in packet.forEachLine(.hfp) { _, _ in packet.there(&values) } },
    FilterRow("bthsp.command") { packet, values in packet.forEachLine(.hsp) { _, _ in packet.there(&values) } },
    FilterRow("bthfp.parameters") { packet, values in packet.forEachLine(.hfp) { _, _ in packet.there(&values) } },
    FilterRow("bthsp.parameters") { packet, values in packet.forEachLine(.hsp) { _, _ in packet.there(&values) } },
    FilterRow("bthfp.parameter") { packet, values in packet.otherParameters(.hfp, &values) },
    FilterRow("bthsp.parameter") { packet, values in packet.otherParameters(.hsp, &values) },
    pieces("obex.fragments", { $0.joinedObject }) { _, values in unsafe values.append(FilterValue(nil, 0)) },
    pieces("obex.fragment", { $0.joinedObject }) { for frame in $0.frames { $1.append(FilterValue(Int128(frame))) } },
    pieces("obex.fragment.count", { $0.joinedObject }) { $1.append(FilterValue(Int128($0.frames.count))) },
    pieces("obex.reassembled.length", { $0.joinedObject }) { $1.append(FilterValue(Int128($0.length))) },
    FilterRow("obex.request_in_frame") { $0.answers(.obex, &$1) { $0.requestFrame } },
    FilterRow("obex.response_in_frame") { $0.answers(.obex, &$1) { $0.responseFrame } },
    FilterRow("btavrcp.command_in_frame") { $0.answers(.avrcp, &$1) { $0.requestFrame } },
    FilterRow("btavrcp.response_in_frame") { $0.answers(.avrcp, &$1) { $0.responseFrame } },
    FilterRow("obex.profile") { packet, values in
      if let session = packet.history?.session { values.append(FilterValue(Int128(session.profile))) }
    },
    FilterRow("obex.current_path") { packet, values in
      guard let session = packet.history?.session else { return }
      packet.forEachRow(.obex) { row in if row.opcode & OBEX.part == 0 { packet.append(session.text, &values) } }
    },
    // Bits of features that are reserved for a command or function, one by one.
    FilterRow("btavrcp.feature.reserved") { packet, values in
      let location = FieldLocation(.pdu, .avrcp, names: ["features"])
      var field = FilterField()
      (field.type, field.name) = (.bytes, "features")
      var found: ContiguousArray<FilterValue> = []
      packet.named(location, field, &found)
      for features in found {
        let bytes = features.bytes
        guard bytes.count == 16 else { continue }
        for bit in 69..<128 { values.append(FilterValue(Int128(bytes[bit / 8] >> UInt8(bit % 8) & 1))) }
      }
    },
    FilterRow("btavrcp.response_time") { packet, values in
      packet.forEachRow(.avrcp) { row in if row.requestFrame > 0 { values.append(FilterValue(Int128(row.latency / 1000))) } }
    },
    FilterRow("btavrcp.reassembled") { packet, values in
      packet.forEachRow(.avrcp) { row in if row.opcode & AVRCP.joined != 0 { packet.there(&values) } }
    },
    FilterRow("btsdp.fragment") { packet, values in
      if let part = packet.history?.servicePart, !part.isOfHandles { packet.there(&values) }
    },
    FilterRow("btsdp.partial_attribute_list") { packet, values in
      if let part = packet.history?.servicePart, !part.isOfHandles, !part.isFirst, !part.isLast { packet.there(&values) }
    },
    FilterRow("btsdp.partial_record_handle_list") { packet, values in
      if let part = packet.history?.servicePart, part.isOfHandles, !part.isFirst, !part.isLast { packet.there(&values) }
    },
    FilterRow("btsdp.reassembled_attribute_list") { packet, values in
      packet.forEachRow(.sdp) { row in if SDP.isJoined(row.opcode) { packet.there(&values) } }
    },
    FilterRow("btsdp.wap.network_address") { packet, values in
      packet.forEachAttribute { service, number, value, span, row in
        guard number == 0x306, 0x1113...0x1114 ~= service, value.range.count == 4 else { return }
        let bytes = row.pdu.slice(value.range.lowerBound, 4)
        packet.append(bytes.map { String($0) }.joined(separator: "."), &values)
      }
    },
    element("btsdp.data_element") { _, _, _, _ in .there },
    element("btsdp.data_element.type") { head, _, _, _ in .number(Int(head >> 3)) },
    element("btsdp.data_element.size") { head, _, _, _ in .number(Int(head & 7)) },
    element("btsdp.data_element.var_size") { head, found, _, _ in head & 7 > 4 ? .number(found.range.count) : nil },
    element("btsdp.data_element.value") { _, _, _, _ in .there },
    element("btsdp.data_element.value.nil") { head, _, isOther, _ in isOther && head >> 3 == 0 ? .there : nil },
    element("btsdp.data_element.value.unsigned_int") { head, _, isOther, _ in isOther && head >> 3 == 1 ? .unsigned : nil },
    element("btsdp.data_element.value.signed_int") { head, _, isOther, _ in isOther && head >> 3 == 2 ? .signed : nil },
    element("btsdp.data_element.value.uuid_16") { head, found, _, _ in head >> 3 == 3 && found.range.count == 2 ? .unsigned : nil },
    element("btsdp.data_element.value.uuid_32") { head, found, _, pdu in isUUID(head, found, 4, pdu, assigned: true) ? .unsigned : nil },
    element("btsdp.data_element.value.uuid_128") { head, found, _, pdu in isUUID(head, found, 16, pdu, assigned: true) ? .bytes : nil },
    element("btsdp.data_element.value.custom_uuid") { head, found, _, pdu in
      isUUID(head, found, 4, pdu, assigned: false) || isUUID(head, found, 16, pdu, assigned: false) ? .bytes : nil
    },
    element("btsdp.data_element.value.boolean") { head, _, isOther, _ in isOther && head >> 3 == 5 ? .unsigned : nil },
    element("btsdp.data_element.value.string") { head, _, isOther, _ in isOther && head >> 3 == 4 ? .bytes : nil },
    element("btsdp.data_element.value.url") { head, _, isOther, _ in isOther && head >> 3 == 8 ? .bytes : nil },
    element("btsdp.data_element.value.sequence") { head, _, isOther, _ in isOther && head >> 3 == 6 ? .there : nil },
    element("btsdp.data_element.value.alternative") { head, _, isOther, _ in isOther && head >> 3 == 7 ? .there : nil },
    attribute("btsdp.hdp.supported_features_data", 0x200, 0x1400...0x1402, -1),
    attribute("btsdp.hdp.supported_features_data.mdep_id", 0x200, 0x1400...0x1402, 0, label: true),
    attribute("btsdp.hdp.supported_features_data.mdep_data_type", 0x200, 0x1400...0x1402, 1, label: true),
    attribute("btsdp.hdp.supported_features_data.mdep_role", 0x200, 0x1400...0x1402, 2, label: true),
    attribute("btsdp.hdp.supported_features_data.mdep_description", 0x200, 0x1400...0x1402, 3, label: true),
    attribute("btsdp.hdp.supported_features.mdep_id", 0x200, 0x1400...0x1402, 0),
    attribute("btsdp.hdp.supported_features.mdep_data_type", 0x200, 0x1400...0x1402, 1),
    attribute("btsdp.hdp.supported_features.mdep_role", 0x200, 0x1400...0x1402, 2),
    attribute("btsdp.hdp.supported_features.mdep_description", 0x200, 0x1400...0x1402, 3),
    attribute("btsdp.service.hid.descriptor_list.descriptor_data", 0x206, 0x1124...0x1124, -1),
    attribute("btsdp.service.hid.descriptor.type", 0x206, 0x1124...0x1124, 0),
    attribute("btsdp.service.hid.descriptor_list.descriptor", 0x206, 0x1124...0x1124, 1),
    attribute("btsdp.service.hid.lang", 0x207, 0x1124...0x1124, -1), attribute("btsdp.lang.id", 0x207, 0x1124...0x1124, 0),
    parameter("bthfp.vgs", [0x010: 0, 0x110: 0]), parameter("bthfp.vgm", [0x011: 0, 0x111: 0]), parameter("bthfp.nrec", [0x012: 0]),
    parameter("bthsp.vgs", [0x010: 0, 0x110: 0], .hsp), parameter("bthsp.vgm", [0x011: 0, 0x111: 0], .hsp),
    parameter("bthsp.ckpd", [0x020: 0], .hsp),
    parameter("bthfp.bvra.vrect", [0x013: 0, 0x113: 0]), parameter("bthfp.bsir", [0x114: 0]),
    parameter("bthfp.btrh", [0x015: 0, 0x115: 0]),
    parameter("bthfp.cmer.mode", [0x006: 0]), parameter("bthfp.cmer.keyp", [0x006: 1]), parameter("bthfp.cmer.disp", [0x006: 2]),
    parameter("bthfp.cmer.ind", [0x006: 3]), parameter("bthfp.cmer.bfr", [0x006: 4]),
    parameter("bthfp.bac.codec", [0x002: -1]), parameter("bthfp.bcs.codec", [0x004: 0, 0x104: 0]),
    parameter("bthfp.binp.request", [0x016: 0]), text("bthfp.binp.response", [0x116: 0]), parameter("bthfp.cme_error", [0x10F: 0]),
    parameter("bthfp.cmee", [0x00E: 0]), digit("bthfp.chld.mode_value", [0x008: 0]),
    text("bthfp.chld.supported_modes", [0x008: 1, 0x108: 0]),
    parameter("bthfp.ciev.indicator_index", [0x107: 0]), text("bthfp.vts.dtmf", [0x019: 0]), parameter("bthfp.vts.duration", [0x019: 1]),
    parameter("bthfp.cops.mode", [0x00C: 0, 0x10C: 0]), parameter("bthfp.cops.format", [0x00C: 1, 0x10C: 1]),
    text("bthfp.cops.operator", [0x00C: 2, 0x10C: 2]), parameter("bthfp.cops.act", [0x00C: 3, 0x10C: 3]),
    parameter("bthfp.clip.mode", [0x009: 0]), parameter("bthfp.clip.status", [0x009: 1]),
    text("bthfp.at.number", [0x109: 0, 0x10A: 0, 0x10B: 5, 0x10D: 1]),
    parameter("bthfp.at.type", [0x109: 1, 0x10A: 1, 0x10B: 6, 0x10D: 2]),
    text("bthfp.at.subaddress", [0x109: 2, 0x10A: 5]), parameter("bthfp.at.subaddress_type", [0x109: 3, 0x10A: 6]),
    text("bthfp.at.alpha", [0x109: 4, 0x10A: 3, 0x10B: 7]), parameter("bthfp.at.cli_validity", [0x109: 5, 0x10A: 4, 0x10B: 9]),
    parameter("bthfp.at.priority", [0x10A: 7, 0x10B: 8]),
    parameter("bthfp.cnum.speed", [0x10D: 3]), parameter("bthfp.cnum.service", [0x10D: 4]), parameter("bthfp.cnum.itc", [0x10D: 5]),
    parameter("bthfp.clcc.id", [0x10B: 0]), parameter("bthfp.clcc.dir", [0x10B: 1]), parameter("bthfp.clcc.stat", [0x10B: 2]),
    parameter("bthfp.clcc.mode", [0x10B: 3]), parameter("bthfp.clcc.mpty", [0x10B: 4]),
    parameter("bthfp.ccwa.presentation_status", [0x00A: 0]), parameter("bthfp.ccwa.mode", [0x00A: 1]),
    parameter("bthfp.ccwa.class", [0x00A: 2, 0x10A: 2]),
    parameter("bthfp.biev.assigned_number", [0x01C: 0]), parameter("bthfp.biev.value", [0x01C: 1]),
    parameter("bthfp.bind.parameter", [0x01B: -1, 0x11B: -1]),
    parameter("bthfp.bia.indicator.1", [0x01A: 0]), parameter("bthfp.bia.indicator.2", [0x01A: 1]),
    parameter("bthfp.bia.indicator.3", [0x01A: 2]), parameter("bthfp.bia.indicator.4", [0x01A: 3]),
    parameter("bthfp.bia.indicator.5", [0x01A: 4]), parameter("bthfp.bia.indicator.6", [0x01A: 5]),
    parameter("bthfp.bia.indicator.7", [0x01A: 6]), parameter("bthfp.bia.indicator.8", [0x01A: 7]),
    parameter("bthfp.bia.indicator.9", [0x01A: 8]), parameter("bthfp.bia.indicator.10", [0x01A: 9]),
    indicator("bthfp.indicator.1", 0), indicator("bthfp.indicator.2", 1), indicator("bthfp.indicator.3", 2),
    indicator("bthfp.indicator.4", 3), indicator("bthfp.indicator.5", 4), indicator("bthfp.indicator.6", 5),
    indicator("bthfp.indicator.7", 6), indicator("bthfp.indicator.8", 7), indicator("bthfp.indicator.9", 8),
    indicator("bthfp.indicator.10", 9),
    indicator("bthfp.indicator.11", 10),
    indicator("bthfp.indicator.12", 11),
    indicator("bthfp.indicator.13", 12),
    indicator("bthfp.indicator.14", 13),
    indicator("bthfp.indicator.15", 14),
    indicator("bthfp.indicator.16", 15),
    indicator("bthfp.indicator.17", 16),
    indicator("bthfp.indicator.18", 17),
    indicator("bthfp.indicator.19", 18),
    indicator("bthfp.indicator.20", 19),
    parameter("bthfp.bia.indicator.11", [0x01A: 10]),
    parameter("bthfp.bia.indicator.12", [0x01A: 11]),
    parameter("bthfp.bia.indicator.13", [0x01A: 12]),
    parameter("bthfp.bia.indicator.14", [0x01A: 13]),
    parameter("bthfp.bia.indicator.15", [0x01A: 14]),
    parameter("bthfp.bia.indicator.16", [0x01A: 15]),
    parameter("bthfp.bia.indicator.17", [0x01A: 16]),
    parameter("bthfp.bia.indicator.18", [0x01A: 17]),
    parameter("bthfp.bia.indicator.19", [0x01A: 18]),
    parameter("bthfp.bia.indicator.20", [0x01A: 19]),
    parameter("bthfp.aplefm.state", [0x033: 0]), parameter("bthfp.aplsiri.state", [0x132: 0]),
    parameter("bthfp.iphoneaccev.count", [0x031: 0]), pair("bthfp.iphoneaccev.key", 1), pair("bthfp.iphoneaccev.value", 0),
    text("bthfp.xapl.accessory_info", [0x030: 0]), part("bthfp.xapl.accessory_info.vendor_id", 0),
    part("bthfp.xapl.accessory_info.product_id", 1), part("bthfp.xapl.accessory_info.version", 2),
    text("bthfp.xapl.host_info", [0x130: 0]), parameter("bthfp.xapl.features", [0x030: 1, 0x130: 1]),
  ]

  /// A number by the codes of its commands and its index in each; -1 means all indices.
  private static func parameter(_ line: StaticString, _ positions: [UInt32: Int], _ layer: ProtocolID = .hfp) -> FilterRow {
    FilterRow(line) { packet, values in
      packet.forEachParameter(layer, positions) { part, _ in values.append(FilterValue(Int128(part.leadingNumber))) }
    }
  }

  /// The part of an SDP data element that a field shows.
  private enum ElementPart {
    case there, unsigned, signed, bytes
    case number(Int)

    var isSigned: Bool { if case .signed = self { true } else { false } }
  }

  /// A field of SDP's data elements (Core, Vol 3, Part B, 3). `part` gets the element's header byte, the element, whether it is the value of an
  /// attribute without a name, and the PDU; it returns the value of the field.
  private static func element(_ line: StaticString, _ part: @escaping @Sendable (UInt8, SDP.Element, Bool, RawSpan) -> ElementPart?)
    -> FilterRow
  {
    FilterRow(line) { packet, values in
      packet.forEachElement { head, element, isOther, span, row in
        guard let part = part(head, element, isOther, span) else { return }
        let bytes = row.pdu.slice(element.range.lowerBound, element.range.count)
        switch part {
        case .there: packet.there(&values)
        case .number(let number): values.append(FilterValue(Int128(number)))
        case .bytes: values.append(FilterValue(bytes))
        case .unsigned, .signed:
          guard let number = packet.integer(bytes, 0, bytes.count, isBigEndian: true) else { return }
          values.append(FilterValue(part.isSigned ? FilterEvaluator.signed(number, bytes.count) : Int128(number)))
        }
      }
    }
  }

  /// Whether the element is a UUID of `count` bytes; with `assigned` its value is one of 16 bits, else it is not.
  private static func isUUID(_ head: UInt8, _ element: SDP.Element, _ count: Int, _ pdu: RawSpan, assigned: Bool) -> Bool {
    head >> 3 == 3 && element.range.count == count && (element.uuid(pdu)?.short16 != nil) == assigned
  }

  /// Parts of an attribute that is a list of lists: the element at an index in each; -1 for the lists themselves.
  private static func attribute(
    _ line: StaticString, _ number: Int, _ services: ClosedRange<UInt16>, _ position: Int, label: Bool = false
  ) -> FilterRow {
    FilterRow(line) { packet, values in
      packet.forEachAttribute { service, which, value, span, row in
        guard which == number, services.contains(service) else { return }
        for element in value.elements(span) where element.isSequence {
          let parts = element.elements(span)
          if position < 0 { packet.there(&values) }
          guard parts.indices.contains(position) else { continue }
          if label {
            packet.there(&values)
          } else if let number = parts[position].integer(span) {
            values.append(FilterValue(Int128(number)))
          } else {
            let bytes = row.pdu.slice(parts[position].range.lowerBound, parts[position].range.count)
            values.append(FilterValue(bytes))
          }
        }
      }
    }
  }

  /// The first digit of a parameter.
  private static func digit(_ line: StaticString, _ positions: [UInt32: Int]) -> FilterRow {
    FilterRow(line) { packet, values in
      packet.forEachParameter(.hfp, positions) { part, _ in values.append(FilterValue(Int128(part.slice(0, 1).leadingNumber))) }
    }
  }

  /// A text by the codes of its commands and its index in each.
  private static func text(_ line: StaticString, _ positions: [UInt32: Int]) -> FilterRow {
    FilterRow(line) { packet, values in packet.forEachParameter(.hfp, positions) { part, _ in packet.append(part, &values) } }
  }

  /// The value of an indicator of the phone, or the phone's report of it.
  private static func indicator(_ line: StaticString, _ position: Int) -> FilterRow {
    FilterRow(line) { packet, values in
      packet.forEachParameter(.hfp, [0x105: position]) { part, _ in packet.append(part, &values) }
      packet.forEachLine(.hfp) { row, line in
        guard line.code == 0x107 else { return }
        let parts = row.parameters(of: line)
        if parts.count > 1, parts[0].leadingNumber == position + 1 { packet.append(parts[1], &values) }
      }
    }
  }

  /// Keys (odd indices) or values of Apple's battery report.
  private static func pair(_ line: StaticString, _ parity: Int) -> FilterRow {
    FilterRow(line) { packet, values in
      packet.forEachParameter(.hfp, [0x031: -1]) { part, position in
        if position > 0, position & 1 == parity { values.append(FilterValue(Int128(part.leadingNumber))) }
      }
    }
  }

  /// A part of `VVVV-PPPP-RRRR`.
  private static func part(_ line: StaticString, _ offset: Int) -> FilterRow {
    FilterRow(line) { packet, values in
      packet.forEachParameter(.hfp, [0x030: 0]) { part, _ in
        if let number = part.hexNumber(from: offset * 5) { values.append(FilterValue(Int128(number))) }
      }
    }
  }
}

extension FilterEvaluator {
  /// Adds the presence of a field that has no value.
  fileprivate func there(_ values: inout ContiguousArray<FilterValue>) { unsafe values.append(FilterValue(nil, 0)) }

  /// Calls `body` for the rows of a profile.
  fileprivate func forEachRow(_ layer: ProtocolID, _ body: (PacketRow) -> Void) {
    for row in rows where row.layer == layer && !row.isUnknownToWireshark(layer) { body(row) }
  }

  /// Calls `body` for the adjacent data elements in an SDP PDU, with the offset at which its lists begin.
  private func forEachList(_ body: (RawSpan, Int, Int, PacketRow) -> Void) {
    forEachRow(.sdp) { row in
      let span = row.pdu.span
      if SDP.isJoined(row.opcode) { return body(span, 0, 1, row) }
      guard row.opcode & SDP.lastPart == 0, let code = row.pdu.u8(0) else { return }
      switch SDP.PDUIdentifier(rawValue: code) {
      case .serviceSearchRequest: body(span, 5, 1, row)
      case .serviceSearchAttributeRequest: body(span, 5, 2, row)
      case .serviceAttributeRequest: body(span, 11, 1, row)
      case .serviceAttributeResponse, .serviceSearchAttributeResponse:
        // A fragment of a response is not a list.
        guard let count = row.pdu.u16be(5), row.pdu.u8(7 + Int(count)) == 0 else { return }
        body(span, 7, 1, row)
      default: break
      }
    }
  }

  /// Calls `body` for all data elements of SDP PDUs, with the header byte, and whether the value is of an attribute without a name.
  fileprivate func forEachElement(_ body: (UInt8, SDP.Element, Bool, RawSpan, PacketRow) -> Void) {
    forEachList { span, start, lists, row in
      var names = OtherElements()
      Dissection.walk(row, &names)
      func go(_ at: Int, _ limit: Range<Int>, _ depth: Int) -> Int? {
        guard let head = row.pdu.u8(at), let element = SDP.Element(span, at, in: limit) else { return nil }
        body(head, element, names.starts.contains(element.isSequence ? at : element.range.lowerBound), span, row)
        if element.isSequence, depth < 16 {
          var inner = element.range.lowerBound
          while inner < element.range.upperBound, let next = go(inner, element.range, depth + 1) { inner = next }
        }
        return element.range.upperBound
      }
      var at = start
      for list in 0..<lists {
        // The maximum byte count is between the search pattern and the attribute list.
        guard let next = go(list == 0 ? at : at + 2, 0..<row.pdu.count, 0) else { return }
        at = next
      }
    }
  }

  /// Calls `body` for the attributes of SDP records: service class, attribute ID, value.
  func forEachAttribute(_ body: (UInt16, Int, SDP.Element, RawSpan, PacketRow) -> Void) {
    forEachList { span, start, _, row in
      guard start == 0 || start == 7, let whole = SDP.Element(span, start, in: 0..<row.pdu.count) else { return }
      let isSingle = (row.pdu.u8(0) == 5 && start == 7) || (start == 0 && row.opcode & 0xFF == 5)
      for list in isSingle ? [whole] : whole.elements(span) {
        let parts = list.elements(span)
        var service: UInt16 = 0
        for index in stride(from: 0, to: parts.count - 1, by: 2) where parts[index].integer(span) == 1 {
          service = parts[index + 1].elements(span).first?.uuid(span)?.short16 ?? 0
        }
        for index in stride(from: 0, to: parts.count - 1, by: 2) {
          if let number = parts[index].integer(span) { body(service, number, parts[index + 1], span, row) }
        }
      }
    }
  }

  /// Calls `body` for each line of the rows of a profile.
  fileprivate func forEachLine(_ layer: ProtocolID, _ body: (PacketRow, HFP.Line) -> Void) {
    forEachRow(layer) { row in
      guard row.opcode & HFP.part == 0 else { return }
      let span = row.pdu.span
      var lines = HFP.Lines(RFCOMM.information(of: span, isJoined: row.opcode & RFCOMM.joined != 0))
      while let line = lines.next(span) { body(row, line) }
    }
  }

  /// Calls `body` for the parameters at the given indices of commands and results, with their index.
  fileprivate func forEachParameter(_ layer: ProtocolID, _ positions: [UInt32: Int], _ body: (PDUBytes, Int) -> Void) {
    forEachLine(layer) { row, line in
      guard let code = line.code, let wanted = positions[code], line.isUsual else { return }
      for (index, part) in row.parameters(of: line).enumerated() where wanted < 0 || wanted == index { body(part, index) }
    }
  }

  fileprivate func roles(_ layer: ProtocolID, _ values: inout ContiguousArray<FilterValue>) {
    forEachRow(layer) { row in
      guard row.detail >= 0, case let service = batch.tables.services[Int(row.detail)], service.uuid >= 0,
        let uuid = batch.tables.uuids[Int(service.uuid)].short16
      else { return }
      // The SDP record describes the side that offers the service. Of the two roles, gateway and hands-free, the other side has the other.
      let isGateway = (uuid == 0x111F || uuid == 0x1112) != (row.direction.isFromHost != service.isLocal)
      values.append(FilterValue(isGateway ? 1 : 2))
    }
  }

  fileprivate func streams(_ layer: ProtocolID, _ values: inout ContiguousArray<FilterValue>) {
    forEachRow(layer) { row in
      if row.opcode & HFP.part == 0, let (_, data) = row.channelData { append(data, &values) }
    }
  }

  /// The frame's part of lines that came in several frames.
  fileprivate func fragments(_ layer: ProtocolID, _ values: inout ContiguousArray<FilterValue>) {
    forEachRow(layer) { row in
      guard row.opcode & (HFP.part | RFCOMM.joined) != 0, let (_, data) = row.channelData else { return }
      guard row.opcode & RFCOMM.joined != 0 else { return append(data, &values) }
      // A row with lines joined from several RFCOMM frames has the last frame's header: its length gives the number of bytes that this frame carried.
      guard let frame = RFCOMM.Frame(row.pdu.span), frame.length <= data.count else { return }
      append(data.from(data.count - frame.length), &values)
    }
  }

  fileprivate func unfinished(_ layer: ProtocolID, _ values: inout ContiguousArray<FilterValue>) {
    forEachRow(layer) { row in if row.opcode & HFP.part != 0 { there(&values) } }
  }

  /// Names of commands and results, in upper case.
  fileprivate func commands(_ layer: ProtocolID, _ values: inout ContiguousArray<FilterValue>) {
    forEachLine(layer) { row, line in
      let name = row.pdu.slice(line.name.lowerBound, line.name.count)
      values.append(scratch.turned(FilterValue(name), toUpper: true))
    }
  }

  /// Parameters of commands that the profile does not define.
  fileprivate func otherParameters(_ layer: ProtocolID, _ values: inout ContiguousArray<FilterValue>) {
    forEachLine(layer) { row, line in
      guard line.code.map({ !HFP.has($0, layer) }) ?? true else { return }
      for part in row.parameters(of: line) { append(part, &values) }
    }
  }
}

extension HFP {
  /// The code belongs to a command or a result of the profile: for the Headset Profile volumes and the button, which is no command of the Hands-Free
  /// Profile.
  fileprivate static func has(_ code: UInt32, _ layer: ProtocolID) -> Bool {
    switch code & 0xFF {
    case 0xE0...: true
    case 0x10, 0x11: true
    case 0x20: layer == .hsp
    case ..<0x40: layer == .hfp
    default: false
    }
  }
}

extension HFP.Line {
  /// Its separator is the one that the profile defines: `=` for a command, `:` for a result (Apple's response has `=`).
  fileprivate var isUsual: Bool { isCommand ? type == .set : type == (code == 0x130 ? .set : .result) }
}

extension PacketRow {
  /// The parameters of a line, with quotes.
  fileprivate func parameters(of line: HFP.Line) -> [PDUBytes] {
    let span = pdu.span
    var parameters = HFP.Parameters(line.parameters)
    var found: [PDUBytes] = []
    while found.count < 64, let parameter = parameters.next(span) {
      found.append(pdu.slice(parameter.whole.lowerBound, parameter.whole.count))
    }
    return found
  }
}

extension PDUBytes {
  /// The number at the start of a text; 0 if there is none.
  fileprivate var leadingNumber: UInt32 {
    var value: UInt32 = 0
    var at = 0
    while at < 10, let byte = u8(at), byte >= 0x30, byte <= 0x39 {
      value = value &* 10 &+ UInt32(byte - 0x30)
      at += 1
    }
    return value
  }

  /// Four hexadecimal digits at an offset as a number.
  fileprivate func hexNumber(from offset: Int) -> UInt32? {
    guard count >= offset + 4 else { return nil }
    return UInt32(String(decoding: slice(offset, 4), as: UTF8.self), radix: 16)
  }
}

/// Offsets of the values of attributes without a name; for lists, of the lists themselves.
private struct OtherElements: FieldVisitor {
  var starts: Set<Int> = []

  mutating func field(_ field: Field, _ value: FieldValue, at range: Range<Int>, in bytes: RawSpan) {
    if field.name == "value" { starts.insert(range.lowerBound) }
  }
  mutating func beginArray(_ field: Field, at offset: Int) { if field.name == "value" { starts.insert(offset) } }
}
