import Analysis
import BothSides
import Bluetooth
import Conversations
import Text

/// How many of the sniffers' results were printed.
struct AirProgress {
  /// PDUs that the log lacks, printed so far.
  var unlogged = 0
  /// Printed remarks, and those that were only counted.
  var remarks = 0, leftOut = 0
}

/// Sniffers' results in the timeline: a line for each capture above it, and a line below a packet that waited long, was repeated often, or was not
/// heard.
extension TextPrinter: AirPrinter {
  /// Most remarks of a capture; with -V and in a live timeline all are printed.
  private static let maxRemarks = 60
  /// Least number of repetitions for a remark.
  private static let manyRepetitions = 3
  /// Shortest wait for a remark in connection intervals, and in µs where the interval is not known.
  private static let longIntervals: Int64 = 4, longWait: Int64 = 200_000

  /// Prints how each sniffer's capture matches this one.
  func airTitles(_ air: AirSide) {
    for capture in air.captures {
      let start = out.count
      out.paint(.bold, style)
      out.untrusted(Array(capture.name.utf8), .terminal)
      out.unpaint(.bold, style)
      out.text(": ")
      switch capture.result {
      case .failure(let failure): out.text(failure.text)
      case .success(let match): out.airClock(match, leftOut: capture.leftOut + air.leftOut)
      }
      if let width = style.width { out.wrap(from: start, indent: 2, width: width) }
      out.byte(0x0A)
    }
    for figures in air.figures {
      let start = out.count
      out.text("  0x")
      out.hex(UInt64(figures.handle), digits: 4)
      out.text(" is 0x")
      out.hex(UInt64(figures.accessAddress), digits: 8)
      out.text(": ")
      out.string(SnifferText.figures(figures))
      if let width = style.width { out.wrap(from: start, indent: 4, width: width) }
      out.byte(0x0A)
    }
  }

  /// Prints PDUs heard until `time` that the log lacks; not between rows that a filter selected.
  func unlogged(_ air: AirSide, until time: Int64, _ batch: RowBatch) {
    if options.isFolding { unlogged(air, until: time, batch.tables) }
  }

  private func unlogged(_ air: AirSide, until time: Int64, _ tables: ConversationTables) {
    while self.air.unlogged < air.unlogged.count, air.unlogged[self.air.unlogged].time <= time {
      unlogged(air, air.unlogged[self.air.unlogged], tables)
      self.air.unlogged += 1
    }
  }

  private func unlogged(_ air: AirSide, _ packet: AirSide.Unlogged, _ tables: ConversationTables) {
    airLine(frame: nil, .yellow, tables) {
      $0.text(packet.isSent ? "not in this log: sent, " : "not in this log: received, ")
      $0.decimal(packet.length)
      $0.text(packet.length == 1 ? " byte over 0x" : " bytes over 0x")
      $0.hex(UInt64(packet.handle), digits: 4)
      source(air, packet.capture, [packet.frame], to: $0)
    }
  }

  /// Prints a remark on a packet's transmission if it is notable; with -V on each packet.
  func remark(_ air: AirSide, _ row: PacketRow, _ batch: RowBatch) {
    guard row.layer != .note else { return }
    // A packet without a row of its own is named.
    remark(air, row.frame, batch.tables, name: row.frame == hiddenFrame || isLastRepeated ? Dissection.name(row) : nil)
  }

