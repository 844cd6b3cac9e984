/// The source and direction of values. It identifies a stream and is written into the results; nothing of it is interpreted.
public struct StreamSource: Hashable, Sendable {
  /// The section of a profile for the source.
  public enum Section: String, Sendable {
    case characteristics, rfcomm, l2cap, advertisements
  }

  /// The section of a profile for it.
  public var section: Section
  /// `write`, `notify`, `indicate`, `read`, `sent`, `received` or `advertise`.
  public var direction: String
  /// The device's address.
  public var peer: String?
  /// The device's name.
  public var peerName: String?
  /// UUID of the attribute.
  public var uuid: String?
  /// Handle of the attribute.
  public var handle: Int?
  /// Channel of RFCOMM.
  public var channel: Int?
  /// PSM of the L2CAP channel.
  public var psm: Int?
  /// Number of the company whose data is advertised.
  public var company: Int?
  /// Whether the device sends data where the company identifier belongs; the values begin with these two bytes.
  public var isAnyCompany = false
  /// UUID of the service whose data is advertised.
  public var service: String?

  /// A source of values that go in `direction`: `write`, `notify`, `indicate`, `read`, `sent`, `received` or `advertise`.
  public init(_ section: Section, direction: String) {
    self.section = section
    self.direction = direction
  }

  /// Whether the values go to the device.
  public var isRequest: Bool { direction == "write" || direction == "sent" }

  /// The key of a profile's source for this direction.
  var directionName: String { direction == "advertise" ? "value" : profileDirection }

  /// The direction as profiles name it: `write`, `notify`, `indicate`, `read` or `advertise`.
  public var profileDirection: String {
    switch direction {
    case "sent": "write"
    case "received": "notify"
    default: direction
    }
  }
}

/// The values of one source in one direction, in the order of time.
public struct ValueStream: Sendable {
  /// The source of the values.
  public var source: StreamSource
  private var storage: [UInt8] = []
  private var ends: [UInt32] = []
  private var times: [Int64] = []

  /// A stream without values.
  public init(_ source: StreamSource) { self.source = source }

  /// Number of values.
  public var count: Int { ends.count }

  /// Number of bytes of all values.
  public var byteCount: Int { storage.count }

  /// Adds a value seen at `time` in microseconds. Beyond 256 MB nothing is added.
  public mutating func append(_ bytes: some Sequence<UInt8>, at time: Int64) {
    guard storage.count < 1 << 28 else { return }
    storage.append(contentsOf: bytes)
    ends.append(UInt32(storage.count))
    times.append(time)
  }

  /// The time of a value, in microseconds.
  public func time(_ index: Int) -> Int64 { times[index] }

  /// The range of a value in the storage.
  func range(_ index: Int) -> Range<Int> { (index == 0 ? 0 : Int(ends[index - 1]))..<Int(ends[index]) }

  /// The bytes of a value.
  public func value(_ index: Int) -> ArraySlice<UInt8> { storage[range(index)] }

  /// The number of bytes of a value.
  public func size(_ index: Int) -> Int { range(index).count }

  /// The bytes of some values, joined.
  func joined(_ values: Range<Int>) -> ArraySlice<UInt8> {
    values.isEmpty ? [] : storage[range(values.lowerBound).lowerBound..<range(values.upperBound - 1).upperBound]
  }
}

/// Further facts: marks of the user's actions, and facts from other packets of the capture.
public struct InferenceContext: Sendable {
  /// An action of the user, and its time.
  public struct Mark: Sendable {
    /// Its time, in microseconds since 1970.
    public var time: Int64
    /// Its text.
    public var text: String
    /// A mark.
    public init(time: Int64, text: String) {
      self.time = time
      self.text = text
    }
  }

  /// A number from a source with a known meaning, with its time: a battery level.
  public struct KnownValue: Sendable {
    /// Its time, in microseconds since 1970.
    public var time: Int64
    /// Its name.
    public var name: String
    /// The number.
    public var value: Int
    /// A value.
    public init(time: Int64, name: String, value: Int) {
      self.time = time
      self.name = name
      self.value = value
    }
  }

  /// Whether one line for each stream is enough: slow searches are left out.
  public var isBrief = false
  /// Most streams in which checksums are searched, those with most messages first: no known device has as many.
  var maxSearched = 512
  /// The work of comparing requests with the streams that may answer them.
  var maxPairWork = PairBudget.ofAll
  /// Marks of the user's actions.
  public var marks: [Mark] = []
  /// Values of sources with a known meaning.
  public var knownValues: [KnownValue] = []
  /// The times, in µs since 1970, at which values of a device were subscribed to or no longer subscribed to, by the device's address; in order.
  public var subscriptions: [String: [Int64]] = [:]
  /// Addresses of the devices involved, most significant byte first.
  public var addresses: [[UInt8]] = [] { didSet { knownAddresses = AddressDetector.Known(addresses) } }
  /// Names of the devices involved.
  public var names: [String] = [] { didSet { knownNames = NameDetector.Known(names) } }
  /// The same in sets, for look-ups at each offset of each source.
  private(set) var knownAddresses = AddressDetector.Known([])
  private(set) var knownNames = NameDetector.Known([])

  /// An empty context.
  public init() {}
}
