import Bluetooth
import Conversations

/// Lists of advertising data, and what fills the room behind their last structure.
extension FilterRow {
  static let advertising: [FilterRow] = [
    FilterRow("btcommon.eir_ad.advertising_data") { packet, values in
      packet.forEachList { list in if !list.isOfInquiry { unsafe values.append(FilterValue(nil, 0)) } }
    },
    FilterRow("btcommon.eir_ad.unused") { packet, values in
      packet.forEachList { list in if list.hasRest { unsafe values.append(FilterValue(nil, 0)) } }
    },
  ]
}

/// A list of structures of advertising data.
private struct AdvertisingList {
  /// It is an extended inquiry response.
  var isOfInquiry: Bool
  /// Bytes stand behind the last structure.
  var hasRest: Bool
}

extension FilterEvaluator {
  /// Calls `body` for each list of advertising structures.
  fileprivate func forEachList(_ body: (AdvertisingList) -> Void) {
    for row in rows {
      switch row.layer {
      case .hciCommand, .hciEvent, .advertisingPDU: break
      default: continue
      }
      // Commands that set the data of a set in parts have a list also where the part is empty.
      let isPart = row.layer == .hciCommand && [0x2037, 0x2038, 0x203F].contains(row.opcode)
      var visitor = AdvertisingListVisitor(takesEmpty: isPart)
      Dissection.walk(row, &visitor)
      for list in visitor.lists { body(list) }
    }
  }
}

/// Notices lists of advertising data.
private struct AdvertisingListVisitor: FieldVisitor {
  /// Lists without bytes count, too.
  let takesEmpty: Bool
  private(set) var lists: [AdvertisingList] = []
  private var open: [(hasStructures: Bool, end: Int)] = []
  /// What lists without a structure are called.
  private static let names: Set<StaticName> = ["advertising_data", "adv_data", "scan_response_data", "extended_inquiry_response"]

  init(takesEmpty: Bool) { self.takesEmpty = takesEmpty }

  mutating func field(_ field: Field, _ value: FieldValue, at range: Range<Int>, in bytes: RawSpan) {
    if field.name == "type", field.enumeration?.kind == .advertisingTypes, !open.isEmpty { open[open.count - 1].hasStructures = true }
  }
  mutating func beginObject(_ field: Field, at offset: Int) {}
  mutating func endObject(_ field: Field, at range: Range<Int>) { if !open.isEmpty { open[open.count - 1].end = range.upperBound } }
  mutating func beginArray(_ field: Field, at offset: Int) { open.append((false, offset)) }
  mutating func endArray(_ field: Field, at range: Range<Int>) {
    guard let list = open.popLast(), list.hasStructures || Self.names.contains(field.name) && (takesEmpty || !range.isEmpty) else { return }
    lists.append(AdvertisingList(isOfInquiry: field.name == "extended_inquiry_response", hasRest: list.end < range.upperBound))
  }
  mutating func problem(_ problem: FieldProblem) {}
}
