import Bluetooth
import Conversations
import PacketCodecs

/// What the first pass over a capture found, and what replaces it.
struct Inventory {
  /// Something that lies in several packets: it is replaced in each of them.
  struct Spread {
    var pieces: [PDUPiece]
    var field: SensitiveField
    var bytes: [UInt8]
  }
  /// Bytes to write over those of a packet, from an offset in its captured bytes on.
  struct Edit {
    var offset: Int
    var bytes: [UInt8]
  }

  private(set) var pseudonyms: Pseudonyms
  /// Parts of names that profiles choose devices by.
  let patterns: NamePatterns
  /// Addresses, and whether they are known to be public.
  private var addresses: [UInt64: Bool] = [:]
  private var names: Set<[UInt8]> = []
  private var keys: Set<[UInt8]> = []
  private var passkeys: Set<[UInt8]> = []
  private var pins: Set<[UInt8]> = []
  private var passwords: Set<[UInt8]> = []
  private var identityKeys: [(key: IdentityResolvingKey, cipher: AES128, replacement: AES128, isPseudonym: Bool)] = []
  /// The key of a private address, index into ``identityKeys``; -1 where none resolves it.
  private var resolved: [UInt64: Int] = [:]
  private var spread: [Spread] = []
  /// Bytes to write into packets besides the replacements of their own fields, by frame.
  private(set) var edits: [Int: [Edit]] = [:]
  private(set) var editCount = 0
  /// The first pass found more than is kept.
  private(set) var isOverfull = false
  private(set) var replacer = ByteReplacer()

  private static let mostAddresses = 262_144
  private static let mostTexts = 65_536
  private static let mostEdits = 1 << 20
  private static let mostIdentityKeys = 64

  init(_ pseudonyms: Pseudonyms, _ patterns: NamePatterns) {
    self.pseudonyms = pseudonyms
    self.patterns = patterns
  }

  // MARK: First pass

  /// Keeps a field that was found.
  mutating func learn(_ field: SensitiveField, _ bytes: [UInt8]) {
    func add(_ set: inout Set<[UInt8]>) { if set.count < Self.mostTexts { set.insert(bytes) } }
    switch field.kind {
    case .address:
      let address = Self.address(bytes)
      if let known = addresses[address] {
        if field.isPublic, !known { addresses[address] = true }
      } else if addresses.count < Self.mostAddresses {
        addresses[address] = field.isPublic
      }
    case .name: if !field.isTail, names.count < Self.mostTexts { names.insert(Self.text(bytes)) }
    case .key:
      add(&keys)
      if field.isIdentityKey { learn(identityKey: bytes) }
    case .passkey: add(&passkeys)
    case .pin: add(&pins)
    case .password: add(&passwords)
    case .text, .value, .voice, .unknown: break
    }
  }

  private mutating func learn(identityKey bytes: [UInt8]) {
    guard let key = unsafe bytes.withUnsafeBytes({ unsafe IdentityResolvingKey(littleEndian: $0) }),
      identityKeys.count < Self.mostIdentityKeys,
      !identityKeys.contains(where: { $0.key == key })
    else { return }
    let pseudonym = pseudonyms.key(bytes)
    let replacement = unsafe pseudonym.withUnsafeBytes { unsafe IdentityResolvingKey(littleEndian: $0) } ?? key
    resolved.removeAll(keepingCapacity: true)
    identityKeys.append((key, key.cipher, replacement.cipher, pseudonyms.isPseudonym(key: bytes)))
  }

  /// Keeps a field that lies in several packets.
  mutating func learn(_ field: SensitiveField, _ bytes: [UInt8], in pieces: [PDUPiece]) {
    if spread.count < Self.mostEdits { spread.append(Spread(pieces: pieces, field: field, bytes: bytes)) } else { isOverfull = true }
  }

