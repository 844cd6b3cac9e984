/// How much of what is gone through again and again a profile may have: for each device, attribute, byte of a stream or message of a capture, which has
/// many of them.
enum ProfileBounds {
  /// Alternatives of `match` with all that they name, of one profile, and of all profiles that are not built in.
  static let maxMatched = 1024
  static let maxMatchedOfAll = 8192
  /// Bytes of a pattern of a name or address (no device has a longer name), and of all patterns of all profiles that are not built in.
  static let maxPattern = 248
  static let maxPatternsOfAll = 32 << 10
  /// Sources with all UUIDs, handles, numbers and names that they are found by.
  static let maxSources = 4096
  /// Layers of a source in one direction, once all names of framings are followed, and of all sources in all directions.
  static let maxLayers = 64
  static let maxLayersOfAll = 8192
  /// Parts that one checksum is computed over.
  static let maxCovered = 16
  /// Sources that one answers.
  static let maxAnswered = 64
  /// Requests of a profile without an answer: from so many on a source keeps its last alone, and from four times as many on none is kept.
  static let maxOpenRequests = 1024
  /// Sources that read advertising data, of all profiles that are not built in: all are asked for each part of an advertisement.
  static let maxAdvertisements = 256
  /// Fields of all readers of messages that are read without a tree.
  static let maxReaderSteps = 1 << 17
  /// Bytes of a text, or of bytes, that a variable of the state remembers; what is longer is not remembered.
  static let maxStateBytes = 1024
  /// Sources with "answers", times messages.
  static let maxAnswers = 1 << 20
  /// Steps that the reading of one capture may take by one profile that is built in, and by all others of one origin: so many, and more with each value
  /// and each of its bytes. A step takes some nanoseconds, as the reading of a field does.
  static let steps = 1 << 26
  static let stepsOfValue = 1024
  static let stepsOfByte = 64
  /// A profile that is built in gets so many times the steps of a value: what it does with one is known.
  static let timesBuiltin = 4
  /// Messages that are completed at once, by a value or by the end of a link, and bytes that all of them take; see ``HeldMessages``. No attribute has more
  /// than 512 bytes.
  static let maxMessages = 512
  static let maxMessageBytes = 16 << 20
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
  /// Steps that stand for the memory of one layer of one source on one link.
  static let stepsOfLayer = 1024
  /// Byte strings that a stream is searched for, and bytes of them, of one list.
  static let maxMarkers = 64
  static let maxMarkerBytes = 256
}

/// What the profiles of a set that are not built in match devices by.
struct MatchedPatterns {
  private var count = 0
  private var bytes = 0
  private var advertisements = 0

  /// Counts those of a profile, which reads advertising data with so many sources. Throws ``ProfileError`` where there are too many, and counts none then.
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
  /// How many things it names.
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

  /// Byte strings that a stream is searched for at each of its bytes. Throws where they are too many, or too long together.
  func markers() throws -> [[UInt8]] {
    let markers = try byteStrings()
    guard markers.count <= ProfileBounds.maxMarkers, markers.reduce(0, { $0 + $1.count }) <= ProfileBounds.maxMarkerBytes else {
      throw error("\(what) has at most \(ProfileBounds.maxMarkers) byte strings, of \(ProfileBounds.maxMarkerBytes) bytes together")
    }
    return markers
  }
}

extension SourceDefinition {
  /// How many UUIDs, handles, numbers and names it is found by, and one for itself.
  var count: Int {
    1 + uuids.count + services.count + handles.count + numbers.count + companies.count + serviceData.count + structures.count + names.count
      + of.count
  }
}
