/// Writes comma-separated values (RFC 4180), for spreadsheets: what a device says cannot become a formula.
public final class CSVWriter {
  /// What is written to.
  public let out: TextBuffer
  @usableFromInline var isFirst = true

  /// Writes to `out`.
  public init(_ out: TextBuffer) { self.out = out }

  /// A field whose text is btscribe's own, or a number; empty where `body` writes nothing.
  @inlinable @inline(__always)
  public func field(_ body: () -> Void) {
    if !isFirst { out.byte(UInt8(ascii: ",")) }
    isFirst = false
    body()
  }

  /// An empty field, or several.
  public func skip(_ fields: Int = 1) {
    let commas = ",,,,,,,,,,,,,,,,,,,,,,,,," as StaticString
    var left = isFirst ? fields - 1 : fields
    isFirst = false
    while left > 0 {
      let count = min(left, commas.utf8CodeUnitCount)
      unsafe out.append(commas.utf8Start, count)
      left -= count
    }
  }

  /// A field of unknown text.
  public func text(_ bytes: UnsafeRawBufferPointer) {
    field { if unsafe !bytes.isEmpty { unsafe quoted(bytes) } }
  }

  /// A field of unknown text.
  package func text(_ bytes: some ByteSequence) { unsafe bytes.withBytes { unsafe text($0) } }

  private func quoted(_ bytes: UnsafeRawBufferPointer) {
    out.byte(UInt8(ascii: "\""))
    unsafe out.untrusted(bytes, .csv)
    out.byte(UInt8(ascii: "\""))
  }

  /// Ends the line.
  public func end() {
    out.text("\r\n")
    isFirst = true
  }
}

/// What gives its bytes without a copy.
package protocol ByteSequence {
  func withBytes(_ body: (UnsafeRawBufferPointer) -> Void)
}

extension [UInt8]: ByteSequence {
  package func withBytes(_ body: (UnsafeRawBufferPointer) -> Void) { unsafe withUnsafeBytes(body) }
}

extension String: ByteSequence {
  package func withBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
    var text = self
    text.withUTF8 { unsafe body(UnsafeRawBufferPointer($0)) }
  }
}

extension TextBuffer: ByteSequence {
  package func withBytes(_ body: (UnsafeRawBufferPointer) -> Void) { unsafe body(UnsafeRawBufferPointer(gathered)) }
}
