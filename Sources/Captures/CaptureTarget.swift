/// A format to write, with what there is to choose in it.
public enum CaptureTarget: Sendable, Equatable {
  /// btsnoop; the datalink (1001, 1002, 2001) follows the source where it is nil.
  case btsnoop(datalink: Int?)
  /// pcap; the link type (187, 201, 254, 251, 256 or the source's own) follows the source where it is nil.
  case pcap(linkType: Int?)
  /// pcapng; each interface's link type follows the source where it is nil.
  case pcapng(linkType: Int?)
  /// PacketLogger.
  case packetLogger(isBigEndian: Bool)

  /// The names that ``init(name:)`` knows, with what they mean.
  public static let names: [(name: String, meaning: String)] = [
    ("btsnoop", "btsnoop, with the datalink that fits the source"),
    ("btsnoop-h1", "btsnoop 1001: HCI without type bytes"),
    ("btsnoop-h4", "btsnoop 1002: HCI with H4 type bytes"),
    ("btsnoop-monitor", "btsnoop 2001: Linux monitor, adapters and notes"),
    ("pcap", "pcap, with the link type that fits the source"),
    ("pcap-187", "pcap of HCI H4, without directions"),
    ("pcap-201", "pcap of HCI H4 with direction"),
    ("pcap-254", "pcap of the Linux monitor"),
    ("pcap-251", "pcap of the LE Link Layer"),
    ("pcap-256", "pcap of the LE Link Layer with a sniffer's header"),
    ("pcapng", "pcapng, with the link types that fit the source"),
    ("pcapng-187", "pcapng of HCI H4"),
    ("pcapng-201", "pcapng of HCI H4 with direction"),
    ("pcapng-254", "pcapng of the Linux monitor"),
    ("pcapng-251", "pcapng of the LE Link Layer"),
    ("pcapng-256", "pcapng of the LE Link Layer with a sniffer's header"),
    ("pklg", "PacketLogger, big endian"),
    ("pklg-le", "PacketLogger, little endian"),
  ]

  /// The target of a name in ``names``; nil for others.
  public init?(name: String) {
    let parts = name.split(separator: "-", maxSplits: 1).map(String.init)
    guard CaptureTarget.names.contains(where: { $0.name == name }), let format = parts.first else { return nil }
    let detail = parts.count > 1 ? parts[1] : nil
    switch format {
    case "btsnoop": self = .btsnoop(datalink: detail.map { ["h1": 1001, "h4": 1002][$0] ?? 2001 })
    case "pcap": self = .pcap(linkType: detail.flatMap { Int($0) })
    case "pcapng": self = .pcapng(linkType: detail.flatMap { Int($0) })
    default: self = .packetLogger(isBigEndian: detail == nil)
    }
  }

  /// The target that a file's ending stands for: `.btsnoop`, `.snoop`, `.log`, `.cfa`, `.pcap`, `.cap`, `.pcapng`, `.pklg`; nil for others.
  public init?(path: String) {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    guard let dot = name.lastIndex(of: ".") else { return nil }
    switch name[name.index(after: dot)...].lowercased() {
    case "btsnoop", "snoop", "log", "cfa": self = .btsnoop(datalink: nil)
    case "pcap", "cap": self = .pcap(linkType: nil)
    case "pcapng", "ntar": self = .pcapng(linkType: nil)
    case "pklg": self = .packetLogger(isBigEndian: true)
    default: return nil
    }
  }

  /// The link type that holds most of what an interface of a source can have.
  static func linkType(for source: CaptureInterface, format: CaptureFormat) -> Int {
    if format == .packetLogger { return LinkType.linuxMonitor }
    return switch source.linkType {
    case LinkType.hciH4 where format == .btsnoop || format == .btsnooz: LinkType.hciH4WithDirection
    case LinkType.usbLinux, LinkType.usbLinuxPadded, LinkType.usbPcap: LinkType.hciH4WithDirection
    case LinkType.ppi, LinkType.nordic, LinkType.userTen: LinkType.linkLayerWithHeader
    default: source.linkType
    }
  }
}
