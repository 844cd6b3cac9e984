import Bluetooth
import Captures
import Conversations
import Memory

/// Operations of the Attribute Protocol (Core, Vol 3, Part F), as the procedures of GATT use it (Part G, 4).
extension Operations {
  /// Longest pause within one discovery, in µs.
  private static var discoveryPause: Int64 { 5_000_000 }

  func att(_ row: PacketRow) {
    let at = link(row)
    let isFromHost = row.direction.isFromHost
    if row.flags.contains(.streamEndpoint), streamEndpoint(row, at) { return }
    switch row.attOpcode {
    case .multipleHandleValueNotification:
      row.forEachNotified(tables) {
        if $0.flags.contains(.streamEndpoint), streamEndpoint($0, at) { return }
        run(.notification, $0, at, key: UInt32($0.attributeHandle), bytes: $0.value, isIncoming: !isFromHost)
      }
    case .handleValueNotification:
      endRuns(at) { $0.kind == .writeCommand && $0.isIncoming != !isFromHost }
      if row.reportDescription != nil { return reportNotified(row, at) }
      run(.notification, row, at, key: UInt32(row.attributeHandle), bytes: row.value, isIncoming: !isFromHost)
    case .writeCommand, .signedWriteCommand:
      closeDiscovery(at, !isFromHost)
      if row.meaning == .subscribe { return end(written(row, isIncoming: !isFromHost)) { $0.ending = .succeeded } }
      endRuns(at) { $0.kind == .notification && $0.isIncoming == isFromHost }
      run(.writeCommand, row, at, key: UInt32(row.attributeHandle), bytes: row.value, isIncoming: !isFromHost)
    case .handleValueIndication:
      let number = begin(.indication, row) {
        $0.isIncoming = !isFromHost
        $0.keep(row.value)
      }
      if links[at].indications.count >= Self.maxRequests { links[at].indications.removeFirst() }
      links[at].indications.append((!isFromHost, row.frame, number))
    case .handleValueConfirmation: confirmed(row, at)
    case .exchangeMTURequest, .findInformationRequest, .findByTypeValueRequest, .readByTypeRequest, .readRequest, .readBlobRequest,
      .readMultipleRequest, .readByGroupTypeRequest, .writeRequest, .prepareWriteRequest, .executeWriteRequest,
      .readMultipleVariableRequest:
      request(row, at, isIncoming: !isFromHost)
    default: response(row, at)
    }
  }

  private func confirmed(_ row: PacketRow, _ at: Int) {
    guard row.requestFrame != 0, let index = links[at].indications.firstIndex(where: { $0.frame == row.requestFrame }) else { return }
    let open = links[at].indications.remove(at: index)
    end(open.number) { operation in
      operation.extend(row)
      operation.latency = row.flags.contains(.hasLatency) ? row.latency : -1
      operation.ending = .succeeded
    }
    // Only one indication may be outstanding: an older one will not be confirmed.
    while let older = links[at].indications.first, older.frame < open.frame, older.isIncoming == open.isIncoming {
      links[at].indications.removeFirst()
      end(older.number) { $0.ending = .unanswered }
    }
  }

  private func closeDiscovery(_ at: Int, _ isIncoming: Bool) {
    let side = isIncoming ? 1 : 0
    let discovery = links[at].discoveries[side]
    guard discovery >= 0 else { return }
    links[at].discoveries[side] = -1
    end(discovery) { if $0.ending == .open { $0.ending = .unanswered } }
  }

  // MARK: Requests

  private func request(_ row: PacketRow, _ at: Int, isIncoming: Bool) {
    let side = isIncoming ? 1 : 0
    // One request at a time on a bearer (Part F, 3.3.2): an older one will not get a response.
    var index = 0
    while index < links[at].requests.count,
      links[at].requests[index].channel != row.channel || links[at].requests[index].isIncoming != isIncoming
    {
      index += 1
    }
    // One with another opcode may still get a response.
    if index < links[at].requests.count, links[at].requests[index].opcode == UInt8(truncatingIfNeeded: row.opcode) {
      let older = links[at].requests.remove(at: index)
      if older.number != links[at].discoveries[side], older.number != links[at].prepared[side] {
        end(older.number) { $0.ending = .unanswered }
      }
    }
    let number: Int
    if row.meaning == .discovery {
      number = discovery(row, at, side, isIncoming)
    } else if row.opcode == ATT.Opcode.readBlobRequest.rawValue, !links[at].reads[side].isEmpty, let offset = row.pdu.u16(3),
      let index = links[at].reads[side].firstIndex(where: { $0.handle == row.attributeHandle && $0.offset == Int(offset) })
    {
      number = links[at].reads[side].remove(at: index).number
      change(number) {
        $0.extend(row)
        $0.ending = .open
      }
    } else {
      closeDiscovery(at, isIncoming)
      if row.opcode == ATT.Opcode.writeRequest.rawValue, row.meaning != .subscribe {
        endRuns(at) { $0.kind == .notification && $0.isIncoming != isIncoming }
      }
      // Its value is read anew, or written.
      if !links[at].reads[side].isEmpty { endReads(at, side) { $0.handle == row.attributeHandle } }
      number = other(row, at, side, isIncoming)
    }
    if links[at].requests.count >= Self.maxRequests { links[at].requests.removeFirst() }
    links[at].requests.append(
      OpenOperations.Request(
        channel: row.channel, isIncoming: isIncoming, frame: row.frame, number: number, opcode: UInt8(truncatingIfNeeded: row.opcode),
        offset: row.attOpcode == .readBlobRequest ? Int(row.pdu.u16(3) ?? 0) : 0))
  }

