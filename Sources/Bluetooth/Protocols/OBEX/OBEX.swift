import PacketCodecs

/// The Object Exchange Protocol (IrOBEX 1.5, GOEP 2.1.1): sessions that get and put objects: phone books (PBAP), messages (MAP), files (FTP, OPP),
/// cover art. Numbers have their most significant byte first. Over RFCOMM, a PDU begins with the header of the frame that completed it.
public enum OBEX: ProtocolDescription {
  static var id: ProtocolID { .obex }
  static var name: StaticName { "obex" }
  static var tables: [PDUTable] { [packets] }
  // Every packet is a list of headers.
  static func hasFields(_ row: PDU) -> Bool { !headers.rows.isEmpty }
  static var state: StaticString { "sessions; objects are put together" }
  static var isOnChannels: Bool { true }
  static var envelope: ProtocolID? { .rfcomm }
  /// Synchronization, OPP, FTP, printing, imaging, PBAP, MAP, GPP's and calendars' services (Assigned Numbers, 3.3).
  static var serviceClasses: [UInt16] {
    [
      0x1104, 0x1105, 0x1106, 0x1107, 0x1118, 0x1119, 0x111A, 0x111B, 0x111C, 0x111D, 0x1120, 0x1121, 0x1122, 0x1123, 0x112E, 0x112F,
      0x1130,
      0x1132, 0x1133, 0x1134, 0x113C, 0x113D, 0x113E,
    ]
  }

  /// Bit in the opcode of rows: the packet continues an earlier operation, or announces more data.
  public static let continuing: UInt32 = 2
  /// Bit in the opcode of rows: the frame has a part of a packet; a later row has the complete packet.
  public static let part: UInt32 = 4
  /// Bit in the opcode of rows: the response is the last of several to an operation.
  public static let last: UInt32 = 8
  /// Position of the profile in the opcode of rows: see ``Profile``.
  public static let profileShift: UInt32 = 4
  /// Position of the request's opcode in the opcode of a response's row; 0 where it is unknown.
  public static let requestShift: UInt32 = 8

  /// Requests (3.4), without the final bit.
  public enum RequestCode: UInt8, CaseIterable, Sendable {
    case connect = 0x00, disconnect = 0x01, put = 0x02, get = 0x03, setPath = 0x05, action = 0x06, session = 0x07, abort = 0x7F
  }

  /// Profiles, by the service of the channel or the target of the session.
  public enum Profile: UInt8, CaseIterable, Sendable {
    case unknown, objectPush, fileTransfer, phoneBookAccess, messageAccess, messageNotification, coverArt, imaging, printing,
      synchronization, calendar

    /// Name of the profile.
    public var name: StaticName {
      switch self {
      case .unknown: "OBEX"
      case .objectPush: "OPP"
      case .fileTransfer: "FTP"
      case .phoneBookAccess: "PBAP"
      case .messageAccess: "MAP"
      case .messageNotification: "MAP notifications"
      case .coverArt: "cover art"
      case .imaging: "BIP"
      case .printing: "BPP"
      case .synchronization: "SYNC"
      case .calendar: "CTN"
      }
    }

    /// The profile of a service class; nil for classes without one.
    public static func ofService(_ service: UInt16) -> Profile? {
      switch service {
      case 0x1104, 0x1107: .synchronization
      case 0x1105: .objectPush
      case 0x1106: .fileTransfer
      case 0x110C, 0x110E, 0x110F: .coverArt
      case 0x1118, 0x1119, 0x1120...0x1123: .printing
      case 0x111A...0x111D: .imaging
      case 0x112E...0x1130: .phoneBookAccess
      case 0x1132, 0x1134: .messageAccess
      case 0x1133: .messageNotification
      case 0x113C...0x113E: .calendar
      default: nil
      }
    }

