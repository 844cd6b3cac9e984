import Bluetooth
import Conversations
import Memory

/// Audio stream endpoints (ASCS): one operation each, from the Codec Configured state to Idle.
extension Operations {
  /// The value of an endpoint, or of the control point. Returns whether it belongs to the operation of an endpoint alone.
  @inline(never)
  func streamEndpoint(_ row: PacketRow, _ at: Int) -> Bool {
    guard row.attribute >= 0, row.attOpcode == .handleValueNotification || row.attOpcode == .multipleHandleValueNotification else {
      return false
    }
    let bytes = row.value.span
    let type = tables.type(of: tables.attributes[Int(row.attribute)])?.short16
    guard type != ASCS.controlPoint else {
      ASCS.forEachAnswer(bytes) { answer in
        guard answer.code != 0 else { return }
        for (_, number) in links[at].streams {
          queue.change(number) { if $0.audioStream.id == answer.id { $0.audioStream.rejected(answer) } }
        }
      }
      return false
    }
    guard let endpoint = ASCS.Endpoint(bytes) else { return false }
    var number = links[at].streams[row.attribute] ?? -1
    if number < 0 {
      guard endpoint.state != .idle, links[at].streams.count < Self.maxRequests else { return false }
      number = begin(.stream, row) { operation in
        // The side that configures the endpoint is the client.
        operation.isIncoming = row.flags.contains(.localServer)
        operation.audioStream.isSource = type == ASCS.sourceASE
      }
      links[at].streams[row.attribute] = number
    }
    let change: (inout Operation) -> Void = { operation in
      operation.extend(row)
      operation.count &+= 1
      operation.audioStream.add(endpoint)
    }
    if endpoint.state == .idle {
      links[at].streams[row.attribute] = nil
      end(number) {
        change(&$0)
        $0.ending = .succeeded
      }
    } else {
      self.change(number, change)
    }
    return true
  }
}

extension Operation {
  /// The configuration and the states of an audio stream endpoint (ASE), stored in bit fields of ``numbers`` so that operations of other kinds do not
  /// become larger.
  public struct AudioStream: Sendable {
    fileprivate(set) var numbers: SIMD4<Int>

    /// Its ASE_ID in the server.
    public fileprivate(set) var id: UInt8 {
      get { UInt8(numbers.bits(0, 0, 8)) }
      set { numbers.set(0, 0, 8, Int(newValue)) }
    }
    /// Audio is sent from the server to the client.
    public fileprivate(set) var isSource: Bool {
      get { numbers.bits(0, 8, 1) == 1 }
      set { numbers.set(0, 8, 1, newValue ? 1 : 0) }
    }
    /// The CIG that carries it; nil before it is known.
    public private(set) var group: UInt8? {
      get { numbers.bits(0, 9, 1) == 1 ? UInt8(numbers.bits(0, 16, 8)) : nil }
      set {
        numbers.set(0, 9, 1, newValue == nil ? 0 : 1)
        numbers.set(0, 16, 8, Int(newValue ?? 0))
      }
    }
    /// The CIS that carries it; nil before it is known.
    public private(set) var stream: UInt8? {
      get { numbers.bits(0, 9, 1) == 1 ? UInt8(numbers.bits(0, 24, 8)) : nil }
      set { numbers.set(0, 24, 8, Int(newValue ?? 0)) }
    }
    /// The last operation that the server rejected, its response code and reason; nil where there is none.
    public var rejection: (opcode: UInt8, code: UInt8, reason: UInt8)? {
      let code = numbers.bits(0, 40, 8)
      return code == 0 ? nil : (UInt8(numbers.bits(0, 32, 8)), UInt8(code), UInt8(numbers.bits(0, 48, 8)))
    }
    /// Its states in their order, the first fifteen.
    public var states: [ASCS.State] {
      var states: [ASCS.State] = []
      for index in 0..<15 {
        let number = numbers.bits(1, index * 4, 4)
        guard number > 0, let state = ASCS.State(rawValue: UInt8(number - 1)) else { break }
        states.append(state)
      }
      return states
    }
    /// Its codec; nil before it is known.
    public private(set) var codec: ASCS.Codec? {
      get {
        guard numbers.bits(2, 0, 1) == 1 else { return nil }
        var codec = ASCS.Codec(format: UInt8(numbers.bits(2, 1, 8)))
        codec.octets = numbers.bits(2, 9, 16)
        codec.frequency = numbers.bits(2, 25, 20)
        codec.duration = numbers.bits(2, 45, 16)
        return codec
      }
      set {
        guard let codec = newValue else { return }
        numbers[2] = 1
        numbers.set(2, 1, 8, Int(codec.format))
        numbers.set(2, 9, 16, codec.octets)
        numbers.set(2, 25, 20, codec.frequency)
        numbers.set(2, 45, 16, codec.duration)
      }
    }
    /// The interval of SDUs in µs; 0 before it is known.
    public private(set) var interval: Int {
      get { numbers.bits(3, 0, 24) }
      set { numbers.set(3, 0, 24, newValue) }
    }
    /// Maximum SDU size in bytes; 0 before it is known.
    public private(set) var size: Int {
      get { numbers.bits(3, 24, 16) }
      set { numbers.set(3, 24, 16, newValue) }
    }

    fileprivate mutating func add(_ endpoint: ASCS.Endpoint) {
      id = endpoint.id
      if let codec = endpoint.codec { self.codec = codec }
      if let group = endpoint.group, let stream = endpoint.stream {
        self.group = group
        self.stream = stream
      }
      if endpoint.interval > 0 {
        interval = endpoint.interval
        size = endpoint.size
      }
      let count = states.count
      guard count < 15, count == 0 || numbers.bits(1, (count - 1) * 4, 4) != Int(endpoint.state.rawValue) + 1 else { return }
      numbers.set(1, count * 4, 4, Int(endpoint.state.rawValue) + 1)
    }

    fileprivate mutating func rejected(_ answer: ASCS.Answer) {
      numbers.set(0, 32, 8, Int(answer.opcode))
      numbers.set(0, 40, 8, Int(answer.code))
      numbers.set(0, 48, 8, Int(answer.reason))
    }
  }

  /// The audio stream endpoint of an operation of the kind ``Kind/stream``; meaningless for other kinds.
  public internal(set) var audioStream: AudioStream {
    get { AudioStream(numbers: numbers) }
    set { numbers = newValue.numbers }
  }
}
