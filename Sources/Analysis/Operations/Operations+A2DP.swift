import Bluetooth
import Conversations
import Memory

/// Streams of A2DP: one operation each, from the command that configures it to its end.
extension Operations {
  /// A signal of AVDTP.
  func streamSignal(_ row: PacketRow) {
    let span = row.pdu.span
    guard let header = AVDTP.Header(span), let signal = header.signal, header.packetType == .single || row.opcode == AVDTP.joined else {
      return
    }
    let at = link(row)
    let isFromHost = row.direction.isFromHost
    // Transaction labels belong to the side that sends the command.
    let key = UInt8(header.transaction) | (isFromHost == header.isCommand ? 0x80 : 0)
    if header.isCommand {
      let flow: [UInt8]
      switch signal {
      case .setConfiguration:
        guard let acceptor = row.pdu.u8(header.size), let initiator = row.pdu.u8(header.size + 1), links[at].media.count < 16,
          let configuration = A2DP.Configuration(span, in: header.size + 2..<max(header.size + 2, row.pdu.count))
        else { return }
        var stream = OpenMedia(
          isOfHost: isFromHost, acceptor: acceptor >> 2, initiator: initiator >> 2, codec: configuration.codec)
        stream.number = begin(.stream, row) { operation in
          operation.layer = .a2dp
          operation.isIncoming = !isFromHost
          operation.mediaStream.configure(configuration, endPoint: acceptor >> 2)
        }
        links[at].media.append(stream)
        flow = [acceptor >> 2]
      case .start, .suspend: flow = (header.size..<row.pdu.count).prefix(16).compactMap { row.pdu.u8($0).map { $0 >> 2 } }
      case .open, .close, .abort, .reconfigure: flow = row.pdu.u8(header.size).map { [$0 >> 2] } ?? []
      default: return
      }
      guard links[at].mediaRequests.count < Self.maxRequests || links[at].mediaRequests[key] != nil else { return }
      let numbers = flow.compactMap { id in links[at].media.first { $0.isMeant(id, isByHost: isFromHost) }?.number }
      for number in numbers { change(number) { $0.extend(row) } }
      links[at].mediaRequests[key] = (signal, numbers)
      return
    }
    guard let request = links[at].mediaRequests.removeValue(forKey: key), request.signal == signal else { return }
    let error = header.isReject ? row.pdu.u8(row.pdu.count - 1) ?? 0 : nil
    for number in request.numbers {
      guard let index = links[at].media.firstIndex(where: { $0.number == number }) else { continue }
      change(number) { $0.extend(row) }
      if let error {
        if signal == .setConfiguration {
          links[at].media.remove(at: index)
          end(number) { $0.fail(error, .audioVideo) }
        }
        continue
      }
      let state: MediaStream.State
      switch signal {
      case .setConfiguration, .reconfigure: state = .configured
      case .open: state = .open
      case .start: state = .streaming
      case .suspend: state = .suspended
      case .close: state = .closed
      default: state = .aborted
      }
      links[at].media[index].isStreaming = state == .streaming
      links[at].media[index].figures.stop()
      change(number) { $0.mediaStream.add(state) }
      guard state == .closed || state == .aborted else { continue }
      links[at].media.remove(at: index)
      end(number) { $0.ending = .succeeded }
    }
  }

  /// A media packet: it belongs to the stream of its channel, else to a stream of its codec without a channel so far.
  func media(_ row: PacketRow) {
    let at = link(row)
    let codec = A2DP.codec(row.opcode)
    let known = links[at].media.firstIndex { $0.channel == row.channel }
    guard let index = known ?? links[at].media.firstIndex(where: { $0.channel == 0 && $0.codec == codec }) else { return data(row) }
    links[at].media[index].channel = row.channel
    let span = row.pdu.span
    links[at].media[index].figures.add(
      row.time, row.pdu.count, A2DP.sequenceNumber(span, row.opcode), A2DP.timestamp(span, row.opcode))
    let figures = links[at].media[index].figures
    change(links[at].media[index].number) { operation in
      operation.extend(row)
      operation.count &+= 1
      operation.bytes &+= row.pdu.count
      operation.mediaStream.set(figures, since: operation.start, isReceived: !row.direction.isFromHost)
    }
  }
}

/// A configured A2DP stream.
struct OpenMedia {
  var number = -1
  /// This host configured it.
  var isOfHost: Bool
  /// The stream end points of the acceptor and the initiator.
  var acceptor: UInt8, initiator: UInt8
  var codec: A2DP.Codec
  /// The channel of its media; 0 before the first packet.
  var channel: UInt16 = 0
  var isStreaming = false
  var figures = MediaFigures()

