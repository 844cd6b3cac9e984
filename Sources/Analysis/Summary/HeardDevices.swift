import Bluetooth
import Captures
import Conversations
import Memory

/// Devices whose advertisements hosts or sniffers received, and devices that answered an inquiry: addresses, their data, and signal strength.
public struct HeardDevices: Sendable {
  /// A device, with all private addresses that a key resolves to it.
  public struct Device: Sendable {
    /// Its address; the identity where private addresses were resolved. Little-endian value of the six octets.
    public var address: UInt64
    /// Type of the address as in the report.
    public var addressType: UInt8
    /// Private addresses it used, the first ``HeardDevices/keptAddresses``.
    public var privateAddresses: [UInt64] = []
    /// Number of reports.
    public var reports = 0
    /// Time of the first and the last report, µs since 1970.
    public var first: Int64 = 0, last: Int64 = 0
    /// Last RSSI in dBm; 127 where it is not known.
    public var signal: Int8 = 127
    /// Weighted average of the RSSI in 1/256 dB: newer and stronger reports weigh more.
    public var average: Int32 = 0
    /// The last RSSI values in dBm, at most ``HeardDevices/keptSignals``, in no order.
    public var signals: [Int8] = []
    /// A report allowed connections.
    public var isConnectable = false
    /// It answered an inquiry over BR/EDR.
    public var isClassic = false
    /// It advertised.
    public var isLowEnergy = false
    /// Company identifier of its manufacturer data, or nil.
    public var company: UInt16?
    /// Appearance, or nil.
    public var appearance: UInt16?
    /// Services it advertised, at most sixteen.
    public var services: [BluetoothUUID] = []
    /// Services with advertised service data, at most sixteen.
    public var serviceData: [BluetoothUUID] = []
    /// Its last advertising data (not of a scan response), at most ``HeardDevices/keptData`` bytes.
    public var data: [UInt8] = []
    /// Number of changes of its advertising data.
    public var changes = 0
    var hash: UInt64 = 0
    var scanHash: UInt64 = 0

    /// Median of the last RSSI values in dBm, or nil.
    public var median: Int8? { signals.isEmpty ? nil : signals.sorted()[signals.count / 2] }
  }

  /// Devices in the order of their first report.
  public private(set) var devices: [Device] = []
  /// Estimated number of devices beyond ``maximum``.
  public var leftOut: Int { Self.rounded(others.estimate) }
  /// There are more devices than are kept: ``leftOut`` and ``count`` are estimates.
  public var isRough: Bool { !others.isEmpty }
  /// Time of the last advertisement of any device in the capture.
  public private(set) var last: Int64 = .min
  private var indices = HashIndex()
  fileprivate static let hashKey = HashKey()
  /// Addresses of devices that are not kept.
  private var others = DistinctCount()

  /// Most devices that are kept, in the order of their first report.
  public static let maximum = 4096
  /// Most RSSI values kept of a device.
  public static let keptSignals = 63
  /// Most private addresses kept of a device.
  public static let keptAddresses = 8
  /// Most bytes kept of advertising data.
  public static let keptData = 64

  /// Starts without devices.
  public init() {}

  /// Number of all devices.
  public var count: Int { isRough ? Self.rounded(devices.count + others.estimate) : devices.count }

  /// An estimate rounded to its three significant digits.
  public static func rounded(_ number: Int) -> Int {
    var (figures, unit) = (number, 1)
    while figures >= 1000 {
      figures = (figures + 5) / 10
      unit *= 10
    }
    return figures * unit
  }

  /// Devices with a known RSSI, the strongest first.
  public var byProximity: [Device] { devices.filter { $0.signal != 127 }.sorted { $0.average > $1.average } }

  /// Whether a device was still in range at the end: its last report is as recent as its usual interval allows. Of a device that only answered
  /// inquiries that is not known.
  public func isStillThere(_ device: Device) -> Bool {
    device.isLowEnergy && device.reports > 1 && last &- device.last <= Self.longestPause(device)
  }

  /// The longest usual time between two reports of a device: four times its average, but at least 5 s.
  private static func longestPause(_ device: Device) -> Int64 {
    device.reports > 1 ? max(5_000_000, (device.last &- device.first) / Int64(device.reports - 1) &* 4) : 5_000_000
  }

  /// Whether a device stopped advertising because it was connected: a connection to it began within a few seconds of its last report.
  public func wasConnected(_ device: Device, _ tables: ConversationTables) -> Bool {
    let peer = tables.knownPeer(device.address, type: device.addressType)
    guard peer >= 0, device.isConnectable || device.isClassic else { return false }
    let identity = tables.identity(peer)
    let pause = Self.longestPause(device)
    return tables.connections.suffix(1024).contains { connection in
      guard connection.peer >= 0, tables.identity(connection.peer) == identity else { return false }
      return connection.startTime >= device.last &- 1_000_000 && connection.startTime &- device.last <= pause
    }
  }

  /// Takes a row that may carry advertising reports.
  @inline(__always)
  public mutating func packet(_ row: PacketRow, _ batch: RowBatch) {
    if row.carriesReports {
      row.forEachReport { heard($0, row.time, batch) }
    } else if row.meaning == .advertises, row.layer == .hciEvent {
      answered(row, batch)
    } else if row.layer == .advertisingPDU {
      sniffed(row, batch)
    }
  }

