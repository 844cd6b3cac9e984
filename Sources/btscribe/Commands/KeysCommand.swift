import ArgumentParser
import Captures
import Keys
import Output
import Text

/// `btscribe keys`.
struct KeysCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys",
    abstract: "List the keys in captures, where each comes from, and which encrypted connections they open.",
    discussion: """
      Keys travel in the HCI logs of hosts and phones, in management records, and in pairings that a sniffer has heard. What is printed is what \
      --keys reads: with -o keys.txt the keys of a phone's log open the connections of a sniffer's capture in all commands. It is as secret \
      as the keys in it. --crack is for captures of your own devices. Without captures, the given keys are printed, to convert them from one form \
      into another.

      BR/EDR encryption on the air is not decrypted, because no supported capture has the necessary data. E0 needs the central's clock of each \
      packet, and packets of the air (link type 255) are recorded without it; of an encrypted packet, Ubertooth, which writes them, keeps as many \
      bytes as its encrypted length field gives, which AES-CCM cannot check. Records of controllers (LMP messages of Broadcom's and the ESP32's) \
      have no encrypted data, and a host's log has all data unencrypted.
      """)

  @Argument(help: "Captures: files, or - for standard input.", completion: .file())
  var captures: [String] = []

  @Option(
    name: .customShort("r"), help: ArgumentHelp("The same as an argument, for compatibility with tshark.", valueName: "file"),
    completion: .file())
  var read: [String] = []

  @Option(
    name: [.customShort("o"), .long], help: ArgumentHelp("Write to a file instead of standard output.", valueName: "file"),
    completion: .file())
  var output: String?

  /// The form in which keys are printed.
  enum Format: String, ExpressibleByArgument, CaseIterable { case list, bluez, wireshark }

  @Option(
    help: ArgumentHelp(
      "list: what each key is, where it comes from and what it opens; bluez: as BlueZ's info files of the devices; wireshark: as the toolbar of "
        + "the nRF Sniffer in Wireshark takes them.", valueName: "form"))
  var format: Format = .list

  @OptionGroup var keys: KeyOptions

  func run() throws {
    let paths = read + captures
    guard !paths.isEmpty || !keys.keys.isEmpty || !keys.key.isEmpty else {
      throw ValidationError("a capture is needed: a file, or - for standard input")
    }
    try OutputOptions.spare(paths + keys.keys, from: [output])
    var ring = try keys.load()
    var sessions: [(file: String, session: EncryptedSession, key: Key?)] = []
    var damage: CommandError?
    for path in paths {
      try CommandError.catching {
        let name = path == "-" ? "standard input" : String(path.split(separator: "/").last ?? Substring(path))
        let source = keys.decrypting(try CaptureFile.open(path), ring, name: name)
        ring = try KeyOptions.search(source, name)
        for session in source.decryptor.sessions {
          sessions.append((name, session, session.key.map { source.decryptor.ring.keys[$0].key }))
        }
        if let broken = source.damage { damage = CommandError(broken, of: name, packets: broken.frame - 1) }
      }
    }
    try OutputOptions.write(to: output) {
      switch format {
      case .list: EncryptionText($0).list(ring, sessions, isFromSeveralCaptures: paths.count > 1)
      case .bluez: $0.string(Self.reportingLosses(KeyFile.blueZ(ring)))
      case .wireshark: $0.string(Self.reportingLosses(KeyFile.toolbar(ring)))
      }
      if ring.keys.isEmpty, ring.named.isEmpty, output == nil { CommandError.printNotice("btscribe: no key found\n") }
    }
    if let damage { throw damage }
  }

  /// Returns the text, and reports on standard error how many keys the form cannot hold.
  private static func reportingLosses(_ written: (text: String, leftOut: Int)) -> String {
    if written.leftOut > 0 {
      CommandError.printNotice("btscribe: \(written.leftOut) \(written.leftOut == 1 ? "key" : "keys") cannot be written in this form\n")
    }
    return written.text
  }
}