  init(isOfHost: Bool, acceptor: UInt8, initiator: UInt8, codec: A2DP.Codec) {
    (self.isOfHost, self.acceptor, self.initiator, self.codec) = (isOfHost, acceptor, initiator, codec)
  }

  /// Whether a command with this end point identifier, which is always the receiver's, means this stream.
  func isMeant(_ id: UInt8, isByHost: Bool) -> Bool { id == (isByHost == isOfHost ? acceptor : initiator) }
}

/// An A2DP stream, stored in bit fields of ``Operation/numbers`` so that operations of other kinds do not become larger.
public struct MediaStream: Sendable {
  /// The states of a stream (AVDTP 1.3, 6.5), and `aborted`.
  public enum State: UInt8, Sendable, CaseIterable {
    case configured = 1, open, streaming, suspended, closed, aborted

    /// The state in words.
    public var name: StaticString {
      switch self {
      case .configured: "configured"
      case .open: "open"
      case .streaming: "streaming"
      case .suspended: "suspended"
      case .closed: "closed"
      case .aborted: "aborted"
      }
    }
  }

  fileprivate(set) var numbers: SIMD4<Int>

  /// Its codec and configuration.
  public var configuration: A2DP.Configuration {
    var configuration = A2DP.Configuration(codec: A2DP.Codec(rawValue: UInt8(numbers.bits(0, 0, 8))) ?? .unknown)
    configuration.frequency = numbers.bits(0, 8, 20)
    configuration.mode = A2DP.Configuration.Mode(rawValue: UInt8(numbers.bits(0, 28, 3))) ?? .unknown
    configuration.bitpool = UInt8(numbers.bits(0, 31, 8))
    return configuration
  }
  /// The stream end point of the acceptor.
  public var endPoint: UInt8 { UInt8(numbers.bits(0, 39, 6)) }
  /// The media came from the peer.
  public var isReceived: Bool { numbers.bits(0, 45, 1) == 1 }
  /// Its states in their order, the first fifteen.
  public var states: [State] { (0..<15).map { numbers.bits(1, $0 * 4, 4) }.prefix { $0 > 0 }.compactMap { State(rawValue: UInt8($0)) } }
  /// Number of gaps: times without a packet in which many were due.
  public var gaps: Int { numbers.bits(2, 0, 16) }
  /// Missing packets, by their sequence numbers.
  public var lost: Int { numbers.bits(2, 16, 24) }
  /// Start of the longest gap, in ms since the stream was configured.
  public var longestStart: Int { numbers.bits(2, 40, 23) }
  /// The longest gap, in ms.
  public var longest: Int { numbers.bits(3, 0, 20) }
  /// Time in which packets came, in ms.
  public var playing: Int { numbers.bits(3, 20, 42) }

  fileprivate mutating func configure(_ configuration: A2DP.Configuration, endPoint: UInt8) {
    numbers.set(0, 0, 8, Int(configuration.codec.rawValue))
    numbers.set(0, 8, 20, configuration.frequency)
    numbers.set(0, 28, 3, Int(configuration.mode.rawValue))
    numbers.set(0, 31, 8, Int(configuration.bitpool))
    numbers.set(0, 39, 6, Int(endPoint))
  }

  fileprivate mutating func add(_ state: State) {
    let count = states.count
    if count < 15 { numbers.set(1, count * 4, 4, Int(state.rawValue)) }
  }

  fileprivate mutating func set(_ figures: MediaFigures, since start: Int64, isReceived: Bool) {
    numbers.set(0, 45, 1, isReceived ? 1 : 0)
    numbers.set(2, 0, 16, figures.gaps)
    numbers.set(2, 16, 24, figures.lost)
    numbers.set(2, 40, 23, figures.longest > 0 ? Int(max(0, figures.longestStart &- start) / 1000) : 0)
    numbers.set(3, 0, 20, Int(figures.longest / 1000))
    numbers.set(3, 20, 42, Int(figures.playing / 1000))
  }
}

extension Operation {
  /// The A2DP stream of an operation of the kind ``Kind/stream`` if its ``layer`` is `.a2dp`; meaningless for others.
  public internal(set) var mediaStream: MediaStream {
    get { MediaStream(numbers: numbers) }
    set { numbers = newValue.numbers }
  }
}
