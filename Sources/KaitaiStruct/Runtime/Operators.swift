import Memory

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

/// Arithmetic, comparison and methods of values.
///
/// Integers are computed exactly; a result that fits neither 64 signed nor 64 unsigned bits is an error, never a wrong number.
extension Machine {
  @inline(__always)
  mutating func whole(_ value: KaitaiValue) -> Int128? {
    switch value.kind {
    case .int, .bool: Int128(Int64(bitPattern: value.bits))
    case .uint: Int128(value.bits)
    case .enumeration: value.kindFlag ? Int128(value.bits) : Int128(Int64(bitPattern: value.bits))
    default: nil
    }
  }

  mutating func result(_ value: Int128) throws(Stop) -> KaitaiValue {
    if let small = Int64(exactly: value) { return .int(small) }
    guard let large = UInt64(exactly: value) else { throw fail(.overflow) }
    return .uint(large)
  }

  mutating func unary(_ code: OperationCode, _ value: KaitaiValue) throws(Stop) -> KaitaiValue {
    if value.kind == .float {
      return code == .minus
        ? KaitaiValue(kind: .float, bits: (-Double(bitPattern: value.bits)).bitPattern, kindFlag: value.kindFlag) : value
    }
    guard let number = whole(value) else { throw fail(value.kind == .absent ? .absent : .type) }
    switch code {
    case .minus: return try result(-number)
    case .invert: return try result(~number)
    default: return value
    }
  }

  mutating func binary(_ code: OperationCode, _ left: KaitaiValue, _ right: KaitaiValue) throws(Stop) -> KaitaiValue {
    if left.kind == .int, right.kind == .int, let quick = quick(code, Int64(bitPattern: left.bits), Int64(bitPattern: right.bits)) {
      return quick
    }
    if left.kind == .float || right.kind == .float {
      guard let a = left.asDouble, let b = right.asDouble else {
        throw fail(left.kind == .absent || right.kind == .absent ? .absent : .type)
      }
      switch code {
      case .add: return .float(a + b)
      case .subtract: return .float(a - b)
      case .multiply: return .float(a * b)
      case .divide: return .float(a / b)
      case .modulo: return .float(a - b * (a / b).rounded(.down))
      default: throw fail(.type)
      }
    }
    if code == .add {
      if left.kind == right.kind, left.kind == .string || left.kind == .bytes, !left.isBody { return try join(left, right) }
      if left.kind == .array || right.kind == .array || left.isBody || right.isBody { return try appended(left, right) }
    }
    guard let a = whole(left), let b = whole(right) else { throw fail(left.kind == .absent || right.kind == .absent ? .absent : .type) }
    switch code {
    case .add: return try result(a + b)
    case .subtract: return try result(a - b)
    case .multiply:
      let (product, overflow) = a.multipliedReportingOverflow(by: b)
      guard !overflow else { throw fail(.overflow) }
      return try result(product)
    case .divide:
      guard b != 0 else { throw fail(.divisionByZero) }
      return try result(Self.floorDivide(a, b))
    case .modulo:
      guard b != 0 else { throw fail(.divisionByZero) }
      return try result(a - b * Self.floorDivide(a, b))
    case .bitAnd: return try result(a & b)
    case .bitOr: return try result(a | b)
    case .bitXor: return try result(a ^ b)
    case .shiftLeft:
      guard b >= 0, b < 64 else {
        if a == 0, b >= 0 { return .int(0) }
        throw fail(.overflow)
      }
      return try result(a << b)
    case .shiftRight:
      guard b >= 0 else { throw fail(.overflow) }
      return try result(a >> min(b, 127))
    default: throw fail(.type)
    }
  }