    /// The profile of a target (GOEP; each profile's chapter on sessions); nil for others.
    static func ofTarget(_ bytes: RawSpan, _ range: Range<Int>) -> Profile? {
      if Profile.equals(bytes, range, "IRMC-SYNC") { return .synchronization }
      guard range.count == 16 else { return nil }
      let high = bytes.integer(range.lowerBound, 8, isBigEndian: true)
      let low = bytes.integer(range.lowerBound &+ 8, 8, isBigEndian: true)
      switch (high, low) {
      case (0x7961_35F0_F0C5_11D8, 0x0966_0800_200C_9A66): return .phoneBookAccess
      case (0xBB58_2B40_420C_11DB, 0xB0DE_0800_200C_9A66): return .messageAccess
      case (0xBB58_2B41_420C_11DB, 0xB0DE_0800_200C_9A66): return .messageNotification
      case (0xF9EC_7BC4_953C_11D2, 0x984E_5254_00DC_9E09): return .fileTransfer
      case (0x7163_DD54_4A7E_11E2, 0xB47C_0050_C249_0048): return .coverArt
      case (0xE33D_9545_8374_4AD7, 0x9EC5_C16B_E31E_DE8E), (0x8EE9_B3D0_4608_11D5, 0x841A_0002_A532_5B4E),
        (0x9235_3350_4608_11D5, 0x841A_0002_A532_5B4E), (0x9401_26C0_4608_11D5, 0x841A_0002_A532_5B4E),
        (0x947E_7420_4608_11D5, 0x841A_0002_A532_5B4E), (0x94C7_CD20_4608_11D5, 0x841A_0002_A532_5B4E),
        (0x8E61_F95D_1A79_11D4, 0x8EA4_0080_5F9B_9834), (0x8E61_F95E_1A79_11D4, 0x8EA4_0080_5F9B_9834):
        return .imaging
      // Printing uses service classes as targets.
      case (0x0000_1118_0000_1000, 0x8000_0080_5F9B_34FB), (0x0000_1119_0000_1000, 0x8000_0080_5F9B_34FB),
        (0x0000_1120_0000_1000, 0x8000_0080_5F9B_34FB), (0x0000_1121_0000_1000, 0x8000_0080_5F9B_34FB),
        (0x0000_1122_0000_1000, 0x8000_0080_5F9B_34FB), (0x0000_1123_0000_1000, 0x8000_0080_5F9B_34FB):
        return .printing
      default: return nil
      }
    }

    private static func equals(_ bytes: RawSpan, _ range: Range<Int>, _ text: StaticName) -> Bool {
      guard range.count == text.count else { return false }
      for index in 0..<range.count {
        if unsafe bytes.u8(range.lowerBound &+ index) != text.utf8[index] { return false }
      }
      return true
    }

    /// The profile in the opcode of a row.
    public init(opcode: UInt32) { self = Profile(rawValue: UInt8(truncatingIfNeeded: opcode >> profileShift & 15)) ?? .unknown }
  }

  /// The fixed part of a packet.
  public struct Packet: Sendable {
    /// The first byte: opcode of the request or code of the response, with the final bit.
    public let code: UInt8
    /// Number of bytes according to the packet.
    public let length: Int
    /// Its range, limited to the bytes present.
    public let range: Range<Int>

    /// It is a response: requests have smaller codes (3.2.1).
    public var isResponse: Bool { code != 0xFF && code & 0x7F >= 0x10 }
    /// The request; nil for responses and undefined codes.
    public var request: RequestCode? { isResponse ? nil : RequestCode(rawValue: code & 0x7F) }
    /// The final bit: the request, or the response, is complete.
    public var isFinal: Bool { code & 0x80 != 0 }
    /// The response is Continue: another one follows.
    public var isContinue: Bool { code & 0x7F == 0x10 }
    /// The code of a response without its final bit.
    public var status: UInt8 { code & 0x7F }

    /// Reads the packet at the start of a part of `bytes`; nil where its length is missing or too short, or its code is undefined.
    public init?(_ bytes: RawSpan, in range: Range<Int>) {
      guard range.count >= 3, let code = bytes.u8(range.lowerBound), range.upperBound <= bytes.byteCount else { return nil }
      self.code = code
      length = Int(bytes.integer(range.lowerBound &+ 1, 2, isBigEndian: true))
      self.range = range.lowerBound..<min(range.lowerBound &+ length, range.upperBound)
      guard length >= 3, OBEX.packets[UInt32(code & 0x7F)] != nil else { return nil }
    }

    /// Whether a packet may begin with these three bytes: a response has the final bit (3.2.1), and so have all requests that cannot continue in
    /// further packets. No text begins like this.
    public var mayStart: Bool { isFinal || request == .put || request == .get || request == .action }

    /// Size of the fixed fields before the headers (3.4.1, 3.4.6). `request` is the one that a response belongs to.
    func fixedSize(answering request: RequestCode?) -> Int {
      switch isResponse ? request : self.request {
      case .connect: 7
      case .setPath where !isResponse: 5
      default: 3
      }
    }

    /// The headers of the packet.
    public func headers(answering request: RequestCode?) -> Headers {
      Headers(min(range.lowerBound &+ fixedSize(answering: request), range.upperBound)..<range.upperBound)
    }
  }

