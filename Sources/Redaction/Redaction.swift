// Redaction: makes a capture safe to share.
//
// Only bytes that are known to be harmless are kept, decided field by field; there is no search for secrets. Two passes run through the pipeline of
// Analysis: the first learns the keys of private addresses and hashes the packets, the second judges each field, replaces what is not kept, and
// writes. Lengths, structure and checksums remain as they were, and equal values get equal replacements, computed by a keyed hash without a table.
//
// Read first: `Redaction` (options and the two passes), `FieldJudge` (which fields of a PDU are kept), `MessageJudge` (which of a profile's message),
// `RedactingPass` (the second pass), `DecodedPackets` (messages that are encoded in transit), `Pseudonyms` (the replacements).
//
// Rules that keep bytes: headers at fixed offsets (`PacketRecord.fixedHeader`), numbers and UUIDs of the layouts of Bluetooth, the fields and
// attributes in `AllowedFields`, numbers of profiles. Bytes without a rule are replaced when the packet is written. To keep a field, add its name to
// `AllowedFields`.

import Bluetooth
import Captures
import Conversations
import Memory
import Text
@_spi(Pipeline) import Profiles
@_spi(Pipeline) import Analysis

/// Makes a capture safe to share: the first pass learns the keys of private addresses, the second writes the same packets with private bytes
/// replaced. Lengths, structure and checksums remain as they were.
public final class Redaction {
  /// Options of a redaction.
  public struct Options {
    /// The same seed gives the same pseudonyms; nil gives different ones each time.
    public var seed: String?
    /// The company part of public addresses is kept.
    public var keepsCompany = false
    /// Random addresses keep their kind: static, resolvable or non-resolvable.
    public var keepsRandomKind = true
    /// Comments, log lines and system notes are kept.
    public var keepsTexts = false
    /// Packets and parameters that btscribe does not decode are kept.
    public var keepsUnknown = false
    /// Values of characteristics, advertising data and data of channels are kept, except names, keys and fields that profiles mark as secret.
    public var keepsValues = false
    /// Attributes whose values are kept.
    public var keptAttributes: [AttributeChoice] = []
    /// Fields of profiles that are kept, such as `gopro.ssid`.
    public var keptFields: Set<String> = []
    /// Attributes whose values are replaced although they are known to be harmless.
    public var values: [AttributeChoice] = []
    /// Profiles: their numbers and enumerations are kept, and the parts of names by which they match devices.
    public var profiles: ProfileSet?
    /// Different values are counted, and kept fields that could carry something private are listed, to check a capture.
    public var isDetailed = false

    /// The defaults.
    public init() {}
  }

  /// Attributes, by their type or by their handle.
  public enum AttributeChoice: Sendable, Equatable, CustomStringConvertible {
    /// All attributes of a type.
    case uuid(Bluetooth.BluetoothUUID)
    /// The attributes with a handle.
    case handle(UInt16)

    /// The text form that ``init(_:)`` parses.
    public var description: String {
      switch self {
      case .uuid(let uuid): uuid.description
      case .handle(let handle): "0x" + String(hex: handle, digits: 4)
      }
    }

    /// Parses a handle such as `0x0021`, or a UUID of 16, 32 or 128 bits. Nil where the text is neither.
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

  /// The private data of the capture that the second pass found.
  public var exposures: [Exposure] { counter.list }
  /// Kept fields that could carry something private; only where ``Options/isDetailed`` is set.
  public var kept: [KeptField] { keptCounter.list }
  /// Problems of the redaction, as sentences: messages that could not be redacted field by field, or that decode otherwise afterwards.
  public internal(set) var warnings: [String] = []
  /// The written format can hold the note on the redaction.
  public internal(set) var hasNotePosition = true
  /// The second pass read other packets than the first: the written capture must not be used.
  public private(set) var hasChanged = false
  /// Called with the error of a profile that cannot be compiled; the profile is left out.
  public var onProfileError: @Sendable (ProfileError) -> Void = { _ in }

