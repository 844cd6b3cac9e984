import KaitaiStruct
import Memory

/// A key of a mapping in a profile: its name, the form of its value, and its purpose.
struct MappingKey: Sendable {
  let name: String
  let value: KeyValueShape
  /// One or two sentences for authors of profiles; the manual has the details.
  let help: String
  /// Whether the mapping is invalid without it, even where a profile extends another.
  let isRequired: Bool

  init(_ name: String, _ value: KeyValueShape, _ help: String, isRequired: Bool = false) {
    self.name = name
    self.value = value
    self.help = help
    self.isRequired = isRequired
  }
}

/// The form of a key's value.
indirect enum KeyValueShape: Sendable {
  /// Any scalar: a text, or a number or truth value that is taken as one.
  case text
  /// An expression of Kaitai Struct.
  case expression
  /// A number with or without a decimal point.
  case number
  case integer(ClosedRange<Int>)
  /// true or false.
  case flag
  /// true or false, or yes, no, on, off, as Kaitai Struct has them.
  case kaitaiFlag
  /// One of these words.
  case words([String])
  case uuid
  case duration
  /// Hexadecimal digits of bytes.
  case hex
  /// Bytes: a number, a list of numbers, or a text.
  case bytes
  /// One byte string or several.
  case byteStrings
  /// A number of bytes, or an expression for it.
  case bound
  /// `[from, to]` or `[from]`.
  case range
  /// A mapping of this kind.
  case mapping(MappingKind)
  /// A mapping whose keys are names chosen by the profile's author.
  case named(KeyValueShape)
  /// A value of this form, or a list of such values.
  case list(KeyValueShape)
  case either([KeyValueShape])
  /// Any YAML value.
  case any
}

/// A kind of mapping in a profile. All of its keys are listed in ``keys``, and nowhere else: the loader (``Fields``) and the schema for editors
/// (``ProfileSchema``) read the same table.
enum MappingKind: String, CaseIterable, Sendable {
  case profile, match
  case characteristic, descriptor, advertisement, rfcomm, l2cap
  case directions, alternative, messageSwitch, answer
  case layers, strip, unescape, fragments, merge, counter, stream, expect, check, drop, decrypt, build, choice
  case message, bodyField, stateTable, key
  case itemTable, registerTable, item, register, protobufField
  case test, step
  case meta, type, member, instance, parameter, switchType, switchEndian, valid, enumEntry

  /// The keys that such a mapping may have.
  var keys: [MappingKey] {
    switch self {
    case .profile: Self.profileKeys
    case .match: Self.matchKeys
    case .characteristic: Self.characteristicKeys
    case .descriptor: Self.descriptorKeys
    case .advertisement: Self.advertisementKeys
    case .rfcomm: Self.rfcommKeys
    case .l2cap: Self.l2capKeys
    case .directions: Self.directionKeys
    case .alternative: Self.alternativeKeys
    case .messageSwitch: Self.messageSwitchKeys
    case .answer: Self.answerKeys
    case .layers: Self.layerKeys
    case .strip: Self.stripKeys
    case .unescape: Self.unescapeKeys
    case .fragments: Self.fragmentKeys
    case .merge: Self.mergeKeys
    case .counter: Self.counterKeys
    case .stream: Self.streamKeys
    case .expect: Self.expectKeys
    case .check: Self.checkKeys
    case .drop: Self.dropKeys
    case .decrypt: Self.decryptKeys
    case .build: Self.buildKeys
    case .choice: Self.choiceKeys
    case .message: Self.messageKeys
    case .bodyField: Self.bodyFieldKeys
    case .stateTable: Self.stateTableKeys
    case .key: Self.keyKeys
    case .itemTable: Self.itemTableKeys
    case .registerTable: Self.registerTableKeys
    case .item: Self.itemKeys
    case .register: Self.registerKeys
    case .protobufField: Self.protobufFieldKeys
    case .test: Self.testKeys
    case .step: Self.stepKeys
    case .meta: KaitaiKeys.meta
    case .type: KaitaiKeys.type
    case .member: KaitaiKeys.member
    case .instance: KaitaiKeys.instance
    case .parameter: KaitaiKeys.parameter
    case .switchType, .switchEndian: KaitaiKeys.switches(self)
    case .valid: KaitaiKeys.valid
    case .enumEntry: KaitaiKeys.enumEntry
    }
  }

  /// The names of ``keys``.
  var names: [String] { keys.map(\.name) }

  /// Whether the loader takes some of the keys only where others are present.
  var hasForms: Bool {
    switch self {
    case .unescape, .build, .test, .step, .layers: true
    default: false
    }
  }

  // MARK: The profile

