import PacketCodecs
import Testing

@Suite struct AES128Tests {
  /// FIPS 197, Appendix B and C.1; the all-zero key of the NIST known-answer tests.
  @Test(
    arguments: [
      (
        key: (0x2b7e_1516_28ae_d2a6, 0xabf7_1588_09cf_4f3c), plain: (0x3243_f6a8_885a_308d, 0x3131_98a2_e037_0734),
        cipher: (0x3925_841d_02dc_09fb, 0xdc11_8597_196a_0b32)
      ),
      (
        key: (0x0001_0203_0405_0607, 0x0809_0a0b_0c0d_0e0f), plain: (0x0011_2233_4455_6677, 0x8899_aabb_ccdd_eeff),
        cipher: (0x69c4_e0d8_6a7b_0430, 0xd8cd_b780_70b4_c55a)
      ),
      (key: (0, 0), plain: (0, 0), cipher: (0x66e9_4bd4_ef8a_2c3b, 0x884c_fa59_ca34_2b2e)),
    ] as [(key: (UInt64, UInt64), plain: (UInt64, UInt64), cipher: (UInt64, UInt64))])
  func encrypts(vector: (key: (UInt64, UInt64), plain: (UInt64, UInt64), cipher: (UInt64, UInt64))) {
    let result = AES128(high: vector.key.0, low: vector.key.1).encrypt(high: vector.plain.0, low: vector.plain.1)
    #expect(result == vector.cipher)
  }
}
