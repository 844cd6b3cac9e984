import Bluetooth
import Conversations
import Memory

/// Lists of advertising data structures, and the padding after the last structure.
extension FilterRow {
  static let advertising: [FilterRow] = [
    FilterRow("btcommon.eir_ad.advertising_data") { packet, values in
      packet.forEachList { list in if !list.isOfInquiry { unsafe values.append(FilterValue(nil, 0)) } }
    },
    FilterRow("btcommon.eir_ad.unused") { packet, values in
      packet.forEachList { list in if list.hasRest { unsafe values.append(FilterValue(nil, 0)) } }
    },
    FilterRow("btcommon.eir_ad.entry.biginfo.big_control_access_address") { packet, values in
      packet.forEachGroup { seed, _ in values.append(FilterValue(Int128(LinkLayer.accessAddress(seed: seed, stream: 0)))) }
    },
    FilterRow("btcommon.eir_ad.entry.biginfo.bis_access_address") { packet, values in
      packet.forEachGroup { seed, count in
        for stream in 0..<count { values.append(FilterValue(Int128(LinkLayer.accessAddress(seed: seed, stream: stream + 1)))) }
      }
    },
  ]

  /// BIGInfo: the description of a broadcast group in a periodic advertisement.
  fileprivate static let bigInfo: FieldLocation = {
    var location = FieldLocation()
    (location.kind, location.source, location.codes) = (.part, .advertisingData, FilterFields.immortal([0x2C]))
    return location
  }()
}

/// A list of structures of advertising data.
private struct AdvertisingList {
  /// It is an extended inquiry response.
  var isOfInquiry: Bool
  /// Bytes follow the last structure.
  var hasRest: Bool
}

extension FilterEvaluator {
  /// Calls `body` for each broadcast group that is announced, with the seed of its access addresses and its number of streams.
  fileprivate func forEachGroup(_ body: (UInt32, UInt32) -> Void) {
    for row in rows where row.layer.carriesAdvertising {
      var visitor = FilterPartVisitor(location: FilterRow.bigInfo, pdu: row.pdu)
      Dissection.walk(row, &visitor)
      for part in visitor.parts {
        if let first = part.u32(0), let seed = part.u32(13) { body(seed, first >> 27) }
      }
    }
  }

  /// Calls `body` for each list of advertising structures.
  fileprivate func forEachList(_ body: (AdvertisingList) -> Void) {
    for row in rows where row.layer.carriesAdvertising {
      // Commands that set advertising data in fragments have a list also if the fragment is empty.
      let isPart = row.layer == .hciCommand && [0x2037, 0x2038, 0x203F].contains(row.opcode)
      var visitor = AdvertisingListVisitor(takesEmpty: isPart)
      Dissection.walk(row, &visitor)
      for list in visitor.lists { body(list) }
    }
  }
}

/// Collects lists of advertising data structures.
private struct AdvertisingListVisitor: FieldVisitor {
  /// Lists without bytes count, too.
  let takesEmpty: Bool
  private(set) var lists: [AdvertisingList] = []
  private var open: [(hasStructures: Bool, end: Int)] = []
  /// Names of the layout fields of lists without a structure.
  private static let names: Set<StaticName> = ["advertising_data", "adv_data", "scan_response_data", "extended_inquiry_response"]

  init(takesEmpty: Bool) { self.takesEmpty = takesEmpty }

  mutating func field(_ field: Field, _ value: FieldValue, at range: Range<Int>, in bytes: RawSpan) {
    if field.name == "type", field.enumeration?.kind == .advertisingTypes, !open.isEmpty { open[open.count - 1].hasStructures = true }
  }
  mutating func endObject(_ field: Field, at range: Range<Int>) { if !open.isEmpty { open[open.count - 1].end = range.upperBound } }
  mutating func beginArray(_ field: Field, at offset: Int) { open.append((false, offset)) }
  mutating func endArray(_ field: Field, at range: Range<Int>) {
    guard let list = open.popLast(), list.hasStructures || Self.names.contains(field.name) && (takesEmpty || !range.isEmpty) else { return }
    lists.append(AdvertisingList(isOfInquiry: field.name == "extended_inquiry_response", hasRest: list.end < range.upperBound))
  }
}
