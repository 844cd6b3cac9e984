import Testing

@_spi(Pipeline) @testable import Profiles

/// A mistake in a profile is reported with its position and the right form.
@Suite struct MistakeTests {
  static let cases: [(String, String)] = [
    ("", "t.yaml:1:1: the file is empty; a profile begins with \"profile: NAME\""),
    (
      "profile: x\ncharacteristics: {a: {uuid: 2a19, value: bytes}}\nprofle: y",
      "t.yaml:3:1: unknown key \"profle\" in the profile; did you mean \"profile\"?"
    ),
    (
      "profile: x\nframings: {f: {stream: {lenght: 3}}}\ncharacteristics: {a: {uuid: 2a19, value: bytes, framing: f}}",
      "t.yaml:2:25: unknown key \"lenght\" in layer \"stream\"; did you mean \"length\"?"
    ),
    (
      "profile: x\ncharacteristics: {a: {uuid: 2a19, value: bytes, framing: [{streem: {}}]}}",
      "t.yaml:2:60: no layer is named \"streem\"; did you mean \"stream\"?"
    ),
    (
      "profile: x\ncharacteristics: {a: {uuid: 2a19, value: bytes, framing: [{decrypt: {}}]}}",
      "t.yaml:2:69: layer \"decrypt\" needs \"cipher\""
    ),
    (
      "profile: x\ncharacteristics: {a: {uuid: 2a19, value: bytes, framing: [{decrypt: {cipher: aes-128-cmm, key: _state.k, nonce: [1]}}]}}",
      "t.yaml:2:78: no cipher is named \"aes-128-cmm\"; did you mean \"aes-128-ccm\"?"
    ),
    (
      "profile: x\ncharacteristics: {a: {uuid: 2a19, value: bytes, framing: [{decrypt: {cipher: aes-ctr, key: [1]}}]}}",
      "t.yaml:2:78: aes-ctr needs \"nonce\""
    ),
    (
      "profile: x\ncharacteristics: {a: {uuid: 2a19, value: bytes, framing: [{decrypt: {cipher: aes-cbc, key: [1]}}]}}",
      "t.yaml:2:78: aes-cbc needs \"iv\", the initialisation vector of 16 bytes"
    ),
    (
      "profile: x\ncharacteristics: {a: {uuid: 2a19, value: bytes, framing: [{decrypt: {cipher: aes-gcm, key: [1], nonce: [1]}}]}}",
      "t.yaml:2:78: aes-gcm needs \"tag\", the place of the tag: [-4] where it is the last 4 bytes"
    ),
    (
      "profile: x\ncharacteristics: {a: {uuid: 2a19, value: bytes, framing: [{decrypt: {cipher: aes-ccm, key: [1], nonce: [1], tag: [-5]}}]}}",
      "t.yaml:2:78: a tag of aes-ccm has 4 to 16 bytes, an even number, and not 5"
    ),
    (
      "profile: x\ncharacteristics: {a: {uuid: 2a19, value: bytes, framing: [{decrypt: {cipher: aes-ctr, key: [1, 2, 3], nonce: [1]}}]}}",
      "t.yaml:2:92: a key of aes-ctr has 16, 24, 32 bytes, and this has 3"
    ),
    (
      "profile: x\nkeys: {k: {bytes: 12}}\ncharacteristics: {a: {uuid: 2a19, value: bytes, framing: [{decrypt: {cipher: aes-256-ctr, key: _key.k, nonce: [1]}}]}}",
      "t.yaml:3:96: a key of aes-256-ctr has 32 bytes, and this has 12"
    ),
    (
      "profile: x\nkeys: {k: {}}\ncharacteristics: {a: {uuid: 2a19, value: bytes, framing: [{decrypt: {cipher: aes-ccm, key: _key.k, nonce: _device.mac, tag: [-4]}}]}}",
      "t.yaml:3:107: \"nonce\" of layer \"decrypt\" of aes-ccm has 7 to 13 bytes, and this has 6"
    ),
    (
      "profile: x\nkeys: {bindkey: {}}\ncharacteristics: {a: {uuid: 2a19, value: bytes, framing: [{decrypt: {cipher: aes-ctr, key: _key.bindkye, nonce: [1]}}]}}",
      "t.yaml:3:97: there is no \"_key.bindkye\" (did you mean \"_key.bindkey\"?)"
    ),
    (
      "profile: x\nkeys: {k: {default: \"0011\"}}\ncharacteristics: {a: {uuid: 2a19, value: bytes}}",
      "t.yaml:2:21: the key \"k\" has 16 bytes, and this is 2"
    ),
    (
      "profile: x\nkeys: {k: {}}\ncharacteristics: {a: {uuid: 2a19, value: bytes}}\ntests: [{characteristic: a, keys: {l: \"00\"}, packets: [\"\"], expect: {}}]",
      "t.yaml:4:39: no key is named \"l\"; did you mean \"k\"?"
    ),
    (
      "profile: x\nkind: smart watch\ncharacteristics: {a: {uuid: 2a19, value: bytes}}",
      "t.yaml:2:7: a kind is one word of a-z, 0-9, - and _, as \"battery\": \"smart watch\" is not"
    ),
    (
      "profile: x\nstatus: tested\ncharacteristics: {a: {uuid: 2a19, value: bytes}}",
      "t.yaml:2:9: \"status\" is \"tested on real bytes\" or \"from documents\", not \"tested\""
    ),
    (
      "profile: x\naliases: [Old Name]\ncharacteristics: {a: {uuid: 2a19, value: bytes}}",
      "t.yaml:2:11: a profile's name consists of a-z, 0-9, - and _: \"Old Name\" does not"
    ),
    (
      "profile: x\ncharacteristics: {a: {uuid: 2a1, value: bytes}}",
      "t.yaml:2:29: \"2a1\" is not a UUID; write 4, 8 or 32 hexadecimal digits"
    ),
    (
      "profile: x\ncharacteristics: {a: {uuid: 2a19, value: batery}}\ntypes: {battery: {seq: []}}",
      "t.yaml:2:42: no message, type or body is named \"batery\"; did you mean \"battery\"?"
    ),
    (
      "profile: x\ncharacteristics: {a: {uuid: 2a19, value: t}}\ntypes: {t: {seq: [{id: v, type: u1, -untt: V}]}}",
      "t.yaml:3:44: unknown key \"-untt\" of a field; did you mean \"-unit\"?"
    ),
    (
      "profile: x\ncharacteristics: {a: {uuid: 2a19, value: bytes, framing: [{check: {algorithm: CRC-16/MODBOS}}]}}",
      "t.yaml:2:79: no checksum is named \"CRC-16/MODBOS\"; did you mean \"CRC-16/MODBUS\"?"
    ),
    ("profile: x\ncharacteristics: {a: {uuid: 2a19, value: bytes}}\nextends: y", "t.yaml:3:10: no profile is named \"y\""),
    (
      "profile: x\ncharacteristics: {a: {uuid: 2a19, value: bytes, framing: [{fragments: {first: true}}]}}",
      "t.yaml:2:79: \"first\" of layer \"fragments\" is read from a header, so the layer needs \"header\" with its type"
    ),
    (
      "profile: x\ncharacteristics: {a: {uuid: 2a19, value: bytes, framing: [{stream: {header: h}}]}}\ntypes: {h: {seq: []}}",
      "t.yaml:2:77: the layer reads a header, so it needs the \"length\" of the message"
    ),
    (
      "profile: x\ncharacteristics: {a: {uuid: 2a19, value: t}}\ntypes: {t: {seq: [{id: v, type: u1, -scale: 1/0}]}}",
      "t.yaml:3:45: \"-scale\" must be a number that is not 0, or an expression"
    ),
    (
      "profile: x\ncharacteristics: {a: {uuid: 2a19, value: t}}\ntypes: {t: {seq: [{id: v, type: u1, -as: mac}]}}",
      "t.yaml:3:42: -as: mac is for bytes (size: N), but this field is a number"
    ),
    (
      "profile: x\ncharacteristics: {a: {uuid: 2a19, value: t}}\ntypes: {t: {seq: [{id: v, size: 2, -as: sfloat}]}}",
      "t.yaml:3:41: -as: sfloat is for numbers, but this field is not a number"
    ),
    (
      "profile: x\ncharacteristics: {a: {uuid: 2a19, value: t}}\ntypes: {t: {seq: [{id: v, type: str, size: 2, encoding: UTF9}]}}",
      "t.yaml:3:57: no encoding is named \"UTF9\": ASCII, UTF-8, UTF-16LE, ISO-8859-1, \u{2026}"
    ),
    (
      "profile: x\ncharacteristics: {a: {uuid: 2a19, value: t}}\ntables: {t: {items: {1: {name: a, type: nope}}}}",
      "t.yaml:3:41: there is no type \"nope\""
    ),
    (
      "profile: x\ncharacteristics: {a: {uuid: 2a19, value: protobuf A}}\nprotobufs: {A: {1: Nope n}}",
      "t.yaml:3:20: protobuf message \"A\": \"Nope\" of field \"n\" is not a protobuf type, a message or an enum"
    ),
    (
      "profile: x\ncharacteristics: {a: {uuid: 2a19, value: m}}\nmessages: {m: {body: json, say: \"{v}\"}}",
      "t.yaml:3:33: \"say\" is for messages of a type: the fields of other bodies are all listed"
    ),
    ("profile: x\n---\nprofile: y", "t.yaml:2:1: expected a single document in the stream but found another document"),
    (
      "profile: x",
      "t.yaml:1:1: a profile needs characteristics, descriptors, advertisements, rfcomm or l2cap: it has none, so no bytes reach it"
    ),
  ]

