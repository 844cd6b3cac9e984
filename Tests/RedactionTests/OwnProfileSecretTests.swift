import CaptureScenes
import Captures
import Profiles
@testable import Redaction
import Testing
@_spi(Pipeline) import Analysis

/// A user's profile: values that it computes, headers that it removes, bytes that it cannot decode, and values without a name.
@Suite struct OwnProfileSecretTests {
  private static let target = CaptureTarget(.btsnoop, linkType: 1002)

  private static func options(_ profile: String) throws -> Redaction.Options {
    var options = Redaction.Options()
    let head = "profile: own\nmatch: {services: [fff0]}\nmeta: {endian: le, encoding: utf-8}\n"
    options.profiles = try ProfileSet(builtin: false, texts: [(head + profile, "own.yaml", .given)])
    return options
  }

  private static func scene(_ values: [[UInt8]]) -> Scene {
    var scene = Scene()
    scene.connect()
    scene.discover(0xFFF1, at: 0x21, service: 0xFFF0)
    for value in values { scene.receive([0x1B, 0x21, 0] + value) }
    return scene
  }

  /// Redacts values under a profile. Returns the redacted values, and the shapes of the timelines before and after.
  private static func redacted(
    _ profile: String, _ values: [[UInt8]]
  ) throws -> (values: [[UInt8]], before: [String], after: [String], warnings: [String]) {
    let options = try options(profile)
    let (original, redacted) = try Redacted.scene(scene(values), target, options: options)
    let source = try CaptureFile.open(redacted.file.path)
    var found: [[UInt8]] = []
    let batch = PacketBatch()
    while try source.read(batch) {
      for record in batch.records {
        let bytes = Array(batch.payload(record))
        if bytes.count > 11, bytes[8] == 0x1B { found.append(Array(bytes[11...])) }
      }
    }
    return (
      found, try Shape.of(original.path, profiles: options.profiles), try Shape.of(redacted.file.path, profiles: options.profiles),
      redacted.warnings
    )
  }

  private static let plain = "characteristics: {data: {uuid: fff1, notify: m}}\n"

  /// A number is kept where its unit is one that measures things; other names and units of positions, measures of a person in either case, and counts
  /// of unknown things are replaced.
  @Test(arguments: [
    ("lng", "s4", "deg"), ("position", "s4", "degrees"), ("northing", "s4", "m"), ("x", "s4", "m"), ("telefon", "u4", "x"),
    ("level", "u2", "mg/dl"),
    ("rate", "u2", "BPM"), ("upper", "u2", "mmhg"), ("load", "u2", "Kg"), ("made", "u4", "days since 1970"),
  ]) func unitsThatAreNotOfThings(_ name: String, _ type: String, _ unit: String) throws {
    let profile =
      Self.plain + """
        types:
          m: {seq: [{id: voltage, type: u2, -unit: V}, {id: \(name), type: \(type), -unit: "\(unit)"}, {id: power, type: u2, -unit: W}]}
        """
    let number: [UInt8] = type == "u2" ? [0x7E, 0x35] : [0x7E, 0x35, 0xC4, 0x1D]
    let result = try Self.redacted(profile, [[0x10, 0x27] + number + [0x11, 0x02]])
    let new = try #require(result.values.first)
    #expect(new.prefix(2) == [0x10, 0x27] && new.suffix(2) == [0x11, 0x02] && Array(new.dropFirst(2).dropLast(2)) != number, "\(new)")
    #expect(result.before == result.after)
  }

