/// The name of one of the devices involved.
enum NameDetector: FrameFieldDetector {
  /// Least length of a name: shorter ones occur by chance.
  private static let minimumLength = 4

  /// The names in sets, for look-ups by their bytes.
  struct Known: Sendable {
    /// Their first bytes, which exclude most offsets at once.
    private var starts = Set<UInt64>()
    /// The names of each length, the longest first.
    private var ofLength: [(count: Int, names: Set<ArraySlice<UInt8>>)] = []

    init(_ names: [String]) {
      var byLength: [Int: Set<ArraySlice<UInt8>>] = [:]
      for name in names where NameDetector.minimumLength...NameDetector.searchedBytes ~= name.utf8.count {
        let bytes = Array(name.utf8)
        starts.insert(bytes.prefix(NameDetector.minimumLength).word)
        byLength[bytes.count, default: []].insert(bytes[...])
      }
      ofLength = byLength.sorted { $0.key > $1.key }.map { ($0.key, $0.value) }
    }

    var isEmpty: Bool { ofLength.isEmpty }

    /// Whether a name may begin with these bytes.
    func begins(_ bytes: ArraySlice<UInt8>) -> Bool { starts.contains(bytes.word) }

    /// The length of the longest name that these bytes begin with.
    func longest(_ bytes: ArraySlice<UInt8>) -> Int? {
      ofLength.first { $0.count <= bytes.count && $0.names.contains(bytes.prefix($0.count)) }?.count
    }
  }

  static func frameFields(_ frames: [ArraySlice<UInt8>], _ times: [Int64], tail: Int, _ context: InferenceContext) -> [FieldFinding] {
    guard let first = frames.first, !context.knownNames.isEmpty else { return [] }
    var found: [FieldFinding] = []
    var offset = 0
    let width = width(frames, tail)
    var common: [Int]?
    while offset + minimumLength <= width {
      guard context.knownNames.begins(first.dropFirst(offset).prefix(minimumLength)) else {
        offset += 1
        continue
      }
      let same = common ?? Self.common(frames, width)
      common = same
      guard let count = context.knownNames.longest(first.dropFirst(offset).prefix(same[offset])) else {
        offset += 1
        continue
      }
      found.append(
        FieldFinding(
          offset: offset, size: count, type: .text, endian: nil, confidence: 0.95, evidence: "the name of a device of the capture"))
      offset += count
    }
    return found
  }
}
