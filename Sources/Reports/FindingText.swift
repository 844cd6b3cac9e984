import Bluetooth
import Conversations

/// How bad a finding is.
public enum Severity: UInt8, Sendable, CaseIterable {
  /// Something failed, or data is lost.
  case error
  /// Something is not as it should be.
  case warning
  /// Worth knowing.
  case note

  /// `error`, `warning`, `note`.
  public var text: StaticString {
    switch self {
    case .error: "error"
    case .warning: "warning"
    case .note: "note"
    }
  }
}

extension Finding.Code {
  /// Name for programs.
  public var id: StaticString {
    switch self {
    case .fragmentWithoutStart: "fragment-without-start"
    case .startWithoutEnd: "start-without-end"
    case .lengthLies: "length-lies"
    case .fragmentSurplus: "surplus-bytes"
    case .shortPacket: "short-packet"
    case .capturedLess: "captured-less"
    case .unknownPacketType: "unknown-packet-type"
    case .responseToNothing: "response-to-nothing"
    case .requestOverlaps: "request-overlaps"
    case .responseMissing: "response-missing"
    case .timeJumps: "time-jumps"
    case .dropped: "dropped-packets"
    case .tableFull: "table-full"
    case .unjoinedAtEnd: "unjoined-bytes"
    case .badCRC: "bad-crc"
    }
  }

  /// How bad it is.
  public var severity: Severity {
    switch self {
    case .dropped, .startWithoutEnd, .lengthLies, .shortPacket, .badCRC: .error
    case .timeJumps, .unknownPacketType, .capturedLess: .note
    default: .warning
    }
  }
}

extension Finding {
  /// Appends the finding in one sentence.
  public func explain(to out: Output) {
    switch code {
    case .fragmentWithoutStart:
      out.text("a continuation of ")
      bytes(a, out)
      out.text(" without the start of its L2CAP PDU: shown as it is")
    case .startWithoutEnd:
      out.text("the L2CAP PDU that started in #")
      out.decimal(offset)
      out.text(" never ended: ")
      out.decimal(a)
      out.text(" of ")
      bytes(max(b, 0), out)
    case .lengthLies:
      out.text("the header announces ")
      bytes(a, out)
      out.text(", the packet has ")
      out.decimal(b)
    case .fragmentSurplus:
      bytes(a, out)
      out.text(" more than the L2CAP PDU announced: left out")
    case .shortPacket:
      out.text("too short: ")
      bytes(a, out)
      out.text(" needed, ")
      out.decimal(b)
      out.text(" there")
    case .capturedLess:
      out.text("the capture kept ")
      out.decimal(b)
      out.text(" of ")
      bytes(a, out)
    case .unknownPacketType:
      out.text("H4 packet type 0x")
      out.hex(UInt64(a), digits: 2)
      out.text(" is not defined")
    case .responseToNothing:
      out.name(ATT.pdus.name(UInt32(a)) ?? "a response")
      out.text(" without a request that it answers")
    case .requestOverlaps:
      out.text("a second request before the ")
      out.name(ATT.pdus.name(UInt32(b)) ?? "request")
      out.text(" of #")
      out.decimal(a)
      out.text(" was answered")
    case .responseMissing:
      out.text("the ")
      out.name(ATT.pdus.name(UInt32(b)) ?? "request")
      out.text(" of #")
      out.decimal(a)
      out.text(" was never answered")
    case .timeJumps:
      out.text("the clock jumps by ")
      Clock().duration(Int64(a), to: out)
    case .dropped:
      out.decimal(a)
      out.text(" packets were dropped by the capture before this one")
    case .tableFull:
      out.text("more connections at a time than ")
      out.decimal(a)
      out.text(": this one is not followed")
    case .unjoinedAtEnd:
      bytes(a, out)
      out.text(" belong to no message")
    case .badCRC: out.text("the CRC is wrong: the packet was not received well")
    }
  }

  private func bytes(_ number: Int, _ out: Output) {
    out.decimal(number)
    out.text(number == 1 ? " byte" : " bytes")
  }
}
