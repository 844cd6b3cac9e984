import Bluetooth
import Captures
import Conversations
import Analysis

/// A part of a PDU that gives something away.
struct SensitiveField {
  var kind: ExposureKind
  /// The field's name.
  var field: StaticName
  /// Where it lies in the PDU.
  var range: Range<Int>
  /// An address is known to be public; the key is one that resolves private addresses.
  var isPublic = false
  var isIdentityKey = false
  /// It is the rest of a name whose beginning is in another PDU.
  var isTail = false
}

/// Finds the sensitive fields of a PDU: the layouts of `Bluetooth` say where addresses, names and secrets lie.
struct FieldFinder: FieldVisitor {
  var fields: [SensitiveField] = []
  /// Texts called `name` are the kernel's own here (`hci0`).
  var isMonitor = false
  /// Of this PDU, fields called `value` are keys that resolve private addresses.
  var hasIdentityKeys = false

  /// What btscribe does not decode is not sensitive.
  var keepsUnknown = false
  /// Data of the layer are voice.
  private var hasVoice = false
  /// The capture kept less than the packet had.
  var isTruncated = false
  /// Where the open objects start.
  private var objects: [Int] = []
  /// The name of the field that holds what has no layout.
  private var undecoded: StaticName = "parameters"
  /// Bytes without a field are sensitive.
  private var hasUnclaimed = false

  static let names: [StaticName] = [
    "local_name", "remote_name", "name", "short_name", "broadcast_name", "attribute_value", "folder_name", "displayable_name",
    "search_text",
  ]
  static let identityKeys: [StaticName] = ["identity_resolving_key", "peer_irk", "local_irk"]

  mutating func field(_ field: Field, _ value: Bluetooth.FieldValue, at range: Range<Int>, in bytes: RawSpan) {
    if case .address(let address) = value {
      guard range.count == 6, address.kind != .anonymous else { return }
      let isPublic = address.kind == .public || address.kind == .publicIdentity
      fields.append(SensitiveField(kind: .address, field: field.name, range: range, isPublic: isPublic))
    } else if field.isSecret, !range.isEmpty {
      var one = SensitiveField(kind: range.count <= 4 ? .passkey : .key, field: field.name, range: range)
      if case .text = value { one.kind = .pin }
      if field.name == "pin_code" { one.kind = .pin }
      one.isIdentityKey = range.count == 16 && (Self.identityKeys.contains(field.name) || hasIdentityKeys && field.name == "value")
      fields.append(one)
    } else if hasVoice, case .bytes = value, !range.isEmpty {
      fields.append(SensitiveField(kind: .voice, field: field.name, range: range))
    } else if case .text = value, !isMonitor, Self.names.contains(field.name), !range.isEmpty {
      fields.append(SensitiveField(kind: .name, field: field.name, range: range))
    } else if case .bytes = value, hasUnclaimed, field.name == undecoded || field.name == "return_parameters" {
      unclaimed(range, field.name)
    }
  }

  private mutating func unclaimed(_ range: Range<Int>, _ name: StaticName) {
    if !keepsUnknown, !range.isEmpty { fields.append(SensitiveField(kind: .unknown, field: name, range: range)) }
  }

  mutating func beginObject(_ field: Field, at offset: Int) { objects.append(offset) }
  mutating func endObject(_ field: Field, at range: Range<Int>) { _ = objects.popLast() }
  mutating func beginArray(_ field: Field, at offset: Int) {}
  mutating func endArray(_ field: Field, at range: Range<Int>) {}

  mutating func problem(_ problem: FieldProblem) {
    switch problem {
    case .surplus(let range):
      // A single byte gives nothing away; behind advertising data it is the length of a structure that is cut.
      if hasUnclaimed, range.count > 1 { unclaimed(range, "surplus") }
    case .short(let field, let offset, _, let available):
      if !isTruncated, objects.last == offset {
        // An advertising structure that is longer than the data is damaged, and its type means nothing.
        fields.removeAll { $0.kind != .address && $0.range.lowerBound >= offset && $0.range.upperBound <= offset + available }
      } else if hasUnclaimed, field.width == 6 {
        // The beginning of an address that is cut.
        unclaimed(offset..<offset + available, field.name)
      }
    default: break
    }
  }
}

