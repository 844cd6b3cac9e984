import Analysis

/// A report as texts in reading order; HTML and Markdown are written from it.
///
/// Control characters from the capture are already replaced by visible ones (`\x1b`); each format escapes its own special characters. An empty text
/// means unknown or not applicable, and is left out of the output.
public struct ReportDocument {
  /// The source of the document, for the messages with their bytes.
  let report: Report
  var title = "", file = "", heading = "", lead = ""
  var narrowed: [String] = []
  var facts: [Fact] = []
  /// Facts that a log of this kind does not record.
  var limits: [String] = []
  /// Descriptions of streams that no profile decodes.
  var unknown: [String] = []
  var connections: [Connection] = []
  var searches: [String] = []
  /// Sniffers' captures of the same session with their clock offsets, and figures of each connection.
  var airCaptures: [String] = []
  var air: [AirConnection] = []
  var subscriptions: [Subscription] = []
  var devices: [Device] = []
  /// Number of devices that were heard, and of those not in ``devices``.
  var deviceCount = "", devicesLeft = ""
  /// The devices are few enough to be shown without a click.
  var areDevicesOpen = false
  var adapters: [String] = []
  /// Sentences about entries that the lists of the conversation leave out.
  var leftOut: [String] = []
  /// Whether the first and the last packet have different times.
  var hasDuration = false
  var steps: [Step] = []
  var stepCount = "", stepsLeft = ""
  var exchanges: [Exchange] = []
  var framings: [Framing] = []
  var sources: [Source] = []
  var definitions: [Framing] = []
  var databases: [Database] = []
  var findings: [Finding] = []
  var findingLead = "", findingCount = "", findingsLeft = ""

  struct Fact {
    var label: String, value: String, more: String
  }

  struct Connection {
    var handle: String, device: String, address: String, from: String, to: String, mtu: String, link: String, ending: String
    /// Operations of each side: `this host: 3 writes`.
    var actions: [String]
  }

  /// A period in which a client was subscribed to a characteristic.
  struct Subscription {
    var connection: String, characteristic: String, how: String, from: String, to: String, values: String, bytes: String
  }

  struct Device {
    var name: String, address: String, type: String, signal: String, reports: String, details: String
  }

  /// One operation.
  struct Step {
    var frame: Int
    var time: String, device: String, operation: String, attribute: String, duration: String, outcome: String
    var isBad: Bool
  }

  /// A kind of message and the kind that answers it; nil without a response.
  struct Exchange {
    struct Side {
      /// Index into ``Report/kinds``, and the frame of the first.
      var kind: Int, frame: Int
      var title: String, source: String
    }
    var request: Side, answer: Side?
    var count: String, median: String, slowest: String
    var isGuessed: Bool
  }

  /// Lines of a profile, verbatim.
  struct Framing {
    var profile: String
    var lines: [String]
  }

  /// A source of messages, with its kinds of messages.
  struct Source {
    /// Index into ``Report/sources``.
    var number: Int
    var name: String, uuid: String, handle: String, properties: String, service: String, profile: String, owner: String, traffic: String
    /// How a client subscribes to its values.
    var subscription: String
    var kinds: [Kind]
    var kindsLeft: String
  }

  struct Kind {
    /// Index into ``Report/kinds``.
    var number: Int
    var direction: String, name: String, counts: String
    /// Description of the first complete message; else of the first.
    var text: String
    /// The kinds are few enough to be shown without a click.
    var isOpen: Bool
    /// The bytes that are the same in all messages, and those that vary; empty for a single message.
    var pattern: [Report.Cell]
    /// The messages and bytes that ``pattern`` was made of.
    var patternScope: String
    var patternNotes: [String]
    var example: Example?
    /// Fields that the example does not have.
    var otherFields: [OtherField]
  }

  struct OtherField {
    var name: String, seen: String
  }

  /// The first complete message of a kind; else the first.
  struct Example {
    var frame: Int
    var text: String
    var bytes: [UInt8]
    /// Ranges of `bytes` that hold a secret.
    var secrets: [Range<Int>]
    var bytesLeft: String
    var fields: [Field]
    /// Empty where the message is the value of one packet.
    var packets: [Report.Piece]
    var packetCount: String
  }

  struct Field {
    var range: Range<Int>
    var depth: Int
    var isHidden: Bool
    var location: String, type: String, name: String, value: String, unit: String, seen: String
  }

  /// The attributes of one GATT server.
  struct Database {
    var owner: String
    var attributes: [Attribute]
  }

  struct Attribute {
    enum Level: String { case service, value, descriptor }
    var level: Level
    var handle: String, name: String, uuid: String, properties: String, origin: String, traffic: String
    /// Index into ``Report/sources`` of its messages; nil where it has none.
    var source: Int?
  }

  struct Finding {
    var severity: Severity
    var frame: Int
    var time: String, text: String, advice: String, times: String
  }
}
