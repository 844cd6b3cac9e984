import Bluetooth
import KaitaiStruct
import Memory
import PacketCodecs
import Text

/// The data that an engine keeps about advertising devices. All devices with the same facts share one link, because a capture hears far more devices
/// than there are kinds of them. A device gets a link of its own only where a profile keeps state from packet to packet.
@safe final class AdvertiserCache {
  /// One device: the facts known of it, or its own link.
  struct Device {
    var address: UInt64 = .max
    /// The caller's version of the facts, as it was when they were taken.
    var version = 0
    /// Index into ``AdvertiserCache/facts``, or -1.
    var facts: Int32 = -1
    /// Its own link, or -1 where it uses the link of its facts.
    var link: Int32 = -1
  }

  /// A hash table of fixed size. A device that was displaced by another starts again.
  let devices = GrowingTable(repeating: Device(), capacity: AdvertiserCache.deviceCount)
  private static let deviceCount = 1024
  /// Plans by a hash of the facts and of the identifying bytes of the content.
  private let plans = GrowingTable<Unretained<AdvertisingPlan>?>(repeating: nil, capacity: AdvertiserCache.planCount)
  private static let planCount = 4096
  private var ownedPlans: [AdvertisingPlan] = []
  private(set) var facts: [PeerFacts] = []
  /// The shared link of each entry of ``facts``.
  private(set) var links: [Int] = []
  private var indices: [PeerFacts: Int32] = [:]
  /// Index of the entry without any facts, or -1.
  var emptyFacts: Int32 = -1
  private static let factLimit = 1024
  private static let planLimit = 16_384

  deinit {
    devices.deallocate()
    plans.deallocate()
  }

  var isFull: Bool { facts.count >= Self.factLimit || ownedPlans.count >= Self.planLimit }

  /// All links of the table, shared ones and those of single devices.
  var allLinks: [Int] {
    links + (0..<Self.deviceCount).compactMap { devices[$0].link >= 0 ? Int(devices[$0].link) : nil }
  }

  func removeAll() {
    devices.fill(Device())
    plans.fill(nil)
    ownedPlans.removeAll()
    facts.removeAll()
    links.removeAll()
    indices.removeAll()
    emptyFacts = -1
  }

  @inline(__always)
  func device(_ address: UInt64) -> GrowingTable<Device>.Entry {
    devices.entry(Int(truncatingIfNeeded: (address &* 0x9E37_79B9_7F4A_7C15) &>> 32) & (Self.deviceCount &- 1))
  }

  @inline(__always)
  func plan(_ key: UInt64) -> Unretained<AdvertisingPlan>? {
    guard let plan = plans[Int(truncatingIfNeeded: key) & (Self.planCount &- 1)] else { return nil }
    return plan.with { $0.key == key } ? plan : nil
  }

  func insert(_ plan: AdvertisingPlan) {
    ownedPlans.append(plan)
    plans[Int(truncatingIfNeeded: plan.key) & (Self.planCount &- 1)] = Unretained(plan)
  }

  /// The index of `known`. New facts are added, with the link that `connect` opens for them.
  func index(of known: PeerFacts, _ connect: (PeerFacts) -> Int) -> Int32 {
    if let index = indices[known] { return index }
    let index = Int32(facts.count)
    facts.append(known)
    links.append(connect(known))
    indices[known] = index
    return index
  }
}

/// The decoding plan for one kind of advertisement: structures of the same types and lengths with equal identifying bytes.
@safe final class AdvertisingPlan {
  @safe struct Step {
    /// Index of the structure; the whole data count as one more structure after the last.
    var structure: Int32
    var low: Int32
    var high: Int32
    var pipeline: Unretained<Pipeline>
    var runtime: Unretained<ProfileRuntime>
  }

  let key: UInt64
  /// Index of the device's facts after this advertisement.
  let facts: Int32
  let link: Link
  /// Whether the device needs a link of its own.
  let needsSeparateLink: Bool
  let steps: Table<Step>

  init(_ key: UInt64, _ facts: Int32, _ link: Link, needsSeparateLink: Bool, _ list: [Step]) {
    self.key = key
    self.facts = facts
    self.link = link
    self.needsSeparateLink = needsSeparateLink
    steps = Table(list)
  }

  deinit { steps.deallocate() }
}

/// Advertised data that a profile may decode.
enum AdvertisedData {
  /// Manufacturer specific data, after the company identifier.
  case company(UInt16)
  /// Service data, after a UUID of `width` bytes.
  case service(BluetoothUUID, width: Int)
  /// The data of a structure of another type.
  case structure(UInt8)
  /// All structures together.
  case whole