  let options: Options
  let pseudonyms: Pseudonyms
  let patterns: NamePatterns
  /// The ids of btscribe's own profiles.
  let shipped: Set<String>
  /// The entry of ``counter`` for bytes without a field, of the profile that had some last.
  private var lastUnclaimed: (profile: CompiledProfile, index: Int)?
  /// The last profile that was looked for among ``shipped``.
  private var lastProfile: (profile: CompiledProfile, isShipped: Bool)?
  /// Traits of the names of profiles' fields.
  let fieldNames = FieldNames()
  var addresses: AddressBook
  /// UUIDs that name a type or a protocol.
  var uuids: KnownUUIDs
  /// Attributes that may be those of a keyboard.
  var keyboards = UnknownKeyboards()
  /// Initial values of CRCs in sniffers' packets.
  var checks = LinkLayerChecks()
  var counter: ExposureCounter
  private var keptCounter = KeptCounter()
  /// Number of search steps for the location of bytes, and of bytes replaced around messages; tests check that it grows no faster than the capture.
  var work = 0
  /// Messages that could not be encoded again, or whose structure was lost.
  var unrepaired = FrameCount()
  /// The messages of the second pass; `unproven`: by profile, the number of messages that were replaced as a whole for lack of evidence.
  var messages = MessageTally()
  var unproven: [String: Int] = [:]
  private var names = NameCache()
  private var keptPatterns: [String] = []
  /// Names of devices that match profiles, by address.
  private var deviceNames: [UInt64: [UInt8]] = [:]
  /// The hash of the packets that a pass read.
  private var running: KeyedHash.Running
  private var surveyed: UInt64?
  /// The first pass's verdicts on profiles that only a UUID or a name shared by many devices suggests.
  private var profileVerdicts = ProfileEngine.KnownVerdicts()
  private static let digestKey: (UInt64, UInt64) = (.random(in: 0 ... .max), .random(in: 0 ... .max))

  /// Redacts according to `options`.
  public init(_ options: Options) {
    self.options = options
    var pseudonyms = Pseudonyms(seed: options.seed)
    pseudonyms.keepsCompany = options.keepsCompany
    pseudonyms.keepsRandomKind = options.keepsRandomKind
    self.pseudonyms = pseudonyms
    addresses = AddressBook(pseudonyms)
    uuids = KnownUUIDs(
      options.profiles,
      chosen: options.keptAttributes.compactMap { choice in if case .uuid(let uuid) = choice { uuid } else { nil } })
    // A shipped profile that the user names has its id in place of a file.
    shipped = Set((options.profiles?.summaries ?? []).filter { $0.origin == .builtin || $0.origin == .given && $0.file == $0.id }.map(\.id))
    // The patterns of a user's profile may name that person's own device, and are not used.
    patterns = NamePatterns(options.profiles?.devicePatterns(of: shipped) ?? [])
    counter = ExposureCounter(isDetailed: options.isDetailed)
    running = KeyedHash.Running(Self.digestKey)
  }

  /// The first pass: learns the keys that resolve private addresses. Throws ``CaptureError``.
  public func survey(_ source: any PacketSource, _ facts: CaptureFacts) throws -> Outcome {
    running = KeyedHash.Running(Self.digestKey)
    let timeline = timeline(source, .survey, ProfileEngine.KnownVerdicts())
    let outcome = try timeline.run(facts, to: SurveyPass(self))
    profileVerdicts = timeline.profileVerdicts
    surveyed = running.value
    uuids.learn(outcome.tables, pseudonyms)
    for peer in outcome.tables.peers where !peer.name.isEmpty {
      guard let pattern = patterns.pattern(peer.name) else { continue }
      if keptPatterns.count < Self.maxNamed, !keptPatterns.contains(pattern) { keptPatterns.append(pattern) }
      if deviceNames.count < Self.maxDevices { deviceNames[peer.address] = peer.name }
    }
    return outcome
  }
  private static let maxNamed = 16
  private static let maxDevices = 65_536

  /// The second pass without writing: ``exposures`` and ``kept`` have its results. Throws ``CaptureError``.
  public func check(_ source: any PacketSource, _ facts: CaptureFacts) throws -> Outcome { try run(source, facts, nil) }

  /// The second pass: writes the packets of the same capture. Throws ``CaptureError``. Check ``hasChanged`` afterwards.
  public func write(_ source: any PacketSource, _ facts: CaptureFacts, to writer: CaptureWriter) throws -> Outcome {
    try run(source, facts, writer)
  }

  private func run(_ source: any PacketSource, _ facts: CaptureFacts, _ writer: CaptureWriter?) throws -> Outcome {
    _ = try source.rewind()
    running = KeyedHash.Running(Self.digestKey)
    let timeline = timeline(source, .rewriting, profileVerdicts)
    timeline.onProfileError = onProfileError
    let outcome = try timeline.run(facts, to: RedactingPass(self, source, writer))
    hasChanged = surveyed.map { $0 != running.value } ?? false
    count(source.metadata)
    if unrepaired.count > 0 {
      let frames = unrepaired.frames.map { "#\($0)" }.joined(separator: " ")
      warnings.append(
        "\(unrepaired.count) messages of profiles have an encoding that cannot be written again; they do not decode: \(frames)")
    }
    for (profile, count) in unproven.sorted(by: { $0.key < $1.key }).prefix(writer == nil ? 0 : Self.maxNamed) {
      let all = messages.count(of: profile)
      let what = all == 1 ? "its message was" : "\(count) of its \(all) messages were"
      warnings.append("profile \(profile): \(what) replaced: nothing proves that this data belongs to the profile")
    }
    return outcome
  }