  private func remark(_ air: AirSide, _ frame: Int, _ tables: ConversationTables, name: StaticName? = nil) {
    func begin(_ out: TextBuffer) {
      guard let name else { return }
      out.name(name)
      out.text(": ")
    }
    if air.isUnheard(frame) {
      airLine(frame: frame, .yellow, tables) {
        begin($0)
        $0.text("not heard, although the sniffer followed the connection")
      }
      return
    }
    guard let heard = air.heard(frame) else { return }
    let isSent = air.isSent(frame)
    let interval = air.interval(frame)
    let isLong = isSent && heard.delay >= (interval > 0 ? max(Self.longIntervals * interval, 50_000) : Self.longWait)
    let isRepeated = heard.retransmissions >= Self.manyRepetitions
    guard options.isVerbose || isLong || isRepeated else { return }
    airLine(frame: frame, .dim, tables) { out in
      begin(out)
      if options.isVerbose || isLong {
        if heard.delay < 0 { out.text("0 ms") } else { clock.duration(heard.delay, to: out) }
        out.text(isSent ? " in the controller" : " from the air to the host")
      }
      if options.isVerbose || isRepeated {
        if options.isVerbose || isLong { out.text(", ") }
        out.decimal(heard.retransmissions)
        out.text(heard.retransmissions == 1 ? " repetition, " : " repetitions, ")
        out.text(heard.channels.count == 1 ? "channel" : "channels")
        for channel in heard.channels.prefix(8) {
          out.byte(0x20)
          out.decimal(Int(channel))
        }
        if heard.channels.count > 8 {
          out.byte(0x20)
          out.glyph(.ellipsis, style)
        }
      }
      source(air, heard.capture, heard.frames, to: out)
    }
  }

  /// Prints new results about rows above, and PDUs that the log lacks unless a filter selected the rows.
  public func joined(_ join: LiveAirSide.Join, _ tables: ConversationTables, passes: (Int) -> Bool) {
    for number in join.aligned {
      guard let match = join.side.captures[number].match else { continue }
      airLine(frame: nil, .dim, tables) {
        $0.untrusted(Array(join.side.captures[number].name.utf8), .terminal)
        $0.text(": ")
        $0.airClock(match, leftOut: 0)
      }
    }
    var missing = options.isFolding ? join.unlogged[...] : []
    for frame in join.frames where passes(frame) {
      while let packet = missing.first, packet.time <= join.side.time(frame) ?? .min {
        unlogged(join.side, packet, tables)
        missing.removeFirst()
      }
      remark(join.side, frame, tables)
    }
    for packet in missing { unlogged(join.side, packet, tables) }
  }

  /// Prints how each sniffer's capture matches this one.
  public func ended(_ side: AirSide) {
    guard !options.isQuiet else { return }
    out.byte(0x0A)
    airTitles(side)
  }

  /// Prints the number of remarks that were left out.
  func endAir(_ air: AirSide, _ tables: ConversationTables) {
    if options.isFolding { unlogged(air, until: .max, tables) }
    guard self.air.leftOut > 0, !options.isQuiet else { return }
    out.paint(.dim, style)
    out.spaces(columns.indent)
    out.decimal(self.air.leftOut)
    out.text(" more notes on the air (-V)")
    out.unpaint(.dim, style)
    out.byte(0x0A)
  }

  /// Packets of a sniffer's capture: `  sniffer.pcapng #12 #14`, without the name where there is only one.
  private func source(_ air: AirSide, _ capture: Int, _ frames: [Int], to out: TextBuffer) {
    out.text("  ")
    if air.captures.count > 1 {
      out.untrusted(Array(air.captures[capture].name.utf8), .terminal)
      out.byte(0x20)
    }
    for (index, frame) in frames.prefix(8).enumerated() {
      out.text(index > 0 ? " #" : "air #")
      out.decimal(frame)
    }
    if frames.count > 8 {
      out.byte(0x20)
      out.glyph(.ellipsis, style)
    }
  }

  private func airLine(frame: Int?, _ paint: Style.ColorRole, _ tables: ConversationTables, _ body: (TextBuffer) -> Void) {
    guard options.isVerbose || options.isLive || air.remarks < Self.maxRemarks else {
      air.leftOut += 1
      return
    }
    air.remarks += 1
    if !repetitions.isEmpty { interrupt(nil, tables) }
    let start = out.count
    out.paint(paint, style)
    if let frame {
      out.spaces(columns.frame - TimelineColumns.digits(frame))
      out.decimal(frame)
      out.spaces(columns.indent - columns.frame)
    } else {
      out.spaces(columns.indent)
    }
    out.glyph(.message, style)
    out.spaces(columns.glyphGap)
    body(out)
    out.unpaint(paint, style)
    if let width = style.width { out.wrap(from: start, indent: columns.lead + 2, width: width) }
    out.byte(0x0A)
  }
}

