import Bluetooth
import Captures
import Conversations
import Analysis
import Text

/// A sniffer's radio information about the packet of a row.
struct RadioFacts {
  let radio: RadioInfo
  /// Access address of the packet, or 0 where it is not known.
  let accessAddress: UInt32

  /// Nil where the capture has no radio information.
  @inline(__always)
  init?(_ row: PacketRow, _ batch: RowBatch) {
    guard row.record >= 0, unsafe Int(row.record) < batch.packets.records.count else { return nil }
    let radio = unsafe batch.packets.records[Int(row.record)].radio
    guard radio.flags != 0 else { return nil }
    self.init(radio, row, batch.tables)
  }

  @inline(never)
  private init(_ radio: RadioInfo, _ row: PacketRow, _ tables: ConversationTables) {
    self.radio = radio
    if row.connection >= 0 {
      accessAddress = tables.connections[Int(row.connection)].accessAddress
    } else {
      accessAddress = row.layer == .advertisingPDU && row.opcode & 0x10 == 0 ? 0x8E89_BED6 : 0
    }
  }

  var signal: Int? { radio.strength.map { Int($0) } }
  var phy: StaticString { radio.phy == 0 ? "LE 1M" : radio.phy == 1 ? "LE 2M" : "LE Coded" }
  var crc: StaticString? { (radio.flags & RadioInfo.Flag.crcChecked != 0) ? (radio.flags & RadioInfo.Flag.crcOK != 0) ? "ok" : "bad" : nil }
}

extension TextBuffer {
  /// Appends the radio information: `channel 37, -61 dBm, LE 1M, access address 0x8e89bed6, CRC ok`.
  func radio(_ facts: RadioFacts) {
    text("channel ")
    unsigned(UInt64(facts.radio.channel))
    if let signal = facts.signal {
      text(", ")
      decimal(signal)
      text(" dBm")
    }
    text(", ")
    text(facts.phy)
    if facts.accessAddress != 0 {
      text(", access address 0x")
      hex(UInt64(facts.accessAddress), digits: 8)
    }
    if let crc = facts.crc {
      text(", CRC ")
      text(crc)
    }
  }

  /// Appends it as a member of a JSON object, with a leading comma.
  func radioMember(_ facts: RadioFacts) {
    text(",\"radio\":{\"channel\":")
    unsigned(UInt64(facts.radio.channel))
    if let signal = facts.signal {
      text(",\"rssi\":")
      decimal(signal)
    }
    text(",\"phy\":\"")
    text(facts.phy)
    byte(UInt8(ascii: "\""))
    if facts.accessAddress != 0 {
      text(",\"access_address\":\"")
      hex(UInt64(facts.accessAddress), digits: 8)
      byte(UInt8(ascii: "\""))
    }
    if let crc = facts.crc {
      text(",\"crc\":\"")
      text(crc)
      byte(UInt8(ascii: "\""))
    }
    byte(UInt8(ascii: "}"))
  }
}

extension SummaryText {
  /// Packets of a sniffer by channel.
  func radio(_ summary: Summary) {
    let channels = summary.radio.filter { $0.packets > 0 }
    guard !channels.isEmpty else { return }
    heading("Radio channels", channels.count)
    for channel in channels {
      let start = out.count
      out.text(channel.channel < 10 ? "   " : "  ")
      out.decimal(channel.channel)
      out.text("  ")
      out.decimal(channel.packets)
      out.text(channel.packets == 1 ? " packet" : " packets")
      out.pad(from: start, to: 22)
      out.decimal(channel.badCRCs)
      out.text(channel.badCRCs == 1 ? " bad CRC" : " bad CRCs")
      if channel.signals > 0 {
        out.pad(from: start, to: 38)
        out.decimal(channel.signalSum / channel.signals)
        out.text(" dBm")
        if channel.weakest != channel.strongest {
          out.text(" (")
          out.decimal(channel.weakest)
          out.text(" to ")
          out.decimal(channel.strongest)
          out.byte(UInt8(ascii: ")"))
        }
      }
      out.byte(0x0A)
    }
  }
}
