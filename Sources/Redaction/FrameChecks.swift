import Captures
import Conversations

/// Frame check sequences of L2CAP's retransmission modes over frames in several packets: each is recomputed as the packets of its frame are
/// written, and a wrong one stays wrong.
struct FrameChecks {
  private struct Frame {
    /// The locations of its bytes, including those of the check, and the index of the first piece that was not written yet.
    var pieces: [PDUPiece]
    var next = 0
    /// Number of bytes written so far, and of all bytes.
    var written = 0
    var count: Int
    /// The check of the bytes written so far, and what is XORed to it at the end: 0 for a right check, 0xFFFF for a wrong one.
    var state: UInt16 = 0
    var difference: UInt16
  }
  private var frames: [Frame] = []
  /// Upper bound of waiting frames, which wait as long as their packets do. The checks of further frames become zeros.
  private static let maxCount = 65_536

  /// Takes a frame whose last two bytes are its check, and its location.
  mutating func take(_ bytes: [UInt8], _ pieces: [PDUPiece]) {
    guard bytes.count > 2, frames.count < Self.maxCount else { return }
    let end = bytes.count - 2
    let sent = UInt16(bytes[end]) | UInt16(bytes[end + 1]) << 8
    // The difference of a wrong check from the right one could reveal the bytes: all wrong checks get the same difference.
    let difference = ChecksumRepair.check(bytes[..<end]) == sent ? 0 : UInt16.max
    frames.append(Frame(pieces: pieces, count: bytes.count, difference: difference))
  }

  /// Processes the bytes of packets that are about to be written; all earlier packets were written before.
  mutating func fill(_ packets: WaitingPackets) {
    guard let first = packets.records.first?.frame, let last = packets.records.last?.frame else { return }
    for position in frames.indices {
      while frames[position].next < frames[position].pieces.count, frames[position].pieces[frames[position].next].frame <= last {
        let piece = frames[position].pieces[frames[position].next]
        frames[position].next += 1
        guard piece.frame >= first, let index = packets.index(ofFrame: piece.frame) else { continue }
        let range = packets.bytes(index)
        let start = range.lowerBound + piece.offset
        guard piece.offset >= 0, start + piece.count <= range.upperBound else { continue }
        for at in start..<start + piece.count { add(at, to: &frames[position], packets) }
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
