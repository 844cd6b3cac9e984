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

  private func run(_ bytes: [UInt8], fewPackets: Int, _ printer: (TextBuffer) -> some EventSink) throws -> String {
    var options = Timeline.Options()
    options.profiles = try Self.builtin.get()
    let source = try CaptureFile.open(bytes: bytes, name: "long")
    let timeline = Timeline(source, options: options)
    timeline.fewPackets = fewPackets
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
}
