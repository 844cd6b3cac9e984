import PacketCodecs

/// One item of MessagePack: a map or an array.
enum MessagePackDetector: StructureDescriber {
  /// Most levels of nested items.
  private static let maxDepth = 16

  static func claim(_ bodies: [ArraySlice<UInt8>], _ offset: Int) -> StructureFinding? {
    var longBodies = 0
    var lengths = Set<Int>()
    var isMap = true
    for body in bodies {
      let bytes = body.dropFirst(offset)
      guard let first = bytes.first, bytes.count >= 2 else { return nil }
      switch first {
      case 0x81...0x8f, 0xde, 0xdf: break
      case 0x92...0x9f, 0xdc, 0xdd: isMap = false
      default: return nil
      }
      var reader = Reader(bytes)
      guard reader.skip(maxDepth), reader.at == bytes.endIndex else { return nil }
      lengths.insert(bytes.count)
      if bytes.count >= 4 { longBodies += 1 }
      // The keys of maps in protocols are texts or small numbers: a map with other keys is weak evidence.
      if isMap { isMap = reader.hasKeys }
    }
    // An array that ends where the message ends is weak evidence if all messages have one length.
    guard longBodies >= 3, isMap || lengths.count >= 3 else { return nil }
    return StructureFinding(
      offset: offset, type: .bytes, bits: min(60, Double(longBodies) * 5),
      evidence: "MessagePack to the last byte: \(bodies.count) of \(bodies.count)",
      name: "messagepack")
  }

  /// Skips items without keeping them.
  private struct Reader {
    let bytes: ArraySlice<UInt8>
    var at: Int
    /// Whether all keys of the outermost map are text or numbers.
    var hasKeys = true

    init(_ bytes: ArraySlice<UInt8>) {
      self.bytes = bytes
      at = bytes.startIndex
    }

    private mutating func take(_ count: Int) -> Bool {
      guard count <= bytes.endIndex - at else { return false }
      at += count
      return true
    }

    private mutating func number(_ size: Int) -> Int? {
      guard size <= bytes.endIndex - at else { return nil }
      var value = 0
      for _ in 0..<size {
        value = value << 8 | Int(bytes[at])
        at += 1
      }
      return value
    }

    /// Reads a count, a number of `size` bytes, and skips that many bytes and `more` further ones.
    private mutating func counted(_ size: Int, more: Int = 0) -> Bool {
      number(size).map { take($0 + more) } ?? false
    }

    private mutating func items(_ count: Int, _ depth: Int, areKeyed: Bool) -> Bool {
      // Each item has a byte at least.
      guard count <= bytes.endIndex - at else { return false }
      for index in 0..<count {
        if areKeyed, index % 2 == 0, depth == MessagePackDetector.maxDepth - 1, at < bytes.endIndex {
          switch bytes[at] {
          case 0x00...0x7f, 0xa0...0xbf, 0xcc...0xcd, 0xd9...0xda: break
          default: hasKeys = false
          }
        }
        guard skip(depth) else { return false }
      }
      return true
    }

    /// Skips the next item; false where there is none.
    mutating func skip(_ depth: Int) -> Bool {
      guard depth > 0, at < bytes.endIndex else { return false }
      let first = bytes[at]
      at += 1
      switch first {
      case 0x00...0x7f, 0xe0...0xff, 0xc0, 0xc2, 0xc3: return true
      case 0x80...0x8f: return items(2 * Int(first & 15), depth - 1, areKeyed: true)
      case 0x90...0x9f: return items(Int(first & 15), depth - 1, areKeyed: false)
      case 0xa0...0xbf: return take(Int(first & 31))
      case 0xc4, 0xd9: return counted(1)
      case 0xc5, 0xda: return counted(2)
      case 0xc6, 0xdb: return counted(4)
      case 0xc7: return counted(1, more: 1)
      case 0xc8: return counted(2, more: 1)
      case 0xc9: return counted(4, more: 1)
      case 0xcc, 0xd0: return take(1)
      case 0xcd, 0xd1, 0xd4: return take(2)
      case 0xca, 0xce, 0xd2: return take(4)
      case 0xcb, 0xcf, 0xd3: return take(8)
      case 0xd5: return take(3)
      case 0xd6: return take(5)
      case 0xd7: return take(9)
      case 0xd8: return take(17)
      case 0xdc: return number(2).map { items($0, depth - 1, areKeyed: false) } ?? false
      case 0xdd: return number(4).map { items($0, depth - 1, areKeyed: false) } ?? false
      case 0xde: return number(2).map { items(2 * $0, depth - 1, areKeyed: true) } ?? false
      case 0xdf: return number(4).map { items(2 * $0, depth - 1, areKeyed: true) } ?? false
      default: return false
      }
    }
  }
}