  private static let source: KeyValueShape = .text
  /// A message, or alternatives of it.
  private static let messages: KeyValueShape = .list(.either([.text, .mapping(.alternative), .mapping(.messageSwitch)]))
  /// A list of layers, or the name of one.
  static let framing: KeyValueShape = .list(.either([.text, .mapping(.layers)]))
  private static let assignments: KeyValueShape = .named(.expression)

  private static let profileKeys: [MappingKey] = [
    MappingKey("profile", .text, "Its name: a-z, 0-9, - and _."),
    MappingKey(
      "library", .text,
      "In place of profile: the name of a file that is only imported. It has types, enums, tables, protobufs and framings."),
    MappingKey("aliases", .list(.text), "Other names by which commands find it, such as former names."),
    MappingKey("title", .text, "The devices it is for."),
    MappingKey("source", .text, "Where the protocol is documented."),
    MappingKey("note", .text, "Remarks."),
    MappingKey("kind", .text, "What the device is, in one word: battery, thermometer, watch, …"),
    MappingKey(
      "status", .words(ProfileStatus.allCases.map(\.rawValue)),
      "\"tested on real bytes\" where its tests are packets that devices sent, or \"from documents\"."),
    MappingKey(
      "extends", .text,
      "The name of a profile that this one extends: mappings are merged key by key, other values are replaced, and ~ removes a key."),
    MappingKey(
      "imports", .list(.text),
      "Libraries and profiles by name, or files of the same folder (NAME.yaml), whose types, enums, tables and protobufs this one uses."),
    MappingKey(
      "match", .list(.mapping(.match)),
      "The devices that the profile is for: one alternative, or a list of them. Without it: every device that has one of its UUIDs."),
    MappingKey("characteristics", .named(.mapping(.characteristic)), "GATT characteristics, with names that you choose."),
    MappingKey("descriptors", .named(.mapping(.descriptor)), "Descriptors of characteristics, with names that you choose."),
    MappingKey("advertisements", .named(.mapping(.advertisement)), "Data of advertisements, with names that you choose."),
    MappingKey("rfcomm", .named(.mapping(.rfcomm)), "RFCOMM channels, with names that you choose."),
    MappingKey("l2cap", .named(.mapping(.l2cap)), "L2CAP channels, with names that you choose."),
    MappingKey("framings", .named(framing), "Lists of layers, by name: what turns packets into messages, in the order of decoding."),
    MappingKey("messages", .named(.mapping(.message)), "Properties of messages besides their type."),
    MappingKey("meta", .mapping(.meta), "Kaitai Struct: endian, bit-endian and encoding of all types."),
    MappingKey("types", .named(.mapping(.type)), "Kaitai Struct: the bodies of messages, the headers of packets, and what lies in them."),
    MappingKey(
      "enums", .named(.named(.either([.text, .mapping(.enumEntry)]))), "Kaitai Struct: names for numbers. A name may be any text."),
    MappingKey(
      "tables", .named(.either([.mapping(.itemTable), .mapping(.registerTable)])), "Shorthand for types of tagged values and registers."),
    MappingKey(
      "protobufs", .named(.named(.either([.text, .mapping(.protobufField)]))),
      "Names for fields of protobuf, written as in a .proto file: {1: int32 id, 2: repeated Entry entries}."),
    MappingKey(
      "state", .named(.either([.text, .mapping(.stateTable)])),
      "Variables that keep values of a device between messages, with their initial values; {} is a table of numbers by numbers."),
    MappingKey("keys", .named(.mapping(.key)), "Keys of what the device encrypts, which a user gives with --key PROFILE.NAME=HEX."),
    MappingKey("tests", .list(.mapping(.test)), "Packets and what they must decode to; \"btscribe profiles test\" runs them."),
  ]

  private static let matchKeys: [MappingKey] = [
    MappingKey("services", .list(.uuid), "Advertised or discovered services."),
    MappingKey("service-data", .list(.uuid), "Services whose data was advertised."),
    MappingKey("companies", .list(.integer(0...0xFFFF)), "Companies whose data was advertised."),
    MappingKey("names", .list(.text), "Names of the device, with * for any characters and ? for one."),
    MappingKey("characteristics", .list(.uuid), "Discovered characteristics."),
    MappingKey("addresses", .list(.text), "Addresses, as aa:bb:cc:*."),
  ]

  // MARK: Sources

  private static let described: [MappingKey] = [
    MappingKey("title", .text, "Its name for people."),
    MappingKey("note", .text, "Remarks."),
  ]