  /// Source fields of a secret are secret, and those of a weight or a position are personal.
  @Test func partsOfComputedValuesGo() throws {
    let profile =
      Self.plain + """
        types:
          m:
            seq: [{id: kind, type: u1}, {id: d1, type: b4}, {id: d2, type: b4}, {id: first, type: u2}, {id: second, type: u4, -hidden: true}]
            instances:
              pin: {value: d1 * 10 + d2, -secret: true}
              half: {value: first / 2}
              weight: {value: half * 0.01, -unit: kg}
              place: {value: second * 0.000001, -unit: °}

        """
    let value: [UInt8] = [3, 0x47, 0x4D, 0x1C, 0xB9, 0x12, 0x67, 0x03]
    let result = try Self.redacted(profile, [value])
    let new = try #require(result.values.first)
    #expect(new[0] == 3 && new[1] != 0x47 && new[2..<4] != [0x4D, 0x1C] && new[4...] != [0xB9, 0x12, 0x67, 0x03], "\(new)")
    #expect(result.before == result.after && !result.before.filter { $0.hasPrefix("own m") }.isEmpty)
  }

  /// A field that is used only for a computed value and for the condition of that value is not needed for parsing, and is replaced.
  @Test func conditionsOfComputedValuesKeepNothing() throws {
    let profile =
      Self.plain + """
        types:
          m:
            seq: [{id: kind, type: u1}, {id: first, type: u2}, {id: second, type: u4}, {id: third, type: s(first)}]
            instances:
              pin: {value: first, -secret: true, if: first != 0xffff}
              place: {value: second, -unit: "kind == 3 ? '°' : 'm'", if: second != 0x7fffffff}
          s:
            params: [{id: given, type: u2}]
            seq: [{id: more, type: u1}]
            instances: {code: {value: given, -secret: true}}

        """
    let new = try #require(try Self.redacted(profile, [[3, 0x4D, 0x1C, 0xB9, 0x12, 0x67, 0x03, 9]]).values.first)
    #expect(new[0] == 3 && new[1..<3] != [0x4D, 0x1C] && new[3..<7] != [0xB9, 0x12, 0x67, 0x03], "\(new)")
  }

  /// A field that the profile needs for parsing is kept, even if a personal value is computed from it, too.
  @Test func flagsStayThoughAPersonsValueAsksForThem() throws {
    let profile =
      Self.plain + """
        types:
          m:
            seq: [{id: flags, type: u1}, {id: short, type: u1, if: flags == 0}, {id: long, type: u2, if: flags == 1}]
            instances: {heart_rate: {value: "flags == 0 ? short : long"}}

        """
    let result = try Self.redacted(profile, [[0, 72], [1, 73, 0]])
    #expect(result.values.count == 2 && result.values[0][0] == 0 && result.values[0][1] != 72, "\(result.values)")
    #expect(result.values[1][0] == 1 && result.values[1][1] != 73, "\(result.values)")
    #expect(result.before == result.after)
  }

  /// A wrong checksum may be right by another algorithm, and then reveals a short value: it is replaced.
  @Test func aWrongCheckGoes() throws {
    let profile = """
      characteristics: {data: {uuid: fff1, framing: [{check: {algorithm: CRC-16/ARC}}, {slice: [0, -2]}], notify: m}}
      types: {m: {seq: [{id: kind, type: u1}, {id: pin, type: str, size: 4, -secret: true}]}}

      """
    let result = try Self.redacted(profile, [[8] + Array("4711".utf8) + [0x9F, 0x0F]])
    let new = try #require(result.values.first)
    #expect(new.count == 7 && new[5...] != [0x9F, 0x0F], "\(new)")
    #expect(result.before == result.after && result.before.contains { $0.hasPrefix("own m") && $0.contains(" bad ") }, "\(result.before)")
  }

