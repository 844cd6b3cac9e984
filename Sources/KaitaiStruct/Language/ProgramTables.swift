import Memory

/// The parts of a program that the interpreter uses: arrays of plain numbers, without retain and release and without text lookups.
@usableFromInline
@safe struct ProgramTables {
  @usableFromInline let types: Table<TypeInfo>
  @usableFromInline let fields: Table<FieldInfo>
  @usableFromInline let readers: Table<Reader>
  @usableFromInline let operations: Table<Operation>
  @usableFromInline let constants: Table<KaitaiValue>
  /// Lists of operations: arguments, elements, the `any-of` values.
  @usableFromInline let lists: Table<Int32>
  @usableFromInline let switches: Table<SwitchInfo>
  @usableFromInline let cases: Table<SwitchCase>
  @usableFromInline let checks: Table<Check>
  @usableFromInline let processes: Table<ProcessInfo>
  @usableFromInline let enums: Table<EnumInfo>
  @usableFromInline let enumEntries: Table<EnumEntry>
  /// Texts and bytes of literals, terminators.
  @usableFromInline let bytes: UnsafePointer<UInt8>
  /// By operation: the type of the objects at which a caller's expression may be evaluated; -1 for none.
  @usableFromInline let scopes: Table<Int32>
  @usableFromInline let operationCount: Int

  static func copy<T>(_ array: [T]) -> UnsafePointer<T> {
    let memory = UnsafeMutablePointer<T>.allocate(capacity: max(array.count, 1))
    unsafe memory.initialize(from: array, count: array.count)
    return unsafe UnsafePointer(memory)
  }

  func deallocate() {
    types.deallocate()
    fields.deallocate()
    readers.deallocate()
    operations.deallocate()
    constants.deallocate()
    lists.deallocate()
    switches.deallocate()
    cases.deallocate()
    checks.deallocate()
    processes.deallocate()
    enums.deallocate()
    enumEntries.deallocate()
    unsafe bytes.deallocate()
    scopes.deallocate()
  }

  /// The slot of the field with a symbol in `type`; -1 where there is none.
  @inlinable
  func slot(of symbol: Int32, in type: Int32) -> Int32 {
    let info = types[Int(type)]
    var slot: Int32 = 0
    while slot < info.fieldCount {
      if fields[Int(info.firstField &+ slot)].name == symbol { return slot }
      slot &+= 1
    }
    return -1
  }

  /// The symbol of the entry of `enumeration` with that value; -1 where there is none.
  @inlinable
  func enumName(_ enumeration: Int32, _ bits: UInt64, isBig: Bool) -> Int32 {
    let info = enums[Int(enumeration)]
    var low = Int(info.first)
    var high = low &+ Int(info.count)
    while low < high {
      let middle = (low &+ high) / 2
      if enumEntries[middle].bits < bits { low = middle &+ 1 } else { high = middle }
    }
    let end = Int(info.first &+ info.count)
    while low < end, enumEntries[low].bits == bits {
      if enumEntries[low].isBig == isBig { return enumEntries[low].name }
      low &+= 1
    }
    return -1
  }
}

@usableFromInline
struct TypeInfo {
  @usableFromInline var name: Int32
  @usableFromInline var firstField: Int32
  @usableFromInline var fieldCount: Int32
  @usableFromInline var parameterCount: Int32
  @usableFromInline var sequenceCount: Int32
  /// Number of its file: a type of another file is its own `_root`.
  @usableFromInline var file: Int32
  /// Switch that determines the byte order, or -1.
  @usableFromInline var endianSwitch: Int32
  /// The byte order is that of the outer object.
  @usableFromInline var inheritsEndian: Bool
}

@usableFromInline
enum Repetition: UInt8 { case once, endOfStream, count, until, whole }

@usableFromInline
enum Role: UInt8 { case parameter, sequence, instance }