/// Characteristics whose values give something away (Assigned Numbers, 3.8).
enum SensitiveCharacteristic {
  static let broadcastAudioScanControlPoint: UInt16 = 0x2BC7

  /// What the value of a characteristic gives away, and its name; nil where it gives nothing away.
  static func kind(_ uuid: UInt16) -> (kind: ExposureKind, name: StaticName)? {
    switch uuid {
    case 0x2A00: (.name, "Device Name")
    case 0x2A03: (.address, "Reconnection Address")
    case 0x2A23: (.key, "System ID")
    case 0x2A25: (.name, "Serial Number String")
    case 0x2B84: (.key, "Set Identity Resolving Key")
    case 0x2B88: (.key, "Encrypted Data Key Material")
    case 0x2B97: (.name, "Bearer Provider Name")
    case 0x2B93: (.name, "Media Player Name")
    case broadcastAudioScanControlPoint: (.key, "Broadcast Code")
    default: nil
    }
  }
}

extension FieldFinder {
  /// Collects the sensitive fields of a row's PDU; `valueEvents` are those of the batch that belong to it.
  mutating func collect(_ row: PacketRow, _ batch: RowBatch, _ valueEvents: Range<Int>) {
    fields.removeAll(keepingCapacity: true)
    objects.removeAll(keepingCapacity: true)
    isMonitor = row.layer == .monitor
    isTruncated = row.flags.contains(.truncated)
    hasIdentityKeys =
      row.layer == .management
      && (row.subcode == UInt16(PacketKind.controlCommand.rawValue)
        ? row.opcode == Management.loadIdentityResolvingKeys : row.opcode == Management.newIdentityResolvingKey)
    if row.flags.contains(.badCRC), row.layer == .linkLayer {
      damaged(row)
      return
    }
    if row.flags.contains(.badCRC), row.layer == .advertisingPDU {
      damagedAdvertising(row.pdu)
      return
    }
    if row.layer == .opaque || row.layer == .vendor {
      unknown(row, batch)
      return
    }
    hasVoice = row.layer == .hciSCO || row.layer == .hciISO || row.layer == .a2dp
    hasUnclaimed =
      switch row.layer {
      case .hciCommand, .hciEvent, .management, .smp, .att: true
      default: false
      }
    undecoded =
      switch row.layer {
      case .att: "attribute_parameters"
      case .smp: "data"
      case .hciEvent where row.eventCode == .vendorSpecific: "data"
      default: "parameters"
      }
    Dissection.walk(row, &self)
    if row.layer == .att { values(row, batch, valueEvents) }
  }

  /// Packets that are not decoded: all behind a type byte or a header.
  private mutating func unknown(_ row: PacketRow, _ batch: RowBatch) {
    guard !keepsUnknown, unsafe batch.packets.records.indices.contains(Int(row.record)) else { return }
    var start = 0
    if unsafe batch.packets.records[Int(row.record)].kind == .unknownH4 { start = 1 }
    if row.layer == .vendor, row.flags.contains(.hasConnection) { start = HCI.ACLHeader.size }
    if row.pdu.count > start { fields.append(SensitiveField(kind: .unknown, field: "unknown packet", range: start..<row.pdu.count)) }
  }

  /// What a packet with transmission errors carries is unknown: all behind its header is taken for a key.
  private mutating func damaged(_ row: PacketRow) {
    var header = (row.pdu.u8(0) ?? 0) & 0x20 != 0 ? 3 : 2
    // The start of an L2CAP PDU says whose it is: only the Security Manager's carry keys.
    if (row.pdu.u8(0) ?? 0) & 3 == 2 {
      guard row.pdu.u16(header + 2) == 6 else { return }
      header += 5
    }
    if row.pdu.count > header { fields.append(SensitiveField(kind: .key, field: "damaged packet", range: header..<row.pdu.count)) }
  }

