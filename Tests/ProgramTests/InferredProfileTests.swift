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
}
