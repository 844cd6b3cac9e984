import CaptureScenes
import Captures
import Conversations
import Foundation
import Profiles
import Output
import Testing
import Text

@_spi(Pipeline) @testable import Analysis

/// Two threads write the same output as one.
@Suite struct ThreadTests {
  private static let builtin = Result { try ProfileSet(builtin: true) }

  /// A sample repeated many times, so that both threads have batches; connections and devices occur again.
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

  /// A request without a response holds the batches back until the end: all are ready before the second thread starts.
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
      let single = try run(bytes, fewPackets: .max, printer).split(separator: "\n")
      let two = try run(bytes, fewPackets: 0, printer).split(separator: "\n")
      #expect(single.count > 100 && single.count == two.count, "\(what) of \(sample)")
      if let difference = zip(single, two).enumerated().first(where: { $0.element.0 != $0.element.1 }) {
        Issue.record(
          "\(what) of \(sample), line \(difference.offset + 1): \(difference.element.1) where one thread writes \(difference.element.0)")
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

  /// The text does not depend on the number of threads that write rows.
  @Test(arguments: [2, 3, 8], ["gopro.btsnoop", "two-cameras.btsnoop", "heart-rate.btsnoop", "hostile-name.btsnoop"])
  func manyWriteTheSame(threads: Int, _ sample: String) throws {
    let bytes = try long(sample, packets: 6000)
    for usesProfiles in [true, false] {
      func compare(_ what: String, _ printer: (TextBuffer) -> some EventSink) throws {
        let single = try run(bytes, fewPackets: .max, usesProfiles: usesProfiles, printer)
        let many = try run(bytes, fewPackets: 0, threads: threads, usesProfiles: usesProfiles, printer)
        #expect(single.utf8.count > 100_000 && single == many, "\(what) of \(sample)")
      }
      try compare("NDJSON") { NDJSONPrinter($0) }
      try compare("CSV") { TimelineCSV($0) }
    }
  }

  /// Bodies that the row-writing threads decode; some end early or have a case that the profile does not know, and are decoded into a tree.
  @Test func bodiesThatAreReadOnOtherThreads() throws {
    let own = """
      profile: own
      match: {services: [fff0]}
      meta: {endian: le}
      characteristics: {data: {uuid: fff1, notify: m, write: m}}
      types:
        m: {seq: [{id: kind, type: u1, enum: kind}, {id: count, type: u1}, {id: parts, type: part, repeat: expr, repeat-expr: count}]}
        part: {seq: [{id: tag, type: u1}, {id: body, type: {switch-on: tag, cases: {1: pair, 2: u4, 3: text}}}]}
        pair: {seq: [{id: low, type: b4}, {id: high, type: b4}, {id: word, type: u2}]}
        text: {seq: [{id: size, type: u1}, {id: text, type: str, size: size, encoding: UTF-8}]}
      enums: {kind: {0: zero, 1: one}}
      """
    let profiles = try ProfileSet(builtin: false, texts: [(own, "own.yaml", .given)])
    var scene = Scene()
    scene.connect()
    scene.discover(0xFFF1, at: 0x21, service: 0xFFF0)
    var state: UInt64 = 0x2545_F491_4F6C_DD1D
    for number in 0..<3000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let whole: [UInt8] = [UInt8(state >> 62), 3, 1, UInt8(truncatingIfNeeded: state), 0x34, 0x12, 2, 9, 8, 7, 6, 3, 2, 0x48, 0x69]
      var value = Array(whole.prefix(number % 3 == 0 ? Int(state >> 40 % 16) : 15))
      if number % 7 == 0, value.count > 6 { value[6] = UInt8(truncatingIfNeeded: state >> 50) }
      scene.receive([0x1B, 0x21, 0] + value)
    }
    func run(_ threads: Int, _ printer: (TextBuffer) -> some EventSink) throws -> String {
      var options = Timeline.Options()
      options.profiles = profiles
      let timeline = Timeline(SceneSource(scene), options: options)
      (timeline.fewPackets, timeline.threads) = (threads > 1 ? 0 : .max, threads)
      let path = NSTemporaryDirectory() + "btscribe-threads-\(UUID().uuidString)"
      defer { try? FileManager.default.removeItem(atPath: path) }
      let out = try TextBuffer(file: path)
      _ = try timeline.run(CaptureFacts(name: "scene", title: "scene"), to: printer(out))
      try out.finish()
      return try String(contentsOfFile: path, encoding: .utf8)
    }
    let single = try run(1) { NDJSONPrinter($0) }
    #expect(single.contains("\"problem\"") && single.contains("\"word\":4660"))
    for threads in [3, 8] {
      #expect(try run(threads) { NDJSONPrinter($0) } == single)
      #expect(try run(threads) { TimelineCSV($0) } == run(1) { TimelineCSV($0) })
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
