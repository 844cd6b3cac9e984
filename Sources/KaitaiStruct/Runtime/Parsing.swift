import Memory

/// Reads objects, fields and arrays from streams into the tree.
extension Machine {
  // MARK: Objects

  /// Reads an object of `type` from `stream`.
  ///
  /// `parent` is its `_parent` (-1: none), `creator` the object whose sequence contains it (-1: none), `container` the object or array that it
  /// becomes part of. The object is part of the tree from the start, so that fields that were read remain when reading fails.
  mutating func readObject(
    type: Int32, stream: Int, parent: Int32, creator: Int32, container: Int32, field: Int32, firstArgument: Int32, argumentCount: Int32,
    slot: Int
  ) throws(Stop) -> Int32 {
    depth &+= 1
    guard depth <= limits.depth else { throw fail(.depth) }
    let info = tables.types.entry(Int(type))
    let base = try allocateSlots(Int(info.pointee.fieldCount))
    let at = UInt32(truncatingIfNeeded: streams[stream].start &+ streams[stream].position)
    let number = try append(
      TreeNode(
        kind: .object, payload: UInt64(truncatingIfNeeded: base) | UInt64(truncatingIfNeeded: stream) << 32, field: field,
        parent: container,
        start: at, end: at, type: type, flags: streams[stream].isProduced ? TreeNode.producedRange : 0))
    slots[base &- 4] = number
    slots[base &- 3] = Int32(truncatingIfNeeded: depth)
    // An object whose type is from another file than that of the outer object has no parent, and is its own root.
    let isLocal = creator >= 0 && tables.types[Int(nodes[Int(creator)].type)].file == info.pointee.file
    slots[base &- 2] = isLocal ? rootNumber(of: creator) : number
    slots[base &- 1] = isLocal ? parent : -1
    if container >= 0, isChained(field, in: container) { link(number, into: container) }
    if slot >= 0 { slots[slot] = number }
    var argument: Int32 = 0
    while argument < argumentCount {
      let value = try evaluate(tables.lists[Int(firstArgument &+ argument)], creator)
      slots[base &+ Int(argument)] = try store(value, field: info.pointee.firstField &+ argument, in: number)
      argument &+= 1
    }
    if creator < 0, !pendingArguments.isEmpty {
      for (index, value) in pendingArguments.prefix(Int(info.pointee.parameterCount)).enumerated() {
        slots[base &+ index] = try store(value, field: info.pointee.firstField &+ Int32(index), in: number)
      }
    }
    do throws(Stop) {
      if info.pointee.endianSwitch >= 0 {
        try decideEndian(number, info.pointee.endianSwitch)
      } else if info.pointee.inheritsEndian, creator >= 0 {
        nodes[Int(number)].flags |= nodes[Int(creator)].flags & (TreeNode.littleEndian | TreeNode.bigEndian)
      }
      try readSequence(number, info, base, stream)
    } catch {
      close(number, stream)
      throw error
    }
    close(number, stream)
    depth &-= 1
    return number
  }

  @inline(__always)
  private mutating func close(_ object: Int32, _ stream: Int) {
    nodes[Int(object)].end = UInt32(truncatingIfNeeded: streams[stream].start &+ streams[stream].position)
  }

  private mutating func readSequence(_ object: Int32, _ info: Table<TypeInfo>.Entry, _ base: Int, _ stream: Int) throws(Stop) {
    var slot = info.pointee.parameterCount
    let end = slot &+ info.pointee.sequenceCount
    var wereBits = false
    while slot < end {
      let number = info.pointee.firstField &+ slot
      let field = tables.fields.entry(Int(number))
      if field.pointee.runCount > 0, readRun(field, number, object, base &+ Int(slot), stream) {
        wereBits = false
        slot &+= Int32(field.pointee.runCount)
        continue
      }
      try spend()
      if field.pointee.isPlain {
        wereBits = false
        let node = try readInteger(tables.readers.entry(Int(field.pointee.reader)), number, object, stream, object)
        slots[base &+ Int(slot)] = node
        link(node, into: object)
      } else {
        let reader = tables.readers.entry(Int(field.pointee.reader))
        let areBits = reader.pointee.kind == .bits
        if wereBits, !areBits { streams[stream].bitsLeft = 0 }
        wereBits = areBits
        do throws(Stop) {
          if areBits, field.pointee.condition < 0, field.pointee.repetition == .once, field.pointee.checkCount == 0 {
            let node = try readBits(reader, number, stream, object)
            slots[base &+ Int(slot)] = node
            link(node, into: object)
            slot &+= 1
            continue
          }
          try readField(number, object, stream, base &+ Int(slot))
        } catch {
          note(number, object, stream)
          throw error
        }
      }
      slot &+= 1
    }
  }