  private static let carried: [MappingKey] = [
    MappingKey(
      "value", messages, "The message in all directions without a key of their own: a type, an entry of messages, a body, or alternatives."),
    MappingKey("write", messages, "The message that is written; of a channel, what the side that opened it sends."),
    MappingKey("notify", messages, "The message that is notified; of a channel, what the other side sends."),
    MappingKey("indicate", messages, "The message that is indicated; that of notify where it is not given."),
    MappingKey("read", messages, "The message that is read."),
    MappingKey(
      "framing", .either([framing, .mapping(.directions)]),
      "The layers before the body: the name of a framing, a layer, a list of those, or {write: …, notify: …} where directions differ."),
    MappingKey(
      "answers", .either([.list(.mapping(.answer)), assignments]),
      "{SOURCE: CONDITION}, or a list of {to, when, keep, within}: the message answers the oldest open request of SOURCE for which the "
        + "condition holds."),
  ]

  private static let characteristicKeys: [MappingKey] =
    [
      MappingKey("uuid", .list(.uuid), "Its UUID, or several: 4, 8 or 32 hexadecimal digits."),
      MappingKey("service", .list(.uuid), "Its service, where the UUID is used in several."),
      MappingKey("handle", .list(.integer(1...0xFFFF)), "The handle of its value, for captures without discovery."),
    ] + described + carried

  private static let descriptorKeys: [MappingKey] =
    [
      MappingKey("uuid", .list(.uuid), "Its UUID, or several."),
      MappingKey("characteristic", .list(.uuid), "The characteristics that it belongs to."),
    ] + described + carried

  private static let advertisementKeys: [MappingKey] =
    [
      MappingKey(
        "company", .either([.list(.integer(0...0xFFFF)), .words(["any"])]),
        "The data of this company, without its id; \"any\" for devices with other data in place of the id."),
      MappingKey("service-data", .list(.uuid), "The data of this service."),
      MappingKey("ad-type", .list(.integer(0...0xFF)), "The data of AD structures of this type."),
      MappingKey("services", .list(.uuid), "Only of devices with such a service."),
      MappingKey("names", .list(.text), "Only of devices with such a name; * stands for any characters, ? for one."),
      MappingKey("with-company", .flag, "The bytes begin with the company's id."),
      MappingKey("whole", .flag, "The bytes of all AD structures."),
    ] + described + carried

  private static let rfcommKeys: [MappingKey] =
    [
      MappingKey("service", .list(.uuid), "The service of the channel."),
      MappingKey("channel", .list(.integer(1...30)), "The server channel."),
    ] + described + carried

  private static let l2capKeys: [MappingKey] =
    [MappingKey("psm", .list(.integer(1...0xFFFF)), "The PSM of the channel.")] + described + carried

  private static let directionKeys: [MappingKey] = [
    MappingKey("write", framing, "The layers of what is written."),
    MappingKey("notify", framing, "The layers of what is notified."),
    MappingKey("indicate", framing, "The layers of what is indicated; those of notify where they are not given."),
    MappingKey("read", framing, "The layers of what is read."),
    MappingKey("advertise", framing, "The layers of what is advertised."),
  ]

  private static let alternativeKeys: [MappingKey] = [
    MappingKey("when", .expression, "The first alternative whose condition holds is used; it may use _payload, _request and _state."),
    MappingKey("message", .text, "A type, an entry of messages, or a body.", isRequired: true),
  ]

  private static let messageSwitchKeys: [MappingKey] = [
    MappingKey(
      "switch-on", .expression, "The value that decides which message it is; it may use _payload, _header, _request and _state.",
      isRequired: true),
    MappingKey("cases", .named(.text), "{VALUE: MESSAGE}; _ for all others.", isRequired: true),
  ]

  private static let answerKeys: [MappingKey] = [
    MappingKey("to", source, "The source of the requests."),
    MappingKey("when", .expression, "The condition, over the fields of this message and those of _request; empty always holds."),
    MappingKey("keep", .flag, "Leaves the request open for more answers."),
    MappingKey("within", .duration, "The longest time between request and answer: 5 s."),
  ]

  // MARK: Layers

  private static let layerKeys: [MappingKey] = [
    MappingKey("strip", .mapping(.strip), "Removes bytes where they occur."),
    MappingKey(
      "unescape", .either([.words(["cobs", "slip", "hdlc", "hex"]), .mapping(.unescape)]),
      "Removes escapes. Delimiters are described by stream."),
    MappingKey("fragments", .mapping(.fragments), "Every packet has a header with its place in the message."),
    MappingKey("stream", .mapping(.stream), "Packets are pieces of one stream of bytes."),
    MappingKey("expect", .mapping(.expect), "The length of the answer, where only the request has it."),
    MappingKey("check", .mapping(.check), "A checksum."),
    MappingKey("merge", .mapping(.merge), "Messages that are parts of one record, whose fields are merged."),
    MappingKey("slice", .range, "[FROM, TO]: the part of the message for the next layer; negative numbers count from the end."),
    MappingKey("drop", .mapping(.drop), "Bytes to discard."),
    MappingKey("decrypt", .mapping(.decrypt), "Bytes that are encrypted."),
  ]

