import Bluetooth
import Memory

/// Identifies a channel other than ATT within its connection.
public struct ChannelIdentity: Hashable, Sendable {
  /// Protocol of its data.
  public var layer: ProtocolID
  /// PSM of the L2CAP channel, or 0.
  public var psm: UInt16 = 0
  /// Data link of an RFCOMM session, or 0.
  public var dlci: UInt8 = 0
  /// The service that owns the channel, index into ``ConversationTables/services``, or -1.
  public var service: Int32 = -1

  /// A channel identified by its PSM.
  public init(layer: ProtocolID, psm: UInt16 = 0) {
    self.layer = layer
    self.psm = psm
  }
}

extension PacketRow {
  /// The data came over a connection-oriented channel, not as an attribute value (ATT has rows of its own).
  public var isOfChannel: Bool { layer != .att && ProtocolRegistry.isOnChannels(layer) }

  /// The protocol whose header precedes that of the row's own protocol in the PDU (RFCOMM, for instance); nil where there is none.
  @inline(__always)
  public var envelope: ProtocolID? {
    guard let id = ProtocolRegistry.envelope(layer) else { return nil }
    var context = PDUContext()
    (context.opcode, context.subcode) = (opcode, subcode)
    return layer.hasEnvelope(context) ? id : nil
  }

  /// The channel and the data that the row carries on it; nil for attributes, signaling, control frames, and rows without a connection.
  public var channelData: (channel: ChannelIdentity, data: PDUBytes)? {
    guard connection >= 0 else { return nil }
    var identity = ChannelIdentity(layer: layer, psm: subcode)
    switch envelope == .rfcomm ? .rfcomm : layer {
    case .rfcomm:
      let isJoined = layer != .rfcomm && opcode & RFCOMM.joined != 0
      guard let frame = RFCOMM.Frame(pdu.span), frame.dlci > 1, frame.type == .uih || frame.type == .ui,
        frame.length > 0
      else { return nil }
      identity.dlci = frame.dlci
      identity.service = detail
      return (identity, isJoined ? pdu.from(frame.payload.lowerBound) : pdu.slice(frame.payload.lowerBound, frame.payload.count))
    case .l2cap where isBareFrame: return nil
    case .l2cap:
      // On a channel with credits the data are the SDU; otherwise they follow the basic L2CAP header (Vol 3, Part A, 3.1).
      return (identity, flags.contains(.hasAssembled) ? assembled : pdu.from(4))
    // The rows of the parts already have these bytes.
    case .sdp where SDP.isJoined(opcode): return nil
    case .hciSCO, .hciISO: return (ChannelIdentity(layer: layer), pdu)
    default: return isOfChannel ? (identity, pdu) : nil
    }
  }
}
