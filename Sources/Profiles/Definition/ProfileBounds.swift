/// Bounds for parts of a profile that are processed for each device, attribute, byte of a stream or message of a capture.
enum ProfileBounds {
  /// Alternatives of `match` with their values, of one profile, and of all profiles that are not built in.
  static let maxMatched = 1024
  static let maxMatchedOfAll = 8192
  /// Bytes of a pattern of a name or address (no device has a longer name), and of all patterns of all profiles that are not built in.
  static let maxPattern = 248
  static let maxPatternsOfAll = 32 << 10
  /// Bytes of the name of an enum's value, of a field of protobuf, and of a label, a unit or a title, which output repeats with each field or message.
  static let maxName = 256
  /// Bytes of a template of a message's line.
  static let maxTemplate = 4096
  /// Sources with all of their UUIDs, handles, numbers and names.
  static let maxSources = 4096
  /// Layers of a source in one direction, with all names of framings expanded, and of all sources in all directions.
  static let maxLayers = 64
  static let maxLayersOfAll = 8192
  /// Parts that a checksum covers.
  static let maxCovered = 16
  /// Sources whose requests one source answers.
  static let maxAnswered = 64
  /// Open requests of a profile: beyond this number a source keeps only its last one, and beyond four times this number none.
  static let maxOpenRequests = 1024
  /// Sources that read advertising data, of all profiles that are not built in: each part of an advertisement is compared with all of them.
  static let maxAdvertisements = 256
  /// Fields of all readers of messages that are read without a tree.
  static let maxReaderFields = 1 << 17
  /// Bytes of a text or byte string in a state variable; longer ones are not stored.
  static let maxStateBytes = 1024
  /// Sources with "answers", times messages.
  static let maxAnswers = 1 << 20
  /// Steps for reading one capture by one built-in profile, and by all others of one origin: a fixed number, and more with each value and each of its
  /// bytes. A step takes some nanoseconds, for example for reading a field.
  static let steps = 1 << 26
  static let stepsOfValue = 1024
  static let stepsOfByte = 64
  /// Steps of a value on its way to one of the sources that read it.
  static let stepsOfFeed = 16
  /// Bytes of names and texts in output that count as a step, and how many of them one message may have for each output: a fixed number, and more with
  /// each of its bytes. Instances can read the same bytes, or compute long texts, in each message.
  static let printedBytesOfStep = 4
  /// Up to this number, printed bytes are not counted for each message, but when more have come.
  static let fewPrintedBytes = 1024
  static let walkedBytes = 4 << 20
  static let walkedBytesOfByte = 64
  /// A profile that is built in gets so many times the steps of a value: what it does with one is known.
  static let timesBuiltin = 4
  /// Messages that are completed at once, by a value or by the end of a link, and bytes that all of them take; see ``HeldMessages``. No attribute has more
  /// than 512 bytes.
  static let maxMessages = 512
  static let maxMessageBytes = 12 << 20
  /// Bytes of what was read of a message that is kept for the next, and of an open request; and of one that was printed, beside many others.
  static let maxKeptBytes = 64 << 10
  static let maxPrintedBytes = 16 << 10
  /// Messages that are kept to be used again, and bytes of them.
  static let maxPooled = 256
  static let maxPooledBytes = 4 << 20
  /// Bytes of requests without an answer, by one profile that is built in and by all others of one origin.
  static let maxRequestBytes = 4 << 20
  /// Layers whose headers are remembered, and bytes of the state of all devices, by one profile that is built in and by all others of one origin.
  static let maxHeaderCaches = 64
  static let maxStateBytesOfAll = 8 << 20
  /// Steps charged for the memory of one layer of one source on one link.
  static let stepsOfLayer = 1024
  /// Byte strings in one list that are searched in a stream, and their bytes together.
  static let maxMarkers = 64
  static let maxMarkerBytes = 256
}

/// Counts the match values of the profiles of a set that are not built in.
struct MatchedPatterns {
  private var count = 0
  private var bytes = 0
  private var advertisements = 0

  /// Adds those of a profile, which reads advertising data with so many sources. Throws ``ProfileError`` where there are too many, and then adds
  /// none.
  mutating func add(_ index: ProfileIndex, advertisements own: Int, file: String) throws {
    guard advertisements + own <= ProfileBounds.maxAdvertisements else {
      throw ProfileError(
        file: file, line: 0, column: 0,
        message: "with this profile more than \(ProfileBounds.maxAdvertisements) \"advertisements\" are read by profiles that are not "
          + "built in")
    }
    let count = self.count + index.rules.count + index.rules.reduce(0) { $0 + $1.count }
    let bytes =
      bytes + index.advertisedNames.reduce(0) { $0 + $1.utf8.count }
      + index.rules.reduce(0) { $0 + ($1.names + $1.addresses).reduce(0) { $0 + $1.utf8.count } }
    guard count <= ProfileBounds.maxMatchedOfAll, bytes <= ProfileBounds.maxPatternsOfAll else {
      throw ProfileError(
        file: file, line: 0, column: 0,
        message: "with this profile more than \(ProfileBounds.maxMatchedOfAll) things, or \(ProfileBounds.maxPatternsOfAll >> 10) KiB of "
          + "patterns, match devices")
    }
    (self.count, self.bytes, advertisements) = (count, bytes, advertisements + own)
  }
}

extension MatchRule {
  /// Number of its values.
  var count: Int { services.count + serviceData.count + companies.count + names.count + characteristics.count + addresses.count }

  /// Reads the alternatives of `match`. Throws ``ProfileError`` where they are too many.
  static func list(_ entry: Entry) throws -> [MatchRule] {
    let rules = try entry.list().map(MatchRule.init)
    guard rules.reduce(rules.count, { $0 + $1.count }) <= ProfileBounds.maxMatched else {
      throw entry.error("\"match\" has at most \(ProfileBounds.maxMatched) alternatives, and things in them")
    }
    return rules
  }
}

extension Entry {
  /// A list of patterns of names or addresses. Throws where one is longer than any name.
  func patterns() throws -> [String] {
    try list().map { entry in
      let text = try entry.text()
      guard text.utf8.count <= ProfileBounds.maxPattern else {
        throw entry.error("a pattern of \(what) has at most \(ProfileBounds.maxPattern) bytes")
      }
      return text
    }
  }

  /// Byte strings that are searched at each byte of a stream. Throws where they are too many, or too long together.
  func markers() throws -> [[UInt8]] {
    let markers = try byteStrings()
    guard markers.count <= ProfileBounds.maxMarkers, markers.reduce(0, { $0 + $1.count }) <= ProfileBounds.maxMarkerBytes else {
      throw error("\(what) has at most \(ProfileBounds.maxMarkers) byte strings, of \(ProfileBounds.maxMarkerBytes) bytes together")
    }
    return markers
  }
}

extension SourceDefinition {
  /// Number of its UUIDs, handles, numbers and names, plus one for itself.
  var count: Int {
    1 + uuids.count + services.count + handles.count + numbers.count + companies.count + serviceData.count + structures.count + names.count
      + of.count
  }
}
