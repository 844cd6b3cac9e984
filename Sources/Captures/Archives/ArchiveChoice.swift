/// Which file of an archive is read: a bug report of Android, a sysdiagnose of iOS, or any archive with captures in it.
struct ArchiveChoice {
  /// A member that can be read, and how it stands against the others; less is better.
  private struct Candidate {
    var member: ArchiveMember
    var rank: Int
    var what: String
  }

  private let archive: any Archive
  private let options: CaptureOptions
  private var candidates: [Candidate] = []
  /// Files that could not be looked at: encrypted ones, those packed by an unknown method, and damaged ones.
  private var (encrypted, unknown, damaged) = (0, 0, 0)

  /// Looks at the members' first bytes.
  init(_ archive: any Archive, options: CaptureOptions) throws(CaptureError) {
    self.archive = archive
    self.options = options
    for member in archive.members {
      if member.isEncrypted { encrypted += 1 } else if member.method != 0, member.method != 8 { unknown += 1 }
      if let wanted = options.member {
        if member.name.hasSuffix(wanted) { candidates.append(Candidate(member: member, rank: 0, what: "as asked for")) }
        continue
      }
      guard archive is ZipArchive else {
        // Members of a tar were looked at when they were listed.
        if let judged = ArchiveChoice.judge(member, head: member.head) { candidates.append(judged) }
        continue
      }
      guard options.budget.takeEntry() else { break }
      guard member.size > 0 else { continue }
      guard let input = try archive.open(member) else {
        if !member.isEncrypted, member.method == 0 || member.method == 8 { damaged += 1 }
        continue
      }
      let peeked = PeekedInput(input)
      do {
        _ = try peeked.peekMore(limit: 1024)
      } catch {
        damaged += 1
        continue
      }
      if let judged = ArchiveChoice.judge(member, head: peeked.head) { candidates.append(judged) }
      guard options.budget.takeLooked(input.progress.read) else { break }
    }
    candidates.sort { ($0.rank, -$0.member.size, $0.member.name) < ($1.rank, -$1.member.size, $1.member.name) }
  }

  /// A member that may be read, by its first bytes, or is asked for by name.
  static func isWorthALook(_ member: ArchiveMember, head: [UInt8], member wanted: String?) -> Bool {
    if let wanted { return member.name.hasSuffix(wanted) }
    return member.size > 0 && judge(member, head: head) != nil
  }

  /// Ranks a member by its name and its first bytes; nil where it is nothing to read.
  private static func judge(_ member: ArchiveMember, head: [UInt8]) -> Candidate? {
    let name = (member.name.split(separator: "/").last.map(String.init) ?? member.name).lowercased()
    if CaptureFile.isCapture(head) {
      // A log without packets is taken only if there is nothing else.
      let empty = member.size <= 16 ? 50 : 0
      if name.contains("btsnooz") {
        return Candidate(member: member, rank: empty + (name.hasSuffix(".last") ? 11 : 10), what: "the memory log, with packets cut short")
      }
      let isLast = name.contains(".last")
      if name.contains(".filtered") {
        return Candidate(member: member, rank: empty + (isLast ? 7 : 6), what: "the log as Android's filter left it")
      }
      if name.contains("btsnoop") || name.contains("hci") && name.contains(".log") {
        return Candidate(
          member: member, rank: empty + (isLast ? 3 : 2), what: isLast ? "the piece before the last restart" : "the snoop log")
      }
      if name.contains("latest") && name.hasSuffix(".pklg") { return Candidate(member: member, rank: empty + 1, what: "the latest log") }
      return Candidate(member: member, rank: empty + 4, what: "a capture")
    }
    if ContainerKind(head) != nil { return Candidate(member: member, rank: 20, what: "an archive in the archive") }
    let isReport = name.hasSuffix(".txt") && (name.contains("bugreport") || name.contains("dumpstate") || name.contains("dumpsys"))
    if isReport { return Candidate(member: member, rank: 30, what: "the text of the bug report") }
    return nil
  }