  /// Decodes the written capture like its recipient, and adds to ``warnings`` the profiles whose messages decode otherwise. Throws ``CaptureError``.
  public func compare(_ written: any PacketSource, _ facts: CaptureFacts) throws {
    guard !messages.isEmpty else { return }
    var verdicts = profileVerdicts
    if !verdicts.isEmpty {
      // Verdicts on profiles that only a UUID or a name suggests are formed anew.
      let survey = timeline(written, .survey, ProfileEngine.KnownVerdicts())
      _ = try survey.run(facts, to: TallyPass())
      verdicts = survey.profileVerdicts
      guard try written.rewind() else { return }
    }
    let tally = TallyPass()
    _ = try timeline(written, .comparison, verdicts).run(facts, to: tally)
    // Messages that were replaced as a whole have their own warning.
    for loss in messages.losses(in: tally.tally).filter({ $0.lost > unproven[$0.profile] ?? 0 }).prefix(Self.maxNamed) {
      let what = loss.of == 1 ? "its message decodes" : "\(loss.lost) of its \(loss.of) messages decode"
      warnings.append("profile \(loss.profile): \(what) differently in the output: a value that decides how they are decoded was replaced")
    }
  }

  /// The purpose of a pass.
  private enum Pass {
    /// The first pass decides which of the profiles on trial fit, so that the second pass has their messages from the start.
    case survey
    /// The second pass tracks where bytes come from.
    case rewriting
    /// The third pass reads the written capture.
    case comparison
  }

  private func timeline(_ source: any PacketSource, _ pass: Pass, _ verdicts: ProfileEngine.KnownVerdicts) -> Timeline {
    var timeline = Timeline.Options()
    timeline.includesFragments = pass != .comparison
    timeline.tracksPieces = pass == .rewriting
    // Encrypted messages are not decrypted, so that no plaintext can get into the result.
    timeline.profiles = options.profiles?.with(.none)
    timeline.onlyJudgesProfiles = pass == .survey
    timeline.profileVerdicts = verdicts
    return Timeline(source, options: timeline)
  }

  /// Adds a packet to the hash of a pass.
  func digest(_ packet: PacketRecord, _ bytes: BorrowedBytes) {
    running.add(UInt64(bitPattern: packet.time))
    running.add(UInt64(UInt32(truncatingIfNeeded: packet.original)) | UInt64(packet.kind.rawValue) << 32)
    running.add(UInt64(packet.direction.rawValue) | UInt64(packet.adapter) << 16 | UInt64(packet.interface) << 32)
    unsafe running.add(bytes.buffer)
  }

  // MARK: The note

  /// The beginning of the note in a redacted capture.
  public static let noteStart = "redacted by btscribe"

  /// The note in a redacted capture: what was replaced, and what was kept.
  public var note: String {
    var stays: [String] = []
    func list(_ what: String, _ all: [String]) {
      if all.isEmpty { return }
      stays.append("\(what) \(all.prefix(Self.maxNamed).joined(separator: " "))\(all.count > Self.maxNamed ? " …" : "")")
    }
    if options.keepsValues { stays.append("values") }
    list("values of", options.keptAttributes.map(\.description))
    list("fields", options.keptFields.sorted())
    if options.keepsTexts { stays.append("texts") }
    if options.keepsUnknown { stays.append("what is not decoded") }
    if options.keepsCompany { stays.append("companies of addresses") }
    if !keptPatterns.isEmpty { stays.append("parts of names like \(keptPatterns.map { "\"\($0)\"" }.joined(separator: " "))") }
    let kept = stays.isEmpty ? "" : "; kept: \(stays.joined(separator: ", "))"
    return Self.note(kept: kept)
  }

  /// Whether a text is the note of this redaction, or of one that kept nothing. The format of a capture may have cut it, and fills it with dots.
  func isNote(_ text: String) -> Bool {
    let text = text.reversed().drop { $0 == "." }.reversed()
    return text.count >= Self.noteStart.count && [note, Self.note(kept: "")].contains { $0.hasPrefix(String(text)) }
  }

  private static func note(kept: String) -> String {
    "\(noteStart): values, names, texts and keys replaced, addresses by pseudonyms\(kept)"
  }

  // MARK: Counting

  func count(_ kind: ExposureKind, _ field: StaticName, _ frame: Int, _ value: () -> [UInt8]) {
    counter.add(kind, field, frame: frame, value)
  }
  func count(_ kind: ExposureKind, _ field: String, _ frame: Int, _ value: () -> [UInt8]) { counter.add(kind, field, frame: frame, value) }

