/// Figures of a stream's media packets: their number and bytes, how many are missing, and the gaps between them.
public struct MediaFigures: Sendable {
  /// Packets and their bytes.
  public private(set) var packets = 0, bytes = 0
  /// µs between packets, added up without pauses.
  public private(set) var playing: Int64 = 0
  /// How often no packet came for a time in which many were due, and the longest of these times in µs.
  public private(set) var gaps = 0, longest: Int64 = 0
  /// When the longest began, µs since 1970.
  public private(set) var longestStart: Int64 = 0
  /// Packets that are missing by their sequence numbers.
  public private(set) var lost = 0
  private var last: Int64 = 0
  private var number: UInt16?

  /// µs from which on a time without a packet is a gap, and from which on somebody stopped the music.
  private static let gap: Int64 = 150_000, pause: Int64 = 5_000_000

  /// No packets.
  public init() {}

  /// Takes a packet; `number` is its sequence number, where it has one.
  public mutating func add(_ time: Int64, _ size: Int, _ number: UInt16?) {
    let step = time &- last
    if packets > 0, step > 0, step < Self.pause {
      // Sources send several packets at once, then none until the speaker has played those: only a longer time than that is a gap.
      if packets >= 8, step >= Self.gap, step >= 6 &* (playing / Int64(packets)) {
        gaps &+= 1
        if step > longest { (longest, longestStart) = (step, last) }
      }
      playing &+= step
    }
    if let number, let before = self.number {
      let missing = number &- before &- 1
      // More is another stream, or one that began anew.
      if missing > 0, missing < 1000 { lost &+= Int(missing) }
    }
    if let number { self.number = number }
    last = time
    packets &+= 1
    bytes &+= size
  }

  /// The stream was stopped: what comes next is no gap.
  public mutating func stop() { last = .min / 2 }
}