  /// The data of a structure; nil where manufacturer specific data or service data is too short.
  init?(_ structure: AdvertisingData.Structure, in bytes: RawSpan) {
    let data = structure.data
    let width: Int
    switch structure.kind.rawValue {
    case 0xFF:
      guard data.count >= 2 else { return nil }
      self = .company(UInt16(bytes.byte(data.lowerBound)) | UInt16(bytes.byte(data.lowerBound + 1)) << 8)
      return
    case 0x16: width = 2
    case 0x20: width = 4
    case 0x21: width = 16
    default:
      self = .structure(structure.kind.rawValue)
      return
    }
    guard data.count >= width,
      let uuid = BluetoothUUID(littleEndian: bytes, in: data.lowerBound..<(data.lowerBound &+ width))
    else { return nil }
    self = .service(uuid, width: width)
  }

  /// Number of bytes in front of the value that `source` decodes.
  func headerCount(for source: CompiledSource) -> Int {
    switch self {
    case .company: source.includesCompany ? 0 : 2
    case .service(_, let width): width
    case .structure, .whole: 0
    }
  }
}

extension AdvertisingData.Structure {
  /// Number of its bytes that identify the device; later ones change from packet to packet.
  @inline(__always)
  fileprivate var identifyingCount: Int {
    switch kind.rawValue {
    case 0x02...0x09: data.count
    case 0x16, 0xFF: min(data.count, 2)
    case 0x20: min(data.count, 4)
    case 0x21: min(data.count, 16)
    default: 0
    }
  }
}

// MARK: - Advertisements of any device

extension ProfileEngine {
  /// Decodes the data of an advertisement or scan response of the device at `address` (any number that is different for each address).
  /// Returns how many messages it completed.
  ///
  /// `name` is called for the device's name and address when the device is new, or when `version` (of the caller's knowledge of its devices) has
  /// changed. `isNamed` is false where the caller knows no name of it.
  @discardableResult
  public func feed(
    advertisement data: BorrowedBytes, of address: UInt64, isNamed: Bool, version: Int, frame: Int, time: Int64,
    _ name: () -> PeerFacts
  ) -> Int {
    recycle()
    let cache = advertisers
    let device = cache.device(address)
    if device.pointee.address != address || device.pointee.version != version || device.pointee.facts < 0 {
      if cache.isFull { removeAdvertisers() }
      if device.pointee.link >= 0 { disconnect(Int(device.pointee.link)) }
      device.pointee = AdvertiserCache.Device(
        address: address, version: version, facts: isNamed || profiles.matchesAddresses ? sharedFacts(name()) : emptyFacts())
    }
    if device.pointee.link >= 0 { return feed(advertisement: data, Int(device.pointee.link), frame: frame, time: time) }
    // FNV-1a over the identifying bytes of the content. Two contents with the same hash use the same plan.
    var hash = 0xCBF2_9CE4_8422_2325 ^ UInt64(truncatingIfNeeded: device.pointee.facts)
    let bytes = data.span
    var structures = AdvertisingData.Cursor(0..<bytes.byteCount, in: bytes)
    while let structure = structures.next(bytes), !structure.isCut {
      hash = (hash ^ UInt64(structure.kind.rawValue)) &* 0x100_0000_01B3
      hash = (hash ^ UInt64(truncatingIfNeeded: structure.data.count)) &* 0x100_0000_01B3
      let low = structure.data.lowerBound
      for index in low..<(low &+ structure.identifyingCount) { hash = (hash ^ UInt64(bytes.byte(index))) &* 0x100_0000_01B3 }
    }
    hash ^= hash &>> 29
    let plan = cache.plan(hash) ?? Unretained(makePlan(hash, data, device.pointee.facts))
    return plan.with { plan in
      device.pointee.facts = plan.facts
      if plan.needsSeparateLink {
        var facts = advertisers.facts[Int(plan.facts)]
        let named = name()
        facts.address = named.address
        facts.name = facts.name ?? named.name
        device.pointee.link = Int32(connect(facts))
        return feed(advertisement: data, Int(device.pointee.link), frame: frame, time: time)
      }
      run(plan, data, frame, time)
      return finished.count
    }
  }

  private func run(_ plan: AdvertisingPlan, _ data: BorrowedBytes, _ frame: Int, _ time: Int64) {
    var structure: Int32 = -1
    // The first profile that decodes a structure is the only one: the steps are sorted by the scores of their profiles.
    var decodedBy: Unretained<ProfileRuntime>?
    for index in plan.steps.indices {
      let step = plan.steps[index]
      if step.structure != structure {
        structure = step.structure
        decodedBy = nil
      }
      if let decodedBy, decodedBy != step.runtime { continue }
      guard Int(step.high) <= data.count else { continue }
      let before = finished.count
      step.runtime.with { runtime in
        step.pipeline.with {
          let value = data.part(Int(step.low)..<Int(step.high))
          run(value, frame: frame, time: time, $0, plan.link, runtime)
        }
      }
      if finished.count > before { decodedBy = step.runtime }
    }
  }

