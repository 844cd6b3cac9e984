import YAML

/// A scalar of the file that holds an expression, a name or a number, with its position.
struct Source {
  var text: String
  var position: SourcePosition
  var path: String
  /// Block scalars start on the line after their indicator.
  var isBlock = false

  /// The position of the character at `offset` of the text.
  func position(at offset: Int) -> SourcePosition {
    var location = position
    if isBlock {
      location.line += 1
      location.column = 1
    }
    for scalar in text.unicodeScalars.prefix(offset) {
      if scalar == "\n" {
        location.line += 1
        location.column = 1
      } else {
        location.column += 1
      }
    }
    return location
  }
}

/// A key that begins with a dash, which Kaitai's own tools ignore.
struct DashAttribute {
  var key: String
  var node: Node
  var position: SourcePosition
}

/// `meta/endian` as parsed.
enum EndianSpec {
  case little, big
  case switched(on: Source, cases: [(key: Source, isLittle: Bool)])
}

/// `valid` as parsed.
enum ValidSpec {
  case equal(Source)
  case range(minimum: Source?, maximum: Source?)
  case anyOf([Source])
  case expression(Source)
  case inEnum(Source)
}

/// `type` as parsed.
enum TypeUse {
  case named(Source)
  case switched(on: Source, cases: [(key: Source, type: Source)], position: Source)
}

/// `repeat` as parsed.
enum RepeatSpec {
  case once
  case endOfStream
  /// As long as a complete element remains.
  case whole
  case count(Source)
  case until(Source)

  var isOnce: Bool { if case .once = self { true } else { false } }
}

/// One entry of `seq`, `params` or `instances`.
struct MemberSpec {
  enum Role: UInt8 { case parameter, sequence, instance }

  var role: Role
  var id: String
  var position: SourcePosition
  var path: String
  var type: TypeUse?
  var contents: [UInt8]?
  var condition: Source?
  var repetition = RepeatSpec.once
  var size: Source?
  var sizeToEnd = false
  var process: Source?
  var enumeration: Source?
  var encoding: Source?
  var padRight: UInt8?
  var terminator: [UInt8]?
  var include = false
  var consume = true
  var endError = true
  var parent: Source?
  var valid: [ValidSpec] = []
  var value: Source?
  var offset: Source?
  var stream: Source?
  var dashes: [DashAttribute] = []
}

/// One entry of `enums`.
struct EnumSpec {
  var name: String
  var entries: [(value: Source, name: String, position: SourcePosition)]
  var dashes: [DashAttribute] = []
}

/// One type: an entire file, or an entry of `types`.
final class TypeSpec {
  let name: String
  /// `outer::name`, the name inside its file; empty for an entire file.
  let innerName: String
  /// `file::outer::name`.
  let fullName: String
  let position: SourcePosition
  let path: String
  /// Its outer type; nil for an entire file.
  unowned(unsafe) let outer: TypeSpec?
  var endian: EndianSpec?
  var bitEndianIsLittle: Bool?
  var encoding: Source?
  var members: [MemberSpec] = []
  var types: [TypeSpec] = [] {
    didSet { typeNumbers.removeAll() }
  }
  private var typeNumbers: [String: Int] = [:]
  var enums: [EnumSpec] = []
  var imports: [Source] = []
  var dashes: [DashAttribute] = []
  /// Its number in the program.
  var number: Int32 = -1
  /// Numbers of its enums by their names, once these are added to the program.
  var enumNumbers: [String: Int32] = [:]

  init(name: String, position: SourcePosition, path: String, outer: TypeSpec?) {
    self.name = name
    self.position = position
    self.path = path
    unsafe self.outer = outer
    innerName = outer.map { $0.innerName.isEmpty ? name : $0.innerName + "::" + name } ?? ""
    fullName = outer.map { $0.fullName + "::" + name } ?? name
  }

  /// The type and its outer types, innermost first.
  var scopes: [TypeSpec] {
    var all: [TypeSpec] = []
    var next: TypeSpec? = self
    while let scope = next {
      all.append(scope)
      next = unsafe scope.outer
    }
    return all
  }

  /// The inner type with a name.
  func type(named name: String) -> TypeSpec? {
    if typeNumbers.isEmpty, !types.isEmpty {
      for (index, type) in types.enumerated() where typeNumbers[type.name] == nil { typeNumbers[type.name] = index }
    }
    return typeNumbers[name].map { types[$0] }
  }
}
