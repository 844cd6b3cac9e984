import Bluetooth
import Memory

/// The states of the audio stream endpoints of a connection.
final class StreamMemory {
  /// The last state of each, by attribute, the frame that has it, and whether the server notified it.
  private(set) var states: [Int32: (state: ASCS.State, frame: Int, isNotified: Bool)] = [:]

  /// Most endpoints that are tracked.
  private static let maxCount = 64

  /// Keeps a state; returns the one before.
  func keep(
    _ attribute: Int32, _ state: ASCS.State, frame: Int, isNotified: Bool
  ) -> (state: ASCS.State, frame: Int, isNotified: Bool)? {
    let known = states[attribute]
    if known != nil || states.count < Self.maxCount { states[attribute] = (state, frame, isNotified) }
    return known
  }
}

extension ConversationTables {
  /// The attribute is the value of an audio stream endpoint, or of their control point.
  func isStreamEndpoint(_ attribute: Int32) -> Bool {
    guard attribute >= 0, case let entry = attributes[Int(attribute)], entry.uuid >= 0, entry.kind == .value || entry.kind == .unknown,
      let short = uuids[Int(entry.uuid)].short16
    else { return false }
    return short >= ASCS.sinkASE && short <= ASCS.controlPoint
  }
}

/// Audio stream endpoints (ASCS): their state machines.
extension ConversationTracker {
  /// Describes the value of a row: a report of a keyboard, the state of an audio stream endpoint. Called only where the capture has attributes
  /// of these kinds.
  @inline(never)
  mutating func describeValue(_ row: inout PacketRow, _ link: Int) {
    if !tables.reportMaps.isEmpty { describeReport(&row, link) }
    guard tables.hasStreamEndpoints, tables.isStreamEndpoint(row.attribute) else { return }
    row.flags.insert(.streamEndpoint)
    guard purpose == .rows else { return }
    let type = tables.type(of: tables.attributes[Int(row.attribute)])?.short16
    let bytes = row.value.span
    switch row.attOpcode {
    case .handleValueNotification where type == ASCS.controlPoint:
      ASCS.forEachAnswer(bytes) { answer in
        guard answer.code != 0 else { return }
        report(
          .streamOperationRejected(opcode: answer.opcode, id: answer.id, code: answer.code, reason: answer.reason), adapter: row.adapter,
          handle: row.handle, connection: row.connection, attribute: row.attribute)
      }
    case .handleValueNotification, .readResponse: if type != ASCS.controlPoint { moved(row, link, bytes, isSource: type == ASCS.sourceASE) }
    default: break
    }
  }

  /// Takes the state in an endpoint's value. A transition is checked only between two notified states: after a state that was read, the client may
  /// have subscribed later and missed notifications. Nothing is checked where packets are missing.
  private mutating func moved(_ row: PacketRow, _ link: Int, _ bytes: RawSpan, isSource: Bool) {
    guard let endpoint = ASCS.Endpoint(bytes) else { return }
    if links[link].endpoints == nil { links[link].endpoints = StreamMemory() }
    let isNotified = row.attOpcode == .handleValueNotification
    guard let before = links[link].endpoints?.keep(row.attribute, endpoint.state, frame: frame, isNotified: isNotified),
      isNotified, before.isNotified, !before.state.leads(to: endpoint.state, isSource: isSource), hearsPeers,
      tables.connections[Int(row.connection)].accessAddress == 0, !isLost(since: before.frame, links[link])
    else { return }
    report(
      .streamTransitionInvalid(id: endpoint.id, from: before.state.rawValue, to: endpoint.state.rawValue, frame: before.frame),
      adapter: row.adapter, handle: row.handle, connection: row.connection, attribute: row.attribute)
  }
}