  /// The headers of a packet (2.1); the bytes are passed to each call.
  public struct Headers: Sendable {
    /// A header.
    public struct Header: Sendable {
      /// Its identifier; the two highest bits give the encoding of its value.
      public let id: UInt8
      /// Range of the entire header.
      public let whole: Range<Int>
      /// Range of its value.
      public let value: Range<Int>
      /// Number of bytes according to the header.
      public let length: Int

      /// Its value is a part of the object, or the last part.
      public var isBody: Bool { id == HeaderID.body.rawValue || id == HeaderID.endOfBody.rawValue }
      /// Its value is the name of the object, in UTF-16.
      public var isName: Bool { id == HeaderID.name.rawValue }
      /// Its value is the type of the object, a text up to a NUL.
      public var isType: Bool { id == HeaderID.type.rawValue }
      /// Its value consists of parameters that the profile defines.
      public var isParameters: Bool { id == HeaderID.applicationParameters.rawValue }
    }

    /// Range of the headers.
    public let range: Range<Int>
    private var at: Int

    init(_ range: Range<Int>) {
      self.range = range
      at = range.lowerBound
    }

    /// The next header; nil where there is none, or its length is incomplete.
    public mutating func next(_ bytes: RawSpan) -> Header? {
      guard at < range.upperBound, let id = bytes.u8(at) else { return nil }
      var start = at &+ 1
      var count: Int
      switch id >> 6 {
      case 2: count = 2
      case 3: count = 5
      default:
        guard at &+ 3 <= range.upperBound else { return nil }
        count = Int(bytes.integer(at &+ 1, 2, isBigEndian: true))
        start = at &+ 3
        // A length that does not include itself ends the list.
        guard count >= 3 else { return nil }
      }
      let end = min(at &+ count, range.upperBound)
      let header = Header(id: id, whole: at..<end, value: min(start, end)..<end, length: count)
      at = end
      return header
    }

    /// The range that was not read.
    public var rest: Range<Int> { at..<range.upperBound }
  }

  /// The name of a request, by its code without the final bit, in lower case.
  public static func requestName(_ code: UInt8) -> StaticName {
    switch RequestCode(rawValue: code) {
    case .connect?: "connect"
    case .disconnect?: "disconnect"
    case .put?: "put"
    case .get?: "get"
    case .setPath?: "set path"
    case .action?: "action"
    case .session?: "session"
    case .abort?: "abort"
    case nil: "request"
    }
  }

  /// The profile that a Connect requests; nil where it has no target.
  public static func profile(ofTargetIn packet: Packet, _ bytes: RawSpan) -> Profile? {
    var headers = packet.headers(answering: nil)
    while let header = headers.next(bytes) {
      if header.id == HeaderID.target.rawValue { return Profile.ofTarget(bytes, header.value) }
    }
    return nil
  }

  /// The range of a row's packet in its PDU.
  public static func range(in pdu: RawSpan, opcode: UInt32, psm: UInt16) -> Range<Int> {
    hasFrame(psm) ? RFCOMM.information(of: pdu, isJoined: opcode & RFCOMM.joined != 0) : 0..<pdu.byteCount
  }

  /// Whether the PDU begins with the header of an RFCOMM frame; otherwise the packet came over a channel of its own (GOEP 2.0).
  static func hasFrame(_ psm: UInt16) -> Bool { psm <= 3 }

  static func hasEnvelope(_ context: PDUContext) -> Bool { hasFrame(context.subcode) }

  static func name(of pdu: RawSpan, _ context: PDUContext) -> StaticName {
    if context.opcode & part != 0 { return "Part of a Packet" }
    guard let packet = Packet(pdu, in: range(in: pdu, opcode: context.opcode, psm: context.subcode)) else { return "OBEX Packet" }
    return packets.name(UInt32(packet.code & 0x7F)) ?? "OBEX Packet"
  }

  /// Whether the data are a complete packet that its headers fill.
  static func recognizesData(_ data: RawSpan) -> Bool {
    guard let packet = Packet(data, in: 0..<data.byteCount), packet.length == data.byteCount, packet.request == .connect,
      let version = data.u8(3), version >= 0x10, version <= 0x15
    else { return false }
    var headers = packet.headers(answering: nil)
    while let header = headers.next(data) { if header.whole.count != header.length { return false } }
    return headers.rest.isEmpty
  }

  static func walk<Visitor: FieldVisitor>(_ pdu: RawSpan, _ context: PDUContext, _ visitor: inout Visitor) {
    let range = range(in: pdu, opcode: context.opcode, psm: context.subcode)
    if hasFrame(context.subcode) { _ = RFCOMM.walkHeader(pdu, &visitor) }
    walkPacket(pdu, range, context, &visitor)
    if hasFrame(context.subcode), context.opcode & RFCOMM.joined == 0 {
      RFCOMM.trailer.walk(pdu, in: range.upperBound..<pdu.byteCount, &visitor)
    }
  }

