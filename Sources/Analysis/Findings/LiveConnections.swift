/// Values for open connections, at most ``most`` of them. When it is full, opening another connection removes the one that was opened first, so
/// that memory does not grow with connections whose disconnection is not in the capture.
struct LiveConnections<Value> {
  /// The largest number of connections with a value.
  static var maxCount: Int { 2048 }

  /// For each connection, the index of its value in ``values``, or -1.
  private var places: [Int32] = []
  private var values: [(connection: Int32, value: Value)] = []
  private var free: [Int32] = []
  /// Index in ``values`` that is overwritten next when all are in use.
  private var next = 0

  /// Returns whether a connection has a value.
  @inline(__always)
  func has(_ connection: Int) -> Bool { connection >= 0 && connection < places.count && places[connection] >= 0 }

  /// The value of a connection. Callers check ``has(_:)`` first: a connection without a value traps.
  subscript(connection: Int) -> Value {
    @inline(__always) get { values[Int(places[connection])].value }
    @inline(__always) _modify { yield &values[Int(places[connection])].value }
  }

  /// Returns whether neither this connection nor any with a higher number ever had a value.
  func isNew(_ connection: Int) -> Bool { connection >= places.count }

  /// The connection that opening another one would remove; nil while there is free capacity.
  var oldest: Int? { free.isEmpty && values.count >= Self.maxCount ? Int(values[next].connection) : nil }

  /// Removes all values.
  mutating func removeAll() { self = LiveConnections() }

  /// Gives a connection a value, unless it has one.
  mutating func open(_ connection: Int, _ value: @autoclosure () -> Value) {
    guard connection >= 0, !has(connection) else { return }
    while places.count <= connection { places.append(-1) }
    let entry = (Int32(connection), value())
    if let place = free.popLast() {
      values[Int(place)] = entry
      places[connection] = place
    } else if values.count < Self.maxCount {
      places[connection] = Int32(values.count)
      values.append(entry)
    } else {
      places[Int(values[next].connection)] = -1
      values[next] = entry
      places[connection] = Int32(next)
      next = (next + 1) % Self.maxCount
    }
  }

  /// Removes the value of a connection.
  mutating func close(_ connection: Int) {
    guard has(connection) else { return }
    free.append(places[connection])
    places[connection] = -1
  }

  /// The connections that have a value, in ascending order.
  var connections: [Int32] {
    values.indices.filter { Int(places[Int(values[$0].connection)]) == $0 }.map { values[$0].connection }.sorted()
  }
}