  /// The result for two 64-bit numbers if it cannot overflow; nil for all other cases.
  @inline(__always)
  private mutating func quick(_ code: OperationCode, _ a: Int64, _ b: Int64) -> KaitaiValue? {
    switch code {
    case .add:
      let (sum, overflow) = a.addingReportingOverflow(b)
      return overflow ? nil : .int(sum)
    case .subtract:
      let (difference, overflow) = a.subtractingReportingOverflow(b)
      return overflow ? nil : .int(difference)
    case .multiply:
      let (product, overflow) = a.multipliedReportingOverflow(by: b)
      return overflow ? nil : .int(product)
    case .bitAnd: return .int(a & b)
    case .bitOr: return .int(a | b)
    case .bitXor: return .int(a ^ b)
    case .shiftRight: return b >= 0 && b < 64 ? .int(a &>> b) : nil
    case .shiftLeft: return a >= 0 && b >= 0 && b < 32 && a < 1 << 31 ? .int(a &<< b) : nil
    case .divide: return a >= 0 && b > 0 ? .int(a / b) : nil
    case .modulo: return a >= 0 && b > 0 ? .int(a % b) : nil
    default: return nil
    }
  }

  private static func floorDivide(_ a: Int128, _ b: Int128) -> Int128 {
    let quotient = a / b
    return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient
  }

  // MARK: Comparing

  mutating func isEqual(_ left: KaitaiValue, _ right: KaitaiValue) throws(Stop) -> Bool {
    switch (left.kind, right.kind) {
    case (.absent, .absent): return true
    case (.absent, _), (_, .absent): return false
    case (.object, .object), (.stream, .stream): return left.bits == right.bits && left.source == right.source
    case (.array, .array), (.array, .bytes), (.bytes, .array): return try compare(left, right) == 0
    case (.int, .int): return left.bits == right.bits
    default: return try compare(left, right) == 0
    }
  }

  /// Negative if `left` is less, 0 if both are equal.
  mutating func compare(_ left: KaitaiValue, _ right: KaitaiValue) throws(Stop) -> Int {
    switch (left.kind, right.kind) {
    case (.int, .int):
      let (a, b) = (Int64(bitPattern: left.bits), Int64(bitPattern: right.bits))
      return a < b ? -1 : a > b ? 1 : 0
    case (.string, .string), (.bytes, .bytes):
      let (a, b) = (bytes(of: left), bytes(of: right))
      let common = min(a.count, b.count)
      try spend(common, byBytes: 64)
      if common > 0 {
        let order = unsafe memcmp(a.start, b.start, common)
        if order != 0 { return order < 0 ? -1 : 1 }
      }
      return a.count < b.count ? -1 : a.count > b.count ? 1 : 0
    case (.float, _), (_, .float):
      guard let a = left.asDouble, let b = right.asDouble else {
        throw fail(left.kind == .absent || right.kind == .absent ? .absent : .type)
      }
      // An integer beyond 2⁵³ may change when it is converted to Double.
      if !a.isNaN, !b.isNaN {
        if let whole = whole(left) { return Self.order(of: whole, to: b) }
        if let whole = whole(right) { return -Self.order(of: whole, to: a) }
      }
      // NaN is neither less nor greater than anything, and equal to nothing.
      return a < b ? -1 : a == b ? 0 : 1
    case (.array, _), (_, .array):
      let (count, other) = (try count(of: left), try count(of: right))
      try spend(Int(min(count, other)))
      for index in 0..<min(count, other) {
        let order = try compare(try element(of: left, at: .int(index)), try element(of: right, at: .int(index)))
        if order != 0 { return order }
      }
      return count < other ? -1 : count > other ? 1 : 0
    default:
      guard let a = whole(left), let b = whole(right) else { throw fail(left.kind == .absent || right.kind == .absent ? .absent : .type) }
      return a < b ? -1 : a > b ? 1 : 0
    }
  }

  /// Negative if the integer is less, 0 if both are equal. `number` is not NaN.
  private static func order(of whole: Int128, to number: Double) -> Int {
    guard number.magnitude < 0x1p65 else { return number > 0 ? -1 : 1 }
    let low = number.rounded(.down)
    let other = Int128(low)
    return whole != other ? (whole < other ? -1 : 1) : low < number ? -1 : 0
  }