  private func discovery(_ row: PacketRow, _ at: Int, _ side: Int, _ isIncoming: Bool) -> Int {
    let open = links[at].discoveries[side]
    let isPause = row.time &- links[at].lastDiscovery[side] > Self.discoveryPause
    links[at].lastDiscovery[side] = row.time
    if open >= 0, !isPause {
      change(open) {
        $0.extend(row)
        $0.count &+= 1
      }
      return open
    }
    closeDiscovery(at, isIncoming)
    let number = begin(.discovery, row) {
      $0.isIncoming = isIncoming
      $0.count = 1
      $0.handle = 0
      $0.attribute = -1
    }
    links[at].discoveries[side] = number
    links[at].descriptors[side].removeAll(keepingCapacity: true)
    return number
  }

  private func other(_ row: PacketRow, _ at: Int, _ side: Int, _ isIncoming: Bool) -> Int {
    switch row.attOpcode {
    case .exchangeMTURequest:
      return begin(.mtu, row) {
        $0.isIncoming = isIncoming
        $0.numbers[0] = Int(row.pdu.u16(1) ?? 0)
      }
    case .writeRequest: return written(row, isIncoming: isIncoming)
    case .prepareWriteRequest, .executeWriteRequest:
      let open = links[at].prepared[side]
      if open >= 0 {
        change(open) { operation in
          operation.extend(row)
          if row.attOpcode == .prepareWriteRequest {
            operation.count &+= 1
            operation.bytes &+= Int(row.valueCount)
          }
        }
        return open
      }
      let number = begin(.preparedWrite, row) { operation in
        operation.isIncoming = isIncoming
        if row.attOpcode == .prepareWriteRequest { operation.keep(row.value) }
      }
      links[at].prepared[side] = number
      return number
    default:
      return begin(.read, row) { $0.isIncoming = isIncoming }
    }
  }

  /// Begins a write or a subscription.
  private func written(_ row: PacketRow, isIncoming: Bool) -> Int {
    let bits = row.meaning == .subscribe ? Int(row.value.u16(0) ?? 0) & 3 : 0
    // A configuration without the bits of notifications and indications that is not zero ends no subscription.
    let kind: Operation.Kind =
      row.meaning != .subscribe || bits == 0 && row.value.u16(0) != 0 ? .write : bits == 0 ? .unsubscribe : .subscribe
    return begin(kind, row) {
      $0.isIncoming = isIncoming
      $0.keep(row.value)
      $0.numbers = [bits, row.attOpcode == .writeRequest ? 0 : 1, 0, 0]
    }
  }

  // MARK: Responses

  private func response(_ row: PacketRow, _ at: Int) {
    var index = 0
    while index < links[at].requests.count, links[at].requests[index].frame != row.requestFrame { index += 1 }
    guard row.requestFrame != 0, index < links[at].requests.count else { return }
    let open = links[at].requests.remove(at: index)
    let side = open.isIncoming ? 1 : 0
    if open.number == links[at].discoveries[side] {
      let known = links[at].descriptors[side].count
      if row.attOpcode == .findInformationResponse {
        // A client may ask for all attributes, declarations and values included, and repeatedly.
        for (handle, rest) in row.pdu.elements where links[at].descriptors[side].count < 1024 {
          let uuid = BluetoothUUID(littleEndian: rest.span, in: 0..<rest.count)
          if uuid?.isDescriptor == true { links[at].descriptors[side].insert(handle) }
        }
      }
      discovered(row, open.number, descriptors: links[at].descriptors[side].count - known)
    } else if open.number == links[at].prepared[side] {
      prepared(row, at, side, open)
    } else if row.attOpcode == .readResponse || row.attOpcode == .readBlobResponse {
      value(row, at, side, open)
    } else {
      end(open.number) { operation in
        operation.extend(row)
        operation.latency = row.flags.contains(.hasLatency) ? row.latency : -1
        self.answer(&operation, row)
      }
    }
  }

