import Bluetooth
import Captures
import Conversations

/// Fields of A2DP media packets: the configuration of their stream, and the difference between the duration of the audio sent and the time passed.
extension FilterRow {
  static let media: [FilterRow] = [
    FilterRow("btvdp") { packet, values in
      guard packet.history?.stream?.isVideo == true else { return }
      for row in packet.rows where row.layer == .a2dp { packet.append(row.pdu, &values) }
    },
    stream("btvdp.acp_seid", isVideo: true) { stream, _ in Int(stream.acceptor) },
    stream("btvdp.int_seid", isVideo: true) { stream, _ in Int(stream.initiator) },
    stream("btvdp.codec", isVideo: true) { stream, _ in Int(stream.codec) },
    stream("btvdp.codec.vendor.vendor_id", isVideo: true) { stream, _ in stream.vendor.map { Int($0.company) } },
    stream("btvdp.codec.vendor.codec_id", isVideo: true) { stream, _ in stream.vendor.map { Int($0.codec) } },
    stream("btvdp.content_protection", isVideo: true) { stream, _ in stream.protection.map { Int($0) } },
    stream("btvdp.stream_number", isVideo: true) { stream, _ in stream.number },
    stream("btvdp.stream_start_in_frame", isVideo: true) { stream, _ in stream.start },
    stream("btvdp.stream_end_in_frame", isVideo: true) { _, frame in frame },
    FilterRow("rtp.setup-method") { packet, values in
      if let stream = packet.history?.stream, stream.sequence != 0, !stream.isVideo { packet.append("BT A2DP" as StaticName, &values) }
    },
    // The bytes after the vendor and codec identifiers of an unknown vendor codec.
    FilterRow("btavdtp.codec.vendor.value") { packet, values in
      for row in packet.rows where row.layer == .avdtp && !row.isUnknownToWireshark(.avdtp) {
        var visitor = VendorCodecVisitor()
        Dissection.walk(row, &visitor)
        for _ in 0..<visitor.count { unsafe values.append(FilterValue(nil, 0)) }
      }
    },
    FilterRow("bta2dp") { packet, values in
      guard packet.history?.stream?.isVideo != true else { return }
      for row in packet.rows where row.layer == .a2dp && !row.isUnknownToWireshark(.a2dp) { packet.append(row.pdu, &values) }
      if values.isEmpty, packet.record.isTruncated, packet.record.kind == .acl { packet.isBlind = true }
    },
    stream("bta2dp.acp_seid") { stream, _ in Int(stream.acceptor) },
    stream("bta2dp.int_seid") { stream, _ in Int(stream.initiator) },
    stream("bta2dp.codec") { stream, _ in Int(stream.codec) },
    stream("bta2dp.codec.vendor.vendor_id") { stream, _ in stream.vendor.map { Int($0.company) } },
    stream("bta2dp.codec.vendor.codec_id") { stream, _ in stream.vendor.map { Int($0.codec) } },
    stream("bta2dp.content_protection") { stream, _ in stream.protection.map { Int($0) } },
    stream("bta2dp.stream_number") { stream, _ in stream.number },
    stream("bta2dp.stream_start_in_frame") { stream, _ in stream.start },
    // The last frame of the stream so far.
    stream("bta2dp.stream_end_in_frame") { _, frame in frame },
    stream("rtp.setup-frame") { stream, frame in stream.sequence == 0 ? nil : frame },
    stream("rtp.extseq", isVideo: nil) { stream, _ in stream.sequence == 0 ? nil : Int(stream.sequence) },
    FilterRow("sbc.frame_duration") { packet, values in
      for row in packet.rows { for duration in row.sbcDurations { values.append(decimals(duration)) } }
    },
    FilterRow("sbc.expected_speed_data") { packet, values in
      for row in packet.rows { for speed in row.sbcSpeeds { values.append(FilterValue(Int128(speed))) } }
    },
    FilterRow("sbc.cumulative_frame_duration") { packet, values in
      for row in packet.rows where row.layer == .a2dp && A2DP.codec(row.opcode) == .sbc {
        values.append(decimals(row.sbcDurations.reduce(0, +)))
      }
    },
    music("sbc.cumulative_music_duration") { $0.music },
    // Without a position reported over AVRCP, Wireshark uses the duration of the audio so far.
    music("sbc.avrcp_song_position") { $0.music },
    music("sbc.delta_time") { stream in stream.previous.map { milliseconds(stream.time - $0) } ?? 0 },
    music("sbc.delta_time_from_the_beginning") { milliseconds($0.time - $0.first) },
    music("sbc.diff") { $0.music - milliseconds($0.time - $0.first) },
  ]

  /// A field with a value of the packet's audio or video stream: `value` takes it from the stream, or from the packet's frame number.
  private static func stream(
    _ line: StaticString, isVideo: Bool? = false, _ value: @escaping @Sendable (FilterHistory.Stream, Int) -> Int?
  ) -> FilterRow {
    FilterRow(line) { packet, values in
      guard let stream = packet.history?.stream, isVideo == nil || isVideo == stream.isVideo,
        let number = value(stream, Int(packet.record.frame))
      else { return }
      values.append(FilterValue(Int128(number)))
    }
  }

  /// A field of packets of an SBC stream, in milliseconds.
  private static func music(_ line: StaticString, _ value: @escaping @Sendable (FilterHistory.Stream) -> Double) -> FilterRow {
    FilterRow(line) { packet, values in
      if let stream = packet.history?.stream, stream.codec == 0 { values.append(decimals(value(stream))) }
    }
  }

  private static func milliseconds(_ time: Int64) -> Double { Double(time) / 1000 }
  private static func decimals(_ number: Double) -> FilterValue { FilterValue(Int128((number * 1_000_000_000).rounded())) }
}

/// Counts the vendor codecs with bytes after their identifiers.
private struct VendorCodecVisitor: FieldVisitor {
  private(set) var count = 0
  private var isBehindNumbers = false

  mutating func field(_ field: Field, _ value: FieldValue, at range: Range<Int>, in bytes: RawSpan) {
    if isBehindNumbers, field.name == "codec_data" { count += 1 }
    isBehindNumbers = field.name == "vendor_codec_id"
  }
}
