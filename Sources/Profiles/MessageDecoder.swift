// An app needs these two types of other modules: the names of attributes, and the values of fields.

import Memory
import PacketCodecs
@_exported public import struct Bluetooth.BluetoothUUID
@_exported public import enum KaitaiStruct.FieldTree

/// The result of checking the checksums of a message.
public enum ChecksumStatus: UInt8, Sendable {
  /// It has none.
  case none
  /// All are correct.
  case ok
  /// At least one is wrong.
  case bad
}

/// An application message, or bytes that belong to none.
public struct DecodedMessage: Sendable {
  /// The id of the profile that decoded it.
  public var profile: String
  /// The id of the message in the profile; nil where the profile has no message for these bytes.
  public var name: String?
  /// The id of the characteristic, descriptor or advertisement in the profile.
  public var source: String
  /// The operation that carried it.
  public var direction: ValueDirection
  /// The message in one line of text: its name and its fields with their units, or the text of the profile's `say`.
  public var text: String
  /// Its fields by their names, an enum as an object with `name` and `value`, bytes as hexadecimal digits.
  public var fields: FieldTree
  /// Its body: the bytes without the headers of fragments, and with escapes decoded.
  public var payload: [UInt8]
  /// The numbers of the values it was joined from: the first value that the decoder got is number 1.
  public var values: [Int]
  /// Whether all of it arrived.
  public var isComplete: Bool
  /// Whether these are bytes that no layer of the profile could join to a message.
  public var isUnjoined: Bool
  /// The status of its checksums.
  public var checksum: ChecksumStatus
  /// A description of its problem; nil where there is none.
  public var problem: String?
  /// The number of the last value of the request that this message answers; nil where it answers none.
  public var answers: Int?

  init(_ message: ProfileMessage) {
    profile = message.profile.id
    name = message.name
    source = message.source
    direction = message.direction
    var text: [UInt8] = []
    message.appendSentence(to: &text)
    self.text = String(decoding: text, as: UTF8.self)
    fields = message.fieldTree
    payload = Array(message.payload)
    values = message.frames
    isComplete = message.isComplete
    isUnjoined = message.kind == .unjoined
    checksum = message.checksum
    problem = nil
    if message.hasProblem {
      var words: [UInt8] = []
      message.appendProblem(to: &words)
      problem = String(decoding: words, as: UTF8.self)
    }
    answers = message.replyTo
  }
}

/// Decodes the values that are exchanged with one device.
///
/// Each call takes a value and returns the messages that it completed: none while fragments are missing, several where a value holds several. A
/// decoder belongs to one connection and is used by one thread at a time. Times are in microseconds from any origin; they matter for profiles that
/// give up on fragments after a pause.
public final class MessageDecoder {
  private let engine: ProfileEngine
  private var link: Int
  private var slots: [Attribute: Int] = [:]
  private var valueCount = 0

  private struct Attribute: Hashable {
    var uuid: BluetoothUUID
    var service: BluetoothUUID?
    /// The characteristic that a descriptor belongs to.
    var characteristic: BluetoothUUID?
    var isDescriptor: Bool
  }

  /// The known facts about the device. Profiles are chosen by them, so set it before the first value, and again when more is known.
  public var device: PeerFacts {
    didSet {
      engine.update(link, device)
      // A profile can now match attributes that none matched before.
      slots = slots.filter { $0.value >= 0 }
    }
  }

  /// The mistakes of profiles that were wanted but could not be used, in the order in which they were found.
  public private(set) var profileErrors: [ProfileError] = []

  /// Makes a decoder for a device, with the profiles of `profiles`.
  public init(_ profiles: ProfileSet, device: PeerFacts = PeerFacts()) {
    engine = ProfileEngine(profiles)
    self.device = device
    link = engine.connect(device)
    engine.onError = { [weak self] in self?.profileErrors.append($0) }
  }