  private static let stripKeys: [MappingKey] = [
    MappingKey("prefix", .byteStrings, "Bytes to remove at the start, where they stand there."),
    MappingKey("suffix", .byteStrings, "Bytes to remove at the end, where they stand there."),
    MappingKey("noise", .byteStrings, "Bytes to remove wherever they stand."),
    MappingKey("until", .byteStrings, "Removes everything before the first of these markers."),
    MappingKey("head", .integer(0...65536), "How many bytes to remove at the start."),
    MappingKey("tail", .integer(0...65536), "How many bytes to remove at the end."),
  ]

  private static let unescapeKeys: [MappingKey] = [
    MappingKey("dle", .integer(0...255), "This byte is doubled."),
    MappingKey("hex", .words(["upper", "lower"]), "Bytes are written as hexadecimal digits, in this case."),
    MappingKey("hdlc", .bytes, "HDLC's escapes, of these bytes too."),
    MappingKey("escape", .integer(0...255), "The byte that stands before an escaped one."),
    MappingKey("map", .named(.integer(0...255)), "The code after the escape, and the byte it stands for."),
    MappingKey(
      "xor", .expression, "With escape: the byte after it is XORed with this. Alone: all bytes are, with one byte or bytes that repeat."),
    MappingKey("bytes", .bytes, "The bytes that are escaped."),
    MappingKey("from", .integer(0...65536), "Bytes before this position stay unchanged."),
  ]

  private static let gaps: KeyValueShape = .words(["warn", "drop", "ignore"])
  private static let surplus: KeyValueShape = .words(["trim", "next", "keep", "error"])

  private static let fragmentKeys: [MappingKey] = [
    MappingKey("header", .text, "A type that is read at the start of every packet and removed. The expressions below may use its fields."),
    MappingKey("first", .expression, "Whether the packet starts its message."),
    MappingKey("last", .expression, "Whether the packet ends its message."),
    MappingKey("more", .expression, "Whether another packet follows."),
    MappingKey("total", .expression, "Bytes of the whole message without headers."),
    MappingKey("count", .expression, "Number of packets of the message."),
    MappingKey("index", .expression, "The number of this packet, counted from first-index."),
    MappingKey(
      "offset", .expression, "The position of the packet's bytes in the message: packets may overlap, and come in any order."),
    MappingKey("first-index", .integer(0...65535), "The index of the first packet (0)."),
    MappingKey("counter", .mapping(.counter), "A counter that is checked but does not order packets."),
    MappingKey(
      "payload", .range, "[FROM, TO]: the bytes of the packet that belong to the message; ~ is the end of the header, or of the packet."),
    MappingKey("order", .words(["arrival", "index"]), "index puts packets in order of their index."),
    MappingKey("on-gap", gaps, "How a missing packet is treated."),
    MappingKey(
      "on-restart", .words(["drop", "append", "error", "complete"]), "How a first packet is treated while a message is open."),
    MappingKey("on-surplus", surplus, "How bytes after total are treated."),
    MappingKey("max", .integer(1...(1 << 24)), "The most bytes a message may have (1048576)."),
    MappingKey("idle", .duration, "Time without packets after which an open message ends."),
    MappingKey("set", assignments, "{NAME: EXPR}: values of a header to keep in the state."),
    MappingKey("build", .mapping(.build), "How headers are written when a message is encoded."),
  ]

  private static let mergeKeys: [MappingKey] = [
    MappingKey(
      "header", .text, "A type that is read at the start of every part and stays there. The expressions below may use its fields.",
      isRequired: true),
    MappingKey("key", .expression, "A number: parts with the same one belong to one record. Up to 16 records are open at a time."),
    MappingKey(
      "part", .expression, "The number of this part. Parts may then come in any order; without it they are in the order they come."),
    MappingKey("first-part", .integer(0...65535), "The number of the first part (0)."),
    MappingKey("count", .expression, "How many parts make the record complete."),
    MappingKey("first", .expression, "Whether the part starts its record."),
    MappingKey("last", .expression, "Whether the part is the last of its record."),
    MappingKey(
      "on-restart", .words(["drop", "complete"]),
      "What happens to an open record when another first part, or the same part with other bytes, arrives."),
    MappingKey("max", .integer(1...(1 << 24)), "The most bytes that a record may have (1048576)."),
    MappingKey("idle", .duration, "Time without parts after which an open record ends as incomplete."),
  ]

