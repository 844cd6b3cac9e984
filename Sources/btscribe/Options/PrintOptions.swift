import ArgumentParser
import BothSides
import Output
import Analysis
import Text

extension TimeFormat: ExpressibleByArgument {}

/// Options for rows of every kind.
struct RowOptions: ParsableArguments {
  @Option(
    name: .customShort("t"),
    help: ArgumentHelp(
      "Times: r since the first packet, d since the one before, a and ad local, u and ud UTC, e since 1970.", valueName: "format"))
  var time: TimeFormat = .r

  @Flag(name: .customShort("q"), help: "Print only the rows.")
  var quiet = false
}

/// Options for printing a timeline.
struct PrintOptions: ParsableArguments {
  enum Format: String, ExpressibleByArgument, CaseIterable { case text, ndjson, csv }

  @Option(help: ArgumentHelp("text for people, ndjson for programs, csv for spreadsheets.", valueName: "name"))
  var format: Format = .text

  @OptionGroup var rows: RowOptions

  @Flag(name: .customShort("x"), help: "Show the bytes of each packet.")
  var bytes = false

  @Flag(name: .customShort("V"), help: "Show all fields, and all rows that are otherwise counted or combined.")
  var verbose = false

  @Flag(name: .customLong("hci"), help: "Show all commands and events between host and controller, not only those of conversations.")
  var hci = false

  @Flag(name: .customLong("ll"), help: "Also show the packets of the Link Layer that belong to no conversation.")
  var linkLayer = false

  @Flag(help: "Show each request of a discovery and its answer, not only what was found.")
  var discovery = false

  @Flag(name: .customShort("n"), help: "Show numbers instead of names.")
  var numeric = false

  /// Whether packets that complete no PDU, or carry nothing, have rows, too.
  var showsEveryPacket: Bool { format == .text && (verbose || linkLayer) }

  /// Runs over a capture and prints its rows. `chunk` is the number of bytes that are buffered before they are written. `air` has the results of
  /// sniffers' captures, `growing` those of live sniffers.
  func run(
    _ timeline: Timeline, _ facts: CaptureFacts, to out: TextBuffer, _ style: Style, chunk: Int = 1 << 16, air: AirSide? = nil,
    growing: SnifferReaders? = nil
  ) throws -> Outcome {
    func run(_ printer: some AirPrinter) throws -> Outcome {
      guard let growing else { return try timeline.run(facts, to: printer) }
      return try timeline.run(
        facts,
        to: LiveAirSink(
          printer, growing.side, dropsParts: !timeline.isFiltered && !showsEveryPacket, isFiltered: timeline.isFiltered,
          waits: growing.waits))
    }
    switch format {
    case .text:
      var options = TextPrinter.Options()
      options.time = rows.time
      options.showsBytes = bytes
      options.isVerbose = verbose
      options.isFolding = !timeline.isFiltered
      options.isLive = timeline.isLive
      options.showsHCI = hci
      options.showsLinkLayer = linkLayer
      options.showsDiscovery = discovery
      options.isNumeric = numeric
      options.isQuiet = rows.quiet
      options.style = style
      options.air = air
      return try run(TextPrinter(out, options, chunk: chunk))
    case .ndjson:
      let printer = NDJSONPrinter(out, chunk: chunk, air: air)
      let outcome = try run(printer)
      if verbose { printNotices(printer.packets, outcome.packets, isFiltered: timeline.isFiltered) }
      return outcome
    case .csv: return try timeline.run(facts, to: TimelineCSV(out))
    }
  }

  /// With -V: prints the number of rows, and why it differs from that of packets.
  private func printNotices(_ rows: Int, _ packets: Int, isFiltered: Bool) {
    var text = "btscribe: \(InputOptions.grouped(rows)) rows of \(InputOptions.grouped(packets)) packets"
    if isFiltered {
      text += ": those that pass the filter"
    } else if rows < packets {
      text += "; the others carry nothing of their own: they are empty, or fragments of what the row of their last fragment tells"
    }
    CommandError.printNotice(text + "\n")
  }
}
