import Bluetooth
import Captures
import Conversations
import Analysis
import Text

/// The keys that rows and messages have in common.
final class RowKeys {
  let out: TextBuffer
  /// The member `file` of a capture that is one of several, with a comma behind it.
  private(set) var file: [UInt8] = []
  private let clock = Clock()
  private let packetLead = FrameText()
  private let messageLead = FrameText()
  /// Beginnings of rows, valid until the tables' version changes.
  private let heads = HeadCache()
  private var version = -1
  /// UUIDs that only profiles know.
  private var profileUUIDs: [Int32: Bluetooth.BluetoothUUID] = [:]

  init(_ out: TextBuffer) { self.out = out }

  /// A capture starts.
  func begin(file: [UInt8]) {
    self.file = file
    version = -1
    profileUUIDs.removeAll()
    packetLead.forget()
    messageLead.forget()
  }

  /// The subject of a row.
  enum Kind: UInt8 { case packet, message }

  /// Starts the object of a row: the members that rows of the same attribute or kind mostly share.
  @inline(__always)
  func head(_ kind: Kind, _ row: PacketRow, _ batch: RowBatch, _ cursor: inout TextBuffer.Cursor) {
    if batch.version != version { forget(batch) }
    cursor.reserve(1024)
    switch kind {
    case .packet: lead(packetLead, "packet", row, &cursor)
    case .message: lead(messageLead, "message", row, &cursor)
    }
    guard let key = HeadCache.Key(kind, row) else {
      cursor.through { compose(kind, row, batch, to: $0) }
      return
    }
    if !heads.write(key, to: &cursor) {
      cursor.through {
        let start = $0.count
        compose(kind, row, batch, to: $0)
        heads.keep(key, $0, from: start)
      }
    }
  }

  /// Writes kind, file, frame and time, without the quote after the time.
  @inline(__always)
  private func lead(_ lead: FrameText, _ kind: StaticString, _ row: PacketRow, _ cursor: inout TextBuffer.Cursor) {
    if !lead.write(row.frame, row.time, to: &cursor) {
      compose(lead, kind, row)
      unsafe cursor.append(words: lead.text.start, lead.text.count)
    }
  }

  @inline(never)
  private func compose(_ lead: FrameText, _ kind: StaticString, _ row: PacketRow) {
    lead.text.clear()
    start(kind, row.frame, to: lead.text)
    let digit = lead.text.count - 1
    lead.text.text(",\"time\":\"")
    clock.rfc3339(row.time, to: lead.text)
    lead.composed(row.frame, row.time, digit: digit, micros: lead.text.count - 7)
  }

  @inline(never)
  private func compose(_ kind: Kind, _ row: PacketRow, _ batch: RowBatch, to out: TextBuffer) {
    out.byte(UInt8(ascii: "\""))
    adapter(row.adapter, to: out)
    switch row.direction {
    case .sent: out.text(",\"direction\":\"sent\"")
    case .received: out.text(",\"direction\":\"received\"")
    case .central: out.text(",\"direction\":\"central\"")
    case .peripheral: out.text(",\"direction\":\"peripheral\"")
    case .unknown: break
    }
    if kind == .packet { layer(row, to: out) }
    if row.flags.contains(.hasConnection) {
      out.text(",\"connection\":")
      out.unsigned(UInt64(row.handle))
    }
    if row.peer >= 0 { peer(row.peer, batch.tables, to: out) }
    if row.flags.contains(.hasAttribute) {
      out.text(",\"handle\":")
      out.unsigned(UInt64(row.attributeHandle))
      if row.attribute >= 0 {
        out.keys(of: batch.tables.attributes[Int(row.attribute)], row.uuidSource, batch.tables, else: profileUUIDs[row.attribute])
      }
    }
  }

  private func layer(_ row: PacketRow, to out: TextBuffer) {
    out.text(",\"layer\":\"")
    out.name(row.layer.name)
    out.text("\",\"name\":\"")
    out.name(Dissection.name(row))
    out.byte(UInt8(ascii: "\""))
    guard row.hasOpcode else { return }
    out.text(",\"opcode\":")
    out.unsigned(UInt64(row.opcode))
    if row.eventCode == .leMeta {
      out.text(",\"subevent\":")
      out.unsigned(UInt64(row.subcode))
    }
  }

  private func peer(_ peer: Int32, _ tables: ConversationTables, to out: TextBuffer) {
    out.text(",\"peer\":\"")
    out.address(tables.peers[Int(peer)].address)
    out.byte(UInt8(ascii: "\""))
    let identity = tables.identity(peer)
    if identity != peer {
      out.text(",\"peer_identity\":\"")
      out.address(tables.peers[Int(identity)].address)
      out.byte(UInt8(ascii: "\""))
    }
    let name = tables.name(of: peer)
    if !name.isEmpty {
      out.text(",\"peer_name\":\"")
      out.untrusted(name, .json)
      out.byte(UInt8(ascii: "\""))
    }
  }

  private func adapter(_ adapter: UInt16, to out: TextBuffer) {
    guard adapter != 0xFFFF else { return }
    out.text(",\"adapter\":")
    out.unsigned(UInt64(adapter))
  }

  private func start(_ kind: StaticString, _ frame: Int, to out: TextBuffer) {
    out.text("{\"kind\":\"")
    out.text(kind)
    out.text("\",")
    if !file.isEmpty { out.raw(file) }
    out.text("\"frame\":")
    out.decimal(frame)
  }

  /// Starts the object of a row that is neither a packet nor a message.
  func start(_ kind: StaticString, _ frame: Int, _ time: Int64, _ adapter: UInt16) {
    start(kind, frame, to: out)
    out.text(",\"time\":\"")
    clock.rfc3339(time, to: out)
    out.byte(UInt8(ascii: "\""))
    self.adapter(adapter, to: out)
  }

  private func forget(_ batch: RowBatch) {
    version = batch.version
    heads.forget()
  }

  /// Keeps the UUID of an attribute that only a profile knows.
  func attribute(_ attribute: ProfileAttribute) {
    guard let uuid = attribute.uuid else { return }
    profileUUIDs[attribute.index] = uuid
    heads.forget()
  }
}

extension HeadCache.Key {
  /// Everything that determines the beginning of a row; nil where bytes of its PDU do too, or the manufacturer of the controller, which names
  /// commands and events of its own and can become known late.
  @inline(__always)
  init?(_ kind: RowKeys.Kind, _ row: PacketRow) {
    switch row.layer {
    case .att, .smp, .signaling: break
    case .hciEvent: if kind == .packet, row.opcode == HCI.EventCode.vendorSpecific.rawValue { return nil }
    case .hciCommand: if kind == .packet, row.opcode >> 10 == HCI.Opcode.vendorGroup { return nil }
    default: if kind == .packet { return nil }
    }
    let flags = row.flags.intersection([.hasConnection, .hasAttribute]).rawValue
    bytes = UInt64(row.adapter) | UInt64(row.handle) << 16 | UInt64(row.attributeHandle) << 32 | UInt64(row.subcode) << 48
    self.kind =
      UInt64(row.opcode) | UInt64(row.layer.rawValue) << 32 | UInt64(row.direction.rawValue) << 40 | UInt64(row.uuidSource.rawValue) << 44
      | UInt64(flags) << 48 | UInt64(kind.rawValue) << 63
    objects = UInt64(UInt32(bitPattern: row.peer)) | UInt64(UInt32(bitPattern: row.attribute)) << 32
  }
}