@usableFromInline
struct FieldInfo {
  @usableFromInline var name: Int32
  @usableFromInline var owner: Int32
  @usableFromInline var role: Role
  @usableFromInline var repetition: Repetition
  /// An integer without condition, repetition and checks.
  @usableFromInline var isPlain: Bool
  /// For a plain field: number of consecutive ones from here on, including itself, with a fixed byte order; else 0.
  @usableFromInline var runCount: UInt16 = 0
  /// Their total size in bytes.
  @usableFromInline var runSize: UInt16 = 0
  @usableFromInline var reader: Int32
  @usableFromInline var condition: Int32
  @usableFromInline var repeatExpression: Int32
  @usableFromInline var offset: Int32
  @usableFromInline var stream: Int32
  @usableFromInline var value: Int32
  @usableFromInline var enumeration: Int32
  @usableFromInline var firstCheck: Int32
  @usableFromInline var checkCount: Int32
}

@usableFromInline
enum ReaderKind: UInt8 { case unsigned, signed, float, bits, bytes, string, object, switched, none }

@usableFromInline
enum ByteOrder: UInt8 { case little, big, calculated }

@usableFromInline
enum Extent: UInt8 { case none, constant, expression, toEnd, terminator }

/// How a value is read.
@usableFromInline
struct Reader {
  @usableFromInline var kind: ReaderKind
  /// Size in bytes of a number, in bits of a bit field.
  @usableFromInline var width: UInt8 = 0
  @usableFromInline var order: ByteOrder = .big
  /// A one-bit field without enum is a boolean.
  @usableFromInline var isBoolean = false
  /// A signed bit field.
  @usableFromInline var isSigned = false
  /// The 16-bit words of a number are in order from the least significant to the most significant.
  @usableFromInline var hasSwappedWords = false
  @usableFromInline var extent: Extent = .none
  @usableFromInline var include = false
  @usableFromInline var consume = true
  @usableFromInline var endError = true
  @usableFromInline var enumeration: Int32 = -1
  @usableFromInline var type: Int32 = -1
  @usableFromInline var firstArgument: Int32 = 0
  @usableFromInline var argumentCount: Int32 = 0
  /// -1: the object itself is the parent; -2: none; else an operation.
  @usableFromInline var parent: Int32 = -1
  @usableFromInline var encoding: Int32 = -1
  /// UTF-8 or ASCII text, which is not copied.
  @usableFromInline var isPlainText = true
  /// Number of bytes, or an operation.
  @usableFromInline var size: Int32 = 0
  /// Offset of the terminator in the program's bytes.
  @usableFromInline var terminator: Int32 = 0
  @usableFromInline var terminatorCount: Int32 = 0
  /// The padding byte, or -1.
  @usableFromInline var pad: Int16 = -1
  @usableFromInline var firstProcess: Int32 = 0
  @usableFromInline var processCount: Int32 = 0
  /// Switch, where the kind is `switched`.
  @usableFromInline var switchNumber: Int32 = -1
}

@usableFromInline
struct SwitchInfo {
  @usableFromInline var on: Int32
  @usableFromInline var firstCase: Int32
  @usableFromInline var caseCount: Int32
  /// The default case: a reader (or a byte order, for a switch of that), or -1.
  @usableFromInline var otherwise: Int32
  /// All cases are integers, and sorted.
  @usableFromInline var isSorted: Bool
  /// The slot whose number is switched on, if `on` is just that; else -1.
  @usableFromInline var onSlot: Int32 = -1
}

@usableFromInline
struct SwitchCase {
  @usableFromInline var key: Int64
  @usableFromInline var operation: Int32
  @usableFromInline var target: Int32
}

@usableFromInline
enum CheckKind: UInt8 { case equal, minimum, maximum, anyOf, expression, inEnum }

@usableFromInline
struct Check {
  @usableFromInline var kind: CheckKind
  /// The operation, or the first of a list.
  @usableFromInline var operation: Int32
  @usableFromInline var count: Int32 = 0
}

@usableFromInline
enum ProcessKind: UInt8 { case xor, rotateLeft, rotateRight, zlib }

