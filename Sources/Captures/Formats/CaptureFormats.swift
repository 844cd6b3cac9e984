extension CaptureFormat {
  /// All formats, in the order in which they are tried and listed. A new format is a file in this folder and a line here.
  public static let all: [CaptureFormat] = [
    .btsnoop,
    .pcap,
    .pcapng,
    .packetLogger,
    .btsnooz,
    .tiPacketSniffer,
    // Packets without a file header have no signature, and many files look like them: they are tried last.
    .hciStream,
  ]
}
