import Bluetooth
@_spi(Pipeline) import Profiles

/// The evidence that advertised data are a message of the profile that decodes them. Company identifiers and service UUIDs with an owner are
/// sufficient. Under others anybody may advertise data of the same length: there the evidence is the device's name, a service of an owner beside the
/// data, a checksum, the device's own address in the data, or enough bits with the values that the profile defines.
struct MessageProof {
  /// Type and byte order of the advertiser's address in a message.
  struct AdvertiserAddress {
    var isPublic: Bool
    var isBigEndian: Bool
  }
  /// The address of the device, with its type in bit 48; 0 where it is unknown, or the message is not advertised.
  private var advertiser: UInt64 = 0
  /// Parts of the device's address; `known`: of all addresses of the capture.
  private var words = SIMD8<UInt32>()
  var known = AddressParts()
  /// The message is advertised.
  private(set) var isAdvertised = false
  private(set) var hasAdvertiserAddress = false
  /// Number of bits with a fixed value in the profile, and number of bits that named values of enumerations count for.
  private var fixedBits = 0
  private var wordBits = 0
  /// An enumeration has no name for its value.
  private var hasUnknownWord = false
  /// Number of lengths that lead from one object of a list to the next, and the end of the last object; -1 where one does not.
  private var lengths = (count: 0, end: 0)

  /// Required number of bits: data that match by chance have a probability of 2^-12.
  private static let minimumBits = 12
  /// Number of bits that each length counts for which leads to another object, and the last one, which leads to the end.
  private static let lengthBits = (each: 3, last: 5)

  /// Begins a message. `advertiser` is the advertiser's address, with its type in bit 48; 0 if it is unknown, nil if the message is not advertised.
  mutating func begin(advertiser: UInt64?) {
    isAdvertised = advertiser != nil
    if let advertiser, advertiser != self.advertiser { words = AddressParts.words(advertiser) }
    self.advertiser = advertiser ?? 0
    hasAdvertiserAddress = false
    fixedBits = 0
    wordBits = 0
    hasUnknownWord = false
    lengths = (0, 0)
  }

  /// Returns type and byte order where bytes are the device's own address, else nil.
  mutating func advertiserAddress(_ payload: [UInt8], _ range: Range<Int>) -> AdvertiserAddress? {
    let address = advertiser & 0xFFFF_FFFF_FFFF
    guard advertiser != 0, range.count == 6, !Pseudonyms.isAnonymous(address) else { return nil }
    var number: UInt64 = 0
    for at in range { number = number << 8 | UInt64(payload[at]) }
    guard number == address || number.byteSwapped >> 16 == address else { return nil }
    hasAdvertiserAddress = true
    return AdvertiserAddress(isPublic: advertiser >> 48 & 1 == 0, isBigEndian: number == address)
  }

  /// Takes the value of an enumeration; `hasWord`: the profile has a name for it.
  @inline(__always)
  mutating func take(hasWord: Bool, stays: Bool, _ field: FieldContext) {
    guard advertiser != 0, stays else { return }
    if !hasWord { hasUnknownWord = true }
    let isOfBits = field.startBit & 7 != 0 || field.endBit & 7 != 0
    // Four bits are subtracted, as a profile has names for about a dozen values.
    if !isOfBits { wordBits &+= max(0, min(8 &* field.range.count, 16) &- 4) }
  }

  /// Takes an element of a list that has its own length.
  mutating func takeObject(_ range: Range<Int>) {
    if lengths.count > 0, lengths.end != range.lowerBound { lengths.end = -1 }
    guard lengths.end >= 0 else { return }
    lengths = (lengths.count + 1, range.upperBound)
  }

  /// Takes a number of bytes that are the same in all messages.
  mutating func takeFixed(_ count: Int) { fixedBits &+= 8 &* count }

  /// Whether the bytes of the message alone are sufficient evidence.
  func isEnough(_ payload: [UInt8], _ structure: ProfileStructure) -> Bool {
    if hasAdvertiserAddress { return true }
    if hasUnknownWord || Pseudonyms.readsAsText(payload) { return false }
    let matched = Set(structure.comparedBytes.filter { $0.at < payload.count && payload[$0.at] == $0.value }.map(\.at))
    let isLed = lengths.count > 0 && lengths.end == payload.count
    let led = isLed ? Self.lengthBits.each * (lengths.count - 1) + Self.lengthBits.last : 0
    return max(fixedBits, 8 * matched.count) + wordBits + led >= Self.minimumBits
  }

  /// The ranges of parts of addresses in a message: of the device's own, and of others of the capture.
  func addressParts(_ payload: [UInt8]) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var word: UInt32 = 0
    for at in payload.indices {
      word = word << 8 | UInt32(payload[at])
      guard at >= 3, advertiser != 0 && words.contains(word) || known.contains(word) else { continue }
      // Equal bytes are padding.
      if word != UInt32(payload[at]) &* 0x0101_0101 { parts.append(at - 3..<at + 1) }
    }
    return parts
  }
}

extension SIMD8<UInt32> {
  fileprivate func contains(_ word: UInt32) -> Bool { any(self .== SIMD8(repeating: word)) }
}
