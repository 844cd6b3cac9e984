/// Where values come from, and in which direction. Nothing here is interpreted: it tells streams apart and is written into the results.
public struct StreamSource: Hashable, Sendable {
  /// Under which section of a profile the source stands.
  public enum Section: String, Sendable {
    case characteristics, rfcomm, l2cap, advertisements
  }

  /// Under which section of a profile it stands.
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
  /// Whether the device puts data where the number of its company belongs; the values have it in front.
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
  var way: String { direction == "advertise" ? "value" : profileWay }

  /// The direction as profiles have it: `write`, `notify`, `indicate`, `read` or `advertise`.
  public var profileWay: String {
    switch direction {
    case "sent": "write"
    case "received": "notify"
    default: direction
    }
  }
}

/// The values of one source in one direction, in the order of time.
public struct ValueStream: Sendable {
  /// Where the values come from.
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

  /// When the value was seen, in microseconds.
  public func time(_ index: Int) -> Int64 { times[index] }

  /// Where the value lies in ``bytes``.
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

/// What is known besides the values: marks of what the user did, and facts that stand elsewhere in the capture.
public struct InferenceContext: Sendable {
  /// Something the user did, and when (microseconds).
  public struct Mark: Sendable {
    /// When it was, in microseconds since 1970.
    public var time: Int64
    /// What it says.
    public var text: String
    /// A mark.
    public init(time: Int64, text: String) {
      self.time = time
      self.text = text
    }
  }

  /// A number that a source whose meaning is known said at a time: a battery level.
  public struct KnownValue: Sendable {
    /// When it was, in microseconds since 1970.
    public var time: Int64
    /// What it is called.
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

  /// A line for each stream is wanted: searches that take long are left out.
  public var isBrief = false
  /// In so many streams checksums are looked for, those with most messages first: no device that people know has as many.
  var maxSearched = 512
  /// What the user did.
  public var marks: [Mark] = []
  /// What sources with a known meaning said.
  public var knownValues: [KnownValue] = []
  /// Addresses of the devices involved, most significant byte first.
  public var addresses: [[UInt8]] = [] { didSet { knownAddresses = AddressDetector.Known(addresses) } }
  /// Names of the devices involved.
  public var names: [String] = [] { didSet { knownNames = NameDetector.Known(names) } }
  /// The same, as they are looked up at each place of each source.
  private(set) var knownAddresses = AddressDetector.Known([])
  private(set) var knownNames = NameDetector.Known([])

  /// Nothing is known.
  public init() {}
}
