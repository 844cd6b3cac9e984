import KaitaiStruct
import PacketCodecs

// The parts of a compiled profile.

/// The external names of expressions that every profile has, and those of its state.
struct Externals: Sendable {
  var request: ExternalID
  var hasRequest: ExternalID
  var payload: ExternalID
  var deviceName: ExternalID
  var deviceAddress: ExternalID
  var packetLength: ExternalID
  var packetIndex: ExternalID
  /// The six bytes of the device's address: most significant byte first, and least significant byte first as on the air.
  var deviceMAC: ExternalID
  var deviceMACReversed: ExternalID
  /// The output of a layer that decrypts.
  var plain: ExternalID
  /// The header of the message's first packet, or of its frame.
  var header: ExternalID
  /// The sizes in bytes of the parts that a layer "merge" joined, as a list.
  var parts: ExternalID
  /// The names of ``building``, in their order.
  var built: [ExternalID]

  /// Names that types and all expressions may use.
  static let everywhere = [
    "_request", "_has_request", "_payload", "_device.name", "_device.address", "_device.mac", "_device.mac_le", "_packet.length",
    "_packet.index", "_header", "_parts",
  ]
  /// Names that only expressions of `build` may use: of the message, and of the current packet.
  static let building = ["length", "count", "checksum", "_message", "_body", "index", "offset", "bytes", "last"]
  func built(_ name: String) -> ExternalID { built[Self.building.firstIndex(of: name) ?? 0] }

  init(_ compiler: Compiler) {
    request = compiler.external("_request")
    hasRequest = compiler.external("_has_request")
    payload = compiler.external("_payload")
    deviceName = compiler.external("_device.name")
    deviceAddress = compiler.external("_device.address")
    packetLength = compiler.external("_packet.length")
    packetIndex = compiler.external("_packet.index")
    deviceMAC = compiler.external("_device.mac")
    deviceMACReversed = compiler.external("_device.mac_le")
    plain = compiler.external("_plain")
    header = compiler.external("_header")
    parts = compiler.external("_parts")
    built = Self.building.map(compiler.external)
  }
}

struct CompiledSource: Sendable {
  var id: String
  var title: String?
  var kind: SourceKind
  var uuids: [BluetoothUUID]
  var services: [BluetoothUUID]
  var handles: [UInt16]
  var numbers: [Int]
  var companies: [UInt16]
  var serviceData: [BluetoothUUID]
  var structures: [UInt8]
  var names: [String]
  let namePatterns: GlobSet
  var includesCompany: Bool
  var isOfAnyCompany: Bool
  var isWhole: Bool
  var of: [BluetoothUUID]
  var directions: [CompiledDirection]
  var answers: [CompiledAnswer]
  /// Whether a source answers messages of this one: they are kept as open requests.
  var isAnswered: Bool
}

struct CompiledDirection: Sendable {
  struct Choice: Sendable {
    var when: ExpressionID?
    var message: Int
    /// Whether the condition reads the request.
    var readsRequest = false
    /// Whether there is a condition that reads nothing but the bytes of the message.
    var readsBytesOnly = false
  }
  var carries: Bool
  var alternatives: [Choice]
  var layers: [CompiledLayer]
  /// Whether a condition of an alternative reads the request.
  var readsRequest = false
  /// Whether the choice of a message depends on the request: its own condition, or one before it, reads the request.
  func readsRequest(for message: Int) -> Bool {
    guard let index = alternatives.firstIndex(where: { $0.message == message }) else { return readsRequest }
    return alternatives[...index].contains(where: \.readsRequest)
  }
  /// Whether its messages are records that a layer "merge" joins from parts.
  var mergesParts: Bool { layers.contains { if case .fragments(let fragments) = $0 { fragments.isMerge } else { false } } }
}

struct CompiledAnswer: Sendable {
  var source: Int
  /// The condition, by the number of the answering message: nil where it has none, `.never` where it cannot be true.
  var conditions: [Condition]
  var staysOpen: Bool
  var within: Int64?

  enum Condition: Sendable { case always, never, when(ExpressionID) }
}

struct CompiledMessage: Sendable {
  enum Body: Sendable {
    case type(TypeID)
    case other(EmbeddedFormat)
  }
  var id: String
  var title: String?
  var body: Body
  var template: MessageTemplate?
  var set: [CompiledSet]
  /// Whether its type reads the request.
  var needsRequest: Bool
  /// The number of its body's format, where expressions look into it; -1 for others.
  var format: Int32 = -1
  /// The presentation of the fields of a body that names them itself.
  var bodyFields: BodyFields?
}

/// A change of the state: of a value, or of one entry of a table.
struct CompiledSet: Sendable {
  var state: Int
  var key: ExpressionID?
  var value: ExpressionID
}

struct CompiledState: Sendable {
  /// A value of the state: at the start of a connection, or later.
  enum Value: Sendable {
    case none
    case single(StateElement)
    case table([Int64: Int64], absent: Int64)
    case list([StateElement])

    /// Upper bound of entries of a table; further ones are not stored.
    static let maxEntries = 1024
    /// Upper bound of elements of a list, which keeps the last ones.
    static let maxElements = 512
  }
  var name: String
  var external: ExternalID
  var initial: Value
}
