import Memory

extension TextBuffer {
  /// Writes to a buffer through two local variables, which a loop can keep in registers: no retain and release, and no load from the buffer for each
  /// byte. ``finish()`` adds the written bytes to the buffer; nothing else may write to the buffer until then.
  @safe public struct Cursor {
    @usableFromInline var at: UnsafeMutablePointer<UInt8>
    @usableFromInline var end: UnsafeMutablePointer<UInt8>
    @usableFromInline let out: Unmanaged<TextBuffer>
    @usableFromInline let hexPairs: UnsafePointer<UInt32>

    /// Writes after the bytes in `out`, which must live longer than the cursor.
    @inlinable @inline(__always)
    public init(_ out: TextBuffer) {
      unsafe self.out = unsafe Unmanaged.passUnretained(out)
      unsafe at = unsafe out.memory + out.count
      unsafe end = unsafe out.memory + out.capacity
      unsafe hexPairs = unsafe out.hexPairs
    }

    /// Adds the written bytes to the buffer.
    @inlinable @inline(__always)
    public func finish() { unsafe out._withUnsafeGuaranteedRef { $0.used = unsafe at - $0.memory } }

    /// Calls `write` with the buffer, and continues after its bytes.
    @inlinable public mutating func through(_ write: (TextBuffer) -> Void) {
      finish()
      let output = unsafe out.takeUnretainedValue()
      write(output)
      self = Cursor(output)
    }

    /// Makes room for `more` bytes.
    @inlinable @inline(__always)
    public mutating func reserve(_ more: Int) {
      if unsafe end - at < more { grow(more) }
    }

    @usableFromInline @inline(never)
    mutating func grow(_ more: Int) { through { $0.reserve(more) } }

    /// Appends one byte.
    @inlinable @inline(__always)
    public mutating func byte(_ byte: UInt8) {
      reserve(1)
      unsafe at.pointee = byte
      unsafe at += 1
    }

    /// Appends a number in eight bytes, the low one first.
    @inlinable @inline(__always)
    package mutating func number(_ number: UInt64) {
      reserve(8)
      unsafe UnsafeMutableRawPointer(at).storeBytes(of: number.littleEndian, as: UInt64.self)
      unsafe at += 8
    }

    /// Appends bytes.
    @inlinable @inline(__always)
    package mutating func append(_ bytes: BorrowedBytes) { unsafe append(bytes.start.assumingMemoryBound(to: UInt8.self), bytes.count) }

    /// Appends the bytes at an address.
    @inlinable @inline(__always)
    public mutating func append(_ start: UnsafePointer<UInt8>, _ length: Int) {
      reserve(length)
      unsafe at.update(from: start, count: length)
      unsafe at += length
    }

    /// Appends the bytes at an address in words of eight bytes: up to 15 more bytes after them are read.
    @inlinable @inline(__always)
    public mutating func append(words start: UnsafePointer<UInt8>, _ length: Int) {
      reserve(length &+ 16)
      let from = unsafe UnsafeRawPointer(start)
      let to = unsafe UnsafeMutableRawPointer(at)
      var written = 0
      while written < length {
        unsafe to.storeBytes(
          of: from.loadUnaligned(fromByteOffset: written, as: SIMD16<UInt8>.self), toByteOffset: written, as: SIMD16<UInt8>.self)
        written &+= 16
      }
      unsafe at += length
    }

    /// Number of bytes in the buffer before the cursor.
    @inlinable @inline(__always)
    public var count: Int { unsafe out._withUnsafeGuaranteedRef { unsafe at - $0.memory } }

    /// Appends a copy of written bytes, from `start` on.
    @inlinable @inline(__always)
    public mutating func again(_ start: Int, _ length: Int) {
      reserve(length &+ 16)
      unsafe append(words: out._withUnsafeGuaranteedRef { unsafe UnsafePointer($0.memory) } + start, length)
    }

    /// The same, with two digits of a number and six of another replaced in the copy. The original is not changed: reading bytes in words just after
    /// writing them one by one stalls the processor longer than everything else here.
    @inlinable @inline(__always)
    public mutating func append(
      words start: UnsafePointer<UInt8>, _ length: Int, digits: (at: Int, number: Int), micros: (at: Int, number: UInt32)
    ) {
      unsafe append(words: start, length)
      let copy = unsafe UnsafeMutableRawPointer(at - length)
      let pairs = unsafe out._withUnsafeGuaranteedRef { unsafe $0.decimalPairs }
      unsafe copy.storeBytes(of: pairs[digits.number], toByteOffset: digits.at, as: UInt16.self)
      let high = micros.number / 10_000
      let low = micros.number &- high &* 10_000
      let middle = low / 100
      unsafe copy.storeBytes(of: pairs[Int(high)], toByteOffset: micros.at, as: UInt16.self)
      unsafe copy.storeBytes(of: pairs[Int(middle)], toByteOffset: micros.at &+ 2, as: UInt16.self)
      unsafe copy.storeBytes(of: pairs[Int(low &- middle &* 100)], toByteOffset: micros.at &+ 4, as: UInt16.self)
    }

    /// Appends a literal.
    @inlinable @inline(__always)
    public mutating func text(_ literal: StaticString) { unsafe append(literal.utf8Start, literal.utf8CodeUnitCount) }

    /// Appends a number in decimal.
    @inlinable @inline(__always)
    public mutating func decimal(_ number: Int) {
      if number < 0 { byte(UInt8(ascii: "-")) }
      unsigned(UInt64(number.magnitude))
    }

    /// Appends an unsigned number in decimal.
    @inlinable @inline(__always)
    public mutating func unsigned(_ number: UInt64) {
      reserve(20)
      if number < 10 {
        unsafe at.pointee = 48 &+ UInt8(truncatingIfNeeded: number)
        unsafe at += 1
      } else {
        unsafe at = unsafe Cursor.write(number, at, out._withUnsafeGuaranteedRef { unsafe $0.decimalPairs })
      }
    }

    /// Writes a number of two digits or more. Returns the end.
    @usableFromInline static func write(
      _ number: UInt64, _ start: UnsafeMutablePointer<UInt8>, _ pairs: UnsafePointer<UInt16>
    ) -> UnsafeMutablePointer<UInt8> {
      var digits = 2
      var bound: UInt64 = 100
      while digits < 19, number >= bound {
        digits &+= 1
        bound &*= 10
      }
      if digits == 19, number >= 10_000_000_000_000_000_000 { digits = 20 }
      let end = unsafe start + digits
      var to = UnsafeMutableRawPointer(end)
      var rest = number
      while rest >= 10 {
        unsafe to -= 2
        let next = rest / 100
        unsafe to.storeBytes(of: pairs[Int(rest &- next &* 100)], as: UInt16.self)
        rest = next
      }
      if unsafe to > UnsafeMutableRawPointer(start) { unsafe start.pointee = 48 &+ UInt8(truncatingIfNeeded: rest) }
      return unsafe end
    }

    /// Appends a byte in hex.
    @inlinable @inline(__always)
    public mutating func hex(byte: UInt8) {
      reserve(4)
      unsafe UnsafeMutableRawPointer(at).storeBytes(of: hexPairs[Int(byte)], as: UInt32.self)
      unsafe at += 2
    }

    /// Appends bytes in hex, without separators.
    @inlinable @inline(__always)
    public mutating func hex(_ start: UnsafeRawPointer, _ length: Int) {
      reserve(length &* 2 &+ 2)
      unsafe at = unsafe TextBuffer.hex(start, length, at: at, hexPairs)
    }
  }
}
