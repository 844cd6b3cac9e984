import PacketCodecs

/// A self-describing body, from an offset to the end: tagged values, protobuf, CBOR, JSON.
struct StructureFinding {
  var offset: Int
  var type: FieldType
  var bits: Double
  var evidence: String
  /// Its name, where the type alone does not describe it.
  var name: String?
}

/// A self-describing format of bodies.
protocol StructureDescriber: SendableMetatype {
  /// The evidence that all bodies from `offset` on have this format; nil where one has not.
  static func claim(_ bodies: [ArraySlice<UInt8>], _ offset: Int) -> StructureFinding?
}

/// Finds the offset at which a self-describing body begins.
enum StructureDetector {
  /// The structure of the frames without their `tail` bytes; it begins at the start, or up to sixteen bytes after it.
  static func find(_ frames: [ArraySlice<UInt8>], tail: Int, notBefore: Int) -> StructureFinding? {
    let bodies = CheckDetector.different(frames, 300).map { $0.dropLast(min(tail, $0.count)) }
    guard bodies.count >= 4 else { return nil }
    var best: StructureFinding?
    for offset in notBefore..<max(notBefore, min(16, (bodies.map(\.count).min() ?? 0) + 1)) {
      for describer in Registry.structures {
        guard let candidate = describer.claim(bodies, offset), candidate.bits > 16 else { continue }
        if best.map({ candidate.bits > $0.bits * 1.15 }) ?? true { best = candidate }
      }
    }
    return best
  }
}

/// Values with a tag and a length before them.
enum TaggedDetector: StructureDescriber {
  static func claim(_ bodies: [ArraySlice<UInt8>], _ offset: Int) -> StructureFinding? {
    var best: StructureFinding?
    for (tag, length, order, lengthFirst) in [
      (1, 1, ByteOrder.big, false), (1, 2, .big, false), (1, 2, .little, false), (2, 1, .little, false), (2, 2, .little, false),
      (2, 2, .big, false), (1, 1, .big, true),
    ] {
      var elements = 0
      var filled = 0
      var lengths = Set<Int>()
      var tags = Set<UInt64>()
      var several = 0
      var isGood = true
      var filledBodies = 0
      var shapes = Set<[Int]>()
      for body in bodies {
        var at = offset
        var elementsOfBody = 0
        var shape: [Int] = []
        while at < body.count {
          let first = body.number(at, lengthFirst ? length : tag, order)
          let second = body.number(at + (lengthFirst ? length : tag), lengthFirst ? tag : length, order)
          guard let first, let second else {
            isGood = false
            break
          }
          let size = Int(lengthFirst ? first : second) - (lengthFirst ? 1 : 0)
          guard size >= 0, at + tag + length + size <= body.count else {
            isGood = false
            break
          }
          tags.insert(lengthFirst ? second : first)
          lengths.insert(size)
          shape.append(size)
          if size > 0 { filled += 1 }
          at += tag + length + size
          elementsOfBody += 1
        }
        guard isGood else { break }
        elements += elementsOfBody
        shapes.insert(shape)
        if elementsOfBody > 1 { several += 1 }
        if elementsOfBody > 0 { filledBodies += 1 }
      }
      // All bodies end with their last value. A body of n bytes does so by chance with a probability of 1/n.
      guard isGood, several >= 3, lengths.count >= 2, tags.count >= 2, elements >= filledBodies + filledBodies / 2 else { continue }
      guard tags.count <= max(8, elements / 3) || lengths.count <= 6 else { continue }
      // Where each message has one value only, the elements of length zero before it are a header.
      guard filled >= filledBodies + filledBodies / 4 else { continue }
      // Only bodies with different lengths of values are evidence: each further combination of lengths that ends with the body counts.
      let kinds = Set(bodies.map { $0.count }).count
      guard kinds >= 2, shapes.count >= 3 else { continue }
      var bits = 6 * Double(min(shapes.count, 10)) + 4 * Double(min(kinds, 6)) - 8
      if lengths.contains(0), lengths.count < 3 { bits -= 16 }
      // Zeros are elements of length zero.
      if tags == [0] { continue }
      if best.map({ bits > $0.bits }) ?? true {
        best = StructureFinding(
          offset: offset, type: .tlv, bits: bits,
          evidence:
            "\(lengthFirst ? "length \(length), tag \(tag)" : "tag \(tag), length \(length)") bytes: \(elements) values, to the last byte of \(filledBodies) of \(bodies.count)"
        )
      }
    }
    return best
  }
}

/// One item of CBOR.
enum CBORDetector: StructureDescriber {
  static func claim(_ bodies: [ArraySlice<UInt8>], _ offset: Int) -> StructureFinding? {
    var items = 0
    var longBodies = 0
    for body in bodies {
      guard offset < body.count else { return nil }
      let bytes = Array(body.dropFirst(offset))
      // Only maps and arrays are recognized.
      guard let first = bytes.first, first >> 5 == 5 || first >> 5 == 4, bytes.count >= 2 else { return nil }
      var reader = CBORReader(in: 0..<bytes.count)
      guard let range = try? reader.skip(in: bytes.rawSpan), range.upperBound == bytes.count else { return nil }
      items += 1
      if bytes.count >= 4 { longBodies += 1 }
    }
    guard longBodies >= 3 else { return nil }
    return StructureFinding(
      offset: offset, type: .cbor, bits: min(60, Double(longBodies) * 5), evidence: "CBOR to the last byte: \(items) of \(bodies.count)")
  }
}

/// Fields of protobuf.
enum ProtobufDetector: StructureDescriber {
  /// The values of the fields with one number.
  private struct Seen {
    var type = ProtobufField.WireType.varint
    var count = 0
    var low = UInt64.max
    var high = UInt64.min

    var text: String {
      switch type {
      case .varint: low == high ? "varint \(low)" : "varint \(low) to \(high)"
      case .bytes: low == high ? "\(low) bytes" : "\(low) to \(high) bytes"
      case .fixed32: "4 bytes"
      case .fixed64: "8 bytes"
      case .groupStart, .groupEnd: "group"
      }
    }
  }

  static func claim(_ bodies: [ArraySlice<UInt8>], _ offset: Int) -> StructureFinding? {
    var longBodies = 0
    var seen: [UInt32: Seen] = [:]
    for body in bodies {
      guard offset < body.count else { continue }
      let bytes = Array(body.dropFirst(offset))
      var reader = ProtobufReader(in: 0..<bytes.count)
      var fields = 0
      while true {
        guard let field = try? reader.next(in: bytes.rawSpan) else {
          if reader.position < bytes.count { return nil }
          break
        }
        guard field.number <= 40 else { return nil }
        let value = field.wireType == .bytes ? UInt64(field.range.count) : field.value
        var known = seen[field.number] ?? Seen(type: field.wireType)
        known.count += 1
        known.low = min(known.low, value)
        known.high = max(known.high, value)
        seen[field.number] = known
        fields += 1
      }
      guard fields > 0 else { return nil }
      if bytes.count >= 4, fields >= 2 { longBodies += 1 }
    }
    guard longBodies >= 4, longBodies * 3 >= bodies.count, Set(bodies.map(\.count)).count >= 3 else { return nil }
    let list = seen.sorted { $0.key < $1.key }.prefix(8).map { "\($0.key): \($0.value.text)" }.joined(separator: ", ")
    return StructureFinding(
      offset: offset, type: .protobuf, bits: min(60, Double(longBodies) * 4), evidence: "to the last byte of \(bodies.count): \(list)")
  }
}