  /// So are a checksum in the body under another name, and one in a header.
  @Test func aWrongCheckUnderAnotherNameGoes() throws {
    let body = """
      characteristics: {data: {uuid: fff1, framing: [{check: {algorithm: CRC-16/ARC}}], notify: m}}
      types: {m: {seq: [{id: kind, type: u1}, {id: pin, type: str, size: 4, -secret: true}, {id: tail, type: u2}]}}

      """
    let new = try #require(try Self.redacted(body, [[8] + Array("4711".utf8) + [0x9F, 0x0F]]).values.first)
    #expect(new[0] == 8 && new[5...] != [0x9F, 0x0F], "\(new)")
    let header = """
      characteristics: {data: {uuid: fff1, framing: [{fragments: {header: h, first: flags == 1, last: flags == 1}}], notify: m}}
      types:
        h: {seq: [{id: flags, type: u1}, {id: more, type: u1, if: flags == 2}, {id: crc, type: u2}]}
        m: {seq: [{id: pin, type: str, size: 4, -secret: true}]}

      """
    let result = try Self.redacted(header, [[1, 0x9F, 0x0F] + Array("4711".utf8)])
    #expect(result.values.first.map { Array($0[1..<3]) } != [0x9F, 0x0F], "\(result.values)")
    #expect(result.warnings.contains { $0.contains("do not decode") }, "\(result.warnings)")
  }

  @Test(arguments: ["chk", "cs", "cksum", "hash", "digest", "mic", "signature", "checkcode"])
  func checksOfOtherNamesGo(_ name: String) throws {
    let fields = "{id: kind, type: u1}, {id: pin, type: str, size: 4, -secret: true}, {id: \(name), type: u2}"
    let profile = Self.plain + "types: {m: {seq: [\(fields)]}}\n"
    let new = try #require(try Self.redacted(profile, [[8] + Array("4711".utf8) + [0x9F, 0x0F]]).values.first)
    #expect(new[0] == 8 && new[5...] != [0x9F, 0x0F], "\(new)")
  }

