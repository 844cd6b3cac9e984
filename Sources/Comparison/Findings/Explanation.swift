@_spi(Pipeline) import Analysis
import Conversations

/// Chooses the difference that explains the rest, by rules in this order:
///
/// 1. Differences that can have consequences, the earliest first: a connection that is not made, pairing or encryption that fails or is missing,
///    a subscription that is missing or refused, a request that is refused, gets no answer or is missing.
///    Where everything is missing from a request on, and the connection ended, the end of the connection explains it.
/// 2. Else a connection that ends, or ends for another reason.
/// 3. Else a written value or a message that differs, then the answer of a device.
/// 4. Else a parameter of the link.
/// 5. Else the earliest.
///
/// An added step explains the rest only where nothing else does. Later differences of the same connection are folded below the chosen one, where the
/// captures are similar: twice as many steps are equal as differ.
enum Explanation {
  typealias Row = CaptureDifferences.Row

  static func explain(_ result: inout CaptureDifferences) {
    guard !result.rows.isEmpty else { return }
    var best: (rank: Int, index: Int, reason: CaptureDifferences.Reason)?
    for (index, row) in result.rows.enumerated() {
      let (rank, reason) = judge(row)
      if best.map({ rank < $0.rank }) ?? true { best = (rank, index, reason) }
    }
    guard var best else { return }
    if best.reason == .request, let loss = loss(in: result, after: best.index) { best = (1, loss, .disconnection) }
    result.first = best.index
    result.reason = best.reason
    let cause = result.rows[best.index]
    // Where few steps are equal, the differences have other causes.
    guard best.rank <= 2, result.isExplained else { return }
    // Steps missing at the end of a lost connection are listed before the loss, as the time when the other side was gone is not known.
    let first = best.reason == .disconnection ? tail(of: result, best.index) : best.index + 1
    for index in first..<result.rows.count where index != best.index && result.rows[index].device == cause.device {
      // Differences on other connections have other causes, unless the connection failed.
      guard result.rows[index].session == cause.session || result.reason == .connection else { continue }
      result.rows[index].cause = best.index
    }
  }

  /// The end of the connection that a missing request belongs to, where from that request on everything is missing because the connection ended.
  private static func loss(in result: CaptureDifferences, after index: Int) -> Int? {
    let rows = result.rows.indices.filter { $0 >= index && result.rows[$0].session == result.rows[index].session }
    guard let end = rows.first(where: { result.rows[$0].kind == .disconnect && result.rows[$0].change != .removed }) else { return nil }
    return index >= tail(of: result, end) ? end : nil
  }

  /// The first row of a connection after which only missing steps follow.
  private static func tail(of result: CaptureDifferences, _ end: Int) -> Int {
    var first = end
    for index in stride(from: result.rows.count - 1, through: 0, by: -1) where result.rows[index].session == result.rows[end].session {
      let row = result.rows[index]
      if index == end || [.parameters, .phy, .dataLength].contains(row.kind) { continue }
      guard row.change == .removed, row.subject == .operation else { break }
      first = min(first, index)
    }
    return first
  }

  /// Lower ranks explain more.
  private static func judge(_ row: Row) -> (Int, CaptureDifferences.Reason) {
    guard row.subject == .operation || row.subject == .session else { return (7, .earliest) }
    let status = row.changes.first { $0.field == "status" }
    if row.subject == .session {
      return row.change == .changed ? (1, .connection) : row.change == .removed ? (2, .connection) : (8, .earliest)
    }
    if row.change == .moved { return (6, .earliest) }
    if row.change == .added {
      switch row.kind {
      case .disconnect: return (2, .disconnection)
      default: return (6, .earliest)
      }
    }
    let gotWorse = status.map { $0.a == "ok" } ?? false
    switch row.kind {
    case .connect: if row.change == .removed || gotWorse { return (1, .connection) }
    case .pairing, .encryption: if row.change == .removed || gotWorse { return (1, .security) }
    case .subscribe, .unsubscribe:
      if row.change == .removed || gotWorse || row.changes.contains(where: { $0.field == "subscription" || $0.field.hasPrefix("value") }) {
        return (1, .subscription)
      }
    case .read, .write, .writeCommand, .preparedWrite, .channel, .mtu, .discovery:
      if let status, gotWorse { return (1, status.b == "no answer" ? .unanswered : .refused) }
      if row.change == .removed { return (1, .request) }
    case .disconnect: return (2, .disconnection)
    default: break
    }
    if row.change == .changed, status == nil {
      switch row.kind {
      case .write, .writeCommand, .preparedWrite: return (3, .value)
      case .read, .notification, .indication, .data: return (4, .value)
      case .parameters, .phy, .dataLength, .mtu: return (5, .parameter)
      default: break
      }
    }
    if row.change == .removed, row.kind == .notification || row.kind == .indication { return (4, .earliest) }
    return (6, .earliest)
  }
}
