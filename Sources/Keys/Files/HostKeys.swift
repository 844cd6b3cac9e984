import Bluetooth
import Captures
import PacketCodecs

/// Finds the keys that are sent between host and controller, and in management records: HCI commands and events, key distribution of pairing.
public struct HostKeys {
  /// The keys in the order of the capture.
  public private(set) var ring: KeyRing
  /// Name of the capture.
  private let file: String
  /// Peers by adapter and handle.
  private var peers: [UInt32: DeviceAddress] = [:]
  /// Long term keys and identity keys whose second half has not come, by adapter, handle and sender.
  private var halves: [UInt32: (longTermKey: Int?, identityKey: Block128?)] = [:]
  private var frame = 0

  /// Adds the keys of the capture called `file` to `ring`.
  public init(_ ring: KeyRing = KeyRing(), file: String) {
    self.ring = ring
    self.file = file
  }

  /// Takes a packet.
  public mutating func take(_ record: PacketRecord, _ payload: RawSpan) {
    frame = record.frame
    switch record.kind {
    case .command: if payload.byteCount > 3 { command(record, payload) }
    case .event: if payload.byteCount > 2 { event(record, payload) }
    case .acl: acl(record, payload)
    case .controlCommand, .controlEvent: if payload.byteCount > 6 { management(payload, isEvent: record.kind == .controlEvent) }
    default: break
    }
  }

  private mutating func add(
    _ kind: Key.Kind, _ bytes: RawSpan, _ at: Int, of peer: DeviceAddress?, _ origin: String, ediv: UInt16? = nil, random: UInt64? = nil
  ) -> Int? {
    guard bytes.byteCount >= at + 16 else { return nil }
    let block = Block128(high: bytes.integer(at + 8, 8), low: bytes.integer(at, 8))
    guard block != .zero, var key = Key(kind, block.bytes, address: peer) else { return nil }
    (key.ediv, key.random) = (ediv, random)
    return ring.add(KnownKey(key, file: file, frame: frame, origin: origin))
  }

  private func peer(_ record: PacketRecord, _ handle: UInt64) -> DeviceAddress? { peers[handleKey(record, handle)] }

  private func handleKey(_ record: PacketRecord, _ handle: UInt64) -> UInt32 {
    UInt32(record.adapter) << 16 | UInt32(truncatingIfNeeded: handle & 0xFFF)
  }

  private mutating func command(_ record: PacketRecord, _ bytes: RawSpan) {
    switch bytes.integer(0, 2) {
    case 0x2019 where bytes.byteCount >= 31:
      _ = add(
        .longTerm, bytes, 15, of: peer(record, bytes.integer(3, 2)), "LE Enable Encryption",
        ediv: UInt16(truncatingIfNeeded: bytes.integer(13, 2)), random: bytes.integer(5, 8))
    case 0x201A where bytes.byteCount >= 21:
      _ = add(.longTerm, bytes, 5, of: peer(record, bytes.integer(3, 2)), "LE Long Term Key Request Reply")
    case 0x0C11 where bytes.byteCount >= 4:
      for index in 0..<Int(bytes.byte(3)) where bytes.byteCount >= 4 + 22 * (index + 1) {
        _ = add(.link, bytes, 10 + 22 * index, of: DeviceAddress(bytes, at: 4 + 22 * index, .public), "Write Stored Link Key")
      }
    case 0x040B where bytes.byteCount >= 25: _ = add(.link, bytes, 9, of: DeviceAddress(bytes, at: 3, .public), "Link Key Request Reply")
    case 0x2068 where bytes.byteCount >= 34 && bytes.byte(17) == 1: _ = add(.broadcastCode, bytes, 18, of: nil, "LE Create BIG")
    case 0x206B where bytes.byteCount >= 23 && bytes.byte(6) == 1: _ = add(.broadcastCode, bytes, 7, of: nil, "LE BIG Create Sync")
    case 0x2027 where bytes.byteCount >= 42:
      let kind = DeviceAddress.Kind(rawValue: bytes.byte(3))
      _ = add(.identityResolving, bytes, 10, of: DeviceAddress(bytes, at: 4, kind), "LE Add Device To Resolving List")
      // The host's own key, whose identity address is not in the command.
      if bytes.integer(26, 8) != bytes.integer(10, 8) || bytes.integer(34, 8) != bytes.integer(18, 8) {
        _ = add(.identityResolving, bytes, 26, of: nil, "LE Add Device To Resolving List, local")
      }
    default: break
    }
  }

  private mutating func event(_ record: PacketRecord, _ bytes: RawSpan) {
    switch bytes.byte(0) {
    case 0x03 where bytes.byteCount >= 11: remember(record, bytes, handle: 3, address: 5, .public)
    case 0x15 where bytes.byteCount >= 3:
      for index in 0..<Int(bytes.byte(2)) where bytes.byteCount >= 3 + 22 * (index + 1) {
        _ = add(.link, bytes, 9 + 22 * index, of: DeviceAddress(bytes, at: 3 + 22 * index, .public), "Return Link Keys")
      }
    case 0x18 where bytes.byteCount >= 24: _ = add(.link, bytes, 8, of: DeviceAddress(bytes, at: 2, .public), "Link Key Notification")
    case 0x3E where bytes.byteCount >= 14 && [0x01, 0x0A, 0x29].contains(bytes.byte(2)) && bytes.byte(3) == 0:
      remember(record, bytes, handle: 4, address: 8, DeviceAddress.Kind(rawValue: bytes.byte(7)))
    default: break
    }
  }