  func count(_ field: MessageJudge.Judged, of judge: MessageJudge, _ frame: Int, _ value: () -> [UInt8]) {
    let line = judge.origin.index(field.name, field.kind) { counter.index(field.kind, judge.title(field)) }
    counter.add(line, frame, value)
  }

  /// Counts bytes of a message that no field of its profile has.
  func countUnclaimed(of profile: CompiledProfile, _ frame: Int, _ value: () -> [UInt8]) {
    if lastUnclaimed?.profile !== profile {
      lastUnclaimed = (profile, counter.index(.unknown, "\(profile.id) bytes without a field"))
    }
    if let lastUnclaimed { counter.add(lastUnclaimed.index, frame, value) }
  }

  /// Lists a kept field, where it could carry something private.
  func keeps(_ rule: Rule, _ layer: @autoclosure () -> StaticName, _ field: @autoclosure () -> StaticName, _ count: Int, _ frame: Int) {
    if options.isDetailed, count >= Self.fewestKept { keptCounter.add(rule, "\(layer()).\(field())", count, frame) }
  }
  func keeps(_ rule: Rule, profile field: @autoclosure () -> String, _ count: Int, _ frame: Int) {
    if options.isDetailed, count >= Self.fewestKept { keptCounter.add(rule, field(), count, frame) }
  }
  /// Six digits fit into this number of bytes; smaller fields are not listed.
  static let fewestKept = 3

  /// Lists the part of a name that is kept because patterns of profiles match it.
  func keepsName(_ name: [UInt8], _ field: @autoclosure () -> String, _ frame: Int) {
    guard options.isDetailed else { return }
    let count = patterns.kept(name).count { $0 }
    if count > 0 { keptCounter.add(.pattern, field(), count, frame) }
  }

  /// Whether all of the bytes are zeros.
  static func areZeros(_ bytes: ArraySlice<UInt8>) -> Bool { !bytes.contains { $0 != 0 } }

  /// Whether a profile is one of btscribe's own.
  func isShipped(_ profile: CompiledProfile) -> Bool {
    if let lastProfile, lastProfile.profile === profile { return lastProfile.isShipped }
    let isShipped = shipped.contains(profile.id)
    lastProfile = (profile, isShipped)
    return isShipped
  }

  // MARK: Rules

  /// The rule that keeps the values of a row's attribute; nil where there is none. `isOther` is the result of ``isOtherResponse(_:_:)``.
  func valueRule(_ row: PacketRow, _ batch: RowBatch, isOther: Bool) -> Rule? {
    guard row.layer == .att else { return nil }
    if row.attOpcode == .readByTypeResponse, row.detail >= 0, batch.tables.uuids.indices.contains(Int(row.detail)) {
      let size = Int(row.pdu.u8(1) ?? 0)
      let uuid = batch.tables.uuids[Int(row.detail)]
      let fits = uuid.short16.map { size - 2 <= AllowedFields.longest($0) } ?? false && !isOther
      return rule(uuid, 0, count: size - 2, fits: fits) {
        row.pdu.count == 2 + size && batch.tables.isPartOfReportMap(row.value, of: row.attribute)
      }
    }
    switch row.attOpcode {
    // Each value has its own attribute; a Read Multiple Response does not even have the sizes of its values.
    case .readMultipleVariableResponse, .multipleHandleValueNotification, .readMultipleResponse: return nil
    default: break
    }
    // A part of a value is not checked as a value.
    let isPart = row.attOpcode == .readBlobResponse || row.attOpcode == .prepareWriteRequest || row.attOpcode == .prepareWriteResponse
    let isRead = row.attOpcode == .readResponse || row.attOpcode == .readBlobResponse
    return rule(row.attribute, row.attributeHandle, row.value, isPart: isPart, batch, isRead: isRead)
  }

  /// Whether the user wants to keep the values of a row's attribute.
  func isKept(_ row: PacketRow, _ batch: RowBatch) -> Bool {
    guard !options.keptAttributes.isEmpty, row.layer == .att else { return false }
    let isKnown = row.attribute >= 0 && Int(row.attribute) < batch.tables.attributes.count
    let uuid = isKnown ? batch.tables.type(of: batch.tables.attributes[Int(row.attribute)]) : nil
    return isChosen(options.keptAttributes, uuid, row.attributeHandle)
  }

  private func isChosen(_ choices: [AttributeChoice], _ uuid: BluetoothUUID?, _ handle: UInt16) -> Bool {
    choices.contains { choice in
      switch choice {
      case .handle(let wanted): handle != 0 && wanted == handle
      case .uuid(let wanted): uuid == wanted
      }
    }
  }

