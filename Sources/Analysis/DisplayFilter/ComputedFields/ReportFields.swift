import Bluetooth
import Conversations
import Memory

/// Reports as Wireshark dissects them: those of HIDP by the boot protocol's formats, regardless of the report map. Reports with ID 1 are those of a
/// keyboard, with ID 2 those of a mouse.
extension FilterRow {
  static let reports: [FilterRow] = [
    field("usbhid.boot_report.keyboard.modifier.left_ctrl", .keyboard, 2, mask: 0x01),
    field("usbhid.boot_report.keyboard.modifier.left_shift", .keyboard, 2, mask: 0x02),
    field("usbhid.boot_report.keyboard.modifier.left_alt", .keyboard, 2, mask: 0x04),
    field("usbhid.boot_report.keyboard.modifier.left_gui", .keyboard, 2, mask: 0x08),
    field("usbhid.boot_report.keyboard.modifier.right_ctrl", .keyboard, 2, mask: 0x10),
    field("usbhid.boot_report.keyboard.modifier.right_shift", .keyboard, 2, mask: 0x20),
    field("usbhid.boot_report.keyboard.modifier.right_alt", .keyboard, 2, mask: 0x40),
    field("usbhid.boot_report.keyboard.modifier.right_gui", .keyboard, 2, mask: 0x80),
    field("usbhid.boot_report.keyboard.reserved", .keyboard, 3),
    field("usbhid.boot_report.keyboard.keycode_1", .keyboard, 4),
    field("usbhid.boot_report.keyboard.keycode_2", .keyboard, 5),
    field("usbhid.boot_report.keyboard.keycode_3", .keyboard, 6),
    field("usbhid.boot_report.keyboard.keycode_4", .keyboard, 7),
    field("usbhid.boot_report.keyboard.keycode_5", .keyboard, 8),
    field("usbhid.boot_report.keyboard.keycode_6", .keyboard, 9),
    field("usbhid.boot_report.keyboard.leds.num_lock", .lights, 2, mask: 0x01),
    field("usbhid.boot_report.keyboard.leds.caps_lock", .lights, 2, mask: 0x02),
    field("usbhid.boot_report.keyboard.leds.scroll_lock", .lights, 2, mask: 0x04),
    field("usbhid.boot_report.keyboard.leds.compose", .lights, 2, mask: 0x08),
    field("usbhid.boot_report.keyboard.leds.kana", .lights, 2, mask: 0x10),
    field("usbhid.boot_report.keyboard.leds.constants", .lights, 2, mask: 0xe0),
    field("usbhid.boot_report.mouse.button.left", .mouse, 2, mask: 0x01),
    field("usbhid.boot_report.mouse.button.right", .mouse, 2, mask: 0x02),
    field("usbhid.boot_report.mouse.button.middle", .mouse, 2, mask: 0x04),
    field("usbhid.boot_report.mouse.button.4", .mouse, 2, mask: 0x08),
    field("usbhid.boot_report.mouse.button.5", .mouse, 2, mask: 0x10),
    field("usbhid.boot_report.mouse.button.6", .mouse, 2, mask: 0x20),
    field("usbhid.boot_report.mouse.button.7", .mouse, 2, mask: 0x40),
    field("usbhid.boot_report.mouse.button.8", .mouse, 2, mask: 0x80),
    field("usbhid.boot_report.mouse.x_displacement", .mouse, 3, isSigned: true),
    field("usbhid.boot_report.mouse.y_displacement", .mouse, 4, isSigned: true),
    field("usbhid.boot_report.mouse.scroll_wheel.horizontal", .mouse, 5, isSigned: true),
    field("usbhid.boot_report.mouse.scroll_wheel.vertical", .mouse, 6, isSigned: true),
  ]

  private enum BootReport { case keyboard, mouse, lights }

  /// A byte of a report, or some of its bits.
  private static func field(
    _ line: StaticString, _ kind: BootReport, _ offset: Int, mask: UInt8 = 0xFF, isSigned: Bool = false
  ) -> FilterRow {
    FilterRow(line) { packet, values in
      func add(_ byte: UInt8?) {
        guard let byte else { return }
        values.append(FilterValue(isSigned ? Int128(Int8(bitPattern: byte)) : Int128((byte & mask) >> UInt8(mask.trailingZeroBitCount))))
      }
      for row in packet.rows where row.layer == .hid && row.opcode == 0x0A && !row.isUnknownToWireshark(.hid) {
        // The boot protocol has no feature reports.
        let header = row.pdu.u8(0) ?? 0
        let (isInput, isOutput) = (header & 3 == 1, header & 3 == 2)
        let found: BootReport? =
          switch row.pdu.u8(1) {
          case 1: isOutput ? .lights : isInput ? .keyboard : nil
          case 2: isInput ? .mouse : nil
          default: nil
          }
        if found == kind { add(row.pdu.u8(offset)) }
      }
      // Over LE the characteristic determines the report, and the value has no header and no report ID.
      for row in packet.rows where row.layer == .att && row.attribute >= 0 && row.valueCount > 0 {
        let found: BootReport? =
          switch packet.batch.tables.type(of: packet.batch.tables.attributes[Int(row.attribute)])?.short16 {
          case 0x2A22: .keyboard
          case 0x2A32: .lights
          case 0x2A33: .mouse
          default: nil
          }
        if found == kind, offset - 2 < Int(row.valueCount) { add(row.pdu.u8(Int(row.valueOffset) + offset - 2)) }
      }
    }
  }
}
