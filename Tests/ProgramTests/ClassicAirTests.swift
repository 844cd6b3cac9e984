import Foundation
import TestSupport
import Testing

/// BR/EDR on the air, from a sniffer and from a controller's log.
@Suite struct ClassicAirTests {
  private func rows(_ command: String) throws -> [[String: Any]] {
    let result = try Program.shell("btscribe \(command)")
    return try result.output.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  /// A complete connection that a controller logged: its Link Manager, then L2CAP and SDP in its packets.
  @Test(.enabled(if: Oracle.captures != nil, "no shared captures"))
  func aControllersOwnRecords() throws {
    let folder = try #require(Oracle.captures)
    let capture = folder.appendingPathComponent("Matheus-Garbelini__esp32_bluetooth_classic_sniffer__ESP32.pcapng").path
    let packets = try rows("timeline -V -q --format ndjson \(capture)").filter { $0["kind"] as? String == "packet" }
    let lmp = packets.filter { $0["layer"] as? String == "lmp" }
    #expect(lmp.count == 91)
    #expect(lmp.allSatisfy { ($0["name"] as? String)?.hasPrefix("LMP_") == true })
    // The page gives the peer's address.
    #expect(lmp.allSatisfy { $0["peer"] as? String == "e0:d4:e8:19:c7:69" })
    let request = try #require(lmp.first { $0["frame"] as? Int == 12 })
    let answer = try #require(lmp.first { $0["frame"] as? Int == 13 })
    #expect(request["name"] as? String == "LMP_switch_req" && request["response_frame"] as? Int == 13)
    #expect(answer["name"] as? String == "LMP_accepted" && answer["request_frame"] as? Int == 12)
    #expect(packets.contains { $0["layer"] as? String == "sdp" })
    #expect(packets.filter { $0["layer"] as? String == "l2cap.signaling" }.count >= 10)
    let operations = try rows("operations --format ndjson \(capture)")
    let kinds = operations.compactMap { $0["operation"] as? String }
    #expect(kinds.contains("connect") && kinds.contains("encrypt") && kinds.contains("disconnect"))
  }

  /// Packets without a right CRC that are not marked as decrypted are not decoded.
  @Test func ciphersAreNotRead() throws {
    let packets = try rows("timeline -V -q --format ndjson Samples/baseband.pcap").filter { $0["kind"] as? String == "packet" }
    #expect(packets.filter { $0["layer"] as? String == "lmp" }.count == 99)
    let closed = packets.filter { ($0["fields"] as? [String: Any])?["data"] as? String == "9a5c1173e820" }
    #expect(closed.count == 1)
    #expect(packets.last?["name"] as? String == "LMP_detach")
  }

  @Test func whatIsRedactedIsReadTheSame() throws {
    for sample in ["baseband.pcap", "ipsp.btsnoop", "vendor.btsnoop", "isochronous-air.pcap"] {
      let names = "timeline -V -q --format ndjson"
      let before = try rows("\(names) Samples/\(sample)").compactMap { $0["name"] as? String }
      let result = try Program.shell("btscribe redact Samples/\(sample) $TMP/r-\(sample) && btscribe \(names) $TMP/r-\(sample)")
      let after = try result.output.split(separator: "\n").compactMap {
        (try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])?["name"] as? String
      }
      #expect(before == after, "\(sample)")
    }
  }
}
