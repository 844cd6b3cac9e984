import Bluetooth
private import CBuiltinProfiles
import Synchronization
import YAML

/// The profiles of a program: built in, from folders, and given by the user. Each is compiled when it is first used.
public final class ProfileSet: Sendable {
  /// The origin of a profile, in ascending precedence: of two that match equally well, the one of the later origin is used.
  public enum Origin: Int, Sendable, Comparable {
    /// Compiled into the program.
    case builtin
    /// The user's configuration folder.
    case user
    /// The current folder.
    case folder
    /// Given on the command line: used for every device, regardless of its `match`.
    case given

    /// Orders origins by precedence.
    public static func < (a: Origin, b: Origin) -> Bool { a.rawValue < b.rawValue }
  }

  /// A profile in a list, which is not compiled for it.
  public struct Summary: Sendable {
    /// Its number in the set.
    public var number: Int
    /// Its id.
    public var id: String
    /// Its title.
    public var title: String
    /// The kind of its device in one word: `battery`, `watch`, …; nil where it is not given.
    public var kind: String?
    /// Whether it is a library, which profiles import, and no profile itself.
    public var isLibrary: Bool { kind == Definition.libraryKind }
    /// The data it was tested with; nil where it is not given.
    public var status: ProfileStatus?
    /// Other names by which it is found: former ones.
    public var aliases: [String]
    /// Its origin.
    public var origin: Origin
    /// Its file, or its id where it is built in.
    public var file: String

    init(_ number: Int, _ item: Item) {
      self.number = number
      id = item.index.id
      title = item.index.title
      kind = item.index.kind
      status = item.index.status
      aliases = item.index.aliases
      origin = item.origin
      file = item.file
    }
  }

  struct Candidate {
    var profile: Int
    var score: Int
    /// It was named by the user, is in the current folder, or matches by properties that only its devices have.
    var isDistinctive = true
    /// It matches only if the unknown name of the device does.
    var isGuess = false
  }

  /// The result of compiling a profile, set when it is first used.
  private final class Compiled: Sendable {
    final class Outcome: Sendable {
      let result: Result<CompiledProfile, ProfileError>

      init(_ result: Result<CompiledProfile, ProfileError>) { self.result = result }
    }

    let outcome = AtomicLazyReference<Outcome>()
  }

  enum Text: Sendable { case builtin(Int), read(String) }

  /// A profile of the set. It is an object, because each new device is compared with all of them, and copying an index takes longer than searching
  /// it.
  final class Item: Sendable {
    private static let fewUUIDs = 16
    let index: ProfileIndex
    let origin: Origin
    let file: String
    let text: Text
    /// All UUIDs of its rules, if there are many: an attribute with another UUID does not change the match.
    let manyUUIDs: Set<BluetoothUUID>?

    init(index: ProfileIndex, origin: Origin, file: String, text: Text) {
      self.index = index
      let uuids = index.rules.reduce(0) { $0 + $1.services.count + $1.serviceData.count + $1.characteristics.count }
      manyUUIDs =
        uuids > Item.fewUUIDs ? Set(index.rules.flatMap { $0.services + $0.serviceData + $0.characteristics }) : nil
      self.origin = origin
      self.file = file
      self.text = text
    }
  }

  let items: [Item]
  let byAttribute: [BluetoothUUID: Set<Int>]
  let byHandle: [UInt16: Set<Int>]
  /// Whether all profiles are built in.
  package var isBuiltin: Bool { items.allSatisfy { $0.origin == .builtin } }
  /// Numbers of the profiles of origin `given`.
  let given: Set<Int>
  let rules: RuleTable
  /// Whether any profile of advertisements matches by address.
  let matchesAddresses: Bool
  /// The types of AD structures that profiles read, a bit for each.
  let structures: SIMD4<UInt64>
  /// The name patterns of all profiles of advertisements.
  let advertisedNames: GlobSet
  /// The patterns of all rules in order, and for each profile the indices of its first ones.
  let names: GlobSet
  let addresses: GlobSet
  let firstPatterns: [(name: Int, address: Int)]
  /// The compiled profiles, by number.
  private let compiled: [Compiled]

  /// A set of the built-in profiles (unless `builtin` is false) and `texts`, of which later ones take precedence. Throws ``ProfileError`` where one
  /// of the texts is not a profile.
  public convenience init(builtin: Bool = true, texts: [(text: String, file: String, origin: Origin)] = []) throws {
    var collection = Collection(builtin: builtin)
    for (text, file, origin) in texts { try collection.add(text, file: file, origin) }
    self.init(collection)
  }