  /// Marks and small numbers of a fragment header are kept, and two of the other bytes that layers remove.
  @Test func whatLayersTakeOffIsJudged() throws {
    let types = """
      types:
        h: {seq: [{id: flags, type: u1}, {id: key, type: str, size: 8, -secret: true}]}
        l: {seq: [{id: mark, type: u1}, {id: count, type: u1}]}
        m: {seq: [{id: text, type: str, size-eos: true}]}

      """
    let layers: [(String, [UInt8], kept: Int, [String])] = [
      ("{fragments: {header: h, first: flags == 1, last: flags == 1}}", [1] + Array("Byron815Hello".utf8), 1, ["Byron", "815", "Hello"]),
      ("{slice: [0, -4]}", Array("Hello Ada4711".utf8), 0, ["Hello", "4711"]),
      ("{strip: {head: 6}}", Array("Byron!Hello".utf8), 0, ["Byron", "Hello"]),
      ("{slice: [2]}", [0x55, 3] + Array("Hello".utf8), 2, ["Hello"]),
      ("{stream: {start: [0x5a], header: l, length: count + 2}}, {slice: [2]}", [0x5A, 5] + Array("Hello".utf8), 2, ["Hello"]),
    ]
    for (layer, value, kept, secrets) in layers {
      let profile = "characteristics: {data: {uuid: fff1, framing: [\(layer)], notify: m}}\n" + types
      let result = try Self.redacted(profile, [value])
      let new = try #require(result.values.first)
      #expect(new.prefix(kept) == value.prefix(kept), "\(layer) \(new)")
      for secret in secrets { #expect(!contains(Array(secret.utf8), in: new), "\(layer) \(secret)") }
      #expect(result.before == result.after, "\(layer)")
    }
  }

  /// Fields of a header are judged like those of a body: by the values computed from them, by their units, and each of those that share bytes.
  @Test func fieldsOfHeadersAreJudged() throws {
    let headers: [(String, [UInt8], Range<Int>)] = [
      ("seq: [{id: flags, type: u1}, {id: a, type: u2}]\n    instances: {pin: {value: a, -secret: true}}", [1, 0x47, 0x11], 1..<3),
      ("seq: [{id: flags, type: u1}, {id: a, type: u2, -unit: kg}]", [1, 0x47, 0x11], 1..<3),
      ("seq: [{id: flags, type: b8}, {id: kind, type: b4}, {id: serial, type: b44}]", [1, 0x54, 0x47, 0x11, 0x47, 0x11, 0x12], 1..<7),
      ("seq: [{id: flags, type: u1}, {id: crc, type: u2}]", [1, 0x9F, 0x0F], 1..<3),
    ]
    for (header, bytes, secret) in headers {
      let profile = """
        characteristics: {data: {uuid: fff1, framing: [{fragments: {header: h, first: flags == 1, last: flags == 1}}], notify: m}}
        types:
          h:
            \(header)
          m: {seq: [{id: text, type: str, size-eos: true}]}

        """
      let result = try Self.redacted(profile, [bytes + Array("Hello".utf8)])
      let new = try #require(result.values.first)
      #expect(new[0] == 1 && new[secret] != bytes[secret], "\(header) \(new)")
      #expect(result.before == result.after, "\(header)")
    }
    // A header of variable length without personal fields is kept as well.
    let profile = """
      characteristics: {data: {uuid: fff1, framing: [{fragments: {header: h, first: flags & 1 == 1, last: flags & 2 == 2}}], notify: m}}
      types:
        h: {seq: [{id: flags, type: u1}, {id: total, type: u2, if: flags & 1 == 1}, {id: place, type: u1}]}
        m: {seq: [{id: text, type: str, size-eos: true}]}

      """
    let parts: [[UInt8]] = [[1, 10, 0, 0] + Array("Hello".utf8), [2, 1] + Array("Byron".utf8)]
    let result = try Self.redacted(profile, parts)
    #expect(result.before == result.after && result.before.contains { $0.hasPrefix("own m") && $0.contains("true") }, "\(result.after)")
    #expect(result.values.map { Array($0.prefix(2)) } == [[1, 10], [2, 1]], "\(result.values)")
  }

  /// Bytes that differ from a field's fixed contents, numbers of a list that ends too early, and enumeration values without a name.
  @Test func whatTheProfileDoesNotExpectGoes() throws {
    let mark = Self.plain + "types: {m: {seq: [{id: mark, contents: ABCDEFGH}, {id: count, type: u1}]}}\n"
    let list = Self.plain + "types: {m: {seq: [{id: n, type: u1}, {id: items, type: u2, repeat: expr, repeat-expr: n}]}}\n"
    let cases =
      Self.plain + """
        types: {m: {seq: [{id: kind, type: u1}, {id: state, type: u4, enum: e}, {id: more, type: u4, enum: e}]}}
        enums: {e: {1: one, 2: two}}

        """
    for (profile, value, secret) in [
      (mark, Array("Lovelace".utf8) + [1], "Lovelace"), (list, [9] + Array("AdaLovelace47".utf8), "Lovelace"),
      (cases, [1] + Array("Lovelace".utf8), "Lovelace"),
    ] {
      let new = try #require(try Self.redacted(profile, [value]).values.first)
      let half = Array(secret.utf8.suffix(4))
      #expect(!contains(half, in: new), "\(new)")
    }
    // Values with names are kept.
    #expect(try Self.redacted(cases, [[1, 2, 0, 0, 0, 1, 0, 0, 0]]).values.first == [1, 2, 0, 0, 0, 1, 0, 0, 0])
    #expect(try Self.redacted(mark, [Array("ABCDEFGH".utf8) + [1]]).values.first == Array("ABCDEFGH".utf8) + [1])
  }

  /// An object that is shown as one field has others, too: its length is kept, so that the rest can be parsed.
  @Test func lengthsBesideAnInlinedFieldStay() throws {
    let profile =
      Self.plain + """
        types:
          m: {seq: [{id: kind, type: u1}, {id: title, type: short}, {id: status, type: u1}]}
          short: {-inline: true, seq: [{id: length, type: u1, -hidden: true}, {id: text, type: str, size: length}]}

        """
    let result = try Self.redacted(profile, [[7, 5] + Array("Byron".utf8) + [9]])
    #expect(result.before == result.after && result.values.first?[1] == 5 && result.values.first?.last == 9, "\(result.values)")
  }

  /// Headers of kept values are kept, too.
  @Test func keptValuesHaveTheirHeaders() throws {
    let profile = """
      characteristics: {data: {uuid: fff1, framing: [{slice: [4]}], notify: m}}
      types: {m: {seq: [{id: text, type: str, size-eos: true}]}}

      """
    let value = [1, 2, 3, 4] + Array("Byron".utf8)
    for choice in ["fff1", "0x0021", nil] {
      var options = try Self.options(profile)
      options.keepsValues = choice == nil
      options.keptAttributes = [choice].compactMap { $0.flatMap { Redaction.AttributeChoice($0) } }
      let (_, redacted) = try Redacted.scene(Self.scene([value]), Self.target, options: options)
      #expect(contains(value, in: redacted.file.bytes), "\(String(describing: choice))")
    }
  }

  /// A secret in a header is replaced even where values are kept.
  @Test func secretsInHeadersGoThoughValuesStay() throws {
    var options = try Self.options(
      """
      characteristics: {data: {uuid: fff1, framing: [{fragments: {header: h, first: flags == 1, last: flags == 1}}], notify: m}}
      types:
        h: {seq: [{id: flags, type: u1}, {id: key, type: str, size: 8, -secret: true}]}
        m: {seq: [{id: text, type: str, size-eos: true}]}

      """)
    options.keepsValues = true
    let (_, redacted) = try Redacted.scene(Self.scene([[1] + Array("Byron815Hello".utf8)]), Self.target, options: options)
    #expect(!contains(Array("Byron815".utf8), in: redacted.file.bytes) && contains(Array("Hello".utf8), in: redacted.file.bytes))
  }

  /// A length of variable size is kept, so that the rest can be parsed; a replaced length in digits gets a warning.
  @Test func lengthsStayOrAreMissed() throws {
    let varint =
      Self.plain + """
        types:
          m: {seq: [{id: len, type: vlq}, {id: text, type: str, size: len.value}]}
          vlq:
            seq: [{id: groups, type: group, repeat: until, repeat-until: _.more == 0}]
            instances: {value: {value: "groups[0].bits + (groups.size > 1 ? groups[1].bits << 7 : 0)"}}
          group: {seq: [{id: more, type: b1}, {id: bits, type: b7}]}

        """
    let result = try Self.redacted(varint, [[5] + Array("Hello".utf8)])
    #expect(result.values.first?.first == 5 && result.before == result.after, "\(result.values)")
    let fields = "{id: len, type: str, size: 3}, {id: text, type: str, size: len.to_i}, {id: rest, size-eos: true}"
    let digits = Self.plain + "types: {m: {seq: [\(fields)]}}\n"
    let warned = try Self.redacted(digits, [Array("003AdaXY".utf8)])
    #expect(warned.warnings.contains { $0.contains("do not decode") }, "\(warned.warnings)")
  }
}

/// Where packets were missed, a response is assigned to another request.
@Suite struct MissedAnswerTests {
  private static let target = CaptureTarget(.btsnoop, linkType: 1002)