  /// An advertising PDU with a wrong CRC: damaged addresses and data still identify a device. Headers, lengths and types stay, so that the
  /// packet is decoded as before.
  private mutating func damagedAdvertising(_ pdu: PDUBytes) {
    func damaged(_ range: Range<Int>) {
      if !range.isEmpty { fields.append(SensitiveField(kind: .unknown, field: "damaged packet", range: range)) }
    }
    let kind = (pdu.u8(0) ?? 0) & 15
    // The extended header begins with its length and its flags.
    let start = min(kind >= 7 ? 4 : 2, pdu.count)
    let data = AdvertisingPayload(pdu).data
    guard let dataStart = pdu.offset(of: data), data.count > 0 else { return damaged(start..<pdu.count) }
    damaged(start..<max(dataStart, start))
    var at = dataStart
    while at < pdu.count, let length = pdu.u8(at), length > 0 {
      // A byte alone tells nothing: flags, a transmit power.
      if length > 2 { damaged(min(at + 2, pdu.count)..<min(at + 1 + Int(length), pdu.count)) }
      at += 1 + Int(length)
    }
    if at < pdu.count { damaged(at..<pdu.count) }
  }

  /// Values of attributes that give something away.
  private mutating func values(_ row: PacketRow, _ batch: RowBatch, _ valueEvents: Range<Int>) {
    let tables = batch.tables
    func sensitive(_ attribute: Int32) -> (uuid: UInt16, kind: ExposureKind, name: StaticName)? {
      guard attribute >= 0, tables.attributes.indices.contains(Int(attribute)),
        let uuid = tables.type(of: tables.attributes[Int(attribute)])?.short16, let (kind, name) = SensitiveCharacteristic.kind(uuid)
      else { return nil }
      return (uuid, kind, name)
    }
    // Read Multiple Variable Response and Multiple Handle Value Notification.
    if row.attOpcode == .readMultipleVariableResponse || row.attOpcode == .multipleHandleValueNotification {
      for event in batch.valueEvents[valueEvents] {
        guard let (_, kind, name) = sensitive(event.attribute), let offset = row.pdu.offset(of: event.bytes) else { continue }
        value(kind, name, offset..<offset + event.bytes.count)
      }
      return
    }
    // Find By Type Value Request: two handles, a type, and the value that is looked for.
    if row.attOpcode == .findByTypeValueRequest, let uuid = row.pdu.u16(5), let (kind, name) = SensitiveCharacteristic.kind(uuid),
      row.pdu.count > 7
    {
      value(kind, name, 7..<row.pdu.count)
      return
    }
    if row.attOpcode == .readByTypeResponse, row.asked >= 0, tables.uuids.indices.contains(Int(row.asked)),
      let uuid = tables.uuids[Int(row.asked)].short16, let (kind, name) = SensitiveCharacteristic.kind(uuid)
    {
      // Read By Type Response: elements of one length, each a handle and a value.
      let length = Int(row.pdu.u8(1) ?? 0)
      var at = 2
      while length > 2, at + 2 < row.pdu.count {
        value(kind, name, at + 2..<min(at + length, row.pdu.count))
        at += length
      }
      return
    }
    guard row.flags.contains(.hasValue), row.valueCount > 0, let (uuid, kind, name) = sensitive(row.attribute) else { return }
    // Set Broadcast_Code: its opcode and a number stand before the code; other operations have none.
    if uuid == SensitiveCharacteristic.broadcastAudioScanControlPoint {
      if row.value.u8(0) == 4, row.valueCount > 2 {
        value(kind, name, Int(row.valueOffset) + 2..<Int(row.valueOffset) + Int(row.valueCount))
      }
      return
    }
    // Read Blob Response, and parts of a prepared write behind the first.
    let isPart = row.attOpcode == .prepareWriteRequest || row.attOpcode == .prepareWriteResponse
    let isTail = row.attOpcode == .readBlobResponse || isPart && row.pdu.u16(3) != 0
    value(kind, name, Int(row.valueOffset)..<Int(row.valueOffset) + Int(row.valueCount), isTail: isTail && kind == .name)
  }

  private mutating func value(_ kind: ExposureKind, _ name: StaticName, _ range: Range<Int>, isTail: Bool = false) {
    if kind == .address, range.count < 6 { return }
    let range = kind == .address ? range.lowerBound..<range.lowerBound + 6 : range
    fields.append(SensitiveField(kind: kind, field: name, range: range, isTail: isTail))
  }
}
