import Captures
import Conversations

/// Frame check sequences of L2CAP's retransmission modes over frames that come in several packets: each is computed anew as its packets are
/// written, and a wrong one is wrong again.
struct FrameChecks {
  private struct Frame {
    /// Where its bytes lie, the check's among them, and the number of the first piece that was not written yet.
    var pieces: [PDUPiece]
    var next = 0
    /// How many of its bytes were written, of how many.
    var written = 0
    var count: Int
    /// The check of what was written, and how that in the frame differs from it.
    var state: UInt16 = 0
    var difference: UInt16
  }
  private var frames: [Frame] = []
  /// As many frames wait: they do only as long as their packets do. The check of another is none.
  private static let maxCount = 65_536

  /// Takes a frame whose last two bytes are its check, and where it lies.
  mutating func take(_ bytes: [UInt8], _ pieces: [PDUPiece]) {
    guard bytes.count > 2, frames.count < Self.maxCount else { return }
    let end = bytes.count - 2
    let sent = UInt16(bytes[end]) | UInt16(bytes[end + 1]) << 8
    // How a wrong one differs from the right one tells of the bytes: all wrong ones differ alike.
    let difference = ChecksumRepair.check(bytes[..<end]) == sent ? 0 : UInt16.max
    frames.append(Frame(pieces: pieces, count: bytes.count, difference: difference))
  }

  /// Goes through the bytes of packets that are about to be written; all packets before them were.
  mutating func fill(_ packets: WaitingPackets) {
    guard let first = packets.records.first?.frame, let last = packets.records.last?.frame else { return }
    for place in frames.indices {
      while frames[place].next < frames[place].pieces.count, frames[place].pieces[frames[place].next].frame <= last {
        let piece = frames[place].pieces[frames[place].next]
        frames[place].next += 1
        guard piece.frame >= first, let index = packets.index(ofFrame: piece.frame) else { continue }
        let range = packets.bytes(index)
        let start = range.lowerBound + piece.offset
        guard piece.offset >= 0, start + piece.count <= range.upperBound else { continue }
        for at in start..<start + piece.count { add(at, to: &frames[place], packets) }
      }
    }
    frames.removeAll { $0.next == $0.pieces.count }
  }

  private func add(_ at: Int, to frame: inout Frame, _ packets: WaitingPackets) {
    let left = frame.count - frame.written
    frame.written += 1
    if left > 2 {
      frame.state = ChecksumRepair.check(CollectionOfOne(packets.output[at]), from: frame.state)
    } else {
      packets.put([UInt8(truncatingIfNeeded: (frame.state ^ frame.difference) >> (left == 2 ? 0 : 8))], at: at)
    }
  }
}
