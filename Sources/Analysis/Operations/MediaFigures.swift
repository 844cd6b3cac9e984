/// Statistics of a stream's media packets: their number and bytes, how many are missing, and the gaps between them.
public struct MediaFigures: Sendable {
  /// Packets and their bytes.
  public private(set) var packets = 0, bytes = 0
  /// µs between packets, summed without pauses.
  public private(set) var playing: Int64 = 0
  /// Number of gaps (times without a packet in which many were due), and the longest of them in µs.
  public private(set) var gaps = 0, longest: Int64 = 0
  /// Start of the longest gap, µs since 1970.
  public private(set) var longestStart: Int64 = 0
  /// Missing packets, by their sequence numbers.
  public private(set) var lost = 0
  private var last: Int64 = 0
  private var number: UInt16?
  private var clock = MediaClock()

  /// In µs: a time without a packet is a gap from `gap` on; from `pause` on, playback was paused.
  private static let gap: Int64 = 150_000, pause: Int64 = 5_000_000

  /// No packets.
  public init() {}

  /// Takes a packet. `number` is its sequence number and `timestamp` its time in the stream (RFC 3550, 5.1), where it has these.
  public mutating func add(_ time: Int64, _ size: Int, _ number: UInt16?, _ timestamp: UInt32?) {
    let step = time &- last
    var missing = 0
    if let number, let before = self.number {
      // A larger step is another stream, or a restarted one.
      missing = Int(number &- before &- 1)
      if missing >= 1000 { missing = 0 }
      lost &+= missing
    }
    if let number { self.number = number }
    if packets > 0, step < 0 || step >= Self.pause { clock.restart() }
    let delay = timestamp.flatMap { clock.delay(time, $0) }
    if packets > 0, step > 0, step < Self.pause {
      // Sources send several packets at once, then none until the speaker has played those: only a longer time is a gap. If packets have timestamps,
      // it is a gap if this one came too late; with missing packets, their time is missing too.
      let isLate = if missing == 0, let delay { delay >= Self.gap } else { step >= 6 &* (playing / Int64(packets)) }
      if packets >= 8, step >= Self.gap, isLate {
        gaps &+= 1
        if step > longest { (longest, longestStart) = (step, last) }
      }
      playing &+= step
    }
    last = time
    packets &+= 1
    bytes &+= size
  }

  /// The stream was stopped: the time until the next packet is no gap.
  public mutating func stop() { last = .min / 2 }
}

/// Compares the RTP timestamps of a stream's packets with the times at which they arrived.
private struct MediaClock {
  /// Arrival of the first packet, and the advance of RTP timestamps since, in their own units.
  private var start: Int64 = 0, units: Int64 = 0
  private var last: (time: Int64, timestamp: UInt32)?
  /// The first packet that was not sent together with the previous one: sources begin with as many packets as the speaker buffers.
  private var base: (time: Int64, units: Int64)?
  /// Timestamp units per second; 0 while unknown.
  private var rate: Int64 = 0
  /// The largest delay, in µs, of packets of the last seconds, and of those before.
  private var recent = Int64.min, earlier = Int64.min
  private var turn: Int64 = 0

  /// Sampling frequencies, and the clock rate of RTP for other media (RFC 3551).
  private static let rates: [Int64] = [
    8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 90_000, 96_000, 176_400, 192_000,
  ]
  /// In µs: after `calibration` the clock rate is estimated; a delay is remembered for `memory` at least; packets that arrive less than `apart` after
  /// one another were sent together.
  private static let calibration: Int64 = 2_000_000, memory: Int64 = 5_000_000, apart: Int64 = 5_000

  /// The stream stopped for a while: the next packet is treated as the first. The clock rate stays.
  mutating func restart() {
    let rate = rate
    self = MediaClock()
    self.rate = rate
  }

  /// Takes a packet. Returns its delay in µs, measured by its RTP timestamp, beyond that of any packet of the last seconds: 0 while the clock rate is
  /// unknown, nil if the timestamps match no clock rate.
  mutating func delay(_ time: Int64, _ timestamp: UInt32) -> Int64? {
    guard let last else {
      (start, last) = (time, (time, timestamp))
      return 0
    }
    // A timestamp that goes back, or jumps by a minute at the fastest rate, belongs to another stream.
    let advance = Int64(Int32(bitPattern: timestamp &- last.timestamp))
    guard advance >= 0, advance < 11_520_000, time >= last.time else {
      restart()
      (start, self.last) = (time, (time, timestamp))
      return 0
    }
    units &+= advance
    if rate == 0, time &- last.time >= Self.apart { calibrate(time) }
    self.last = (time, timestamp)
    guard rate > 0 else { return units > 0 && time &- start < 2 * Self.calibration ? 0 : nil }
    let lateness = (time &- start) &- units &* 1000 / rate &* 1000
    if time &- turn >= Self.memory { (turn, earlier, recent) = (time, recent, Int64.min) }
    let latest = max(recent, earlier)
    recent = max(recent, lateness)
    return latest == Int64.min ? 0 : lateness &- latest
  }

  /// Sets the clock rate to the known one that is nearest to the rate so far, if it is near enough.
  private mutating func calibrate(_ time: Int64) {
    guard let base else {
      base = (time, units)
      return
    }
    let elapsed = time &- base.time
    let advanced = units &- base.units
    guard elapsed >= Self.calibration, advanced < Int64.max / 1_000_000 else { return }
    let measured = advanced &* 1_000_000 / elapsed
    let nearest = Self.rates.min { abs($0 &- measured) < abs($1 &- measured) } ?? 0
    if abs(nearest &- measured) &* 25 <= nearest { rate = nearest }
  }
}
