import ArgumentParser
import KaitaiStruct
import PacketCodecs
import Output
import Text

/// `btscribe crc`: computes checksums by name, and finds the checksum of given frames.
struct Crc: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "crc",
    abstract: "Compute checksums, or find the one that frames carry.",
    discussion: """
      NAME is one of --list, in any spelling (crc16modbus), or crc(width=16 poly=0x1021 init=0xffff refin=false refout=false xorout=0), of which \
      only width and poly must be given; +N after it adds a constant, ^N XORs one.

      --identify takes whole frames, each as one HEX, and prints the algorithms, with covered bytes, position and byte order, that fit all of \
      them. Two or three frames that differ in length and content are usually enough. Negative offsets count from the end of the frame.
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }

  @Flag(help: "List the algorithms, with their parameters, check values and other names.")
  var list = false

  @Option(help: ArgumentHelp("Compute this checksum of each HEX.", valueName: "name"))
  var algorithm: String?

  @Flag(help: "Find the checksum that all the frames carry.")
  var identify = false

  @Flag(help: "HEX is text: the bytes are its characters.")
  var ascii = false

  @Option(help: ArgumentHelp("Show at most this many explanations.", valueName: "count"))
  var limit = 5

  @Option(name: .long, help: "How to print.")
  var format = Format.text

  @OptionGroup var results: OutputOptions

  @Argument(help: ArgumentHelp("Bytes, as hexadecimal digits; - reads one HEX per line from standard input.", valueName: "hex"))
  var hex: [String] = []

  func validate() throws {
    guard [list, algorithm != nil, identify].filter({ $0 }).count == 1 else {
      throw ValidationError("give one of --list, --algorithm NAME HEX, --identify HEX…")
    }
    if !list, hex.isEmpty { throw ValidationError("bytes are missing: give them as HEX, or - for standard input") }
    if list, !hex.isEmpty { throw ValidationError("--list takes no HEX") }
    if limit < 1 { throw ValidationError("--limit takes a number of at least 1") }
  }

  func run() throws {
    let printed: String
    if list {
      printed = format == .json ? CrcText.catalogueJSON() : CrcText.catalogue()
    } else if let algorithm {
      let checksum: ChecksumAlgorithm
      do throws(ChecksumError) {
        checksum = try ChecksumAlgorithm(parsing: algorithm)
      } catch {
        throw CommandError(CommandError.Status.usage, CrcText.words(of: error))
      }
      let values = try frames().map { ($0, checksum.value(of: $0.rawSpan)) }
      printed = format == .json ? CrcText.valuesJSON(values, of: checksum) : CrcText.values(values, of: checksum)
    } else {
      let frames = try frames()
      var search = ChecksumSearch(limit: limit)
      search.maxWork = Self.maxWork
      let result = search.find(frames)
      for notice in CrcText.notices(of: result, given: frames.count) { CommandError.printNotice("btscribe: \(notice)\n") }
      printed = format == .json ? CrcText.resultJSON(result) : CrcText.result(result)
    }
    try results.write { $0.string(printed) }
  }

  /// Most bytes that the search passes through algorithms, which takes some seconds. A hundred frames of 256 bytes take a tenth of it.
  private static let maxWork = 2_000_000_000

  /// Most bytes and lines of standard input.
  private static let maxBytes = 8 << 20
  private static let maxLines = 65_536

  /// The bytes of each HEX, with those of standard input for `-`. Throws ``CommandError`` where one is no HEX.
  private func frames() throws -> [[UInt8]] {
    var frames: [[UInt8]] = []
    for text in hex {
      if text == "-" {
        guard let input = FileImports.read("/dev/stdin", limit: Self.maxBytes, isNamed: true) else {
          throw CommandError(
            CommandError.Status.malformed, "standard input: more than \(Self.maxBytes >> 20) MiB, or it cannot be read", see: .security)
        }
        let lines = input.split(separator: 10, maxSplits: Self.maxLines)
        guard lines.count <= Self.maxLines else {
          throw CommandError(CommandError.Status.malformed, "standard input: more than \(Self.maxLines) lines", see: .security)
        }
        for line in lines {
          let line = String(decoding: line, as: UTF8.self)
          if !line.allSatisfy({ $0.isWhitespace }) { frames.append(try bytes(of: line)) }
        }
      } else {
        frames.append(try bytes(of: text))
      }
    }
    return frames
  }

  private func bytes(of text: String) throws -> [UInt8] {
    if ascii { return Array(text.utf8) }
    var digits: [UInt8] = []
    var rest = Substring(text)
    if rest.hasPrefix("0x") || rest.hasPrefix("0X") { rest = rest.dropFirst(2) }
    for byte in rest.utf8 where !" :-,_\t\r".utf8.contains(byte) { digits.append(byte) }
    var bytes: [UInt8] = []
    if let problem = ByteEscape.asciiHex().decode(digits.rawSpan, into: &bytes) {
      let shown = CommandError.clean(text.count > 40 ? String(text.prefix(40)) + "…" : text)
      let what = problem.kind == .notHex ? "digit \(problem.offset + 1) is not hexadecimal" : "half a byte at its end"
      throw CommandError(CommandError.Status.usage, "\"\(shown)\" is not HEX: \(what)")
    }
    return bytes
  }
}
