import Analysis
import ArgumentParser
import BothSides
import Captures
import Keys
import Output

/// Sniffers' captures of the same session.
struct AirOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A sniffer's capture of the same session; may be given again, for several sniffers. Its clock is aligned by the packets that both have, and "
        + "the log's keys decrypt it: each packet of the log is shown with the packets that carried it on the air. "
        + "If a clock was set during the session, each part is aligned separately.", valueName: "file"),
    completion: .file())
  var air: [String] = []

  /// Throws ``CommandError`` where there are more sniffers than are compared.
  static func check(_ paths: [String]) throws {
    guard paths.count > RecordedSession.maxSniffers else { return }
    throw CommandError(CommandError.Status.usage, "--air: \(paths.count) sniffers; at most \(RecordedSession.maxSniffers) are compared")
  }

  /// Compares the sniffers' captures with the log `input`; nil where none are named. Reports sniffers that do not match the log. Throws
  /// ``CommandError`` where none matches.
  func heard(_ input: InputOptions, _ facts: CaptureFacts, _ ring: KeyRing) throws -> AirSide? {
    guard !air.isEmpty else { return nil }
    try Self.check(air)
    let path = input.paths[facts.number]
    let name = CommandError.clean(facts.name)
    guard path != "-", !input.follow else {
      throw CommandError(
        CommandError.Status.usage,
        "--air reads the log before its rows are told: give a file that is finished; "
          + "btscribe live --air takes captures that grow")
    }
    var side: AirSide?
    try CommandError.catching {
      var ring = ring
      // The keys in a log are read before its timeline, so that packets before the exchange of a key are decrypted, too.
      ring.add(
        try KeyOptions.search(input.keys.decrypting(try CaptureFile.open(path, options: input.opening), ring, name: facts.name), facts.name)
      )
      let host = try RecordedSession(try CaptureFile.open(path, options: input.opening), limit: input.count)
      guard host.hasHost else {
        throw CommandError(
          CommandError.Status.usage,
          "\(name) is a sniffer's capture: --air takes those, and the log of a host is what they are put beside")
      }
      var all = AirSide(host)
      for path in air {
        let own = String(path.split(separator: "/").last ?? Substring(path))
        let source = input.keys.decrypting(try CaptureFile.open(path), ring, name: own)
        let session = try RecordedSession(source, sniffers: air.count)
        KeyOptions.printNotices(source.decryptor.limits, of: own)
        guard session.hasAir else {
          throw CommandError(CommandError.Status.usage, "--air: \(CommandError.clean(path)) has no packets of the air (LE Link Layer)")
        }
        // The packets before the damage are compared with the log.
        if let broken = source.damage { CommandError(broken, of: own, packets: broken.frame - 1).printNotice() }
        all.add(session, name: own)
        if let last = all.captures.last, case .failure(let failure) = last.result {
          CommandError.printNotice("btscribe: \(CommandError.clean(own)) and \(name): \(failure.text)\n")
        }
        if session.leftOut + host.leftOut > 0 {
          CommandError.printNotice(
            "btscribe: \(CommandError.clean(own)): \(session.leftOut + host.leftOut) packets exceed the limit and are not matched\n")
        }
      }
      side = all
    }
    guard let side, side.isMatched else { throw CommandError(CommandError.Status.malformed, "--air: nothing matches \(name)") }
    return side
  }
}
