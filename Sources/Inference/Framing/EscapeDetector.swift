import PacketCodecs

/// Finds frames whose bytes are escaped: COBS between zeros, SLIP, HDLC.
enum EscapeDetector {
  struct Found {
    var name: String
    /// The frames without escapes and delimiters.
    var frames: [[UInt8]]
    var check: CheckFinding?
  }

  /// The escape that all frames obey; nil where there is none.
  static func find(_ frames: [ArraySlice<UInt8>]) -> Found? {
    guard frames.count >= 2, let last = frames[0].last else { return nil }
    guard last == 0 || last == 0xc0 || last == 0x7e else { return nil }
    // The delimiter ends all, and is nowhere else but perhaps in front.
    for frame in frames {
      guard frame.count >= 3, frame.last == last, !frame.dropFirst().dropLast().contains(last) else { return nil }
    }
    let escape: (name: String, rule: ByteEscape) = last == 0 ? ("cobs", .cobs) : last == 0xc0 ? ("slip", .slip) : ("hdlc", .hdlc())
    var decoded: [[UInt8]] = []
    for frame in frames {
      var body = frame.dropLast()
      if body.first == last { body = body.dropFirst() }
      guard let plain = decode(body, escape.rule) else { return nil }
      decoded.append(plain)
    }
    // Without a byte that was escaped nothing shows that there are escapes; COBS always shows.
    let isShown = last == 0 || zip(frames, decoded).contains { $0.count > $1.count + 2 }
    guard isShown else { return nil }
    return Found(name: escape.name, frames: decoded, check: CheckDetector.find(decoded.map { $0[...] }))
  }

  private static func decode(_ body: ArraySlice<UInt8>, _ rule: ByteEscape) -> [UInt8]? {
    if rule == .cobs {
      var out: [UInt8] = []
      var at = body.startIndex
      while at < body.endIndex {
        let code = Int(body[at])
        guard code > 0, at + code <= body.endIndex else { return nil }
        out += body[(at + 1)..<(at + code)]
        at += code
        if code < 255, at < body.endIndex { out.append(0) }
      }
      return out
    }
    var out: [UInt8] = []
    let bytes = Array(body)
    return unsafe rule.decode(bytes.span.bytes, into: &out) == nil ? out : nil
  }
}
