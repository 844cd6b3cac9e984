// Redaction: makes a capture safe to share.
//
// Two passes through the pipeline of Analysis: `SurveyPass` learns what the capture gives away, `WritingPass` writes the same packets with
// replacements. Lengths, structure and checksums stay as they were, and equal things get equal replacements.
//
// Read first: `Redaction` (options and the two passes), `FieldFinder` (which fields of a PDU are sensitive), `Inventory` (what was found, and what
// replaces it).
//
// Where sensitive fields come from: addresses and names from the layouts of Bluetooth, secrets from their mark `!` in these layouts, values of
// characteristics from `SensitiveCharacteristic`, passwords from what profiles mark as secret. To add a kind of thing: a case of `ExposureKind`,
// where `FieldFinder` finds it, and its replacement in `Inventory.replacement(_:_:)`. `ByteReplacer` then replaces it in other places too, where
// `Inventory.complete()` hands it on.

import Bluetooth
import Captures
import Conversations
import Profiles
import Analysis

/// Makes a capture safe to share: in a first pass it learns what the capture gives away, in a second it writes the same packets with other
/// bytes in these places. Lengths, structure and checksums stay as they were.
public final class Redaction {
  /// What is redacted, and how.
  public struct Options {
    /// The same seed gives the same pseudonyms; with nil they are different each time.
    public var seed: String?
    /// The company part of public addresses stays.
    public var keepsCompany = false
    /// Random addresses stay static, resolvable or non-resolvable ones.
    public var keepsRandomKind = true
    /// Comments, log lines and system notes stay, except for names, addresses and keys in them.
    public var keepsTexts = false
    /// Packets that btscribe does not decode stay.
    public var keepsUnknown = false
    /// Characteristics whose values are taken out too.
    public var values: [AttributeChoice] = []
    /// Profiles: what they mark as secret is taken out, and names keep the part that profiles choose a device by.
    public var profiles: ProfileSet?

    /// The defaults.
    public init() {}
  }

  /// Attributes, by their type or by their handle.
  public enum AttributeChoice: Sendable, Equatable {
    /// All of a type.
    case uuid(Bluetooth.BluetoothUUID)
    /// Those of a handle.
    case handle(UInt16)

    /// A handle as `0x0021`, or a UUID of 16, 32 or 128 bits. Nil where it is neither.
    public init?(_ text: String) {
      if text.hasPrefix("0x"), text.utf8.count <= 6, let handle = UInt16(text.dropFirst(2), radix: 16) {
        self = .handle(handle)
      } else if let uuid = Bluetooth.BluetoothUUID(text) {
        self = .uuid(uuid)
      } else {
        return nil
      }
    }
  }

  /// What the first pass found.
  public var exposures: [Exposure] { counter.list }
  /// What could not be redacted, in sentences.
  public internal(set) var warnings: [String] = []
  /// The format that was written has a place for a note on what was done.
  public internal(set) var hasPlaceForNote = true
  /// Called with a profile that was wanted but has a mistake; it is then left out.
  public var onProfileError: @Sendable (ProfileError) -> Void = { _ in }

  let options: Options
  var inventory: Inventory
  var counter = ExposureCounter()
  var unrepaired: [Int] = []
  var unlocated = 0

  /// Redacts according to `options`.
  public init(_ options: Options) {
    self.options = options
    var pseudonyms = Pseudonyms(seed: options.seed)
    pseudonyms.keepsCompany = options.keepsCompany
    pseudonyms.keepsRandomKind = options.keepsRandomKind
    inventory = Inventory(pseudonyms, NamePatterns(options.profiles?.devicePatterns ?? []))
  }

