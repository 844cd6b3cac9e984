/// Selects the file of an archive to read: from a bug report of Android, a sysdiagnose of iOS, or any archive with captures in it.
struct ArchiveChoice {
  /// A member that can be read, and its rank; a lower rank is preferred.
  private struct Candidate {
    var member: ArchiveMember
    var rank: Int
    var what: String
  }

  private let archive: any Archive
  private let options: CaptureOptions
  private var candidates: [Candidate] = []
  /// Files whose content could not be read: encrypted ones, those compressed with an unknown method, and damaged ones.
  private var (encrypted, unknown, damaged) = (0, 0, 0)

  /// Reads the members' first bytes.
  init(_ archive: any Archive, options: CaptureOptions) throws(CaptureError) {
    self.archive = archive
    self.options = options
    try archive.list(options.budget) { (member) throws(CaptureError) in try look(at: member) }
    candidates.sort { candidate, other in
      if candidate.rank != other.rank { return candidate.rank < other.rank }
      if candidate.member.size != other.member.size { return candidate.member.size > other.member.size }
      return candidate.member.name.lexicographicallyPrecedes(other.member.name)
    }
  }

  /// Reads a member's first bytes, and keeps it if it may be a capture. Returns false where the budget is used up.
  private mutating func look(at member: ArchiveMember) throws(CaptureError) -> Bool {
    if member.isEncrypted { encrypted += 1 } else if member.method != 0, member.method != 8 { unknown += 1 }
    // Members of a tar were read and their names counted when they were listed.
    if member.content != nil {
      if let judged = ArchiveChoice.judge(member, member: options.member) { candidates.append(judged) }
      return true
    }
    var member = member
    var looked = 0
    if options.member == nil {
      guard member.size > 0 else { return true }
      guard let input = try archive.open(member) else {
        if !member.isEncrypted, member.method == 0 || member.method == 8 { damaged += 1 }
        return true
      }
      let peeked = PeekedInput(input)
      do {
        _ = try peeked.peekMore(limit: 1024)
      } catch {
        damaged += 1
        return true
      }
      looked = input.progress.read
      member.content = ArchiveMember.Content(peeked.head)
    }
    if let judged = ArchiveChoice.judge(member, member: options.member) {
      guard options.budget.takeName(member.name) else { return false }
      candidates.append(judged)
    }
    return options.budget.takeLooked(looked)
  }

  /// Whether a member may be a capture by its first bytes, or is requested by name.
  static func isWorthALook(_ member: ArchiveMember, head: [UInt8], member wanted: String?) -> Bool {
    var member = member
    if wanted == nil { member.content = ArchiveMember.Content(head) }
    return (wanted != nil || member.size > 0) && judge(member, member: wanted) != nil
  }

  /// Ranks a member by its name and its first bytes; nil where it is not a capture, or another is requested.
  private static func judge(_ member: ArchiveMember, member wanted: String?) -> Candidate? {
    if let wanted { return member.ends(with: wanted) ? Candidate(member: member, rank: 0, what: "as asked for") : nil }
    let name = FileName(member.name)
    switch member.content {
    case .capture:
      // A log without packets is chosen only if there is nothing else.
      let empty = member.size <= 16 ? 50 : 0
      if name.contains("btsnooz") {
        return Candidate(member: member, rank: empty + (name.ends(with: ".last") ? 11 : 10), what: "the memory log, with packets cut short")
      }
      let isLast = name.contains(".last")
      if name.contains(".filtered") {
        return Candidate(member: member, rank: empty + (isLast ? 7 : 6), what: "the log as Android's filter left it")
      }
      if name.contains("btsnoop") || name.contains("hci") && name.contains(".log") {
        return Candidate(
          member: member, rank: empty + (isLast ? 3 : 2), what: isLast ? "the piece before the last restart" : "the snoop log")
      }
      if name.contains("latest") && name.ends(with: ".pklg") { return Candidate(member: member, rank: empty + 1, what: "the latest log") }
      return Candidate(member: member, rank: empty + 4, what: "a capture")
    case .container: return Candidate(member: member, rank: 20, what: "an archive in the archive")
    case .other, nil:
      let isReport = name.ends(with: ".txt") && (name.contains("bugreport") || name.contains("dumpstate") || name.contains("dumpsys"))
      return isReport ? Candidate(member: member, rank: 30, what: "the text of the bug report") : nil
    }
  }