  private static func walkPacket<Visitor: FieldVisitor>(
    _ pdu: RawSpan, _ range: Range<Int>, _ context: PDUContext, _ visitor: inout Visitor
  ) {
    guard context.opcode & part == 0, let packet = Packet(pdu, in: range) else {
      if !range.isEmpty { packets.unknown.walk(pdu, in: range, &visitor) }
      return
    }
    let answered = RequestCode(rawValue: UInt8(truncatingIfNeeded: context.opcode >> requestShift & 0xFF) &- 1)
    let end = packet.range.upperBound
    _ = (packet.isResponse ? responseLayout : requestLayout).walk(pdu, in: packet.range, allowsSurplus: true, &visitor)
    var at = min(packet.range.lowerBound &+ 3, end)
    let fixed = packet.fixedSize(answering: answered)
    if fixed == 7 { at = connectLayout.walk(pdu, in: at..<end, allowsSurplus: true, &visitor) }
    if fixed == 5 { at = pathLayout.walk(pdu, in: at..<end, allowsSurplus: true, &visitor) }
    var headers = packet.headers(answering: answered)
    let profile = Profile(opcode: context.opcode)
    if !headers.rest.isEmpty {
      visitor.beginArray(headersField, at: headers.range.lowerBound)
      while let header = headers.next(pdu) {
        visitor.beginObject(headersField, at: header.whole.lowerBound)
        walk(header, pdu, profile, &visitor)
        visitor.endObject(headersField, at: header.whole)
      }
      visitor.endArray(headersField, at: headers.range.lowerBound..<headers.rest.lowerBound)
      if !headers.rest.isEmpty { packets.unknown.walk(pdu, in: headers.rest, &visitor) }
    }
    if packet.length > packet.range.count {
      visitor.problem(.short(lengthField, offset: range.lowerBound, needed: packet.length, available: packet.range.count))
    } else if end < range.upperBound {
      visitor.problem(.surplus(end..<range.upperBound))
    }
  }

  /// Reports a header: its identifier, its length if it has one, and its value according to the table of headers.
  private static func walk<Visitor: FieldVisitor>(
    _ header: Headers.Header, _ pdu: RawSpan, _ profile: Profile, _ visitor: inout Visitor
  ) {
    let hasLength = header.id >> 6 < 2
    let start = header.whole.lowerBound
    (hasLength ? headerLayout : shortHeaderLayout).walk(pdu, in: start..<header.value.lowerBound, allowsSurplus: true, &visitor)
    let layout = self.headers[UInt32(header.id)]?.parameters
    switch HeaderID(rawValue: header.id) {
    case .applicationParameters?: parameters(pdu, header.value, Tags.of(profile), &visitor)
    case .authenticationChallenge?: parameters(pdu, header.value, Tags.challenge, &visitor)
    case .authenticationResponse?: parameters(pdu, header.value, Tags.response, &visitor)
    case .sessionParameters?: parameters(pdu, header.value, Tags.session, &visitor)
    case .target?, .who?:
      guard let field = layout?.fields.first else { break }
      // Targets are UUIDs; some older ones are texts.
      if header.value.count == 16, let uuid = BluetoothUUID(bigEndian: pdu, in: header.value) {
        visitor.field(field, .uuid(uuid), at: header.value, in: pdu)
      } else {
        visitor.field(field, .text(Layout.textRange(pdu, header.value.lowerBound, header.value.upperBound)), at: header.value, in: pdu)
      }
    case .type?:
      let text = Layout.textRange(pdu, header.value.lowerBound, header.value.upperBound)
      visitor.field(isKnownType(pdu, text) ? typeField : otherTypeField, .text(text), at: header.value, in: pdu)
    default:
      if header.id >> 6 == 0 {
        let field = layout?.fields.first ?? wideField
        visitor.field(field, .wideText(wideRange(pdu, header.value)), at: header.value, in: pdu)
      } else {
        (layout ?? packets.unknown).walk(pdu, in: header.value, &visitor)
      }
    }
    if header.length > header.whole.count, let field = headerLayout.fields.last {
      visitor.problem(.short(field, offset: start, needed: header.length, available: header.whole.count))
    }
  }

