@_spi(Pipeline) import Analysis
import Bluetooth
import Conversations
import Memory
import Text

/// Finds the differences of two steps with the same key.
struct StepDifferences {
  let a: Recording, b: Recording
  let variation: Variation
  let latencies: Latencies
  let isStrict: Bool

  typealias FieldChange = CaptureDifferences.FieldChange

  /// The properties that differ in a pair of steps of a key.
  func changes(_ step: Step, _ other: Step, _ key: Int32, _ shape: StepKeys.Shape) -> [FieldChange] {
    var changes: [FieldChange] = []
    status(step, other, &changes)
    numbers(step, other, &changes)
    if step.message >= 0 && other.message >= 0 {
      fields(step, other, key, shape, &changes)
    } else if step.value >= 0, other.value >= 0 {
      // The profile of one value is not known.
      bytes(step, other, key, shape, &changes)
    } else if (step.message >= 0) != (other.message >= 0), step.message != BytePool.unkept, other.message != BytePool.unkept {
      // A failed answer has no content; the status is already reported.
      let titles = [(step, a), (other, b)].map { step, recording in
        step.message >= 0 ? MessageRecord.all(recording.pool[step.message]).map(\.title).joined(separator: ", ") : ""
      }
      if changes.isEmpty { changes.append(FieldChange(field: "message", a: titles[0], b: titles[1])) }
    }
    latency(step, other, key, &changes)
    return changes
  }

  /// Whether ``what(_:_:_:_:)`` finds anything. It makes no texts.
  func isOther(_ step: Step, _ other: Step, _ key: Int32, _ shape: StepKeys.Shape) -> Bool {
    guard step.message >= 0, other.message >= 0 else { return !changes(step, other, key, shape).isEmpty }
    var changes: [FieldChange] = []
    status(step, other, &changes)
    numbers(step, other, &changes)
    latency(step, other, key, &changes)
    return !changes.isEmpty || areOther(step.message, other.message, key, shape)
  }

  /// Fields of a message by path, with hashes of their values.
  private typealias HashedMessage = (profile: UInt64, name: UInt64, fields: [(path: UInt64, value: UInt64)])

  private static func hashed(_ message: Int32, _ recording: Recording) -> [HashedMessage] {
    recording.pool.with(message) { bytes in
      var messages: [HashedMessage] = []
      MessageRecord.visit(bytes) { piece, _ in
        switch piece {
        case .message(let profile, let name): messages.append((profile, name, []))
        case .field(let path, let value, _):
          if !messages.isEmpty { messages[messages.count - 1].fields.append((path, value)) }
        }
      }
      return messages
    }
  }

  /// Whether ``fields(_:_:_:_:_:)`` would find a difference.
  private func areOther(_ message: Int32, _ other: Int32, _ key: Int32, _ shape: StepKeys.Shape) -> Bool {
    guard a.pool[message] != b.pool[other] else { return false }
    let (mine, theirs) = (Self.hashed(message, a), Self.hashed(other, b))
    guard mine.count == theirs.count else { return true }
    let nothing = StepHash.of([])
    for (before, after) in zip(mine, theirs) {
      if before.profile != after.profile || before.name != after.name { return true }
      var seen: Set<UInt64> = []
      func isDifference(_ path: UInt64, _ a: UInt64, _ b: UInt64) -> Bool {
        guard a != b, seen.insert(path).inserted else { return false }
        return isStrict
          || !(a == nothing || b == nothing ? variation.isOptional(path, key, shape) : variation.varies(path, key, shape))
      }
      for (index, field) in before.fields.enumerated() {
        // Usually both have the same fields in the same order.
        let isThere = index < after.fields.count && after.fields[index].path == field.path
        let value = isThere ? after.fields[index].value : after.fields.last { $0.path == field.path }?.value ?? nothing
        if isDifference(field.path, field.value, value) { return true }
      }
      for field in after.fields where !before.fields.contains(where: { $0.path == field.path }) {
        if isDifference(field.path, nothing, field.value) { return true }
      }
    }
    return false
  }

  // MARK: Status

  private func status(_ step: Step, _ other: Step, _ changes: inout [FieldChange]) {
    guard step.ending != .open, other.ending != .open else { return }
    let isSame = step.ending == other.ending && (step.ending == .succeeded && step.kind != .disconnect || step.status == other.status)
    if isSame { return }
    if step.kind == .disconnect {
      if step.status != other.status {
        changes.append(FieldChange(field: "reason", a: reason(step.status), b: reason(other.status)))
        return
      }
    }
    changes.append(FieldChange(field: "status", a: Self.status(step), b: Self.status(other)))
  }

  private func reason(_ code: UInt8) -> String { "\(Status.failure(code, .hci))" }

  /// The status of a step in a word.
  static func status(_ step: Step) -> String {
    switch step.ending {
    case .succeeded: "ok"
    case .failed: "\(Status.failure(step.status, step.domain))"
    case .unanswered: "no answer"
    case .cancelled: "cancelled"
    case .open: "open"
    }
  }