  private static let counterKeys: [MappingKey] = [
    MappingKey("value", .expression, "The counter in the header.", isRequired: true),
    MappingKey("modulo", .integer(1...(1 << 32)), "How many values it has (256)."),
    MappingKey("start", .integer(0...(1 << 32)), "Its value in the first packet."),
    MappingKey("wraps-to", .integer(0...(1 << 32)), "The value after the last one (0)."),
    MappingKey("scope", .words(["message", "channel"]), "Whether it starts anew with each message."),
    MappingKey("on-gap", gaps, "How a skipped value is treated."),
  ]

  private static let streamKeys: [MappingKey] = [
    MappingKey("start", .byteStrings, "A marker at the start of each message, or several. It stays in the message."),
    MappingKey("end", .byteStrings, "A marker at the end of each message, or several. It stays in the message."),
    MappingKey("prefix", .byteStrings, "Bytes to ignore directly before start."),
    MappingKey("escape", .integer(0...255), "A marker after this byte is not one."),
    MappingKey("header", .text, "A type that is read at the start of the message as soon as enough bytes are there."),
    MappingKey("length", .expression, "The number of bytes of the whole message with its markers, over the fields of header."),
    MappingKey("max", .integer(1...(1 << 24)), "The most bytes a message may have (65536)."),
    MappingKey("on-restart", .words(["ignore", "at-packet-start", "anywhere"]), "How a start marker inside a message is treated."),
    MappingKey("resync", .words(["marker", "packet"]), "Where to continue the search: next start marker, or next packet."),
    MappingKey(
      "on-bad-end", .words(["resync", "deliver"]),
      "A message whose length does not end at end: search again after its first byte, or deliver it."),
    MappingKey("on-surplus", surplus, "How further bytes of a packet after a message are treated."),
    MappingKey("noise", .byteStrings, "Bytes to ignore at the start of packets and between messages."),
    MappingKey("padding", .integer(0...255), "A byte that fills the rest of a packet after a message."),
    MappingKey("idle", .duration, "Time without packets after which an open message ends."),
    MappingKey("on-idle", .words(["drop", "complete"]), "Whether silence ends a message as incomplete, or as complete."),
    MappingKey("build", .mapping(.build), "How the header is written when a message is encoded."),
  ]

  private static let expectKeys: [MappingKey] = [
    MappingKey("length", .expression, "The number of bytes of the answer; _request is the oldest open request.", isRequired: true)
  ]

  private static let checkKeys: [MappingKey] = [
    MappingKey(
      "algorithm", .text,
      "A name in the list of \"btscribe crc --list\" (CRC-16/MODBUS, sum8, xor8), or crc(width=16 poly=0x1021 …); +N adds a constant, ^N XORs one."
    ),
    MappingKey(
      "over", .either([.range, .list(.range)]),
      "[FROM, TO], or a list of those; by default everything but the checksum. Negative: from the end."),
    MappingKey("at", .integer(-65536...65536), "Its position; by default the end."),
    MappingKey("bytes", .integer(1...16), "Its number of bytes."),
    MappingKey("endian", .words(["be", "le"]), "The order of its bytes (be)."),
    MappingKey("as", .words(["binary", "hex"]), "Whether it is written as bytes, or as hexadecimal digits."),
    MappingKey("over-as", .words(["binary", "hex"]), "hex: it is computed over bytes that are decoded from hexadecimal digits first."),
    MappingKey("own-bytes", .words(["skip", "zero", "keep"]), "How its own bytes are treated where over includes them."),
    MappingKey("residue", .integer(Int.min...Int.max), "The result over a correct message with its checksum."),
    MappingKey("value", .expression, "The expected checksum, where it is not in the message itself: _state.crc."),
    MappingKey("when", .expression, "Check only where this condition holds; it may use _payload."),
    MappingKey("in-body", .flag, "Whether the body has a field for it."),
    MappingKey("over-packets", .flag, "It is computed over the packets with the headers that are removed afterwards."),
  ]

  private static let dropKeys: [MappingKey] = [
    MappingKey("when", .expression, "Bytes for which this holds are discarded.", isRequired: true)
  ]

  /// An expression for bytes, or the bytes as numbers.
  private static let byteExpression: KeyValueShape = .either([.expression, .list(.integer(0...255))])

