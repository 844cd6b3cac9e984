@_spi(Pipeline) import Analysis
import Bluetooth
import Conversations

/// A device of a capture, with its sessions with the host.
struct ComparedDevice: Sendable {
  /// The identity of the device.
  enum Identity: Hashable, Sendable {
    /// Index into ``ConversationTables/peers``.
    case peer(Int32)
    /// Address of a device that is in no table.
    case address(UInt64)
    /// A connection whose peer is not known.
    case connection(Int32)
    /// The host itself: scans.
    case host
  }
  var identity: Identity
  var sessions: [Session] = []

  /// The steps of a connection, or of none: attempts at connections, scans.
  struct Session: Sendable {
    /// Index into ``ConversationTables/connections``, or -1.
    var connection: Int32
    /// Indices of its steps, in order.
    var steps: [Int32] = []
  }

  /// The address, most significant octet first as in text; nil where it has none.
  func address(_ tables: ConversationTables) -> UInt64? {
    switch identity {
    case .peer(let peer): tables.peers[Int(peer)].address
    case .address(let address): address
    case .connection, .host: nil
    }
  }

  /// The name, raw; empty where none is known.
  func name(_ tables: ConversationTables) -> [UInt8] { if case .peer(let peer) = identity { tables.name(of: peer) } else { [] } }
}

extension Recording {
  /// The devices of the steps, in the order of their first step.
  func devices() -> [ComparedDevice] {
    var devices: [ComparedDevice] = []
    var indices: [ComparedDevice.Identity: Int] = [:]
    var sessions: [Int32: (device: Int, session: Int)] = [:]
    var others: [Int: Int] = [:]
    func device(_ identity: ComparedDevice.Identity) -> Int {
      if let known = indices[identity] { return known }
      indices[identity] = devices.count
      devices.append(ComparedDevice(identity: identity))
      return devices.count - 1
    }
    for (index, step) in steps.enumerated() {
      let number = Int32(index)
      let connection = context(step).connection
      if connection >= 0 {
        if let known = sessions[connection] {
          devices[known.device].sessions[known.session].steps.append(number)
          continue
        }
        let peer = tables.identity(tables.connections[Int(connection)].peer)
        let at = device(peer >= 0 ? .peer(peer) : .connection(connection))
        sessions[connection] = (at, devices[at].sessions.count)
        devices[at].sessions.append(ComparedDevice.Session(connection: connection, steps: [number]))
        continue
      }
      var identity = ComparedDevice.Identity.host
      if let peer = peersWithoutConnection[number] {
        if peer >> 63 == 0 {
          identity = .peer(tables.identity(Int32(truncatingIfNeeded: peer)))
        } else {
          let address = peer & (1 << 63 - 1)
          let known = max(tables.knownPeer(address, type: 0), tables.knownPeer(address, type: 1))
          identity = known >= 0 ? .peer(tables.identity(known)) : .address(address)
        }
      }
      let at = device(identity)
      // Failed attempts belong to no connection, and a host can make a hundred of them: they share one session.
      if let session = others[at] {
        devices[at].sessions[session].steps.append(number)
      } else {
        others[at] = devices[at].sessions.count
        devices[at].sessions.append(ComparedDevice.Session(connection: -1, steps: [number]))
      }
    }
    return devices
  }
}

extension Recording {
  /// Advertised data of a device with a random address that identifies its model; nil where there is none.
  fileprivate func signature(of device: ComparedDevice) -> [UInt8]? {
    guard case .peer(let peer) = device.identity, case let entry = tables.peers[Int(peer)], entry.addressType != Peer.classic,
      entry.addressType & 1 == 1, let heard = heard.devices.first(where: { $0.address == entry.address }), !heard.signature.isEmpty
    else { return nil }
    return heard.signature
  }
}

/// Matches the devices of one capture with those of another.
struct DeviceMatching {
  /// Pairs of indices into the two lists, and indices of devices in only one list.
  var pairs: [(a: Int, b: Int)] = []
  var onlyA: [Int] = [], onlyB: [Int] = []

  /// Least share of equal steps for a match of devices without a common name or address.
  private static let minimumShare = 0.25