  /// Reads the run of plain fields that begins at `field`; false where the bytes, the nodes or the steps do not suffice for the entire run.
  @inline(__always)
  private mutating func readRun(_ field: Table<FieldInfo>.Entry, _ number: Int32, _ object: Int32, _ slot: Int, _ stream: Int) -> Bool {
    let (count, size) = (Int(field.pointee.runCount), Int(field.pointee.runSize))
    let position = streams[stream].position
    guard size <= streams[stream].size &- position, steps >= count, let first = reserveNodes(count) else { return false }
    steps &-= count
    streams[stream].bitsLeft = 0
    streams[stream].position = position &+ size
    let isProduced = streams[stream].isProduced
    var offset = streams[stream].start &+ position
    let bytes = unsafe isProduced ? UnsafeRawPointer(produced) : input
    var index = 0
    while index < count {
      let reader = tables.readers.entry(Int(tables.fields[Int(number) &+ index].reader))
      let width = Int(reader.pointee.width)
      var bits = unsafe Stream.load(bytes + offset, reader.pointee.width, isLittle: reader.pointee.order == .little)
      var kind = KaitaiValue.Kind.int
      var flags: UInt8 = isProduced ? TreeNode.producedRange : 0
      if reader.pointee.kind == .signed {
        let shift = Int64(64 &- width &* 8)
        bits = UInt64(bitPattern: (Int64(bitPattern: bits) &<< shift) &>> shift)
      } else if bits >> 63 != 0 {
        kind = .uint
      }
      let enumeration = reader.pointee.enumeration
      if enumeration >= 0 {
        if kind == .uint { flags |= TreeNode.kindFlag }
        kind = .enumeration
      }
      let start = UInt32(truncatingIfNeeded: offset)
      offset &+= width
      let node = first &+ Int32(truncatingIfNeeded: index)
      nodes[Int(node)] = TreeNode(
        kind: kind, payload: bits, field: number &+ Int32(truncatingIfNeeded: index), parent: object, start: start,
        end: UInt32(truncatingIfNeeded: offset), type: enumeration, next: node &+ 1, flags: flags)
      slots[slot &+ index] = node
      index &+= 1
    }
    let last = first &+ Int32(truncatingIfNeeded: count &- 1)
    nodes[Int(last)].nextNumber = -1
    link(first, into: object)
    nodes[Int(object)].lastNumber = last
    return true
  }

  /// Notes the field and the offset of a failure. Only the first call has an effect, so that the innermost field is reported.
  private mutating func note(_ field: Int32, _ object: Int32, _ stream: Int) {
    guard failure.object == nil else { return }
    failure.object = NodeID(rawValue: object)
    failure.field = FieldID(rawValue: field)
    failure.offset = streams[stream].start &+ streams[stream].position
  }

  mutating func rootNumber(of object: Int32) -> Int32 { slots[nodes[Int(object)].slotBase &- 2] }
  mutating func parentNumber(of object: Int32) -> Int32 { slots[nodes[Int(object)].slotBase &- 1] }
  mutating func depthNumber(of object: Int32) -> Int32 { slots[nodes[Int(object)].slotBase &- 3] }

  mutating func decideEndian(_ object: Int32, _ switchNumber: Int32) throws(Stop) {
    let target = try choose(switchNumber, object)
    guard target > 0 else { throw fail(.undecidedEndianness) }
    nodes[Int(object)].flags |= target == 1 ? TreeNode.littleEndian : TreeNode.bigEndian
  }