  /// Whether a row is a response whose values cannot be of the requested type.
  func isOtherResponse(_ row: PacketRow, _ batch: RowBatch) -> Bool {
    guard row.layer == .att, row.attOpcode == .readByTypeResponse, row.detail >= 0, batch.tables.uuids.indices.contains(Int(row.detail)),
      let uuid = batch.tables.uuids[Int(row.detail)].short16, AllowedFields.longest(uuid) > 0
    else { return false }
    return !AllowedFields.areResponses(row.pdu, to: uuid)
  }

  /// Whether the values of a row are, or may be, keyboard or mouse input.
  func isTyped(_ row: PacketRow, _ batch: RowBatch) -> Bool {
    guard row.layer == .att else { return false }
    switch row.attOpcode {
    case .readMultipleResponse: return true
    case .readMultipleVariableResponse, .multipleHandleValueNotification: return false
    case .readByTypeResponse:
      guard row.detail >= 0, batch.tables.uuids.indices.contains(Int(row.detail)) else { return false }
      return batch.tables.uuids[Int(row.detail)].short16.map(AllowedFields.isTyped) ?? false
    default: return isTyped(row.attribute, batch)
    }
  }

  /// Whether the values of an attribute are keyboard or mouse input.
  func isTyped(_ attribute: Int32, _ batch: RowBatch) -> Bool {
    guard attribute >= 0, Int(attribute) < batch.tables.attributes.count else { return false }
    return batch.tables.type(of: batch.tables.attributes[Int(attribute)])?.short16.map(AllowedFields.isTyped) ?? false
  }

  /// The rule that keeps a value of an attribute, or a part of one. `isRead`: it is from a read response.
  func rule(_ attribute: Int32, _ handle: UInt16, _ value: PDUBytes, isPart: Bool = false, _ batch: RowBatch, isRead: Bool) -> Rule? {
    let isKnown = attribute >= 0 && Int(attribute) < batch.tables.attributes.count
    let uuid = isKnown ? batch.tables.type(of: batch.tables.attributes[Int(attribute)]) : nil
    let fits = !isPart && uuid?.short16.map { AllowedFields.fits($0, value) } ?? false
    return rule(uuid, handle, count: value.count, fits: fits) { isRead && batch.tables.isPartOfReportMap(value, of: attribute) }
  }

  private func rule(_ uuid: BluetoothUUID?, _ handle: UInt16, count: Int, fits: Bool, isOfReportMap: () -> Bool) -> Rule? {
    if !options.values.isEmpty, isChosen(options.values, uuid, handle) { return nil }
    let short = uuid?.short16
    if !options.keptAttributes.isEmpty {
      // A value that is longer than its type allows belongs to another attribute, and is not kept by that type.
      let longest = short.map(AllowedFields.longest) ?? 0
      if isChosen(options.keptAttributes, longest > 0 && count > longest ? nil : uuid, handle) { return .option }
    }
    // A report map may have any length. It is kept only where it was read, and only bytes that are part of a map that could be parsed.
    if let short, AllowedFields.longest(short) == .max ? isOfReportMap() : fits { return .standardValue }
    return options.keepsValues && !(short.map(AllowedFields.isSecret) ?? false) ? .option : nil
  }

  /// Whether there is evidence that an advertised message is one of its profile. `number` is the company or service of its data, if any.
  /// With a user's profile that is taken for granted.
  func isProven(_ message: ProfileMessage, _ payload: [UInt8], under number: AdvertisedSource.Number?, _ judge: MessageJudge) -> Bool {
    if !judge.isShipped || message.checksum == .ok || message.decryption == .opened { return true }
    if judge.origin.isOfOwner(message, number) { return true }
    if !deviceNames.isEmpty, judge.origin.isWanted(message, deviceNames) { return true }
    return message.isComplete && message.problem == nil && !judge.hasProblem && judge.proof.isEnough(payload, judge.origin.structure)
  }

  // MARK: Replacements

  /// The replacement of a field: as many bytes.
  func replacement(_ treatment: Treatment, _ old: [UInt8]) -> [UInt8] {
    switch treatment {
    case .keep: return old
    case .address(let isPublic, let isBigEndian):
      guard old.count == 6 else { return pseudonyms.value(old, as: .unknown) }
      return AddressBook.octets(addresses.pseudonym(AddressBook.number(old, isBigEndian), isPublic: isPublic), isBigEndian)
    case .key: return pseudonyms.key(old)
    case .pin: return old.map { $0 == 0 ? 0 : 0x30 }
    case .name: return name(old, as: Self.content(ofName: old))
    case .label: return name(old, as: .text)
    case .text: return pseudonyms.value(old)
    case .password: return pseudonyms.value(Self.withoutPunctuation(old) ?? old)
    case .number: return pseudonyms.value(old, as: .number)
    case .numberInText: return pseudonyms.numberInText(old)
    case .value: return pseudonyms.value(old, as: .unknown)
    case .digitKey: return old.map { $0 & 0x80 | 0x20 }
    case .silence: return [UInt8](repeating: 0, count: old.count)
    case .remark: return Pseudonyms.text(old.count)
    case .uuid(let isBigEndian): return uuid(old, isBigEndian)
    case .company: return company(old)
    case .raw: return raw(old)
    }
  }

