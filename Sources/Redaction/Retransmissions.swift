import Captures

/// The last Link Layer packets: a retransmitted packet is redacted like its first copy, also where only that was decoded.
struct Retransmissions {
  private struct Sent {
    var original: [UInt8] = []
    var output: [UInt8] = []
  }
  private var last = [Sent](repeating: Sent(), count: Self.maxCount)
  private var next = 0
  private static let maxCount = 32

  /// Takes a packet that is about to be written. If it has undecided bytes and repeats an earlier packet, it gets that packet's new bytes.
  mutating func take(_ packet: PacketRecord, _ range: Range<Int>, _ packets: WaitingPackets) {
    // The access address counts, the header's first byte does not: it has the sequence bits.
    let start = min(range.lowerBound + packet.payload, range.upperBound)
    let header = packet.radio.phy == 2 ? 5 : 4
    let end = range.upperBound - packet.fixedTrailer
    guard end - start > header + 2 else { return }
    var original = Array(packets.original[start..<end])
    original[header] &= 3
    var at = start + header + 1
    let isWhole = packets.undecided(from: start, to: end) == end
    if isWhole {
      last[next] = Sent(original: original, output: Array(packets.output[at..<end]))
      next = (next + 1) % Self.maxCount
    } else if let known = last.first(where: { $0.original == original }) {
      for byte in known.output {
        packets.put([byte], at: at)
        at += 1
      }
    }
  }
}