  // MARK: Fields

  /// Reads a field of the sequence, or an instance, into its slot.
  mutating func readField(_ number: Int32, _ object: Int32, _ stream: Int, _ slot: Int) throws(Stop) {
    let field = tables.fields.entry(Int(number))
    if field.pointee.condition >= 0, try !isTrue(field.pointee.condition, object) {
      slots[slot] = Self.missing
      return
    }
    if field.pointee.repetition == .once {
      let node = try readElement(tables.readers.entry(Int(field.pointee.reader)), number, object, stream, object, slot)
      slots[slot] = node < 0 ? Self.missing : node
      if field.pointee.checkCount > 0, node >= 0 { try check(field, node, object) }
    } else {
      try readArray(field, number, object, stream, slot)
    }
  }

  private mutating func readArray(
    _ field: Table<FieldInfo>.Entry, _ number: Int32, _ object: Int32, _ stream: Int, _ slot: Int
  ) throws(Stop) {
    let reader = tables.readers.entry(Int(field.pointee.reader))
    let at = UInt32(truncatingIfNeeded: streams[stream].start &+ streams[stream].position)
    let array = try append(
      TreeNode(
        kind: .array, payload: 0, field: number, parent: object, start: at, end: at,
        flags: streams[stream].isProduced ? TreeNode.producedRange : 0))
    if isChained(number, in: object) { link(array, into: object) }
    slots[slot] = array
    let outer = (it, index)
    defer { (it, index) = outer }
    var count: Int64 = 0
    var wanted = Int64.max
    if field.pointee.repetition == .count { wanted = try integer(field.pointee.repeatExpression, object) }
    // Only an end condition of the array and checks of its elements use the last element.
    let needsElements = field.pointee.repetition == .until || field.pointee.checkCount > 0
    while count < wanted {
      index = count
      let before = (position: streams[stream].position, bitsLeft: streams[stream].bitsLeft)
      let isToEnd = field.pointee.repetition == .endOfStream || field.pointee.repetition == .whole
      if isToEnd, before.position >= streams[stream].size, before.bitsLeft == 0 { break }
      try spend()
      var node: Int32
      let earlier = (depth, nodes[Int(array)].lastNumber)
      do throws(Stop) {
        node = try readElement(reader, number, object, stream, array, -1)
        if node < 0 {
          // No case matched: an absent element keeps the indices of the others.
          node = try append(TreeNode(kind: .absent, payload: 0, field: number, parent: array, start: 0, end: 0))
          link(node, into: array)
          it = .absent
        } else if needsElements {
          it = value(node)
          if field.pointee.checkCount > 0 { try check(field, node, object) }
        }
      } catch {
        if field.pointee.repetition == .whole, lacksBytes(of: streams[stream]) {
          // An incomplete element is removed again: its bytes are left for the next field.
          depth = earlier.0
          (streams[stream].position, streams[stream].bitsLeft) = before
          nodes[Int(array)].lastNumber = earlier.1
          if earlier.1 < 0 { nodes[Int(array)].firstNumber = -1 } else { nodes[Int(earlier.1)].nextNumber = -1 }
          break
        }
        note(number, object, stream)
        nodes[Int(array)].end = UInt32(truncatingIfNeeded: streams[stream].start &+ streams[stream].position)
        throw error
      }
      count &+= 1
      nodes[Int(array)].payload = UInt64(truncatingIfNeeded: count)
      nodes[Int(array)].type = node
      if field.pointee.repetition == .until {
        if try isTrue(field.pointee.repeatExpression, object) { break }
      } else if isToEnd, streams[stream].position == before.position,
        streams[stream].bitsLeft == before.bitsLeft
      {
        throw fail(.noProgress)
      }
    }
    nodes[Int(array)].end = UInt32(truncatingIfNeeded: streams[stream].start &+ streams[stream].position)
    nodes[Int(array)].flags |= TreeNode.closed
  }

