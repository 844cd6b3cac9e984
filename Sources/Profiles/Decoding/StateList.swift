import KaitaiStruct
import Memory
import PacketCodecs

/// A value of the state, or an element of a list in it. The state outlives the messages whose values it has, so that texts and bytes are copies.
enum StateElement: Equatable, Sendable {
  case int(Int64), uint(UInt64), float(Double), bool(Bool), text(String), bytes([UInt8])

  /// Upper bound of a text or of bytes in a list.
  private static let maxBytes = 256

  /// Bytes of memory that it takes in a list.
  var byteCount: Int { 16 + contentCount }

  /// The part of them that a text, or bytes, take.
  var contentCount: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .bytes(let bytes): bytes.count
    case .int, .uint, .float, .bool: 0
    }
  }

  init(_ entry: Entry) throws {
    let value = try entry.plainValue()
    if case .text = value { self = .text(try entry.text()) } else { self = try StateElement(value) ?? .text(entry.text()) }
  }

  /// A single value; nil for others.
  init?(_ value: FieldTree) {
    switch value {
    case .int(let number): self = .int(number)
    case .uint(let number): self = .uint(number)
    case .double(let number): self = .float(number)
    case .bool(let truth): self = .bool(truth)
    case .text(let text): self = .text(text)
    default: return nil
    }
  }

  /// The result of an expression; nil for objects and lists. Of texts and bytes at most ``maxBytes``.
  init?(_ value: KaitaiValue, _ tree: KaitaiTree) {
    switch value.kind {
    case .int, .enumeration:
      if let number = value.asInt { self = .int(number) } else { self = .uint(value.asUInt ?? 0) }
    case .uint: self = .uint(value.asUInt ?? 0)
    case .bool: self = .bool(value.asBool ?? false)
    case .float: self = .float(value.asDouble ?? 0)
    case .string:
      self = .text(tree.withBytes(of: value) { String(decoding: $0.prefix(Self.maxBytes), as: UTF8.self) })
    case .bytes where !value.isBody: self = .bytes(tree.withBytes(of: value) { Array($0.prefix(Self.maxBytes)) })
    default: return nil
    }
  }

  init?(_ value: BodyValue, of bytes: BorrowedBytes) {
    switch value {
    case .absent, .part: return nil
    case .bool(let truth): self = .bool(truth)
    case .int(let number): self = .int(number)
    case .uint(let number): self = .uint(number)
    case .float(let number): self = .float(number)
    case .text(let text): self = .text(String(decoding: text.prefix(Self.maxBytes), as: UTF8.self))
    case .bytes(let range): self = .bytes(Array(bytes[range].prefix(Self.maxBytes)))
    }
  }

  func append(to output: inout [UInt8]) {
    switch self {
    case .int(let number): CBORWriter.append(number, to: &output)
    case .uint(let number): CBORWriter.append(unsigned: number, to: &output)
    case .float(let number): CBORWriter.append(float: number, to: &output)
    case .bool(let truth): CBORWriter.append(boolean: truth, to: &output)
    case .text(let text): CBORWriter.append(text: text, to: &output)
    case .bytes(let bytes): CBORWriter.append(bytes: bytes.rawSpan, to: &output)
    }
  }
}

extension CompiledState.Value {
  /// The last elements of the list that an expression returned; nil where it returned none.
  static func list(_ value: KaitaiValue, _ tree: KaitaiTree, _ bodies: (any BodyReader)?) -> Self? {
    var elements: [StateElement] = []
    if value.isBody {
      guard let bodies else { return nil }
      return tree.withBytes(of: value) { bytes -> Self? in
        guard let format = value.bodyFormat, let count = bodies.count(bytes.span, format: format) else { return nil }
        for index in max(0, count - maxElements)..<count {
          guard let element = StateElement(bodies.value(at: .index(Int64(index)), in: bytes.span, format: format), of: bytes) else {
            return nil
          }
          elements.append(element)
        }
        return .list(elements)
      }
    }
    switch value.kind {
    // A list of small numbers is bytes, as in Kaitai Struct.
    case .bytes: return .list(tree.withBytes(of: value) { $0.suffix(maxElements).map { .int(Int64($0)) } })
    case .array:
      guard let array = value.asNode else { return nil }
      var skipped = max(0, tree.node(array).count - maxElements)
      var next = tree.node(array).firstChild
      while let node = next {
        next = tree.node(node).next
        if skipped > 0 {
          skipped -= 1
          continue
        }
        guard let element = tree.value(of: node).flatMap({ StateElement($0, tree) }) else { return nil }
        elements.append(element)
      }
      return .list(elements)
    default: return nil
    }
  }

  /// The elements as CBOR, for expressions.
  static func body(of elements: [StateElement]) -> [UInt8] {
    var bytes: [UInt8] = []
    CBORWriter.append(arrayOf: elements.count, to: &bytes)
    for element in elements { element.append(to: &bytes) }
    return bytes
  }
}
