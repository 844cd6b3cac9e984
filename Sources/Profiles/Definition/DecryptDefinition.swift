import Ciphers
import Memory
import YAML

/// A key of a profile, which the user gives with `--key PROFILE.NAME=HEX`.
struct KeyDefinition {
  var name: String
  /// Its number of bytes.
  var count: Int
  /// A note for the user on how to find it.
  var note: String?
  /// The factory default key, where public sources name it.
  var standard: [UInt8]?

  static func list(_ entry: Entry) throws -> [KeyDefinition] {
    try entry.pairs().map { name, value, keyNode in
      guard isWord(name) else { throw Entry.error(entry.file, keyNode, "a key's name consists of a-z, 0-9 and _: \"\(name)\" does not") }
      let value = value.with(value.node, "key \"\(name)\"")
      var fields = try value.fields(.key)
      let count = try fields.take("bytes")?.integer(in: 1...64) ?? 16
      let note = try fields.take("note")?.text()
      var standard: [UInt8]?
      if let given = fields.take("default") {
        guard let bytes = bytesOfHex(try given.text()) else { throw given.error("a key is hexadecimal digits, two a byte") }
        guard bytes.count == count else {
          throw given.error("the key \"\(name)\" has \(count) bytes, and this is \(bytes.count)")
        }
        standard = bytes
      }
      try fields.finish()
      return KeyDefinition(name: name, count: count, note: note, standard: standard)
    }
  }

  private static func isWord(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
        default: false
        }
      }
  }
}

/// Encrypted bytes: their range, the cipher, and the expressions for key, nonce and tag.
struct DecryptDefinition {
  var mode: CipherMode
  /// The length of the key in bytes, where the name of the cipher contains it.
  var keyCount: Int?
  var when: Entry?
  var header: Entry?
  var key: Entry
  var nonce: Entry?
  var data: Entry?
  var from: Bound
  var to: Bound?
  var tag: (from: Bound, to: Bound?)?
  /// The length of the encrypted bytes, as an expression over the header.
  var length: Entry?
  var check: Entry?
  var isPadded: Bool
  var countsLittleEndian: Bool
  var withoutKey: Entry?

  init(_ entry: Entry) throws {
    var fields = try entry.fields(.decrypt)
    let name = try fields.need("cipher")
    (mode, keyCount) = try Self.cipher(name)
    when = fields.take("when")
    header = fields.take("header")
    key = try fields.need("key")
    let nonce = fields.take("nonce")
    let vector = fields.take("iv")
    switch mode {
    case .ecb: if let extra = nonce ?? vector { throw extra.error("aes-ecb has neither \"nonce\" nor \"iv\"") }
    case .cbc:
      if let nonce { throw nonce.error("aes-cbc has an initialisation vector, \"iv\", and no \"nonce\"") }
      if vector == nil { throw name.error("aes-cbc needs \"iv\", the initialisation vector of 16 bytes") }
    case .ctr, .ccm, .gcm:
      if let vector { throw vector.error("aes-\(mode.rawValue) has a \"nonce\", and no \"iv\"") }
      if nonce == nil { throw name.error("aes-\(mode.rawValue) needs \"nonce\"") }
    }
    self.nonce = nonce ?? vector
    data = fields.take("data")
    if let data, !mode.isAuthenticated { throw data.error("only aes-ccm and aes-gcm authenticate \"data\" besides the message") }
    func range(_ entry: Entry) throws -> (from: Bound, to: Bound?) {
      guard case .sequence(let bounds) = entry.node, (1...2).contains(bounds.count) else {
        throw entry.error("\(entry.what) is [from, to] or [from]; negative numbers count from the end, \"to\" is exclusive")
      }
      let ends = try bounds.map { try Bound(entry.with($0, entry.what)) }
      return (ends[0], ends.count > 1 ? ends[1] : nil)
    }
    tag = try fields.take("tag").map(range)
    if mode.isAuthenticated, tag == nil {
      throw name.error("aes-\(mode.rawValue) needs \"tag\", the place of the tag: [-4] where it is the last 4 bytes")
    }
    if tag != nil, !mode.isAuthenticated {
      throw name.error("aes-\(mode.rawValue) has no \"tag\"; \"check\" tells whether the key is right")
    }
    if case .number(let start)? = tag?.from {
      var count = start < 0 ? -start : nil
      if case .number(let end)? = tag?.to { count = (start < 0) == (end < 0) ? end - start : nil } else if tag?.to != nil { count = nil }
      if let count, !mode.takes(tagOf: count) {
        throw name.error("a tag of aes-\(mode.rawValue) has 4 to 16 bytes\(mode == .ccm ? ", an even number" : ""), and not \(count)")
      }
    }
    if let over = fields.take("over") {
      (from, to) = try range(over)
    } else {
      // All bytes; without the tag, where that is at the end.
      (from, to) = (.number(0), nil)
      if let tag, case .number(let start) = tag.from, start < 0, tag.to == nil { to = .number(start) }
    }
    length = fields.take("length")
    if let length, header == nil { throw length.error("\"length\" is what the \"header\" says, and there is none") }
    check = fields.take("check")
    isPadded = try fields.take("padding")?.choice(["pkcs7": true, "none": false]) ?? false
    if isPadded, !mode.isOfBlocks { throw name.error("aes-\(mode.rawValue) needs no padding") }
    countsLittleEndian = try fields.take("counter-endian")?.choice(["be": false, "le": true]) ?? false
    if countsLittleEndian, mode != .ctr { throw name.error("only aes-ctr has a \"counter-endian\"") }
    withoutKey = fields.take("without-key")
    try fields.finish()
  }

  /// `aes-ccm`, or `aes-128-ccm` with the length of the key.
  private static func cipher(_ entry: Entry) throws -> (CipherMode, Int?) {
    let text = try entry.text()
    let parts = text.lowercased().split(separator: "-", omittingEmptySubsequences: false)
    let sizes = ["128": 16, "192": 24, "256": 32]
    if parts.first == "aes", parts.count == 2, let mode = CipherMode(rawValue: String(parts[1])) { return (mode, nil) }
    if parts.first == "aes", parts.count == 3, let count = sizes[String(parts[1])], let mode = CipherMode(rawValue: String(parts[2])) {
      return (mode, count)
    }
    let names = CipherMode.allCases.flatMap { mode in ["aes-", "aes-128-", "aes-256-"].map { $0 + mode.rawValue } }
    let hint = nearest(text, of: names).map { "; did you mean \"\($0)\"?" }
    throw entry.error(
      "no cipher is named \"\(text)\"" + (hint ?? "; ciphers are aes-ecb, aes-cbc, aes-ctr, aes-ccm and aes-gcm, aes-256-gcm and so on"))
  }
}
