/// How a packet lies in a record of some link type: which bytes go before its payload. The opposite of ``LinkType``. One serves all packets
/// of a file, so that its bytes need no new place each time.
struct Encapsulation {
  /// Bytes before the packet's.
  var header: [UInt8] = []
  /// The payload follows; else all the record's bytes as they were captured.
  var keepsRecord = false

  /// Becomes what a record needs to stand in a capture of `linkType`; returns false where it cannot stand there.
  mutating func make(_ record: PacketRecord, linkType: Int, from source: Int, losses: inout CaptureLosses) -> Bool {
    header.removeAll(keepingCapacity: true)
    keepsRecord = false
    switch linkType {
    case LinkType.hciH4:
      return h4(record)
    case LinkType.hciH4WithDirection:
      header.big32(record.direction == .received ? 1 : 0)
      guard h4(record) else { return false }
      if record.direction == .unknown { losses.add(.direction) }
    case LinkType.linuxMonitor:
      if record.kind == .syslog {
        monitor(record.adapter, 12)
        return true
      }
      guard let opcode = Monitor.opcode(record.kind, record.direction) else { return false }
      if record.kind.losesDirectionInMonitor(record.direction) { losses.add(.direction) }
      monitor(record.adapter == 0xFFFF && record.kind.isHCI ? 0 : record.adapter, opcode)
    case LinkType.linkLayerWithHeader where source != linkType:
      guard record.kind == .linkLayer else { return false }
      sniffer(record)
    case LinkType.linkLayer where source != linkType:
      guard record.kind == .linkLayer else { return false }
      if record.radio != RadioInfo() { losses.add(.radio) }
    default:
      guard source == linkType else { return false }
      keepsRecord = true
    }
    return true
  }

  /// The type byte; packets of unknown types have theirs already.
  private mutating func h4(_ record: PacketRecord) -> Bool {
    keepsRecord = record.kind == .unknownH4 || record.captured == 0 && record.kind == .opaque
    if keepsRecord { return true }
    guard let type = H4.type(record.kind) else { return false }
    header.append(type)
    return true
  }

  private mutating func monitor(_ adapter: UInt16, _ opcode: UInt16) { header.big32(UInt32(adapter) << 16 | UInt32(opcode)) }

  /// The 10 bytes of link type 256.
  private mutating func sniffer(_ record: PacketRecord) {
    let radio = record.radio
    let rf: UInt8 =
      switch radio.channel {
      case 37: 0
      case 38: 12
      case 39: 39
      case 0...10: radio.channel + 1
      default: radio.channel < 37 ? radio.channel + 2 : radio.channel
      }
    var flags: UInt16 = 0x0001
    func set(_ bits: UInt16, if flag: UInt16) {
      if radio.flags & flag != 0 { flags |= bits }
    }
    set(0x0002, if: RadioInfo.Flag.signalValid)
    set(0x0008, if: RadioInfo.Flag.decrypted)
    set(0x0400, if: RadioInfo.Flag.crcChecked)
    set(0x0800, if: RadioInfo.Flag.crcOK)
    set(0x3000, if: RadioInfo.Flag.micOK)
    if radio.flags & RadioInfo.Flag.auxiliary != 0 { flags = flags & ~0x3000 | 1 << 7 }
    if record.direction == .central { flags |= 2 << 7 }
    if record.direction == .peripheral { flags |= 3 << 7 }
    flags |= UInt16(min(radio.phy, 2)) << 14
    header += [rf, UInt8(bitPattern: radio.signal), 0, 0, 0, 0, 0, 0]
    header.little16(flags)
  }
}

extension PacketKind {
  /// A packet between host and controller.
  public var isHCI: Bool {
    switch self {
    case .command, .event, .acl, .sco, .iso, .vendorDiagnostic, .unknownH4: true
    default: false
    }
  }

  /// Its kind alone does not tell who sent it.
  var hasDirection: Bool { isHCI && self != .command && self != .event }

  /// The monitor has opcodes for both directions of data only.
  func losesDirectionInMonitor(_ direction: PacketDirection) -> Bool {
    switch self {
    case .acl, .sco, .iso: direction == .unknown
    case .command, .event: false
    default: direction != .unknown
    }
  }
}

/// What a format could not hold of a capture, and of how many packets.
public struct CaptureLosses: Sendable, Equatable {
  /// Something that a format may have no place for.
  public enum Kind: String, Sendable, CaseIterable {
    /// Whole packets.
    case packets = "packets left out"
    /// Notes and log lines.
    case notes = "notes left out"
    /// Comments of packets.
    case comments = "comments left out"
    /// Who sent the packet.
    case direction = "directions left out or assumed"
    /// Number of the adapter.
    case adapter = "adapter numbers left out"
    /// Length before the capture cut the packet.
    case original = "original lengths left out"
    /// Count of dropped packets.
    case drops = "counts of dropped packets left out"
    /// Times that do not fit.
    case time = "times out of range"
    /// Channel, signal, CRC and the like.
    case radio = "radio facts left out"
  }

  /// Number of packets by kind of loss.
  public private(set) var counts: [Kind: Int] = [:]

  /// Nothing was lost.
  public init() {}

  mutating func add(_ kind: Kind) { counts[kind, default: 0] += 1 }

  /// Adds the losses of another capture.
  public mutating func add(_ other: CaptureLosses) { counts.merge(other.counts, uniquingKeysWith: +) }

  /// Sentences for people, one for each kind: `12 notes left out`.
  public var sentences: [String] { Kind.allCases.compactMap { kind in counts[kind].map { "\($0) \(kind.rawValue)" } } }
}
