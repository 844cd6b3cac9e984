// Memory: bytes and tables without retain and release, and without copy-on-write, which would cost more than the rest of the work for a packet. An
// index beyond the end stops the program instead of reading other memory.
//
//     value.withBorrowedBytes { bytes in                            // bytes: BorrowedBytes
//       guard let length = bytes.u16(0) else { return }             // nil beyond the end
//       let body = bytes.slice(2, Int(length))                      // shortened to the available bytes
//       seen.insert(body.hash(key: key))
//     }
//
// Read first: `BorrowedBytes` (bytes that their owner keeps alive), `Table` and `GrowingTable` (values that their owner frees).
//
// - Table.swift: a `Table` is immutable, a `GrowingTable` is mutable; `entry(_:)` gives an element by its index, without a copy.
// - Unretained.swift, UnretainedTable.swift: objects that are used without retain and release; their owner keeps them alive.
// - HashKey.swift: the hash of bytes that come from a capture. With a random key nobody can choose bytes that collide.
