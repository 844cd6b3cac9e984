import Testing

@testable import Bluetooth

@Suite struct IdentityResolvingKeyTests {
  /// Core, Vol 3, Part H, Appendix D.7: IRK, prand and the hash made of them.
  private let key = IdentityResolvingKey(high: 0xec02_34a3_57c8_ad05, low: 0x3410_10a6_0a39_7d9b)

  @Test func hashesAsTheSpecificationSays() {
    #expect(IdentityResolvingKey.hash(0x708194, with: key.cipher) == 0x0dfbaa)
  }

  @Test func resolvesItsOwnAddressesOnly() {
    #expect(IdentityResolvingKey.resolves(0x7081_940d_fbaa, with: key.cipher))
    #expect(!IdentityResolvingKey.resolves(0x7081_940d_fbab, with: key.cipher))
    // An address with these bits whose two most significant bits are those of a static address is no resolvable private address.
    #expect(!IdentityResolvingKey.resolves(0xF081_940d_fbaa, with: key.cipher))
  }

  @Test func readsTheOrderOfTheWire() {
    var wire: [UInt8] = [0x9b, 0x7d, 0x39, 0x0a, 0xa6, 0x10, 0x10, 0x34, 0x05, 0xad, 0xc8, 0x57, 0xa3, 0x34, 0x02, 0xec]
    #expect(Self.key(wire) == key)
    wire.removeLast()
    #expect(Self.key(wire) == nil)
    #expect(Self.key([UInt8](repeating: 0, count: 16)) == nil)
  }

  private static func key(_ bytes: [UInt8]) -> IdentityResolvingKey? { IdentityResolvingKey(littleEndian: bytes.span.bytes) }
}