  private static let decryptKeys: [MappingKey] = [
    MappingKey("cipher", .text, "aes-ecb, aes-cbc, aes-ctr, aes-ccm or aes-gcm; with the bits of the key: aes-256-gcm."),
    MappingKey("when", .expression, "Encrypted only where this condition holds; it may use _payload."),
    MappingKey("header", .text, "A type that is read at the start of the bytes. The expressions below may use its fields."),
    MappingKey("key", byteExpression, "The key: _key.NAME."),
    MappingKey("nonce", byteExpression, "The nonce of CTR, CCM (7 to 13 bytes) and GCM."),
    MappingKey("iv", byteExpression, "The initialisation vector of CBC (16 bytes)."),
    MappingKey("data", byteExpression, "What CCM and GCM authenticate besides the message."),
    MappingKey("over", .range, "[FROM, TO]: where the encrypted bytes lie."),
    MappingKey("tag", .range, "[FROM, TO]: where the tag of CCM or GCM lies."),
    MappingKey("length", .expression, "The number of encrypted bytes, from the header; a tag follows them directly."),
    MappingKey(
      "check", .expression, "A condition that holds if the key is right, for ciphers without a tag; _plain has the decrypted bytes."),
    MappingKey("padding", .words(["pkcs7", "none"]), "pkcs7: the last block of ECB and CBC was filled up (RFC 5652)."),
    MappingKey("counter-endian", .words(["be", "le"]), "le: the counter of CTR has its least significant byte first."),
    MappingKey("without-key", .text, "The message that shows the encrypted bytes, where no key decrypts them."),
  ]

  private static let choices: KeyValueShape = .list(.either([.mapping(.choice), assignments]))

  private static let buildKeys: [MappingKey] = [
    MappingKey("size", .bound, "The number of bytes of a packet with its header; 512 by default."),
    MappingKey("pad", .integer(0...255), "A byte that fills each packet up to its size."),
    MappingKey("first", choices, "The fields of the header of the first packet; the first alternative whose condition holds is used."),
    MappingKey("next", choices, "The fields of the header of the other packets."),
    MappingKey("header", choices, "For a stream: the fields of its header."),
  ]

  private static let choiceKeys: [MappingKey] = [
    MappingKey("when", .expression, "Whether this header is used: over length, count, index, bytes, offset, last, _message, _body."),
    MappingKey("header", assignments, "Values of the header's fields; those left out are 0.", isRequired: true),
  ]

  // MARK: Messages, state, keys

  private static let messageKeys: [MappingKey] = [
    MappingKey("title", .text, "Its name in text output."),
    MappingKey("type", .text, "Its type; by default the one with the message's name."),
    MappingKey("body", .text, "protobuf [NAME], cbor, json, text, csv [NAME, NAME…] or bytes, where it has no type."),
    MappingKey("say", .text, "The text of the message, as -say of a type."),
    MappingKey(
      "fields", .named(.either([.text, .mapping(.bodyField)])),
      "Properties of the fields of a body that is JSON, CBOR or CSV: {NAME: {-unit: V}, OUTER.INNER: …}."),
    MappingKey("set", assignments, "{NAME: EXPR}: changes of the state."),
  ]

  private static let bodyFieldKeys: [MappingKey] =
    [MappingKey("name", .text, "Another name for it.")]
    + (KaitaiKeys.member + KaitaiKeys.presentation).filter {
      ["enum", "-unit", "-label", "-scale", "-offset", "-round", "-secret", "-personal", "-hidden"].contains($0.name)
    }

  private static let stateTableKeys: [MappingKey] = [
    MappingKey("_", .integer(Int.min...Int.max), "The value of keys that were not set (0).")
  ]

  private static let keyKeys: [MappingKey] = [
    MappingKey("bytes", .integer(1...64), "How many bytes it has (16)."),
    MappingKey("note", .text, "Where a user finds it, in a few words."),
    MappingKey("default", .hex, "The factory key of the devices, where it is public."),
  ]

  // MARK: Tables

  private static let itemTableKeys: [MappingKey] = [
    MappingKey("items", .named(.either([.text, .mapping(.item)])), "TAG: {name, type, …}, or TAG: NAME.", isRequired: true),
    MappingKey("tag", .text, "The type of the tag (u1)."),
    MappingKey("length", .text, "The type of the length (u1): also vlq, varint, a type with a value, or none."),
    MappingKey("length-counts", .words(["value", "tag", "all"]), "The bytes that the length includes."),
    MappingKey("unknown", .text, "The type of tags that are not listed (bytes)."),
    MappingKey("order", .words(["tag-length", "length-tag"]), "length-tag where the length comes first."),
  ]

  private static let registerTableKeys: [MappingKey] = [
    MappingKey("registers", .named(.either([.text, .mapping(.register)])), "NUMBER: {name, type, …}, or NUMBER: NAME.", isRequired: true),
    MappingKey("first", .expression, "The number of the first register (_request.start)."),
    MappingKey("width", .integer(1...8), "The bytes of one register (2)."),
  ]

