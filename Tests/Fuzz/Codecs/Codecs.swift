import FuzzInput
import PacketCodecs

extension FuzzTarget {
  /// Codecs from bytes to messages.
  public static let codecs = [
    FuzzTarget(name: "fragments", longest: 256) { bytes in
      var choices = Choices(bytes)
      var rules = FragmentRules()
      rules.onRestart = choices.element(of: [.drop, .append, .error, .complete])
      rules.onGap = choices.element(of: [.warn, .drop, .ignore])
      rules.onSurplus = choices.element(of: [.keep, .trim, .next, .error])
      rules.ordering = choices.element(of: [.sequential, .byIndex])
      rules.firstIndex = choices.number()
      if choices.flag() {
        rules.counter = .init(
          modulo: choices.number(), start: choices.optional(), wrapsTo: choices.number(), scope: choices.element(of: [.message, .channel]))
      }
      rules.maximumBytes = choices.element(of: [0, 7, 64, 1 << 20])
      rules.maximumFragments = choices.element(of: [0, 1, 5, 1 << 16])
      rules.idle = choices.optional().map(Int64.init)
      var reassembler = FragmentReassembler(rules)
      let described: (Reassembled) -> Void = { message in
        check(message.kind == .unjoined || message.bytes.byteCount <= rules.maximumBytes, "more bytes than the rules allow")
        for index in message.pieces.indices {
          let piece = message.pieces[index]
          check(piece.messageOffset >= 0 && piece.count >= 0, "a piece that lies nowhere")
        }
      }
      var tag: UInt64 = 0
      while !choices.isAtEnd {
        tag += 1
        let choice = choices.byte()
        let role = FragmentRole(
          starts: choice & 1 == 0 ? nil : choice & 2 == 0, ends: choice & 4 == 0 ? nil : choice & 8 == 0,
          total: choice & 16 == 0 ? nil : choices.number(), count: choice & 32 == 0 ? nil : choices.number(),
          index: choice & 64 == 0 ? nil : choices.number(), counter: choice & 128 == 0 ? nil : choices.number())
        let more = choices.byte()
        if more == 1 { reassembler.flush(now: Int64(truncatingIfNeeded: choices.number()), deliver: described) }
        if more == 2 { reassembler.finish(deliver: described) }
        if more == 3 { reassembler.expectedTotal = choices.number() }
        let payload = choices.piece(Int(more & 31))
        let left = reassembler.push(
          RawSpan(_unsafeBytes: payload), at: choices.number(), role: role, tag: tag, time: Int64(truncatingIfNeeded: choices.number()),
          deliver: described)
        check(left >= 0 && left <= payload.count, "bytes left over that were not there")
        check(reassembler.pendingBytes <= max(0, rules.maximumBytes), "more bytes kept than the rules allow")
      }
      reassembler.finish(deliver: described)
    },
    FuzzTarget(name: "stream", longest: 256) { bytes in
      var choices = Choices(bytes)
      var rules = StreamRules()
      rules.starts = choices.pieces(upTo: 2, of: 3)
      rules.prefixes = choices.pieces(upTo: 1, of: 2)
      rules.ends = choices.pieces(upTo: 2, of: 2)
      rules.noise = choices.pieces(upTo: 1, of: 2)
      rules.escape = choices.flag() ? choices.byte() : nil
      rules.padding = choices.flag() ? choices.byte() : nil
      rules.fixedTotal = choices.optional()
      rules.maximum = choices.element(of: [0, 1, 16, 1 << 16])
      rules.restart = choices.element(of: [.never, .atPacketStart, .anywhere])
      rules.resync = choices.element(of: [.marker, .packet])
      rules.onBadEnd = choices.element(of: [.resync, .deliver])
      rules.onSurplus = choices.element(of: [.keep, .trim, .next, .error])
      rules.onIdle = choices.element(of: [.drop, .complete])
      rules.idle = choices.optional().map(Int64.init)
      let style = choices.byte() % 5
      let length: (RawSpan) -> StreamLength = { window in
        if style == 0 { return .unknown }
        guard window.byteCount >= 2 else { return .needs(2) }
        let lengthByte = window.unsafeLoad(fromByteOffset: 1, as: UInt8.self)
        switch style {
        case 1: return .total(Int(lengthByte))
        case 2: return lengthByte == 0 ? .bad : .total(Int(lengthByte) - 100)
        case 3: return lengthByte > 200 ? .needs(Int(lengthByte) << 48) : lengthByte > 100 ? .needs(-1) : .total(2 + Int(lengthByte & 7))
        default: return lengthByte > 250 ? .total(.max) : lengthByte > 240 ? .unknown : .total(Int(lengthByte & 15))
        }
      }
      var framer = StreamFramer(rules)
      var given = 0
      var described = 0
      let deliver: (Reassembled) -> Void = { described += $0.bytes.byteCount + $0.surplus }
      var tag: UInt64 = 0
      while !choices.isAtEnd {
        tag += 1
        let more = choices.byte()
        if more == 1 { framer.flush(now: Int64(truncatingIfNeeded: choices.number()), deliver: deliver) }
        if more == 2 { framer.finish(deliver: deliver) }
        if more == 3 { framer.expectedTotal = choices.number() }
        let packet = choices.piece(Int(more & 31))
        given += packet.count
        framer.push(
          RawSpan(_unsafeBytes: packet), tag: tag, time: Int64(truncatingIfNeeded: choices.number()), length: length, deliver: deliver)
        check(framer.pendingBytes <= given, "more bytes kept than were given")
      }
      framer.finish(deliver: deliver)
      check(described >= given, "\(given) bytes given, \(described) told")
    },
    FuzzTarget(name: "tlv", longest: 192) { bytes in
      var choices = Choices(bytes)
      let fields: [TLVFormat.Field] = [
        .bytes(1), .absent, .bytes(2, .big), .bytes(2, .little), .varint(.little), .varint(.big), .ber, .bytes(8, .big),
        .bytes(99, .little),
      ]
      var format = TLVFormat(
        tag: choices.element(of: fields), length: choices.element(of: fields),
        fixedLengths: choices.flag() ? (0..<3).map { _ in .init(tag: UInt64(choices.byte()), count: choices.number()) } : [])
      format.lengthFirst = choices.flag()
      format.lengthCounts = choices.element(of: TLVFormat.LengthCounts.allCases)
      format.lengthBias = choices.flag() ? choices.number() : 0
      format.lengthBitsInTag = choices.flag() ? choices.number() : 0
      format.padding = choices.flag() ? choices.byte() : nil
      format.endTag = choices.flag() ? UInt64(choices.byte()) : nil
      let list = choices.rest()
      let span = RawSpan(_unsafeBytes: list)
      var reader = TLVReader(format, in: 0..<list.count)
      var elements = 0
      while let element = try? reader.next(in: span) {
        elements += 1
        check(element.value.lowerBound >= 0 && element.value.upperBound <= list.count, "an element outside of the list")
        check(elements <= list.count + 1, "more elements than bytes")
        var written: [UInt8] = []
        _ = format.append(tag: element.tag, value: span.extracting(element.value), to: &written)
      }
    },
    FuzzTarget(name: "checksums", longest: 160) { bytes in
      var choices = Choices(bytes)
      var algorithm = choices.element(of: algorithms)
      if choices.byte() == 0xFF {
        let described = String(decoding: choices.piece(Int(choices.byte() & 31)), as: UTF8.self)
        guard let parsed = try? ChecksumAlgorithm(parsing: described) else { return }
        algorithm = parsed
      }
      let checksum = Checksum(
        algorithm,
        over: (0..<Int(choices.byte() & 3)).map { _ in
          ByteRange(from: choices.number() &- 3, to: choices.optional().map { $0 &- 3 })
        }, coverageForm: choices.element(of: Checksum.Form.allCases), at: choices.optional().map { $0 &- 4 },
        byteCount: choices.optional(), byteOrder: choices.element(of: ByteOrder.allCases),
        form: choices.element(of: Checksum.Form.allCases),
        checksumBytes: choices.element(of: Checksum.ChecksumBytes.allCases))
      var message = Array(choices.rest())
      _ = checksum.verify(message.span.bytes)
      if checksum.fill(&message), checksum.checksumBytes != .included {
        let verdict = checksum.verify(message.span.bytes)
        // In digits, the zeroed checksum bytes are not a number any more where the coverage includes them.
        if checksum.coverageForm == .binary {
          check(verdict == .correct, "a checksum that was filled in is \(verdict)")
        }
      }
      _ = checksum.insert(into: &message)
    },
    FuzzTarget(name: "checksum-search", longest: 32) { bytes in
      var choices = Choices(bytes)
      // Each further byte of a frame takes half as long again, and four frames, one of which may be wrong, take five searches: few inputs have them.
      let kind = choices.byte()
      let longest: UInt8 = kind & 0x30 == 0x30 ? 7 : 5
      let frames = (0..<[1, 2, 3, 2, 3, 1, 2, 4][Int(kind & 7)]).map { _ in Array(choices.piece(Int(choices.byte() % (longest + 1)))) }
      var search = ChecksumSearch(limit: choices.number())
      search.window = choices.number()
      let result = search.find(frames)
      check(result.outlier.map(frames.indices.contains) ?? true, "an outlier that was not given")
    },
    FuzzTarget(name: "escapes", longest: 192) { bytes in
      var choices = Choices(bytes)
      let escape: ByteEscape
      switch choices.byte() % 8 {
      case 0: escape = .slip
      case 1: escape = .cobs
      case 2: escape = .asciiHex(upperCase: choices.flag())
      case 3: escape = .xored(escape: choices.byte(), mask: choices.byte(), bytes: Array(choices.piece(3)))
      case 4: escape = .doubled(choices.byte())
      case 5: escape = .hdlc(also: Array(choices.piece(2)))
      case 6: escape = .scrambled(key: Array(choices.piece(Int(choices.byte() & 7))))
      default:
        let marker = choices.byte()
        escape = .mapped(
          escape: marker, (0..<Int(choices.byte() & 3)).map { _ in ByteEscape.Substitution(code: choices.byte(), byte: choices.byte()) })
      }
      let whole = Array(choices.rest())
      var out: [UInt8] = []
      _ = escape.decode(whole.span.bytes, into: &out)
      out.removeAll()
      escape.encode(whole.span.bytes, into: &out)
      var back: [UInt8] = []
      let problem = escape.decode(out.span.bytes, into: &back)
      // Tables with contradictory entries encode data that cannot be decoded.
      switch escape {
      case .mapped, .xored, .hdlc: return
      default: break
      }
      check(problem == nil && back == whole, "\(escape): what was encoded is decoded as something else")
    },
    FuzzTarget(name: "cbor", longest: 192) { bytes in
      let span = RawSpan(_unsafeBytes: bytes)
      var reader = CBORReader(in: 0..<bytes.count)
      var items = 0
      while let item = try? reader.next(in: span) {
        items += 1
        check(item.contents.lowerBound >= item.offset && item.contents.upperBound <= bytes.count, "an item outside of the bytes")
        check(items <= bytes.count, "more items than bytes")
        var out: [UInt8] = []
        if case .float(let value) = item.kind {
          CBORWriter.append(float: value, to: &out)
          var again = CBORReader(in: 0..<out.count)
          if case .float(let read)? = try? again.next(in: out.span.bytes)?.kind {
            check(read == value || read.isNaN && value.isNaN, "\(value) is written as \(read)")
          } else {
            check(false, "\(value) is written as no number")
          }
        }
      }
      reader = CBORReader(in: 0..<bytes.count)
      while let range = try? reader.skip(in: span) { check(!range.isEmpty, "an item of no bytes") }
    },
    FuzzTarget(name: "protobuf", longest: 192) { bytes in
      let span = RawSpan(_unsafeBytes: bytes)
      var reader = ProtobufReader(in: 0..<bytes.count)
      while let field = try? reader.next(in: span) {
        check(field.range.lowerBound > field.offset && field.range.upperBound <= bytes.count, "a field outside of the bytes")
        switch field.wireType {
        case .groupStart:
          var inside = reader
          _ = try? inside.group(field, in: span)
        case .bytes: _ = ProtobufReader.isMessage(span, in: field.range)
        default: _ = (field.zigzag, field.signed, field.float, field.double)
        }
      }
    },
    FuzzTarget(name: "fragmenter", longest: 128) { bytes in
      var choices = Choices(bytes)
      let header = Int(choices.byte() & 15)
      let fragmenter = Fragmenter(
        packetSize: choices.number(), trailer: Int(choices.byte() & 7), padding: choices.flag() ? choices.byte() : nil,
        maximumFragments: choices.element(of: [1, 3, 1 << 12]))
      let grows = choices.byte() & 3
      let message = Array(choices.rest())
      guard fragmenter.packetSize < 1 << 16 else { return }
      var joined: [UInt8] = []
      var expected = 0
      do {
        try fragmenter.fragment(message.span.bytes) { context, out in
          let extra = grows == 1 ? context.count / 4 : grows == 2 ? context.index & 1 : 0
          for _ in 0..<header + extra { out.append(UInt8(truncatingIfNeeded: context.index)) }
          expected = min(out.count, out.count)
          if context.payload > 0 || message.isEmpty { expected = out.count }
        } emit: { packet in
          check(packet.count <= fragmenter.packetSize, "a packet larger than it may be")
          joined.append(contentsOf: packet.dropFirst(expected).dropLast(fragmenter.trailer))
        }
      } catch { return }
      check(joined.starts(with: message), "the fragments are not the message")
    },
  ]

  /// Made once, since a CRC has tables.
  private static let algorithms =
    ChecksumAlgorithm.namedSums.map { ChecksumAlgorithm($0.sum) }
    + CRCCatalogue.all.prefix(40).map { ChecksumAlgorithm(CRC($0)) }
}