  @Test func anAnswerToAnotherRequestGoes() throws {
    let scenes: [([UInt8], [UInt8], String)] = [
      // A request for characteristics, and a response with names.
      ([0x08, 1, 0, 0xFF, 0xFF, 0x03, 0x28], [0x09, 14, 0x03, 0] + Array("Ada's iPhone".utf8), "iPhone"),
      ([0x08, 1, 0, 0xFF, 0xFF, 0x03, 0x28], [0x09, 7, 0x03, 0] + Array("Grete".utf8), "Grete"),
      ([0x08, 1, 0, 0xFF, 0xFF, 0x03, 0x28], [0x09, 21, 0x03, 0] + Array("Ada Lovelace's iPad".utf8), "Lovelace"),
      // Preferred parameters, and a text of eight letters.
      ([0x08, 1, 0, 0xFF, 0xFF, 0x04, 0x2A], [0x09, 10, 0x03, 0] + Array("Ada4711!".utf8), "4711"),
    ]
    for (request, answer, secret) in scenes {
      for profiles in [nil, try ProfileSet()] {
        var options = Redaction.Options()
        options.profiles = profiles
        var scene = Scene()
        scene.connect()
        scene.send(request)
        scene.receive(answer)
        let (_, redacted) = try Redacted.scene(scene, Self.target, options: options)
        #expect(!contains(Array(secret.utf8), in: redacted.file.bytes), "\(secret)")
        #expect(try redacted.check(options).isEmpty)
      }
    }
  }