  /// The index of a device's facts, without those that no profile matches by.
  private func sharedFacts(_ facts: PeerFacts) -> Int32 {
    var facts = facts
    // Profiles that match by address get a link for each device. A name that no pattern matches makes no difference.
    if !profiles.matchesAddresses { facts.address = nil }
    if let name = facts.name, !profiles.matches(name: name) { facts.name = nil }
    return advertisers.index(of: facts) { connect($0) }
  }

  private func emptyFacts() -> Int32 {
    if advertisers.emptyFacts < 0 { advertisers.emptyFacts = sharedFacts(PeerFacts()) }
    return advertisers.emptyFacts
  }

  private func removeAdvertisers() {
    for link in advertisers.allLinks { disconnect(link) }
    advertisers.removeAll()
  }

  /// Makes the plan for such data of a device with the facts `known`.
  @inline(never)
  private func makePlan(_ key: UInt64, _ data: BorrowedBytes, _ known: Int32) -> AdvertisingPlan {
    let bytes = data.span
    let facts = sharedFacts(advertisers.facts[Int(known)].adding(advertisement: bytes))
    guard let link = link(advertisers.links[Int(facts)]) else {
      return AdvertisingPlan(key, facts, Link(PeerFacts()), needsSeparateLink: false, [])
    }
    var steps: [AdvertisingPlan.Step] = []
    var structureIndex: Int32 = 0
    var needsSeparateLink = false
    func add(_ data: AdvertisedData, _ range: Range<Int>) {
      for slot in advertisedSlots(link, data) {
        guard let entry = link.slots.object(slot) else { continue }
        let source = entry.runtime.profile.sources[entry.sourceNumber]
        guard let pipeline = entry.pipeline(.advertise, slot)?.object else { continue }
        // A key can belong to one device, and a nonce can contain its address.
        if profiles.keys.hasKeys(of: entry.runtime.profile) { needsSeparateLink = true }
        if entry.runtime.profile.keepsDevices || pipeline.keepsBytes || source.isAnswered || !source.answers.isEmpty {
          needsSeparateLink = true
        }
        steps.append(
          AdvertisingPlan.Step(
            structure: structureIndex, low: Int32(range.lowerBound + data.headerCount(for: source)), high: Int32(range.upperBound),
            pipeline: Unretained(pipeline), runtime: Unretained(entry.runtime)))
      }
    }
    var structures = AdvertisingData.Cursor(0..<bytes.byteCount, in: bytes)
    while let structure = structures.next(bytes), !structure.isCut {
      if profiles.read(structure.kind), let data = AdvertisedData(structure, in: bytes) { add(data, structure.data) }
      structureIndex += 1
    }
    add(.whole, 0..<data.count)
    let plan = AdvertisingPlan(key, facts, link, needsSeparateLink: needsSeparateLink, steps)
    advertisers.insert(plan)
    return plan
  }
}

// MARK: - Advertisements of one link

extension ProfileEngine {
  /// Decodes the data of an advertisement or scan response (all AD structures of it, Core Specification 6.0, Vol 3, Part C, 11) of the device
  /// of a link. Returns how many messages it completed.
  @discardableResult
  public func feed(advertisement data: BorrowedBytes, _ number: Int, frame: Int, time: Int64) -> Int {
    recycle()
    guard let link = self.link(number) else { return 0 }
    let bytes = data.span
    learn(bytes, link)
    var structures = AdvertisingData.Cursor(0..<bytes.byteCount, in: bytes)
    while let structure = structures.next(bytes), !structure.isCut {
      guard profiles.read(structure.kind), let content = AdvertisedData(structure, in: bytes) else { continue }
      feed(link, data, structure.data, content, frame, time)
    }
    feed(link, data, 0..<data.count, .whole, frame, time)
    return finished.count
  }