  /// Builds a set from profiles, one after the other.
  struct Collection {
    /// Nil where another profile replaced it.
    private var itemsByNumber: [Item?] = []
    /// Indices by id, and by alias, in ascending order.
    private var byID: [String: [Int]] = [:]
    private var byAlias: [String: [Int]] = [:]
    /// The budget for all added texts and their imports.
    private let budget = DocumentBudget()
    /// Match values of the added profiles: of given ones, and of others.
    private var patterns = (given: MatchedPatterns(), others: MatchedPatterns())

    init(builtin: Bool = true) {
      for item in builtin ? ProfileSet.builtinItems : [] { append(item) }
    }

    private mutating func append(_ item: Item) {
      byID[item.index.id, default: []].append(itemsByNumber.count)
      for alias in item.index.aliases { byAlias[alias, default: []].append(itemsByNumber.count) }
      itemsByNumber.append(item)
    }

    /// Adds the profile of a text. Throws ``ProfileError`` where it is none.
    mutating func add(_ text: String, file: String, _ origin: Origin) throws {
      let definition = try ProfileSet.definition(text, file: file, budget, ids: itemsByNumber.lazy.compactMap { $0?.index.id }) { id in
        let found = byID[id]?.last { itemsByNumber[$0] != nil } ?? byAlias[id]?.last { itemsByNumber[$0] != nil }
        return found.flatMap { itemsByNumber[$0] }
      }
      let index = ProfileIndex(definition)
      let advertisements = definition.sources.count { $0.kind == .advertisement }
      switch origin {
      case .builtin: break
      case .given: try patterns.given.add(index, advertisements: advertisements, file: file)
      case .user, .folder: try patterns.others.add(index, advertisements: advertisements, file: file)
      }
      // A profile that has the new id as an alias is replaced, too.
      for index in (byID[definition.id] ?? []) + (byAlias[definition.id] ?? []) {
        if let known = itemsByNumber[index], known.origin <= origin { itemsByNumber[index] = nil }
      }
      byID[definition.id]?.removeAll { itemsByNumber[$0] == nil }
      append(Item(index: index, origin: origin, file: file, text: .read(text)))
    }

    var items: [Item] { itemsByNumber.compactMap { $0 } }
  }

  /// Called with a profile of the current folder when it is used for the first time.
  private let onFolderUse: (@Sendable (Summary) -> Void)?
  /// Keys of device protocols.
  public let keys: ProfileKeys

  /// The same profiles, with keys.
  public func with(_ keys: ProfileKeys) -> ProfileSet { ProfileSet(self, keys) }

  private init(_ set: ProfileSet, _ keys: ProfileKeys) {
    items = set.items
    byAttribute = set.byAttribute
    byHandle = set.byHandle
    given = set.given
    rules = set.rules
    matchesAddresses = set.matchesAddresses
    structures = set.structures
    advertisedNames = set.advertisedNames
    names = set.names
    addresses = set.addresses
    firstPatterns = set.firstPatterns
    compiled = set.compiled
    onFolderUse = set.onFolderUse
    self.keys = keys
  }

  init(_ collection: Collection, onFolderUse: (@Sendable (Summary) -> Void)? = nil) {
    let items = collection.items
    keys = ProfileKeys()
    self.onFolderUse = onFolderUse
    self.items = items
    var byAttribute: [BluetoothUUID: Set<Int>] = [:]
    var byHandle: [UInt16: Set<Int>] = [:]
    for (number, item) in items.enumerated() {
      for uuid in item.index.attributes { byAttribute[uuid, default: []].insert(number) }
      for handle in item.index.handles { byHandle[handle, default: []].insert(number) }
    }
    self.byAttribute = byAttribute
    self.byHandle = byHandle
    given = Set(items.indices.filter { items[$0].origin == .given })
    rules = RuleTable(items.map(\.index))
    let readers = items.map(\.index).filter(\.mayReadAdvertisements)
    let rules = readers.flatMap(\.rules)
    matchesAddresses = rules.contains { !$0.addresses.isEmpty }
    // Service data and manufacturer data are read in any case.
    var structures = SIMD4<UInt64>()
    for type in [0x16, 0x20, 0x21, 0xFF] + readers.flatMap(\.structures) { structures[Int(type >> 6)] |= 1 << UInt64(type & 63) }
    self.structures = structures
    advertisedNames = GlobSet(rules.flatMap(\.names) + readers.flatMap(\.advertisedNames))
    var names: [String] = []
    var addresses: [String] = []
    firstPatterns = items.map { item in
      defer {
        for rule in item.index.rules {
          names += rule.names
          addresses += rule.addresses
        }
      }
      return (names.count, addresses.count)
    }
    self.names = GlobSet(names)
    self.addresses = GlobSet(addresses)
    compiled = items.map { _ in Compiled() }
  }

  private static let builtinItems: [Item] = builtinProfiles.enumerated().map { number, profile in
    let id = profile.id.description
    return Item(
      index: ProfileIndex(id: id, title: profile.title.description, line: profile.index.description), origin: .builtin, file: id,
      text: .builtin(number))
  }

