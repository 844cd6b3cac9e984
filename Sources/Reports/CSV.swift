/// Writes comma-separated values (RFC 4180), for spreadsheets: what a device says cannot become a formula.
final class CSV {
  let out: Output
  private var isFirst = true

  init(_ out: Output) { self.out = out }

  /// A field whose text is btscribe's own, or a number; empty where `body` writes nothing.
  @inline(__always)
  func field(_ body: () -> Void) {
    if !isFirst { out.byte(UInt8(ascii: ",")) }
    isFirst = false
    body()
  }

  /// An empty field, or several.
  func skip(_ fields: Int = 1) { for _ in 0..<fields { field {} } }

  /// A field of unknown text.
  func text(_ bytes: UnsafeRawBufferPointer) {
    field { if unsafe !bytes.isEmpty { unsafe quoted(bytes) } }
  }

  /// A field of unknown text.
  func text(_ bytes: some ByteSequence) { unsafe bytes.withBytes { unsafe text($0) } }

  private func quoted(_ bytes: UnsafeRawBufferPointer) {
    out.byte(UInt8(ascii: "\""))
    unsafe out.untrusted(bytes, .csv)
    out.byte(UInt8(ascii: "\""))
  }

  /// Ends the line.
  func end() {
    out.text("\r\n")
    isFirst = true
  }
}

/// What gives its bytes without a copy.
protocol ByteSequence {
  func withBytes(_ body: (UnsafeRawBufferPointer) -> Void)
}

extension [UInt8]: ByteSequence {
  func withBytes(_ body: (UnsafeRawBufferPointer) -> Void) { unsafe withUnsafeBytes(body) }
}

extension String: ByteSequence {
  func withBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
    var text = self
    text.withUTF8 { unsafe body(UnsafeRawBufferPointer($0)) }
  }
}

extension Output: ByteSequence {
  func withBytes(_ body: (UnsafeRawBufferPointer) -> Void) { unsafe body(UnsafeRawBufferPointer(gathered)) }
}