  /// Takes the answers to an inquiry (Core, Vol 4, Part E, 7.7.2, 7.7.33 and 7.7.38): with 14 bytes each, or one with 254 bytes.
  private mutating func answered(_ row: PacketRow, _ batch: RowBatch) {
    let isExtended = row.eventCode == .extendedInquiryResult
    for index in 0..<(isExtended ? 1 : Int(row.pdu.u8(2) ?? 0)) {
      let at = 3 + 14 * index
      guard let address = row.pdu.address(at), at + 14 <= row.pdu.count else { return }
      let signal = row.eventCode == .inquiryResult ? 127 : row.pdu.u8(at + 13).map { Int8(bitPattern: $0) } ?? 127
      heard(
        AdvertisingReport(
          address: address, addressType: 0, kind: 0, signal: signal, isExtended: false, data: isExtended ? row.pdu.from(17) : PDUBytes()),
        row.time, batch, isClassic: true)
    }
  }

  /// Takes an advertisement from a sniffer (Core, Vol 6, Part B, 2.3).
  private mutating func sniffed(_ row: PacketRow, _ batch: RowBatch) {
    let kind = UInt8(truncatingIfNeeded: row.opcode & 15)
    guard !row.flags.contains(.badCRC), [0, 2, 4, 6, 7].contains(kind), let bits = row.pdu.u8(0) else { return }
    let payload = AdvertisingPayload(row.pdu)
    guard let address = payload.address else { return }
    var report = AdvertisingReport(
      address: address, addressType: bits >> 6 & 1, kind: kind == 0 ? 0 : kind == 4 ? 4 : 2, signal: 127, isExtended: false,
      data: payload.data)
    if kind == 7 {
      // Mode bits of the extended header: 01 connectable.
      report.isExtended = true
      report.kind = (row.pdu.u8(2) ?? 0) >> 6 == 1 ? 1 : 0
    }
    if unsafe Int(row.record) < batch.packets.records.count {
      if let strength = unsafe batch.packets.records[Int(row.record)].radio.strength { report.signal = strength }
    }
    heard(report, row.time, batch)
  }

  private mutating func heard(_ report: AdvertisingReport, _ time: Int64, _ batch: RowBatch, isClassic: Bool = false) {
    // Not the latest time: the clock may have been set back meanwhile.
    if !isClassic { last = time }
    var address = report.address
    var type = report.addressType
    let isPrivate = type & 1 == 1 && address >> 46 == 0b01
    if isPrivate {
      let tables = batch.tables
      let peer = tables.knownPeer(address, type: type)
      let identity = tables.identity(peer)
      if identity >= 0, identity != peer {
        address = tables.peers[Int(identity)].address
        type = tables.peers[Int(identity)].addressType
      }
    }
    guard let at = index(address, type, time) else { return }
    devices[at].reports += 1
    devices[at].last = time
    if address != report.address, devices[at].privateAddresses.count < Self.keptAddresses,
      !devices[at].privateAddresses.contains(report.address)
    {
      devices[at].privateAddresses.append(report.address)
    }
    if isClassic { devices[at].isClassic = true } else { devices[at].isLowEnergy = true }
    if report.isConnectable, !isClassic { devices[at].isConnectable = true }
    if report.signal != 127, report.signal != 0 || devices[at].signal == 127 { devices[at].heard(report.signal) }
    devices[at].read(report)
  }

  private mutating func index(_ address: UInt64, _ type: UInt8, _ time: Int64) -> Int? {
    let key = address | UInt64(type & 1) << 48
    let known = indices[key]
    if known >= 0 { return Int(known) }
    guard devices.count < Self.maximum else {
      others.insert(key)
      return nil
    }
    devices.append(Device(address: address, addressType: type, first: time))
    indices.insert(Int32(devices.count - 1), for: key)
    return devices.count - 1
  }
}

extension HeardDevices.Device {
  /// A newer value has the weight of a quarter, a stronger one that of a half, so that devices with strong recent reports come first.
  mutating func heard(_ strength: Int8) {
    let value = Int32(strength) * 256
    if signal == 127 { average = value } else { average += (value - average) / (value > average ? 2 : 4) }
    signal = strength
    if signals.count < HeardDevices.keptSignals { signals.append(strength) } else { signals[reports % HeardDevices.keptSignals] = strength }
  }

  /// Takes the data of a report, unless they are the same as the last.
  mutating func read(_ report: AdvertisingReport) {
    // 0 means that there was none.
    let now = report.data.hash(key: HeardDevices.hashKey) | 1
    if report.isScanResponse {
      if scanHash == now { return }
      scanHash = now
    } else {
      if hash == now { return }
      if hash != 0 { changes += 1 }
      hash = now
      data.removeAll(keepingCapacity: true)
      data.append(contentsOf: report.data.prefix(HeardDevices.keptData))
    }
    let bytes = report.data
    var cursor = AdvertisingData.Cursor(0..<bytes.count, in: bytes.span)
    while let structure = cursor.next(bytes.span) {
      let body = bytes.slice(structure.data.lowerBound, structure.data.count)
      switch structure.kind.rawValue {
      case 0xFF: company = body.u16(0) ?? company
      case 0x19: appearance = body.u16(0) ?? appearance
      case 0x02, 0x03: Self.list(body, 2, &services)
      case 0x04, 0x05: Self.list(body, 4, &services)
      case 0x06, 0x07: Self.list(body, 16, &services)
      case 0x16: Self.list(body.slice(0, 2), 2, &serviceData)
      case 0x20: Self.list(body.slice(0, 4), 4, &serviceData)
      case 0x21: Self.list(body.slice(0, 16), 16, &serviceData)
      default: break
      }
    }
  }

  private static func list(_ bytes: PDUBytes, _ size: Int, _ known: inout [BluetoothUUID]) {
    var at = 0
    while at + size <= bytes.count, known.count < 16 {
      let field = bytes.slice(at, size)
      // Controllers fill the list of a response to an inquiry with zeros.
      if let uuid = BluetoothUUID(littleEndian: field.span, in: 0..<size), !uuid.isZero, !known.contains(uuid) {
        known.append(uuid)
      }
      at += size
    }
  }
}
