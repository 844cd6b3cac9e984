import KaitaiStruct
import PacketCodecs
import Text

/// Checksums, frames of streams, fragments and their headers.
extension MessageEncoder {
  /// Writes a checksum to its position in the message, or inserts it where the message has no field for it.
  func write(_ checksum: Checksum, isInBody: Bool?, into bytes: inout [UInt8], _ reserved: ReservedBytes) {
    let isInside = checksum.position >= 0 && checksum.position + checksum.storedCount <= bytes.count
    let isHole = (checksum.position < 0 ? reserved.tail : reserved.head) >= checksum.storedCount
    let hasField = isInBody ?? hasField(checksum, in: bytes)
    isSure = isSure || hasField && hasOwnFields
    if isInside || isHole || isInBody ?? (hasField == hasOwnFields) {
      checksum.fill(&bytes)
    } else {
      checksum.insert(into: &bytes)
    }
  }

  /// Whether the body has a field for its checksum: one of the same position and width that is hidden or has the name of a checksum.
  func hasField(_ checksum: Checksum, in bytes: [UInt8]) -> Bool {
    guard let bodyRoot else { return checksum.verify(bytes.rawSpan).isCorrect }
    let low = checksum.position < 0 ? bytes.count + checksum.position : checksum.position
    let range = low..<(low + checksum.storedCount)
    var object = bodyRoot
    var isHidden = false
    // Descends into the object that contains the position, until a field is exactly there.
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

  func framed(_ bytes: [UInt8], _ stream: CompiledStream, _ reserved: ReservedBytes) throws(EncodeError) -> [UInt8] {
    var bytes = bytes
    headCount = 0
    if let build = stream.build, let type = stream.header, let choice = build.first.first(where: { $0.when.flatMap { flag($0) } ?? true }) {
      set(length: bytes.count, index: 0, count: 1)
      let header = try self.header(type, choice)
      headCount = header.count
      if reserved.head >= header.count || hasOwnFields && bytes.count >= header.count {
        bytes.replacePrefix(with: header)
      } else {
        bytes = header + bytes
      }
    }
    if !stream.rules.starts.isEmpty, !stream.rules.starts.contains(where: { bytes.starts(with: $0) }) {
      let start = stream.rules.starts[min(markerChoice, stream.rules.starts.count - 1)]
      headCount = max(headCount, start.count)
      let isOpen = hasOwnFields && bytes.count >= start.count && bytes.prefix(start.count).allSatisfy { $0 == 0 }
      if reserved.head >= start.count || isOpen { bytes.replacePrefix(with: start) } else { bytes = start + bytes }
    }
    if !stream.rules.ends.isEmpty,
      stream.rules.ends.count == 1 || !stream.rules.ends.contains(where: { bytes.reversed().starts(with: $0.reversed()) })
    {
      let end = stream.rules.ends[min(markerChoice, stream.rules.ends.count - 1)]
      let isOpen = hasOwnFields && bytes.count >= end.count && bytes.suffix(end.count).allSatisfy { $0 == 0 }
      if reserved.tail >= end.count || isOpen && !end.allSatisfy({ $0 == 0 }) {
        bytes.replaceSubrange((bytes.count - end.count)..., with: end)
      } else if !bytes.reversed().starts(with: end.reversed()) {
        bytes += end
      }
    }
    return bytes
  }

  func fragments(_ bytes: [UInt8], _ rules: CompiledFragments, _ reserved: inout ReservedBytes) throws(EncodeError) -> [[UInt8]] {
    guard let type = rules.header else { return [bytes] }
    guard let build = rules.build else {
      throw EncodeError("the profile does not say how headers are written: its layer \"fragments\" needs \"build\"")
    }
    // Bytes after the payload that outer layers fill.
    let behind = rules.payloadTo.flatMap { (try? tree.evaluate($0))?.asInt }.map { Int(clamping: min(max(0, 0 &- $0), 65536)) } ?? 0
    let before = state
    // Headers can contain the number of packets, and their sizes can depend on it. The packets are made again until their number is the assumed one.
    // It is no error if a header cannot be written for a wrong number.
    var count = 1
    var failures: [EncodeError] = []
    for _ in 0..<16 where failures.count < 4 {
      state = before
      do throws(EncodeError) {
        let packets = try self.packets(bytes, rules, build, type, count, behind)
        if packets.count == count {
          note(rules.header, rules.total, packets[0], wanted: bytes.count)
          reserved = ReservedBytes(head: 0, tail: behind)
          return packets
        }
        count = packets.count
      } catch {
        failures.append(error)
        count += 1
      }
    }
    throw failures.first
      ?? EncodeError("no number of packets is the one that \"build\" then makes: \"size\" and headers depend on \"count\"")
  }

  /// The packets of a message by the rules of `build`, if there are `count` of them.
  private func packets(
    _ bytes: [UInt8], _ rules: CompiledFragments, _ build: CompiledBuild, _ type: TypeID, _ count: Int, _ behind: Int
  ) throws(EncodeError) -> [[UInt8]] {
    var packets: [[UInt8]] = []
    var at = 0
    repeat {
      let choices = packets.isEmpty || build.next.isEmpty ? build.first : build.next
      let index = packets.isEmpty || build.next.isEmpty ? packets.count : packets.count - 1
      set(length: bytes.count, index: index, count: count)
      environment.set(profile.externals.built("offset"), int: Int64(at))
      var size = packetSize ?? Self.longestAttribute
      if packetSize == nil, let value = try self.size(build) { size = value }
      let (header, here) = try header(type, choices, bytes.count - at, size - behind, rules.payloadFrom ?? 0)
      var packet = header + bytes[at..<(at + here)] + [UInt8](repeating: 0, count: behind)
      if let pad = build.pad { packet += [UInt8](repeating: pad, count: max(0, size - packet.count)) }
      packets.append(packet)
      at += here
      applyState(rules.set, header, type)
      guard packets.count < 65536 else { throw EncodeError("more than 65535 packets") }
      if at >= bytes.count { break }
    } while true
    return packets
  }

  /// The header of a packet, and how many of the remaining bytes follow it.
  private func header(
    _ type: TypeID, _ choices: [CompiledBuild.Choice], _ left: Int, _ size: Int, _ from: Int
  ) throws(EncodeError) -> ([UInt8], Int) {
    var here = left
    var header: [UInt8] = []
    // The contents of the header can change its length.
    for _ in 0..<4 {
      environment.set(profile.externals.built("bytes"), int: Int64(here))
      environment.set(profile.externals.built("last"), bool: here == left)
      guard let choice = choices.first(where: { $0.when.flatMap { flag($0) } ?? true }) else {
        throw EncodeError("no alternative of \"build\" holds for this packet, with \(left) bytes left")
      }
      header = try self.header(type, choice)
      if header.count < from { header += [UInt8](repeating: 0, count: from - header.count) }
      let room = size - header.count
      // A packet without contents can be exactly as long as its header.
      guard room > 0 || room == 0 && left == 0 else { throw EncodeError("a packet of \(size) bytes has no room behind its header") }
      if here == min(room, left) { break }
      here = min(room, left)
    }
    return (header, here)
  }

  /// Changes the state as the decoder does when it reads this header.
  private func applyState(_ sets: [CompiledSet], _ header: [UInt8], _ type: TypeID) {
    guard !sets.isEmpty else { return }
    guard tree.parse(type, header.rawSpan, environment: environment) == nil else { return }
    for set in sets { if let new = state[set.state].changed(by: set, tree, tree.root, environment.bodies) { state[set.state] = new } }
  }

  private func set(length: Int, index: Int, count: Int) {
    environment.set(profile.externals.built("length"), int: Int64(length))
    environment.set(profile.externals.built("index"), int: Int64(index))
    environment.set(profile.externals.built("count"), int: Int64(count))
  }

  private func header(_ type: TypeID, _ choice: CompiledBuild.Choice) throws(EncodeError) -> [UInt8] {
    var given: [(name: String, value: FieldTree)] = []
    for (name, expression) in choice.header {
      let value: KaitaiValue
      do throws(Failure) { value = try tree.evaluate(expression) } catch {
        throw EncodeError("\"\(name)\" of the header cannot be computed: \(error.message)")
      }
      if value.kind == .bool {
        given.append((name, .bool(value.asBool ?? false)))
      } else if let whole = value.asInt {
        given.append((name, .int(whole)))
      } else {
        given.append((name, tree.withBytes(of: value) { .bytes(Array($0)) }))
      }
    }
    // Fields that "build" does not name are 0.
    let missing = writer.missing
    writer.missing = { [profile] field in profile.program.kind(of: field) == .number ? .int(0) : profile.whenMissing(field) }
    defer { writer.missing = missing }
    do throws(WriteError) {
      return try writer.write(type, .object(given), environment: environment)
    } catch { throw EncodeError("the header: \(error)") }
  }
}
