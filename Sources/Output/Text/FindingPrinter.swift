import Analysis
import Bluetooth
import Conversations
import Text

extension Finding {
  /// Appends the advice or the probable cause after the finding's sentence.
  func advise(to out: TextBuffer) {
    guard advice.utf8CodeUnitCount > 0 else { return }
    out.text(kind.isLikely ? "; likely: " : "; ")
    out.text(advice)
  }

  /// Appends the finding in one sentence; names come from `tables`, and from profiles for attributes. A finding that stands for several includes
  /// their number, unless `countsRepeated` is false.
  public func explain(
    to out: TextBuffer, _ tables: ConversationTables, _ style: Style = Style(), names: [Int32: String] = [:], countsRepeated: Bool = true
  ) {
    defer {
      if repeated > 0, countsRepeated {
        out.text(" (")
        out.decimal(repeated)
        out.text(" more like it since #")
        out.decimal(frames.first ?? frame)
        out.byte(UInt8(ascii: ")"))
      }
    }
    func label(_ index: Int32) {
      if index >= 0, Int(index) < tables.attributes.count { out.label(index, tables, style, names) }
    }
    if attribute >= 0 {
      label(attribute)
      out.text(": ")
    }
    for part in metadata.text.parts {
      switch part {
      case .words(let words): out.text(words)
      case .text(let text): out.untrusted(Array(text.utf8), .terminal)
      case .number(let number): out.decimal(number)
      case .hex(let value):
        out.text("0x")
        out.hex(UInt64(value), digits: 2)
      case .frame(let frame):
        out.byte(UInt8(ascii: "#"))
        out.decimal(frame)
      case .duration(let micros): Clock().duration(micros, to: out)
      case .interval(let micros): Clock().interval(micros, to: out)
      case .attribute(let index): label(index)
      case .pdu(let name): out.name(name)
      case .error(let code, let domain, let showsCode):
        out.name(Status.failure(code, domain))
        if showsCode {
          out.text(" (0x")
          out.hex(UInt64(code), digits: 2)
          out.byte(UInt8(ascii: ")"))
        }
      case .device(let words):
        guard address != 0 else { continue }
        out.text(words)
        writeDevice(to: out, tables)
      }
    }
  }

  /// Its sentence names its device.
  var namesDevice: Bool {
    metadata.text.parts.contains { if case .device = $0 { true } else { false } }
  }

  /// Appends the name, if there is one, and the address of its device.
  func writeDevice(to out: TextBuffer, _ tables: ConversationTables) {
    let peer = tables.knownPeer(address, type: 0xFF)
    if peer >= 0, !tables.name(of: peer).isEmpty {
      out.untrusted(tables.name(of: peer), .terminal)
      out.byte(0x20)
    }
    out.address(address)
  }
}