  private static let itemName = MappingKey("name", .text, "The name of the value.")

  private static let itemKeys: [MappingKey] =
    [itemName] + KaitaiKeys.instance.filter { !["pos", "io", "value"].contains($0.name) }
  private static let registerKeys: [MappingKey] = [itemName] + KaitaiKeys.instance.filter { !["pos", "io", "value"].contains($0.name) }

  static let protobufFieldKeys: [MappingKey] =
    [MappingKey("field", .text, "The field as in a .proto file: string password.", isRequired: true)]
    + KaitaiKeys.presentation.filter { ["-unit", "-label", "-scale", "-secret", "-personal", "-hidden"].contains($0.name) }

  // MARK: Tests

  private static let testKeys: [MappingKey] = [
    MappingKey("title", .text, "A title."),
    MappingKey("characteristic", source, "The source of the packets: its name in this profile."),
    MappingKey("source", source, "The source of the packets, of whatever kind."),
    MappingKey("advertisement", source, "The source of the packets, an advertisement."),
    MappingKey(
      "direction", .words(ValueDirection.allCases.map(\.key)),
      "Needed where the source carries messages in several; by default that of answers."),
    MappingKey("packets", .list(.hex), "Packets, as hexadecimal digits."),
    MappingKey("payload", .list(.hex), "Whole messages in place of packets, to which no layer is applied."),
    MappingKey("exchange", .list(.mapping(.step)), "Packets of several sources in order, in place of packets."),
    MappingKey("state", .named(.any), "The state after earlier messages: {page: 3, modes: {1: 7}}."),
    MappingKey("name", .text, "The name of the device."),
    MappingKey("address", .text, "The address of the device."),
    MappingKey("keys", .named(.hex), "Keys that the test gives: {bindkey: 231d39c1…}."),
    MappingKey("expect", .list(.any), "The fields of the message, or a list with those of each message. An empty list expects no message."),
    MappingKey("merged", .any, "The merged fields of all answers."),
    MappingKey("encodes", .words(["true", "message", "false"]), "What must be the same when a request is encoded again."),
    MappingKey("tolerance", .number, "The largest difference allowed for floating-point numbers."),
  ]

  private static let stepKeys: [MappingKey] =
    ValueDirection.allCases.map { MappingKey($0.key, source, "The source that the packets belong to, in this direction.") } + [
      MappingKey("packets", .list(.hex), "Packets, as hexadecimal digits."),
      MappingKey("payload", .list(.hex), "Whole messages, to which no layer is applied."),
      MappingKey("after", .duration, "The time without packets before it: 500 ms."),
    ]
}

