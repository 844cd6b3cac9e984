import Bluetooth
import Conversations
import Memory
import PacketCodecs

/// Finds advertising data that continue those of an earlier report, command or packet: they begin within a structure, so that letters of a name
/// in them may look like the lengths and types of structures.
struct AdvertisingFragments {
  /// The sender of data that several reports carry: an advertising set, a periodic train, or a response slot of one.
  private struct Train: Hashable {
    var adapter: UInt16 = 0
    var address: UInt64 = 0
    var set: UInt64 = 0
  }
  /// What packets of one chain on the air have in common: the access address and the AdvDataInfo field.
  private struct Chain: Hashable {
    var access: UInt32
    var info: UInt16?
  }
  /// Data of a PDU that are a part of advertising data in several PDUs.
  struct Fragment {
    /// Their range in the PDU, and their field.
    var range: Range<Int>
    var field: Field
    /// They begin within a structure.
    var isContinuation: Bool
    /// They are the last.
    var isLast: Bool
    /// The controller truncated them.
    var isTruncated: Bool
    /// Number of bytes of all fragments up to the end of this one.
    var total: Int
  }
  /// The fragments of the PDU that is visited.
  private(set) var ofPDU: [Fragment] = []

  /// Trains whose data continue, and the number of bytes received so far.
  private var trains: [Train: Int] = [:]
  /// Chains that continue, and the latest time of the next packet.
  private var chains: [Chain: Int64] = [:]
  /// Upper bound of open trains, and of open chains. Where it is reached, all others count as open too.
  private static let maxOpen = 4096

  // MARK: Reports and commands

  private var adapter: UInt16 = 0
  private var isFollowed = false
  private var isCommand = false
  private var train: Train?
  private var goesOn = false
  private var isPart = false
  /// The visited data end before their last structure does: the controller truncated them, or the next command has the rest.
  private(set) var isUnfinished = false
  /// The visited data continue earlier data.
  private(set) var isInContinuation = false
  /// The visited data are continued by later ones.
  var isInStart: Bool { isFollowed && goesOn }

  /// Begins a PDU.
  mutating func begin(_ row: PacketRow) {
    ofPDU.removeAll(keepingCapacity: true)
    isInContinuation = false
    isCommand = row.layer == .hciCommand
    isFollowed = false
    forget()
    switch row.layer {
    case .hciCommand:
      // LE Set Extended Advertising Data, Extended Scan Response Data and Periodic Advertising Data.
      if let opcode = row.pdu.u16(0) { isFollowed = opcode == 0x2037 || opcode == 0x2038 || opcode == 0x203F }
    case .hciEvent:
      // LE Extended Advertising Report, Periodic Advertising Report in both versions and Periodic Advertising Response Report.
      guard row.pdu.u8(0) == 0x3E, let code = row.pdu.u8(2) else { return }
      isFollowed = code == 0x0D || code == 0x0F || code == 0x25 || code == 0x28
      adapter = row.adapter
    default: break
    }
  }

  /// Ends the PDU.
  mutating func end() { isFollowed = false }

  private mutating func forget() { (train, goesOn, isPart, isUnfinished) = (nil, false, false, false) }

  /// Takes a field before the advertising data that describes them (Core, Vol 4, Part E, 7.7.65.13 and 7.8.54).
  mutating func take(_ field: Field, _ value: FieldValue) {
    guard isFollowed else { return }
    switch (field.name, value) {
    case ("operation", .unsigned(let operation)) where isCommand:
      (isPart, isUnfinished) = (operation == 0 || operation == 2, operation < 2)
    case ("data_status", .unsigned(let status)): (goesOn, isUnfinished) = (status == 1, status == 2)
    case ("address", .address(let address)): note(address: address.bits)
    case ("sync_handle", .unsigned(let handle)), ("advertising_handle", .unsigned(let handle)): note(handle & 0xFFFF | 1 << 48)
    case ("advertising_sid", .unsigned(let set)), ("response_slot", .unsigned(let set)): note((set & 0xFF) << 16)
    case ("subevent", .unsigned(let number)): note((number & 0xFF) << 24)
    default: break
    }
  }

  private mutating func note(_ set: UInt64 = 0, address: UInt64 = 0) {
    if isCommand { return }
    var known = train ?? Train(adapter: adapter)
    known.set |= set
    if address != 0 { known.address = address }
    train = known
  }