  /// Opens the best candidate that is a capture, with a notice that gives its name and the other captures.
  func open(depth: Int) throws(CaptureError) -> any PacketSource {
    var vain: [String] = []
    var isKept = false
    for (index, candidate) in candidates.enumerated() {
      guard var source = try source(candidate, depth: depth, options.budget) else {
        if candidate.rank < 20 { vain.append(candidate.member.path) }
        if !isKept {
          // More of them will be opened, in the order of their ranks.
          let count = ArchiveBudget.maxTries + ArchiveBudget.maxArchives
          try archive.keep(candidates.dropFirst(index + 1).prefix(count).map(\.member), options.budget)
          isKept = true
        }
        // Archives have a bound of their own.
        if candidate.rank == 20 || options.budget.takeTry() { continue } else { break }
      }
      var pieces = 1
      var (leftOut, overlapping) = (0, 0)
      if options.joinsPieces {
        let stem = LogName(candidate.member.name)
        var all = candidates.enumerated().filter { $0.offset == index || $0.element.rank < 10 && LogName($0.element.member.name) == stem }
          .map(\.element)
        overlapping = ArchiveChoice.removeOverlapping(&all, candidate)
        if all.count > 1 {
          // The order of their times may differ from that in the archive.
          try archive.keep(all.map(\.member), options.budget)
          let (budget, packed) = (options.budget, archive.packed)
          let joined = try JoinedSource(
            all.map { Piece(choice: self, candidate: $0, depth: depth, count: PieceCount(budget, packed: packed)) })
          if joined.count > 1 { (source, pieces) = (joined, joined.count) }
          leftOut = all.count - joined.count
        }
      }
      var notice = "\(archive.path): reading \(candidate.member.path): \(candidate.what)"
      if pieces > 1 { notice += ", joined with \(pieces - 1) more" }
      if let first = vain.first { notice += "; \(first)\(vain.count > 1 ? " and \(vain.count - 1) more" : "") could not be read" }
      if leftOut > 0 { notice += "; \(leftOut) more pieces are left out" }
      if overlapping > 0 {
        notice += "; \(overlapping) more \(overlapping == 1 ? "piece is" : "pieces are") left out, with bytes that are also those of others"
      }
      // Archives next to captures usually contain something else; next to an archive that was read, they may be similar.
      let left = candidates.filter { ($0.rank < 20 || $0.rank == candidate.rank) && $0.member.offset != candidate.member.offset }
      if !left.isEmpty && pieces == 1 {
        let names = left.prefix(8).map { "\($0.member.path) (\($0.member.size) bytes: \($0.what))" }
        notice += "; there are also \(names.joined(separator: ", "))\(left.count > 8 ? " and \(left.count - 8) more" : "")"
      }
      source.addNotice(notice)
      if let unread { source.addNotice("\(archive.path): \(unread)") }
      let missing = leftOut + overlapping
      let lost = missing == 0 ? nil : missing == 1 ? "a piece of the log is left out" : "\(missing) pieces of the log are left out"
      return IncompleteSource(source, leftOut: options.budget.excess ?? lost, fault: archive.fault) ?? source
    }
    if let fault = options.budget.excess ?? archive.fault { throw .malformed(path: archive.path, offset: 0, what: fault) }
    if let unread { throw .unknownFormat(path: archive.path, what: "a \(archive.title) in which \(unread)") }
    if let wanted = options.member, candidates.isEmpty {
      throw .unknownFormat(path: archive.path, what: "a \(archive.title) without a file that ends with \(wanted)")
    }
    throw .unknownFormat(path: archive.path, what: "a \(archive.title) without a Bluetooth capture")
  }

  private struct Piece: JoinedPiece {
    var choice: ArchiveChoice
    var candidate: Candidate
    var depth: Int
    var count: PieceCount

