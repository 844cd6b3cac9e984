/// The keys of one kind of row, in the order in which they are written. Every schema that the program prints is made from these.
public struct RowSchema: Sendable {
  /// The type of a key's value.
  public indirect enum Value: Sendable, Equatable {
    /// Text, bytes as hexadecimal digits, an address, a UUID, or one of several words.
    case text
    /// A time of RFC 3339 in UTC, with microseconds.
    case time
    /// An integer.
    case integer
    /// A number with a decimal point.
    case number
    /// True or false.
    case boolean
    /// A list of integers.
    case integers
    /// An object with these keys.
    case object([Key])
    /// A list of objects with these keys.
    case objects([Key])
    /// An object whose keys depend on the packet or on the profile.
    case anyObject
  }

  /// A key of a row.
  public struct Key: Sendable, Equatable {
    /// The name of the key.
    public let name: String
    /// The type of its value.
    public let value: Value
    /// Whether every row has it.
    public let isRequired: Bool
    /// A description for readers; the schemas print it as `description`.
    public let meaning: String

    init(_ name: String, _ value: Value, required: Bool = false, _ meaning: String) {
      self.name = name
      self.value = value
      isRequired = required
      self.meaning = meaning
    }
  }

  /// The value of the key `kind`.
  public let kind: String
  /// The keys, `kind` first.
  public let keys: [Key]

  private init(_ kind: String, _ keys: [Key]) {
    self.kind = kind
    self.keys = [Key("kind", .text, required: true, "the kind of row")] + keys
  }

  private static let file = Key("file", .text, "the capture, where several are read")
  private static let adapter = Key("adapter", .integer, "the host's adapter, where the capture has several")
  private static let direction = Key("direction", .text, "sent, received, central or peripheral")
  private static let connection = Key("connection", .integer, "the connection's handle")
  private static let peerIdentity = Key("peer_identity", .text, "the peer's identity address, where it differs")
  private static let peerName = Key("peer_name", .text, "the peer's name")
  private static let handle = Key("handle", .integer, "the attribute's handle")
  private static let uuids = [
    Key("uuid", .text, "the attribute's UUID"),
    Key("uuid_name", .text, "its assigned name"),
    Key("uuid_source", .text, "how the UUID is known: discovery, later-discovery, cache, profile or guess"),
  ]

  private static func peer(_ meaning: String = "the peer's address") -> Key { Key("peer", .text, meaning) }

  private static func start(_ frame: String, _ time: String) -> [Key] {
    [file, Key("frame", .integer, required: true, frame), Key("time", .time, required: true, time)]
  }

  private static func proof(_ meaning: String) -> Key { Key("frames", .integers, required: true, meaning) }

  /// Sniffers' result about a packet.
  private static let airMember: Value = .object([
    Key("capture", .text, "the sniffer's capture"),
    Key(
      "frames", .integers, required: true,
      "the packets of that capture; none where the sniffer followed the connection and heard none"),
    Key("time", .time, "when the first of them was heard, by the clock of this capture"),
    Key("delay_us", .integer, "microseconds between the host and the air"),
    Key("retransmissions", .integer, "how many of the packets were repetitions"),
    Key("channels", .integers, "their radio channels"),
  ])

