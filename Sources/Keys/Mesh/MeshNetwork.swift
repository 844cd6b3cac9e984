/// Keys of Bluetooth Mesh networks, each of 16 bytes, and their possible IV indices.
public struct MeshKeys: Sendable {
  /// Network keys, for the network layer.
  public var networks: [[UInt8]]
  /// Application keys, for messages of most models.
  public var applications: [[UInt8]]
  /// Device keys, for messages of the configuration models.
  public var devices: [[UInt8]]
  /// IV indices.
  public var indices: [UInt32]

  /// Keys of one or more networks; the IV index is 0 if none is given.
  public init(networks: [[UInt8]] = [], applications: [[UInt8]] = [], devices: [[UInt8]] = [], indices: [UInt32] = []) {
    self.networks = networks
    self.applications = applications
    self.devices = devices
    self.indices = indices.isEmpty ? [0] : indices
  }
}

/// Decodes and decrypts Bluetooth Mesh layer by layer (Mesh Protocol 1.1, 3.4 to 3.9, 5.3 and 6.3). It keeps incomplete messages; packets have to be
/// given in order.
public final class MeshNetwork {
  /// The layer of a part, and whether it was reassembled.
  public enum Kind: Sendable {
    /// A network PDU; its code is 1 if it was decrypted, and then it has the layout of an unencrypted one. The same for a proxy configuration.
    case network, configuration
    /// The encrypted PDU of the upper transport layer; its code is the length of the TransMIC after it.
    case transport
    /// The parameters of a control message; its code is its opcode.
    case control
    /// A decrypted access message of a model; its code is its opcode, for a vendor's message including the company's bytes.
    case access
    /// A provisioning PDU; its code is its type.
    case provisioning
    /// A beacon.
    case beacon
    /// A message that came in several segments: of the transport layer, of a control message, of PB-ADV, of a proxy.
    case joinedAccess, joinedControl, joinedBearer, joinedProxy
  }

  /// A PDU of one of the layers.
  public struct Part: Sendable {
    /// Its layer.
    public var kind: Kind
    /// See ``Kind``.
    public var code: UInt32 = 0
    /// Its bytes.
    public var bytes: [UInt8]
    /// Numbers of the packets with its segments.
    public var frames: [Int] = []
  }

  /// The values derived from a network key with k2 (3.9.6.3.1), and the ciphers.
  private struct Network {
    let identifier: UInt8
    let cipher: MessageCipher
    let privacy: SystemCryptography
  }

  /// An incomplete message.
  private struct Assembly {
    let kind: Kind
    /// Its source and destination, or the stream that carried it.
    let name: UInt64
    /// The number of its first segment, or of its transaction.
    let number: UInt32
    var pieces: [[UInt8]?]
    var frames: [Int]

    /// The message, if all of its segments are present.
    var whole: [UInt8]? { pieces.allSatisfy { $0 != nil } ? pieces.flatMap { $0 ?? [] } : nil }
  }

  /// Most incomplete messages, and most bytes of a message from a proxy.
  private static let maxAssemblies = 64
  private static let longestMessage = 4096
  private static let maxPieces = 512
  /// Most keys, each with an IV index, that are tried on one PDU; the last of the excess keys are not tried.
  private static let maxTrials = 2048

  private var networks: [Network] = []
  /// Indices of the network and the IV index that decrypted the last PDU: they are tried first.
  private var lastOpened = (network: 0, index: 0)
  private var applications: [(identifier: UInt8, cipher: MessageCipher)] = []
  private var devices: [MessageCipher] = []
  private let indices: [UInt32]
  private var assemblies: [Assembly] = []

  /// Decrypts with `keys`. Keys that do not have 16 bytes are left out.
  public init(_ keys: MeshKeys) {
    indices = Self.different(keys.indices)
    func salt(_ text: String) -> Block128 { MessageDigest.cmac(.zero, Array(text.utf8)) }
    for bytes in Self.different(keys.networks) {
      guard bytes.count == 16 else { continue }
      let key = MessageDigest.cmac(salt("smk2"), bytes)
      let first = MessageDigest.cmac(key, [0, 1])
      let second = MessageDigest.cmac(key, first.bytes + [0, 2])
      let third = MessageDigest.cmac(key, second.bytes + [0, 3])
      guard let cipher = MessageCipher(.ccm, key: second.bytes) else { continue }
      networks.append(
        Network(identifier: UInt8(truncatingIfNeeded: first.low & 0x7F), cipher: cipher, privacy: SystemCryptography(key: third)))
    }
    for bytes in Self.different(keys.applications) {
      guard bytes.count == 16, let cipher = MessageCipher(.ccm, key: bytes) else { continue }
      let identifier = MessageDigest.cmac(MessageDigest.cmac(salt("smk4"), bytes), Array("id6".utf8) + [1])
      applications.append((UInt8(truncatingIfNeeded: identifier.low & 0x3F), cipher))
    }
    devices = Self.different(keys.devices).filter { $0.count == 16 }.compactMap { MessageCipher(.ccm, key: $0) }
  }