  /// Matching responses are kept.
  @Test func declarationsAndParametersStay() throws {
    var scene = Scene()
    scene.connect()
    let values: [([UInt8], [UInt8])] = [
      ([0x08, 1, 0, 0xFF, 0xFF, 0x03, 0x28], [0x09, 7, 2, 0, 0x02, 3, 0, 0x00, 0x2A, 4, 0, 0x02, 5, 0, 0x01, 0x2A]),
      ([0x08, 1, 0, 0xFF, 0xFF, 0x04, 0x2A], [0x09, 10, 5, 0, 6, 0, 12, 0, 0, 0, 0xF4, 1]),
      // Handles may be left out between a declaration and its value.
      ([0x08, 6, 0, 0xFF, 0xFF, 0x03, 0x28], [0x09, 7, 8, 0, 0x02, 16, 0, 0x00, 0x2A, 32, 0, 0x02, 48, 0, 0x01, 0x2A]),
    ]
    for (request, answer) in values {
      scene.send(request)
      scene.receive(answer)
    }
    let (_, redacted) = try Redacted.scene(scene, Self.target)
    for (_, answer) in values { #expect(contains(answer, in: redacted.file.bytes)) }
  }
}

/// Bytes at the positions of headers.
@Suite struct HeaderSecretTests {
  private static let target = CaptureTarget(.btsnoop, linkType: 1002)

  /// A PDU whose L2CAP header is split over two packets is still decoded.
  @Test(arguments: 0...4) func aHeaderInTwoFragmentsStays(_ count: Int) throws {
    var scene = Scene()
    scene.connect()
    scene.discover(0xFFF1, at: 0x21, service: 0xFFF0)
    let value = [0x1B, 0x21, 0] + Array("Ada Lovelace 4711".utf8)
    let pdu = [UInt8(value.count), 0, 4, 0] + value
    scene.acl(.received, isStart: true, Array(pdu[..<count]))
    scene.acl(.received, isStart: false, Array(pdu[count..<count + 3]))
    scene.acl(.received, isStart: false, Array(pdu[(count + 3)...]))
    let (original, redacted) = try Redacted.scene(scene, Self.target)
    #expect(try Shape.of(original.path) == Shape.of(redacted.file.path))
    #expect(try Shape.of(original.path).contains { $0.contains("notification") || $0.contains("att") })
    for secret in ["Ada", "Love", "4711"] { #expect(!contains(Array(secret.utf8), in: redacted.file.bytes), "\(secret)") }
    #expect(try redacted.check().isEmpty)
  }

  /// The diversifier by which two devices look up their bond identifies it.
  @Test func theDiversifierOfABondGoes() throws {
    var scene = Scene()
    scene.connect()
    scene.event(0x3E, [5] + scene.little(scene.handle) + [1, 2, 3, 4, 5, 6, 7, 8, 0xD7, 0x91])
    scene.pdu(.received, 6, [0x07, 0xD7, 0x91, 1, 2, 3, 4, 5, 6, 7, 8])
    let (_, redacted) = try Redacted.scene(scene, Self.target)
    #expect(!contains([0xD7, 0x91], in: redacted.file.bytes))
    #expect(try redacted.check().isEmpty)
  }
}
