import BothSides
import Captures
import Comparison
import FuzzCaptures
import FuzzCodecs
import FuzzFilters
import FuzzInput
import FuzzKaitaiStruct
import FuzzPackets
import FuzzProfiles
import FuzzRedaction
import Inference
import Profiles
import Output
import Analysis
import Text

extension FuzzTarget {
  /// All targets, the small ones first.
  public static let all = codecs + captures + packets + descriptions + profiles + filters + redactions + programs

  /// A capture through the complete program.
  public static let programs = [
    FuzzTarget(name: "program", longest: 1024) { bytes in
      show(Array(bytes), choice: bytes.count % 8 + 8 * Int(bytes.last ?? 0))
    },
    FuzzTarget(name: "conversation", longest: 256) { bytes in
      show(Conversation.capture(bytes), choice: bytes.count % 8 + 8 * Int(bytes.first ?? 0))
    },
    FuzzTarget(name: "diff", longest: 1024) { bytes in
      let file = Array(bytes)
      // In the second capture one byte behind the file's header differs.
      var other = file
      if let last = file.last, file.count > 40 { other[40 + Int(last) % (file.count - 40)] ^= last | 1 }
      guard let a = recording(file), let b = recording(other) else { return }
      var selfComparison = CaptureComparison(good: [a], bad: a)
      check(selfComparison.run().rows.isEmpty, "a capture differs from itself")
      // Some are compared as if one was redacted.
      if file.count % 4 == 1 { b.hasRedactionNote = true }
      var options = CaptureComparison.Options()
      options.isStrict = file.count % 2 == 1
      var comparison = CaptureComparison(good: file.count % 3 == 0 ? [a, b] : [a], bad: b, options: options)
      let result = comparison.run()
      check(result.rows.allSatisfy { $0.cause < result.rows.count }, "no such row")
      let out = TextBuffer()
      do {
        let words = ComparisonSentences(a, b, result, Style(isColored: true, width: file.count % 5 == 0 ? 60 : 140))
        try ComparisonText(out, words).print()
        try ComparisonJSON(out, a, b).print(result)
        try ComparisonMarkdown(out, words).write()
        try ComparisonHTML(out, words).write()
      } catch {
        check(false, "\(error)")
      }
    },
    FuzzTarget(name: "alignment", longest: 1024) { bytes in align(bytes) },
    FuzzTarget(name: "live-air", longest: 1024) { bytes in LiveAir.run(bytes) },
    FuzzTarget(name: "infer", longest: 512) { bytes in
      // The first byte of each value is its size.
      var source = StreamSource(.characteristics, direction: (bytes.first ?? 0) & 1 == 0 ? "notify" : "write")
      source.handle = 16
      var stream = ValueStream(source)
      var rest = Array(bytes.dropFirst())[...]
      var time: Int64 = 0
      while let size = rest.popFirst() {
        time += Int64(size) * 1000
        stream.append(rest.prefix(Int(size & 63)), at: time)
        rest = rest.dropFirst(Int(size & 63))
      }
      var found = Inference.run([stream])
      for index in found.indices {
        ProfilePruner.prune(&found[index], stream)
        let text = ProfileWriter.profile(of: found[index], name: "fuzz")
        check((try? ProfileSet(builtin: false, texts: [(text, "fuzz.yaml", .given)])) != nil || stream.count == 0, "no profile: \(text)")
      }
      let out = TextBuffer()
      InferenceText(out, style: Style()).print(found)
      out.string(ResultJSON.text(found))
    },
  ]

  /// Shows a capture in one of the output formats.
  private static func show(_ file: [UInt8], choice: Int) {
    guard let source = try? CaptureFile.open(bytes: file, name: "fuzz") else { return }
    var options = Timeline.Options()
    // Each device that occurs is matched against all profiles; most inputs use the few profiles that match in different ways.
    options.profiles = choice % 8 == 7 ? builtin : few
    let facts = CaptureFacts(name: "fuzz", title: source.title)
    let out = TextBuffer()
    // Data that are not read from files cause no error.
    do {
      switch (choice / 8) % 7 {
      case 0: _ = try Timeline(source, options: options).run(facts, to: NDJSONPrinter(out))
      case 1:
        var text = TextPrinter.Options()
        text.isVerbose = true
        text.showsBytes = true
        text.isFolding = false
        text.style.isColored = true
        _ = try Timeline(source, options: options).run(facts, to: TextPrinter(out, text))
      case 2: _ = try Timeline(source, options: options).run(facts, to: TextPrinter(out))
      case 3:
        let summary = Summary()
        _ = try Timeline(source, options: options).run(facts, to: summary)
        SummaryText(out, style: Style()).print(summary)
      case 4:
        let summary = Summary()
        _ = try Timeline(source, options: options).run(facts, to: summary)
        SummaryJSON(out).print(summary)
      case 5: _ = try Timeline(source, options: options).run(facts, to: Operations(OperationJSON(out, isArray: false)))
      default: _ = try Timeline(source, options: options).run(facts, to: Operations(OperationText(out, style: Style())))
      }
    } catch {
      check(false, "\(error)")
    }
  }