  /// Removes duplicates, and keeps the order: nodes of one network are all given with the network's key.
  private static func different<T: Hashable>(_ all: [T]) -> [T] {
    var seen: Set<T> = []
    return all.filter { seen.insert($0).inserted }
  }

  // MARK: Bearers

  /// Takes a value written to a proxy, or notified by it (6.3). `stream` distinguishes connections and directions.
  public func take(proxy value: [UInt8], stream: UInt64, frame: Int, _ parts: inout [Part]) {
    guard let header = value.first else { return }
    let (position, kind) = (header >> 6, UInt32(header & 0x3F))
    var message = Array(value.dropFirst())
    if position > 0 {
      var open = assemblies.firstIndex { $0.kind == .joinedProxy && $0.name == stream }
      if position == 1, let old = open {
        assemblies.remove(at: old)
        open = nil
      }
      if position == 1 {
        add(Assembly(kind: .joinedProxy, name: stream, number: kind, pieces: [message], frames: [frame]))
      } else if let open, assemblies[open].number == kind {
        guard assemblies[open].pieces.count < Self.maxPieces else {
          assemblies.remove(at: open)
          return
        }
        assemblies[open].pieces.append(message)
        assemblies[open].frames.append(frame)
        let whole = assemblies[open].whole ?? []
        if position == 3 || whole.count > Self.longestMessage {
          let frames = assemblies.remove(at: open).frames
          guard whole.count <= Self.longestMessage else { return }
          parts.append(Part(kind: .joinedProxy, bytes: whole, frames: frames))
          message = whole
        }
      }
      guard position == 3, parts.last?.kind == .joinedProxy else { return }
    }
    switch kind {
    case 0: take(network: message, frame: frame, &parts)
    case 1: take(beacon: message, &parts)
    case 2: take(network: message, isConfiguration: true, frame: frame, &parts)
    case 3: take(provisioning: message, &parts)
    default: break
    }
  }

  /// Takes a beacon (3.10).
  public func take(beacon bytes: [UInt8], _ parts: inout [Part]) { parts.append(Part(kind: .beacon, bytes: bytes)) }

  /// Takes a packet of PB-ADV (5.3).
  public func take(bearer packet: [UInt8], frame: Int, _ parts: inout [Part]) {
    guard packet.count > 6 else { return }
    let name = packet[..<4].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let number = UInt32(packet[4])
    let lastSegment = Int(packet[5] >> 2)
    switch packet[5] & 3 {
    case 0:
      guard packet.count > 9 else { return }
      let message = Array(packet[9...])
      if lastSegment == 0 { return take(provisioning: message, &parts) }
      assemblies.removeAll { $0.kind == .joinedBearer && $0.name == name && $0.number == number }
      let pieces = [message] + [[UInt8]?](repeating: nil, count: lastSegment)
      add(Assembly(kind: .joinedBearer, name: name, number: number, pieces: pieces, frames: [frame]))
    case 2:
      guard let whole = join(.joinedBearer, name, number, lastSegment, Array(packet[6...]), frame, &parts) else { return }
      take(provisioning: whole, &parts)
    default: break
    }
  }

  private func take(provisioning message: [UInt8], _ parts: inout [Part]) {
    guard let first = message.first else { return }
    parts.append(Part(kind: .provisioning, code: UInt32(first & 0x3F), bytes: message))
  }

  private func add(_ assembly: Assembly) {
    if assemblies.count >= Self.maxAssemblies { assemblies.removeFirst() }
    assemblies.append(assembly)
  }

  /// Adds a segment to a message. Returns the message if this was the last missing one.
  private func join(
    _ kind: Kind, _ name: UInt64, _ number: UInt32, _ index: Int, _ piece: [UInt8], _ frame: Int, _ parts: inout [Part]
  ) -> [UInt8]? {
    guard let open = assemblies.firstIndex(where: { $0.kind == kind && $0.name == name && $0.number == number }),
      index < assemblies[open].pieces.count, assemblies[open].pieces[index] == nil
    else { return nil }
    assemblies[open].pieces[index] = piece
    assemblies[open].frames.append(frame)
    guard let whole = assemblies[open].whole else { return nil }
    parts.append(Part(kind: kind, bytes: whole, frames: assemblies.remove(at: open).frames))
    return whole
  }

  // MARK: Network layer

  /// Takes a network PDU (3.4.4), or a proxy configuration message, which has another nonce.
  public func take(network pdu: [UInt8], isConfiguration: Bool = false, frame: Int, _ parts: inout [Part]) {
    guard let first = pdu.first else { return }
    let kind: Kind = isConfiguration ? .configuration : .network
    if pdu.count >= 14 {
      let candidates = (0..<networks.count).filter { networks[$0].identifier == first & 0x7F }
      let known = candidates.contains(lastOpened.network) ? [lastOpened] : []
      for candidate in known
        + candidates.lazy.flatMap({ [indices] network in indices.indices.lazy.map { (network, $0) } }).prefix(Self.maxTrials)
      {
        guard let opened = opened(pdu, networks[candidate.network], indices[candidate.index], isConfiguration) else { continue }
        lastOpened = candidate
        parts.append(Part(kind: kind, code: 1, bytes: [first] + opened.head + opened.plain + opened.check))
        if !isConfiguration { transport(opened.head, opened.plain, opened.iv, frame, &parts) }
        return
      }
    }
    parts.append(Part(kind: kind, bytes: pdu))
  }