  /// Whether reading failed because this stream has too few bytes, and not because a substream has.
  private func lacksBytes(of stream: Stream) -> Bool {
    failure.kind == .endOfStream && failure.needed > Int64(stream.size &- stream.position)
  }

  /// Reads one value and makes it part of `container`; -1 where no case of a switch matches.
  mutating func readElement(
    _ reader: Table<Reader>.Entry, _ field: Int32, _ object: Int32, _ stream: Int, _ container: Int32, _ slot: Int
  ) throws(Stop) -> Int32 {
    var reader = reader
    while reader.pointee.kind == .switched {
      let target = try choose(reader.pointee.switchNumber, object)
      if target < 0 { return -1 }
      reader = tables.readers.entry(Int(target))
    }
    let node: Int32
    switch reader.pointee.kind {
    case .unsigned, .signed, .float, .bits:
      if reader.pointee.extent == .none {
        node = try readNumber(reader, field, object, stream, container)
      } else {
        // A case of a switch with a size: the number is at the start of these bytes.
        let window = try readWindow(reader, object, stream)
        let inner = try append(
          Stream(
            start: window.offset, size: window.count, position: 0, isProduced: window.isProduced, bitsLeft: 0, bitsAreLittle: false))
        node = try readNumber(reader, field, object, inner, container)
      }
    case .bytes, .string: node = try readBytesNode(reader, field, object, stream, container)
    case .object: return try readObjectElement(reader, field, object, stream, container, slot)
    case .switched, .none: return -1
    }
    if isChained(field, in: container) { link(node, into: container) }
    return node
  }

  private mutating func readNumber(
    _ reader: Table<Reader>.Entry, _ field: Int32, _ object: Int32, _ stream: Int, _ container: Int32
  ) throws(Stop) -> Int32 {
    if reader.pointee.hasSwappedWords { return try readSwapped(reader, field, object, stream, container) }
    return switch reader.pointee.kind {
    case .float: try readFloat(reader, field, object, stream, container)
    case .bits: try readBits(reader, field, stream, container)
    default: try readInteger(reader, field, object, stream, container)
    }
  }

  private mutating func readObjectElement(
    _ reader: Table<Reader>.Entry, _ field: Int32, _ object: Int32, _ stream: Int, _ container: Int32, _ slot: Int
  ) throws(Stop) -> Int32 {
    var parent = object
    if reader.pointee.parent == -2 {
      parent = -1
    } else if reader.pointee.parent >= 0 {
      let value = try evaluate(reader.pointee.parent, object)
      guard value.kind == .object, value.source == 0 else { throw fail(.type) }
      parent = value.nodeNumber
    }
    if reader.pointee.extent == .none {
      return try readObject(
        type: reader.pointee.type, stream: stream, parent: parent, creator: object, container: container, field: field,
        firstArgument: reader.pointee.firstArgument, argumentCount: reader.pointee.argumentCount, slot: slot)
    }
    let from = streams[stream].start &+ streams[stream].position
    let window = try readWindow(reader, object, stream)
    let inner = try append(
      Stream(start: window.offset, size: window.count, position: 0, isProduced: window.isProduced, bitsLeft: 0, bitsAreLittle: false))
    let node = try readObject(
      type: reader.pointee.type, stream: inner, parent: parent, creator: object, container: container, field: field,
      firstArgument: reader.pointee.firstArgument, argumentCount: reader.pointee.argumentCount, slot: slot)
    // The range of the object includes its padding.
    nodes[Int(node)].start = UInt32(truncatingIfNeeded: from)
    nodes[Int(node)].end = UInt32(truncatingIfNeeded: streams[stream].start &+ streams[stream].position)
    if streams[stream].isProduced != window.isProduced {
      nodes[Int(node)].flags &= ~TreeNode.producedRange
      if streams[stream].isProduced { nodes[Int(node)].flags |= TreeNode.producedRange }
    }
    return node
  }

