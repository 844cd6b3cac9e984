import CaptureScenes
import Captures
import Conversations
import Foundation
import Profiles
import Output
import Testing
import Text

@_spi(Pipeline) @testable import Analysis

/// Two threads write the same as one.
@Suite struct ThreadTests {
  private static let builtin = Result { try ProfileSet(builtin: true) }

  /// A sample many times over, so that batches are on their way on both threads; connections and devices come again.
  private func long(_ sample: String, packets: Int) throws -> [UInt8] {
    let file = Array(try Data(contentsOf: URL(fileURLWithPath: "\(Package.root)/Samples/\(sample)")))
    let source = try CaptureFile.open(bytes: file, name: sample)
    var count = 0
    let batch = PacketBatch()
    while try source.read(batch) { count += batch.records.count }
    return file[..<16] + (0..<(packets / max(count, 1) + 1)).flatMap { _ in file[16...] }
  }

  private func run(
    _ bytes: [UInt8], fewPackets: Int, threads: Int = 2, usesProfiles: Bool = true, _ printer: (TextBuffer) -> some EventSink
  ) throws -> String {
    var options = Timeline.Options()
    if usesProfiles { options.profiles = try Self.builtin.get() }
    let source = try CaptureFile.open(bytes: bytes, name: "long")
    let timeline = Timeline(source, options: options)
    timeline.fewPackets = fewPackets
    timeline.threads = threads
    let path = NSTemporaryDirectory() + "btscribe-threads-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let out = try TextBuffer(file: path)
    _ = try timeline.run(CaptureFacts(name: "long", title: source.title), to: printer(out))
    try out.finish()
    return try String(contentsOfFile: path, encoding: .utf8)
  }

  /// A request without an answer holds the batches back until the end: all are ready before the second thread starts.
  @Test func whatComesInPiecesEnds() throws {
    var scene = Scene()
    scene.command(0x0C03, [])
    scene.connect()
    for _ in 0..<20 { scene.pdu(.received, 4, [0x1B, 9, 0, 1]) }
    var options = Timeline.Options()
    options.profiles = try Self.builtin.get()
    let timeline = Timeline(SceneSource(scene, inPiecesOf: 1), options: options)
    let outcome = try timeline.run(CaptureFacts(name: "scene", title: "scene"), to: NDJSONPrinter(TextBuffer()))
    #expect(outcome.packets == 22)
  }

  @Test(arguments: ["gopro.btsnoop", "two-cameras.btsnoop", "heart-rate.btsnoop", "hostile-name.btsnoop"])
  func writeTheSame(_ sample: String) throws {
    let bytes = try long(sample, packets: 3000)
    func compare(_ what: String, _ printer: (TextBuffer) -> some EventSink) throws {
      let one = try run(bytes, fewPackets: .max, printer).split(separator: "\n")
      let two = try run(bytes, fewPackets: 0, printer).split(separator: "\n")
      #expect(one.count > 100 && one.count == two.count, "\(what) of \(sample)")
      if let place = zip(one, two).enumerated().first(where: { $0.element.0 != $0.element.1 }) {
        Issue.record("\(what) of \(sample), line \(place.offset + 1): \(place.element.1) where one thread writes \(place.element.0)")
      }
    }
    try compare("text") { TextPrinter($0) }
    try compare("verbose text") {
      var options = TextPrinter.Options()
      options.isVerbose = true
      options.style.isColored = true
      return TextPrinter($0, options)
    }
    try compare("NDJSON") { NDJSONPrinter($0) }
  }

  /// However many threads write rows, the text is the same.
  @Test(arguments: [2, 3, 8], ["gopro.btsnoop", "two-cameras.btsnoop", "heart-rate.btsnoop", "hostile-name.btsnoop"])
  func manyWriteTheSame(threads: Int, _ sample: String) throws {
    let bytes = try long(sample, packets: 6000)
    for usesProfiles in [true, false] {
      func compare(_ what: String, _ printer: (TextBuffer) -> some EventSink) throws {
        let one = try run(bytes, fewPackets: .max, usesProfiles: usesProfiles, printer)
        let many = try run(bytes, fewPackets: 0, threads: threads, usesProfiles: usesProfiles, printer)
        #expect(one.utf8.count > 100_000 && one == many, "\(what) of \(sample)")
      }
      try compare("NDJSON") { NDJSONPrinter($0) }
      try compare("CSV") { TimelineCSV($0) }
    }
  }

  /// Each row is counted once, whichever thread wrote it.
  @Test func rowsOfAllThreadsAreCounted() throws {
    let bytes = try long("gopro.btsnoop", packets: 6000)
    var counts: [Int] = []
    for threads in [1, 5] {
      let printer = NDJSONPrinter(TextBuffer(), chunk: .max)
      let timeline = Timeline(try CaptureFile.open(bytes: bytes, name: "long"))
      timeline.fewPackets = 0
      timeline.threads = threads
      _ = try timeline.run(CaptureFacts(name: "long", title: "long"), to: printer)
      counts.append(printer.packets)
    }
    #expect(counts[0] > 5000 && counts[0] == counts[1])
  }
}
