import Bluetooth
import Captures
import Conversations
import Timeline

/// A part of a PDU that gives something away.
struct Find {
  var kind: ExposureKind
  /// The field's name.
  var field: StaticName
  /// Where it lies in the PDU.
  var range: Range<Int>
  /// An address is known to be public; the key is one that resolves private addresses.
  var isPublic = false
  var isIdentityKey = false
  /// It is the rest of a name whose beginning travelled in another PDU.
  var isTail = false
}

/// Finds what the fields of a PDU give away: the layouts of `Bluetooth` say where addresses, names and secrets lie.
struct FieldFinder: FieldVisitor {
  var finds: [Find] = []
  /// Texts called `name` are the kernel's own here (`hci0`).
  var isMonitor = false
  /// Of this PDU, fields called `value` are keys that resolve private addresses.
  var hasIdentityKeys = false

  /// What btscribe does not take apart stays.
  var keepsUnknown = false
  /// Data are what was said.
  private var hasVoice = false
  /// The capture kept less than the packet had.
  var isTruncated = false
  /// Where the objects at hand start.
  private var objects: [Int] = []
  /// Fields of this name hold what has no layout.
  private var unread: StaticName = "parameters"
  /// Bytes that no field claims are nobody's.
  private var hasUnclaimed = false

  static let names: [StaticName] = ["local_name", "remote_name", "name", "short_name", "broadcast_name"]
  static let identityKeys: [StaticName] = ["identity_resolving_key", "peer_irk", "local_irk"]

  mutating func field(_ field: Field, _ value: Bluetooth.FieldValue, at range: Range<Int>, in bytes: RawSpan) {
    if case .address(let address) = value {
      guard range.count == 6, address.kind != .anonymous else { return }
      let isPublic = address.kind == .public || address.kind == .publicIdentity
      finds.append(Find(kind: .address, field: field.name, range: range, isPublic: isPublic))
    } else if field.isSecret, !range.isEmpty {
      var find = Find(kind: range.count <= 4 ? .passkey : .key, field: field.name, range: range)
      if case .text = value { find.kind = .pin }
      if field.name == "pin_code" { find.kind = .pin }
      find.isIdentityKey = range.count == 16 && (Self.identityKeys.contains(field.name) || hasIdentityKeys && field.name == "value")
      finds.append(find)
    } else if hasVoice, case .bytes = value, !range.isEmpty {
      finds.append(Find(kind: .voice, field: field.name, range: range))
    } else if case .text = value, !isMonitor, Self.names.contains(field.name), !range.isEmpty {
      finds.append(Find(kind: .name, field: field.name, range: range))
    } else if case .bytes = value, hasUnclaimed, field.name == unread || field.name == "return_parameters" {
      unclaimed(range, field.name)
    }
  }

  private mutating func unclaimed(_ range: Range<Int>, _ name: StaticName) {
    if !keepsUnknown, !range.isEmpty { finds.append(Find(kind: .unknown, field: name, range: range)) }
  }

  mutating func beginObject(_ field: Field, at offset: Int) { objects.append(offset) }
  mutating func endObject(_ field: Field, at range: Range<Int>) { _ = objects.popLast() }
  mutating func beginArray(_ field: Field, at offset: Int) {}
  mutating func endArray(_ field: Field, at range: Range<Int>) {}

  mutating func problem(_ problem: FieldProblem) {
    switch problem {
    case .surplus(let range):
      // A byte alone tells nothing; behind advertising data it is the length of a structure that is cut.
      if hasUnclaimed, range.count > 1 { unclaimed(range, "surplus") }
    case .short(let field, let offset, _, let available):
      if !isTruncated, objects.last == offset {
        // An advertising structure that is longer than the data it stands in is none: its type says nothing.
        finds.removeAll { $0.kind != .address && $0.range.lowerBound >= offset && $0.range.upperBound <= offset + available }
      } else if hasUnclaimed, field.width == 6 {
        // The beginning of an address that is cut.
        unclaimed(offset..<offset + available, field.name)
      }
    default: break
    }
  }
}

/// Characteristics whose values give something away (Assigned Numbers, 3.8).
enum TellingCharacteristic {
  static let broadcastAudioScanControlPoint: UInt16 = 0x2BC7