  /// The number in a slot of an object, if it was read and is an integer below 2⁶³; nil for all others.
  @inline(__always)
  private func numberInSlot(_ slot: Int32, _ object: Int32) -> Int64? {
    guard slot >= 0, object >= 0, case let number = slots[nodes[Int(object)].slotBase &+ Int(slot)], number >= 0 else { return nil }
    guard nodes[Int(number)].kind == .int || nodes[Int(number)].kind == .enumeration && nodes[Int(number)].flags & TreeNode.kindFlag == 0
    else {
      return nil
    }
    return Int64(bitPattern: nodes[Int(number)].payload)
  }

  /// The target of the matching case; the default where none matches.
  mutating func choose(_ number: Int32, _ object: Int32) throws(Stop) -> Int32 {
    let info = tables.switches.entry(Int(number))
    let first = Int(info.pointee.firstCase)
    let end = first &+ Int(info.pointee.caseCount)
    if info.pointee.isSorted {
      var key: Int64
      if let number = numberInSlot(info.pointee.onSlot, object) {
        key = number
      } else {
        let value = try evaluate(info.pointee.on, object)
        if value.kind == .uint || value.kindFlag { return info.pointee.otherwise }
        guard let number = value.asInt else { throw fail(value.kind == .absent ? .absent : .type) }
        key = number
      }
      guard first < end else { return info.pointee.otherwise }
      // Consecutive keys, which most switches have, are found directly.
      let distance = key &- tables.cases[first].key
      if distance >= 0, distance < Int64(end &- first), case let index = first &+ Int(distance), tables.cases[index].key == key {
        return tables.cases[index].target
      }
      var low = first
      var high = end
      while low < high {
        let middle = (low &+ high) / 2
        if tables.cases[middle].key < key { low = middle &+ 1 } else { high = middle }
      }
      return low < end && tables.cases[low].key == key ? tables.cases[low].target : info.pointee.otherwise
    }
    let value = try evaluate(info.pointee.on, object)
    for index in first..<end {
      try spend()
      let key = try evaluate(tables.cases[index].operation, object)
      if try isEqual(value, key) { return tables.cases[index].target }
    }
    return info.pointee.otherwise
  }

  // MARK: Checks

  mutating func check(_ field: Table<FieldInfo>.Entry, _ node: Int32, _ object: Int32) throws(Stop) {
    let outer = it
    defer { it = outer }
    it = value(node)
    let value = it
    for index in Int(field.pointee.firstCheck)..<Int(field.pointee.firstCheck &+ field.pointee.checkCount) {
      let check = tables.checks[index]
      switch check.kind {
      case .equal:
        let wanted = try evaluate(check.operation, object)
        if try !isEqual(value, wanted) { throw invalid(.notEqual, value, wanted) }
      case .minimum:
        let minimum = try evaluate(check.operation, object)
        if try compare(value, minimum) < 0 { throw invalid(.less, value, minimum) }
      case .maximum:
        let greatest = try evaluate(check.operation, object)
        if try compare(value, greatest) > 0 { throw invalid(.greater, value, greatest) }
      case .anyOf:
        var found = false
        for number in Int(check.operation)..<Int(check.operation &+ check.count) where !found {
          try spend()
          found = try isEqual(value, try evaluate(tables.lists[number], object))
        }
        if !found { throw invalid(.notAnyOf, value, .absent) }
      case .expression: if try !isTrue(check.operation, object) { throw invalid(.expression, value, .absent) }
      case .inEnum:
        guard value.kind == .enumeration, tables.enumName(value.enumNumber, value.bits, isBig: value.kindFlag) >= 0 else {
          throw invalid(.notInEnum, value, .absent)
        }
      }
    }
  }

  private mutating func invalid(_ kind: Failure.Kind, _ found: KaitaiValue, _ wanted: KaitaiValue) -> Stop {
    fail(kind, needed: Int(wanted.asInt ?? 0), available: Int(found.asInt ?? 0))
  }

  // MARK: Instances

