import Captures
import FuzzCaptures
import FuzzCodecs
import FuzzFilters
import FuzzInput
import FuzzKaitaiStruct
import FuzzPackets
import FuzzProfiles
import Inference
import Profiles
import Output
import Analysis
import Text

extension FuzzTarget {
  /// All targets, the small ones first.
  public static let all = codecs + captures + packets + descriptions + profiles + filters + programs

  /// The whole way of a capture.
  public static let programs = [
    FuzzTarget(name: "program", longest: 1024) { bytes in
      let file = Array(bytes)
      guard let source = try? CaptureFile.open(bytes: file, name: "fuzz") else { return }
      var options = Timeline.Options()
      // All profiles ask each device that is heard; most inputs meet the few that do it in different ways.
      options.profiles = bytes.count % 8 == 7 ? builtin : few
      let facts = CaptureFacts(name: "fuzz", title: source.title)
      let out = TextBuffer()
      // What is not read from files does not fail.
      do {
        switch file.last.map({ $0 % 7 }) ?? 0 {
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
    },
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
      for place in found.indices {
        ProfileSettler.settle(&found[place], stream)
        let text = ProfileWriter.profile(of: found[place], name: "fuzz")
        check((try? ProfileSet(builtin: false, texts: [(text, "fuzz.yaml", .given)])) != nil || stream.count == 0, "no profile: \(text)")
      }
      let out = TextBuffer()
      InferenceText(out, style: Style()).print(found)
      out.string(ResultJSON.text(found))
    },
  ]

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
