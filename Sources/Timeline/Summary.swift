import Bluetooth
import Captures
import Conversations
import Profiles

/// What is in a capture: gathered from its rows in one pass, in bounded memory.
public final class Summary: RowPrinter {
  /// What went over one attribute of one connection.
  public struct Traffic: Sendable {
    /// Index into ``Tables/connections``.
    public var connection: Int32
    /// Index into ``Tables/attributes``.
    public var attribute: Int32
    /// Writes with response, writes without, notifications, indications, reads.
    public var writes = 0, commands = 0, notifications = 0, indications = 0, reads = 0
    /// Requests that were refused.
    public var refused = 0
    /// Value bytes of all of them.
    public var bytes = 0
    /// Slowest answer in µs, and its frame.
    public var slowest: (latency: Int64, frame: Int) = (0, 0)
    /// Latencies of answers in µs, at most ``Summary/sampled``.
    public var latencies: [Int64] = []
  }

  /// A device that was heard advertising.
  public struct Device: Sendable {
    /// Address, little-endian value of the six octets.
    public var address: UInt64
    /// Type as in the report.
    public var addressType: UInt8
    /// Reports heard.
    public var reports = 0
    /// Time of the first and the last report, µs since 1970.
    public var first: Int64 = 0, last: Int64 = 0
    /// Last signal in dBm; 127 where none was told.
    public var signal: Int8 = 127
    /// Weighted average of the signal in 1/256 dB: newer and stronger reports weigh more.
    public var average: Int32 = 0
    /// It was heard in a report that allows connections.
    public var isConnectable = false
    /// Company of its manufacturer data, or nil.
    public var company: UInt16?
    /// 16-bit services it advertised, at most eight.
    public var services: [UInt16] = []
  }

  /// Facts of the capture.
  public private(set) var facts = CaptureFacts(name: "", title: "")
  /// How the run ended; set at the end.
  public private(set) var outcome = Outcome()
  /// Rows by layer.
  public private(set) var layers = [Int](repeating: 0, count: 32)
  /// Traffic of each attribute of each connection.
  public private(set) var traffic: [Traffic] = []
  /// Devices heard.
  public private(set) var devices: [Device] = []
  /// Devices beyond ``maximumDevices``.
  public private(set) var devicesLeftOut = 0
  /// Messages of each profile: all, incomplete, with a wrong checksum; and bytes that belong to none.
  public private(set) var profiles: [String: (messages: Int, incomplete: Int, bad: Int, unjoined: Int)] = [:]
  /// Packets that the capture cut.
  public private(set) var truncated = 0
  /// Packets that the capture says it dropped.
  public private(set) var dropped = 0
  /// Findings, the first ``maximumFindings``.
  public private(set) var findings: [Finding] = []
  /// All findings.
  public private(set) var findingCount = 0
  /// Time of the first and last packet.
  public private(set) var first: Int64?, last: Int64 = 0
  /// Packets of each adapter, by its index in the tables.
  private var trafficOf: [UInt64: Int32] = [:]
  private var deviceOf: [UInt64: Int32] = [:]

  /// Most devices that are told apart.
  public static let maximumDevices = 16_384
  /// Most findings that are kept.
  public static let maximumFindings = 1000
  /// Latencies kept of each attribute.
  public static let sampled = 4096

  /// Nothing gathered yet.
  public init() {}

  /// Starts a capture.
  public func begin(_ facts: CaptureFacts) { self.facts = facts }

  /// Counts a row.
  public func packet(_ row: PacketRow, _ batch: RowBatch, isPart: Bool) {
    if row.flags.contains(.part) { return }
    layers[Int(row.layer.rawValue)] &+= 1
    if first == nil { first = row.time }
    last = row.time
    if row.flags.contains(.truncated) { truncated &+= 1 }
    if row.layer == .att {
      if row.attribute >= 0 { count(row) }
    } else if row.layer == .hciEvent, row.opcode == 0x3E, row.subcode == 0x02 || row.subcode == 0x0D {
      reports(row)
    }
  }