  @Test(arguments: cases.indices)
  func isReportedWithItsPosition(_ index: Int) throws {
    let (text, wanted) = Self.cases[index]
    let set = try ProfileSet(builtin: false)
    #expect {
      _ = try set.compile(text: text, file: "t.yaml")
    } throws: { error in
      "\(error)" == wanted
        || {
          Issue.record("\(error)"); return false
        }()
    }
  }

  @Test func framingsThatUnfoldWithoutEndAreRefused() throws {
    var text = "profile: x\ncharacteristics: {a: {uuid: 2a19, value: bytes, framing: f0}}\nframings:\n  f7: []\n"
    for level in 0...6 { text += "  f\(level): [" + Array(repeating: "f\(level + 1)", count: 30).joined(separator: ",") + "]\n" }
    let set = try ProfileSet(builtin: false)
    #expect(throws: ProfileError.self) { try set.compile(text: text, file: "t.yaml") }
  }

  @Test func aliasesThatUnfoldWithoutEndAreRefused() throws {
    var text = "profile: x\ncharacteristics: {a: {uuid: 2a19, value: bytes}}\nsource: &a0 [1,2,3,4,5,6,7,8,9]\n"
    for level in 1...9 { text += "k\(level): &a\(level) [" + Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ",") + "]\n" }
    let set = try ProfileSet(builtin: false)
    #expect(throws: ProfileError.self) { try set.compile(text: text, file: "t.yaml") }
  }

  @Test func circlesEnd() throws {
    let text = "profile: x\nframings: {f: [g], g: [f]}\ncharacteristics: {a: {uuid: 2a19, value: bytes, framing: f}}"
    #expect(throws: ProfileError.self) { try ProfileSet(builtin: false).compile(text: text, file: "t.yaml") }
    let own = "profile: x\nextends: x\ncharacteristics: {a: {uuid: 2a19, value: bytes}}"
    let set = try? ProfileSet(builtin: false, texts: [(own, "t.yaml", .folder)])
    #expect(set == nil)
  }
}
