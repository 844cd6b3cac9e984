import Memory
import Testing

@Suite struct TableTests {
  @Test func constantTableReads() {
    let pool = TablePool()
    let table = pool.table([UInt8(3), 5, 8])
    #expect(table.count == 3 && Array(table) == [3, 5, 8])
    #expect(table[Int32(1)] == 5 && table.row(2).pointee == 8)
    #expect(Array(table.part(1..<3)) == [5, 8])
    #expect(table.bytes.byteCount == 3)
    #expect(table.isSame(as: table) && !table.isSame(as: pool.table([3, 5, 8])))
  }

  @Test func constantTableTrapsOutside() async {
    await #expect(processExitsWith: .failure) { _ = TablePool().table([1, 2])[2] }
    await #expect(processExitsWith: .failure) { _ = TablePool().table([1, 2])[-1] }
    await #expect(processExitsWith: .failure) { _ = TablePool().table([1, 2])[Int32.min] }
    await #expect(processExitsWith: .failure) { _ = TablePool().table([1, 2]).row(2).pointee }
    await #expect(processExitsWith: .failure) { _ = TablePool().table([1, 2]).part(1..<3) }
  }

  @Test func growingTableGrows() {
    var table = GrowingTable(capacity: 1, blank: 0)
    for number in 0..<1000 { table.append(number) }
    #expect(table.count == 1000 && (0..<1000).allSatisfy { table[$0] == $0 })
    table[Int32(7)] += 1
    #expect(table[7] == 8)
    table.truncate(to: 2)
    #expect(table.count == 2 && table.capacity >= 1000)
    table.extend(by: 2, repeating: 9)
    #expect((table[2], table[3]) == (9, 9))
  }

  @Test func growingTableKeepsBytes() {
    var table = GrowingTable<UInt8>(repeating: 0, count: 6)
    table.write([1, 2, 3].span.bytes, at: 1)
    table.copy(from: 1, to: 3, count: 3)
    #expect((0..<6).map { table[$0] } == [0, 1, 2, 1, 2, 3])
  }

  @Test func growingTableTrapsOutside() async {
    await #expect(processExitsWith: .failure) {
      let table = GrowingTable(capacity: 8, blank: 0)
      _ = table[0]
    }
    await #expect(processExitsWith: .failure) {
      var table = GrowingTable(capacity: 1, blank: 0)
      table.appendWithinCapacity(1)
      table.appendWithinCapacity(2)
    }
    await #expect(processExitsWith: .failure) {
      var table = GrowingTable(capacity: 4, blank: 0)
      table.extend(by: 5)
    }
    await #expect(processExitsWith: .failure) {
      var table = GrowingTable<UInt8>(repeating: 0, count: 4)
      table.write([1, 2].span.bytes, at: 3)
    }
    await #expect(processExitsWith: .failure) {
      var table = GrowingTable<UInt8>(repeating: 0, count: 4)
      table.copy(from: 0, to: 2, count: 3)
    }
  }

  @Test func cellIsShared() {
    let cell = HeapCell(1)
    let other = cell
    other.pointee += 1
    #expect(cell.pointee == 2 && cell == other)
    cell.deallocate()
  }
}
