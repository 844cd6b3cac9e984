import Testing

@testable import PacketCodecs

@Suite struct HalfFloatTests {
  /// Values of IEEE 754 binary16, as Python's `struct` packs them (`e`).
  @Test(
    arguments: [
      (0x0000, 0.0), (0x8000, -0.0), (0x0001, 0x1p-24), (0x03FF, 0x1.FF8p-15), (0x0400, 0x1p-14), (0x3C00, 1), (0x3C01, 1.0009765625),
      (0xC000, -2), (0x7BFF, 65504), (0x7C00, .infinity), (0xFC00, -.infinity), (0x3555, 0.333251953125),
    ] as [(UInt16, Double)]) func known(bits: UInt16, value: Double)
  {
    #expect(HalfFloat.value(bits).bitPattern == value.bitPattern)
    #expect(HalfFloat.bits(value) == bits)
  }

  @Test func allNumbersComeBack() {
    for bits in UInt16.min...UInt16.max {
      let value = HalfFloat.value(bits)
      #expect(value.isNaN ? HalfFloat.value(HalfFloat.bits(value)).isNaN : HalfFloat.bits(value) == bits)
    }
  }

  /// Rounding to the nearest number, ties to even.
  @Test(
    arguments: [
      (1.00048828125, 0x3C00), (1.00146484375, 0x3C02), (1.0005, 0x3C01), (2047.5, 0x6800), (65519.99, 0x7BFF), (65520, 0x7C00),
      (1e300, 0x7C00), (-0.00001, 0x80A8), (0x1p-25, 0x0000), (0x1.8p-24, 0x0002), (0x1.FFFp-15, 0x0400), (0.1, 0x2E66),
    ] as [(Double, UInt16)]) func rounded(value: Double, bits: UInt16)
  {
    #expect(HalfFloat.bits(value) == bits)
  }
}
