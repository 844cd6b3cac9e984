import Kaitai

/// What is remembered of devices that advertise. Devices of which the profiles know the same share one link: captures hear far more devices than
/// there are kinds of them. A device has a link of its own only where a profile keeps something of it from packet to packet.
@safe final class AdvertisingMemory {
  /// Of one device: which facts are known, or its own link.
  struct Device {
    var address: UInt64 = .max
    var version = 0
    /// Number of the facts.
    var facts: Int32 = -1
    /// -1: it shares that of its facts.
    var link: Int32 = -1
  }

  /// The devices, in a table of fixed size: what falls out begins anew.
  let devices: UnsafeMutablePointer<Device>
  private static let deviceCount = 1024
  /// What a kind of content means to devices of which some facts are known, by a hash of both.
  private let plans: UnsafeMutablePointer<Unmanaged<AdvertisingPlan>?>
  private static let planCount = 4096
  private var owned: [AdvertisingPlan] = []
  /// Facts, with the link of all devices of which they are known.
  private(set) var facts: [PeerFacts] = []
  private(set) var links: [Int] = []
  private var numbers: [PeerFacts: Int32] = [:]
  /// Number of no facts, or -1.
  var plain: Int32 = -1
  private static let mostFacts = 1024
  private static let mostPlans = 16_384

  init() {
    unsafe devices = .allocate(capacity: Self.deviceCount)
    unsafe devices.initialize(repeating: Device(), count: Self.deviceCount)
    unsafe plans = .allocate(capacity: Self.planCount)
    unsafe plans.initialize(repeating: nil, count: Self.planCount)
  }

  deinit {
    unsafe devices.deallocate()
    unsafe plans.deallocate()
  }

  var isFull: Bool { facts.count >= Self.mostFacts || owned.count >= Self.mostPlans }

  func forget() {
    unsafe devices.update(repeating: Device(), count: Self.deviceCount)
    unsafe plans.update(repeating: nil, count: Self.planCount)
    owned.removeAll()
    facts.removeAll()
    links.removeAll()
    numbers.removeAll()
    plain = -1
  }

  @inline(__always)
  func device(_ address: UInt64) -> UnsafeMutablePointer<Device> {
    unsafe devices + (Int(truncatingIfNeeded: (address &* 0x9E37_79B9_7F4A_7C15) &>> 32) & (Self.deviceCount &- 1))
  }

  @inline(__always)
  func plan(_ key: UInt64) -> Unmanaged<AdvertisingPlan>? {
    guard let plan = unsafe plans[Int(truncatingIfNeeded: key) & (Self.planCount &- 1)] else { return nil }
    return unsafe plan._withUnsafeGuaranteedRef { $0.key == key } ? unsafe plan : nil
  }

  func keep(_ plan: AdvertisingPlan) {
    owned.append(plan)
    unsafe plans[Int(truncatingIfNeeded: plan.key) & (Self.planCount &- 1)] = unsafe .passUnretained(plan)
  }

  /// The number of facts, made where they are new; `connect` opens a link for them.
  func number(_ known: PeerFacts, _ connect: (PeerFacts) -> Int) -> Int32 {
    if let number = numbers[known] { return number }
    let number = Int32(facts.count)
    facts.append(known)
    links.append(connect(known))
    numbers[known] = number
    return number
  }
}

/// What the profiles do with advertisements of one make: the same structures of the same lengths that tell the same facts.
@safe final class AdvertisingPlan {
  @safe struct Step {
    /// Number of the structure; the whole data are one behind the last.
    var structure: Int32
    var low: Int32
    var high: Int32
    var pipeline: Unmanaged<Pipeline>
    var runtime: Unmanaged<ProfileRuntime>
  }

  let key: UInt64
  /// What is known of the device from now on.
  let facts: Int32
  let link: Link
  /// The device needs a link of its own.
  let isPersonal: Bool
  let steps: UnsafeMutablePointer<Step>
  let count: Int

  init(_ key: UInt64, _ facts: Int32, _ link: Link, isPersonal: Bool, _ list: [Step]) {
    self.key = key
    self.facts = facts
    self.link = link
    self.isPersonal = isPersonal
    count = list.count
    unsafe steps = .allocate(capacity: max(list.count, 1))
    for (place, step) in list.enumerated() { unsafe (steps + place).initialize(to: step) }
  }

  deinit { unsafe steps.deallocate() }
}

/// One AD structure (Core Specification 6.0, Vol 3, Part C, 11): its type, and where its data lie.
struct ADStructure {
  var type: UInt8
  var low: Int
  var high: Int

  /// Calls `body` with each structure that is whole.
  @inline(__always)
  static func forEach(_ data: UnsafeRawBufferPointer, _ body: (ADStructure) -> Void) {
    var at = 0
    while at < data.count {
      let length = unsafe Int(data[at])
      guard length > 0, at &+ 1 &+ length <= data.count else { break }
      unsafe body(ADStructure(type: data[at &+ 1], low: at &+ 2, high: at &+ 1 &+ length))
      at = at &+ 1 &+ length
    }
  }

