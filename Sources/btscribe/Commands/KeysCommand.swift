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
      as the keys in it. --crack is for captures of your own devices.

      What BR/EDR encrypts on the air (E0, AES-CCM) is not undone: besides the link key it takes the addresses of both sides, EN_RAND and the \
      central's clock of each packet, and no capture that is read has them all. A host's log has the same data in the open.
      """)

  @Argument(help: "Captures: files, or - for standard input.", completion: .file())
  var captures: [String] = []

  @Option(name: .customShort("r"), help: ArgumentHelp("The same as an argument, as tshark has it.", valueName: "file"), completion: .file())
  var read: [String] = []

  @Option(
    name: [.customShort("o"), .long], help: ArgumentHelp("Write to a file instead of standard output.", valueName: "file"),
    completion: .file())
  var output: String?

  @OptionGroup var keys: KeyOptions

  func run() throws {
    let paths = read + captures
    guard !paths.isEmpty else { throw ValidationError("which capture? give a file, or - for standard input") }
    try OutputOptions.spare(paths, from: [output])
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
      EncryptionText($0).list(ring, sessions, isOneOfSeveral: paths.count > 1)
      if ring.keys.isEmpty, ring.named.isEmpty, output == nil { CommandError.say("btscribe: no key found\n") }
    }
    if let damage { throw damage }
  }
}
