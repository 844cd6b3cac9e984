import Bluetooth
import Captures
import Conversations
import Memory

/// ATT Prepare Write Responses: they repeat the request's part of a value (Core, Vol 3, Part F, 3.4.6.2). The replacement of the value is known only
/// when all parts are; until then request and response wait here.
struct PreparedEchoes {
  /// The locations of a part of a value in a request, and in the response that repeats it.
  struct Echo {
    var request: [PDUPiece]
    var response: [PDUPiece]
  }
  /// Requests without a response, the latest last.
  private var requests: [(frame: Int, value: [UInt8], pieces: [PDUPiece])] = []
  private var echoes: [Echo] = []
  /// Upper bound of waiting requests; a client sends the next one when it has the response.
  private static let maxCount = 64

  /// Takes the value of a request or a response; `pieces` is its location.
  mutating func take(_ row: PacketRow, _ pieces: [PDUPiece]) {
    guard row.attOpcode == .prepareWriteRequest || row.attOpcode == .prepareWriteResponse, row.pdu.count > 5, !pieces.isEmpty else {
      return
    }
    let value = Array(row.pdu.slice(5, row.pdu.count - 5))
    if row.attOpcode == .prepareWriteRequest {
      if requests.count == Self.maxCount { requests.removeFirst() }
      requests.append((row.frame, value, pieces))
      return
    }
    guard let index = requests.lastIndex(where: { $0.frame == row.requestFrame }) else { return }
    let request = requests.remove(at: index)
    if request.value == value { echoes.append(Echo(request: request.pieces, response: pieces)) }
  }

  /// Removes and returns the echoes whose request begins in a frame up to `frame`, which is about to be written.
  mutating func upTo(_ frame: Int) -> [Echo] {
    guard let first = echoes.first?.request.first, first.frame <= frame else { return [] }
    let due = echoes.filter { ($0.request.first?.frame ?? 0) <= frame }
    echoes.removeAll { ($0.request.first?.frame ?? 0) <= frame }
    return due
  }
}
