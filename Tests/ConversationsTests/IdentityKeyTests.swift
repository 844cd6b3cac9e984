import Bluetooth
import Testing

@testable import Conversations

/// Identity resolving keys from outside the capture.
@Suite struct IdentityKeyTests {
  /// The sample data of Core, Vol 3, Part H, D.7.
  private let key = IdentityResolvingKey(high: 0xEC02_34A3_57C8_AD05, low: 0x3410_10A6_0A39_7D9B)
  private let address: UInt64 = 0x7081_940D_FBAA

  private func another(_ random: UInt32) -> UInt64 {
    UInt64(random) << 24 | UInt64(IdentityResolvingKey.hash(random, with: key.cipher))
  }

  @Test func joinsAddressesWithTheIdentity() {
    var tables = ConversationTables(GATTCache())
    tables.learn([(key, DeviceAddress(0xC0FF_EE00_000A))])
    let peer = tables.peer(address, type: 1)
    // The two most significant bits are those of a static address, since the type is not given.
    #expect(tables.identity(peer) == tables.peer(0xC0FF_EE00_000A, type: 1))
    #expect(tables.peers[Int(tables.identity(peer))].address == 0xC0FF_EE00_000A)
    // A public address, a static one, and one that was made with another key.
    for (other, type) in [(address, UInt8(0)), (0xC0FF_EE00_0001, 1), (address ^ 1, 1)] {
      let peer = tables.peer(other, type: type)
      #expect(tables.identity(peer) == peer)
    }
    #expect(tables.resolved(another(0x4A_0001), type: 1) >= 0)
    #expect(tables.resolved(another(0x4A_0001) ^ 2, type: 1) == -1)
  }

  @Test func joinsAddressesWithOneAnother() {
    var tables = ConversationTables(GATTCache())
    tables.learn([(key, nil)])
    let first = tables.peer(address, type: 1), second = tables.peer(another(0x4A_0001), type: 1)
    #expect(tables.identity(first) == first)
    #expect(tables.identity(second) == first)
  }

  @Test func learnsSoManyKeys() {
    var tables = ConversationTables(GATTCache())
    tables.learn((0..<700).map { (IdentityResolvingKey(high: 1, low: UInt64($0)), $0 % 2 == 0 ? nil : DeviceAddress(UInt64($0), .public)) })
    #expect(tables.identityKeys.count == ConversationTables.maximumGivenIdentityKeys)
    // Keys in the capture have a limit of their own, and those beyond it are counted.
    for number in 0..<100 { tables.learn(IdentityResolvingKey(high: 2, low: UInt64(number)), of: UInt64(number), type: 0) }
    #expect(tables.identityKeys.count == ConversationTables.maximumGivenIdentityKeys + ConversationTables.maximumIdentityKeys)
    #expect(tables.overflow.identityKeys == 100 - ConversationTables.maximumIdentityKeys)
  }

  /// A key after a hundred others resolves addresses that occurred before it.
  @Test func laterKeysResolveEarlierAddresses() {
    var tables = ConversationTables(GATTCache())
    let peer = tables.peer(address, type: 1)
    tables.learn((0..<100).map { (IdentityResolvingKey(high: 1, low: UInt64($0)), nil) })
    #expect(tables.identity(peer) == peer)
    tables.learn(key, of: 0xC0FF_EE00_000A, type: 1)
    #expect(tables.peers[Int(tables.identity(peer))].address == 0xC0FF_EE00_000A)
  }
}
