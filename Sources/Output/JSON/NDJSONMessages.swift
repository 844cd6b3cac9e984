import Bluetooth
import Captures
import Conversations
@_spi(Pipeline) import Profiles
import Analysis
import Text

/// Prints messages as JSON, one object a line.
final class NDJSONMessages: MessageRenderer {
  private let keys: RowKeys
  private let out: TextBuffer

  /// Prints to the buffer of `keys`.
  init(_ keys: RowKeys) {
    self.keys = keys
    out = keys.out
  }

  var count: Int { out.count }

  func handOver(_ spare: (any MessageText)?) -> any MessageText { out.handOver(spare) }

  func attribute(_ attribute: ProfileAttribute) { keys.attribute(attribute) }

  func message(_ message: ProfileMessage, _ row: PacketRow, _ batch: RowBatch) {
    var cursor = TextBuffer.Cursor(out)
    keys.head(.message, row, batch, &cursor)
    cursor.byte(UInt8(ascii: ","))
    cursor.finish()
    if row.peer < 0, message.advertiser != 0 {
      out.text("\"peer\":\"")
      out.address(message.advertiser)
      out.text("\",")
    }
    message.withRowKeys { out.append($0) }
    out.text("}\n")
  }
}
