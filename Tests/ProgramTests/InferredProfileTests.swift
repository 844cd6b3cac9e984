import Foundation
import Testing

/// The profile that `infer -o` writes decodes the capture from which it was inferred, and encodes its requests.
@Suite struct InferredProfileTests {
  @Test(arguments: [
    "both-lamp.btsnoop", "both-phone.btsnoop", "enhanced.btsnoop", "gopro.btsnoop", "gopro-monitor.btsnoop", "heart-rate.btsnoop",
    "heart-rate.pklg", "keyboard-le.btsnoop", "mid-connection.btsnoop", "no-discovery.btsnoop", "register.btsnoop", "sensors.btsnoop",
    "two-cameras.btsnoop", "typed-object.pcapng", "unsubscribed.btsnoop",
  ])
  func readsItsCapture(sample: String) throws {
    let result = try Program.shell(
      """
      btscribe infer --no-profiles Samples/\(sample) -o "$TMP/inferred.yaml" > /dev/null && btscribe profiles check "$TMP/inferred.yaml" \
      > /dev/null && btscribe profiles test "$TMP/inferred.yaml" > "$TMP/tests" || { cat "$TMP/tests" >&2; exit 1; }
      ! grep 'encodes:' "$TMP/inferred.yaml" >&2 || exit 2
      btscribe --profile "$TMP/inferred.yaml" Samples/\(sample) --format ndjson
      """)
    #expect(result.status == 0, "\(result.errors)")
    var messages = 0
    for line in result.output.split(separator: "\n") {
      let row = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      guard row["kind"] as? String == "message" else { continue }
      messages += 1
      #expect(row["problem"] == nil && row["complete"] as? Bool == true && row["checksum"] as? String != "bad", "\(line)")
    }
    #expect(messages > 0)
  }

  /// A channel that a profile decodes is no unknown protocol, neither for `infer` nor for `summary`.
  @Test func aChannelThatAProfileDecodes() throws {
    func little(_ value: UInt16) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }
    var tape = BoundTests.Tape()
    tape.event(0x03, [0] + little(0x40) + [0x10, 0x09, 0xa0, 0xef, 0x13, 0x00, 1, 0])
    tape.pdu(0x40, 1, [0x02, 1, 4, 0] + little(3) + little(0x41))
    tape.pdu(0x40, 1, [0x03, 1, 8, 0] + little(0x51) + little(0x41) + [0, 0, 0, 0], isReceived: true)
    for number in 0..<20 {
      let line = Array("level \(number * 7 % 90 + 10)\n".utf8)
      tape.pdu(0x40, 0x41, [0x29, 0xEF, UInt8(line.count << 1 | 1)] + line + [0x70], isReceived: true)
    }
    let capture = FileManager.default.temporaryDirectory.appendingPathComponent("btscribe-\(UUID().uuidString).btsnoop")
    try Data(tape.bytes).write(to: capture)
    defer { try? FileManager.default.removeItem(at: capture) }
    let result = try Program.shell(
      """
      cat > "$TMP/port.yaml" <<'END'
      profile: port
      match: {names: ["*"]}
      rfcomm: {port: {channel: 5, notify: text}}
      framings: {text: [stream: {end: "0a"}]}
      messages: {text: {type: text}}
      types: {text: {seq: [{id: line, type: str, encoding: ASCII, size-eos: true}]}}
      END
      for option in "" "--profile $TMP/port.yaml"; do
        for command in infer summary; do btscribe $command $option "\(capture.path)" | grep -c 'RFCOMM channel 5'; done
      done
      """)
    #expect(result.output == "1\n1\n0\n0\n", "\(result.output)\(result.errors)")
  }
}
