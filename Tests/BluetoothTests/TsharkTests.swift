import Foundation
import PacketCodecs
import TestSupport
import Testing

@testable import Bluetooth

/// The shared captures beside the package, if they exist.
let sharedCaptures = SharedFolder.captures

let tshark: String? = ["/usr/bin/tshark", "/usr/local/bin/tshark", "/opt/homebrew/bin/tshark"].first {
  FileManager.default.isExecutableFile(atPath: $0)
}

func run(_ arguments: [String]) throws -> Data {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: arguments[0])
  process.arguments = Array(arguments.dropFirst())
  let pipe = Pipe()
  process.standardOutput = pipe
  process.standardError = FileHandle.nullDevice
  try process.run()
  let data = pipe.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  return data
}

/// A leaf of tshark's protocol tree.
struct TsharkField {
  var name: String
  var label: String
  var show: String
  var position: Int
  var size: Int
}

/// A frame of tshark: its bytes, and the leaves that are located in the frame itself.
struct TsharkFrame {
  var number = 0
  var bytes: [UInt8] = []
  var fields: [TsharkField] = []
}

/// The fields of a walk, as a flat list.
struct FieldList: FieldVisitor {
  struct Entry {
    var field: Field
    var value: FieldValue
    var range: Range<Int>
  }
  var entries: [Entry] = []
  var problems: [FieldProblem] = []
  var depth = 0

  mutating func field(_ field: Field, _ value: FieldValue, at range: Range<Int>, in bytes: RawSpan) {
    entries.append(Entry(field: field, value: value, range: range))
  }
  mutating func beginObject(_ field: Field, at offset: Int) { depth += 1 }
  mutating func endObject(_ field: Field, at range: Range<Int>) { depth -= 1 }
  mutating func beginArray(_ field: Field, at offset: Int) { depth += 1 }
  mutating func endArray(_ field: Field, at range: Range<Int>) { depth -= 1 }
  mutating func problem(_ problem: FieldProblem) { problems.append(problem) }
}

/// Reads PDML that has one element per line.
func readPDML(_ data: Data, _ body: (TsharkFrame) -> Void) {
  var frame = TsharkFrame()
  func attribute(_ name: String, _ line: Substring) -> String? {
    guard let start = line.range(of: " \(name)=\"") else { return nil }
    guard let end = line[start.upperBound...].firstIndex(of: "\"") else { return nil }
    return line[start.upperBound..<end].replacingOccurrences(of: "&quot;", with: "\"").replacingOccurrences(of: "&amp;", with: "&")
  }
  for line in String(decoding: data, as: UTF8.self).split(separator: "\n") {
    let line = line.drop { $0 == " " }
    if line.hasPrefix("<packet>") {
      frame = TsharkFrame()
    } else if line.hasPrefix("</packet>") {
      body(frame)
    } else if line.hasPrefix("<field ") {
      guard let name = attribute("name", line), let position = attribute("pos", line).flatMap({ Int($0) }),
        let size = attribute("size", line).flatMap({ Int($0) })
      else { continue }
      let show = attribute("show", line) ?? ""
      if name == "num" { frame.number = Int(show) ?? 0 }
      frame.fields.append(
        TsharkField(name: name, label: attribute("showname", line) ?? "", show: show, position: position, size: size))
    }
  }
}

@Suite struct TsharkTests {
  /// Decodes a frame as far as this module can without earlier packets. Returns its base: the offset in the frame at which the decoded bytes
  /// start.
  private func walk(_ kind: UInt8, _ bytes: [UInt8], _ list: inout FieldList) {
    let span = bytes.span.bytes
    switch kind {
    case 1: HCI.walkCommand(span, headers: true, &list)
    case 4: HCI.walkEvent(span, headers: true, &list)
    case 2:
      HCI.walkACLHeader(span, &list)
      // Only packets with a whole L2CAP frame: the packet boundary flag is not 1 (continuing), and both headers have the length of the rest.
      guard bytes.count >= 4, bytes[1] >> 4 & 3 != 1, let header = L2CAP.Header(span, at: 4), header.length + 4 == bytes.count - 4,
        Int(bytes[2]) | Int(bytes[3]) << 8 == bytes.count - 4
      else { return }
      L2CAP.header.walk(span, in: 4..<8, &list)
      switch header.channel {
      case .att: ATT.walk(span, in: 8..<bytes.count, &list)
      case .smp, .bredrSMP: SMP.walk(span, in: 8..<bytes.count, &list)
      case .leSignaling: L2CAP.walkCommand(span, in: 8..<bytes.count, headers: true, &list)
      case .signaling:
        var at = 8
        while at < bytes.count { at = L2CAP.walkCommand(span, in: at..<bytes.count, headers: true, &list).end }
      default: break
      }
    case Self.linkLayer:
      // Access address, PDU, CRC; the length byte gives the PDU's end.
      guard bytes.count >= 9 else { return }
      let end = min(bytes.count - 3, 6 + Int(bytes[5]))
      if Array(bytes[..<4]) == [0xD6, 0xBE, 0x89, 0x8E] {
        LinkLayer.walkAdvertising(span, in: 4..<end, &list)
      } else {
        LinkLayer.walkData(span, in: 4..<end, &list)
      }
    default: break
    }
  }