  mutating func count(of value: KaitaiValue) throws(Stop) -> Int64 {
    switch value.kind {
    case .bytes where value.isBody: return try bodyCount(value)
    case .bytes: return Int64(value.byteCount)
    case .array:
      if value.source > 0 {
        guard let other = other(value.source) else { throw fail(.type) }
        return Int64(other.pointee.nodes[Int(value.nodeNumber)].payload & 0xffff_ffff)
      }
      return Int64(nodes[Int(value.nodeNumber)].payload & 0xffff_ffff)
    default: throw fail(value.kind == .absent ? .absent : .type)
    }
  }

  // MARK: Methods

  mutating func call(_ method: BuiltIn, _ base: KaitaiValue) throws(Stop) -> KaitaiValue {
    switch (method, base.kind) {
    case (_, .absent): throw fail(.absent)
    case (.size, .bytes), (.size, .array), (.length, .bytes), (.length, .array): return .int(try count(of: base))
    case (.length, .string): return .int(Int64(try characters(of: base)))
    case (.toS, .int), (.toS, .uint), (.toS, .float), (.toS, .bool), (.toS, .string): return try text(of: base)
    case (.toI, .string): return try parse(base, radix: .int(10))
    case (.toI, .int), (.toI, .uint): return base
    case (.toI, .bool): return .int(base.bits != 0 ? 1 : 0)
    case (.toI, .enumeration): return base.kindFlag ? .uint(base.bits) : .int(Int64(bitPattern: base.bits))
    case (.toI, .float):
      let number = Double(bitPattern: base.bits)
      return try whole(number.rounded(.towardZero))
    case (.reverse, .string): return try reversed(base)
    case (.reverse, .bytes), (.reverse, .array): return try reversedList(base)
    case (.first, .bytes), (.first, .array): return try element(of: base, at: .int(0))
    case (.last, .bytes), (.last, .array): return try element(of: base, at: .int(try count(of: base) - 1))
    case (.min, .bytes), (.min, .array), (.max, .bytes), (.max, .array):
      var best = try element(of: base, at: .int(0))
      let total = try count(of: base)
      try spend(Int(total))
      var index: Int64 = 1
      while index < total {
        let next = try element(of: base, at: .int(index))
        let order = try compare(next, best)
        if method == .min ? order < 0 : order > 0 { best = next }
        index += 1
      }
      return best
    case (.eof, .stream), (.size, .stream), (.pos, .stream):
      return streamValue(method.rawValue, streams[Int(base.bits)])
    default: return try compute(method, base)
    }
  }

  // MARK: Text

  /// Text of a value for concatenation.
  mutating func text(of value: KaitaiValue) throws(Stop) -> KaitaiValue {
    var text: String
    switch value.kind {
    case .string: return value
    case .int: text = String(Int64(bitPattern: value.bits))
    case .uint: text = String(value.bits)
    case .enumeration: text = value.kindFlag ? String(value.bits) : String(Int64(bitPattern: value.bits))
    case .float: text = value.kindFlag ? "\(Float(Double(bitPattern: value.bits)))" : "\(Double(bitPattern: value.bits))"
    case .bool: text = value.bits != 0 ? "true" : "false"
    case .absent: throw fail(.absent)
    default: throw fail(.type)
    }
    let count = text.utf8.count
    let offset = try produce(count)
    let target = unsafe produced + offset
    text.withUTF8 { unsafe target.update(from: $0.baseAddress ?? UnsafePointer(target), count: $0.count) }
    return .bytes(.string, offset: offset, count: count, buffer: .produced)
  }