  private func count(_ row: PacketRow) {
    let key = UInt64(UInt32(bitPattern: row.connection)) << 32 | UInt64(UInt32(bitPattern: row.attribute))
    let index: Int
    if let known = trafficOf[key] {
      index = Int(known)
    } else {
      guard traffic.count < 65_536 else { return }
      index = traffic.count
      traffic.append(Traffic(connection: row.connection, attribute: row.attribute))
      trafficOf[key] = Int32(index)
    }
    switch row.meaning {
    case .write, .subscribe: traffic[index].writes &+= 1
    case .writeCommand: traffic[index].commands &+= 1
    case .notify: traffic[index].notifications &+= 1
    case .indicate: traffic[index].indications &+= 1
    case .readValue: traffic[index].reads &+= 1
    case .refused: traffic[index].refused &+= 1
    default: break
    }
    traffic[index].bytes &+= Int(row.valueCount)
    if row.requestFrame != 0, row.flags.contains(.hasLatency) {
      if row.latency > traffic[index].slowest.latency { traffic[index].slowest = (row.latency, row.frame) }
      if traffic[index].latencies.count < Summary.sampled { traffic[index].latencies.append(row.latency) }
    }
  }

  /// LE advertising reports, legacy and extended (Core, Vol 4, Part E, 7.7.65.2 and 7.7.65.13).
  private func reports(_ row: PacketRow) {
    let isExtended = row.subcode == 0x0D
    var left = Int(row.pdu.u8(3) ?? 0)
    var at = 4
    while left > 0 {
      let head = isExtended ? 24 : 9
      guard let address = row.pdu.address(at + (isExtended ? 3 : 2)), let type = row.pdu.u8(at + (isExtended ? 2 : 1)),
        let length = row.pdu.u8(at + head - 1)
      else { return }
      let kind = row.pdu.u16(at) ?? 0
      let isConnectable = isExtended ? kind & 1 != 0 : kind & 0xFF <= 1
      let signal = row.pdu.u8(isExtended ? at + 13 : at + head + Int(length)).map { Int8(bitPattern: $0) } ?? 127
      heard(address, type, signal, row.time, isConnectable, row.pdu.slice(at + head, Int(length)))
      at += head + Int(length) + (isExtended ? 0 : 1)
      left -= 1
    }
  }

  private func heard(_ address: UInt64, _ type: UInt8, _ signal: Int8, _ time: Int64, _ isConnectable: Bool, _ data: PDUBytes) {
    let key = address | UInt64(type & 1) << 48
    let index: Int
    if let known = deviceOf[key] {
      index = Int(known)
    } else {
      guard devices.count < Summary.maximumDevices else {
        devicesLeftOut += 1
        return
      }
      index = devices.count
      devices.append(Device(address: address, addressType: type, first: time))
      deviceOf[key] = Int32(index)
    }
    devices[index].reports += 1
    devices[index].last = time
    if isConnectable { devices[index].isConnectable = true }
    if signal != 127, signal != 0 || devices[index].signal == 127 {
      // A newer report counts a quarter, a stronger one half: the nearest device is the one heard well lately.
      let value = Int32(signal) * 256
      if devices[index].signal == 127 {
        devices[index].average = value
      } else {
        devices[index].average += (value - devices[index].average) / (value > devices[index].average ? 2 : 4)
      }
      devices[index].signal = signal
    }
    if devices[index].reports > 1, devices[index].services.count >= 8 { return }
    var at = 0
    while let length = data.u8(at), length > 0, let kind = data.u8(at + 1) {
      if kind == 0xFF {
        devices[index].company = data.u16(at + 2) ?? devices[index].company
      } else if kind == 2 || kind == 3 {
        var one = at + 2
        while one + 2 <= at + 1 + Int(length), let service = data.u16(one), devices[index].services.count < 8 {
          if !devices[index].services.contains(service) { devices[index].services.append(service) }
          one += 2
        }
      }
      at += 1 + Int(length)
    }
  }

  /// What profiles call attributes, by their index.
  public private(set) var names: [Int32: String] = [:]

  /// Keeps what a profile calls an attribute.
  public func named(_ attribute: Int32, _ name: String) { names[attribute] = name }

  /// Counts a message.
  public func message(_ message: Message, _ row: PacketRow, _ batch: RowBatch) {
    let name = message.profile.id
    guard profiles[name] != nil || profiles.count < 256 else { return }
    var counts = profiles[name] ?? (0, 0, 0, 0)
    if message.kind == .unjoined {
      counts.unjoined += message.payload.count
    } else {
      counts.messages += 1
      if !message.isComplete { counts.incomplete += 1 }
      if message.checksum == .bad { counts.bad += 1 }
    }
    profiles[name] = counts
  }

  /// Keeps a finding.
  public func finding(_ finding: Finding, _ batch: RowBatch) {
    findingCount += 1
    if finding.code == .dropped { dropped += finding.a }
    if findings.count < Summary.maximumFindings { findings.append(finding) }
  }

  /// Nothing is printed on the way.
  public func flush() {}

  /// Keeps how the run ended.
  public func end(_ outcome: Outcome) { self.outcome = outcome }
}
