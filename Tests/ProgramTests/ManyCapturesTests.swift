import Foundation
import Testing

/// `btscribe summary` of many captures, which are read in parallel: output and its order are the same as for reading them one by one.
@Suite struct ManyCapturesTests {
  @Test func theirOrderIsThatOfTheCommandLine() throws {
    let names = [
      "gopro.btsnoop", "keyboard.btsnoop", "cut-in-packet.btsnoop", "heart-rate.pklg", "not-a-capture.jpg", "sensors.btsnoop", "nothing",
      "two-cameras.btsnoop", "empty.btsnoop", "encrypted.pcapng", "le-audio.btsnoop", "gopro.btsnoop",
    ].map { "Samples/\($0)" }
    let all = try Program.shell("btscribe summary \(names.joined(separator: " "))")
    let each = try names.map { try Program.shell("btscribe summary \($0)") }
    func lines(_ text: String) -> [Substring] { text.split(separator: "\n") }
    #expect(lines(all.output) == each.flatMap { lines($0.output) })
    #expect(lines(all.errors) == each.flatMap { lines($0.errors) })
    #expect(all.status == each.last { $0.status != 0 }?.status)
  }

  @Test func jsonIsOneList() throws {
    let names = Array(repeating: "Samples/gopro.btsnoop Samples/heart-rate.pklg", count: 20).joined(separator: " ")
    let all = try Program.shell("btscribe summary --format json \(names)")
    let list = try #require(try JSONSerialization.jsonObject(with: Data(all.output.utf8)) as? [[String: Any]])
    let files = list.map { $0["file"] as? String }
    #expect(files == (0..<40).map { $0 % 2 == 0 ? "gopro.btsnoop" : "heart-rate.pklg" })
  }

  /// The first capture has a pairing, whose key decrypts the second one, which is read at the same time.
  @Test func keysOfOneOpenTheNext() throws {
    let result = try Program.shell(
      """
      cd $TMP
      in=\(Program.root.path)/Samples/encrypted.pcapng
      btscribe convert -q $in first.pcapng --to-time 2026-11-20T09:30:01
      btscribe convert -q $in second.pcapng --from-time 2026-11-20T09:30:01
      btscribe summary --crack first.pcapng second.pcapng | grep -A 3 '^second'
      btscribe summary --crack first.pcapng second.pcapng | grep -c 'encrypted, 1 write, 1 read'
      btscribe summary --crack second.pcapng first.pcapng | grep -c 'encrypted, 1 write, 1 read'
      """)
    #expect(result.output.hasSuffix("\n1\n0\n"), "\(result)")
  }
}
