import Bluetooth
import Captures
import Conversations
import Memory

/// Answers to ATT Prepare Write Requests: they repeat the part of a value that the request has (Core, Vol 3, Part F, 3.4.6.2), and what becomes
/// of the value is decided when all parts are known. Until then both wait here.
struct PreparedEchoes {
  /// Where a part of a value lies in a request, and in the answer that repeats it.
  struct Echo {
    var request: [PDUPiece]
    var response: [PDUPiece]
  }
  /// Requests that no answer came for, the latest last.
  private var requests: [(frame: Int, value: [UInt8], pieces: [PDUPiece])] = []
  private var echoes: [Echo] = []
  /// As many requests wait: a client sends the next when it has the answer.
  private static let maxCount = 64

  /// Takes the value of a request or an answer, which lies in `pieces`.
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
    guard let place = requests.lastIndex(where: { $0.frame == row.requestFrame }) else { return }
    let request = requests.remove(at: place)
    if request.value == value { echoes.append(Echo(request: request.pieces, response: pieces)) }
  }

  /// Takes out those whose request begins in a frame up to `frame`: it is about to be written.
  mutating func upTo(_ frame: Int) -> [Echo] {
    guard let first = echoes.first?.request.first, first.frame <= frame else { return [] }
    let due = echoes.filter { ($0.request.first?.frame ?? 0) <= frame }
    echoes.removeAll { ($0.request.first?.frame ?? 0) <= frame }
    return due
  }
}