  private static let names: Set<StaticName> = ["data", "advertising_data", "scan_response_data"]

  /// Begins advertising data.
  mutating func beginArray(_ field: Field) {
    guard isFollowed, Self.names.contains(field.name) else { return }
    isInContinuation = isPart || train.map { trains[$0] != nil || trains.count >= Self.maxOpen } ?? false
  }

  /// Ends advertising data. Returns true where they continued earlier data.
  mutating func endArray(_ field: Field, at range: Range<Int>) -> Bool {
    guard isFollowed, Self.names.contains(field.name) else { return false }
    let wasContinuation = isInContinuation
    isInContinuation = false
    let total = (train.flatMap { trains[$0] } ?? 0) + range.count
    if wasContinuation || goesOn {
      ofPDU.append(
        Fragment(range: range, field: field, isContinuation: wasContinuation, isLast: !goesOn, isTruncated: isUnfinished, total: total))
    }
    close(total)
    return wasContinuation
  }

  /// Notes whether the data of a train continue.
  private mutating func close(_ total: Int) {
    // A response report has the set and the subevent once for all its responses.
    let next = train.map { Train(adapter: $0.adapter, set: $0.set & ~(0xFF << 16)) }
    if let train {
      if !goesOn {
        trains[train] = nil
      } else if trains[train] != nil || trains.count < Self.maxOpen {
        trains[train] = total
      }
    }
    forget()
    if let next, next.set >> 48 != 0 { train = next }
  }

  // MARK: On the air

  /// Whether the data of an advertising PDU, from its header on, continue those of an earlier packet, as in AUX_CHAIN_IND (Core, Vol 6, Part B,
  /// 2.3.4). Such a packet has no address, and the AuxPtr of the packet before it says when it comes. As that packet may be missed, data of a
  /// packet without an address that do not end with a structure count as continuing too.
  mutating func isChained(_ pdu: PDUBytes, access: UInt32, time: Int64) -> Bool {
    guard (pdu.u8(0) ?? 0) & 15 == 7, let first = pdu.u8(2) else { return false }
    let length = Int(first & 0x3F)
    let flags = length > 0 ? pdu.u8(3) ?? 0 : 0
    let data = pdu.from(3 + length)
    // ADV_EXT_IND has no advertising data.
    guard data.count > 0 else { return false }
    var at = 4 + (flags & 1 != 0 ? 6 : 0) + (flags & 2 != 0 ? 6 : 0) + (flags & 4 != 0 ? 1 : 0)
    var chain = Chain(access: access)
    if flags & 8 != 0 {
      chain.info = pdu.u16(at)
      at += 2
    }
    // Only the first packet has addresses and SyncInfo.
    let isFirst = flags & 0x23 != 0
    let isAnnounced = chains[chain].map { time <= $0 } ?? (chains.count >= Self.maxOpen)
    if flags & 16 != 0, let pointer = pdu.u24(at) {
      if chains.count >= Self.maxOpen { chains = chains.filter { time <= $0.value } }
      // The offset counts from the start of this packet in units of 30 or 300 microseconds; `slack` allows for the coarse clocks of sniffers.
      let offset = Int64(pointer >> 8 & 0x1FFF) * (pointer & 0x80 != 0 ? 300 : 30)
      if chains[chain] != nil || chains.count < Self.maxOpen { chains[chain] = time &+ offset &+ Self.slack }
    } else {
      chains[chain] = nil
    }
    return !isFirst && (isAnnounced || !Self.areWhole(data))
  }
  private static let slack: Int64 = 50_000

  /// Whether the data of a damaged extended advertising PDU may continue those of an earlier packet: it has no address, and its data do not end
  /// with a structure.
  static func mayBeChained(_ pdu: PDUBytes) -> Bool {
    let length = Int((pdu.u8(2) ?? 0) & 0x3F)
    return (length == 0 || (pdu.u8(3) ?? 0) & 1 == 0) && !areWhole(pdu.from(3 + length))
  }

  /// Whether data consist of complete structures, apart from zero padding at the end.
  private static func areWhole(_ data: PDUBytes) -> Bool {
    let bytes = data.span
    var cursor = AdvertisingData.Cursor(0..<data.count, in: bytes)
    while let structure = cursor.next(bytes) { if structure.isCut { return false } }
    return (cursor.at..<cursor.end).allSatisfy { bytes.u8($0) == 0 }
  }
}
