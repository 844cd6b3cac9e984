import PacketCodecs

/// Data of mesh sensors: values of device properties (Mesh Device Properties 2.1, Mesh Model 1.1, 4.2.14 to 4.2.16).
extension Mesh {
  /// A characteristic that properties consist of, as numbers with a type of their own. All others are bytes here.
  public enum Characteristic: String, CaseIterable, Sendable {
    case boolean, coefficient, count16, electricCurrent, energy, genericLevel, illuminance, index, perceivedLightness, percentage8,
      percentageChange16, temperature, temperature8, timeDecihour8, timeMillisecond24, timeSecond16

    /// Size in bytes.
    public var size: Int {
      switch self {
      case .boolean, .percentage8, .temperature8, .timeDecihour8: 1
      case .energy, .illuminance, .timeMillisecond24: 3
      case .coefficient: 4
      default: 2
      }
    }
  }

  /// One of the numbers that a value of a property consists of.
  struct Part {
    let size: Int
    let characteristic: Characteristic?
  }

  /// The kind of a byte range in a sensor's message.
  public enum SensorPart: Sendable {
    /// A complete value, in Sensor Status.
    case value
    /// The start of a column, its width, and its value; a property without columns has only the first.
    case start, width, height
    /// Decrease or increase of a value that triggers the next message.
    case deltaDown, deltaUp
    /// The shortest time between two messages.
    case interval
    /// Range of values in which messages are sent faster.
    case fastLow, fastHigh
    /// Undecoded bytes, because the property is unknown.
    case remainder
  }

  /// Reports the data after the property in a sensor's message: each byte range, and the numbers of known characteristics in it. The message begins
  /// with its opcode. A truncated range is not reported.
  public static func walkSensorMessage(
    _ message: RawSpan, _ opcode: UInt32, part: (SensorPart, Range<Int>) -> Void, number: (Characteristic, Range<Int>) -> Void
  ) {
    var reader = SensorReader(end: message.byteCount)
    switch opcode {
    case 0x52:
      var at = 1
      while let head = SensorHead(message, at) {
        at &+= head.isLong ? 3 : 2
        guard let property = head.property, at &+ head.valueLength <= message.byteCount else { return }
        let parts = properties[property] ?? []
        // Values have the characteristic's order: the column's height comes before its bounds.
        reader.at = at
        reader.end = at &+ head.valueLength
        part(.value, reader.at..<reader.end)
        if parts.reduce(0, { $0 + $1.size }) == head.valueLength {
          if let last = parts.last { reader.take(last, number) }
          for part in parts.dropLast() { reader.take(part, number) }
        }
        at &+= head.valueLength
        reader.end = message.byteCount
      }
    case 0x53, 0x54:
      guard message.byteCount > 3, let parts = properties[UInt16(truncatingIfNeeded: message.integer(1, 2))], !parts.isEmpty else {
        if message.byteCount > 3 { part(.start, 3..<message.byteCount) }
        return
      }
      reader.at = 3
      // A column is reported once, a series as often as complete ones follow.
      repeat {
        for (index, element) in parts.enumerated() {
          guard let range = reader.take(element, number) else { return }
          part(index == 0 ? .start : index == 1 ? .width : .height, range)
        }
      } while opcode == 0x54 && reader.at < reader.end
    case 0x55...0x57:
      guard message.byteCount > 4 else { return }
      let isPercentage = message.integer(3, 1) & 0x80 != 0
      var parts = properties[UInt16(truncatingIfNeeded: message.integer(1, 2))]
      if parts == nil {
        // Two deltas and two limits besides the interval: if they fit, the size of a value follows from the message's length.
        let (rest, count) = isPercentage ? (message.byteCount &- 9, 2) : (message.byteCount &- 5, 4)
        if rest > 0, rest % count == 0 { parts = [Part(size: rest / count, characteristic: nil)] }
      }
      let deltas = isPercentage ? [Part(size: 2, characteristic: .percentageChange16)] : parts
      reader.at = 4
      guard let deltas else { return part(.remainder, 4..<message.byteCount) }
      for kind in [SensorPart.deltaDown, .deltaUp] {
        guard let range = reader.take(deltas, number) else { return }
        part(kind, range)
      }
      guard let interval = reader.take([Part(size: 1, characteristic: nil)], number) else { return }
      part(.interval, interval)
      guard let parts else {
        if reader.at < reader.end { part(.remainder, reader.at..<reader.end) }
        return
      }
      for kind in [SensorPart.fastLow, .fastHigh] {
        guard let range = reader.take(parts, number) else { return }
        part(kind, range)
      }
    default: return
    }
  }