  /// Matches by the user's pairs, address, name, advertised data of random addresses, and steps; last, the only remaining devices match unless their
  /// names differ. `given` has the user's pairs of addresses or names.
  init(
    _ a: (recording: Recording, devices: [ComparedDevice], keys: [Int32]),
    _ b: (recording: Recording, devices: [ComparedDevice], keys: [Int32]),
    given: [(a: String, b: String)]
  ) {
    var freeA = Set(a.devices.indices), freeB = Set(b.devices.indices)
    var found: [(a: Int, b: Int)] = []
    func take(_ indexA: Int, _ indexB: Int) {
      found.append((indexA, indexB))
      freeA.remove(indexA)
      freeB.remove(indexB)
    }
    for pair in given {
      let indexA = freeA.sorted().first { Self.isCalled(pair.a, a.devices[$0], a.recording.tables) }
      let indexB = freeB.sorted().first { Self.isCalled(pair.b, b.devices[$0], b.recording.tables) }
      if let indexA, let indexB { take(indexA, indexB) }
    }
    func match(_ property: (ComparedDevice, Recording) -> [UInt8]?, isAllowed: (Int, Int) -> Bool = { _, _ in true }) {
      // A property that several devices share identifies none of them.
      var indices: [[UInt8]: Int] = [:]
      for index in freeB.sorted() {
        if let value = property(b.devices[index], b.recording) { indices[value] = indices[value] == nil ? index : -1 }
      }
      var taken: Set<[UInt8]> = []
      for index in freeA.sorted() {
        guard let value = property(a.devices[index], a.recording), let other = indices[value], other >= 0, isAllowed(index, other),
          taken.insert(value).inserted
        else { continue }
        take(index, other)
      }
    }
    func name(_ device: ComparedDevice, _ recording: Recording) -> [UInt8]? {
      let name = device.name(recording.tables)
      return name.isEmpty ? nil : name
    }
    match { device, _ in device.identity == .host ? [0] : nil }
    match { device, recording in
      device.address(recording.tables).map { address in (0..<6).map { UInt8(truncatingIfNeeded: address >> ($0 * 8)) } }
    }
    match { name($0, $1) }
    // Devices that change their address are identified by their advertised data.
    match {
      $1.signature(of: $0)
    } isAllowed: {
      name(a.devices[$0], a.recording) == nil || name(b.devices[$1], b.recording) == nil
    }
    // By their steps: the best pair first.
    let shapesA = freeA.sorted().prefix(256).map { ($0, Self.histogram(a.devices[$0], a.keys)) }
    let shapesB = freeB.sorted().prefix(256).map { ($0, Self.histogram(b.devices[$0], b.keys)) }
    var scores: [(score: Double, a: Int, b: Int)] = []
    for (indexA, shape) in shapesA {
      for (indexB, otherShape) in shapesB {
        let score = Self.similarity(shape, otherShape)
        if score >= Self.minimumShare { scores.append((score, indexA, indexB)) }
      }
    }
    scores.sort { ($1.score, $0.a, $0.b) < ($0.score, $1.a, $1.b) }
    for score in scores where freeA.contains(score.a) && freeB.contains(score.b) { take(score.a, score.b) }
    if freeA.count == 1, freeB.count == 1, let indexA = freeA.first, let indexB = freeB.first,
      Self.isConnected(a.devices[indexA]) == Self.isConnected(b.devices[indexB]),
      a.devices[indexA].name(a.recording.tables).isEmpty || b.devices[indexB].name(b.recording.tables).isEmpty
    {
      take(indexA, indexB)
    }
    pairs = found.sorted { $0.a < $1.a }
    onlyA = freeA.sorted()
    onlyB = freeB.sorted()
  }

  private static func isConnected(_ device: ComparedDevice) -> Bool { device.sessions.contains { $0.connection >= 0 } }

  /// Whether a device is the one that the user names, by address or name.
  static func isCalled(_ text: String, _ device: ComparedDevice, _ tables: ConversationTables) -> Bool {
    if device.name(tables) == Array(text.utf8) { return true }
    let digits = text.filter { $0 != ":" && $0 != "-" }
    guard digits.utf8.count == 12, let address = UInt64(digits, radix: 16) else { return false }
    return device.address(tables) == address
  }

  /// Number of steps of each key.
  static func histogram(_ device: ComparedDevice, _ keys: [Int32]) -> [Int32: Int] {
    var counts: [Int32: Int] = [:]
    for session in device.sessions { for step in session.steps { counts[keys[Int(step)], default: 0] += 1 } }
    return counts
  }

  static func histogram(_ session: ComparedDevice.Session, _ keys: [Int32]) -> [Int32: Int] {
    var counts: [Int32: Int] = [:]
    for step in session.steps { counts[keys[Int(step)], default: 0] += 1 }
    return counts
  }

