@_spi(Pipeline) import Profiles
import Memory
import Text

/// Receives the fields of a message one by one, each with its path.
package protocol FlatFieldSink {
  /// A field with a single value. For an element of an array, `index` is its index and `path` that of the array.
  mutating func field(_ path: [UInt8], _ index: Int?, _ field: FieldContext, _ value: MessageFieldValue)
}

/// Walks the fields of a message and reports each with its path: `header.length`, `samples[3].x`. The value of an id-value pair is reported with the
/// id in its path: `values.battery_level`.
package struct FlatFields<Sink: FlatFieldSink>: MessageFieldVisitor {
  /// State that does not depend on the sink is not part of this generic type: code in another module would look up its layout for each field.
  private var path = FlatPath()
  /// Receives the fields.
  package var sink: Sink

  package init(_ sink: Sink) { self.sink = sink }

  package mutating func leaf(_ field: FieldContext, _ value: MessageFieldValue) {
    switch path.leaf(field, value) {
    case .element(let index): sink.field(path.path, index, field, value)
    case .field(let start):
      sink.field(path.path, nil, field, value)
      path.leave(start)
    case .id: return
    }
  }

  package mutating func open(_ field: FieldContext, isArray: Bool, count: Int) -> Bool { path.open(field, isArray: isArray) }

  package mutating func close(isArray: Bool) { path.close() }

  package mutating func problem(_ text: String) {}
}

/// The path of the current field.
private struct FlatPath {
  private(set) var path: [UInt8] = []
  private var levels: [Level] = []

  private struct Level {
    /// Length of the path before it, in bytes.
    var start: Int
    var isArray: Bool
    var next = 0
    var isPair: Bool
    /// Of a pair: values passed on so far; -1 before its id.
    var member = -1
  }

  /// The kind of a value.
  enum Leaf {
    /// An element of the array at the path.
    case element(Int)
    /// A field at the path; the associated value is the length of the path before it.
    case field(Int)
    /// A value without a column: the id of an id-value pair, or a hidden field.
    case id
  }

  /// Appends the name of the next field. Returns false for the id of a pair, and for a hidden field.
  private mutating func step(_ field: FieldContext, isPair: Bool) -> Bool {
    guard let level = levels.last else {
      name(field.name)
      return true
    }
    if level.isArray {
      levels[levels.count - 1].next += 1
      // A pair is reported with its id in the path.
      if !isPair {
        path.append(UInt8(ascii: "["))
        path.append(decimal: Int64(level.next))
        path.append(UInt8(ascii: "]"))
      }
    } else if level.isPair {
      if field.isHidden { return false }
      levels[levels.count - 1].member += 1
      if level.member > 0 { name(field.name) }
      return level.member >= 0
    } else {
      name(field.name)
    }
    return true
  }

  private mutating func name(_ name: some Sequence<UInt8>) {
    if !path.isEmpty { path.append(UInt8(ascii: ".")) }
    path.append(contentsOf: name)
  }

  mutating func leaf(_ field: FieldContext, _ value: MessageFieldValue) -> Leaf {
    let start = path.count
    if let level = levels.last, level.isArray {
      levels[levels.count - 1].next += 1
      return .element(level.next)
    }
    if step(field, isPair: false) { return .field(start) }
    // The id stays in the path until the pair ends.
    if let level = levels.last, level.isPair, level.member == 0, !field.isHidden { id(value) }
    return .id
  }

  mutating func leave(_ start: Int) { path.removeSubrange(start...) }

  private mutating func id(_ value: MessageFieldValue) {
    var id: [UInt8] = []
    switch value {
    case .enumeration(let name, let number): if name.isEmpty { id.append(decimal: number) } else { id.append(contentsOf: name) }
    case .text(let text): id.append(contentsOf: text.prefix(64))
    case .bytes(let bytes): id.append(hexOf: bytes.slice(0, 32))
    default: id.append(json: value)
    }
    name(id)
  }

  mutating func open(_ field: FieldContext, isArray: Bool) -> Bool {
    let start = path.count
    let isPair = field.isPair && !isArray
    // An id with several parts is no name: the pair is reported as an object.
    if !step(field, isPair: isPair) {
      if field.isHidden { return false }
      levels[levels.count - 1].isPair = false
      name(field.name)
    }
    levels.append(Level(start: start, isArray: isArray, isPair: isPair))
    return true
  }

  mutating func close() {
    guard let level = levels.popLast() else { return }
    path.removeSubrange(min(level.start, path.count)...)
  }
}
