import Bluetooth
import Conversations
import Text

/// Names of channels that carry no attributes.
extension TextBuffer {
  /// Appends a channel's name: its service, else its protocol.
  func label(_ channel: ChannelIdentity, _ tables: ConversationTables, isNumeric: Bool = false) {
    if channel.dlci > 1 {
      text("rfcomm ")
      decimal(Int(channel.dlci >> 1))
      if channel.service >= 0, !isNumeric {
        byte(0x20)
        service(tables.services[Int(channel.service)], tables)
      }
      return
    }
    switch channel.layer {
    case .linkLayer: text("encrypted")
    case .hciSCO: text("voice")
    case .hciISO: text("isochronous")
    // Channels that were opened before the capture, and are known by the form of their frames.
    case .avctp where channel.psm == 0, .avrcp where channel.psm == 0: text("AVCTP")
    case .a2dp where channel.psm == 0: text("A2DP")
    default: if channel.psm != 0 { psm(channel.psm) } else { text("L2CAP") }
    }
  }

  /// Appends the identity of a channel as members of a JSON object, each with a leading comma.
  func fields(of channel: ChannelIdentity, _ tables: ConversationTables) {
    if channel.psm != 0 {
      text(",\"psm\":")
      decimal(Int(channel.psm))
    }
    if channel.dlci > 1 {
      text(",\"rfcomm_channel\":")
      decimal(Int(channel.dlci >> 1))
    }
    guard channel.service >= 0 else { return }
    let service = tables.services[Int(channel.service)]
    if service.uuid >= 0 {
      text(",\"service\":\"")
      string(tables.uuids[Int(service.uuid)].description)
      byte(UInt8(ascii: "\""))
    }
    if !service.name.isEmpty {
      text(",\"service_name\":\"")
      untrusted(service.name, .json)
      byte(UInt8(ascii: "\""))
    }
  }

  /// Appends the name of a service from its SDP record, else that of its class.
  func service(_ service: OfferedService, _ tables: ConversationTables) {
    if !service.name.isEmpty {
      untrusted(service.name, .terminal)
    } else if service.uuid >= 0 {
      let uuid = tables.uuids[Int(service.uuid)]
      if let name = uuid.name { self.name(name) } else { string(uuid.description) }
    }
  }

  private func psm(_ number: UInt16) {
    if let known = ProtocolRegistry.onPSM(number) { return name(known.name) }
    text("PSM 0x")
    hex(UInt64(number), digits: 4)
  }
}