  /// The value of an instance's slot; reads or computes it on first use. Returns a node, or -1 where it is absent.
  mutating func instance(_ object: Int32, _ slot: Int32) throws(Stop) -> Int32 {
    let base = nodes[Int(object)].slotBase
    let position = base &+ Int(slot)
    let state = slots[position]
    if state >= 0 { return state }
    if state == Self.missing { return -1 }
    if state <= Self.firstFailure {
      failure = failures[Int(Self.firstFailure &- state)]
      throw Stop()
    }
    if state == Self.inWork { throw fail(.recursion) }
    let number = tables.types[Int(nodes[Int(object)].type)].firstField &+ slot
    let field = tables.fields.entry(Int(number))
    guard field.pointee.role == .instance else { throw fail(.absent) }
    let outer = (depth, evaluationDepth, it, index)
    depth = max(depth, Int(depthNumber(of: object))) &+ 1
    slots[position] = Self.inWork
    defer { (depth, evaluationDepth, it, index) = outer }
    var stream = nodes[Int(object)].streamNumber
    var saved: Stream?
    do throws(Stop) {
      guard depth <= limits.depth else { throw fail(.depth) }
      try spend()
      if field.pointee.value >= 0 {
        if field.pointee.condition >= 0, try !isTrue(field.pointee.condition, object) {
          slots[position] = Self.missing
        } else {
          let value = try evaluate(field.pointee.value, object)
          let node = try store(value, field: number, in: object)
          slots[position] = node
          if field.pointee.checkCount > 0, node >= 0 { try check(field, node, object) }
        }
      } else {
        guard !isWriting else { throw fail(.writing) }
        // The condition is evaluated first: `io` and `pos` may depend on it.
        if field.pointee.condition >= 0, try !isTrue(field.pointee.condition, object) {
          slots[position] = Self.missing
          return -1
        }
        if field.pointee.stream >= 0 {
          let value = try evaluate(field.pointee.stream, object)
          guard value.kind == .stream, value.source == 0 else { throw fail(.type) }
          stream = Int(value.bits)
        }
        saved = streams[stream]
        if field.pointee.offset >= 0 {
          let offset = try integer(field.pointee.offset, object)
          guard offset >= 0, offset <= Int64(Int32.max) else {
            throw fail(.endOfStream, needed: Int(clamping: offset), available: streams[stream].size)
          }
          streams[stream].position = Int(offset)
          streams[stream].bitsLeft = 0
        }
        try readField(number, object, stream, position)
        if let saved { streams[stream] = saved }
      }
    } catch {
      note(number, object, stream)
      if let saved { streams[stream] = saved }
      keepFailure(at: position)
      throw error
    }
    return max(slots[position], -1)
  }

  private mutating func keepFailure(at index: Int) {
    if failures.count < 4096 { failures.append(failure) }
    slots[index] = Self.firstFailure &- Int32(failures.count - 1)
  }

  /// The failure that the slot of an instance refers to; nil for other states.
  mutating func failure(ofSlot state: Int32) -> Failure? {
    guard state <= Self.firstFailure else { return nil }
    let index = Int(Self.firstFailure &- state)
    return index < failures.count ? failures[index] : nil
  }

  /// Appends a node for a computed value; returns it, or `missing` where the value is absent. For an object or an array it returns their own node.
  mutating func store(_ value: KaitaiValue, field: Int32, in object: Int32) throws(Stop) -> Int32 {
    switch value.kind {
    case .absent: return Self.missing
    case .object, .array:
      guard value.source == 0 else { throw fail(.type) }
      return value.nodeNumber
    case .string, .bytes:
      var copy = value
      if value.source > 0 || value.buffer == .environment {
        let content = bytes(of: value)
        copy = .bytes(value.kind, offset: try produce(copying: content), count: content.count, buffer: .produced)
      }
      let isInput = copy.buffer == .input
      let start = isInput ? UInt32(truncatingIfNeeded: copy.offset) : 0
      return try append(
        TreeNode(
          kind: copy.kind, payload: copy.bits, field: field, parent: object, start: start,
          end: isInput ? start &+ UInt32(truncatingIfNeeded: copy.byteCount) : 0, flags: copy.buffer.rawValue))
    default:
      return try append(
        TreeNode(
          kind: value.kind, payload: value.bits, field: field, parent: object, start: 0, end: 0, type: value.enumNumber,
          flags: value.kindFlag ? TreeNode.kindFlag : 0))
    }
  }
}
