// Tables of plain values in memory that nothing counts references of: what runs for every packet may not retain and release.
//
// Every access checks its index, so that no number out of a capture leads outside. Read first: ``ConstantTable``, which is written once and then
// read, ``GrowingTable``, which owns memory that is used again and again, ``HeapCell``, a value that several hold.
//
//     var slots = GrowingTable<Int32>(capacity: 64, blank: -1)
//     slots.append(7)
//     slots[0] += 1