  /// Keeps bytes to write over those of packets.
  mutating func learn(_ bytes: [UInt8], over pieces: [PDUPiece]) {
    var at = 0
    for piece in pieces where at + piece.count <= bytes.count {
      guard editCount < Self.mostEdits else {
        isOverfull = true
        return
      }
      editCount += 1
      edits[piece.frame, default: []].append(Edit(offset: piece.offset, bytes: Array(bytes[at..<at + piece.count])))
      at += piece.count
    }
  }

  /// Ends the first pass: makes the replacements of all that was found.
  mutating func complete() {
    for one in spread {
      let replaced = replacement(one.field, one.bytes)
      learn(replaced, over: one.pieces)
      // Another packet may carry a piece once more without being recognised as a retransmission.
      var at = 0
      for piece in one.pieces where at + piece.count <= replaced.count {
        let old = Array(one.bytes[at..<at + piece.count])
        if ByteReplacer.isDistinctive(old) { replacer.add(old, Array(replaced[at..<at + piece.count])) }
        at += piece.count
      }
    }
    spread = []
    for key in keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) where ByteReplacer.isDistinctive(key) {
      replacer.addBothWays(key, pseudonyms.key(key))
    }
    for password in passwords where ByteReplacer.isDistinctive(password, different: 3) { add(text: password, pseudonyms.name(password)) }
    for pin in pins where ByteReplacer.isDistinctive(pin, different: 3) { replacer.add(pin, [UInt8](repeating: 0x30, count: pin.count)) }
    for passkey in passkeys {
      if ByteReplacer.isDistinctive(passkey, different: 3) { replacer.addBothWays(passkey, [UInt8](repeating: 0, count: passkey.count)) }
      let number = passkey.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      let digits = Array(String(number).utf8)
      let text = [UInt8](repeating: 0x30, count: max(6 - digits.count, 0)) + digits
      if number < 1_000_000, ByteReplacer.isDistinctive(text, different: 3) { replacer.add(text, [UInt8](repeating: 0x30, count: 6)) }
    }
    // As it is and as an EUI-64, both ways.
    replacer.reserve(6 * addresses.count, bytes: 44 * addresses.count)
    for (address, isPublic) in addresses { add(address: address, isPublic: isPublic) }
    for name in names where ByteReplacer.isDistinctive(name, different: 3) { add(text: name, self.name(name)) }
    for name in names { addOwnPart(of: name) }
  }

  /// What a name has besides the part that names a product: a serial number's end, as a rule, which other fields of the device repeat.
  private mutating func addOwnPart(of name: [UInt8]) {
    let kept = patterns.kept(name)
    guard kept.contains(true), let start = kept.firstIndex(of: false), let last = kept.lastIndex(of: false),
      !kept[start...last].contains(true)
    else { return }
    let part = Array(name[start...last])
    if ByteReplacer.isDistinctive(part, different: 3) { add(text: part, Array(self.name(name)[start...last])) }
  }

  private mutating func add(address: UInt64, isPublic: Bool) {
    let old = Self.octets(address)
    guard ByteReplacer.isDistinctive(old) else { return }
    let new = Self.octets(replacement(address: address, isPublic: isPublic))
    replacer.addBothWays(old, new)
    // EUI-64 made of an address: ff fe between its halves, or fe ff.
    for middle in [[0xFE, 0xFF], [0xFF, 0xFE]] as [[UInt8]] {
      replacer.addBothWays(Array(old[0..<3]) + middle + Array(old[3...]), Array(new[0..<3]) + middle + Array(new[3...]))
    }
  }

  private mutating func add(text: [UInt8], _ replacement: [UInt8]) {
    replacer.add(text, replacement)
    // UTF-16, as classic profiles write names.
    if text.allSatisfy({ $0 < 0x80 }) {
      replacer.add(text.flatMap { [$0, 0] }, replacement.flatMap { [$0, 0] })
      replacer.add(text.flatMap { [0, $0] }, replacement.flatMap { [0, $0] })
    }
  }

  // MARK: Replacements

  /// The replacement of a field: as many bytes.
  mutating func replacement(_ field: SensitiveField, _ bytes: [UInt8]) -> [UInt8] {
    switch field.kind {
    case .address:
      let address = Self.address(bytes)
      return Self.octets(replacement(address: address, isPublic: addresses[address] ?? field.isPublic))
    case .name:
      let text = Self.text(bytes)
      let name = field.isTail ? [UInt8](repeating: UInt8(ascii: "."), count: text.count) : self.name(text)
      return name + [UInt8](repeating: 0, count: bytes.count - text.count)
    case .key: return pseudonyms.key(bytes)
    case .passkey, .value, .voice, .unknown: return [UInt8](repeating: 0, count: bytes.count)
    case .pin: return bytes.map { $0 == 0 ? 0 : 0x30 }
    case .password: return pseudonyms.name(bytes)
    case .text: return Pseudonyms.text(bytes.count)
    }
  }

  private mutating func replacement(address: UInt64, isPublic: Bool) -> UInt64 {
    guard !Pseudonyms.isAnonymous(address), let key = key(of: address) else { return pseudonyms.address(address, isPublic: isPublic) }
    return pseudonyms.resolvable(address, identityKeys[key].key, replacement: identityKeys[key].replacement)
  }

  /// The key that resolves a private address; nil where none does.
  private mutating func key(of address: UInt64) -> Int? {
    guard !identityKeys.isEmpty, address >> 46 == 0b01 else { return nil }
    if let known = resolved[address] { return known < 0 ? nil : known }
    let found = identityKeys.firstIndex { IdentityResolvingKey.resolves(address, with: $0.cipher) }
    if resolved.count < Self.mostAddresses { resolved[address] = found ?? -1 }
    return found
  }

  private func name(_ text: [UInt8]) -> [UInt8] {
    let kept = patterns.kept(text)
    let hidden = pseudonyms.name(text.indices.filter { !kept[$0] }.map { text[$0] })
    var result = text
    var next = 0
    for place in text.indices where !kept[place] {
      result[place] = hidden[next]
      next += 1
    }
    return result
  }

  /// Whether a field gives nothing away: it was replaced before, or is empty.
  mutating func isHarmless(_ field: SensitiveField, _ bytes: [UInt8]) -> Bool {
    switch field.kind {
    case .address:
      let address = Self.address(bytes)
      if pseudonyms.isPseudonym(address) { return true }
      return key(of: address).map { identityKeys[$0].isPseudonym } ?? false
    case .name:
      let text = Self.text(bytes)
      if bytes[text.count...].contains(where: { $0 != 0 }) { return false }
      if field.isTail { return text.allSatisfy { $0 == UInt8(ascii: ".") } }
      let kept = patterns.kept(text)
      return pseudonyms.isPseudonym(name: text.indices.filter { !kept[$0] }.map { text[$0] })
    case .key: return pseudonyms.isPseudonym(key: bytes)
    case .passkey, .value, .voice, .unknown: return bytes.allSatisfy { $0 == 0 }
    case .pin: return bytes.allSatisfy { $0 == 0x30 || $0 == 0 }
    case .password: return pseudonyms.isPseudonym(name: bytes)
    case .text: return Pseudonyms.isText(bytes)
    }
  }

  // MARK: Bytes

  /// An address out of six bytes, least significant first.
  static func address(_ bytes: [UInt8]) -> UInt64 { bytes.prefix(6).reversed().reduce(0) { $0 << 8 | UInt64($1) } }

  /// The six bytes of an address, least significant first.
  static func octets(_ address: UInt64) -> [UInt8] { (0..<6).map { UInt8(truncatingIfNeeded: address >> UInt64(8 * $0)) } }

  /// A text up to its first NUL.
  static func text(_ bytes: [UInt8]) -> [UInt8] { Array(bytes.prefix { $0 != 0 }) }
}
