import Captures
import Conversations
import Analysis
import PacketCodecs
import Text
import Output
import Profiles

/// A short session that a live capture decodes before its first packet and whose output is dropped: it initializes everything that is made on first
/// use, above all the names of commands, so that no packet waits for it. The device and its values are invented.
final class WarmUpSession: PacketSource {
  /// H4 packets: an address is set, a device advertises, is connected to, its attributes are found, read and written; it notifies and disconnects.
  private static let packets: [(PacketDirection, [UInt8])] = [
    (.sent, [1, 0x03, 0x0C, 0]),
    (.received, [4, 0x0E, 4, 1, 0x03, 0x0C, 0]),
    (.sent, [1, 0x05, 0x20, 6, 1, 0, 0, 0, 0, 0xC0]),
    (.received, [4, 0x0E, 4, 1, 0x05, 0x20, 0]),
    (.received, [4, 0x3E, 21, 2, 1, 0, 0] + device + [9, 2, 1, 6, 5, 0xFF, 0xFF, 0xFF, 0, 0, 0xC0]),
    (.received, [4, 0x3E, 20, 2, 1, 4, 0] + device + [8, 7, 9, 0x57, 0x61, 0x72, 0x6D, 0x55, 0x70, 0xC0]),
    (.sent, [1, 0x0D, 0x20, 25, 0x60, 0, 0x60, 0, 0, 0] + device + [0, 24, 0, 24, 0, 0, 0, 42, 0, 0, 0, 0, 0]),
    (.received, [4, 0x0F, 4, 0, 1, 0x0D, 0x20]),
    (.received, [4, 0x3E, 19, 1, 0, 0x40, 0, 0, 0] + device + [24, 0, 0, 0, 42, 0, 0]),
    (.sent, att([0x02, 0xF7, 0])),
    (.received, [4, 0x13, 5, 1, 0x40, 0, 1, 0]),
    (.received, att([0x03, 0xF7, 0])),
    (.sent, att([0x10, 1, 0, 0xFF, 0xFF, 0x00, 0x28])),
    (.received, att([0x11, 6, 1, 0, 4, 0, 0x0F, 0x18])),
    (.sent, att([0x10, 5, 0, 0xFF, 0xFF, 0x00, 0x28])),
    (.received, att([0x01, 0x10, 5, 0, 0x0A])),
    (.sent, att([0x08, 1, 0, 4, 0, 0x02, 0x28])),
    (.received, att([0x01, 0x08, 1, 0, 0x0A])),
    (.sent, att([0x08, 1, 0, 4, 0, 0x03, 0x28])),
    (.received, att([0x09, 7, 2, 0, 0x1A, 3, 0, 0x19, 0x2A])),
    (.sent, att([0x08, 3, 0, 4, 0, 0x03, 0x28])),
    (.received, att([0x01, 0x08, 3, 0, 0x0A])),
    (.sent, att([0x04, 4, 0, 4, 0])),
    (.received, att([0x05, 1, 4, 0, 0x02, 0x29])),
    (.sent, att([0x0A, 3, 0])),
    (.received, att([0x0B, 100])),
    (.sent, att([0x12, 4, 0, 1, 0])),
    (.received, att([0x13])),
    (.received, att([0x1B, 3, 0, 99])),
    (.sent, att([0x52, 3, 0, 0])),
    (.sent, [1, 0x06, 0x04, 3, 0x40, 0, 0x13]),
    (.received, [4, 0x0F, 4, 0, 1, 0x06, 0x04]),
    (.received, [4, 0x05, 4, 0, 0x40, 0, 0x16]),
  ]

  /// A public address in the order of transmission.
  private static var device: [UInt8] { [1, 0, 0, 0, 0, 0] }

  /// An ATT PDU in one ACL packet of the connection with handle 0x0040.
  private static func att(_ pdu: [UInt8]) -> [UInt8] {
    [2, 0x40, 0x20, UInt8(pdu.count + 4), 0, UInt8(pdu.count), 0, 4, 0] + pdu
  }

  /// Decodes and prints the session with the options `print`.
  static func run(_ print: PrintOptions, _ style: Style, _ profiles: ProfileSet?) {
    var options = Timeline.Options()
    options.isLive = true
    options.profiles = profiles
    var print = print
    print.verbose = false
    let source = WarmUpSession()
    // Errors are ignored: they occur again in the live capture.
    _ = try? print.run(Timeline(source, options: options), CaptureFacts(name: "", title: source.title), to: TextBuffer(), style)
  }

  let interfaces = [CaptureInterface(linkType: 187)]
  let title = "session"
  let progress: (read: Int, total: Int?) = (0, nil)
  let format = CaptureFormat.btsnoop
  let damage: CaptureDamage? = nil
  private var isRead = false

  func read(_ batch: PacketBatch) -> Bool {
    batch.removeAll()
    guard !isRead else { return false }
    isRead = true
    for (number, packet) in Self.packets.enumerated() {
      var record = PacketRecord()
      record.frame = number + 1
      record.time = Int64(number) * 10_000
      (record.direction, record.adapter) = (packet.0, 0)
      record.kind = packet.1[0] == 1 ? .command : packet.1[0] == 4 ? .event : .acl
      let payload = Array(packet.1.dropFirst())
      record.offset = batch.append(bytes: payload.rawSpan)
      (record.captured, record.original) = (payload.count, payload.count)
      batch.append(record)
    }
    return true
  }

  func rewind() -> Bool { false }
}
