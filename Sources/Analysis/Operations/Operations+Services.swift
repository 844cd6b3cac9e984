import Bluetooth
import Conversations
import Memory
import PacketCodecs

/// AT commands with their results, unsolicited results of phones, and objects that are got and put.
extension Operations {
  // MARK: Hands-free and headset

  func commandLines(_ row: PacketRow) {
    let at = link(row)
    let isFromHost = row.direction.isFromHost
    let span = row.pdu.span
    guard let (channel, _) = row.channelData, row.opcode & HFP.part == 0 else { return }
    var lines = HFP.Lines(RFCOMM.information(of: span, isJoined: row.opcode & RFCOMM.joined != 0))
    while let line = lines.next(span) {
      let text = row.pdu.slice(line.range.lowerBound, line.range.count)
      let key = ServiceKey(dlci: channel.dlci, psm: 0, isIncoming: line.isCommand != isFromHost)
      if line.isCommand {
        guard links[at].services.count < Self.maxRequests else { return }
        let number = begin(.command, row) { operation in
          operation.isIncoming = !isFromHost
          operation.layer = row.layer
          operation.channel = channel
          operation.keep(text)
        }
        if let old = links[at].services.updateValue(number, forKey: key) { end(old) { $0.ending = .unanswered } }
      } else if row.requestFrame != 0, let number = links[at].services[key] {
        let ending = line.ending(span)
        change(number) { operation in
          operation.extend(row)
          if ending == nil || ending.map({ $0 & 0x80 != 0 || $0 > 1 }) == true { operation.appendLine(row.layer.name, text) }
        }
        guard let ending else { continue }
        links[at].services[key] = nil
        end(number) { operation in
          operation.latency = row.time &- operation.start
          if ending == 0 { operation.ending = .succeeded } else { operation.fail(ending, .handsFree) }
        }
      } else if line.ending(span) == nil || row.requestFrame == 0 {
        let number = begin(.report, row) { operation in
          operation.isIncoming = !isFromHost
          operation.layer = row.layer
          operation.channel = channel
          operation.ending = .succeeded
          operation.keep(text)
          operation.lineContext = row.opcode
        }
        end(number)
      }
    }
  }

  // MARK: Service Discovery Protocol

  /// An SDP request, with all parts of its response.
  func serviceSearch(_ row: PacketRow) {
    let at = link(row)
    let isFromHost = row.direction.isFromHost
    // The row of attributes that the tracker has joined follows that of their last part; it is no PDU of its own.
    let code = SDP.isJoined(row.opcode) ? nil : row.pdu.u8(0).flatMap { SDP.PDUIdentifier(rawValue: $0) }
    let isRequest = code?.isRequest == true
    let side = isRequest == isFromHost ? 0 : 1
    if isRequest {
      if links[at].searches[side].number < 0 || !links[at].searches[side].goesOn {
        end(links[at].searches[side].number) { $0.ending = .unanswered }
        let channel = row.channelData?.channel
        links[at].searches[side].number = begin(.discovery, row) { operation in
          operation.isIncoming = !isFromHost
          operation.layer = .sdp
          operation.channel = channel
        }
      }
      links[at].searches[side].goesOn = false
      return change(links[at].searches[side].number) { operation in
        operation.extend(row)
        operation.count &+= 1
      }
    }
    let number = links[at].searches[side].number
    guard number >= 0 else { return }
    // The services of a joined response are counted with its own row, which follows that of the last part.
    let isPart = code != nil && row.opcode & SDP.lastPart != 0
    change(number) { operation in
      operation.extend(row)
      if code == .serviceAttributeResponse || code == .serviceSearchAttributeResponse {
        operation.bytes &+= Int(row.pdu.u16be(5) ?? 0)
      }
      if isPart { return }
      // Services that were found before are not counted again.
      let first = tables.services.lastIndex { $0.frame < row.frame }.map { $0 + 1 } ?? 0
      for service in tables.services[first...] where service.frame == row.frame { operation.numbers[1] &+= 1 }
      let requested = SDP.requestedClass(row.opcode)
      for record in SDP.records(of: row.pdu.span, opcode: row.opcode) ?? [] {
        guard let uuid = record.classes.first ?? requested ?? record.profiles.first?.uuid else { continue }
        operation.numbers[0] &+= 1
        operation.found(uuid, record)
      }
    }
    if let code, let offset = row.continuationState(code), row.pdu.u8(offset) ?? 0 != 0 {
      links[at].searches[side].goesOn = true
    } else if !isPart {
      links[at].searches[side] = OpenSearch()
      end(number) { operation in
        operation.latency = row.time &- operation.start
        if code == .errorResponse { operation.fail(row.pdu.u8(6) ?? 0, .serviceDiscovery) } else { operation.ending = .succeeded }
      }
    }
  }