/// The keys of Kaitai Struct, by the names that its own reader knows.
enum KaitaiKeys {
  /// Shapes and help for the keys of Kaitai Struct and for those that begin with a dash. A key that its reader knows and this table does not can have
  /// any value, and has no help.
  private static let known: [String: (shape: KeyValueShape, help: String)] = [
    "meta": (.mapping(.meta), "endian, bit-endian and encoding of this type and the types in it."),
    "doc": (.text, "What it is, in words."),
    "doc-ref": (.list(.text), "Where it is documented."),
    "to-string": (.text, "Not used; use -say."),
    "params": (.list(.mapping(.parameter)), "Parameters, which are given as type: name(1, field)."),
    "seq": (.list(.mapping(.member)), "The fields in the order of their bytes."),
    "types": (.named(.mapping(.type)), "Types that are used in this one."),
    "instances": (.named(.mapping(.instance)), "Fields at a position (pos), or computed (value)."),
    "enums": (.named(.named(.either([.text, .mapping(.enumEntry)]))), "Names for numbers."),
    "bit-endian": (.words(["be", "le"]), "Whether bits are taken from the highest (be) or the lowest of each byte."),
    "encoding": (.text, "The encoding of texts: UTF-8, ASCII, UTF-16LE, …"),
    "endian": (.either([.words(["be", "le"]), .mapping(.switchEndian)]), "The order of the bytes of numbers."),
    "id": (.text, "Its name: lower-case letters, digits and _."),
    "contents": (.either([.text, .list(.text)]), "The bytes that every message has here."),
    "type": (
      .either([.text, .mapping(.switchType)]),
      "u1, u2, s4, f2, f4, f8, b3, sb3, … (with le or be; then ws for swapped words), str, strz, a type of the profile, or {switch-on: EXPR, cases: {VALUE: TYPE}}."
    ),
    "repeat": (
      .words(["eos", "expr", "until", "whole", "parts"]),
      "Several in a row: to the end, repeat-expr of them, until repeat-until holds, while a whole one is left, or one for each part of merge."
    ),
    "repeat-expr": (.expression, "How many."),
    "repeat-until": (.expression, "The condition that ends the repetition; _ is the element just read."),
    "if": (.expression, "It is present only where this holds."),
    "size": (.expression, "Its number of bytes."),
    "size-eos": (.kaitaiFlag, "It has all bytes to the end."),
    "process": (.text, "xor(KEY), rol(BITS), ror(BITS) or zlib: how the bytes are transformed before they are read."),
    "enum": (.text, "The names of its values."),
    "pad-right": (.integer(0...255), "The byte that fills it up at the end."),
    "terminator": (.bytes, "The byte or bytes that end it."),
    "consume": (.kaitaiFlag, "Whether the terminator is skipped (true)."),
    "include": (.kaitaiFlag, "Whether the terminator belongs to the value (false)."),
    "eos-error": (.kaitaiFlag, "Whether a missing terminator is an error (true)."),
    "parent": (.text, "What _parent is in its type."),
    "valid": (.either([.text, .mapping(.valid)]), "The value it must have; in a profile a constant for encoding too."),
    "pos": (.expression, "The position of its first byte."),
    "io": (.expression, "The bytes it is read from."),
    "value": (.expression, "Computed, not read."),
    "switch-on": (.expression, "The value that decides."),
    "eq": (.expression, "The value it must have."),
    "min": (.expression, "The smallest value."),
    "max": (.expression, "The largest value."),
    "any-of": (.list(.expression), "The values it may have."),
    "expr": (.expression, "A condition; _ is the value."),
    "in-enum": (.kaitaiFlag, "true: the value must have a name."),
    "-unit": (.text, "Its unit: V, %, °C, …"),
    "-scale": (.expression, "The value is number × scale + offset: 0.01, 1/1024, or an expression in the field's type."),
    "-offset": (.expression, "What is added after scaling."),
    "-round": (.integer(0...15), "Digits after the decimal point."),
    "-fields": (
      .named(.either([.text, .mapping(.bodyField)])), "Properties of the fields of -body: {NAME: {-unit: V}, OUTER.INNER: …}."
    ),
    "-na": (.list(.text), "A number, several, or ranges that mean that there is no value: 255, [-1, 0xfff0..0xffff]."),
    "-as": (
      .text,
      "bool, hex, sfloat, float (IEEE 11073), unix (seconds since 1970) of numbers; mac, mac-le, uuid, uuid-le, ip, text of bytes."
    ),
    "-default": (.text, "The value that is encoded where the field is not given."),
    "-label": (.text, "Its name in text output."),
    "-hidden": (.flag, "It is left out of the timeline's lines."),
    "-merge": (.flag, "The fields of its object, or objects, are shown as those of the object around it."),
    "-secret": (.flag, "A password or the like: never shown in text output, and replaced by redact."),
    "-personal": (.flag, "It reveals something about a person, and redact replaces it; false: it reveals nothing, and stays."),
    "-body": (.text, "The bytes of this field are protobuf [NAME], cbor, json, text or csv."),
    "-say": (.text, "The text of the object or message: \"{id}: {values}[, {rest}]\"."),
    "-inline": (.flag, "Its first field that is not hidden is shown in its place."),
    "-pair": (.flag, "It is an id and a value, shown as \"id value\"."),
  ]

  private static func keys(_ names: [String]) -> [MappingKey] {
    names.map { name in
      let (shape, help) = known[name] ?? (.any, "")
      return MappingKey(name, shape, help)
    }
  }

  static let presentation = keys(ProfileCompiler.fieldKeys)
  static let meta = keys(SpecificationKeys.meta)
  static let type = keys(SpecificationKeys.type + ProfileCompiler.typeKeys)
  static let member = keys(SpecificationKeys.member) + presentation
  static let instance = keys(SpecificationKeys.instance) + presentation
  static let parameter = keys(SpecificationKeys.parameter)
  static let valid = keys(SpecificationKeys.valid)
  static let enumEntry = keys(SpecificationKeys.enumEntry)

  /// The keys of a switch: its cases are types, or byte orders.
  static func switches(_ mapping: MappingKind) -> [MappingKey] {
    SpecificationKeys.switches.map { name in
      if name != "cases" { return keys([name])[0] }
      let isEndian = if case .switchEndian = mapping { true } else { false }
      return MappingKey(
        name, .named(isEndian ? .words(["be", "le"]) : .text), "VALUE: \(isEndian ? "be or le" : "TYPE"); _ for all others.")
    }
  }
}