/// Texts about sniffers for the timeline and for reports.
enum SnifferText {
  /// `38 of 41 packets heard, waits in the controller 12 ms at the median and 212 ms at most (#57), 6 repeated, 2 not heard`.
  static func figures(_ side: AirSide.Figures) -> String {
    var parts = ["\(side.matched) of \(side.possible) \(side.possible == 1 ? "packet" : "packets") heard"]
    if let median = side.median {
      let shown = TextBuffer.words { Clock().duration(max(0, median), to: $0) }
      let longest = TextBuffer.words { Clock().duration(max(0, side.longest), to: $0) }
      parts.append("waits in the controller: median \(shown), longest \(longest) (#\(side.slowest))")
    }
    let repeated = side.repeated.reduce(0, +)
    if repeated > 0 {
      parts.append("\(repeated) repeated\(side.repeated[2] > 0 ? ", \(side.repeated[2]) of them three times or more" : "")")
    }
    if side.unheard > 0 { parts.append("\(side.unheard) not heard") }
    if side.unlogged > 0 { parts.append("\(side.unlogged) heard that this log lacks") }
    return parts.joined(separator: "; ")
  }
}

extension SessionMatch.Failure {
  /// The reason why nothing matches, in words.
  public var text: StaticString {
    switch self {
    case .noHostData: "the log has no data of a connection"
    case .noAirData:
      "no data of a connection could be read in it: nothing was heard, or it is encrypted and no key decrypts it (btscribe keys)"
    case .nothingInCommon: "it has no session in common with the log: no packets, or too few, are the same"
    case .contradictory: "packets are the same as in the log, but their order in time does not fit one session"
    case .ambiguous: "packets are the same as in the log, but they fit in more than one place"
    }
  }
}

extension TextBuffer {
  /// `38 of 41 packets match; its clock is 2.345678 s ahead and gains 18.2 ppm, ±120 µs`.
  func airClock(_ match: SessionMatch, leftOut: Int) {
    decimal(match.links.reduce(0) { $0 + $1.matched })
    text(" of ")
    decimal(match.links.reduce(0) { $0 + $1.possible })
    text(" packets match; its clock is ")
    let offset = Int64(match.clock.offset.rounded())
    Clock().seconds(abs(offset), to: self)
    text(offset < 0 ? " s behind" : " s ahead")
    // The drift is printed only if the packets determine it well.
    if match.clock.drift != 0, match.clock.driftError <= 20 {
      text(match.clock.drift < 0 ? " and loses " : " and gains ")
      string(Self.tenths(abs(match.clock.drift)))
      text(" ppm")
    }
    if let error = match.clock.error {
      text(", \u{B1}")
      decimal(Int(error.rounded(.up)))
      text(" \u{B5}s")
    } else {
      text("; its error is unknown, as the packets are of one direction")
    }
    clockJumps(match)
    if leftOut > 0 {
      text("; ")
      decimal(leftOut)
      text(leftOut == 1 ? " packet exceeded the limit and was not compared" : " packets exceeded the limit and were not compared")
    }
  }