  /// What the value of a characteristic is, and what it is called; nil where it tells nothing.
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
  /// Looks through a row's PDU; `feeds` are those of the batch that came with it.
  mutating func look(_ row: PacketRow, _ batch: RowBatch, _ feeds: Range<Int>) {
    finds.removeAll(keepingCapacity: true)
    objects.removeAll(keepingCapacity: true)
    isMonitor = row.layer == .monitor
    isTruncated = row.flags.contains(.truncated)
    hasIdentityKeys =
      row.layer == .management
      && (row.subcode == UInt16(PacketKind.controlCommand.rawValue) ? row.opcode == 0x0030 : row.opcode == 0x0018)
    if row.flags.contains(.badCRC), row.layer == .linkLayer {
      damaged(row)
      return
    }
    if row.layer == .opaque || row.layer == .vendor {
      unknown(row, batch)
      return
    }
    hasVoice = row.layer == .hciSCO || row.layer == .hciISO
    hasUnclaimed =
      switch row.layer {
      case .hciCommand, .hciEvent, .management, .smp, .att: true
      default: false
      }
    unread =
      switch row.layer {
      case .att: "attribute_parameters"
      case .smp: "data"
      case .hciEvent where row.opcode == 0xFF: "data"
      default: "parameters"
      }
    Dissection.walk(row, batch, &self)
    if row.layer == .att { values(row, batch, feeds) }
  }

  /// Packets that nothing is known of but where they start: all behind a type byte or a header.
  private mutating func unknown(_ row: PacketRow, _ batch: RowBatch) {
    guard !keepsUnknown, unsafe batch.packets.records.indices.contains(Int(row.record)) else { return }
    var start = 0
    if unsafe batch.packets.records[Int(row.record)].kind == .unknownH4 { start = 1 }
    if row.layer == .vendor, row.flags.contains(.hasConnection) { start = HCI.ACLHeader.size }
    if row.pdu.count > start { finds.append(Find(kind: .unknown, field: "unknown packet", range: start..<row.pdu.count)) }
  }

  /// Of a packet that was heard wrong, nobody knows what it carries: all behind its header is taken for a key.
  private mutating func damaged(_ row: PacketRow) {
    var header = (row.pdu.u8(0) ?? 0) & 0x20 != 0 ? 3 : 2
    // The start of an L2CAP PDU says whose it is: only the Security Manager's carry keys.
    if (row.pdu.u8(0) ?? 0) & 3 == 2 {
      guard row.pdu.u16(header + 2) == 6 else { return }
      header += 5
    }
    var end = row.pdu.count
    // Where it is shorter than it says, the CRC is taken for a part of it.
    if end < 2 + Int(row.pdu.u8(1) ?? 0), !isTruncated { end -= 3 }
    if end > header { finds.append(Find(kind: .key, field: "damaged packet", range: header..<end)) }
  }

  /// Values of attributes that tell.
  private mutating func values(_ row: PacketRow, _ batch: RowBatch, _ feeds: Range<Int>) {
    let tables = batch.tables
    func telling(_ attribute: Int32) -> (uuid: UInt16, kind: ExposureKind, name: StaticName)? {
      guard attribute >= 0, tables.attributes.indices.contains(Int(attribute)),
        let uuid = tables.type(of: tables.attributes[Int(attribute)])?.short16, let (kind, name) = TellingCharacteristic.kind(uuid)
      else { return nil }
      return (uuid, kind, name)
    }
    // Read Multiple Variable Response and Multiple Handle Value Notification.
    if row.opcode == 0x21 || row.opcode == 0x23 {
      for feed in batch.feeds[feeds] {
        guard let (_, kind, name) = telling(feed.attribute), let offset = row.pdu.offset(of: feed.bytes) else { continue }
        value(kind, name, offset..<offset + feed.bytes.count)
      }
      return
    }
    // Find By Type Value Request: two handles, a type, and the value that is looked for.
    if row.opcode == 0x06, let uuid = row.pdu.u16(5), let (kind, name) = TellingCharacteristic.kind(uuid), row.pdu.count > 7 {
      value(kind, name, 7..<row.pdu.count)
      return
    }
    if row.opcode == 0x09, row.asked >= 0, tables.uuids.indices.contains(Int(row.asked)),
      let uuid = tables.uuids[Int(row.asked)].short16, let (kind, name) = TellingCharacteristic.kind(uuid)
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
    guard row.flags.contains(.hasValue), row.valueCount > 0, let (uuid, kind, name) = telling(row.attribute) else { return }
    // Set Broadcast_Code: its opcode and a number stand before the code; other operations have none.
    if uuid == TellingCharacteristic.broadcastAudioScanControlPoint {
      if row.value.u8(0) == 4, row.valueCount > 2 {
        value(kind, name, Int(row.valueOffset) + 2..<Int(row.valueOffset) + Int(row.valueCount))
      }
      return
    }
    // Read Blob Response, and parts of a prepared write behind the first.
    let isTail = row.opcode == 0x0D || (row.opcode == 0x16 || row.opcode == 0x17) && row.pdu.u16(3) != 0
    value(kind, name, Int(row.valueOffset)..<Int(row.valueOffset) + Int(row.valueCount), isTail: isTail && kind == .name)
  }

  private mutating func value(_ kind: ExposureKind, _ name: StaticName, _ range: Range<Int>, isTail: Bool = false) {
    if kind == .address, range.count < 6 { return }
    let range = kind == .address ? range.lowerBound..<range.lowerBound + 6 : range
    finds.append(Find(kind: kind, field: name, range: range, isTail: isTail))
  }
}