    func open(again: Bool) throws(CaptureError) -> (any PacketSource)? {
      try choice.source(candidate, depth: depth, again ? ArchiveBudget() : choice.options.budget, count)
    }
  }

  /// A notice about files whose content could not be read; nil where there are none.
  private var unread: String? {
    var parts: [String] = []
    if encrypted > 0 { parts.append("\(encrypted) \(encrypted == 1 ? "file is" : "files are") encrypted, and must be unpacked first") }
    if unknown > 0 { parts.append("\(unknown) \(unknown == 1 ? "file is" : "files are") packed in a way that is not read") }
    if damaged > 0 { parts.append("\(damaged) \(damaged == 1 ? "file is" : "files are") damaged") }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  private func source(
    _ candidate: Candidate, depth: Int, _ budget: ArchiveBudget, _ count: PieceCount? = nil
  ) throws(CaptureError) -> (any PacketSource)? {
    var options = options
    options.budget = budget
    options.isInArchive = true
    guard var input = try archive.open(candidate.member) else { return nil }
    // A nested archive has a budget of its own for unpacked bytes.
    if let count, candidate.rank < 20 { input = CountedInput(input, count) }
    do {
      return try CaptureFile.open(PeekedInput(input), options: options, depth: depth + 1)
    } catch {
      switch error {
      case .unknownFormat where options.member == nil, .malformed where options.member == nil: return nil
      default: throw error
      }
    }
  }

  /// Removes pieces whose bytes in the archive overlap another's, so that all together are no longer than the archive. Returns the number of removed
  /// pieces. The chosen one stays.
  private static func removeOverlapping(_ pieces: inout [Candidate], _ chosen: Candidate) -> Int {
    let count = pieces.count
    let order = pieces.indices.sorted { pieces[$0].member.offset < pieces[$1].member.offset }
    var isApart = [Bool](repeating: false, count: count)
    var end = 0
    var hasChosen = false
    for index in order {
      let member = pieces[index].member
      let isChosen = !hasChosen && member.offset == chosen.member.offset && member.name == chosen.member.name
      if isChosen { hasChosen = true }
      guard isChosen || member.offset >= end && (member.end <= chosen.member.offset || member.offset >= chosen.member.end) else { continue }
      isApart[index] = true
      end = max(end, member.end)
    }
    pieces = zip(pieces, isApart).filter(\.1).map(\.0)
    return count - pieces.count
  }
}

/// The name of a file without its folders, with ASCII's letters in lower case.
private struct FileName {
  private let bytes: [UInt8]

  init(_ path: [UInt8]) {
    let slash = UInt8(ascii: "/")
    let end = path.lastIndex { $0 != slash }.map { $0 + 1 } ?? path.count
    let start = path[..<end].lastIndex(of: slash).map { $0 + 1 } ?? 0
    bytes = path[(start < end ? start : 0)..<end].map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }
  }

  func contains(_ text: String) -> Bool {
    guard let first = text.utf8.first, text.utf8.count <= bytes.count else { return false }
    for at in 0...(bytes.count - text.utf8.count) where bytes[at] == first && bytes[at...].starts(with: text.utf8) { return true }
    return false
  }

  func ends(with text: String) -> Bool { bytes.suffix(text.utf8.count).elementsEqual(text.utf8) }
}

/// The common part of the pieces of a log: their folder, and their name without the suffixes of log rotation.
private struct LogName: Equatable {
  private let path: ArraySlice<UInt8>
  private let isDated: Bool

  init(_ name: [UInt8]) {
    // iOS puts the date in the name of each piece.
    isDated = name.suffix(5).elementsEqual(".pklg".utf8)
    if isDated {
      path = name[..<(name.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0)]
      return
    }
    var end = name.count
    while let dot = name[..<end].lastIndex(of: UInt8(ascii: ".")) {
      let mark = name[(dot + 1)..<end]
      guard mark.elementsEqual("last".utf8) || !mark.isEmpty && mark.allSatisfy({ 0x30...0x39 ~= $0 }) else { break }
      end = dot
    }
    path = name[..<end]
  }
}
