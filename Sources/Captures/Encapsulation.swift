/// How a packet lies in a record of some link type: which bytes go before its payload. The opposite of ``LinkType``.
struct Encapsulation {
  /// Header bytes, at most 17.
  var header: [UInt8] = []
  /// The payload follows; else all the record's bytes as they were captured.
  var keepsRecord = false

  /// What a record needs to stand in a capture of `linkType`, or why it cannot.
  static func make(
    _ record: PacketRecord, linkType: Int, from source: Int, losses: inout CaptureLosses
  ) -> Encapsulation? {
    let isSame = source == linkType
    switch linkType {
    case LinkType.hciH4:
      return h4(record)
    case LinkType.hciH4WithDirection:
      guard var made = h4(record) else { return nil }
      if record.direction == .unknown { losses.add(.direction) }
      made.header = [0, 0, 0, record.direction == .received ? 1 : 0] + made.header
      return made
    case LinkType.linuxMonitor:
      if record.kind == .syslog { return Encapsulation(header: monitor(record.adapter, 12)) }
      guard let opcode = Monitor.opcode(record.kind, record.direction) else { return nil }
      if record.kind.losesDirectionInMonitor(record.direction) { losses.add(.direction) }
      let adapter = record.adapter == 0xFFFF && record.kind.isHCI ? 0 : record.adapter
      return Encapsulation(header: monitor(adapter, opcode))
    case LinkType.linkLayerWithHeader:
      if isSame { return Encapsulation(keepsRecord: true) }
      return record.kind == .linkLayer ? Encapsulation(header: sniffer(record)) : nil
    case LinkType.linkLayer:
      if isSame { return Encapsulation(keepsRecord: true) }
      if record.kind != .linkLayer { return nil }
      if record.radio != RadioInfo() { losses.add(.radio) }
      return Encapsulation()
    default: return isSame ? Encapsulation(keepsRecord: true) : nil
    }
  }

  /// The type byte; packets of unknown types have theirs already.
  private static func h4(_ record: PacketRecord) -> Encapsulation? {
    if record.kind == .unknownH4 || record.captured == 0 && record.kind == .opaque { return Encapsulation(keepsRecord: true) }
    return H4.type(record.kind).map { Encapsulation(header: [$0]) }
  }

  private static func monitor(_ adapter: UInt16, _ opcode: UInt16) -> [UInt8] {
    [UInt8(adapter >> 8), UInt8(adapter & 0xFF), UInt8(opcode >> 8), UInt8(opcode & 0xFF)]
  }

  /// The 10 bytes of link type 256.
  private static func sniffer(_ record: PacketRecord) -> [UInt8] {
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
    return [rf, UInt8(bitPattern: radio.signal), 0, 0, 0, 0, 0, 0, UInt8(flags & 0xFF), UInt8(flags >> 8)]
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
