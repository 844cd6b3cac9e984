import Captures
import Conversations
import Foundation
import Profiles
import Testing
import Analysis
import Text

@testable import Output

/// The data from which reports are written.
@Suite struct ReportTests {
  private static let builtin = Result { try ProfileSet(builtin: true) }

  static func make(_ sample: String, isBare: Bool = false, _ change: (inout Report.Options) -> Void = { _ in }) throws -> Report {
    var options = Timeline.Options()
    options.profiles = isBare ? nil : try builtin.get()
    var wanted = Report.Options()
    change(&wanted)
    let report = Report(wanted)
    let source = try CaptureFile.open("\(Package.root)/Samples/\(sample)")
    _ = try Timeline(source, options: options).run(CaptureFacts(name: sample, title: source.title), to: report)
    return report
  }

  private func kind(_ report: Report, _ name: String) throws -> ReportKind {
    try #require(report.kinds.first { $0.name == name }, "no kind \(name); there are \(report.kinds.compactMap(\.name))")
  }

  @Test func requestsAndAnswersAreKindsWithTheirFirstExample() throws {
    let report = try Self.make("gopro.btsnoop")
    let query = try kind(report, "query · get status values")
    let answer = try kind(report, "query response · get status values")
    #expect(report.sources[query.source].name == "query")
    #expect(report.sources[query.source].uuid == "b5f90076-aa8d-11e3-9046-0002a5d5c51b")
    #expect(report.sources[query.source].service == "fea6")
    #expect(query.requests == query.count && query.answered == query.count)
    let example = try #require(answer.example)
    #expect(example.payloadCount == 344 && example.payload.count == 344)
    #expect(example.packets.count == 19 && example.packets.first?.frame == 263 && example.packets.last?.frame == 281)
    // The packets consist of headers and the payload.
    let carried = example.packets.reduce(0) { $0 + $1.bytes.count }
    #expect(carried == 344 + 19 + 1)
    let exchange = try #require(report.exchanges.first { $0.example == (260, 281) })
    #expect(report.kinds[exchange.request].name == query.name && report.kinds[exchange.answer].name == answer.name)
    #expect(!exchange.isGuessed && exchange.count == 1 && exchange.median == example.latency)
  }

  /// In GATT tables a characteristic of the Bluetooth SIG has the SIG's name, whether a profile decodes it or not; others have the profile's.
  @Test func attributesHaveTheNamesOfTheirSpecification() throws {
    func names(_ sample: String) throws -> [String: String] {
      let document = ReportDocument(try Self.make(sample))
      return Dictionary(document.databases.flatMap(\.attributes).map { ($0.uuid, $0.name) }) { first, _ in first }
    }
    let heart = try names("heart-rate.btsnoop")
    #expect(heart["2a37"] == "Heart Rate Measurement" && heart["2a19"] == "Battery Level", "\(heart)")
    #expect(try names("gopro.btsnoop")["b5f90076-aa8d-11e3-9046-0002a5d5c51b"] == "query")
  }

  @Test func fieldsLieInThePayload() throws {
    for sample in ["gopro.btsnoop", "heart-rate.btsnoop", "two-cameras.btsnoop", "hostile-name.btsnoop"] {
      let report = try Self.make(sample)
      #expect(!report.messages.isEmpty)
      for message in report.messages where message.layout >= 0 {
        let layout = report.layouts[message.layout]
        for field in layout.fields { #expect(field.range.upperBound <= message.payloadCount, "\(sample) #\(message.frame) \(field.path)") }
        guard case .list(let values) = FieldTree(json: message.values) else {
          Issue.record("\(sample) #\(message.frame): no array")
          continue
        }
        #expect(values.count == layout.fields.count)
      }
    }
  }

  @Test func whatAnIdNamesIsAFieldOfItsOwn() throws {
    let report = try Self.make("gopro.btsnoop")
    let answer = try kind(report, "query response · register status value updates")
    let bars = try #require(answer.fields.first { $0.path == "values[]{internal_battery_percentage}.value" })
    #expect(bars.title == "internal_battery_percentage")
    #expect(bars.series.first?.points.first?.value == 73)
  }

  /// The report alone has what a programmer needs to write a client.
  @Test func aClientCanBeWrittenFromIt() throws {
    let report = try Self.make("gopro.btsnoop")
    let answer = try kind(report, "query response · register status value updates")
    let example = try #require(answer.example)
    let fields = report.layouts[example.layout].fields
    // Byte ranges of fields, and their byte order.
    let time = try #require(fields.firstIndex { $0.path == "values[]{remaining_video_time}.value" })
    #expect(
      report.location(fields[time]) == "16\u{2013}19" && report.type(example, time) == "u4 be" && report.values(example)[time] == "18720")
    let id = try #require(fields.firstIndex { $0.path == "id" })
    #expect(report.type(example, id) == "u1" && report.values(example)[id] == "register_status_value_updates (0x53)")
    // The packets' headers, and the profile's description of them.
    #expect(report.pieces(example).map(\.head) == [[0x1D], [0x80]])
    let definition = try #require(Self.builtin.get().number("gopro").map { try Self.builtin.get().text($0) })
    let framings = ReportDocument(report) { $0 == "gopro" ? definition : nil }.framings
    let lines = try #require(framings.first?.lines)
    #expect(framings.count == 1 && lines.contains("framings:"))
    #expect(lines.contains { $0.hasPrefix("  packet_header:") } && !lines.contains { $0.hasPrefix("  command:") })
    // The attribute that sends the response, and how to subscribe to it.
    let source = report.sources[answer.source]
    #expect(report.subscription(source)?.hasPrefix("To get its values write 01 00 to its configuration (2902), handle 0x") == true)
  }