  /// The replacement of a value that may be an input report: another one in each frame.
  func replacement(report old: [UInt8], at frame: Int) -> [UInt8] { pseudonyms.report(old, round: UInt64(frame)) }

  /// The replacement of a field of a message that is escaped in transit: each `round` gives another value with as many escaped bytes.
  func replacement(_ treatment: Treatment, _ old: [UInt8], round: UInt64, in escaping: Pseudonyms.Escaping) -> [UInt8] {
    switch treatment {
    case .key: pseudonyms.key(old, round: round)
    case .name: name(old, as: Self.content(ofName: old), round: round, in: escaping)
    case .label: name(old, as: .text, round: round, in: escaping)
    case .password: pseudonyms.value(Self.withoutPunctuation(old) ?? old, round: round, in: escaping)
    case .text: pseudonyms.value(old, round: round, in: escaping)
    case .number: pseudonyms.value(old, round: round, as: .number, in: escaping)
    case .value: pseudonyms.value(old, round: round, as: .unknown, in: escaping)
    default: replacement(treatment, old)
    }
  }

  /// Number of tag bits that prove that a field was replaced before; nil where there is no tag.
  func tagBits(_ treatment: Treatment, _ old: [UInt8]) -> Int? {
    if !old.contains(where: { $0 != 0 }) { return 0 }
    let bits: Int
    switch treatment {
    case .key: bits = pseudonyms.isPseudonym(key: old) ? 8 * min(8, old.count / 2) : 0
    case .name: bits = pseudonyms.tagBits(of: old, as: Self.content(ofName: old))
    case .label, .text: bits = pseudonyms.tagBits(of: old)
    case .password: bits = Self.withoutPunctuation(old) ?? old == old ? pseudonyms.tagBits(of: old) : 0
    case .number: bits = pseudonyms.tagBits(of: old, as: .number)
    case .value: bits = pseudonyms.tagBits(of: old, as: .unknown)
    default: bits = 0
    }
    return bits > 0 ? bits : nil
  }

  /// The replacement of a UUID, which must not be a known UUID by chance.
  private func uuid(_ old: [UInt8], _ isBigEndian: Bool) -> [UInt8] {
    guard let uuid = BluetoothUUID(old, isBigEndian) else { return pseudonyms.value(old, as: .unknown) }
    let new = pseudonyms.uuid(uuid) { uuids.isKnown($0, isService: false) }.octets
    let bytes = old.count == 16 ? new[...] : new[4 - old.count..<4]
    return isBigEndian ? Array(bytes) : bytes.reversed()
  }

  /// The replacement of a company identifier, which must not be a known one by chance.
  private func company(_ old: [UInt8]) -> [UInt8] {
    guard old.count == 2 else { return pseudonyms.value(old, as: .unknown) }
    let new = pseudonyms.company(UInt16(old[0]) | UInt16(old[1]) << 8) { uuids.isKnown(company: $0) }
    return [UInt8(new & 0xFF), UInt8(new >> 8)]
  }

  /// The replacement of bytes in place of structures. Its second byte is read as a type, which must not be an assigned one by chance.
  private func raw(_ old: [UInt8]) -> [UInt8] {
    var new = pseudonyms.value(old, as: .unknown)
    var round: UInt64 = 1
    while round < Self.maxNameRounds, new.count > 1, FieldJudge.isAssigned[Int(new[1])] {
      new = pseudonyms.value(old, round: round, as: .unknown)
      round += 1
    }
    return new
  }

  /// The replacement of a name, which must not match a pattern by chance that the name does not match.
  private func name(_ old: [UInt8], as content: Pseudonyms.Content) -> [UInt8] {
    if content == .text, let known = names[old] { return known }
    let kept = patterns.kept(old)
    var new = pseudonyms.value(old, keeping: kept, as: content)
    var round: UInt64 = 1
    while round < Self.maxNameRounds, patterns.kept(new) != kept {
      new = pseudonyms.value(old, keeping: kept, round: round, as: content)
      round += 1
    }
    if content == .text { names[old] = new }
    return new
  }