  // MARK: Numbers

  private func numbers(_ step: Step, _ other: Step, _ changes: inout [FieldChange]) {
    guard step.ending == .succeeded, other.ending == .succeeded else { return }
    let (mine, theirs) = (Self.numbers(a.details[a.context(step).facts]), Self.numbers(b.details[b.context(other).facts]))
    guard mine != theirs else { return }
    func compare(_ index: Int, _ field: String, _ text: (Int) -> String = { "\($0)" }) {
      if mine[index] != theirs[index] { changes.append(FieldChange(field: field, a: text(mine[index]), b: text(theirs[index]))) }
    }
    switch step.kind {
    case .mtu:
      compare(2, "mtu")
      if mine[2] == theirs[2] {
        compare(0, "offered")
        compare(1, "answered")
      }
    case .dataLength:
      compare(0, "sent_octets")
      compare(1, "received_octets")
    case .phy:
      let names = ["unchanged", "LE 1M", "LE 2M", "LE Coded"]
      compare(0, "sent_phy") { names.indices.contains($0) ? names[$0] : "\($0)" }
      compare(1, "received_phy") { names.indices.contains($0) ? names[$0] : "\($0)" }
    case .parameters:
      compare(0, "interval") { Self.milliseconds($0 * 1250) }
      compare(1, "peripheral_latency")
      compare(2, "timeout") { Self.milliseconds($0 * 10_000) }
    case .pairing:
      compare(0, "initiator_io_capability", Self.capability)
      compare(1, "responder_io_capability", Self.capability)
      compare(2, "initiator_requirements", Self.requirements)
      compare(3, "responder_requirements", Self.requirements)
    default: break
    }
  }