  /// A packet of the timeline.
  public static let packet = RowSchema(
    "packet",
    start("the packet's number in the capture", "when it was recorded") + [
      adapter, direction,
      Key("layer", .text, required: true, "the protocol: att, hci.event and others"),
      Key("name", .text, required: true, "the name of the PDU, command or event"),
      Key("opcode", .integer, "its number"),
      Key("subevent", .integer, "the number of an LE event"),
      connection, peer(), peerIdentity, peerName, handle,
    ] + uuids + [
      Key("value", .text, "the value that is carried, in hexadecimal digits"),
      Key("text", .text, "the same, where it reads as text"),
      Key("sdu", .text, "the L2CAP SDU that this packet completes, in hexadecimal digits"),
      Key("status", .text, "ok, or the name of the error"),
      Key("request_frame", .integer, "the packet that this one answers"),
      Key("retransmission_of", .integer, "Link Layer: the first packet with the data that this one retransmits"),
      Key("response_frame", .integer, "the packet that answers this one"),
      Key("reassembled_in", .integer, "the packet that completes the message that this one has a part of"),
      Key("latency_us", .integer, "microseconds between request and response"),
      Key("truncated", .boolean, "true where the capture lacks a part of the packet"),
      Key("encrypted", .boolean, "true where it could not be decrypted"),
      Key("decrypted", .boolean, "true where it was decrypted"),
      Key(
        "radio",
        .object([
          Key("channel", .integer, required: true, "the radio channel"),
          Key("rssi", .integer, "signal strength in dBm"),
          Key("phy", .text, required: true, "LE 1M, LE 2M or LE Coded"),
          Key("access_address", .text, "the access address, in hexadecimal digits"),
          Key("crc", .text, "ok or bad"),
        ]), "radio data from the sniffer"),
      Key("air", airMember, "with --air: what sniffers heard of the packet"),
      Key("fields", .anyObject, required: true, "the fields of the packet"),
    ])

  /// A message that a profile read.
  public static let message = RowSchema(
    "message",
    start("the packet that completed the message", "when it was recorded") + [
      adapter, direction, connection, peer(), peerIdentity, peerName, handle,
    ] + uuids + [
      Key("profile", .text, required: true, "the profile that read it"),
      Key("message", .text, "its name in the profile"),
      Key("characteristic", .text, required: true, "where it was carried, as the profile names it"),
      Key("operation", .text, required: true, "how it was carried: write, notify, read and others"),
      proof("the packets that carried it"),
      Key("payload", .text, required: true, "its bytes, in hexadecimal digits"),
      Key("checksum", .text, "ok or bad"),
      Key("decrypted", .boolean, "true where a key of the profile opened it"),
      Key("encrypted", .boolean, "true where no key opened it"),
      Key("complete", .boolean, required: true, "false where a part is missing"),
      Key("unjoined", .boolean, "true for bytes that belong to no message"),
      Key("problem", .text, "what is wrong with it"),
      Key("fields", .anyObject, required: true, "its fields; for bytes that belong to no message, those of their header"),
      Key("reply_to", .integer, "the last packet of the message that it answers"),
    ])

  /// A finding.
  public static let warning = RowSchema(
    "warning",
    start("the packet that the finding stands at", "when it was recorded") + [
      adapter, connection, peer(),
      Key("name", .text, required: true, "the kind of finding"),
      Key("severity", .text, required: true, "error, warning or info"),
      Key("degree", .text, required: true, "certain or likely"),
      proof("the packets that prove it"),
      Key("repeated", .integer, "the number of further findings like it"),
      Key(
        "fields",
        .object([
          Key("text", .text, required: true, "the finding in words"),
          Key("advice", .text, "what to do"),
          Key("offset", .integer, "the byte of the packet that is wrong"),
        ]), required: true, "the contents of the finding"),
    ])

  /// A sniffer's capture of the same session.
  public static let air = RowSchema(
    "air",
    [
      file,
      Key("capture", .text, required: true, "the sniffer's capture"),
      Key("offset_us", .integer, required: true, "by how much its clock is ahead at the first packet that both have"),
      Key("drift_ppm", .number, required: true, "how much it gains, in parts per million"),
      Key("drift_error_ppm", .number, required: true, "the likely error of the drift"),
      Key("error_us", .integer, "the largest error of a converted time"),
      Key("possible", .integer, required: true, "PDUs of this capture while both had the connections"),
      Key("matched", .integer, required: true, "those of them that were heard"),
      Key("unheard", .integer, required: true, "those that were not, although the sniffer followed the connection"),
      Key("unlogged", .integer, required: true, "PDUs that were heard and that this capture lacks"),
      Key("left_out", .integer, "PDUs of either side that exceeded the limit and were not compared"),
      Key(
        "jumps",
        .objects([
          Key("frame", .integer, required: true, "the packet of this capture from which the difference of the clocks is another one"),
          Key("by_us", .integer, "how far this capture's clock is ahead of before, or the sniffer's behind"),
          Key("clock", .text, "whose clock it was: host or sniffer; left out where the captures do not show it"),
          Key("aligned", .boolean, "false where too few packets match to align the clocks from there on"),
        ]), "where one of the clocks was set"),
      Key("jumps_left_out", .integer, "further jumps, which are not followed"),
    ])

