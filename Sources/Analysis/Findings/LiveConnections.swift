/// Values for open connections, at most ``maxCount`` of them. When it is full, opening another connection removes the one that was opened first, so
/// that memory does not grow with connections whose disconnection is not in the capture.
struct LiveConnections<Value> {
  /// The largest number of connections with a value.
  static var maxCount: Int { 1024 }

  /// For each connection, the index of its value in ``values``, or -1.
  private var indices: [Int32] = []
  private var values: [(connection: Int32, value: Value)] = []
  private var free: [Int32] = []
  /// Index in ``values`` that is overwritten next when all are in use.
  private var next = 0

  /// Returns whether a connection has a value.
  @inline(__always)
  func has(_ connection: Int) -> Bool { connection >= 0 && connection < indices.count && indices[connection] >= 0 }

  /// The value of a connection. Callers check ``has(_:)`` first: a connection without a value traps.
  subscript(connection: Int) -> Value {
    @inline(__always) get { values[Int(indices[connection])].value }
    @inline(__always) _modify { yield &values[Int(indices[connection])].value }
  }

  /// Returns whether neither this connection nor any with a higher number ever had a value.
  func isNew(_ connection: Int) -> Bool { connection >= indices.count }

  /// The connection that opening another one would remove; nil while there is free capacity.
  var oldest: Int? { free.isEmpty && values.count >= Self.maxCount ? Int(values[next].connection) : nil }

  /// Removes all values.
  mutating func removeAll() { self = LiveConnections() }

  /// Gives a connection a value, unless it has one.
  mutating func open(_ connection: Int, _ value: @autoclosure () -> Value) {
    guard connection >= 0, !has(connection) else { return }
    while indices.count <= connection { indices.append(-1) }
    let entry = (Int32(connection), value())
    if let index = free.popLast() {
      values[Int(index)] = entry
      indices[connection] = index
    } else if values.count < Self.maxCount {
      indices[connection] = Int32(values.count)
      values.append(entry)
    } else {
      indices[Int(values[next].connection)] = -1
      values[next] = entry
      indices[connection] = Int32(next)
      next = (next + 1) % Self.maxCount
    }
  }

  /// Removes the value of a connection.
  mutating func close(_ connection: Int) {
    guard has(connection) else { return }
    free.append(indices[connection])
    indices[connection] = -1
  }

  /// The connections that have a value, in ascending order.
  var connections: [Int32] {
    values.indices.filter { Int(indices[Int(values[$0].connection)]) == $0 }.map { values[$0].connection }.sorted()
  }
}
