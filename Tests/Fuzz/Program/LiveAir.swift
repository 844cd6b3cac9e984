@_spi(Pipeline) import Analysis
import BothSides
import Captures
import Conversations
import FuzzInput

/// A host's capture and those of two sniffers of the same connection, valid apart from missing, late, repeated and
/// changed packets, and the order in which they arrive.
public struct LiveAir {
  private static let accessAddress: [UInt8] = [0x95, 0x3B, 0x8A, 0x50]

  private var choices: Choices
  private var host: [(time: Int64, packet: [UInt8], isReceived: Bool)] = []
  private var air: [[(time: Int64, packet: [UInt8])]] = [[], []]
  private var sequence: [UInt8] = [0, 0]

  /// Runs the comparison of growing captures on an input, and checks that it reports everything once, and in the end the same as for complete
  /// captures. Returns the number of the host's packets that were reported.
  @discardableResult
  public static func run(_ bytes: UnsafeRawBufferPointer) -> Int {
    var input = LiveAir(choices: Choices(bytes))
    let order = input.choices.byte()
    let offsets = (0..<2).map { _ in Int(input.choices.byte()) }
    input.connect()
    while !input.choices.isAtEnd { input.step() }
    return input.compare(order, offsets)
  }

  private init(choices: Choices) { self.choices = choices }

  // MARK: Packets

  private func little(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }

  private mutating func connect() {
    host.append((1_000_000, [4, 0x3E, 19, 1, 0, 0x40, 0, 0, 0, 1, 0, 0, 0xEE, 0xFF, 0xC0, 24, 0, 0, 0, 0xF4, 1, 0], true))
    let request: [UInt8] =
      [5, 34] + [9, 0, 0, 0xEE, 0xFF, 0xC0] + [1, 0, 0, 0xEE, 0xFF, 0xC0] + Self.accessAddress + [1, 2, 3, 2, 1, 0, 24, 0, 0, 0, 0xF4, 1]
      + [0xFF, 0xFF, 0xFF, 0xFF, 0x1F, 5]
    for number in air.indices {
      air[number].append((900_000 + Int64(number) * 7_000_000, linkLayer(request, [0xD6, 0xBE, 0x89, 0x8E], direction: 0, channel: 37)))
    }
  }

  /// A Link Layer packet of LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR, whose CRC the sniffer marks as right.
  private func linkLayer(_ pdu: [UInt8], _ address: [UInt8], direction: Int, channel: UInt8) -> [UInt8] {
    let flags = 1 | 1 << 4 | direction << 7 | 1 << 10 | 1 << 11
    return [channel, 0xC0, 0x80, 0] + address + little(flags, 2) + address + pdu + [0, 0, 0]
  }

  private mutating func step() {
    let what = choices.byte()
    let time = (host.last?.time ?? 0) &+ Int64(choices.byte()) << Int64(choices.byte() % 28)
    let isReceived = what & 4 != 0
    let content = choices.byte() % 16
    let pdu = [7, 0, 4, 0, isReceived ? 0x1B : 0x52, 3, 0] + [UInt8](repeating: content, count: 4)
    if what & 3 != 1 {
      host.append((time, [2, 0x40, isReceived ? 0x20 : 0] + little(pdu.count, 2) + pdu, isReceived))
    }
    if what & 3 != 2 {
      let side = isReceived ? 1 : 0
      sequence[side] ^= 8
      let packet = linkLayer(
        [2 | sequence[side], UInt8(pdu.count)] + pdu, Self.accessAddress, direction: isReceived ? 3 : 2, channel: content)
      let wait = Int64(choices.byte()) * 500
      for number in air.indices where what >> (4 + number) & 1 == 0 {
        let heard = (time + Int64(number) * 7_000_000 + (isReceived ? -wait : wait), packet)
        air[number].append(heard)
        if what & 8 != 0 { air[number].append((heard.0 + 3750, packet)) }
      }
    }
    if what >> 6 == 3 { lie() }
  }

  /// Changes a byte of the last packet, on one side.
  private mutating func lie() {
    let (index, value) = (Int(choices.byte()), choices.byte())
    if choices.flag(), let last = host.indices.last {
      host[last].packet[index % host[last].packet.count] = value
    } else {
      let number = Int(choices.byte() & 1)
      guard let last = air[number].indices.last else { return }
      air[number][last].packet[index % air[number][last].packet.count] = value
    }
  }

  /// The host's capture, btsnoop with H4.
  private var hostFile: [UInt8] {
    func big(_ number: Int, _ count: Int) -> [UInt8] { little(number, count).reversed() }
    var file = Array("btsnoop\0".utf8) + big(1, 4) + big(1002, 4)
    for (time, packet, isReceived) in host {
      let flags = (isReceived ? 1 : 0) | (packet[0] == 4 ? 2 : 0)
      file += big(packet.count, 4) + big(packet.count, 4) + big(flags, 4) + big(0, 4) + big(Int(time &+ 0x00DC_DDB3_0F2F_8000), 8) + packet
    }
    return file
  }

  /// A sniffer's capture, pcap.
  private func airFile(_ number: Int) -> [UInt8] {
    var file = little(0xA1B2_C3D4, 4) + little(2, 2) + little(4, 2) + little(0, 8) + little(65535, 4) + little(256, 4)
    for (time, packet) in air[number] {
      let (seconds, rest) = time.quotientAndRemainder(dividingBy: 1_000_000)
      file += little(Int(seconds), 4) + little(Int(rest), 4) + little(packet.count, 4) + little(packet.count, 4) + packet
    }
    return file
  }

