#if FUZZ_PROGRAM
  import Captures
  import Conversations
  import FuzzInput
  import FuzzKaitaiStruct
  import FuzzPackets
  import FuzzProgram
  import KaitaiStruct
  import Profiles
  import Analysis
  import TestSupport

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// First inputs for all targets, generated from captures and from data of the program itself, so that none need be stored. They are the same for
  /// the same files.
  struct Seeds {
    private let folder: String
    private final class Progress {
      /// The number of inputs written.
      var count = 0
      var random = SplitMix(state: 0)
    }
    private let progress = Progress()

    init(_ folder: String) {
      self.folder = folder
      mkdir(folder, 0o755)
      for target in FuzzTarget.all { mkdir("\(folder)/\(target.name)", 0o755) }
    }

    private func write(_ bytes: [UInt8], to target: String) {
      guard let longest = FuzzTarget.all.first(where: { $0.name == target })?.longest else { return }
      progress.count += 1
      save(Array(bytes.prefix(longest)), "\(folder)/\(target)/seed-\(progress.count)")
    }

    private func save(_ bytes: [UInt8], _ path: String) {
      guard let file = fopen(path, "wb") else { fatalError("\(path) cannot be written") }
      fwrite(bytes, 1, bytes.count, file)
      fclose(file)
    }

    /// Writes seeds from files, which need not be captures.
    func write(_ files: [String]) {
      for path in files {
        guard let bytes = FileImports.read(path, limit: 1 << 28) else { continue }
        for target in ["btsnoop", "pcap", "pcapng", "packetlogger", "archive", "bugreport"]
        where fits(bytes, target)
          || target == "bugreport" && path.hasSuffix(".txt") && bytes.count < 4096
        {
          write(bytes, to: target)
        }
        if let source = try? CaptureFile.open(bytes: bytes, name: path) {
          write(bytes, to: "program")
          write(bytes, to: "diff")
          write(packetsOf: source)
          if let again = try? CaptureFile.open(bytes: bytes, name: path) { write(btsnoopOf: again) }
        }
        if path.hasSuffix(".ksy") { write(bytes, to: "ksy") }
      }
      for text in FuzzTarget.specifications {
        for _ in 0..<16 {
          let part = shortened(text, to: "ksy", upTo: 40) { text in
            let compiler = Compiler()
            return (try? compiler.add(text: text, file: "seed.ksy")) != nil && (try? compiler.finish()) != nil
          }
          if let part { write(Array(part.utf8), to: "ksy") }
        }
      }
      for specification in 0..<UInt8(FuzzTarget.specifications.count) {
        write([specification] + [3, 0, 1, 0x41, 0, 0, 7, 0, 1, 0x41, 1, 1, 2, 0, 0, 0, 0], to: "kaitai")
      }
      if let set = try? ProfileSet() {
        for summary in set.summaries {
          let part = shortened(set.text(summary.number), to: "profile", upTo: 100) { text in
            (try? ProfileSet(builtin: false, texts: [(text, "seed.yaml", .given)]).profile(0)) != nil
          }
          if let part { write(Array(part.utf8), to: "profile") }
        }
      }
      // Sessions that a sniffer captures too, in every order of packets.
      for order in UInt8(0)..<4 {
        var input: [UInt8] = [order, order * 9, 20]
        for number in UInt8(0)..<40 {
          let what: UInt8 = number % 3 == 0 ? 0x04 : 0x00
          input += [what, 40 + number, 10, number &* 7 % 16, 3]
        }
        write(input, to: "live-air")
      }
      let digits = "000102030405060708090a0b0c0d0e0f"
      for text in [
        "ltk=\(digits)@c0:ff:ee:00:00:01 ediv=1 rand=2\nSC LTK: 0x\(digits)\npasskey=123456\n",
        "{LinkKeys = {\"0-1\" = {\"c0-ff-ee-00-00-01\" = <\(digits)>;};}; x = (1, {length = 16, bytes = 0x\(digits)});}",
        "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict><key>LinkKeys</key><dict><key>a</key><dict><key>c0ffee000001</key>"
          + "<data>AAECAwQFBgcICQoLDA0ODw==</data></dict></dict></dict></plist>",
        "REGEDIT4\n[A\\Parameters\\Keys\\00005e005311\\c0ffee000001]\n\"LTK\"=hex:00,01,02,03,04,05,06,07,08,09,0a,0b,0c,0d,0e,0f\n"
          + "\"EDIV\"=dword:01",
        "[LongTermKey]\nKey=\(digits)\nEDiv=1\nRand=2\n[LinkKey]\nKey=\(digits)\n# C0:FF:EE:00:00:01/info\n"
          + "[IdentityResolvingKey]\nKey=\(digits)\n",
      ] { write(Array(text.utf8), to: "keys") }
      // An adapter's link keys: objects of a dictionary, text and data; the offset table; the trailer.
      write(
        Array("bplist00".utf8) + [0xD1, 1, 2, 0x58] + Array("LinkKeys".utf8) + [0xD1, 3, 4, 0x51, 0x61, 0xD1, 5, 6, 0x5C]
          + Array("c0ffee000001".utf8)
          + [0x4F, 0x10, 0x10] + (0..<16).map { UInt8($0) } + [8, 11, 20, 23, 25, 28, 41, 0, 0, 0, 0, 0, 0, 1, 1] + [
            0, 0, 0, 0, 0, 0, 0, 7,
          ]
          + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 60], to: "keys")
      for expression in Self.filters { write([0x01] + Array(expression.utf8), to: "filter") }
      // Filters of complete words, partly random.
      for _ in 0..<64 { write([0xC0] + (0..<12).map { _ in UInt8.random(in: 0...255, using: &progress.random) }, to: "filter") }
      for text in Self.maps { write(Array(text.utf8), to: "gattmap") }
      for text in Self.json {
        write(Array(text.utf8), to: "json")
        for number in UInt8(0)..<80 { write([number, number, 0] + Array(text.utf8), to: "encode") }
      }
      dictionary("filter", Filter.fields.map(\.name) + Self.operators)
      dictionary("ksy", Self.keys)
      dictionary("profile", Self.keys + Self.profileKeys)
      dictionary("json", ["true", "false", "null", "\\u00e9", "\\ud83d\\ude00", "1e9", "-0.5", "[[", "{\"a\":"])
      dictionary(
        "gattmap", ["devices:", "address:", "services:", "characteristics:", "uuid:", "handles:", "0x0001-0x0005", "descriptors:", "name:"])
    }

    private func fits(_ bytes: [UInt8], _ target: String) -> Bool {
      switch target {
      case "btsnoop": bytes.starts(with: Array("btsnoop".utf8))
      case "pcap": [[0xA1, 0xB2], [0xD4, 0xC3], [0x4D, 0x3C]].contains { bytes.starts(with: $0) }
      case "pcapng": bytes.starts(with: [0x0A, 0x0D, 0x0D, 0x0A])
      case "archive": [[0x50, 0x4B], [0x1F, 0x8B], [0x78]].contains { bytes.starts(with: $0) }
      case "packetlogger": bytes.starts(with: [0, 0, 0]) || bytes.count > 3 && bytes[1...3] == [0, 0, 0]
      default: bytes.starts(with: Array("---".utf8)) || bytes.starts(with: Array("==".utf8))
      }
    }

    private func write(packetsOf source: any PacketSource) {
      let batch = PacketBatch()
      var input: [UInt8] = []
      var inputs = 0
      while inputs < 12, (try? source.read(batch)) == true {
        for record in batch.records where inputs < 12 {
          let payload = batch.payload(record)
          input += FuzzTarget.packetInput(record, payload)
          if input.count > 400 {
            inputs += 1
            write(input, to: "reconstruction")
            input = []
          }
          if record.frame % 7 == 0 {
            let bytes = Array(payload)
            let kind: UInt8 = record.kind == .command ? 0 : record.kind == .event ? 1 : record.kind == .linkLayer ? 9 : 6
            write(
              [kind] + (record.kind == .acl ? Array(bytes.dropFirst(8)) : record.kind == .linkLayer ? Array(bytes.dropFirst(4)) : bytes),
              to: "pdus")
            let value = Array(bytes.dropFirst(11))
            for target in ["cbor", "protobuf", "tlv", "stream", "fragments", "checksums", "escapes", "fragmenter"]
            where record.frame % 49 == 0 {
              write([0, 1, 2, 3].shuffled(using: &progress.random) + value, to: target)
            }
            if record.kind == .acl {
              write([UInt8.random(in: 0...80, using: &progress.random), 0, 2, UInt8(clamping: value.count)] + value, to: "messages")
            }
            if record.kind == .event { write(Array(bytes.dropFirst(14)), to: "advertising") }
          }
        }
      }
      if !input.isEmpty { write(input, to: "reconstruction") }
    }

    /// A text without some randomly chosen parts, each a line with all lines indented below it, so that it is short and still `isGood`; nil if
    /// that did not succeed.
    private func shortened(_ text: String, to target: String, upTo tries: Int, isGood: (String) -> Bool) -> String? {
      guard let longest = FuzzTarget.all.first(where: { $0.name == target })?.longest, isGood(text) else { return nil }
      func indent(_ line: Substring) -> Int { line.prefix { $0 == " " || $0 == "-" }.count }
      var lines = text.split(separator: "\n").filter { !$0.allSatisfy { $0 == " " } }
      var size = text.utf8.count
      for _ in 0..<tries where size > longest {
        guard let first = lines.indices.randomElement(using: &progress.random) else { return nil }
        var last = first + 1
        while last < lines.count, indent(lines[last]) > indent(lines[first]) { last += 1 }
        var fewer = lines
        fewer.removeSubrange(first..<last)
        let shorter = fewer.joined(separator: "\n") + "\n"
        if isGood(shorter) { (lines, size) = (fewer, shorter.utf8.count) }
      }
      return size <= longest ? lines.joined(separator: "\n") + "\n" : nil
    }

    /// Small captures made of parts of a long one, since most bytes of a capture are far behind its start.
    private func write(btsnoopOf source: any PacketSource) {
      guard let longest = FuzzTarget.all.first(where: { $0.name == "program" })?.longest else { return }
      func big(_ number: Int, _ count: Int) -> [UInt8] { (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
      let header = Array("btsnoop\0".utf8) + big(1, 4) + big(1002, 4)
      var file = header
      let batch = PacketBatch()
      var made = 0
      while made < 16, (try? source.read(batch)) == true {
        for record in batch.records where made < 16 {
          let payload = Array(batch.payload(record))
          let type: UInt8? =
            switch record.kind {
            case .command: 1
            case .acl: 2
            case .event: 4
            case .iso: 5
            default: nil
            }
          guard let type, payload.count < 200 else { continue }
          if file.count + 25 + payload.count >= longest {
            made += 1
            write(file + [UInt8(made)], to: "program")
            write(file + [UInt8(made)], to: "diff")
            file = header
          }
          let flags = (record.direction == .received ? 1 : 0) | (type == 1 || type == 4 ? 2 : 0)
          file += big(payload.count + 1, 4) + big(payload.count + 1, 4) + big(flags, 4) + big(0, 4)
          file += big(Int(truncatingIfNeeded: record.time &+ 0x00DC_DDB3_0F2F_8000), 8) + [type] + payload
        }
      }
      if file.count > header.count { write(file, to: "program") }
    }

    private func dictionary(_ target: String, _ words: [String]) {
      let lines = words.map { word in
        "\""
          + word.utf8.map {
            $0 == 34 || $0 == 92 || $0 < 32 || $0 > 126
              ? "\\x" + (String($0, radix: 16).count == 1 ? "0" : "") + String($0, radix: 16) : String(UnicodeScalar($0))
          }.joined() + "\"\n"
      }
      save(Array(lines.joined().utf8), "\(folder)/\(target).dict")
    }

    private static let operators = [
      "==", "!=", "<=", ">=", "&&", "||", "!", " and ", " or ", " not ", " xor ", " contains ", " matches ", " in {", "}", "[0:2]", "[-1]",
      "..",
      "any ", "all ", "@", "frame", "btatt", "0x2a37", "aa:bb:cc", "\"AB\"", "\"(a|b)*c{2,5}$\"", "upper(", "len(", "max(", "${", "%", "&",
      " + ",
    ]
    private static let filters = [
      "btatt", "frame.number == 3", "btatt.opcode == 0x1b and btatt.handle in {1..0x2a, 77}", "btatt.value contains 41:42",
      "btatt.value matches \"A.C+\"", "!(bthci_evt.code == 0x3e) || btl2cap.cid != 4", "btatt.value[0:2] == 41:42",
      "bluetooth.addr == 01:02:03:04:05:06", "frame.time_relative < 1.5", "len(btatt.value) > 3", "any btatt.value[-1] == 44",
    ]
    private static let maps = [
      "- address: aa:bb:cc:dd:ee:ff\n  name: Lamp\n  services:\n    - uuid: 180f\n      handles: 0x0001-0x0009\n      characteristics:\n        0x0003:\n          uuid: 2a19\n          properties: [read, notify]\n          descriptors: {0x0004: 2902}\n",
      "devices:\n  - connection: 0x0040\n    services: []\n",
      "[General]\nName=Lamp\n\n[Attributes]\n0001=2800:0009:180f\n0002=2803:0003:12:2a19\n",
      "[1]\nUUID=180f\nValue=180f\nEndGroupHandle=9\n",
    ]
    private static let json = ["{}", "{\"a\": [1, -2.5e3, \"\\u00e9\", null, true, {\"b\": {}}]}", "{\"status\": 0, \"value\": \"0102\"}"]
    private static let keys = [
      "meta:", "id:", "seq:", "type:", "size:", "repeat:", "repeat-expr:", "repeat-until:", "instances:", "value:", "pos:", "io:", "types:",
      "enums:", "params:", "switch-on:", "cases:", "process: zlib", "terminator:", "encoding: UTF-8", "endian: le", "imports: [a]",
      "valid:",
      "contents:", "size-eos: true", "if:", "parent:", "_root", "_parent", "_io.size", "_io.pos", "_index", "_ ", "u1", "u2le", "b3",
      "strz",
      "str", "eos", "expr", "until", ".as<u1>", "sizeof<a>", ".to_i", ".length", ".substring(0, 1)", "? 1 : 2", "<<", "&a", "*a",
    ]
    private static let profileKeys = [
      "profile:", "title:", "extends:", "match:", "names:", "characteristics:", "uuid:", "framing:", "framings:", "notify:", "write:",
      "answers:",
      "request:", "layers:", "fragments:", "stream:", "check:", "strip:", "escape:", "expect:", "messages:", "body:", "-say:", "-unit:",
      "-scale:",
      "tests:", "packets:", "state:", "_request", "crc:", "tlv", "cbor", "protobuf", "json", "hex",
    ]
  }
#endif