  private static func numbers(_ bytes: ArraySlice<UInt8>) -> SIMD4<Int> {
    var numbers = SIMD4<Int>.zero
    for index in 0..<4 where bytes.count >= 16 {
      let start = bytes.startIndex + index * 4
      numbers[index] = Int(Int32(bitPattern: (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[start + $1]) << UInt32($1 * 8) }))
    }
    return numbers
  }

  /// Microseconds as milliseconds.
  private static func milliseconds(_ micros: Int) -> String {
    let rest = micros % 1000
    if rest == 0 { return "\(micros / 1000) ms" }
    var digits = String(1000 + abs(rest)).dropFirst()
    while digits.last == "0" { digits.removeLast() }
    return "\(micros / 1000).\(digits) ms"
  }

  private static func capability(_ number: Int) -> String {
    let names = ["display only", "display yes/no", "keyboard only", "no input, no output", "keyboard and display"]
    return names.indices.contains(number) ? names[number] : "\(number)"
  }

  private static func requirements(_ bits: Int) -> String {
    var words: [String] = []
    if bits & 3 != 0 { words.append("bonding") }
    if bits & 4 != 0 { words.append("MITM protection") }
    if bits & 8 != 0 { words.append("Secure Connections") }
    if bits & 16 != 0 { words.append("keypress") }
    if bits & 32 != 0 { words.append("CT2") }
    if bits & 0x100 != 0 { words.append("out of band data") }
    return words.isEmpty ? "none" : words.joined(separator: ", ")
  }

  // MARK: Values

  private func fields(_ step: Step, _ other: Step, _ key: Int32, _ shape: StepKeys.Shape, _ changes: inout [FieldChange]) {
    guard a.pool[step.message] != b.pool[other.message] else { return }
    let (mine, theirs) = (MessageRecord.all(a.pool[step.message]), MessageRecord.all(b.pool[other.message]))
    for index in 0..<max(mine.count, theirs.count) {
      guard index < mine.count, index < theirs.count else {
        changes.append(FieldChange(field: "messages", a: "\(mine.count)", b: "\(theirs.count)"))
        return
      }
      let (before, after) = (mine[index], theirs[index])
      if before.profile != after.profile || before.name != after.name {
        changes.append(FieldChange(field: "message", a: before.title, b: after.title))
        continue
      }
      var values: [String: String] = [:]
      for field in after.fields { values[field.path] = field.value }
      var seen: Set<String> = []
      func compare(_ path: String, _ a: String, _ b: String) {
        guard a != b, seen.insert(path).inserted, changes.count < 64 else { return }
        // A field that is missing, or was never there, is reported though its values vary.
        let location = MessageRecord.path(path, of: before.name)
        let isUsual = a.isEmpty || b.isEmpty ? variation.isOptional(location, key, shape) : variation.varies(location, key, shape)
        if isStrict || !isUsual { changes.append(FieldChange(field: path, a: a, b: b)) }
      }
      for (index, field) in before.fields.enumerated() {
        let isThere = index < after.fields.count && after.fields[index].path == field.path
        compare(field.path, field.value, isThere ? after.fields[index].value : values[field.path] ?? "")
      }
      let known = Set(before.fields.map(\.path))
      for field in after.fields where !known.contains(field.path) { compare(field.path, "", field.value) }
    }
  }

  private func bytes(_ step: Step, _ other: Step, _ key: Int32, _ shape: StepKeys.Shape, _ changes: inout [FieldChange]) {
    let (mine, theirs) = (a.pool[step.value], b.pool[other.value])
    guard mine != theirs else { return }
    let (before, after) = (Array(mine.dropFirst(12)), Array(theirs.dropFirst(12)))
    let (longBefore, longAfter) = (Self.length(mine), Self.length(theirs))
    guard longBefore == longAfter else {
      if isStrict || !variation.lengthVaries(key, shape) {
        changes.append(FieldChange(field: "value", a: Self.hex(before, of: longBefore), b: Self.hex(after, of: longAfter)))
      }
      return
    }
    if step.isSubscription, other.isSubscription, let mine = before.first, let theirs = after.first, mine & 3 != theirs & 3 {
      let names = ["off", "notifications", "indications", "notifications and indications"]
      changes.append(FieldChange(field: "subscription", a: names[Int(mine & 3)], b: names[Int(theirs & 3)]))
      return
    }
    let mask = isStrict ? 0 : variation.varying(of: before.count, key, shape)
    func varies(_ position: Int) -> Bool { position < 64 && mask >> UInt64(position) & 1 == 1 }
    var at = 0
    var isAnyMasked = false
    while at < min(before.count, after.count) {
      let isMasked = varies(at)
      isAnyMasked = isAnyMasked || isMasked
      guard before[at] != after[at], !isMasked else {
        at += 1
        continue
      }
      var end = at + 1
      while end < before.count, before[end] != after[end], !varies(end) { end += 1 }
      let field = end == at + 1 ? "value[\(at)]" : "value[\(at)-\(end - 1)]"
      changes.append(FieldChange(field: field, a: Self.hex(Array(before[at..<end])), b: Self.hex(Array(after[at..<end]))))
      at = end
    }
    if changes.isEmpty, before == after, longBefore > before.count, isStrict || !isAnyMasked {
      changes.append(FieldChange(field: "value[\(before.count)-\(longBefore - 1)]", a: "", b: "other bytes"))
    }
  }

  private static func length(_ value: ArraySlice<UInt8>) -> Int {
    value.dropFirst(8).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  private static func hex(_ bytes: [UInt8], of length: Int? = nil) -> String {
    var text: [UInt8] = []
    bytes.withBorrowedBytes { text.append(hexOf: $0) }
    if let length, length > bytes.count { text.append(contentsOf: "… (+\(length - bytes.count))".utf8) }
    return String(decoding: text, as: UTF8.self)
  }

  // MARK: Times

  private func latency(_ step: Step, _ other: Step, _ key: Int32, _ changes: inout [FieldChange]) {
    guard Latencies.counts(step.kind), step.ending != .open, other.ending != .open, step.latency >= 0, other.latency >= 0,
      other.latency > latencies.bound(key, step)
    else { return }
    changes.append(FieldChange(field: "latency", a: Self.milliseconds(Int(step.latency)), b: Self.milliseconds(Int(other.latency))))
  }
}

/// Latencies of answers in good captures.
struct Latencies {
  private var slowest: [Int32: Int32] = [:]

  /// Latencies up to this, in µs, are never slow.
  private static let minimumLatency: Int32 = 1_000_000

  /// Whether the latency of this kind of operation depends on the device: that of a connection depends on the radio, that of a pairing on the user.
  static func counts(_ kind: Operation.Kind) -> Bool {
    switch kind {
    case .read, .write, .preparedWrite, .subscribe, .unsubscribe, .indication, .mtu, .encryption, .channel: true
    default: false
    }
  }

  mutating func learn(_ recording: Recording, _ keys: [Int32]) {
    for (index, step) in recording.steps.enumerated() where step.latency >= 0 && Self.counts(step.kind) {
      slowest[keys[index]] = max(slowest[keys[index]] ?? 0, step.latency)
    }
  }

  /// Whether the answer is slower than answers of its key in good captures.
  func isSlow(_ step: Step, _ key: Int32) -> Bool {
    guard Self.counts(step.kind), step.latency > Self.minimumLatency else { return false }
    let three = (slowest[key] ?? 0).multipliedReportingOverflow(by: 3)
    return !three.overflow && step.latency > three.partialValue && step.latency - Self.minimumLatency > slowest[key] ?? 0
  }

  /// The latency above which an answer is reported as slower: three times the slowest of its key, and a second more than that of the compared step.
  func bound(_ key: Int32, _ step: Step) -> Int32 {
    let three = (slowest[key] ?? 0).multipliedReportingOverflow(by: 3)
    let (more, overflows) = max(step.latency, 0).addingReportingOverflow(Self.minimumLatency)
    return max(three.overflow ? .max : three.partialValue, overflows ? .max : more)
  }
}