  /// Packets that the sniffer marks as right have a right CRC here: advertising packets with the fixed initial value, others with their CONNECT_IND's.
  @Test(.enabled(if: tshark != nil && !sharedCaptures.isEmpty, "needs tshark, and captures beside the package"))
  func checksums() throws {
    let tshark = try #require(tshark)
    var advertising = 0
    var data = 0
    for path in sharedCaptures where path.hasSuffix(".pcap") && !path.contains("own__") {
      var starts: [UInt32: UInt32] = [LinkLayer.advertisingAccessAddress: LinkLayer.advertisingCRCInit]
      for record in try readCapture(path, tshark) where record.kind == Self.linkLayer && record.bytes.count >= 9 {
        let span = record.bytes.span.bytes
        let end = 6 + Int(record.bytes[5]) + 3
        // Some sniffers check the CRC, and write zeros instead of it.
        guard record.isChecked, end == record.bytes.count, span.integer(end - 3, 3) != 0 else { continue }
        let address = UInt32(truncatingIfNeeded: span.integer(0, 4))
        if let request = LinkLayer.ConnectionRequest(span, at: 4), address == LinkLayer.advertisingAccessAddress {
          starts[request.accessAddress] = request.crcInit
        }
        guard let start = starts[address] else { continue }
        let isRight = LinkLayer.hasRightCRC(span, in: 4..<end, initial: start)
        #expect(isRight, "\(path)")
        if address == LinkLayer.advertisingAccessAddress { advertising += 1 } else { data += 1 }
      }
    }
    #expect(advertising > 50 && data > 10, "\(advertising) advertising, \(data) data")
  }

  /// Marks a packet that starts at its access address.
  static let linkLayer: UInt8 = 0x80