  /// How many of its bytes say something of the device, and not of the moment.
  @inline(__always)
  var telling: Int {
    let count = high &- low
    switch type {
    case 0x02...0x09: return count
    case 0x16, 0xFF: return min(count, 2)
    case 0x20: return min(count, 4)
    case 0x21: return min(count, 16)
    default: return 0
    }
  }
}

extension ProfileEngine {
  /// Feeds the data of an advertisement or scan response of the device at `address`, whatever number tells addresses apart. Returns how many
  /// messages it completed.
  ///
  /// `name` is asked for what the device is called and how its address is written when it is heard for the first time, or with another
  /// `version` of what is known of devices; it need not be asked where the device `isNamed` nowhere.
  @discardableResult
  public func feed(
    advertisement data: UnsafeRawBufferPointer, of address: UInt64, isNamed: Bool, version: Int, frame: Int, time: Int64,
    _ name: () -> PeerFacts
  ) -> Int {
    recycle()
    let memory = advertisers
    let device = unsafe memory.device(address)
    if unsafe device.pointee.address != address || device.pointee.version != version || device.pointee.facts < 0 {
      if memory.isFull { forgetAdvertisers() }
      if unsafe device.pointee.link >= 0 { unsafe disconnect(Int(device.pointee.link)) }
      unsafe device.pointee = AdvertisingMemory.Device(
        address: address, version: version, facts: isNamed || profiles.asksForAddresses ? shared(name()) : plain())
    }
    if unsafe device.pointee.link >= 0 { return unsafe feed(advertisement: data, Int(device.pointee.link), frame: frame, time: time) }
    // FNV-1a over what makes the difference; two contents with one hash would be read alike.
    var hash = unsafe 0xCBF2_9CE4_8422_2325 ^ UInt64(truncatingIfNeeded: device.pointee.facts)
    unsafe ADStructure.forEach(data) { one in
      hash = (hash ^ UInt64(one.type)) &* 0x100_0000_01B3
      hash = (hash ^ UInt64(truncatingIfNeeded: one.high &- one.low)) &* 0x100_0000_01B3
      for place in one.low..<(one.low &+ one.telling) { hash = unsafe (hash ^ UInt64(data[place])) &* 0x100_0000_01B3 }
    }
    hash ^= hash &>> 29
    let plan = unsafe memory.plan(hash) ?? Unmanaged.passUnretained(plan(hash, data, device.pointee.facts))
    return unsafe plan._withUnsafeGuaranteedRef { plan in
      unsafe device.pointee.facts = plan.facts
      if plan.isPersonal {
        var facts = advertisers.facts[Int(plan.facts)]
        let named = name()
        facts.address = named.address
        facts.name = facts.name ?? named.name
        unsafe device.pointee.link = Int32(connect(facts))
        return unsafe feed(advertisement: data, Int(device.pointee.link), frame: frame, time: time)
      }
      unsafe follow(plan, data, frame, time)
      return unsafe done.count
    }
  }

  private func follow(_ plan: AdvertisingPlan, _ data: UnsafeRawBufferPointer, _ frame: Int, _ time: Int64) {
    var structure: Int32 = -1
    // The profile that fits best has the word, unless it says nothing about this.
    var teller: UnsafeMutableRawPointer?
    for place in 0..<plan.count {
      let step = unsafe plan.steps[place]
      if step.structure != structure {
        structure = step.structure
        unsafe teller = nil
      }
      if unsafe teller != nil, unsafe teller != step.runtime.toOpaque() { continue }
      guard Int(step.high) <= data.count else { continue }
      let told = unsafe done.count
      unsafe step.runtime._withUnsafeGuaranteedRef { runtime in
        enter(plan.link, runtime)
        runtime.packetLength = Int(step.high &- step.low)
        var tag = UInt64(truncatingIfNeeded: frame)
        unsafe withUnsafePointer(to: &tag) {
          let unit = unsafe Unit(
            bytes: UnsafeRawBufferPointer(rebasing: data[Int(step.low)..<Int(step.high)]), tags: UnsafeBufferPointer(start: $0, count: 1),
            begin: time, end: time, problems: UnsafeBufferPointer(start: nil, count: 0))
          unsafe step.pipeline._withUnsafeGuaranteedRef { run(unit, $0, from: 0, plan.link, runtime) }
        }
      }
      if unsafe done.count > told { unsafe teller = unsafe step.runtime.toOpaque() }
    }
  }

  /// The number of the facts of a device, without what no profile asks for.
  private func shared(_ facts: PeerFacts) -> Int32 {
    var facts = facts
    // An address is asked for by profiles for which a device has a link of its own; a name that no pattern fits is no fact.
    if !profiles.asksForAddresses { facts.address = nil }
    if let name = facts.name, !profiles.asks(forName: name) { facts.name = nil }
    return advertisers.number(facts) { connect($0) }
  }