  /// `; from #812 on the log's clock is 3600.200000 s ahead of what it was`.
  private func clockJumps(_ match: SessionMatch) {
    for piece in match.pieces.dropFirst().prefix(3) {
      text("; from #")
      decimal(piece.frame)
      if let jump = piece.jump {
        text(piece.jumped == .sniffer ? " on its clock is " : " on the log's clock is ")
        Clock().seconds(Int64(clamping: jump.magnitude), to: self)
        text((jump < 0) != (piece.jumped == .sniffer) ? " s behind what it was" : " s ahead of what it was")
        if piece.jumped == nil {
          text(jump < 0 ? ", or the sniffer's ahead: it is unknown which" : ", or the sniffer's behind: it is unknown which")
        }
      } else {
        let whose: StaticString =
          switch piece.jumped {
          case .host: " on the log's clock jumps"
          case .sniffer: " on its clock jumps"
          case nil: " on a clock jumps"
          }
        text(piece.clock == nil ? whose : " on the clocks are aligned again")
        if piece.clock == nil { text(", and too few packets match to align it") }
      }
    }
    let more = max(0, match.pieces.count - 4) + match.jumpsLeftOut
    if more > 0 {
      text("; and ")
      decimal(more)
      text(more == 1 ? " more jump" : " more jumps")
    }
  }

  static func tenths(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  /// The members of a sniffer's capture in NDJSON.
  func airCapture(_ capture: AirSide.Capture, _ match: SessionMatch, _ air: AirSide) {
    text("\"capture\":\"")
    untrusted(Array(capture.name.utf8), .json)
    text("\",\"offset_us\":")
    decimal(Int(match.clock.offset.rounded()))
    text(",\"drift_ppm\":")
    if match.clock.drift <= -0.05 { byte(UInt8(ascii: "-")) }
    string(Self.tenths(abs(match.clock.drift)))
    text(",\"drift_error_ppm\":")
    string(Self.tenths(match.clock.driftError))
    if let error = match.clock.error {
      text(",\"error_us\":")
      decimal(Int(error.rounded(.up)))
    }
    text(",\"possible\":")
    decimal(match.links.reduce(0) { $0 + $1.possible })
    text(",\"matched\":")
    decimal(match.links.reduce(0) { $0 + $1.matched })
    text(",\"unheard\":")
    decimal(match.unheard.count)
    text(",\"unlogged\":")
    decimal(match.unlogged.count)
    if capture.leftOut + air.leftOut > 0 {
      text(",\"left_out\":")
      decimal(capture.leftOut + air.leftOut)
    }
    guard match.pieces.count > 1 else { return }
    text(",\"jumps\":[")
    for (number, piece) in match.pieces.dropFirst().enumerated() {
      text(number > 0 ? ",{\"frame\":" : "{\"frame\":")
      decimal(piece.frame)
      if let jump = piece.jump {
        text(",\"by_us\":")
        decimal(Int(jump))
      }
      switch piece.jumped {
      case .host: text(",\"clock\":\"host\"")
      case .sniffer: text(",\"clock\":\"sniffer\"")
      case nil: break
      }
      text(piece.clock == nil ? ",\"aligned\":false}" : "}")
    }
    byte(UInt8(ascii: "]"))
    if match.jumpsLeftOut > 0 {
      text(",\"jumps_left_out\":")
      decimal(match.jumpsLeftOut)
    }
  }

  /// The sniffers' result about a packet as a member of its object with a leading comma; nothing where there is none.
  func airMember(_ air: AirSide, _ frame: Int) {
    guard let heard = air.heard(frame) else {
      if air.isUnheard(frame) { text(",\"air\":{\"frames\":[]}") }
      return
    }
    text(",\"air\":{\"capture\":\"")
    untrusted(Array(air.captures[heard.capture].name.utf8), .json)
    text("\",\"frames\":[")
    for (index, frame) in heard.frames.enumerated() {
      if index > 0 { byte(UInt8(ascii: ",")) }
      decimal(frame)
    }
    text("],\"time\":\"")
    Clock().rfc3339(heard.time, to: self)
    text("\",\"delay_us\":")
    decimal(Int(heard.delay))
    text(",\"retransmissions\":")
    decimal(heard.retransmissions)
    text(",\"channels\":[")
    for (index, channel) in heard.channels.enumerated() {
      if index > 0 { byte(UInt8(ascii: ",")) }
      decimal(Int(channel))
    }
    text("]}")
  }
}
