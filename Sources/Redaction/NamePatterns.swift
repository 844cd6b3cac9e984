/// The parts of names that are kept: profiles match devices by them (`GoPro *`), and they name a product, not a person.
struct NamePatterns {
  /// The fixed start and end of each pattern, between which any characters may lie if `isOpen`; `?` matches any character.
  private var patterns: [(head: [UInt8], tail: [UInt8], isOpen: Bool)] = []

  /// Parses patterns of profiles: `*` matches any characters, `?` one character.
  init(_ patterns: [String]) {
    for pattern in Set(patterns).sorted() {
      let parts = Array(pattern.utf8).split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false).map(Array.init)
      guard let head = parts.first, let tail = parts.last, parts.count <= 2 else { continue }
      self.patterns.append((head, parts.count == 2 ? tail : [], parts.count == 2))
    }
  }

  /// The pattern that keeps most characters of a name; nil where none matches.
  func pattern(_ name: [UInt8]) -> String? {
    guard kept(name).contains(true) else { return nil }
    var best: (count: Int, text: String)?
    for (head, tail, isOpen) in patterns {
      guard isOpen ? name.count >= head.count + tail.count : name.count == head.count, Self.fits(head, name[..<head.count]),
        Self.fits(tail, name[(name.count - tail.count)...])
      else { continue }
      let count = (head + tail).count { $0 != UInt8(ascii: "?") }
      if count > best?.count ?? 0 { best = (count, String(decoding: head + (isOpen ? [UInt8(ascii: "*")] : []) + tail, as: UTF8.self)) }
    }
    return best?.text
  }

  /// For each byte of a name whether it is kept. The result ends before NUL padding.
  func kept(_ text: [UInt8]) -> [Bool] {
    let name = text.firstIndex(of: 0).map { Array(text[..<$0]) } ?? text
    var best = [Bool](repeating: false, count: name.count)
    var largest = 0
    for (head, tail, isOpen) in patterns {
      guard isOpen ? name.count >= head.count + tail.count : name.count == head.count else { continue }
      guard Self.fits(head, name[..<head.count]), Self.fits(tail, name[(name.count - tail.count)...]) else { continue }
      var kept = [Bool](repeating: false, count: name.count)
      for index in head.indices { kept[index] = head[index] != UInt8(ascii: "?") }
      for index in tail.indices { kept[name.count - tail.count + index] = tail[index] != UInt8(ascii: "?") }
      let count = kept.count { $0 }
      if count > largest { (best, largest) = (kept, count) }
    }
    return best
  }

  private static func fits(_ pattern: [UInt8], _ text: ArraySlice<UInt8>) -> Bool {
    zip(pattern, text).allSatisfy { $0 == $1 || $0 == UInt8(ascii: "?") }
  }
}
