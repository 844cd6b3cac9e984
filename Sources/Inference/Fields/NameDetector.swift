/// The name of one of the devices involved.
enum NameDetector: PlaceDetector {
  /// Letters that a name has at least: shorter ones come by chance.
  private static let least = 4

  static func places(_ frames: [ArraySlice<UInt8>], _ times: [Int64], tail: Int, _ context: InferenceContext) -> [FieldFinding] {
    guard let first = frames.first else { return [] }
    let names = context.names.map { Array($0.utf8) }.filter { $0.count >= least }.sorted { $0.count > $1.count }
    guard !names.isEmpty else { return [] }
    var found: [FieldFinding] = []
    var offset = 0
    let width = width(frames, tail)
    while offset + least <= width {
      let name = names.first { name in
        offset + name.count <= width && first.dropFirst(offset).starts(with: name)
          && frames.allSatisfy { $0.dropFirst(offset).starts(with: name) }
      }
      guard let name else {
        offset += 1
        continue
      }
      found.append(
        FieldFinding(
          offset: offset, size: name.count, type: .text, endian: nil, confidence: 0.95, evidence: "the name of a device of the capture"))
      offset += name.count
    }
    return found
  }
}
