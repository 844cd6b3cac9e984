import Bluetooth

/// A kind of thing that a capture gives away.
public enum ExposureKind: Int, Sendable, CaseIterable, Comparable {
  /// A device address.
  case address
  /// The name of a device or a person, or a serial number.
  case name
  /// A key, or what one is made from.
  case key
  /// A passkey, or a number that was compared or typed in.
  case passkey
  /// A PIN code.
  case pin
  /// A password that a profile marks as secret.
  case password
  /// Free text: a comment, a log line, a note of the system.
  case text
  /// What was said: data of synchronous and isochronous links.
  case voice
  /// What btscribe does not decode.
  case unknown
  /// The value of a characteristic that was named.
  case value

  /// In the order in which they are listed.
  public static func < (a: ExposureKind, b: ExposureKind) -> Bool { a.rawValue < b.rawValue }

  /// One and several of them, for people.
  public var words: (one: String, several: String) {
    switch self {
    case .address: ("address", "addresses")
    case .name: ("name", "names")
    case .key: ("key", "keys")
    case .passkey: ("passkey", "passkeys")
    case .pin: ("PIN code", "PIN codes")
    case .password: ("password", "passwords")
    case .text: ("text", "texts")
    case .voice: ("packet of voice", "packets of voice")
    case .unknown: ("part that btscribe does not take apart", "parts that btscribe does not take apart")
    case .value: ("value", "values")
    }
  }
}

/// What a capture gives away under one field.
public struct Exposure: Sendable {
  /// What it is.
  public var kind: ExposureKind
  /// The field that it was found in, as the Core Specification or a profile names it.
  public var field: String
  /// How often it was found.
  public var count = 0
  /// How many different ones, as far as they were counted.
  public var different = 0
  /// The first frames, at most ``mostFrames``.
  public var frames: [Int] = []

  /// So many frames are named.
  public static let mostFrames = 5
}

/// Counts what a capture gives away.
struct ExposureCounter {
  private struct Key: Hashable {
    var kind: ExposureKind
    var field: String
  }
  private var entries: [Key: Exposure] = [:]
  /// Hashes of different ones.
  private var seen: [Key: Set<UInt64>] = [:]
  /// More are counted, but not compared.
  private static let mostDifferent = 65_536

  /// Counts one; equal values count as one different one.
  mutating func add(_ kind: ExposureKind, _ field: String, _ value: [UInt8], frame: Int) {
    let key = Key(kind: kind, field: field)
    var entry = entries[key] ?? Exposure(kind: kind, field: field)
    entry.count += 1
    if entry.frames.count < Exposure.mostFrames, entry.frames.last != frame { entry.frames.append(frame) }
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in value { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    if seen[key, default: []].count < Self.mostDifferent, seen[key, default: []].insert(hash).inserted { entry.different += 1 }
    entries[key] = entry
  }

  /// All of them, by kind and the frame they were first found in.
  var list: [Exposure] { entries.values.sorted { ($0.kind, $0.frames.first ?? 0, $0.field) < ($1.kind, $1.frames.first ?? 0, $1.field) } }
}
