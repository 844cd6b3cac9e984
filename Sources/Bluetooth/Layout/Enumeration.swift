/// Names for the values of a field, or for the bits of a flags field. A row of a table in static memory; copying it costs nothing.
public struct Enumeration: Sendable {
  /// The source of the names of an enumeration.
  public enum Kind: UInt8, Sendable {
    /// A name for each of some values.
    case values
    /// Names for special values of a quantity, such as *not known*; all other values are numbers.
    case special
    /// A name for each of some bits.
    case flags
    /// Company identifiers of the assigned numbers.
    case companies
    /// Appearances of the assigned numbers.
    case appearances
    /// Opcodes of HCI commands.
    case commands
    /// Codes of LE Meta subevents.
    case subevents
    /// ATT opcodes.
    case attributePDUs
    /// Types of advertising data structures.
    case advertisingTypes
    /// Codes of management commands.
    case managementCommands
    /// Codes of Link Layer control PDUs.
    case linkLayerControl
    /// Opcodes of the Link Manager, and extended opcodes after escape 4.
    case linkManager, linkManagerExtended
  }

  @usableFromInline struct Entry: Sendable {
    @usableFromInline var value: UInt64
    @usableFromInline var name: StaticName
    @usableFromInline init(value: UInt64, name: StaticName) {
      self.value = value
      self.name = name
    }
  }

  /// Its name in layouts: `status`, `address-type`.
  public let name: StaticName
  /// The source of its names.
  public let kind: Kind
  @usableFromInline let entries: StaticTable<Entry>

  /// It names bits rather than values.
  @inlinable
  public var isFlags: Bool { kind == .flags }

  /// Name of a value, or nil where it has none (or this names bits).
  public func name(of value: UInt64) -> StaticName? {
    switch kind {
    case .values, .special:
      var low = 0
      var high = entries.count
      while low < high {
        let middle = (low &+ high) >> 1
        if entries[middle].value < value { low = middle &+ 1 } else { high = middle }
      }
      return low < entries.count && entries[low].value == value ? entries[low].name : nil
    case .flags: return nil
    case .companies: return UInt16(exactly: value).flatMap { AssignedNumbers.company($0) }
    case .appearances: return UInt16(exactly: value).flatMap { AssignedNumbers.appearance($0) }
    case .commands: return UInt16(exactly: value).flatMap { HCI.commandName($0) }
    case .subevents: return UInt8(exactly: value).flatMap { HCI.leEvents.name(UInt32($0)) }
    case .attributePDUs: return UInt8(exactly: value).flatMap { ATT.pdus.name(UInt32($0)) }
    case .managementCommands: return UInt16(exactly: value).flatMap { Management.commands.name(UInt32($0)) }
    case .linkManager: return UInt8(exactly: value).flatMap { LMP.pdus.name(UInt32($0)) }
    case .linkManagerExtended: return UInt8(exactly: value).flatMap { LMP.pdus.name(0x7F00 | UInt32($0)) }
    case .linkLayerControl: return UInt8(exactly: value).flatMap { LinkLayer.control.name(UInt32($0)) }
    case .advertisingTypes: return UInt8(exactly: value).flatMap { AdvertisingData.structures.name(UInt32($0)) }
    }
  }

  /// All values with a name in the layouts, in order; none where the names come from other tables, or name bits.
  public var names: [(value: UInt64, name: StaticName)] {
    kind == .values || kind == .special ? entries.map { ($0.value, $0.name) } : []
  }

  /// Calls `body` for each bit that is set in `value` and has a name, from bit 0 up. Returns the set bits without a name.
  @inlinable
  public func forEachFlag(in value: UInt64, _ body: (StaticName) -> Void) -> UInt64 {
    var rest = value
    guard kind == .flags else { return rest }
    for entry in entries where entry.value < 64 && value >> entry.value & 1 == 1 {
      body(entry.name)
      rest &= ~(1 << entry.value)
    }
    return rest
  }

  /// The enumeration with this name in the layouts, or nil.
  public static func named(_ name: StaticName) -> Enumeration? { all.byName[name] }

  /// All enumerations, compiled on first use from the texts of the protocols.
  static let all = compile(ProtocolRegistry.all.map { $0.enumerationText } + [IP.enumerationText, HCI.channelSoundingEnumerationText])

  /// Reads `enum NAME`, `special NAME` and `flags NAME` headings and the `NUMBER text` lines below them.
  static func compile(_ texts: [StaticString]) -> (byName: [StaticName: Enumeration], problems: [String]) {
    var byName: [StaticName: Enumeration] = [:]
    var problems: [String] = []
    let tables: [(StaticName, Kind)] = [
      ("company", .companies), ("appearance", .appearances), ("opcode", .commands), ("le-subevent", .subevents),
      ("att-opcode", .attributePDUs), ("ad-type", .advertisingTypes), ("mgmt-command", .managementCommands),
      ("ll-control", .linkLayerControl), ("lmp-opcode", .linkManager), ("lmp-extended-opcode", .linkManagerExtended),
    ]
    for (name, kind) in tables {
      byName[name] = Enumeration(name: name, kind: kind, entries: StaticTable([]))
    }
    for text in texts {
      var heading: (name: StaticName, kind: Kind)?
      var entries: [Entry] = []
      func finish() {
        guard let heading else { return }
        entries.sort { $0.value < $1.value }
        for i in entries.indices.dropFirst() where entries[i].value == entries[i - 1].value {
          problems.append("enumeration \(heading.name): \(entries[i].value) twice")
        }
        if byName[heading.name] != nil { problems.append("enumeration \(heading.name) twice") }
        byName[heading.name] = Enumeration(name: heading.name, kind: heading.kind, entries: StaticTable(entries))
        entries.removeAll(keepingCapacity: true)
      }
      var scanner = LayoutScanner(text)
      while !scanner.atEnd {
        defer { scanner.skipLine() }
        if scanner.atLineEnd { continue }
        let first = scanner.word()
        if first == "enum" || first == "flags" || first == "special" {
          finish()
          scanner.skipSpaces()
          heading = (scanner.restOfLine(), first == "enum" ? .values : first == "flags" ? .flags : .special)
        } else if let value = LayoutScanner.number(first), unsafe first.utf8.first != UInt8(ascii: "-") {
          scanner.skipSpaces()
          entries.append(Entry(value: UInt64(bitPattern: value), name: scanner.restOfLine()))
        } else {
          problems.append("not a number: \(first)")
        }
      }
      finish()
    }
    return (byName, problems)
  }
}