  /// The number of no facts at all.
  private func plain() -> Int32 {
    if advertisers.plain < 0 { advertisers.plain = shared(PeerFacts()) }
    return advertisers.plain
  }

  private func forgetAdvertisers() {
    for link in advertisers.links { disconnect(link) }
    for place in 0..<1024 where unsafe advertisers.devices[place].link >= 0 { unsafe disconnect(Int(advertisers.devices[place].link)) }
    advertisers.forget()
  }

  /// Finds out what the profiles do with such data of a device of which some facts are known.
  @inline(never)
  private func plan(_ key: UInt64, _ data: UnsafeRawBufferPointer, _ known: Int32) -> AdvertisingPlan {
    let number = unsafe shared(advertisers.facts[Int(known)].learning(data))
    guard let link = link(advertisers.links[Int(number)]) else {
      return AdvertisingPlan(key, number, Link(PeerFacts()), isPersonal: false, [])
    }
    var steps: [AdvertisingPlan.Step] = []
    var structure: Int32 = 0
    var isPersonal = false
    func add(_ what: Advertised, _ one: ADStructure, _ service: BluetoothUUID? = nil) {
      for slot in advertisedSlots(link, what, service) {
        guard let entry = link.slots.object(slot) else { continue }
        let source = entry.runtime.profile.sources[entry.sourceNumber]
        guard let pipeline = unsafe entry.pipeline(.advertise, slot)?.takeUnretainedValue() else { continue }
        if entry.runtime.profile.keepsDevices || pipeline.keepsBytes || source.isAnswered || !source.answers.isEmpty { isPersonal = true }
        var low = one.low
        switch what {
        case .company: if !source.includesCompany { low += 2 }
        case .service(let width): low += width
        case .whole: break
        }
        unsafe steps.append(
          AdvertisingPlan.Step(
            structure: structure, low: Int32(low), high: Int32(one.high), pipeline: .passUnretained(pipeline),
            runtime: .passUnretained(entry.runtime)))
      }
    }
    unsafe ADStructure.forEach(data) { one in
      let body = unsafe UnsafeRawBufferPointer(rebasing: data[one.low..<one.high])
      func service(_ width: Int) {
        unsafe add(.service(width), one, BluetoothUUID(littleEndian: UnsafeRawBufferPointer(rebasing: body[0..<width])))
      }
      switch one.type {
      case 0xFF where body.count >= 2: unsafe add(.company(UInt16(body[0]) | UInt16(body[1]) << 8), one)
      case 0x16 where body.count >= 2: service(2)
      case 0x20 where body.count >= 4: service(4)
      case 0x21 where body.count >= 16: service(16)
      default: break
      }
      structure += 1
    }
    add(.whole, ADStructure(type: 0, low: 0, high: data.count))
    let plan = AdvertisingPlan(key, number, link, isPersonal: isPersonal, steps)
    advertisers.keep(plan)
    return plan
  }
}

extension Pipeline {
  /// It keeps bytes of one packet until another comes.
  var keepsBytes: Bool { layers.firstIndex { $0.kind == .fragments || $0.kind == .stream || $0.kind == .expect } != nil }
}

extension PeerFacts {
  /// The facts, with what an advertisement says of its device.
  func learning(_ data: UnsafeRawBufferPointer) -> PeerFacts {
    var facts = self
    func add<T: Equatable>(_ value: T?, _ list: inout [T]) {
      if let value, !list.contains(value), list.count < 64 { list.append(value) }
    }
    unsafe ADStructure.forEach(data) { one in
      let body = unsafe UnsafeRawBufferPointer(rebasing: data[one.low..<one.high])
      func uuid(_ range: Range<Int>) -> BluetoothUUID? { unsafe BluetoothUUID(littleEndian: UnsafeRawBufferPointer(rebasing: body[range])) }
      switch one.type {
      case 0x02...0x07:
        let width = one.type < 4 ? 2 : one.type < 6 ? 4 : 16
        for start in stride(from: 0, to: body.count - width + 1, by: width) { add(uuid(start..<(start + width)), &facts.services) }
      case 0x08, 0x09:
        // A complete name counts before a shortened one.
        if facts.name == nil || one.type == 0x09, unsafe isText(body), unsafe !body.isEmpty {
          facts.name = unsafe String(decoding: body, as: UTF8.self)
        }
      case 0x16 where body.count >= 2: add(uuid(0..<2), &facts.serviceData)
      case 0x20 where body.count >= 4: add(uuid(0..<4), &facts.serviceData)
      case 0x21 where body.count >= 16: add(uuid(0..<16), &facts.serviceData)
      case 0xFF where body.count >= 2: unsafe add(UInt16(body[0]) | UInt16(body[1]) << 8, &facts.companies)
      default: break
      }
    }
    return facts
  }
}
