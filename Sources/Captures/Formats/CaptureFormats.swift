extension CaptureFormat {
  /// All formats, in the order in which they are tried and listed. A new format is a file in this folder and a line here.
  public static let all: [CaptureFormat] = [
    .btsnoop,
    .pcap,
    .pcapng,
    // Its first record is judged by more bytes than that of PacketLogger.
    .tiPacketSniffer,
    .packetLogger,
    .btsnooz,
    // Packets without a file header have no signature, and many files look like them: they are tried last.
    .hciStream,
  ]
}