  /// Share of equal steps, 0 to 1. Very frequent steps count little more than steps that occur a few times.
  static func similarity(_ a: [Int32: Int], _ b: [Int32: Int]) -> Double {
    var (common, all) = (0, 0)
    for (key, count) in a {
      let (mine, other) = (min(count, 4), min(b[key] ?? 0, 4))
      common += min(mine, other)
      all += max(mine, other)
    }
    for (key, count) in b where a[key] == nil { all += min(count, 4) }
    return all == 0 ? 0 : Double(common) / Double(all)
  }
}

/// Matches the connections of a device in two captures: equal ones first, then the others in order by their steps.
struct SessionMatching {
  var pairs: [(a: Int, b: Int)] = []

  /// Most pairs of sessions that are compared with each other.
  private static let maxPairs = 40_000

  init(_ a: ComparedDevice, _ b: ComparedDevice, _ keysA: [Int32], _ keysB: [Int32], _ contentsA: [Int32], _ contentsB: [Int32]) {
    var numbers: [UInt64: Int32] = [:]
    func digest(_ session: ComparedDevice.Session, _ contents: [Int32]) -> Int32 {
      var hash = StepHash()
      for step in session.steps { hash.add(contents[Int(step)]) }
      let next = Int32(numbers.count)
      return numbers[hash.value, default: next] == next
        ? {
          numbers[hash.value] = next; return next
        }() : numbers[hash.value] ?? next
    }
    let alike = SequenceAlignment.pairs(a.sessions.map { digest($0, contentsA) }, b.sessions.map { digest($0, contentsB) })
    var (lastA, lastB) = (0, 0)
    for pair in alike + [(a.sessions.count, b.sessions.count)] {
      between(a.sessions, lastA..<pair.a, keysA, b.sessions, lastB..<pair.b, keysB)
      if pair.a < a.sessions.count { pairs.append((pair.a, pair.b)) }
      (lastA, lastB) = (pair.a + 1, pair.b + 1)
    }
  }

  private mutating func between(
    _ a: [ComparedDevice.Session], _ rangeA: Range<Int>, _ keysA: [Int32], _ b: [ComparedDevice.Session], _ rangeB: Range<Int>,
    _ keysB: [Int32]
  ) {
    guard !rangeA.isEmpty, !rangeB.isEmpty else { return }
    guard rangeA.count * rangeB.count <= Self.maxPairs else {
      for (indexA, indexB) in zip(rangeA, rangeB) { pairs.append((indexA, indexB)) }
      return
    }
    let shapesA = rangeA.map { DeviceMatching.histogram(a[$0], keysA) }
    let shapesB = rangeB.map { DeviceMatching.histogram(b[$0], keysB) }
    // Connections without equal steps are paired where there is no better match.
    let scores = shapesA.map { shape in shapesB.map { 0.01 + DeviceMatching.similarity(shape, $0) } }
    pairs += OrderedMatching.best(shapesA.count, shapesB.count) { indexA, indexB in
      (a[rangeA.lowerBound + indexA].connection < 0) == (b[rangeB.lowerBound + indexB].connection < 0) ? scores[indexA][indexB] : 0
    }.map { (rangeA.lowerBound + $0.a, rangeB.lowerBound + $0.b) }
  }
}

/// The pairs of two short sequences that have the greatest sum of scores, in order.
enum OrderedMatching {
  /// Pairs whose score is positive.
  static func best(_ n: Int, _ m: Int, _ score: (Int, Int) -> Double) -> [(a: Int, b: Int)] {
    guard n > 0, m > 0 else { return [] }
    let width = m + 1
    var sums = [Double](repeating: 0, count: (n + 1) * width)
    var isPair = [Bool](repeating: false, count: n * m)
    for i in stride(from: n - 1, through: 0, by: -1) {
      for j in stride(from: m - 1, through: 0, by: -1) {
        let skip = max(sums[(i + 1) * width + j], sums[i * width + j + 1])
        let matched = score(i, j)
        let both = sums[(i + 1) * width + j + 1] + matched
        isPair[i * m + j] = matched > 0 && both >= skip
        sums[i * width + j] = isPair[i * m + j] ? both : skip
      }
    }
    var pairs: [(a: Int, b: Int)] = []
    var (i, j) = (0, 0)
    while i < n, j < m {
      if isPair[i * m + j] {
        pairs.append((i, j))
        i += 1
        j += 1
      } else if sums[(i + 1) * width + j] >= sums[i * width + j + 1] {
        i += 1
      } else {
        j += 1
      }
    }
    return pairs
  }
}