  /// All profiles, by id.
  public var summaries: [Summary] {
    items.enumerated().map { Summary($0.offset, $0.element) }.sorted { ($0.id, $0.origin) < ($1.id, $1.origin) }
  }

  /// The index entry of each profile.
  var indexes: [ProfileIndex] { items.map(\.index) }

  /// The number of the profile with this id, of the highest precedence where there are several; else of one that has it as an alias; nil
  /// where there is none.
  public func number(_ id: String) -> Int? {
    func last(_ fits: (Item) -> Bool) -> Int? {
      items.indices.filter { fits(items[$0]) }.max { items[$0].origin < items[$1].origin }
    }
    return last { $0.index.id == id } ?? last { $0.index.aliases.contains(id) }
  }

  /// The id that is closest to `wrong`; nil where none is close.
  public func closest(_ wrong: String) -> String? { nearest(wrong, of: items.map(\.index.id)) }

  /// The profile of a number, compiled. Throws ``ProfileError`` where it has a mistake.
  public func profile(_ number: Int) throws -> CompiledProfile {
    if let known = compiled[number].outcome.load() { return try known.result.get() }
    // A capture uses only a few profiles.
    return try compile(number, retainsCompilation: compilations.add(1, ordering: .relaxed).newValue <= Self.maxKept)
  }

  /// Number of profiles compiled on request, and of how many the compilation input is kept.
  private let compilations = Atomic<Int>(0)
  private static let maxKept = 4

  private func compile(_ number: Int, retainsCompilation: Bool) throws -> CompiledProfile {
    let item = items[number]
    let result: Result<CompiledProfile, ProfileError>
    do {
      result = .success(try CompiledProfile(try definition(number), retainsCompilation: retainsCompilation))
    } catch let error as ProfileError {
      result = .failure(error)
    } catch {
      result = .failure(ProfileError(file: item.file, line: 0, column: 0, message: "\(error)"))
    }
    // Another thread may have stored its result first: all threads use that one.
    let outcome = Compiled.Outcome(result)
    let kept = compiled[number].outcome.storeIfNil(outcome)
    if kept === outcome, item.origin == .folder, case .success = result { onFolderUse?(Summary(number, item)) }
    return try kept.result.get()
  }

  /// Compiles every profile now, so that the first packet of a device does not wait for it. A mistake is thrown when its profile is used.
  public func compileAll() {
    for number in items.indices where compiled[number].outcome.load() == nil { _ = try? compile(number, retainsCompilation: false) }
  }

  /// The text of a profile, verbatim.
  public func text(_ number: Int) -> String { Self.text(items[number]) }

  private static func text(_ item: Item) -> String {
    switch item.text {
    case .builtin(let number): builtinText(number)
    case .read(let text): text
    }
  }

  func definition(_ number: Int) throws -> Definition {
    try definition(Self.text(items[number]), file: items[number].file)
  }

  private func definition(_ text: String, file: String) throws -> Definition {
    try Self.definition(text, file: file, DocumentBudget(), ids: items.lazy.map(\.index.id)) { id in
      items.last { $0.index.id == id } ?? items.last { $0.index.aliases.contains(id) }
    }
  }

  /// Most ids that an unknown id is compared with.
  private static let maxCompared = 1000

  /// Reads a profile; `find` knows those it extends, `ids` are the names of all. The text and its imports count against `budget`, except for built-in
  /// profiles.
  private static func definition(
    _ text: String, file: String, _ budget: DocumentBudget, ids: some Sequence<String>, find: (String) -> Item?
  ) throws -> Definition {
    try Definition(try composeProfile(text, file: file, budget), file: file, budget) { id, entry in
      guard let item = find(id) else {
        let hint = nearest(id, of: Array(ids.prefix(maxCompared))).map { "; did you mean \"\($0)\"?" } ?? ""
        throw entry.error("no profile is named \"\(id)\"" + hint)
      }
      return try composeProfile(Self.text(item), file: item.file, item.origin == .builtin ? DocumentBudget() : budget)
    }
  }

  /// Reads and compiles a profile that is not part of the set. Throws ``ProfileError``.
  public func compile(text: String, file: String) throws -> CompiledProfile {
    try CompiledProfile(try definition(text, file: file))
  }
}

/// A profile that is compiled into the program.
struct BuiltinProfile: Sendable {
  var id: StaticString
  var title: StaticString
  var index: StaticString
}

/// The text of a profile that is compiled into the program, by its number in ``builtinProfiles``.
func builtinText(_ number: Int) -> String {
  let text = unsafe profile_text(number)
  return unsafe String(decoding: UnsafeBufferPointer(start: text.bytes, count: text.count), as: UTF8.self)
}