  mutating func text(of value: KaitaiValue, encoding: Int32) throws(Stop) -> KaitaiValue {
    guard value.kind == .bytes else { throw fail(value.kind == .absent ? .absent : .type) }
    var value = value
    let known = unsafe program.encodings[Int(encoding)]
    if known.isPlain {
      value.kind = .string
      return value
    }
    try spend(value.byteCount, byBytes: known.bytesOfStep)
    guard let text = known.decode(bytes(of: value)) else { throw fail(.unknownEncoding) }
    let offset = try produce(copying: text)
    return .bytes(.string, offset: offset, count: text.count, buffer: .produced)
  }

  mutating func join(_ left: KaitaiValue, _ right: KaitaiValue) throws(Stop) -> KaitaiValue {
    let (a, b) = (left.byteCount, right.byteCount)
    // Reserve first: the parts may be in the same memory, which moves when it grows.
    let offset = try produce(a + b)
    try spend(a + b, byBytes: 64)
    let (first, second) = (bytes(of: left), bytes(of: right))
    unsafe UnsafeMutableRawPointer(produced + offset).copyMemory(from: first.start, byteCount: first.count)
    unsafe UnsafeMutableRawPointer(produced + offset + a).copyMemory(from: second.start, byteCount: second.count)
    return .bytes(left.kind, offset: offset, count: a + b, buffer: .produced)
  }

  /// Number of characters (Unicode scalars) of a text: all bytes of UTF-8 except continuation bytes.
  private mutating func characters(of value: KaitaiValue) throws(Stop) -> Int {
    try spend(value.byteCount, byBytes: 8)
    return bytes(of: value).reduce(0) { $0 + ($1 & 0xc0 != 0x80 ? 1 : 0) }
  }

  private mutating func reversed(_ value: KaitaiValue) throws(Stop) -> KaitaiValue {
    let count = value.byteCount
    let offset = try produce(count)
    try spend(count, byBytes: 8)
    let source = bytes(of: value)
    var end = count
    var target = offset
    while end > 0 {
      var start = end - 1
      while start > 0, source[start] & 0xc0 == 0x80 { start -= 1 }
      for index in start..<end {
        unsafe produced[target] = source[index]
        target += 1
      }
      end = start
    }
    return .bytes(.string, offset: offset, count: count, buffer: .produced)
  }

  mutating func substring(_ value: KaitaiValue, _ from: Int64, _ to: Int64) throws(Stop) -> KaitaiValue {
    if value.kind == .bytes {
      guard from >= 0, from <= to, to <= value.byteCount else { throw fail(.index) }
      return KaitaiValue(
        kind: .bytes, bits: UInt64(value.offset + Int(from)) | UInt64(to - from) << 32, source: value.source, buffer: value.buffer)
    }
    guard value.kind == .string else { throw fail(value.kind == .absent ? .absent : .type) }
    let content = bytes(of: value)
    let length = Int64(try characters(of: value))
    guard from >= 0, from <= to, to <= length else { throw fail(.index) }
    try spend(content.count, byBytes: 8)
    var position: Int64 = -1
    var start = content.count
    var end = content.count
    for index in content.indices {
      let byte = content[index]
      guard byte & 0xc0 != 0x80 else { continue }
      position += 1
      if position == from { start = index }
      if position == to {
        end = index
        break
      }
    }
    return KaitaiValue(
      kind: .string, bits: UInt64(value.offset + min(start, end)) | UInt64(end - min(start, end)) << 32, source: value.source,
      buffer: value.buffer)
  }

  mutating func parse(_ value: KaitaiValue, radix: KaitaiValue) throws(Stop) -> KaitaiValue {
    guard value.kind == .string else { throw fail(value.kind == .absent ? .absent : .type) }
    guard let radix = radix.asInt, (2...36).contains(radix) else { throw fail(.conversion) }
    let content = bytes(of: value)
    guard content.count <= 80 else { throw fail(.conversion) }
    let text = String(decoding: content, as: UTF8.self)
    guard let number = Int128(text, radix: Int(radix)) else { throw fail(.conversion) }
    return try result(number)
  }
}
