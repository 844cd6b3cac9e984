import PacketCodecs

/// MODBUS RTU: the address of a device, a function code, the function's data, a CRC (MODBUS over Serial Line V1.02, 2.5.1; MODBUS Application
/// Protocol V1.1b3, 6).
enum ModbusDetector: StandardDetector {
  static var order: ByteOrder { .big }

  /// The forms of messages that are recognised.
  private enum Form: Hashable, CaseIterable {
    case read, values, write, writeSeveral, written, exception

    /// Whether a message has this form; its CRC is not looked at.
    func fits(_ frame: ArraySlice<UInt8>) -> Bool {
      guard frame.count >= 5, let function = frame.number(1, 1, .big) else { return false }
      let second = frame.number(4, 2, .big) ?? 0
      switch (self, function) {
      case (.read, 1...2): return frame.count == 8 && (1...2000).contains(second)
      case (.read, 3...4): return frame.count == 8 && (1...125).contains(second)
      case (.values, 1...4):
        guard let bytes = frame.number(2, 1, .big), bytes > 0, function <= 2 || bytes % 2 == 0 else { return false }
        return frame.count == Int(bytes) + 5
      case (.write, 5): return frame.count == 8 && (second == 0 || second == 0xFF00)
      case (.write, 6): return frame.count == 8
      case (.writeSeveral, 15...16):
        guard let bytes = frame.number(6, 1, .big), second > 0 else { return false }
        return bytes == (function == 16 ? second * 2 : (second + 7) / 8) && frame.count == Int(bytes) + 9
      case (.written, 15): return frame.count == 8 && (1...1968).contains(second)
      case (.written, 16): return frame.count == 8 && (1...123).contains(second)
      case (.exception, 0x81...0x84), (.exception, 0x85...0x86), (.exception, 0x8F...0x90):
        return frame.count == 5 && (1...11).contains(frame.number(2, 1, .big) ?? 0)
      default: return false
      }
    }
  }

  static func claim(_ frames: [ArraySlice<UInt8>], _ framing: FramingFinding) -> StandardFinding? {
    guard let check = framing.check, check.checksum.algorithm.name == "CRC-16/MODBUS", check.checksum.position == -2,
      check.confidence >= 0.9,
      !check.isPerPacket, check.isOfAll, framing.escape == nil, CheckDetector.different(frames, 3).count >= 3
    else { return nil }
    var functions: [Int: Int] = [:]
    var holds = 0
    var isRead = false
    for frame in frames {
      guard let form = Form.allCases.first(where: { $0.fits(frame) }), let function = frame.number(1, 1, .big) else { continue }
      holds += 1
      isRead = isRead || form == .read || form == .values
      functions[form == .exception ? -1 : Int(function), default: 0] += 1
    }
    // Other protocols have this CRC, too, and some messages of eight bytes: nearly all messages must fit, and some must be reads.
    guard isRead, holds * 100 >= frames.count * 98 else { return nil }
    let parts = functions.sorted { $0.value != $1.value ? $0.value > $1.value : $0.key < $1.key }.map { "\(name($0.key)) \($0.value)" }
    let answers: [Form] = [.values, .write, .written, .exception]
    let areResponses = frames.allSatisfy { frame in answers.contains { $0.fits(frame) } }
    return StandardFinding(
      name: "MODBUS RTU", text: "MODBUS RTU: \(parts.joined(separator: ", ")) of \(frames.count)",
      length: areResponses
        ? StandardFinding.LengthExpression(
          header: "{id: address, type: u1}, {id: function, type: u1}, {id: third, type: u1}",
          value: "function >= 0x80 ? 5 : function >= 5 ? 8 : third + 5") : nil)
  }

  static func fields(_ frames: [ArraySlice<UInt8>]) -> [FieldFinding] {
    guard let function = frames.first?.number(1, 1, .big), frames.allSatisfy({ $0.number(1, 1, .big) == function }),
      let form = Form.allCases.first(where: { form in frames.allSatisfy { form.fits($0) } })
    else { return [] }
    func field(_ offset: Int, _ size: Int, _ name: String, _ type: FieldType = .uint) -> FieldFinding {
      let values = frames.compactMap { $0.number(offset, size, .big) }
      let (low, high) = (values.min() ?? 0, values.max() ?? 0)
      var field = FieldFinding(
        offset: offset, size: size, type: type, endian: size > 1 ? .big : nil, confidence: 0.95,
        evidence: "MODBUS, " + (low == high ? "\(low)" : "\(low) to \(high)"))
      field.name = name
      return field
    }
    var head = [field(0, 1, "address"), field(1, 1, "function", .enum)]
    head[1].evidence = "MODBUS, " + Self.name(function >= 0x80 ? -1 : Int(function))
    switch form {
    case .read, .written: return head + [field(2, 2, "register"), field(4, 2, "count")]
    case .write: return head + [field(2, 2, "register"), field(4, 2, "value")]
    case .values: return head + [field(2, 1, "byte_count", .length)]
    case .writeSeveral: return head + [field(2, 2, "register"), field(4, 2, "count"), field(6, 1, "byte_count", .length)]
    case .exception: return head + [field(2, 1, "exception", .enum)]
    }
  }

  static func cuts(_ frames: [ArraySlice<UInt8>], upTo end: Int) -> [Int] {
    // Registers have two bytes each.
    switch frames.first?.number(1, 1, .big) {
    case 3?, 4?: frames.allSatisfy(Form.values.fits) ? Array(stride(from: 3, through: end, by: 2)) : []
    case 16?: frames.allSatisfy(Form.writeSeveral.fits) ? Array(stride(from: 7, through: end, by: 2)) : []
    default: []
    }
  }

  /// The specification's name of a function; -1 stands for exceptions.
  private static func name(_ function: Int) -> String {
    switch function {
    case 1: "read coils"
    case 2: "read discrete inputs"
    case 3: "read holding registers"
    case 4: "read input registers"
    case 5: "write single coil"
    case 6: "write single register"
    case 15: "write multiple coils"
    case 16: "write multiple registers"
    default: "exception"
    }
  }
}
