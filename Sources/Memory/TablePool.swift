/// Makes tables whose memory lasts as long as the pool's: for what is made of many tables at once.
@safe public final class TablePool: @unchecked Sendable {
  private var memory: [UnsafeMutableRawPointer] = unsafe []

  /// A pool without tables.
  public init() {}

  // Tables of the pool are held by what holds the pool.
  deinit { for place in unsafe memory.indices { unsafe memory[place].deallocate() } }

  /// A table with copies of the elements of an array.
  public func table<Element: BitwiseCopyable>(_ elements: [Element]) -> ConstantTable<Element> {
    let table = ConstantTable(elements)
    unsafe memory.append(UnsafeMutableRawPointer(mutating: table.start))
    return table
  }
}
