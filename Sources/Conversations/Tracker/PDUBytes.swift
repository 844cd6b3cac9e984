import Bluetooth
import Memory

/// The bytes of one PDU, borrowed from a batch or its arena.
public typealias PDUBytes = BorrowedBytes

extension PDUBytes {
  /// The elements of the list in an ATT response (``ATT/elements(_:)``): handle, and remaining bytes.
  public var elements: some Sequence<(handle: UInt16, rest: PDUBytes)> {
    unsafe ATT.elements(RawSpan(_unsafeBytes: buffer)).lazy.map { range in
      (u16(range.lowerBound) ?? 0, slice(range.lowerBound &+ 2, range.count &- 2))
    }
  }
}

/// Bytes that a batch owns: reassembled PDUs. Addresses stay valid until ``reset()``.
@safe public struct Arena: ~Copyable {
  private var chunks: [UnsafeMutableRawBufferPointer] = unsafe []
  private var current = 0
  private var used = 0
  private static let chunkSize = 65_536

  /// An empty arena; its first chunk is made when it is needed.
  public init() {}

  deinit {
    for index in unsafe chunks.indices {
      let chunk = unsafe chunks[index]
      unsafe chunk.deallocate()
    }
  }

  /// Removes all bytes and keeps the memory, except allocations larger than a chunk.
  public mutating func reset() {
    unsafe chunks.removeAll { chunk in
      if chunk.count > Arena.chunkSize { unsafe chunk.deallocate() }
      return chunk.count > Arena.chunkSize
    }
    current = 0
    used = 0
  }

  /// Copies `bytes` and returns the copy.
  public mutating func copy(_ bytes: PDUBytes) -> PDUBytes {
    guard bytes.count > 0 else { return PDUBytes() }
    while unsafe current < chunks.count, unsafe chunks[current].count - used < bytes.count {
      current += 1
      used = 0
    }
    if unsafe current >= chunks.count {
      unsafe chunks.append(.allocate(byteCount: max(Arena.chunkSize, bytes.count), alignment: 16))
      current = unsafe chunks.count - 1
      used = 0
    }
    guard let base = unsafe chunks[current].baseAddress else { return PDUBytes() }
    let target = unsafe base + used
    unsafe target.copyMemory(from: bytes.start, byteCount: bytes.count)
    used += bytes.count
    return unsafe PDUBytes(start: target, count: bytes.count)
  }
}
