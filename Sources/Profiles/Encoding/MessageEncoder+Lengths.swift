import Foundation
import KaitaiStruct
import PacketCodecs
import Text

// Numbers of a message that follow from its bytes: lengths and checksums.
extension MessageEncoder {
  /// Looks for a hidden number that is not given, with which the packets decode to the message: a length in a form that cannot be solved for.
  func lengths(
    _ number: Int, _ fields: FieldTree, _ place: Int, _ way: ValueDirection, _ before: [CompiledState.Initial], _ first: Attempt
  ) throws(EncodeError) -> Attempt? {
    guard case .type(let type) = profile.messages[number].body else { return nil }
    guard let length = first.length else {
      // A number behind the data that says how long they are, and that the type compares with what is there.
      for path in openNumbers(type, fields, depth: 0, isHidden: false).prefix(4) {
        for less in 0...16 where first.payload.count >= less {
          state = before
          guard let fields = fields.setting(path, to: .int(Int64(first.payload.count - less))) else { break }
          if let tried = try? self.attempt(number, fields, place, way), tried.difference == nil { return tried }
        }
      }
      return nil
    }
    for path in openNumbers(type, fields, depth: 0, isHidden: false).prefix(8) {
      func attempt(_ value: Int64) -> Attempt? {
        state = before
        guard let fields = fields.setting(path, to: .int(value)) else { return nil }
        return try? self.attempt(number, fields, place, way)
      }
      // How the length that is said follows the number, from two of its values; a length that is said otherwise is that of the message.
      let one = attempt(1)
      let slope = (one?.length?.said ?? length.said) - length.said
      var value = slope == 0 ? Int64(length.wanted) : (Int64(length.wanted) - length.said) / slope
      for _ in 0..<6 {
        guard value >= 0, let tried = attempt(value) else { break }
        if tried.difference == nil { return tried }
        guard let length = tried.length else { break }
        let next = slope == 0 ? Int64(length.wanted) : value + (Int64(length.wanted) - length.said) / slope
        if next == value { break }
        value = next
      }
    }
    return nil
  }

  /// The paths of hidden numbers of a type that are not given, those within hidden objects too.
  private func openNumbers(_ type: TypeID, _ fields: FieldTree, depth: Int, isHidden: Bool) -> [String] {
    guard depth < 3 else { return [] }
    let program = profile.program
    var found: [String] = []
    for field in program.fields(of: type) where !program.isInstance(field) && !program.isParameter(field) {
      let name = program.name(of: field)
      guard isHidden || profile.fieldPresentations[Int(field.rawValue)].isHidden, fields[name] == nil || fields[name] == .null else {
        continue
      }
      if program.kind(of: field) == .number { found.append(name) }
      guard let inner = program.type(of: field) else { continue }
      if profile.typePresentations[Int(inner.rawValue)].isInline {
        found.append(name)
      } else {
        found += openNumbers(inner, fields[name] ?? .null, depth: depth + 1, isHidden: true).map { "\(name).\($0)" }
      }
    }
    return found
  }

  /// Notes what a header at the start of `bytes` says of the length of `wanted` bytes.
  func note(_ header: TypeID?, _ length: ExpressionID?, _ bytes: [UInt8], wanted: Int) {
    guard let header, let length, tree.parse(header, bytes.rawSpan, environment: environment) == nil,
      let value = (try? tree.evaluate(length, at: tree.root))?.asInt, value.magnitude < 1 << 32
    else { return }
    said = (value, wanted)
  }

  /// The header of a frame with its length corrected; nil where it is correct, or cannot be corrected.
  func adjusted(_ stream: CompiledStream, _ bytes: [UInt8]) -> [UInt8]? {
    guard let type = stream.header, let length = stream.length else { return nil }
    guard tree.parse(type, bytes.rawSpan, environment: environment) == nil,
      let value = (try? tree.evaluate(length, at: tree.root))?.asInt, value != Int64(bytes.count)
    else { return nil }
    return writer.adjusted(type, bytes, so: length, gives: bytes.count, environment: environment)
  }

  // MARK: Checksums

  /// Consecutive checksums may cover each other: once all have their place, they are computed again in order.
  func fillAgain(_ layers: [CompiledLayer], _ first: Int, _ packets: inout [[UInt8]]) {
    guard case .check = layers[first], first + 1 < layers.count, case .check = layers[first + 1] else { return }
    for layer in layers[first...] {
      guard case .check(let checksum, let when, nil, _) = layer else { return }
      for number in packets.indices where when.flatMap({ isTrue($0, packets[number]) }) ?? true { checksum.fill(&packets[number]) }
    }
  }

  /// Writes the checksums that cover whole packets.
  func fillPackets(_ layers: ArraySlice<CompiledLayer>, _ packets: inout [[UInt8]]) {
    for layer in layers {
      guard case .checkPackets(let checksum, let when, _) = layer else { continue }
      var all = Array(packets.joined())
      if let when, !(isTrue(when, all) ?? true) { continue }
      checksum.fill(&all)
      var at = 0
      for number in packets.indices {
        packets[number] = Array(all[at..<(at + packets[number].count)])
        at += packets[number].count
      }
    }
  }

  /// Words that occur in the names of checksum fields.
  private static let checksumWords = ["crc", "sum", "check", "fcs", "lrc", "bcc", "xor"]

  /// Whether the body has a field for its checksum: one of the same place and width that is hidden or has such a name.
  func hasField(_ checksum: Checksum, in bytes: [UInt8]) -> Bool {
    guard let bodyRoot else { return checksum.verify(bytes.rawSpan).isCorrect }
    let low = checksum.position < 0 ? bytes.count + checksum.position : checksum.position
    let range = low..<(low + checksum.storedCount)
    var object = bodyRoot
    var isHidden = false
    // Descends into the object that contains the place, until a field has it exactly.
    for _ in 0..<FieldWalker.deepest {
      guard let type = body.node(object).objectType else { return false }
      var inside: NodeID?
      for field in profile.program.fields(of: type) where !profile.program.isInstance(field) && !profile.program.isParameter(field) {
        guard case .present(let node) = body.state(of: field, in: object) else { continue }
        let info = body.node(node)
        guard !info.isProduced, Int(info.start) <= range.lowerBound, Int(info.end) >= range.upperBound else { continue }
        let style = profile.fieldPresentations[Int(field.rawValue)]
        isHidden = isHidden || style.isHidden
        if info.objectType != nil {
          inside = node
        } else if Int(info.start) == range.lowerBound, Int(info.end) == range.upperBound {
          let name = profile.program.name(of: field)
          return isHidden || Self.checksumWords.contains { name.contains($0) }
        } else if info.kind == .bytes {
          // Bytes that extend to the end include the checksum if it is correct.
          return checksum.verify(bytes.rawSpan).isCorrect
        }
      }
      guard let inside else { return false }
      object = inside
    }
    return false
  }
}