  /// Adds the facts in an advertisement to those of the link, once for each content.
  private func learn(_ data: RawSpan, _ link: Link) {
    // FNV-1a; where two contents have the same hash, the facts of the second are not learned.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for index in 0..<data.byteCount {
      hash = (hash ^ UInt64(data.byte(index))) &* 0x100_0000_01B3
    }
    guard !link.contents.contains(hash) else { return }
    if link.contents.count >= 8 { link.contents.removeFirst() }
    link.contents.append(hash)
    let facts = link.facts.adding(advertisement: data)
    guard facts != link.facts else { return }
    link.facts = facts
    link.candidates = profiles.candidates(facts)
    link.advertised.removeAll()
  }

  private func feed(
    _ link: Link, _ data: BorrowedBytes, _ range: Range<Int>, _ content: AdvertisedData, _ frame: Int, _ time: Int64
  ) {
    let key =
      switch content {
      case .company(let company): UInt64(company)
      case .service(let uuid, _): 1 << 32 ^ uuid.high ^ uuid.low
      case .whole: 1 << 33 as UInt64
      case .structure(let type): 1 << 34 | UInt64(type)
      }
    // The search for slots is done once for each device and kind of data.
    let slots: [Int]
    if let known = link.advertised[key] {
      slots = known
    } else {
      slots = advertisedSlots(link, content)
      link.advertised[key] = slots
    }
    // The first profile that decodes the data is the only one: slots are sorted by the scores of their profiles.
    var decodedBy: ProfileRuntime?
    for slot in slots {
      guard let entry = link.slots.object(slot) else { continue }
      if let decodedBy, decodedBy !== entry.runtime { break }
      guard let pipeline = entry.pipeline(.advertise, slot)?.object else { continue }
      let before = finished.count
      let low = range.lowerBound + content.headerCount(for: entry.runtime.profile.sources[entry.sourceNumber])
      let value = data.part(low..<range.upperBound)
      run(value, frame: frame, time: time, pipeline, link, entry.runtime)
      if finished.count > before { decodedBy = entry.runtime }
      for number in before..<max(before, finished.count) { finished[number].with { $0.advertisedRange = low..<range.upperBound } }
    }
  }

  /// The slots of the sources that decode such data of the device of a link, best match first.
  private func advertisedSlots(_ link: Link, _ data: AdvertisedData) -> [Int] {
    var slots: [Int] = []
    for candidate in link.candidates {
      guard profiles.mayDecode(data, candidate.profile), let runtime = runtime(candidate.profile) else { continue }
      for index in runtime.profile.lookup.advertisements {
        let source = runtime.profile.sources[index]
        runtime.spend(source.steps)
        if !source.decodes(data, of: link.facts) { continue }
        slots.append(slot(link, runtime, index))
      }
    }
    return slots
  }
}

extension CompiledSource {
  /// Number of steps charged for comparing an advertisement with it.
  fileprivate var steps: Int {
    4 &+ companies.count &+ serviceData.count &+ structures.count &+ 4 &* services.count &+ 8 &* names.count
  }

  /// Whether it is an advertisement with such data, of a device with such facts.
  fileprivate func decodes(_ data: AdvertisedData, of facts: PeerFacts) -> Bool {
    guard kind == .advertisement else { return false }
    switch data {
    case .company(let company): if isWhole || !isOfAnyCompany && !companies.contains(company) { return false }
    case .service(let uuid, _): if isWhole || !serviceData.contains(uuid) { return false }
    case .structure(let type): if isWhole || !structures.contains(type) { return false }
    case .whole:
      guard isWhole || companies.isEmpty && serviceData.isEmpty && structures.isEmpty && !isOfAnyCompany else { return false }
      if !companies.isEmpty, !companies.contains(where: facts.companies.contains) { return false }
      if !serviceData.isEmpty, !serviceData.contains(where: facts.serviceData.contains) { return false }
    }
    if !services.isEmpty, !services.contains(where: facts.services.contains) { return false }
    return names.isEmpty || facts.name.map(namePatterns.contain) ?? false
  }
}

extension Pipeline {
  /// Whether it keeps bytes of a packet until the next one.
  var keepsBytes: Bool { layers.firstIndex { $0.kind == .fragments || $0.kind == .stream || $0.kind == .expect } != nil }
}

extension PeerFacts {
  private static let listLimit = 64

  /// The facts with those in an advertisement added.
  func adding(advertisement bytes: RawSpan) -> PeerFacts {
    var facts = self
    func add<T: Equatable>(_ value: T?, _ list: inout [T]) {
      if let value, !list.contains(value), list.count < Self.listLimit { list.append(value) }
    }
    var structures = AdvertisingData.Cursor(0..<bytes.byteCount, in: bytes)
    while let structure = structures.next(bytes), !structure.isCut {
      let data = structure.data
      let type = structure.kind.rawValue
      switch type {
      case 0x02...0x07:
        let width = type < 4 ? 2 : type < 6 ? 4 : 16
        for start in stride(from: data.lowerBound, through: data.upperBound - width, by: width) {
          add(BluetoothUUID(littleEndian: bytes, in: start..<(start + width)), &facts.services)
        }
      case 0x08, 0x09:
        // A complete name takes precedence over a shortened one.
        guard facts.name == nil || type == 0x09, !data.isEmpty else { break }
        let name = bytes.extracting(data)
        if name.isText { facts.name = name.text }
      default:
        switch AdvertisedData(structure, in: bytes) {
        case .company(let company): add(company, &facts.companies)
        case .service(let uuid, _): add(uuid, &facts.serviceData)
        case .structure, .whole, nil: break
        }
      }
    }
    return facts
  }
}
