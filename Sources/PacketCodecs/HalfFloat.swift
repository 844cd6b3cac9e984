/// Floating-point numbers of 16 bits (IEEE 754 binary16). `Float16` is not available on all systems.
package enum HalfFloat {
  /// The number with these 16 bits.
  package static func value(_ bits: UInt16) -> Double {
    let fraction = Double(bits & 0x3FF)
    let exponent = Int(bits >> 10 & 0x1F)
    let size =
      switch exponent {
      case 0: fraction * 0x1p-24
      case 31: fraction == 0 ? Double.infinity : Double.nan
      default: Double(sign: .plus, exponent: exponent - 25, significand: 1024 + fraction)
      }
    return bits >> 15 == 0 ? size : -size
  }

  /// The bits of the nearest number to `value`, or of the one with an even last bit if two are equally near. Too large numbers become infinity.
  package static func bits(_ value: Double) -> UInt16 {
    let sign: UInt16 = value.sign == .minus ? 0x8000 : 0
    let size = value.magnitude
    if size.isNaN { return 0x7E00 }
    if size >= 65520 { return sign | 0x7C00 }
    // Subnormal numbers: multiples of the smallest one. 1024 of them are the smallest normal number.
    if size < 0x1p-14 { return sign | nearest(size * 0x1p24) }
    let exponent = Int(size.exponent)
    // From 1024 to 2048; 2048 is 1024 of the next exponent.
    let fraction = nearest(size * Double(sign: .plus, exponent: 10 - exponent, significand: 1))
    return sign | (UInt16(exponent + 14) << 10 + fraction)
  }

  /// The nearest integer from 0 to 2048. `rounded` and `exactly` are not used, as they would need the C library's mathematics.
  private static func nearest(_ value: Double) -> UInt16 {
    let whole = UInt16(value)
    let rest = value - Double(whole)
    return rest > 0.5 || rest == 0.5 && whole & 1 == 1 ? whole + 1 : whole
  }
}
