@_spi(Pipeline) import Profiles

extension ProfileMessage {
  /// The ranges that are kept of the header that the layers of a user's profile remove before a payload: markers, bits and numbers of one or two bytes,
  /// larger numbers that the profile needs for parsing, and headers of at most two bytes. `bytes` are those of the packet.
  func framing(before range: Range<Int>, of bytes: [UInt8], traits names: FieldNames) -> [Range<Int>] {
    let origin = names.origin(source, of: profile)
    guard let parts = partsBefore(Array(bytes[range])), parts.reduce(0, { $0 + $1.count }) == range.count else {
      // The sizes depend on the packet: the header is kept where each of its fields would be kept, and replaced otherwise.
      if let header = headerParts { return header.allSatisfy { $0.isHarmless(origin) } ? [range] : [] }
      return [max(range.lowerBound, range.upperBound - FramingPart.maxUnknown)..<range.upperBound]
    }
    var stays: [Range<Int>] = []
    var at = range.lowerBound
    for part in parts {
      if part.isHarmless(origin) { stays.append(at..<at + part.count) }
      at += part.count
    }
    return stays
  }
}

extension FramingPart {
  /// Bytes without a description count as framing up to this size.
  fileprivate static let maxUnknown = 2
  private static let longestMarker = 8

  /// Whether the part is kept.
  fileprivate func isHarmless(_ origin: FieldOrigin) -> Bool {
    if isSecret || isPersonal == true || names.contains(where: { origin.secretParts.contains($0) }) { return false }
    if isPersonal == false { return true }
    switch kind {
    case .marker: return count <= Self.longestMarker
    case .other: return count <= Self.maxUnknown && names.allSatisfy { origin.structure.names.contains($0) }
    case .number:
      return names.allSatisfy { name in
        let traits = FieldNames.traits(name)
        if traits.isCheck { return false }
        if origin.structure.names.contains(name) { return true }
        if traits.isPersonal || traits.isIntimate || origin.personalParts.contains(name) { return false }
        if units.contains(where: { AllowedFields.isPersonal(anyUnit: $0) }) { return false }
        return count <= Self.maxUnknown || traits.isFraming
      }
    }
  }
}
