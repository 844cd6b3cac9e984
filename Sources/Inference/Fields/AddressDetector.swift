import PacketCodecs

/// The address of one of the devices involved, in either order.
enum AddressDetector: PlaceDetector {
  static func places(_ frames: [ArraySlice<UInt8>], _ times: [Int64], tail: Int, _ context: InferenceContext) -> [FieldFinding] {
    guard let first = frames.first else { return [] }
    let known = context.addresses.filter { $0.count == 6 && Set($0).count > 2 }
    var found: [FieldFinding] = []
    var offset = 0
    let width = width(frames, tail)
    while offset + 6 <= width {
      let bytes = first.dropFirst(offset).prefix(6)
      let order: ByteOrder? =
        known.contains { bytes.elementsEqual($0) } ? .big : known.contains { bytes.elementsEqual($0.reversed()) } ? .little : nil
      guard let order, frames.allSatisfy({ $0.dropFirst(offset).prefix(6).elementsEqual(bytes) }) else {
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
