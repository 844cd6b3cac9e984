import Foundation
import Testing

/// Output for a terminal fits its width.
@Suite struct WidthTests {
  static let captures =
    [
      "gopro", "register", "two-cameras", "hostile-name", "bnep", "handsfree", "objects", "keyboard", "keyboard-le", "le-audio",
      "ipsp", "vendor", "mesh",
    ].map { "Samples/\($0).btsnoop" } + ["Samples/baseband.pcap"]

  /// No line is wider than the terminal, whatever the output and the device names.
  @Test(arguments: captures, [40, 80, 120])
  func noLineIsWider(capture: String, width: Int) throws {
    for command in ["timeline", "timeline -V", "timeline --hci --discovery", "summary", "operations"] {
      let result = try Program.shell("btscribe \(command) --width \(width) \(capture)")
      #expect(!result.output.isEmpty)
      // The columns of lists of operations need more width.
      if width < 80, command == "operations" { continue }
      for line in result.output.split(separator: "\n") {
        #expect(Self.columns(line) <= width, "\(command): \(line)")
      }
    }
  }

  /// At 80 columns a value of twelve bytes fits into one line.
  @Test func twelveBytesAreVisible() throws {
    let result = try Program.shell("btscribe --width 80 --no-profiles Samples/gopro.btsnoop")
    #expect(result.output.contains(#/ ([0-9a-f]{2} ){11}[0-9a-f]{2}/#))
  }

  /// A narrow timeline has the same contents as a wide one.
  @Test func nothingIsCut() throws {
    let wide = try Program.shell("btscribe -q --no-profiles -Y btatt.value Samples/gopro.btsnoop").output
    let narrow = try Program.shell("btscribe -q --no-profiles --width 80 -Y btatt.value Samples/gopro.btsnoop").output
    func values(_ text: String) -> String {
      text.replacing(#/\s+/#, with: " ").matches(of: #/([0-9a-f]{2} ){4,}/#).map { String($0.output.0) }.joined()
    }
    #expect(!values(wide).isEmpty)
    #expect(values(wide) == values(narrow))
  }

  private static func columns(_ line: Substring) -> Int {
    line.unicodeScalars.reduce(0) { $0 + ((0x3000...0xD7A3).contains($1.value) || $1.value > 0xFFFF ? 2 : 1) }
  }
}