  private mutating func remember(_ record: PacketRecord, _ bytes: RawSpan, handle: Int, address: Int, _ kind: DeviceAddress.Kind) {
    let key = handleKey(record, bytes.integer(handle, 2))
    halves[key] = nil
    if peers.count < 65_536 || peers[key] != nil { peers[key] = DeviceAddress(bytes, at: address, kind) }
  }

  /// The key distribution (Core, Vol 3, Part H, 3.6): each PDU fits into one packet.
  private mutating func acl(_ record: PacketRecord, _ bytes: RawSpan) {
    guard bytes.byteCount > 8, bytes.byte(1) >> 4 & 3 != 1 else { return }
    let channel = bytes.integer(6, 2)
    guard channel == L2CAP.ChannelID.smp.rawValue || channel == L2CAP.ChannelID.bredrSMP.rawValue,
      bytes.byteCount >= 8 + Int(bytes.integer(4, 2))
    else { return }
    let identity = handleKey(record, bytes.integer(0, 2)) | (record.direction == .received ? 0 : 0x8000)
    let peer = peers[identity & ~0x8000]
    // The peer keeps the keys that this host distributes: both are keys between the two.
    switch SMP.Opcode(rawValue: bytes.byte(8)) {
    case .encryptionInformation:
      let key = add(.longTerm, bytes, 9, of: peer, "Encryption Information")
      if halves.count < 65_536 { halves[identity, default: (nil, nil)].longTermKey = key }
    case .centralIdentification where bytes.byteCount >= 19:
      guard let key = halves[identity]?.longTermKey else { return }
      ring.complete(key, ediv: UInt16(truncatingIfNeeded: bytes.integer(9, 2)), random: bytes.integer(11, 8))
      halves[identity]?.longTermKey = nil
    case .identityInformation where bytes.byteCount >= 25:
      if halves.count < 65_536 {
        halves[identity, default: (nil, nil)].identityKey = Block128(high: bytes.integer(17, 8), low: bytes.integer(9, 8))
      }
    case .identityAddressInformation where bytes.byteCount >= 16:
      guard let key = halves[identity]?.identityKey, key != .zero else { return }
      let address = DeviceAddress(bytes, at: 10, bytes.byte(9) == 1 ? .random : .public)
      ring.add(KnownKey(Key(.identityResolving, key, address: address), file: file, frame: frame, origin: "Identity Information"))
      halves[identity]?.identityKey = nil
    case .signingInformation: _ = add(.signature, bytes, 9, of: peer, "Signing Information")
    default: break
    }
  }

  /// Management commands and events of Linux, from the cookie on.
  private mutating func management(_ bytes: RawSpan, isEvent: Bool) {
    /// An address (6), its type (0: BR/EDR, 1: LE public, 2: LE random).
    func peer(_ at: Int) -> DeviceAddress? {
      guard bytes.byteCount > at + 6 else { return nil }
      return DeviceAddress(bytes, at: at, bytes.byte(at + 6) == 2 ? .random : .public)
    }
    func count(_ at: Int) -> Int { bytes.byteCount >= at + 2 ? Int(bytes.integer(at, 2)) : 0 }
    func longTerm(_ at: Int, _ origin: String) {
      guard bytes.byteCount >= at + 36 else { return }
      _ = add(
        .longTerm, bytes, at + 20, of: peer(at), origin, ediv: UInt16(truncatingIfNeeded: bytes.integer(at + 10, 2)),
        random: bytes.integer(at + 12, 8))
    }
    /// An address with its type, then a passkey.
    func passkey(_ at: Int, _ origin: String) {
      guard bytes.byteCount >= at + 11, case let value = bytes.integer(at + 7, 4), value < TemporaryKeySearch.passkeys else { return }
      ring.add(KnownKey(Key(.passkey, Block128(high: 0, low: value), address: peer(at)), file: file, frame: frame, origin: origin))
    }
    switch (isEvent, bytes.integer(4, 2)) {
    case (true, 0x0009): _ = add(.link, bytes, 15, of: peer(7), "New Link Key")
    case (true, 0x000A): longTerm(7, "New Long Term Key")
    case (true, 0x0017): passkey(6, "Passkey Notify")
    case (false, 0x001E): passkey(6, "User Passkey Reply")
    case (false, 0x002F): _ = add(.identityResolving, bytes, 7, of: nil, "Set Privacy")
    case (true, 0x0018): _ = add(.identityResolving, bytes, 20, of: peer(13), "New Identity Resolving Key")
    case (true, 0x0019): _ = add(.signature, bytes, 15, of: peer(7), "New Signature Resolving Key")
    case (false, 0x0012):
      for index in 0..<count(7) where bytes.byteCount >= 9 + 25 * (index + 1) {
        _ = add(.link, bytes, 17 + 25 * index, of: peer(9 + 25 * index), "Load Link Keys")
      }
    case (false, 0x0013):
      for index in 0..<count(6) where bytes.byteCount >= 8 + 36 * (index + 1) { longTerm(8 + 36 * index, "Load Long Term Keys") }
    case (false, 0x0030):
      for index in 0..<count(6) where bytes.byteCount >= 8 + 23 * (index + 1) {
        _ = add(.identityResolving, bytes, 15 + 23 * index, of: peer(8 + 23 * index), "Load Identity Resolving Keys")
      }
    default: break
    }
  }
}
