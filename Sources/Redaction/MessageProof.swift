import Bluetooth
@_spi(Pipeline) import Profiles

/// What shows that advertised data are a message of the profile that reads them. Under numbers of an owner, these show it. Under others anybody may advertise
/// anything of the same length: there the device's name shows it, a service of an owner beside the data, a checksum, its own address among them, or
/// enough bits that are as the profile says.
struct MessageProof {
  /// The device's own address, and the order of its bytes.
  struct OwnAddress {
    var isPublic: Bool
    var isBigEndian: Bool
  }
  /// The address of the device, with its type in bit 48; 0 where nobody knows it, or the message is no advertised one.
  private var advertiser: UInt64 = 0
  /// Parts of the address, and of all those of the capture.
  private var words = SIMD8<UInt32>()
  var known = AddressParts()
  /// The message is an advertised one.
  private(set) var isAdvertised = false
  private(set) var hasOwnAddress = false
  /// So many bits are what the profile says that they always are, and so many are of numbers that it has a word for.
  private var fixedBits = 0
  private var wordBits = 0
  /// It has no word for a number that has to have one.
  private var hasUnknownWord = false
  /// So many lengths led from one object of a list to the next, and where the last of these ends; -1 where one did not.
  private var lengths = (count: 0, end: 0)

  /// By chance one message in so many powers of two has as many bits.
  private static let leastBits = 12
  /// A length that leads to another object had to fit in so many bits at least, and the last one leads to the end.
  private static let lengthBits = (each: 3, last: 5)

  /// Begins with a message; `advertiser` is the address of who advertised it, with its type in bit 48; 0 where nobody knows, and nil where nobody did.
  mutating func begin(advertiser: UInt64?) {
    isAdvertised = advertiser != nil
    if let advertiser, advertiser != self.advertiser { words = AddressParts.words(advertiser) }
    self.advertiser = advertiser ?? 0
    hasOwnAddress = false
    fixedBits = 0
    wordBits = 0
    hasUnknownWord = false
    lengths = (0, 0)
  }

  /// Looks whether bytes are the device's own address.
  mutating func ownAddress(_ payload: [UInt8], _ range: Range<Int>) -> OwnAddress? {
    let own = advertiser & 0xFFFF_FFFF_FFFF
    guard advertiser != 0, range.count == 6, !Pseudonyms.isAnonymous(own) else { return nil }
    var number: UInt64 = 0
    for at in range { number = number << 8 | UInt64(payload[at]) }
    guard number == own || number.byteSwapped >> 16 == own else { return nil }
    hasOwnAddress = true
    return OwnAddress(isPublic: advertiser >> 48 & 1 == 0, isBigEndian: number == own)
  }

  /// Takes a number that has a word, or should have one.
  @inline(__always)
  mutating func take(hasWord: Bool, stays: Bool, _ field: FieldContext) {
    guard advertiser != 0, stays else { return }
    if !hasWord { hasUnknownWord = true }
    let isOfBits = field.startBit & 7 != 0 || field.endBit & 7 != 0
    // A profile has words for a dozen numbers.
    if !isOfBits { wordBits &+= max(0, min(8 &* field.range.count, 16) &- 4) }
  }

  /// Takes an element of a list that says itself how long it is.
  mutating func takeObject(_ range: Range<Int>) {
    if lengths.count > 0, lengths.end != range.lowerBound { lengths.end = -1 }
    guard lengths.end >= 0 else { return }
    lengths = (lengths.count + 1, range.upperBound)
  }

  /// Takes bytes that are the same in all messages.
  mutating func takeFixed(_ count: Int) { fixedBits &+= 8 &* count }

  /// Whether its bytes alone show it.
  func isEnough(_ payload: [UInt8], _ structure: ProfileStructure) -> Bool {
    if hasOwnAddress { return true }
    if hasUnknownWord || Pseudonyms.readsAsText(payload) { return false }
    let marked = Set(structure.marks.filter { $0.at < payload.count && payload[$0.at] == $0.value }.map(\.at))
    let isLed = lengths.count > 0 && lengths.end == payload.count
    let led = isLed ? Self.lengthBits.each * (lengths.count - 1) + Self.lengthBits.last : 0
    return max(fixedBits, 8 * marked.count) + wordBits + led >= Self.leastBits
  }

  /// Where parts of addresses stand in a message: of the device's own, and of others of the capture.
  func addressParts(_ payload: [UInt8]) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var word: UInt32 = 0
    for at in payload.indices {
      word = word << 8 | UInt32(payload[at])
      guard at >= 3, advertiser != 0 && words.contains(word) || known.contains(word) else { continue }
      // Equal bytes fill something up.
      if word != UInt32(payload[at]) &* 0x0101_0101 { parts.append(at - 3..<at + 1) }
    }
    return parts
  }
}

extension SIMD8<UInt32> {
  fileprivate func contains(_ word: UInt32) -> Bool { any(self .== SIMD8(repeating: word)) }
}
