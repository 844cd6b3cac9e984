import Memory

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
  public func text(_ bytes: BorrowedBytes) {
    field { if !bytes.isEmpty { quoted(bytes) } }
  }

  /// A field of unknown text.
  package func text(_ bytes: some ByteSequence) { bytes.withBytes { text($0) } }

  private func quoted(_ bytes: BorrowedBytes) {
    out.byte(UInt8(ascii: "\""))
    out.untrusted(bytes, .csv)
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
  func withBytes(_ body: (BorrowedBytes) -> Void)
}

extension [UInt8]: ByteSequence {
  package func withBytes(_ body: (BorrowedBytes) -> Void) { withBorrowedBytes(body) }
}

extension String: ByteSequence {
  package func withBytes(_ body: (BorrowedBytes) -> Void) {
    var text = self
    text.withUTF8 { unsafe body(BorrowedBytes(UnsafeRawBufferPointer($0))) }
  }
}

extension TextBuffer: ByteSequence {
  package func withBytes(_ body: (BorrowedBytes) -> Void) { body(bytes) }
}
