import Bluetooth
import Conversations
import Memory
import PacketCodecs

/// Keyboards, mice and remote controls: continuous input as one operation, and requests for reports.
extension Operations {
  /// A message of HIDP.
  func humanInterface(_ row: PacketRow) {
    let at = link(row)
    let isFromHost = row.direction.isFromHost
    guard let header = HID.Header(row.pdu.span), let (channel, _) = row.channelData else { return }
    // `isIncoming` for the side that sent the request.
    let key = ServiceKey(dlci: 0, psm: channel.psm, isIncoming: header.type.isRequest != isFromHost)
    if header.type.isRequest {
      guard links[at].services.count < Self.maxRequests else { return }
      let isWrite = header.type == .setReport || header.type == .setProtocol || header.type == .setIdle
      let number = begin(isWrite ? .write : .read, row) { operation in
        operation.isIncoming = !isFromHost
        operation.layer = row.layer
        operation.channel = channel
        operation.setRequest(row)
        if isWrite { operation.keepReport(row) }
      }
      if let old = links[at].services.updateValue(number, forKey: key) { end(old) { $0.ending = .unanswered } }
    } else if row.requestFrame != 0 {
      guard let number = links[at].services.removeValue(forKey: key) else { return }
      end(number) { operation in
        operation.extend(row)
        operation.latency = row.time &- operation.start
        if header.type == .data { operation.keepReport(row) }
        if row.status == 0 { operation.ending = .succeeded } else { operation.fail(row.status, .humanInterface) }
      }
    } else if header.type == .data, let change = row.reportChange, header.reportType == .input {
      run(
        .input, row, at, key: UInt32(row.layer.rawValue) << 24 | UInt32(row.channel), bytes: row.pdu, isIncoming: !isFromHost,
        channel: channel, input: change)
    } else if header.type == .data, row.reportDescription != nil {
      run(
        .writeCommand, row, at, key: UInt32(row.layer.rawValue) << 24 | UInt32(row.channel), bytes: row.pdu.from(1),
        isIncoming: !isFromHost, channel: channel)
      queue.change(touched) { operation in
        guard operation.count == 1 else { return }
        operation.setRequest(row)
        operation.keepReport(row)
      }
    } else if header.type == .control {
      let number = begin(.control, row) { operation in
        operation.isIncoming = !isFromHost
        operation.layer = row.layer
        operation.channel = channel
        operation.setRequest(row)
        operation.ending = .succeeded
      }
      end(number)
    } else {
      data(row)
    }
  }

  /// A report of a device over LE. Reports of all characteristics are one operation: a keyboard has a characteristic for keys, and another for media
  /// keys.
  @inline(never)
  func reportNotified(_ row: PacketRow, _ at: Int) {
    run(
      .input, row, at, key: UInt32(ProtocolID.hid.rawValue) << 24, bytes: row.value, isIncoming: !row.direction.isFromHost,
      input: row.reportChange)
  }
}

extension Operation {
  /// The header of a HIDP message to the device, and the byte after it, which is a report ID, or the protocol or idle rate that is set; `second` is
  /// nil where the message has no such byte. Nil for operations that are no HIDP messages.
  public var reportRequest: (header: HID.Header, second: UInt8?)? {
    guard layer == .hid, numbers[0] & 0x100 != 0 else { return nil }
    let bytes = [UInt8(truncatingIfNeeded: numbers[0])]
    return HID.Header(bytes.rawSpan).map { ($0, numbers[1] > 0 ? UInt8(truncatingIfNeeded: numbers[1] - 1) : nil) }
  }

  /// Keeps the first two bytes of a message to the device.
  fileprivate mutating func setRequest(_ row: PacketRow) {
    numbers[0] = 0x100 | Int(row.pdu.u8(0) ?? 0)
    numbers[1] = row.pdu.u8(1).map { Int($0) + 1 } ?? 0
  }

  /// Keeps the payload of a message, and its description.
  fileprivate mutating func keepReport(_ row: PacketRow) {
    keep(row.pdu.from(1))
    guard details != nil, let description = row.reportDescription, description.count <= Operation.keptDescription else { return }
    details?.description = Array(description)
  }

  /// Counts the changes of a report.
  mutating func add(_ change: HID.Report.Change) {
    numbers[0] &+= change.keys
    numbers[1] &+= change.buttons
    if change.moves > 0 { numbers[2] &+= 1 }
  }
}

extension PacketRow {
  /// The changes by the report that the row carries; nil where it carries none that a map describes.
  public var reportChange: HID.Report.Change? {
    guard let description = reportDescription else { return nil }
    let pdu = self.pdu.span
    let described = description.span
    return HID.Report(described, reportRange)?.change(pdu, described)
  }
}