  private static func recording(_ file: [UInt8]) -> Recording? {
    guard let source = try? CaptureFile.open(bytes: file, name: "fuzz") else { return nil }
    var options = Timeline.Options()
    options.profiles = few
    let recorder = StepRecorder()
    _ = try? Timeline(source, options: options).run(CaptureFacts(name: "fuzz", title: source.title), to: recorder)
    return recorder.recording
  }

  private static let builtin: ProfileSet = {
    do { return try ProfileSet() } catch { fatalError("\(error)") }
  }()

  private static let few: ProfileSet = {
    let wanted = ["bluetooth-sig", "gopro", "heart-rate", "garmin-gfdi", "ibeacon", "bthome-v1", "mesh-proxy", "hhcc-plant-sensor"]
    let texts = builtin.summaries.filter { wanted.contains($0.id) }
      .map { (text: builtin.text($0.number), file: $0.id, origin: ProfileSet.Origin.given) }
    check(texts.count == wanted.count, "a built-in profile is missing")
    do { return try ProfileSet(builtin: false, texts: texts) } catch { fatalError("\(error)") }
  }()
}

extension FuzzTarget {
  /// PDUs of a host and on the air, five bytes each: side and direction, content, and the time since the previous one.
  private static func align(_ bytes: UnsafeRawBufferPointer) {
    var choices = Choices(bytes)
    var logged: [RecordedSession.PDU] = []
    var heard: [RecordedSession.PDU] = []
    var clocks: (host: Int64, air: Int64) = (0, Int64(choices.byte()) << Int64(choices.byte() % 64))
    let limit = Int64(1) << 59
    while !choices.isAtEnd {
      let what = choices.byte()
      let pause = Int64(choices.byte()) << Int64(choices.byte() % 48)
      let content = UInt64(choices.byte() % 32) &* 0x9E37_79B9_7F4A_7C15
      let onBoth = what & 3 == 0
      clocks.host &+= pause
      clocks.air &+= pause
      let wait = Int64(choices.byte()) * 128
      func pdu(_ time: Int64, _ count: Int) -> RecordedSession.PDU {
        RecordedSession.PDU(
          digest: content, frame: count + 1, start: time, end: time, connection: Int32(what >> 4 & 3), length: 9, isForward: what & 4 != 0)
      }
      // Times that no capture can have are removed when captures are read.
      guard (-limit...limit).contains(clocks.host), (-limit...limit).contains(clocks.air) else { break }
      if onBoth || what & 3 == 1 { logged.append(pdu(clocks.host, logged.count)) }
      if onBoth || what & 3 == 2 { heard.append(pdu(clocks.air &+ (what & 4 != 0 ? wait : -wait), heard.count)) }
    }
    var connections = [RecordedSession.Connection](repeating: RecordedSession.Connection(), count: 4)
    connections[1].isCentral = true
    let host = RecordedSession(connections, logged)
    let air = RecordedSession(connections, heard)
    var side = AirSide(host)
    for name in ["one", "other"] { side.add(air, name: name) }
    for pdu in logged where side.isUnheard(pdu.frame) { check(side.heard(pdu.frame) == nil, "a packet was heard and was not") }
    guard let match = try? SessionMatch(host, air) else { return }
    var last: [UInt64: Int32] = [:]
    var taken: Set<Int32> = []
    for (index, other) in match.heard.enumerated() where other >= 0 {
      let (pdu, two) = (host.pdus[index], air.pdus[Int(other)])
      check(taken.insert(other).inserted, "a PDU of the air belongs to two of the host")
      check(match.logged[Int(other)] == Int32(index), "both sides tell another match")
      check(pdu.digest == two.digest, "a PDU is matched with another")
      let key = pdu.digest ^ UInt64(pdu.connection) << 2 ^ (pdu.isForward ? 1 : 0)
      check(other > last[key] ?? -1, "the same PDUs are matched out of order")
      last[key] = other
    }
    check(match.unheard.allSatisfy { match.heard[Int($0)] < 0 }, "a PDU was heard and was not")
    check(match.unlogged.allSatisfy { match.logged[Int($0)] < 0 }, "a PDU was logged and was not")
  }
}