  /// Decodes a value of a characteristic. Returns the messages that it completed; none where no profile knows the characteristic.
  public func decode(
    _ value: RawSpan, characteristic: BluetoothUUID, service: BluetoothUUID? = nil, _ direction: ValueDirection, time: Int64 = 0
  ) -> [DecodedMessage] {
    decode(value, Attribute(uuid: characteristic, service: service, characteristic: nil, isDescriptor: false), direction, time)
  }

  /// Decodes a value of a characteristic. Returns the messages that it completed; none where no profile knows the characteristic.
  public func decode(
    _ value: [UInt8], characteristic: BluetoothUUID, service: BluetoothUUID? = nil, _ direction: ValueDirection, time: Int64 = 0
  ) -> [DecodedMessage] {
    decode(value.rawSpan, characteristic: characteristic, service: service, direction, time: time)
  }

  /// Decodes a value of a descriptor of `characteristic`. Returns the messages that it completed; none where no profile knows the descriptor.
  public func decode(
    _ value: [UInt8], descriptor: BluetoothUUID, of characteristic: BluetoothUUID, _ direction: ValueDirection, time: Int64 = 0
  ) -> [DecodedMessage] {
    let attribute = Attribute(uuid: descriptor, service: nil, characteristic: characteristic, isDescriptor: true)
    return decode(value.rawSpan, attribute, direction, time)
  }

  private func decode(_ value: RawSpan, _ attribute: Attribute, _ direction: ValueDirection, _ time: Int64) -> [DecodedMessage] {
    valueCount += 1
    let slot: Int
    if let known = slots[attribute] {
      slot = known
    } else {
      slot = engine.slot(
        link, uuid: attribute.uuid, service: attribute.service, isDescriptor: attribute.isDescriptor,
        characteristic: attribute.characteristic)
      slots[attribute] = slot
    }
    guard slot >= 0 else { return [] }
    value.withBorrowedBytes { _ = engine.feed(link, slot, direction, $0, frame: valueCount, time: time) }
    return completed()
  }

  /// Decodes the data of an advertisement or scan response: all AD structures of it, each with its length and type. Returns the messages in it.
  public func decode(advertisement data: [UInt8], time: Int64 = 0) -> [DecodedMessage] {
    valueCount += 1
    data.withBorrowedBytes { _ = engine.feed(advertisement: $0, link, frame: valueCount, time: time) }
    return completed()
  }

  /// Decodes manufacturer specific data as Core Bluetooth gives them: the company identifier, then the data. Returns the messages in it.
  public func decode(manufacturerData data: [UInt8], time: Int64 = 0) -> [DecodedMessage] {
    guard let length = UInt8(exactly: data.count + 1) else { return [] }
    return decode(advertisement: [length, 0xFF] + data, time: time)
  }

  /// Decodes the data that a device advertises for a service. Returns the messages in it.
  public func decode(serviceData data: [UInt8], of service: BluetoothUUID, time: Int64 = 0) -> [DecodedMessage] {
    let (type, uuid) = service.advertisedForm
    guard let length = UInt8(exactly: data.count + uuid.count + 1) else { return [] }
    return decode(advertisement: [length, type] + uuid + data, time: time)
  }

  /// Gives up on fragments that have waited longer than their profile allows at `time`. Returns them as incomplete messages.
  public func flush(time: Int64) -> [DecodedMessage] {
    engine.flush(link, now: time)
    return completed()
  }

  /// Ends the connection's open messages, for instance when the device disconnects. Returns them as incomplete messages.
  public func finish() -> [DecodedMessage] {
    slots.removeAll()
    engine.finish()
    defer { link = engine.connect(device) }
    return completed()
  }

  private func completed() -> [DecodedMessage] { engine.messages.map(DecodedMessage.init) }
}

extension BluetoothUUID {
  /// The type of the AD structure for data of a service with this UUID, and the bytes of the UUID in it.
  fileprivate var advertisedForm: (type: UInt8, bytes: [UInt8]) {
    func bytes(_ value: UInt64, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) } }
    if let short = short16 { return (0x16, bytes(UInt64(short), 2)) }
    if let short = short32 { return (0x20, bytes(UInt64(short), 4)) }
    return (0x21, bytes(low, 8) + bytes(high, 8))
  }
}