  @Test func bytesDetermineTheByteOrder() throws {
    let report = try Self.make("heart-rate.btsnoop")
    // All numbers of the Bluetooth SIG's characteristics are little-endian; those of a heart rate strap are measurements and energies.
    let known = report.messages.filter { $0.layout >= 0 && report.sources[report.kinds[$0.kind].source].name == "measurement" }
    let types = Set(known.flatMap { message in report.layouts[message.layout].fields.indices.map { report.type(message, $0) } })
    #expect(types.contains("u2 le") && !types.contains("u2 be"))
  }

  @Test func secretsAreNotInTheReport() throws {
    let report = try Self.make("gopro.btsnoop")
    let password = try #require(report.messages.first { report.kinds[$0.kind].name == "wifi password" })
    #expect(password.payloadCount == 13 && password.payload.allSatisfy { $0 == 0 })
    #expect(String(decoding: password.values, as: UTF8.self) == "[\"(secret)\"]")
    for operation in report.operations where operation.frames.contains(password.frame) { #expect(!operation.messages.isEmpty) }
  }

  @Test func valuesThatNoProfileKnowsAreMessagesToo() throws {
    let report = try Self.make("gopro.btsnoop", isBare: true)
    let source = try #require(report.sources.first { $0.uuid == "b5f90076-aa8d-11e3-9046-0002a5d5c51b" })
    let kinds = source.kinds.map { report.kinds[$0] }
    let total = kinds.reduce(0) { $0 + $1.count }
    let listed = report.messages.count { source.kinds.contains($0.kind) }
    #expect(total == listed && total > 0)
    #expect(kinds.allSatisfy { $0.direction == .write && $0.name == nil })
    #expect(report.exchanges.contains { $0.isGuessed && source.kinds.contains($0.request) })
  }

  @Test func bytesThatVaryAndThoseThatDoNot() throws {
    let report = try Self.make("heart-rate.btsnoop", isBare: true)
    let source = try #require(report.sources.first { $0.uuid == "2a19" })
    let level = report.kinds[try #require(source.kinds.first)]
    #expect(level.columns.count == 1 && level.columns[0].count == level.count)
    #expect(level.columns[0].values.allSatisfy { $0 <= 100 })
  }

  @Test func listsAreBoundedAndCountsAreNot() throws {
    let all = try Self.make("gopro.btsnoop")
    let few = try Self.make("gopro.btsnoop") { $0.entries = 10 }
    #expect(few.messages.count == 10 && few.operations.count == 10)
    #expect(few.messagesLeftOut == all.messages.count - 10 && few.operationsLeftOut == all.operations.count - 10)
    #expect(few.kinds.map(\.count) == all.kinds.map(\.count))
    #expect(few.failures == all.failures)
    // What a kind shows does not depend on the lists.
    for (reduced, other) in zip(few.kinds, all.kinds) {
      let (example, full) = (try #require(reduced.example), try #require(other.example))
      #expect(example.frame == full.frame && example.payload == full.payload && example.text == full.text && example.values == full.values)
      #expect(reduced.columns.map(\.values) == other.columns.map(\.values))
    }
    for (reduced, other) in zip(few.kinds.flatMap(\.fields), all.kinds.flatMap(\.fields)) {
      #expect(reduced.path == other.path && reduced.count == other.count && reduced.values.map(\.count) == other.values.map(\.count))
    }
    let none = try Self.make("gopro.btsnoop") { $0.listsAll = false }
    #expect(none.messages.isEmpty && none.messagesLeftOut == 0 && none.kinds.map(\.count) == all.kinds.map(\.count))
    #expect(none.operations.count + none.operationsLeftOut == all.operations.count && none.failures == all.failures)
  }

  @Test(arguments: ["query", "b5f90076-aa8d-11e3-9046-0002a5d5c51b", "0x0036", "QUERY"])
  func oneCharacteristicAlone(name: String) throws {
    let handle = try #require(try Self.make("gopro.btsnoop").sources.first { $0.name == "query" }).handle
    let characteristic = name.hasPrefix("0x") ? "0x00" + String(handle, radix: 16) : name
    let report = try Self.make("gopro.btsnoop") { $0.characteristic = characteristic }
    #expect(report.matched > 0)
    #expect(report.sources.map(\.name) == ["query"])
    #expect(report.operations.filter { $0.attribute >= 0 }.allSatisfy { $0.handle == handle })
  }

  @Test func aCharacteristicThatIsNotThere() throws {
    #expect(try Self.make("gopro.btsnoop") { $0.characteristic = "nothing" }.matched == 0)
  }

  @Test func aSpanOfTimeAlone() throws {
    let report = try Self.make("gopro.btsnoop") {
      $0.from = TimePoint("+6")
      $0.to = TimePoint("+7")
    }
    let first = try #require(try Self.make("gopro.btsnoop").summary.first)
    #expect(!report.messages.isEmpty)
    for message in report.messages { #expect((6_000_000...7_000_000).contains(message.time - first)) }
    for finding in report.summary.findings { #expect((6_000_000...7_000_000).contains(finding.time - first)) }
  }

  @Test func advertisementsThatRepeatAreCounted() throws {
    let report = try Self.make("gopro.btsnoop")
    let heard = report.kinds.reduce(0) { $0 + ($1.direction == .advertise ? $1.count : 0) }
    let listed = report.messages.count { report.kinds[$0.kind].direction == .advertise }
    #expect(heard > listed && heard == listed + report.repeatedAdvertisements)
  }

  /// The report has the same advertising reports as the summary, by device.
  @Test func signalsAreThoseOfTheReports() throws {
    let report = try Self.make("gopro.btsnoop")
    #expect(report.signals.count == report.summary.heard.count)
    for device in report.summary.heard.devices where device.signal != 127 {
      let signal = try #require(report.signals.first { $0.key & 0xFFFF_FFFF_FFFF == device.address })
      #expect(signal.count == device.reports)
      let steps = signal.buckets.steps.filter { $0.count > 0 }
      #expect(
        steps.map(\.maximum).max() == device.signals.max().map(Int.init) && steps.map(\.minimum).min() == device.signals.min().map(Int.init)
      )
    }
  }

  @Test func stepsOfTimeKeepTheirSum() {
    var buckets = ReportBuckets()
    for index in 0..<100_000 { buckets.add(index % 7, at: Int64(index) * 31_000) }
    #expect(buckets.steps.count <= ReportBuckets.maximum)
    let expected = (0..<100_000).reduce(0) { $0 + $1 % 7 }
    #expect(buckets.steps.reduce(0) { $0 + $1.sum } == expected)
    #expect(buckets.steps.reduce(0) { $0 + $1.count } == 100_000)
    #expect(Int64(buckets.steps.count) * buckets.width >= 99_999 * 31_000)
    let before = buckets.steps[0].sum
    buckets.add(5, at: -1_000_000)
    #expect(buckets.steps[0].sum == before + 5)
  }

  @Test func seriesKeepTheirShape() {
    var series = ReportSeries(peer: 0)
    for index in 0..<10_000 { series.add(Double(index), at: Int64(index)) }
    series.add(.nan, at: 10_000)
    #expect(series.count == 10_000 && series.minimum == 0 && series.maximum == 9999)
    #expect((512...ReportSeries.maximum).contains(series.points.count))
    #expect(zip(series.points, series.points.dropFirst()).allSatisfy { $0.time < $1.time && $0.value == Double($0.time) })
  }

  /// Everything that is inserted into the page is escaped, unless it is HTML itself.
  @Test func interpolatedTextIsEscaped() {
    let name = "<b title='\"'>&amp;</b>"
    let page: HTML = "<p title=\"\(name)\">\(each: [name], { "<i>\($0)</i>" })\(7)"
    let escaped = "&lt;b title=&apos;&quot;&apos;&gt;&amp;amp;&lt;/b&gt;"
    #expect(page.text == "<p title=\"\(escaped)\"><i>\(escaped)</i>7")
  }

  /// Hostile device names: they add no markup, and do not end the data.
  @Test func namesOfDevicesAreText() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("report-\(UUID().uuidString).html").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    let file = try #require(FileHandle(forWritingAtPath: path))
    let document = ReportDocument(try Self.make("hostile-name.btsnoop"))
    try HTMLWriter(document, to: TextBuffer(descriptor: file.fileDescriptor)).write()
    try file.close()
    let page = try String(contentsOfFile: path, encoding: .utf8)
    #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
    #expect(page.components(separatedBy: "<script").count == 3 && page.components(separatedBy: "</script").count == 3)
    #expect(!page.contains("<img") && !page.contains("<!--") && !page.utf8.contains(0x1B))
  }

  /// Values are found by their frames, also where these come out of order; of many the last are kept.
  @Test func valuesOfFrames() {
    var ring = FrameRing<Int>(bound: 8)
    for frame in [10, 20, 40, 30, 20] { ring[frame] = frame * 2 }
    #expect([10, 20, 30, 40].allSatisfy { ring[$0] == $0 * 2 } && ring[25] == nil && ring[50] == nil && ring[0] == nil)
    for frame in 100..<200 { ring[frame] = frame }
    #expect((192..<200).allSatisfy { ring[$0] == $0 } && ring[180] == nil && ring[10] == nil)
  }
}
