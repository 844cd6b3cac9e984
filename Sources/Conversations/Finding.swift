/// Something that is wrong or worth knowing, found on the way: code and numbers here, words elsewhere.
public struct Finding: Sendable {
  /// What was found. Behind each case: what `a` and `b` stand for, and `attribute` where it is one.
  public enum Code: UInt8, Sendable, CaseIterable {
    /// A continuation of `a` bytes without the start of its PDU.
    case fragmentWithoutStart
    /// The PDU that started in frame `offset` never ended: `a` of `b` bytes.
    case startWithoutEnd
    /// The header announces `a` bytes, the packet has `b`.
    case lengthLies
    /// `a` bytes more than the PDU announced.
    case fragmentSurplus
    /// `b` bytes where `a` are needed.
    case shortPacket
    /// The capture kept `b` of the `a` bytes of a packet, the first of those it cut.
    case capturedLess
    /// A structure of advertising data announces `a` bytes where `b` are left.
    case advertisingLengthLies
    /// A packet of the H4 type `a`.
    case unknownPacketType
    /// An answer (ATT opcode `a`) to no request.
    case responseToNothing
    /// A request before that of frame `a` (ATT opcode `b`) was answered.
    case requestOverlaps
    /// The request of frame `a` (ATT opcode `b`) was never answered.
    case responseMissing
    /// The request of frame `a` (ATT opcode `b`) still had time when the capture ended.
    case responseOpen
    /// The clock jumps by `a` µs; where `b` is 1, it has done so often, and more of it is not told.
    case timeJumps
    /// `a` packets were dropped.
    case dropped
    /// `a` packets were captured but are not shown, as the output was too slow.
    case notShown
    /// More than `a` connections at a time; where `b` is 1, it has been so often, and more of it is not told.
    case tableFull
    /// `a` bytes at the end belong to no message.
    case unjoinedAtEnd
    /// `a` bytes belong to no message of a profile that was chosen by its UUIDs, and none ever did on this connection: it may be another's.
    case profileUnfit
    /// The CRC of a Link Layer packet is wrong; where `b` is 1, the packet ends before it, and before the `a` bytes that its header announces.
    case badCRC
    /// An ATT error `a` in answer to the opcode `b`.
    case requestRefused
    /// The request of frame `a` was refused (ATT error `b`) for want of security, and the link was never encrypted.
    case securityNeverCame
    /// An ATT PDU of `a` bytes where the MTU is `b`.
    case valueExceedsMTU
    /// An answer after `a` µs where the connection interval is `b` times 1.25 ms.
    case answerSlow
    /// An answer after `a` µs, when the bearer had timed out, to the request of frame `b`.
    case answerTooLate
    /// A prepared part was echoed otherwise than it was sent in frame `a`.
    case preparedPartDiffers
    /// The connection ended with the HCI error `a`.
    case connectionLost
    /// A connection could not be established: HCI error `a`; the attempt began in frame `b`.
    case connectionFailed
    /// The connection attempt of frame `a` neither completed nor was cancelled; `b` µs have passed since.
    case attemptOpen
    /// Connection parameters were refused: `a` is 0 by the answer, 1 by a negative reply, else the HCI error; the request is frame `b`.
    case parametersRefused
    /// Encryption failed with the HCI error `a`.
    case encryptionFailed
    /// This host has no key for the peer (negative reply).
    case keyMissing
    /// Pairing failed: SMP reason `a` where `b` is 0, HCI error where it is 1.
    case pairingFailed
    /// `attribute` notifies, and nobody subscribed in this connection.
    case notificationUnasked
    /// A write before the characteristic behind it, `a` in the attribute table, was subscribed to; it may carry the answers.
    case answerMayBeMissed
    /// A request of a profile before its answers, `a` in the attribute table, were subscribed to.
    case answerMissed
    /// The same value as in frame `a` was written again after `b` µs, and nothing came back between.
    case writeRepeated
    /// A message is not whole: `a` bytes are there of `b` (0: not known).
    case messageIncomplete
    /// A message has `a` bytes more than it announced.
    case messageSurplus
    /// The counter of a fragment is `b` where `a` was due.
    case counterJumps
    /// The checksum of a message is wrong.
    case checksumWrong
    /// The request of frame `a` was sent again after `b` µs without an answer.
    case requestRepeated
    /// The request of frame `a` got no answer in `b` µs.
    case requestUnanswered
  }
  /// What was found.
  public var code: Code
  /// Frame it belongs to.
  public var frame: Int
  /// Time, µs since 1970.
  public var time: Int64
  /// Byte offset in the packet, or -1.
  public var offset: Int
  /// First number of its sentence (see ``Code``).
  public var a: Int
  /// Second number of its sentence.
  public var b: Int
  /// Adapter.
  public var adapter: UInt16
  /// Connection handle, or 0xFFFF.
  public var handle: UInt16
  /// Connection, index into ``Tables/connections``, or -1.
  public var connection: Int32
  /// Attribute it is about, index into ``Tables/attributes``, or -1.
  public var attribute: Int32
  /// Address of a device that there is no connection with, or 0.
  public var address: UInt64
  /// Number of rows of the batch that stand before it.
  public var position: Int

  /// Makes a finding from its parts.
  public init(
    code: Code, frame: Int, time: Int64, offset: Int = -1, a: Int = 0, b: Int = 0, adapter: UInt16, handle: UInt16 = 0xFFFF,
    connection: Int32 = -1, attribute: Int32 = -1, address: UInt64 = 0, position: Int
  ) {
    self.code = code
    self.frame = frame
    self.time = time
    self.offset = offset
    self.a = a
    self.b = b
    self.adapter = adapter
    self.handle = handle
    self.connection = connection
    self.attribute = attribute
    self.address = address
    self.position = position
  }
}
