import Memory

/// Writes comma-separated values (RFC 4180), for spreadsheets: text from a device is escaped so that it cannot become a formula.
public final class CSVWriter {
  /// The buffer that is written to.
  public let out: TextBuffer
  @usableFromInline var isFirst = true

  /// Writes to `out`.
  public init(_ out: TextBuffer) { self.out = out }

  /// Appends a field of trusted text or a number, which `body` writes; empty where it writes nothing.
  @inlinable @inline(__always)
  public func field(_ body: () -> Void) {
    if !isFirst { out.byte(UInt8(ascii: ",")) }
    isFirst = false
    body()
  }

  /// Appends empty fields.
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

  /// Appends a field of untrusted text.
  public func text(_ bytes: BorrowedBytes) {
    field { if !bytes.isEmpty { quoted(bytes) } }
  }

  /// Appends a field of untrusted text.
  package func text(_ bytes: some ByteSequence) { bytes.withBytes { text($0) } }

  /// Appends a field of untrusted text that was aligned in columns: runs of spaces become one space each, and those at its ends are left out.
  public func words(_ text: TextBuffer) {
    field { out.joinedCSV(text.bytes) }
  }

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

/// A collection that gives access to its bytes without a copy.
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