@usableFromInline
struct ProcessInfo {
  @usableFromInline var kind: ProcessKind
  @usableFromInline var argument: Int32
}

@usableFromInline
struct EnumInfo {
  @usableFromInline var first: Int32
  @usableFromInline var count: Int32
}

@usableFromInline
struct EnumEntry {
  @usableFromInline var bits: UInt64
  /// The value is beyond 2⁶³−1.
  @usableFromInline var isBig: Bool
  @usableFromInline var name: Int32
}

@usableFromInline
enum OperationCode: UInt8, Sendable {
  case constant, slot, member, memberSlot, this, it, index, parent, root, stream, external, isLittle
  case minus, plus, not, invert
  case add, subtract, multiply, divide, modulo, shiftLeft, shiftRight, bitAnd, bitOr, bitXor
  case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual, and, or
  case conditional, element, castObject, castFloat32, castArray, castBytes, castEnum
  case arrayLiteral, bytesLiteral, format
  case toText, toTextIn, toInteger, substring
  /// A method with one argument; an operation on each element of a list; bytes as a body of a format.
  case power, joinText, each, asBody
  /// A function of keys and bytes: its number, and index and count of its operands in ``ProgramTables/lists``.
  case keyed
}

@usableFromInline
struct Operation {
  @usableFromInline var code: OperationCode
  @usableFromInline var a: Int32 = 0
  @usableFromInline var b: Int32 = 0
  @usableFromInline var c: Int32 = 0

  /// The third operand of a `member` for the size, position or end of the object's own stream.
  static let streamOfObject = Int32(1)
}

/// The operation on each element of a list: the second operand of `each`.
enum EachKind: Int32 { case map, filter, find }

/// Functions of bytes with keys and other bytes as arguments: the first operand of `keyed`.
enum KeyedFunction: Int32, CaseIterable {
  case hmacMD5, hmacSHA1, hmacSHA256, hkdfSHA256, aesCMAC, aesEncrypt, aesDecrypt, p256, x25519

  var name: String {
    switch self {
    case .hmacMD5: "hmac_md5"
    case .hmacSHA1: "hmac_sha1"
    case .hmacSHA256: "hmac_sha256"
    case .hkdfSHA256: "hkdf_sha256"
    case .aesCMAC: "aes_cmac"
    case .aesEncrypt: "aes_encrypt"
    case .aesDecrypt: "aes_decrypt"
    case .p256: "p256"
    case .x25519: "x25519"
    }
  }

  /// Its arguments, in words.
  var parameters: [String] {
    switch self {
    case .hmacMD5, .hmacSHA1, .hmacSHA256, .aesCMAC, .aesEncrypt, .aesDecrypt: ["key"]
    case .hkdfSHA256: ["salt", "info", "number of bytes"]
    case .p256, .x25519: ["public key"]
    }
  }
}

/// Predefined names, in the order of their symbols.
enum BuiltIn: Int32, CaseIterable {
  case size, length, toS, toI, reverse, first, last, min, max, eof, pos, io, parent, root, sizeOf, substring
  case toF, abs, sqrt, exp, ln, floor, ceil, round, sum, md5, sha1, sha256, fromHex

  var name: String {
    switch self {
    case .size: "size"
    case .length: "length"
    case .toS: "to_s"
    case .toI: "to_i"
    case .reverse: "reverse"
    case .first: "first"
    case .last: "last"
    case .min: "min"
    case .max: "max"
    case .eof: "eof"
    case .pos: "pos"
    case .io: "_io"
    case .parent: "_parent"
    case .root: "_root"
    case .sizeOf: "_sizeof"
    case .substring: "substring"
    case .toF: "to_f"
    case .abs: "abs"
    case .sqrt: "sqrt"
    case .exp: "exp"
    case .ln: "ln"
    case .floor: "floor"
    case .ceil: "ceil"
    case .round: "round"
    case .sum: "sum"
    case .md5: "md5"
    case .sha1: "sha1"
    case .sha256: "sha256"
    case .fromHex: "from_hex"
    }
  }
}