  /// Sniffers' result about a packet whose row was printed before.
  public static let joined = RowSchema(
    "joined",
    start("the packet's number in this capture", "when it was recorded").filter { $0 != file } + [
      Key("air", airMember, required: true, "what sniffers heard of the packet")
    ])

  /// A PDU that a sniffer heard and that the capture lacks.
  public static let heard = RowSchema(
    "heard",
    start("the packet's number in the sniffer's capture", "when it was heard, by the clock of this capture") + [
      Key("capture", .text, required: true, "the sniffer's capture"),
      Key("direction", .text, required: true, "sent or received"),
      Key("connection", .integer, required: true, "the connection's handle"),
      Key("length", .integer, required: true, "its number of bytes"),
    ])

  /// A note in the capture, by its author.
  public static let note = RowSchema(
    "note",
    start("the packet's number in the capture", "when it was recorded") + [
      adapter,
      Key("fields", .object([Key("text", .text, required: true, "the note")]), required: true, "the contents of the note"),
    ])

  /// An operation.
  public static let operation = RowSchema(
    "operation",
    [
      file,
      Key("operation", .text, required: true, "what was done: scan, connect, discover, read, write and others"),
      Key("frame", .integer, required: true, "its first packet"),
      Key("end_frame", .integer, required: true, "its last packet"),
      proof("its packets, the first 64"),
      Key("frame_count", .integer, required: true, "how many packets it has"),
      Key("time", .time, required: true, "when it began"),
      Key("end_time", .time, required: true, "when it ended"),
      adapter,
      Key("incoming", .boolean, required: true, "whether the peer asked for it"),
      connection, peer(), peerIdentity, peerName, handle,
      Key("psm", .integer, "the channel's PSM, where attributes are not those of LE"),
      Key("rfcomm_channel", .integer, "the RFCOMM channel"),
      Key("service", .text, "the UUID of the channel's service"),
      Key("service_name", .text, "the name of the channel's service"),
    ] + uuids + [
      Key("characteristic_handle", .integer, "the handle of the characteristic that a descriptor belongs to"),
      Key("characteristic_uuid", .text, "its UUID"),
      Key("characteristic", .text, "the characteristic, as a profile names it"),
      Key("ending", .text, required: true, "how it ended: done, failed, open and others"),
      Key("status", .text, required: true, "ok, or the reason for the failure"),
      Key("status_code", .integer, "the number of the error"),
      Key("latency_us", .integer, "microseconds from its start to its end"),
      Key("count", .integer, "how many requests, reports or values it has"),
      Key("bytes", .integer, "bytes of values"),
      Key("value", .text, "the value, in hexadecimal digits"),
      Key("text", .text, "the same, where it reads as text"),
      Key("devices", .integer, "a scan: devices that were heard"),
      Key("accept_list", .boolean, "a connection: true where any device of the accept list was asked for"),
      Key("reason", .integer, "a disconnection: the number of its reason"),
      Key("reason_name", .text, "a disconnection: its reason"),
      Key("offered", .integer, "an MTU exchange: what was asked for"),
      Key("answered", .integer, "an MTU exchange: what was answered"),
      Key("mtu", .integer, "an MTU exchange: the smaller of both"),
      Key("sent_octets", .integer, "a data length change: octets that are sent at most"),
      Key("received_octets", .integer, "a data length change: octets that are received at most"),
      Key("sent_phy", .integer, "a PHY change: the number of the PHY for sending"),
      Key("received_phy", .integer, "a PHY change: the number of the PHY for receiving"),
      Key("interval_us", .integer, "new connection parameters: the interval in microseconds"),
      Key("peripheral_latency", .integer, "new connection parameters: events that the peripheral may skip"),
      Key("timeout_us", .integer, "new connection parameters: the supervision timeout in microseconds"),
      Key("services", .integer, "a discovery: services found"),
      Key("characteristics", .integer, "a discovery: characteristics found"),
      Key("descriptors", .integer, "a discovery: descriptors found"),
      Key("includes", .integer, "a discovery: included services found"),
      Key("notifications", .boolean, "a subscription: whether notifications are on"),
      Key("indications", .boolean, "a subscription: whether indications are on"),
      Key("layer", .text, "data of a channel, commands, reports and objects: their protocol"),
      Key("request", .text, "an object: what was asked, such as get, put, set path; a remote control, a HID device: the command"),
      Key("detail", .text, "a remote control, a HID device: what was asked and answered, in words"),
      Key("session", .text, "an object: the profile of its session"),
      Key("keys", .integer, "input: keys and media controls that were pressed"),
      Key("buttons", .integer, "input: buttons of a pointer that were pressed"),
      Key("movements", .integer, "input: reports in which a pointer moved"),
      Key("ase", .integer, "an audio stream endpoint: its number in the server"),
      Key("role", .text, "an audio stream endpoint: sink or source"),
      Key("codec", .text, "a stream of A2DP: its codec"),
      Key("channel_mode", .text, "a stream of A2DP: mono, stereo, joint stereo or dual channel"),
      Key("maximum_bitpool", .integer, "a stream of A2DP: the largest bitpool of SBC"),
      Key("end_point", .integer, "a stream of A2DP: the stream end point of the side that was asked"),
      Key("media", .text, "a stream of A2DP: whether its packets were sent or received"),
      Key("playing_ms", .integer, "a stream of A2DP: milliseconds in which packets came"),
      Key("lost", .integer, "a stream of A2DP: packets that are missing by their sequence numbers"),
      Key("gaps", .integer, "a stream of A2DP: how often no packet came for a time in which many were expected"),
      Key("longest_gap_ms", .integer, "a stream of A2DP: milliseconds of the longest gap"),
      Key("longest_gap_after_ms", .integer, "a stream of A2DP: milliseconds from its configuration to that gap"),
      Key("coding_format", .integer, "an audio stream endpoint: its codec, 6 is LC3"),
      Key("sampling_frequency", .integer, "an audio stream endpoint: Hz"),
      Key("frame_duration_us", .integer, "an audio stream endpoint: microseconds of a codec frame"),
      Key("octets_per_frame", .integer, "an audio stream endpoint: bytes of a codec frame"),
      Key("cig", .integer, "an audio stream endpoint: the group of its isochronous stream"),
      Key("cis", .integer, "an audio stream endpoint: its isochronous stream"),
      Key("sdu_interval_us", .integer, "an audio stream endpoint: microseconds between SDUs"),
      Key("max_sdu", .integer, "an audio stream endpoint: bytes of the longest SDU"),
      Key("states", .text, "an audio stream endpoint, a stream of A2DP: its states in their order, between commas"),
      Key("rejected_opcode", .integer, "an audio stream endpoint: the last operation that the server rejected"),
      Key("response_code", .integer, "an audio stream endpoint: why it was rejected"),
      Key("response_reason", .integer, "an audio stream endpoint: what of the operation was rejected"),
      Key("rate", .number, "values in a second"),
      Key("method", .text, "a pairing: how it is done"),
      Key(
        "messages",
        .objects([
          Key("profile", .text, required: true, "the profile that read it"),
          Key("message", .text, "its name in the profile"),
          Key("text", .text, required: true, "the message in words"),
        ]), "the messages that it carried, the first of them"),
      Key("message_count", .integer, "how many messages it carried"),
    ])
}