  /// The decrypted PDU for a network's keys and an IV index: its header, the bytes after that, the NetMIC, and the IV index that was used; nil where
  /// the keys do not decrypt it.
  private func opened(
    _ pdu: [UInt8], _ network: Network, _ index: UInt32, _ isConfiguration: Bool
  ) -> (head: [UInt8], plain: [UInt8], check: [UInt8], iv: [UInt8])? {
    // During an IV update, packets may still use the previous index.
    let index = UInt8(index & 1) == pdu[0] >> 7 ? index : index &- 1
    let iv = (0..<4).map { UInt8(truncatingIfNeeded: index >> UInt32(24 - 8 * $0)) }
    guard let mask = Block128([0, 0, 0, 0, 0] + iv + pdu[7..<14]).map({ network.privacy.encrypt($0).bytes }) else { return nil }
    let head = zip(pdu[1..<7], mask).map { $0 ^ $1 }
    let check = pdu.count - (head[0] & 0x80 == 0 ? 4 : 8)
    guard check >= 9 else { return nil }
    let nonce = (isConfiguration ? [3, 0] : [0, head[0]]) + head[1...] + [0, 0] + iv
    guard let plain = try? network.cipher.decrypt(Array(pdu[7..<check]), .init(nonce: nonce), tag: Array(pdu[check...])) else { return nil }
    return (head, plain, Array(pdu[check...]), iv)
  }

  // MARK: Transport layers

  /// Takes the PDU of the lower transport layer (3.5.2), which follows the destination.
  private func transport(_ head: [UInt8], _ plain: [UInt8], _ iv: [UInt8], _ frame: Int, _ parts: inout [Part]) {
    guard plain.count > 2 else { return }
    let isControl = head[0] & 0x80 != 0
    let kind = plain[2]
    let sequence = head[1..<4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    let ends = Array(head[4...]) + plain[..<2]
    guard kind & 0x80 != 0 else {
      let message = Array(plain[3...])
      if isControl {
        parts.append(Part(kind: .control, code: UInt32(kind), bytes: message))
      } else {
        open(message, kind, 4, sequence, ends, iv, &parts)
      }
      return
    }
    guard plain.count > 6 else { return }
    let word = plain[3..<6].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    let (number, last) = (Int(word >> 5 & 31), Int(word & 31))
    // The sequence number of the first segment (3.5.3.1); each segment has its last 13 bits.
    let zero = word >> 10 & 0x1FFF
    let start = sequence &- ((sequence &- zero) & 0x1FFF)
    let name = (ends + iv).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let joined: Kind = isControl ? .joinedControl : .joinedAccess
    if !assemblies.contains(where: { $0.kind == joined && $0.name == name && $0.number == start }) {
      add(Assembly(kind: joined, name: name, number: start, pieces: [[UInt8]?](repeating: nil, count: last + 1), frames: []))
    }
    guard let whole = join(joined, name, start, number, Array(plain[6...]), frame, &parts) else { return }
    if isControl {
      parts.append(Part(kind: .control, code: UInt32(kind & 0x7F), bytes: whole))
    } else {
      open(whole, kind, word >> 23 == 0 ? 4 : 8, start, ends, iv, &parts)
    }
  }

  /// Decrypts the PDU of the upper transport layer (3.6.4.1) with an application key or a device key.
  private func open(
    _ pdu: [UInt8], _ kind: UInt8, _ check: Int, _ sequence: UInt32, _ ends: [UInt8], _ iv: [UInt8], _ parts: inout [Part]
  ) {
    guard pdu.count > check else { return }
    parts.append(Part(kind: .transport, code: UInt32(check), bytes: pdu))
    let isApplication = kind & 0x40 != 0
    let ciphers = isApplication ? applications.filter { $0.identifier == kind & 0x3F }.map(\.cipher) : devices
    let number = (0..<3).map { UInt8(truncatingIfNeeded: sequence >> UInt32(16 - 8 * $0)) }
    let nonce: [UInt8] = [isApplication ? 1 : 2, check == 8 ? 0x80 : 0] + number + ends + iv
    for cipher in ciphers.prefix(Self.maxTrials) {
      guard let message = try? cipher.decrypt(Array(pdu.dropLast(check)), .init(nonce: nonce), tag: Array(pdu.suffix(check))) else {
        continue
      }
      // An opcode has one byte, two, or one and a company identifier (3.7.3.1).
      let count = message[0] < 0x80 ? 1 : message[0] < 0xC0 ? 2 : 3
      let code = message.prefix(count).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      parts.append(Part(kind: .access, code: code, bytes: message))
      return
    }
  }
}