  /// Opens the best candidate that turns out to be a capture, with a notice of which it is and what else is there.
  func open(depth: Int) throws(CaptureError) -> any PacketSource {
    var vain: [String] = []
    var isKept = false
    for (index, candidate) in candidates.enumerated() {
      guard var source = try source(candidate, depth: depth, options.budget) else {
        if candidate.rank < 20 { vain.append(candidate.member.name) }
        if !isKept {
          // More of them will be opened, in the order of their ranks.
          let most = ArchiveBudget.mostTries + ArchiveBudget.mostArchives
          try archive.keep(candidates.dropFirst(index + 1).prefix(most).map(\.member), options.budget)
          isKept = true
        }
        // Archives have a bound of their own.
        if candidate.rank == 20 || options.budget.takeTry() { continue } else { break }
      }
      var pieces = 1
      var leftOut = 0
      if options.joinsPieces {
        let all = candidates.enumerated().filter { $0.offset == index || isPiece($0.element, of: candidate) }.map(\.element)
        if all.count > 1 {
          // The order of their times may not be that of the archive.
          try archive.keep(all.map(\.member), options.budget)
          let joined = try JoinedSource(all.map { Piece(choice: self, candidate: $0, depth: depth) })
          if joined.count > 1 { (source, pieces) = (joined, joined.count) }
          leftOut += all.count - joined.count
        }
      }
      var notice = "\(archive.path): reading \(candidate.member.name): \(candidate.what)"
      if pieces > 1 { notice += ", joined with \(pieces - 1) more" }
      if let first = vain.first { notice += "; \(first)\(vain.count > 1 ? " and \(vain.count - 1) more" : "") could not be read" }
      if leftOut > 0 { notice += "; \(leftOut) more pieces are left out" }
      // Archives beside captures are other things most often; beside one that was read they may be its like.
      let left = candidates.filter { ($0.rank < 20 || $0.rank == candidate.rank) && $0.member.offset != candidate.member.offset }
      if !left.isEmpty && pieces == 1 {
        let names = left.prefix(8).map { "\($0.member.name) (\($0.member.size) bytes: \($0.what))" }
        notice += "; there are also \(names.joined(separator: ", "))\(left.count > 8 ? " and \(left.count - 8) more" : "")"
      }
      source.addNotice(notice)
      if let unread { source.addNotice("\(archive.path): \(unread)") }
      return source
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

    func open(again: Bool) throws(CaptureError) -> (any PacketSource)? {
      try choice.source(candidate, depth: depth, again ? ArchiveBudget() : choice.options.budget)
    }
  }

  /// What is said of files that could not be looked at; nil where there are none.
  private var unread: String? {
    var parts: [String] = []
    if encrypted > 0 { parts.append("\(encrypted) \(encrypted == 1 ? "file is" : "files are") encrypted, and must be unpacked first") }
    if unknown > 0 { parts.append("\(unknown) \(unknown == 1 ? "file is" : "files are") packed in a way that is not read") }
    if damaged > 0 { parts.append("\(damaged) \(damaged == 1 ? "file is" : "files are") damaged") }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  private func source(_ candidate: Candidate, depth: Int, _ budget: ArchiveBudget) throws(CaptureError) -> (any PacketSource)? {
    var options = options
    options.budget = budget
    guard let input = try archive.open(candidate.member) else { return nil }
    do {
      return try CaptureFile.open(PeekedInput(input), options: options, depth: depth + 1)
    } catch {
      switch error {
      case .unknownFormat where options.member == nil, .malformed where options.member == nil: return nil
      default: throw error
      }
    }
  }

  /// Both are pieces of one log: in one folder, and called the same up to the marks of rotation.
  private func isPiece(_ one: Candidate, of other: Candidate) -> Bool {
    one.rank < 10 && ArchiveChoice.stem(one.member.name) == ArchiveChoice.stem(other.member.name)
  }

  static func stem(_ name: String) -> String {
    var stem = name
    if stem.hasSuffix(".pklg") {
      // iOS puts the date in the name of each piece.
      guard let slash = stem.lastIndex(of: "/") else { return "*.pklg" }
      return "\(stem[..<slash])/*.pklg"
    }
    while let dot = stem.lastIndex(of: ".") {
      let ending = stem[stem.index(after: dot)...]
      if ending == "last" || !ending.isEmpty && ending.allSatisfy(\.isNumber) { stem = String(stem[..<dot]) } else { break }
    }
    return stem
  }
}
