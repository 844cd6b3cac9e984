/// The newest attribute of each handle in each database: a hash table with open addressing, of eight bytes an entry.
@usableFromInline
struct AttributeIndex: Sendable {
  /// An entry is `(database << 16 | handle) << 16 | attribute`, and ``empty`` where there is none. At most half of them are used.
  @usableFromInline var entries: [UInt64] = []
  private var count = 0
  /// A capture chooses databases and handles: with a number of this run it cannot choose those that collide.
  @usableFromInline let seed = UInt64.random(in: .min ... .max)

  @usableFromInline static let empty = UInt64.max

  @inlinable @inline(__always)
  static func key(_ database: Int32, _ handle: UInt16) -> UInt64 { UInt64(UInt32(bitPattern: database)) << 16 | UInt64(handle) }

  /// The entry where the search for a key begins. The mixing is that of MurmurHash3.
  @inlinable @inline(__always)
  func start(_ key: UInt64) -> Int {
    var mixed = key ^ seed
    mixed = (mixed ^ mixed >> 33) &* 0xFF51_AFD7_ED55_8CCD
    mixed = (mixed ^ mixed >> 33) &* 0xC4CE_B9FE_1A85_EC53
    return Int(truncatingIfNeeded: mixed >> 33) & (entries.count &- 1)
  }

  /// The attribute of a handle, or -1.
  @inlinable @inline(__always)
  subscript(database: Int32, handle: UInt16) -> Int32 {
    if entries.isEmpty { return -1 }
    let key = Self.key(database, handle)
    var at = start(key)
    while true {
      let entry = entries[at]
      if entry >> 16 == key { return Int32(truncatingIfNeeded: entry & 0xFFFF) }
      if entry == Self.empty { return -1 }
      at = (at &+ 1) & (entries.count &- 1)
    }
  }

  /// Makes an attribute, whose index fits 16 bits, that of a handle.
  mutating func set(_ database: Int32, _ handle: UInt16, to attribute: Int32) {
    if (count + 1) * 2 > entries.count { grow() }
    insert(Self.key(database, handle) << 16 | UInt64(UInt16(truncatingIfNeeded: attribute)))
  }

  private mutating func insert(_ new: UInt64) {
    var at = start(new >> 16)
    while entries[at] != Self.empty, entries[at] >> 16 != new >> 16 { at = (at + 1) & (entries.count - 1) }
    if entries[at] == Self.empty { count += 1 }
    entries[at] = new
  }

  private mutating func grow() {
    let old = entries
    entries = Array(repeating: Self.empty, count: max(64, old.count * 2))
    count = 0
    for entry in old where entry != Self.empty { insert(entry) }
  }
}