  /// Each field that covers the same bytes as a field of tshark must have its value. The exceptions are in `known`.
  @Test(.enabled(if: tshark != nil && !sharedCaptures.isEmpty, "needs tshark, and captures beside the package"), arguments: sharedCaptures)
  func valuesAgree(_ path: String) throws {
    let tshark = try #require(tshark)
    let limit = ProcessInfo.processInfo.environment["BTSCRIBE_TSHARK_FRAMES"] ?? "120"
    let pdml = try run([tshark, "-n", "-r", path, "-c", limit, "-T", "pdml"])
    let records = try readCapture(path, tshark)
    var compared = 0
    var differences: [String: String] = [:]
    readPDML(pdml) { frame in
      guard frame.number > 0, frame.number <= records.count else { return }
      let record = records[frame.number - 1]
      guard record.kind != 0 else { return }
      var list = FieldList()
      walk(record.kind, record.bytes, &list)
      #expect(list.depth == 0)
      for other in frame.fields {
        guard let table = Self.tables[other.name], other.show.hasPrefix("0x"), let code = UInt32(other.show.dropFirst(2), radix: 16),
          let colon = other.label.range(of: ": "), let end = other.label.range(of: " (0x", options: .backwards),
          colon.upperBound <= end.lowerBound
        else { continue }
        let theirs = String(other.label[colon.upperBound..<end.lowerBound])
        let ours = table.name(code)?.description ?? Vendor.commands.name(code)?.description ?? ""
        let isSame = Self.plain(theirs) == Self.plain(ours) || Self.plain(theirs) == Self.plain(Self.renamed[ours] ?? ours)
        if !isSame, !theirs.hasPrefix("Unknown"), !ours.contains("(") {
          differences["\(other.name) \(other.show)"] = "#\(frame.number): '\(theirs)' is not '\(ours)'"
        }
      }
      for entry in list.entries where entry.field.bitCount == 0 {
        let number: Int64
        switch entry.value {
        case .unsigned(let value): number = Int64(bitPattern: value)
        case .signed(let value): number = value
        case .bool(let value): number = value ? 1 : 0
        case .address, .uuid, .bytes, .text, .wideText:
          let text = "\(describe(entry.value, record.bytes))"
          for other in frame.fields
          where other.position == entry.range.lowerBound + record.offset && other.size == entry.range.count
            && !Self.known.contains(other.name)
          {
            guard let theirs = normal(other.show, like: entry.value) else { continue }
            compared += 1
            if theirs != text {
              differences["\(other.name) ~ \(entry.field.name)"] = "#\(frame.number): \(other.show) is not \(text)"
            }
          }
          continue
        }
        for other in frame.fields
        where other.position == entry.range.lowerBound + record.offset && other.size == entry.range.count
          && !Self.known.contains(other.name)
        {
          let show = other.show
          let theirs: Int64?
          if show.hasPrefix("0x") {
            theirs = UInt64(show.dropFirst(2), radix: 16).map { Int64(bitPattern: $0) }
          } else {
            theirs = Int64(show) ?? (show == "True" ? 1 : show == "False" ? 0 : nil)
          }
          guard let theirs else { continue }
          // tshark gives a bit field the range of its byte.
          if other.label.hasPrefix(".") || other.label.hasPrefix("0") || other.label.hasPrefix("1") { continue }
          compared += 1
          if theirs != number { differences["\(other.name) ~ \(entry.field.name)"] = "#\(frame.number): \(show) is not \(number)" }
        }
      }
    }
    for (name, difference) in differences.sorted(by: { $0.key < $1.key }) {
      Issue.record("\(name): \(difference)")
    }
    if records.prefix(100).contains(where: { $0.kind == 1 || $0.kind == 4 || $0.kind == Self.linkLayer }) { #expect(compared > 0) }
  }

  private static let tables: [String: PDUTable] = [
    "bthci_cmd.opcode": HCI.commands, "bthci_evt.code": HCI.events, "bthci_evt.le_meta_subevent": HCI.leEvents,
    "btatt.opcode": ATT.pdus, "btsmp.opcode": SMP.pdus, "btl2cap.cmd_code": L2CAP.signaling,
    "btle.control_opcode": LinkLayer.control,
  ]

  /// Names that tshark 4.0 takes from older specifications, or shortens.
  private static let renamed: [String: String] = [
    "Write Local Name": "Change Local Name", "Write Synchronous Flow Control Enable": "Write SCO Flow Control Enable",
    "Write LE Host Support": "Write LE Host Supported", "LE Read Buffer Size": "LE Read Buffer Size [v1]",
    "LE Set Advertising Enable": "LE Set Advertise Enable", "LE Read Filter Accept List Size": "LE Read White List Size",
    "LE Clear Filter Accept List": "LE Clear White List", "LE Add Device To Filter Accept List": "LE Add Device To White List",
    "LE Remove Device From Filter Accept List": "LE Remove Device From White List", "LE Enable Encryption": "LE Start Encryption",
    "LE Read Advertising Physical Channel Tx Power": "LE Read Advertising Channel Tx Power",
    "Connection Complete": "Connect Complete", "Connection Request": "Connect Request",
    "Disconnection Complete": "Disconnect Complete", "Read Remote Supported Features Complete": "Read Remote Supported Features",
    "Configuration Request": "Configure Request", "Configuration Response": "Configure Response",
    "Central Identification": "Master Identification",
    "LL_PERIPHERAL_FEATURE_REQ": "LL_SLAVE_FEATURE_REQ",
  ]

  private static func plain(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }

  /// Fields whose offset tshark counts in a reassembled PDU, not in the frame.
  private static let known: Set<String> = ["btl2cap.cid", "btl2cap.length", "btsdp.service.attribute"]

  private func describe(_ value: FieldValue, _ bytes: [UInt8]) -> String {
    switch value {
    case .address(let address): return address.description
    case .uuid(let uuid): return uuid.short32.map { "0x" + String($0, radix: 16) } ?? uuid.description.filter { $0 != "-" }
    case .bytes(let range): return range.map { (bytes[$0] < 16 ? "0" : "") + String(bytes[$0], radix: 16) }.joined()
    case .text(let range): return String(decoding: bytes[range], as: UTF8.self)
    default: return ""
    }
  }

  private func normal(_ show: String, like value: FieldValue) -> String? {
    switch value {
    case .address: return show.count == 17 && show.contains(":") ? show : nil
    case .uuid: return show.hasPrefix("0x") ? "0x" + String(UInt32(show.dropFirst(2), radix: 16) ?? 0, radix: 16) : nil
    case .bytes:
      let hex = show.filter { $0 != ":" }
      return show.contains(":") && hex.allSatisfy { $0.isHexDigit } ? hex : nil
    default: return nil
    }
  }
}

/// A record of a capture: its H4 type (0 if it is not HCI), its bytes behind any header, and the number of bytes before them in tshark's
/// frame.
struct CaptureRecord {
  var kind: UInt8
  var bytes: [UInt8]
  var offset: Int
  /// The sniffer checked the CRC and marked it as right.
  var isChecked = false
}

/// Reads what these tests need from btsnoop and PacketLogger files, and from other formats after tshark has converted them to pcap.
func readCapture(_ path: String, _ tshark: String) throws -> [CaptureRecord] {
  var data = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  func number(_ at: Int, _ count: Int, _ little: Bool = false) -> Int {
    guard at + count <= data.count else { return 0 }
    var value = 0
    for i in 0..<count { value = value << 8 | Int(data[little ? at + count - 1 - i : at + i]) }
    return value
  }
  var records: [CaptureRecord] = []
  let monitor: [Int: UInt8] = [2: 1, 3: 4, 4: 2, 5: 2, 6: 3, 7: 3, 18: 5, 19: 5]
  if data.starts(with: Array("btsnoop\0".utf8)) {
    let link = number(12, 4)
    var at = 16
    while at + 24 <= data.count {
      let length = number(at + 4, 4)
      let flags = number(at + 8, 4)
      let body = data[(at + 24)..<min(at + 24 + length, data.count)]
      if link == 2001 {
        records.append(CaptureRecord(kind: monitor[flags & 0xFFFF] ?? 0, bytes: Array(body), offset: 0))
      } else {
        records.append(CaptureRecord(kind: body.first ?? 0, bytes: Array(body.dropFirst()), offset: 1))
      }
      at += 24 + length
    }
  } else if path.hasSuffix(".pklg") {
    var at = 0
    let kinds: [UInt8: UInt8] = [0: 1, 1: 4, 2: 2, 3: 2, 8: 3, 9: 3]
    while at + 13 <= data.count {
      let length = number(at, 4)
      guard length >= 9, at + 4 + length <= data.count else { break }
      records.append(CaptureRecord(kind: kinds[data[at + 12]] ?? 0, bytes: Array(data[(at + 13)..<(at + 4 + length)]), offset: 1))
      at += 4 + length
    }
  } else {
    data = [UInt8](try run([tshark, "-r", path, "-F", "pcap", "-w", "-"]))
    let link = number(20, 4, true) & 0xFFFF
    var at = 24
    while at + 16 <= data.count {
      let length = number(at + 8, 4, true)
      let body = Array(data[(at + 16)..<min(at + 16 + length, data.count)])
      switch link {
      case 187: records.append(CaptureRecord(kind: body.first ?? 0, bytes: Array(body.dropFirst()), offset: 1))
      case 201: records.append(CaptureRecord(kind: body.count > 4 ? body[4] : 0, bytes: Array(body.dropFirst(5)), offset: 1))
      case 254:
        let opcode = body.count > 3 ? Int(body[3]) : 0
        records.append(CaptureRecord(kind: monitor[opcode] ?? 0, bytes: Array(body.dropFirst(4)), offset: 0))
      case 251: records.append(CaptureRecord(kind: TsharkTests.linkLayer, bytes: body, offset: 0))
      case 256:
        records.append(
          CaptureRecord(
            kind: TsharkTests.linkLayer, bytes: Array(body.dropFirst(10)), offset: 10, isChecked: body.count > 9 && body[9] & 0x0C == 0x0C))
      default: records.append(CaptureRecord(kind: 0, bytes: body, offset: 0))
      }
      at += 16 + length
    }
  }
  return records
}