  /// The first pass: ``exposures`` tell what the capture gives away. Throws ``CaptureError``.
  public func survey(_ source: any PacketSource, _ facts: CaptureFacts) throws -> Outcome {
    let timeline = timeline(source, options.profiles)
    timeline.onProfileError = onProfileError
    let outcome = try timeline.run(facts, to: SurveyPass(self))
    inventory.complete()
    if inventory.isOverfull { warnings.append("too much lies in several packets to be replaced") }
    if unlocated > 0 { warnings.append("\(unlocated) fields could not be located in their packets") }
    if !unrepaired.isEmpty {
      let frames = unrepaired.prefix(5).map { "#\($0)" }.joined(separator: " ")
      warnings.append("the checksums of \(unrepaired.count) messages are not right any more: \(frames)")
    }
    return outcome
  }

  /// The second pass: writes the packets of the same capture. Throws ``CaptureError``.
  public func write(_ source: any PacketSource, _ facts: CaptureFacts, to writer: CaptureWriter) throws -> Outcome {
    _ = try source.rewind()
    return try timeline(source, nil).run(facts, to: WritingPass(self, source, writer))
  }

  private func timeline(_ source: any PacketSource, _ profiles: ProfileSet?) -> Timeline {
    var options = Timeline.Options()
    options.includesFragments = true
    options.tracksPieces = true
    options.profiles = profiles
    options.believesProfiles = true
    return Timeline(source, options: options)
  }
}

extension Redaction {
  /// Which bytes of a row's PDU are values that were chosen.
  func chosenValues(_ row: PacketRow, _ batch: RowBatch, valueEvents: Range<Int>) -> [Range<Int>] {
    guard !options.values.isEmpty, row.layer == .att else { return [] }
    var ranges: [Range<Int>] = []
    if row.flags.contains(.hasValue), row.valueCount > 0, isChosen(row.attribute, row.attributeHandle, batch.tables) {
      ranges.append(Int(row.valueOffset)..<Int(row.valueOffset) + Int(row.valueCount))
    }
    // Notifications and reads of several values.
    for event in batch.valueEvents[valueEvents] where event.bytes.count > 0 && isChosen(event.attribute, event.channel, batch.tables) {
      if let offset = row.pdu.offset(of: event.bytes) { ranges.append(offset..<offset + event.bytes.count) }
    }
    if row.attOpcode == .readByTypeResponse, row.asked >= 0, batch.tables.uuids.indices.contains(Int(row.asked)),
      options.values.contains(.uuid(batch.tables.uuids[Int(row.asked)]))
    {
      let length = Int(row.pdu.u8(1) ?? 0)
      var at = 2
      while length > 2, at + 2 < row.pdu.count {
        ranges.append(at + 2..<min(at + length, row.pdu.count))
        at += length
      }
    }
    return ranges
  }

  private func isChosen(_ attribute: Int32, _ handle: UInt16, _ tables: Tables) -> Bool {
    options.values.contains { choice in
      switch choice {
      case .handle(let wanted): return wanted == handle
      case .uuid(let wanted):
        guard attribute >= 0, tables.attributes.indices.contains(Int(attribute)) else { return false }
        return tables.type(of: tables.attributes[Int(attribute)]) == wanted
      }
    }
  }
}

extension PacketRecord {
  /// Where a BR/EDR sniffer's header says parts of addresses (link type 255: LAP, and LAP and UAP of the piconet); nil for others.
  var basebandAddress: Range<Int>? { kind == .baseband && payload == 22 ? 8..<16 : nil }
}

extension PacketKind {
  /// Where the free text of a note lies in its payload.
  func textRange(_ payload: UnsafeRawBufferPointer) -> Range<Int> {
    switch self {
    case .systemNote: return 0..<payload.count
    case .userLogging:
      // Priority, length of the identity, identity, text.
      return unsafe payload.count < 2 ? 0..<0 : min(2 + Int(payload[1]), payload.count)..<payload.count
    case .syslog:
      // Process number and kind, then process, sender, subsystem and category, each up to a NUL.
      var at = min(5, payload.count)
      var left = 4
      while left > 0, at < payload.count {
        if unsafe payload[at] == 0 { left -= 1 }
        at += 1
      }
      return left == 0 ? at..<payload.count : min(5, payload.count)..<payload.count
    default: return 0..<0
    }
  }
}
