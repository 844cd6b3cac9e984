import KaitaiStruct
import Memory
import PacketCodecs

// Facts about a message for the author of a profile, in addition to those for other readers.

extension ProfileMessage {
  /// The kinds of its problems: `incomplete`, `gap`, `garbage`, `surplus`, `checksum`, `layer`, `body`, `inner`, `unknown`.
  var problemKinds: [String] {
    var kinds: [String] = []
    for problem in problems {
      switch problem.kind {
      case .gap, .indexGap, .orphan, .duplicate: kinds.append("gap")
      case .surplus: kinds.append("surplus")
      case .skipped: kinds.append("garbage")
      default: kinds.append("incomplete")
      }
    }
    if checksum == .bad { kinds.append("checksum") }
    switch problem {
    case nil: break
    case .layer?: kinds.append("layer")
    case .body?: kinds.append("body")
    case .inner?: kinds.append("inner")
    case .noAlternative?: kinds.append("unknown")
    }
    return kinds
  }

  /// Its tree, which is made here if the message was read without one; nil where its body has no type.
  private var wholeTree: KaitaiTree? {
    guard kind == .message, messageNumber >= 0, case .type(let type) = profile.messages[messageNumber].body else { return nil }
    if root == nil { runtime.with { _ = $0.parse(type, self) } }
    return root == nil ? nil : tree
  }

  /// Instances that could not be computed, each with the reason. An instance that uses a missing field has no value, which is no fault.
  public var faults: [String] {
    guard let tree = wholeTree, let root else { return [] }
    var faults: [String] = []
    var more = 0
    var visited = 0
    visit(root, tree, [], depth: 0, &visited) { field, state, path in
      guard case .failed(let failure) = state, failure.kind != .absent else { return }
      // It is reported as the problem of the message.
      if case .body(let previous)? = problem, previous == failure { return }
      guard faults.count < Self.maxFaults else {
        more += 1
        return
      }
      faults.append("instance \((path + [profile.program.name(of: field)]).joined(separator: ".")): \(failure.message)")
    }
    if more > 0 { faults.append("\(more) more instance\(more > 1 ? "s" : "") could not be computed") }
    return faults
  }

  private static let maxFaults = 8

  /// Why the first instance that violates its `valid` is invalid; nil where all are valid.
  var wrongInstance: Failure? {
    guard let tree = wholeTree, let root else { return nil }
    var wrong: Failure?
    var visited = 0
    visit(root, tree, [], depth: 0, &visited) { field, state, _ in
      guard wrong == nil, case .failed(let failure) = state, failure.kind.isOfValidation, failure.field == field else { return }
      wrong = failure
    }
    return wrong
  }

  /// Calls `body` for each node of its tree; instances are computed.
  func visitNodes(_ body: (KaitaiTree, NodeID) -> Void) {
    guard let tree = wholeTree else { return }
    tree.evaluateInstances()
    for number in 0..<tree.nodeCount { body(tree, NodeID(rawValue: Int32(number))) }
  }

  /// The bytes of the message after the last one that its type reads, without checksums and end markers; empty where all were read.
  public var unreadBytes: [UInt8] {
    let end = checkedRange.map { $0.upperBound == count ? $0.lowerBound : count } ?? count
    guard let last = unreadRanges.last, last.upperBound >= end else { return [] }
    return Array(payload[last.lowerBound...])
  }