  private func answer(_ operation: inout Operation, _ row: PacketRow) {
    operation.ending = .succeeded
    if operation.handle == 0 { operation.type = row.detail }
    switch row.attOpcode {
    case .errorResponse:
      // An error is the regular end of a value that is read in parts (Part G, 4.8.3).
      if row.isEndOfLongRead, operation.bytes > 0 { return }
      operation.fail(row.status, .att)
    case .exchangeMTUResponse:
      operation.numbers[1] = Int(row.pdu.u16(1) ?? 0)
      operation.numbers[2] = max(23, min(operation.numbers[0], operation.numbers[1]))
    case .readByTypeResponse, .readMultipleResponse, .readMultipleVariableResponse:
      if operation.handle == 0 {
        operation.handle = row.attributeHandle
        operation.attribute = row.attribute
        operation.uuidSource = row.uuidSource
      }
      operation.keep(row.attOpcode == .readMultipleVariableResponse ? row.pdu.from(1) : row.value)
    default: break
    }
  }

  private func value(_ row: PacketRow, _ at: Int, _ side: Int, _ open: OpenOperations.Request) {
    change(open.number) { operation in
      operation.extend(row)
      operation.latency = row.time &- operation.start
      operation.ending = .succeeded
      if row.flags.contains(.hasAssembled) {
        let parts = operation.count
        operation.keep(row.assembled)
        operation.count = parts + 1
      } else if row.attOpcode == .readBlobResponse {
        operation.count &+= 1
        operation.bytes &+= Int(row.valueCount)
        let room = Operation.keptBytes - operation.value.count
        operation.details?.value.append(contentsOf: row.value.prefix(max(0, room)))
        operation.digest(row.value)
      } else {
        operation.keep(row.value)
      }
    }
    // A value that fills its PDU may continue in a later one, after requests for other attributes.
    if row.valueCount >= 22, !row.flags.contains(.hasAssembled) {
      // A host reads few values in turn.
      if links[at].reads[side].count >= 8 { end(links[at].reads[side].removeFirst().number) }
      withRuns.insert(at)
      links[at].reads[side].append(
        OpenOperations.Read(
          number: open.number, handle: row.attributeHandle, offset: open.offset + Int(row.valueCount), time: row.time))
    } else {
      end(open.number)
    }
  }

  private func discovered(_ row: PacketRow, _ number: Int, descriptors: Int) {
    change(number) { operation in
      operation.extend(row)
      operation.latency = row.time &- operation.start
      operation.ending = .succeeded
      let size = Int(row.pdu.u8(1) ?? 0)
      switch row.attOpcode {
      case .readByGroupTypeResponse where size >= 6: operation.numbers[0] += (row.pdu.count - 2) / size
      case .findByTypeValueResponse: operation.numbers[0] += (row.pdu.count - 1) / 4
      case .readByTypeResponse where size >= 2:
        let count = (row.pdu.count - 2) / size
        if row.subcode == 0x2803 { operation.numbers[1] += count } else if row.subcode == 0x2802 { operation.numbers[3] += count }
      case .findInformationResponse: operation.numbers[2] += descriptors
      case .errorResponse where row.meaning == .refused: operation.fail(row.status, .att)
      default: break
      }
    }
  }

  private func prepared(_ row: PacketRow, _ at: Int, _ side: Int, _ open: OpenOperations.Request) {
    let isExecuted = open.opcode == ATT.Opcode.executeWriteRequest.rawValue
    var isCancelled = false
    change(open.number) { operation in
      operation.extend(row)
      operation.latency = row.time &- operation.start
      if row.opcode == ATT.Opcode.errorResponse.rawValue {
        operation.fail(row.status, .att)
      } else if isExecuted, operation.ending != .failed {
        operation.ending = .succeeded
        if row.flags.contains(.hasAssembled) {
          if operation.details != nil { operation.keepDetail(row.assembled) }
          operation.bytes = row.assembled.count
        } else {
          isCancelled = true
        }
      }
      if isCancelled { operation.ending = .cancelled }
    }
    guard isExecuted else { return }
    links[at].prepared[side] = -1
    end(open.number)
  }
}