  /// A text in UTF-16 without the trailing NUL.
  static func wideRange(_ pdu: RawSpan, _ range: Range<Int>) -> Range<Int> {
    var end = range.lowerBound
    while end &+ 2 <= range.upperBound, pdu.u8(end) != 0 || pdu.u8(end &+ 1) != 0 { end &+= 2 }
    return range.lowerBound..<end
  }

  /// Types defined by profiles contain no personal data.
  private static func isKnownType(_ pdu: RawSpan, _ range: Range<Int>) -> Bool {
    for row in 0..<types.rows.count where HFP.Lines.equals(pdu, range, types.rows[row].name) { return true }
    return false
  }

  /// Reports parameters: tag, length and value of each (2.2.11). `kind` is the start of their tags in the table of tags.
  private static func parameters<Visitor: FieldVisitor>(_ pdu: RawSpan, _ range: Range<Int>, _ kind: UInt32, _ visitor: inout Visitor) {
    let isParameter = kind == 0 || kind >= Tags.phoneBook
    let isSession = kind == Tags.session
    let lengthField = isParameter ? parameterLengthField : isSession ? sessionLengthField : authenticationLengthField
    let valueField = isParameter ? parameterValueField : isSession ? sessionValueField : authenticationValueField
    let (list, tagField): (Field, Field)
    switch kind {
    case Tags.challenge, Tags.response:
      (list, tagField) = (authenticationField, kind == Tags.challenge ? challengeTagField : responseTagField)
    case Tags.session: (list, tagField) = (sessionField, sessionTagField)
    case Tags.phoneBook: (list, tagField) = (parametersField, phoneBookField)
    case Tags.message: (list, tagField) = (parametersField, messageField)
    case Tags.image: (list, tagField) = (parametersField, imageField)
    case Tags.calendar: (list, tagField) = (parametersField, calendarField)
    default: (list, tagField) = (parametersField, parameterField)
    }
    visitor.beginArray(list, at: range.lowerBound)
    var at = range.lowerBound
    while at < range.upperBound, let tag = pdu.u8(at) {
      visitor.beginObject(list, at: at)
      // CTN uses tags of the Generic PIM Access Profile (GPP), which begin with 0x41, beside its own.
      let isShared = kind == Tags.calendar && tag >= 0x41
      visitor.field(isShared ? informationField : tagField, .unsigned(UInt64(tag)), at: at..<at &+ 1, in: pdu)
      guard let length = pdu.u8(at &+ 1), at &+ 1 < range.upperBound else {
        visitor.endObject(list, at: at..<at &+ 1)
        at &+= 1
        break
      }
      visitor.field(lengthField, .unsigned(UInt64(length)), at: at &+ 1..<at &+ 2, in: pdu)
      let stop = min(at &+ 2 &+ Int(length), range.upperBound)
      if let layout = kind == 0 ? nil : tags[kind | UInt32(tag)]?.parameters, layout.fits(stop &- at &- 2) {
        layout.walk(pdu, in: at &+ 2..<stop, &visitor)
      } else if at &+ 2 < stop {
        visitor.field(valueField, .bytes(at &+ 2..<stop), at: at &+ 2..<stop, in: pdu)
      }
      visitor.endObject(list, at: at..<stop)
      at = stop
    }
    visitor.endArray(list, at: range.lowerBound..<at)
  }

  // MARK: Tables

  private static func field(_ name: StaticName) -> Field { packets.layout(name).fields.first ?? Field() }
  private static let requestLayout = packets.layout("request")
  private static let responseLayout = packets.layout("response")
  private static let connectLayout = packets.layout("connect")
  private static let pathLayout = packets.layout("path")
  private static let headerLayout = packets.layout("header")
  private static let shortHeaderLayout = packets.layout("short-header")
  private static let lengthField = requestLayout.fields.last ?? Field()
  private static let headersField = field("headers")
  private static let typeField = field("type")
  private static let otherTypeField = field("other-type")
  private static let wideField = field("wide")
  private static let parametersField = field("parameters")
  private static let parameterField = field("parameter")
  private static let phoneBookField = field("phone-book")
  private static let messageField = field("message")
  private static let imageField = field("image")
  private static let calendarField = field("calendar")
  private static let informationField = field("information-management")
  private static let parameterLengthField = field("parameter-length")
  private static let authenticationLengthField = field("authentication-length")
  private static let parameterValueField = field("parameter-value")
  private static let authenticationValueField = field("authentication-value")
  private static let sessionLengthField = field("session-length")
  private static let sessionValueField = field("session-value")
  private static let authenticationField = field("authentication")
  private static let challengeTagField = field("challenge-tag")
  private static let responseTagField = field("response-tag")
  private static let sessionField = field("session")
  private static let sessionTagField = field("session-tag")
}