  // MARK: Comparing

  /// A capture that gives one packet at a time, and calls `before` with its number first.
  private final class Single: PacketSource {
    private let source: any PacketSource
    private let before: (Int) -> Void
    private let whole = PacketBatch()
    private var next = 0
    private var number = 0

    init(_ source: any PacketSource, _ before: @escaping (Int) -> Void) { (self.source, self.before) = (source, before) }

    var interfaces: [CaptureInterface] { source.interfaces }
    var title: String { source.title }
    var progress: (read: Int, total: Int?) { source.progress }
    var format: CaptureFormat { source.format }
    var damage: CaptureDamage? { source.damage }
    func rewind() -> Bool { false }

    func read(_ batch: PacketBatch) throws(CaptureError) -> Bool {
      batch.removeAll()
      if next == whole.records.count {
        next = 0
        guard try source.read(whole), !whole.records.isEmpty else { return false }
      }
      var record = whole.records[next]
      next += 1
      before(number)
      number += 1
      record.offset = batch.append(bytes: RawSpan(_unsafeBytes: whole.bytes(record)))
      batch.append(record)
      return true
    }
  }

  /// Takes the rows of the host, and the results after each batch.
  private final class HeardCollector: EventSink {
    let live: LiveAirSide
    /// The duration of each batch, in µs: if it is shorter than the pause between two alignments, most batches use the previous alignment.
    private let wait: Int64
    private var now: Int64 = 0
    private(set) var frames: Set<Int> = []
    private var unlogged: Set<[Int]> = []

    init(_ live: LiveAirSide, wait: Int64) { (self.live, self.wait) = (live, wait) }

    func packet(_ row: PacketRow, _ batch: RowBatch, isPart: Bool) throws { try live.host.packet(row, batch, isPart: isPart) }

    func batchDidEnd(_ batch: RowBatch) throws {
      try live.host.batchDidEnd(batch)
      step()
    }

    func step() {
      now += wait
      if let join = live.step(now: now) { take(join) }
      check(live.step(now: now) == nil, "the same again tells something")
    }

    func take(_ join: LiveAirSide.Join) {
      for frame in join.frames { check(frames.insert(frame).inserted, "packet \(frame) is told twice") }
      for packet in join.unlogged {
        check(unlogged.insert([packet.capture, packet.frame]).inserted, "packet \(packet.frame) of the air is told twice")
      }
    }
  }

  private func source(_ file: [UInt8], _ name: String) -> (any PacketSource)? { try? CaptureFile.open(bytes: file, name: name) }

  private func feed(_ source: (any PacketSource)?, to sink: some EventSink) {
    guard let source else { return }
    var options = Timeline.Options()
    options.isLive = true
    options.includesFragments = true
    _ = try? Timeline(source, options: options).run(CaptureFacts(name: "", title: ""), to: sink)
  }

  /// `order` chooses whose packets arrive one by one, the host's or those of the first sniffer, and how fast; the others' arrive all at once, before
  /// packet number `offsets`, or at the end. Returns the number of the host's packets that were reported.
  private func compare(_ order: UInt8, _ offsets: [Int]) -> Int {
    let names = ["one", "two"]
    let live = LiveAirSide(names)
    // One input in eight is aligned again at each packet.
    let described = HeardCollector(live, wait: order >> 5 == 7 ? 1_000_000 : 5000 << Int64(order >> 5 & 3))
    var left = Set([0, 1])
    func hear(_ number: Int) {
      guard left.remove(number) != nil else { return }
      feed(source(airFile(number), names[number]), to: live.sniffers[number])
      if order & 2 == 0 { live.sniffers[number].finish() }
    }
    if order & 1 == 0 {
      feed(
        source(hostFile, "host").map { Single($0) { packet in for number in 0..<2 where offsets[number] == packet { hear(number) } } },
        to: described)
    } else {
      left.remove(0)
      var isHostThere = false
      let first = source(airFile(0), names[0]).map {
        Single($0) { packet in
          if offsets[1] == packet { hear(1) }
          if offsets[0] == packet {
            isHostThere = true
            feed(source(hostFile, "host"), to: described)
          }
          described.step()
        }
      }
      feed(first, to: live.sniffers[0])
      if !isHostThere { feed(source(hostFile, "host"), to: described) }
    }
    for number in 0..<2 { hear(number) }
    described.step()
    for sniffer in live.sniffers { sniffer.finish() }
    described.step()
    _ = live.isComplete
    let last = live.finish()
    described.take(last)
    check(live.finish().side.captures.map(\.match?.heard) == last.side.captures.map(\.match?.heard), "the end differs from itself")

    // The results for complete captures.
    guard let host = source(hostFile, "host").flatMap({ try? RecordedSession($0) }) else { return 0 }
    var whole = AirSide(host)
    for number in 0..<2 {
      guard let session = source(airFile(number), names[number]).flatMap({ try? RecordedSession($0) }) else { return 0 }
      whole.add(session, name: names[number])
    }
    for number in 0..<2 {
      check(last.side.captures[number].match?.heard == whole.captures[number].match?.heard, "sniffer \(number) heard something else")
    }
    for pdu in host.pdus where whole.heard(pdu.frame) != nil || whole.isUnheard(pdu.frame) {
      check(described.frames.contains(pdu.frame), "packet \(pdu.frame) was not told")
    }
    return described.frames.count
  }
}