  /// Ranges of bytes that its type does not read, without checksums and end markers.
  public var unreadRanges: [Range<Int>] {
    guard isComplete, problem == nil, let tree = wholeTree else { return [] }
    tree.evaluateInstances()
    var read: [Range<Int>] = checkedRange.map { [$0] } ?? []
    for number in 0..<tree.nodeCount {
      let node = tree.node(NodeID(rawValue: Int32(number)))
      // Objects and lists consist of the bytes of their elements.
      guard !node.isProduced, node.kind != .object, node.kind != .array, node.start < node.end else { continue }
      read.append(Int(node.start)..<Int(node.end))
    }
    var ranges: [Range<Int>] = []
    var end = 0
    for range in read.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if range.lowerBound > end { ranges.append(end..<min(range.lowerBound, count)) }
      end = max(end, range.upperBound)
    }
    if end < count, count - end > endMarkerCount { ranges.append(end..<count) }
    return ranges
  }

  /// Length of the longest end marker of the stream, which can follow the body.
  private var endMarkerCount: Int {
    var bytes = 0
    for layer in profile.sources[sourceNumber].directions[Int(direction.rawValue)].layers {
      switch layer {
      case .stream(let stream): bytes = stream.rules.ends.map(\.count).max() ?? 0
      case .slice: bytes = 0
      default: break
      }
    }
    return bytes
  }

  /// The range of the payload with the checksum after the body, if the layers keep it there; nil otherwise.
  public var checkedRange: Range<Int>? {
    var range: Range<Int>?
    for layer in profile.sources[sourceNumber].directions[Int(direction.rawValue)].layers {
      switch layer {
      case .check(let checksum, _, nil, _) where checksum.position < 0, .checkPackets(let checksum, _, _) where checksum.position < 0:
        let start = count + checksum.position
        range = start >= 0 && start + checksum.storedCount <= count ? start..<start + checksum.storedCount : nil
      case .check: break
      default: range = nil
      }
    }
    return range
  }

  /// Calls `body` for each field of an object and of the objects in it; instances are computed. As instances can refer to objects elsewhere, visits
  /// are counted.
  private func visit(
    _ object: NodeID, _ tree: KaitaiTree, _ path: [String], depth: Int, _ visited: inout Int,
    _ body: (FieldID, KaitaiTree.FieldState, [String]) -> Void
  ) {
    visited += 1
    guard depth < FieldWalker.deepest, visited <= FieldWalker.visits(nodes: tree.nodeCount), let type = tree.node(object).objectType else {
      return
    }
    for field in profile.program.fields(of: type) where !profile.program.isParameter(field) {
      if profile.program.isInstance(field) { _ = tree.node(field, of: object) }
      let state = tree.state(of: field, in: object)
      body(field, state, path)
      guard case .present(let node) = state else { continue }
      let path = path + [profile.program.name(of: field)]
      if tree.node(node).objectType != nil {
        visit(node, tree, path, depth: depth + 1, &visited, body)
      } else if tree.node(node).kind == .array {
        var next = tree.node(node).firstChild
        var index = 0
        while let element = next {
          visit(element, tree, path + [String(index)], depth: depth + 1, &visited, body)
          next = tree.node(element).next
          index += 1
        }
      }
    }
  }
}

extension CompiledProfile {
  /// Whether layers of a source join several packets, or drop some.
  public func joinsPackets(_ source: Int, _ direction: ValueDirection) -> Bool { sources[source].keepsBytes(direction) }
}

extension CompiledSource {
  /// Whether layers of a direction keep bytes of a packet until the next one.
  func keepsBytes(_ direction: ValueDirection) -> Bool {
    directions[Int(direction.rawValue)].layers.contains {
      switch $0 {
      case .fragments, .stream, .expect, .drop: true
      default: false
      }
    }
  }

  /// The condition of the source that a test's packet does not meet; nil where it meets all. Facts that a test leaves out count as met.
  func reasonToIgnore(_ packet: [UInt8], _ name: String?, isPayload: Bool) -> String? {
    guard kind == .advertisement, !isPayload else { return nil }
    if let name, !names.isEmpty, !GlobSet(names).contain(name) {
      return "the name \"\(name)\" is none of its names (\(names.joined(separator: ", ")))"
    }
    if includesCompany, !companies.isEmpty, packet.count >= 2 {
      let company = UInt16(packet[0]) | UInt16(packet[1]) << 8
      if !companies.contains(company) {
        return
          "company 0x\(String(company, radix: 16)) is none of its companies (\(companies.map { "0x" + String($0, radix: 16) }.joined(separator: ", ")))"
      }
    }
    guard isWhole else { return nil }
    let facts = PeerFacts().adding(advertisement: packet.rawSpan)
    if !companies.isEmpty, !companies.contains(where: facts.companies.contains) { return "its AD structures have no data of its company" }
    if !serviceData.isEmpty, !serviceData.contains(where: facts.serviceData.contains) {
      return "its AD structures have no data of its service"
    }
    if !services.isEmpty, !services.contains(where: (facts.services + facts.serviceData).contains) {
      return "its AD structures have none of its services"
    }
    return nil
  }
}