  /// The same for a message that is escaped in transit: each `round` gives another name, unless that matches another pattern.
  private func name(
    _ old: [UInt8], as content: Pseudonyms.Content, round: UInt64, in escaping: Pseudonyms.Escaping
  ) -> [UInt8] {
    let kept = patterns.kept(old)
    let new = pseudonyms.value(old, keeping: kept, round: Self.maxNameRounds + round, as: content, in: escaping)
    return patterns.kept(new) == kept ? new : name(old, as: content)
  }

  /// The content of a name: in a name of punctuation this is replaced, too.
  private static func content(ofName name: [UInt8]) -> Pseudonyms.Content {
    Pseudonyms.isPunctuation(text: name, isName: true) ? .punctuation : .text
  }

  /// A text with letters in place of its punctuation; nil where the bytes are no text.
  static func withoutPunctuation(_ old: [UInt8]) -> [UInt8]? {
    var at = 0
    while at < old.count {
      guard let size = Pseudonyms.size(ofCharacter: old, at, old.count) else { return nil }
      at += size
    }
    return old.map { Pseudonyms.isPunctuation($0) ? UInt8(ascii: "a") + $0 % 26 : $0 }
  }
  private static let maxNameRounds: UInt64 = 16

  /// Whether a field reveals nothing: it was replaced before, or is all zeros.
  func isHarmless(_ treatment: Treatment, _ old: [UInt8]) -> Bool {
    // A pass that writes counts all replaced fields.
    if !options.isDetailed { return Self.areZeros(old[...]) }
    switch treatment {
    case .keep: return true
    case .address(_, let isBigEndian): return old.count == 6 && addresses.isPseudonym(AddressBook.number(old, isBigEndian))
    case .key: return pseudonyms.isPseudonym(key: old)
    case .pin: return old.allSatisfy { $0 == 0x30 || $0 == 0 }
    case .name: return pseudonyms.isPseudonym(value: old, keeping: patterns.kept(old), as: Self.content(ofName: old))
    case .label: return pseudonyms.isPseudonym(value: old, keeping: patterns.kept(old))
    case .text: return pseudonyms.isPseudonym(value: old)
    case .password: return Self.withoutPunctuation(old) ?? old == old && pseudonyms.isPseudonym(value: old)
    case .number: return pseudonyms.isPseudonym(value: old, as: .number)
    case .numberInText: return old.allSatisfy { $0 >= 0x80 }
    case .value, .raw: return pseudonyms.isPseudonym(value: old, as: .unknown)
    case .digitKey: return old.allSatisfy { $0 & 0x7F == 0x20 }
    case .silence: return old.allSatisfy { $0 == 0 }
    case .remark: return Pseudonyms.isText(old)
    case .uuid(let isBigEndian): return BluetoothUUID(old, isBigEndian).map(Pseudonyms.isPseudonym(uuid:)) ?? false
    case .company: return old.count == 2 && Pseudonyms.isPseudonym(company: UInt16(old[0]) | UInt16(old[1]) << 8)
    }
  }

  /// Counts what the file has beside its packets, none of which is written. What this program wrote itself is left out.
  private func count(_ metadata: [CaptureMetadata]) {
    for data in metadata {
      let text = String(decoding: data.first, as: UTF8.self)
      let isOfProgram =
        switch data.kind {
        case .sectionComment: isNote(text)
        case .sectionApplication: text == "btscribe"
        default: false
        }
      if data.count > 1 || !isOfProgram { count(.text, data.kind.rawValue, 1) { data.first } }
    }
  }

  /// The interfaces to be written. Names and descriptions of interfaces identify the machine, and are removed; `hci` names with a number are kept.
  func origins(_ source: any PacketSource) -> [CaptureInterface] {
    source.interfaces.map { interface in
      var interface = interface
      interface.description = ""
      if !CaptureInterface.isNumbered(interface.name) { interface.name = "" }
      return interface
    }
  }
}

/// Counts frames, and has the first of them.
struct FrameCount {
  private(set) var count = 0
  private(set) var frames: [Int] = []

  mutating func add(_ frame: Int) {
    count += 1
    if frames.count < Exposure.maxFrames { frames.append(frame) }
  }
}

/// Cache of the last names and their replacements: devices send their names repeatedly.
private struct NameCache {
  private var entries = [(old: [UInt8], new: [UInt8])](repeating: ([], []), count: Self.maxCount)
  private static let maxCount = 1024

  private static func slot(_ name: [UInt8]) -> Int {
    Int(truncatingIfNeeded: name.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 } >> 32) & (maxCount - 1)
  }

  subscript(name: [UInt8]) -> [UInt8]? {
    get {
      let entry = entries[Self.slot(name)]
      return !name.isEmpty && entry.old == name ? entry.new : nil
    }
    set { if let newValue { entries[Self.slot(name)] = (name, newValue) } }
  }
}