  // MARK: Objects

  func objects(_ row: PacketRow) {
    guard row.opcode & OBEX.part == 0 else { return }
    let at = link(row)
    let isFromHost = row.direction.isFromHost
    let span = row.pdu.span
    guard let packet = OBEX.Packet(span, in: OBEX.range(in: span, opcode: row.opcode, psm: row.subcode)),
      let (channel, _) = row.channelData
    else { return }
    let key = ServiceKey(dlci: channel.dlci, psm: channel.psm, isIncoming: packet.isResponse == isFromHost)
    if packet.isResponse {
      guard let number = links[at].services[key] else { return }
      let body = OBEX.bodySize(packet, answering: OBEX.request(of: row.opcode), span)
      change(number) { operation in
        operation.extend(row)
        operation.bytes &+= body
        operation.count &+= 1
        operation.keepParameters(of: packet, span, isResponse: true)
        if let profile = OBEX.known(row.opcode) { operation.objectProfile = profile }
      }
      if packet.isContinue { return }
      links[at].services[key] = nil
      end(number) { operation in
        operation.latency = row.time &- operation.start
        if packet.status == 0x20 { operation.ending = .succeeded } else { operation.fail(packet.status, .objectExchange) }
        // 0x21 to 0x2F are successes too (Created, Accepted, …): the operation is done, and keeps the status for its name.
        if packet.status > 0x20, packet.status < 0x30 { operation.ending = .succeeded }
      }
      return
    }
    let size = OBEX.bodySize(packet, answering: nil, span)
    if packet.request == .abort, let number = links[at].services[key] {
      links[at].services[key] = nil
      end(number) { operation in
        operation.extend(row)
        operation.ending = .cancelled
      }
    }
    if row.opcode & OBEX.continuing != 0, let number = links[at].services[key] {
      return change(number) { operation in
        operation.extend(row)
        operation.bytes &+= size
      }
    }
    guard links[at].services.count < Self.maxRequests else { return }
    let kind: Operation.Kind = packet.request == .get ? .get : packet.request == .put ? .put : .session
    let number = begin(kind, row) { operation in
      operation.isIncoming = !isFromHost
      operation.layer = row.layer
      operation.channel = channel
      operation.objectProfile = OBEX.Profile(opcode: row.opcode)
      operation.request = packet.code & 0x7F
      operation.bytes = size
      if operation.details != nil { operation.describe(packet, span) }
      if kind == .put { operation.keepParameters(of: packet, span, isResponse: false) }
    }
    if let old = links[at].services.updateValue(number, forKey: key) { end(old) { $0.ending = .unanswered } }
  }
}

extension PacketRow {
  /// Offset of the continuation state in the SDP response of this row (Core, Vol 3, Part B, 4.3); nil where it has none.
  func continuationState(_ code: SDP.PDUIdentifier) -> Int? {
    switch code {
    case .serviceSearchResponse: 9 + 4 * Int(pdu.u16be(7) ?? 0)
    case .serviceAttributeResponse, .serviceSearchAttributeResponse: 7 + Int(pdu.u16be(5) ?? 0)
    default: nil
    }
  }
}

/// An SDP request whose response is not complete.
struct OpenSearch {
  var number = -1
  /// The client has to request more parts of the response.
  var goesOn = false
}

/// The channel of a request, and its sender.
struct ServiceKey: Hashable {
  var dlci: UInt8
  var psm: UInt16
  var isIncoming: Bool
  /// AVRCP: the frame of the command.
  var frame = 0
}

