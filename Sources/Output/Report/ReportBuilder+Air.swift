import Analysis
import BothSides
import Text

/// The sniffers' part of a report.
extension ReportBuilder {
  func air(_ document: inout ReportDocument) {
    guard let air = report.options.air else { return }
    document.airCaptures = air.captures.map { capture in
      let result =
        switch capture.result {
        case .failure(let failure): failure.text.description
        case .success(let match): words { $0.airClock(match, leftOut: capture.leftOut + air.leftOut) }
        }
      return "\(TextBuffer.harmless(capture.name)): \(result)"
    }
    document.air = air.figures.prefix(Limits.connections).map { figures in
      func shown(_ wait: Int64?) -> String { wait.map { duration(max(0, $0)) } ?? "" }
      func often(_ number: Int) -> String { number == 0 ? "" : grouped(number) }
      let busiest = figures.channels.indices.filter { figures.channels[$0].repeated > 0 }
        .sorted { (figures.channels[$1].repeated, $0) < (figures.channels[$0].repeated, $1) }.prefix(5)
      let repeated = zip(figures.repeated, ["once", "twice", "more often"]).filter { $0.0 > 0 }.map { "\(grouped($0.0)) \($0.1)" }
      return .init(
        handle: report.handle(figures.handle), accessAddress: "0x" + words { $0.hex(UInt64(figures.accessAddress), digits: 8) },
        heard: "\(grouped(figures.matched)) of \(grouped(figures.possible))", median: shown(figures.median),
        longest: figures.median == nil ? "" : shown(figures.longest), longestFrame: figures.slowest,
        repeated: repeated.joined(separator: ", "),
        channels: busiest.map { "\($0) (\(figures.channels[$0].repeated) of \(figures.channels[$0].packets))" }.joined(separator: ", "),
        unheard: often(figures.unheard), unlogged: often(figures.unlogged))
    }
  }
}

extension ReportDocument {
  /// Figures of one connection as heard by sniffers.
  struct AirConnection {
    var handle: String, accessAddress: String, heard: String, median: String, longest: String
    /// The frame with the longest wait.
    var longestFrame: Int
    /// Numbers of packets that were repeated once, twice, and more often.
    var repeated: String
    /// The channels with most repetitions.
    var channels: String
    var unheard: String, unlogged: String
  }
}
