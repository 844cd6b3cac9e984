import ArgumentParser

@main
struct Btscribe: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "btscribe", abstract: "Decode Bluetooth captures into an annotated timeline.",
    subcommands: [Convert.self])
}
