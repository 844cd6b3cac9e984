import PacketCodecs

/// The address of one of the devices involved, in either order.
enum AddressDetector: FrameFieldDetector {
  /// The addresses in a set, for look-ups by their bytes.
  struct Known: Sendable {
    /// As numbers, the first byte highest.
    private var numbers = Set<UInt64>()

    /// Addresses of one or two distinct bytes are left out: values can equal them by chance.
    init(_ addresses: [[UInt8]]) {
      for address in addresses where address.count == 6 && Set(address).count > 2 { numbers.insert(address.word) }
    }

    var isEmpty: Bool { numbers.isEmpty }

    /// The order in which six bytes are an address; nil where they are none.
    func order(_ bytes: ArraySlice<UInt8>) -> ByteOrder? {
      let number = bytes.word
      return numbers.contains(number) ? .big : numbers.contains(number.byteSwapped >> 16) ? .little : nil
    }
  }

  static func frameFields(_ frames: [ArraySlice<UInt8>], _ times: [Int64], tail: Int, _ context: InferenceContext) -> [FieldFinding] {
    guard let first = frames.first, !context.knownAddresses.isEmpty else { return [] }
    var found: [FieldFinding] = []
    var offset = 0
    let width = width(frames, tail)
    var common: [Int]?
    while offset + 6 <= width {
      guard let order = context.knownAddresses.order(first.dropFirst(offset).prefix(6)) else {
        offset += 1
        continue
      }
      let same = common ?? Self.common(frames, width)
      common = same
      guard same[offset] >= 6 else {
        offset += 1
        continue
      }
      found.append(
        FieldFinding(
          offset: offset, size: 6, type: .address, endian: order, confidence: 0.95,
          evidence: "the address of a device of the capture\(order == .little ? ", low byte first" : "")"))
      offset += 6
    }
    return found
  }
}