/// The first pass: learns the keys that resolve private addresses, and, where companies are kept, the public addresses.
private final class SurveyPass: EventSink {
  private let redaction: Redaction
  private var judge = FieldJudge()
  private var lastAdvertiser: UInt64 = 0

  init(_ redaction: Redaction) { self.redaction = redaction }

  func packet(_ row: PacketRow, _ batch: RowBatch, isPart: Bool) {
    if row.flags.contains(.badCRC) { return }
    let mayHaveSecurityKeys =
      switch row.layer {
      case .smp, .hciCommand, .management: true
      case .hciEvent: row.eventCode == .commandComplete
      default: false
      }
    declarations(row)
    redaction.keyboards.take(row)
    if row.layer == .advertisingPDU { redaction.checks.take(advertising: row.pdu) }
    guard mayHaveSecurityKeys || redaction.options.keepsCompany else { return }
    judge.judge(row, valueRule: nil)
    for judgement in judge.judgements where judgement.range.upperBound <= row.pdu.count {
      switch judgement.treatment {
      case .key where judgement.range.count == 16:
        let isKey = Self.identityKeys.contains(judgement.field) || judgement.field == "value" && Self.hasIdentityKeys(row)
        if isKey { redaction.addresses.learn(Array(row.pdu.slice(judgement.range.lowerBound, 16))) }
      case .address(true, let isBigEndian) where redaction.options.keepsCompany && judgement.range.count == 6:
        let bytes = Array(row.pdu.slice(judgement.range.lowerBound, 6))
        redaction.addresses.learn(public: AddressBook.number(bytes, isBigEndian))
      default: break
      }
    }
  }

  func batchDidEnd(_ batch: RowBatch) {
    for event in batch.valueEvents where event.source == .advertisement && event.address != lastAdvertiser {
      lastAdvertiser = event.address
      redaction.uuids.learn(address: event.address & 0xFFFF_FFFF_FFFF, redaction.pseudonyms)
    }
    let records = unsafe batch.packets.records
    for index in records.indices {
      let bytes = unsafe BorrowedBytes(batch.packets.bytes(records[index]))
      unsafe redaction.digest(records[index], bytes)
      if unsafe records[index].kind == .linkLayer { unsafe redaction.checks.take(records[index], bytes) }
    }
  }

  /// Learns UUIDs that a host searches an attribute table for, and those of 128 bits in SDP records.
  private func declarations(_ row: PacketRow) {
    switch row.layer {
    case .att where row.attOpcode == .findByTypeValueRequest:
      let uuid = BluetoothUUID(littleEndian: row.pdu.span, in: min(7, row.pdu.count)..<row.pdu.count)
      if row.pdu.u16(5) == 0x2800, let uuid { redaction.uuids.learn(declared: uuid) }
    case .sdp:
      judge.judge(row, valueRule: nil)
      for judgement in judge.judgements where judgement.treatment == .keep(.uuid) && judgement.range.count == 16 {
        if let uuid = BluetoothUUID(bigEndian: row.pdu.span, in: judgement.range) { redaction.uuids.learn(declared: uuid) }
      }
    default: break
    }
  }

  private static let identityKeys: Set<StaticName> = ["identity_resolving_key", "peer_irk", "local_irk"]

  /// Whether fields named `value` of a PDU are keys that resolve private addresses.
  private static func hasIdentityKeys(_ row: PacketRow) -> Bool {
    guard row.layer == .management else { return false }
    return row.subcode == UInt16(PacketKind.controlCommand.rawValue)
      ? row.opcode == Management.loadIdentityResolvingKeys : row.opcode == Management.newIdentityResolvingKey
  }
}

extension PacketRecord {
  /// The range of a BR/EDR sniffer's header with parts of addresses (link type 255: LAP, and LAP and UAP of the piconet); nil for other packets.
  var basebandAddress: Range<Int>? { kind == .baseband && payload == 22 ? 8..<16 : nil }
}

extension PacketKind {
  /// The range of the free text in a note's payload.
  func textRange(_ payload: [UInt8]) -> Range<Int> {
    switch self {
    case .systemNote: return 0..<payload.count
    case .userLogging:
      // Priority, length of the identity, identity, text.
      return payload.count < 2 ? 0..<0 : min(2 + Int(payload[1]), payload.count)..<payload.count
    case .syslog:
      // Process number and kind, then process, sender, subsystem and category, each up to a NUL.
      var at = min(5, payload.count)
      var left = 4
      while left > 0, at < payload.count {
        if payload[at] == 0 { left -= 1 }
        at += 1
      }
      return left == 0 ? at..<payload.count : min(5, payload.count)..<payload.count
    default: return 0..<0
    }
  }
}