  /// The header of a property in a Sensor Status (Mesh Model, 4.2.14).
  public struct SensorHead {
    /// It has three bytes (Format B), not two.
    public let isLong: Bool
    /// The length field.
    public let length: Int
    /// The property; nil where the message ends before it.
    public let property: UInt16?

    /// Size of the value in bytes: the length field plus 1, and 0 for 127.
    public var valueLength: Int { isLong && length == 0x7F ? 0 : length &+ 1 }

    /// The header at an offset of a message; nil at the end of the message.
    public init?(_ message: RawSpan, _ at: Int) {
      guard at >= 0, at < message.byteCount else { return nil }
      let first = message.integer(at, 1)
      isLong = first & 1 == 1
      length = Int(truncatingIfNeeded: isLong ? first >> 1 : first >> 1 & 15)
      if isLong {
        property = message.byteCount &- at >= 3 ? UInt16(truncatingIfNeeded: message.integer(at &+ 1, 2)) : nil
      } else {
        property = message.byteCount &- at >= 2 ? UInt16(truncatingIfNeeded: message.integer(at, 2) >> 5) : nil
      }
    }
  }

  /// Goes through the numbers of values, one after the other.
  private struct SensorReader {
    var at = 0
    var end: Int

    init(end: Int) { self.end = end }

    /// Takes a number; nil where the message ends within it.
    @discardableResult
    mutating func take(_ part: Part, _ number: (Characteristic, Range<Int>) -> Void) -> Range<Int>? {
      guard part.size > 0, end &- at >= part.size else { return nil }
      let range = at..<at &+ part.size
      at = range.upperBound
      if let characteristic = part.characteristic { number(characteristic, range) }
      return range
    }

    /// Takes the numbers of a value; nil where the message ends within them.
    mutating func take(_ parts: [Part], _ number: (Characteristic, Range<Int>) -> Void) -> Range<Int>? {
      let start = at
      for part in parts where take(part, number) == nil { return nil }
      return start < at ? start..<at : nil
    }
  }

  /// The parts of the values of each property, in the order of columns: start, width, value.
  static let properties: [UInt16: [Part]] = {
    var result: [UInt16: [Part]] = [:]
    for line in propertyText.description.split(separator: "\n") {
      let words = line.split(separator: " ")
      let parts = words.dropFirst().map { word in
        let characteristic = Characteristic(rawValue: String(word))
        return Part(size: characteristic?.size ?? Int(word) ?? 0, characteristic: characteristic)
      }
      for number in words.first?.split(separator: ",") ?? [] { if let number = UInt16(number, radix: 16) { result[number] = parts } }
    }
    return result
  }()

  /// Properties with the parts of their values: characteristics, or a number of bytes.
  static let propertyText: StaticString = """
    1 timeDecihour8 timeDecihour8 temperature8
    60 timeDecihour8 timeDecihour8 energy
    61 genericLevel genericLevel percentage8
    62 illuminance illuminance percentage8
    63 2 2 percentage8
    64 temperature temperature percentage8
    65 electricCurrent electricCurrent percentage8
    66 2 2 percentage8
    4d boolean
    32,33,34,35,74 coefficient
    4c count16
    57,5c electricCurrent
    d,6a energy
    2b,2c,2d,4e,55 illuminance
    fffe index
    2e,2f,30 perceivedLightness
    29,31,3d,42,43,48,53,58,5f,b7 percentage8
    ffff percentageChange16
    54,75 temperature
    4f,56,5b,71 temperature8
    36,37,38,39,3a,3b,3c timeMillisecond24
    68,69 timeSecond16
    7,8,9,73,79,87,8a,8b,8c,b1,b2,b3 1
    6,a,b,1e,1f,20,3e,51,59,5a,5d,5e,76,77,78,85,86,89,94,9d,9e,a1,a7,a8,aa,ad,af,b0 2
    2,3,4,5,c,17,18,3f,40,52,6b,6c,6d,6e,6f,70,81,84,88,8d,93,97,98,9c,9f,a0,a4,a6,ab,ac,ae 3
    13,1d,41,46,50,72,80,82,83,8e,8f,a2,a9 4
    1c,45 5
    f,15,1b,21,23,24,25,26,27,28,44,49,4b,67,90,91,92,95,96,9b,a3,a5,b5,b6 6
    e,1a 8
    14,16,22,2a,47,4a 9
    10,19 16
    12,99,9a 24
    11 36
    b4 64
    """
}
