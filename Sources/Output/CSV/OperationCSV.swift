import Bluetooth
import Conversations
import Analysis
import Text

/// Operations as comma-separated values (RFC 4180), for spreadsheets: text from a device is escaped so that it cannot become a formula.
public final class OperationCSV: OperationSink {
  let out: TextBuffer
  private let clock = Clock()
  private var file: [UInt8] = []
  private var names: [Int32: String] = [:]
  private var hasHeading = false
  private let csv: CSVWriter
  private let scratch = TextBuffer()

  /// Prints to `out`.
  public init(_ out: TextBuffer) {
    self.out = out
    csv = CSVWriter(out)
  }

  /// Prints the heading, once for all captures.
  public func begin(_ facts: CaptureFacts) {
    names.removeAll()
    file = Array(facts.name.utf8)
    guard !hasHeading else { return }
    hasHeading = true
    out.text("file,frame,end_frame,frames,time,end_time,adapter,connection,peer,peer_name,incoming,operation,handle,uuid,attribute,status,")
    out.text("latency_us,count,bytes,value,detail\r\n")
  }

  /// Keeps the name that a profile gives to an attribute.
  public func attribute(_ attribute: ProfileAttribute) { names[attribute.index] = attribute.name }

  /// Prints an operation.
  public func operation(_ operation: Operation, _ tables: ConversationTables) throws {
    csv.text(file)
    csv.field { out.decimal(operation.frame) }
    csv.field { out.decimal(operation.endFrame) }
    csv.field {
      for (index, frame) in operation.frames.enumerated() {
        if index > 0 { out.byte(0x20) }
        out.decimal(frame)
      }
    }
    csv.field { clock.rfc3339(operation.start, to: out) }
    csv.field { clock.rfc3339(operation.end, to: out) }
    csv.field { if operation.adapter != 0xFFFF { out.unsigned(UInt64(operation.adapter)) } }
    csv.field { if operation.connection >= 0 { out.unsigned(UInt64(tables.connections[Int(operation.connection)].handle)) } }
    let address = operation.peer >= 0 ? tables.peers[Int(operation.peer)].address : operation.address
    csv.field { if address != 0 { out.address(address) } }
    csv.text(operation.peer >= 0 ? tables.name(of: operation.peer) : [])
    csv.field { out.text(operation.isIncoming ? "true" : "false") }
    csv.field { out.text(operation.kind.id) }
    csv.field { if operation.handle != 0 { out.unsigned(UInt64(operation.handle)) } }
    csv.field {
      if operation.handle == 0, operation.type >= 0 { out.string(tables.uuids[Int(operation.type)].description) }
      if operation.attribute >= 0, operation.uuidSource != .none, let uuid = tables.type(of: tables.attributes[Int(operation.attribute)]) {
        out.string(uuid.description)
      }
    }
    scratch.clear()
    if let channel = operation.channel {
      scratch.label(channel, tables)
    } else if operation.attribute >= 0, operation.handle != 0 {
      scratch.label(operation.attribute, tables, Style(), names)
    } else if operation.handle == 0 {
      operation.writeType(to: scratch, tables)
    }
    csv.text(scratch)
    csv.field { operation.writeStatus(to: out) }
    csv.field { if operation.latency >= 0 { out.decimal(Int(operation.latency)) } }
    csv.field { if operation.count > 0 { out.decimal(operation.count) } }
    csv.field { if operation.bytes > 0 { out.decimal(operation.bytes) } }
    csv.field {
      guard operation.kind != .data else { return }
      unsafe operation.value.withUnsafeBytes { if let base = $0.baseAddress { unsafe out.hex(base, $0.count) } }
    }
    scratch.clear()
    operation.writeDetail(to: scratch, Style())
    csv.text(scratch)
    csv.end()
    if out.count >= 1 << 16 { try out.flush() }
  }

  /// Writes the buffered text.
  public func flush() throws { try out.flush() }

  /// Writes the buffered text; nothing is printed after the operations.
  public func end(_ outcome: Outcome) throws { try out.flush() }
}
