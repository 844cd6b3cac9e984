import Bluetooth
import Captures
import Conversations
import Profiles
import Timeline

/// Prints messages as JSON, one object a line.
final class NDJSONMessages: MessagePrinter {
  private let keys: RowKeys
  private let out: Output

  /// Prints to where `keys` are written.
  init(_ keys: RowKeys) {
    self.keys = keys
    out = keys.out
  }

  var count: Int { out.count }

  func handOver(_ spare: (any MessageText)?) -> any MessageText { out.handOver(spare) }

  func identified(_ attribute: Int32, _ uuid: Bluetooth.BluetoothUUID) { keys.identified(attribute, uuid) }

  func message(_ message: Message, _ row: PacketRow, _ batch: RowBatch) {
    var pen = Pen(out)
    keys.head(.message, row, batch, &pen)
    pen.byte(UInt8(ascii: ","))
    pen.layDown()
    unsafe message.withRowKeys { unsafe out.append($0) }
    out.text("}\n")
  }
}
