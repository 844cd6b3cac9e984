import PacketCodecs

/// Bytes that never change, and zeros as padding.
enum ConstantDetector: FieldDetector {
  static func claim(_ view: FieldView) -> FieldClaim? {
    guard view.distinct == 1, let value = view.values.first else { return nil }
    let n = view.values.count
    let bits = min(20, Evidence.log2(Double(n) + 1) * 3)
    if value.count > 1, value.allSatisfy({ $0 == 0 }) || value.allSatisfy({ $0 == 0xff }) {
      return FieldClaim(type: .padding, endian: nil, bits: bits, evidence: "always \(hex(value)): \(n) of \(n)")
    }
    return FieldClaim(type: .constant, endian: nil, bits: bits, evidence: "always \(hex(value)): \(n) of \(n)")
  }
}

/// Lower-case hexadecimal digits.
func hex(_ bytes: some Sequence<UInt8>) -> String {
  var text = ""
  for byte in bytes {
    text += byte < 16 ? "0" : ""
    text += String(byte, radix: 16)
  }
  return text
}