extension OBEX {
  /// The request that a row responds to; nil where that is unknown.
  public static func request(of opcode: UInt32) -> RequestCode? {
    let code = UInt8(truncatingIfNeeded: opcode >> requestShift)
    return code == 0 ? nil : RequestCode(rawValue: code &- 1)
  }

  /// The profile in the opcode of a row, where it is known.
  static func known(_ opcode: UInt32) -> Profile? {
    let profile = Profile(opcode: opcode)
    return profile == .unknown ? nil : profile
  }

  /// Number of bytes of the object in a packet.
  static func bodySize(_ packet: Packet, answering request: RequestCode?, _ bytes: RawSpan) -> Int {
    var headers = packet.headers(answering: request)
    var size = 0
    while let header = headers.next(bytes) { if header.isBody { size &+= header.value.count } }
    return size
  }
}

extension Operation {
  /// The context needed to decode an AT command line, or a command of a remote control: the opcode of its row. For a line, it has the assignment of
  /// the phone's indicators (``HFP/indicatorShift``).
  public internal(set) var lineContext: UInt32 {
    get { UInt32(truncatingIfNeeded: numbers[0]) }
    set { numbers[0] = Int(newValue) }
  }

  /// Keeps the name and location of a service.
  fileprivate mutating func found(_ uuid: BluetoothUUID, _ service: SDP.Record) {
    messageCount += 1
    guard details != nil, messageCount <= Operation.keptMessages else { return }
    let name = uuid.name?.description ?? uuid.description
    let location =
      service.rfcommChannel != 0 ? " at rfcomm \(service.rfcommChannel)" : service.psm != 0 ? " at psm \(service.psm)" : ""
    details?.messages.append(OperationMessage(profile: "sdp", name: nil, text: name + location))
  }

  /// Keeps a line of the response.
  fileprivate mutating func appendLine(_ layer: StaticName, _ text: PDUBytes) {
    messageCount += 1
    guard details != nil, messageCount <= Operation.keptMessages else { return }
    let line = String(decoding: text.prefix(240), as: UTF8.self)
    details?.messages.append(OperationMessage(profile: layer.description, name: nil, text: line))
  }

  /// Keeps the first application parameters of a request or of its response, as an OBEX packet of their own.
  fileprivate mutating func keepParameters(of packet: OBEX.Packet, _ bytes: RawSpan, isResponse: Bool) {
    guard let details, isResponse ? details.answer.isEmpty : details.description.isEmpty else { return }
    var headers = packet.headers(answering: isResponse ? OBEX.RequestCode(rawValue: request) : nil)
    while let header = headers.next(bytes) {
      guard header.isParameters, 1...Operation.keptResponse ~= header.whole.count else { continue }
      let length = 3 + header.whole.count
      let kept = [packet.code, UInt8(length >> 8), UInt8(length & 0xFF)] + header.whole.map { bytes.byte($0) }
      if isResponse { self.details?.answer = kept } else { self.details?.description = kept }
      return
    }
  }

  /// The application parameters of the request and of its response, each in an OBEX packet without other headers; empty where there are none.
  public var objectParameters: (request: [UInt8], response: [UInt8]) { (description, answer) }

  /// Keeps the name of the object, or its type if it has no name.
  fileprivate mutating func describe(_ packet: OBEX.Packet, _ bytes: RawSpan) {
    var headers = packet.headers(answering: nil)
    var (name, type): ([UInt8], [UInt8]) = ([], [])
    while let header = headers.next(bytes) {
      if header.isName { name = bytes.utf8(ofWideText: header.value).filter { $0 != 0 } }
      if header.isType { for offset in header.value { if let byte = bytes.u8(offset), byte != 0 { type.append(byte) } } }
    }
    let object = name.isEmpty ? type : name
    details?.value = Array(object.prefix(Operation.keptBytes))
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in name + [0] + type { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    details?.digest = hash
    if !type.isEmpty {
      messageCount += 1
      details?.messages.append(OperationMessage(profile: "obex", name: nil, text: String(decoding: type.prefix(64), as: UTF8.self)))
    }
  }
}
