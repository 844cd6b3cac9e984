/// An error in reading or writing a capture.
public enum CaptureError: Error, Equatable {
  /// There is no such file, or it cannot be opened; the reason is the system's message.
  case unreadable(path: String, reason: String)
  /// Not a capture; `what` describes the file, as far as it is recognised.
  case unknownFormat(path: String, what: String)
  /// It is a capture, but its header is broken at `offset` (bytes).
  case malformed(path: String, offset: Int, what: String)
  /// A file cannot be written; the reason is the system's message.
  case unwritable(path: String, reason: String)
  /// The reader of the output has closed it. This is no error, but nothing more can be written.
  case closedPipe
  /// A service is missing (no Bluetooth on this host).
  case unavailable(what: String)
  /// No permission; `hint` describes how to get it.
  case forbidden(what: String, hint: String)
  /// The argument cannot be the name of a capture; `reason` says why.
  case misnamed(path: String, reason: String)
}

extension CaptureError: CustomStringConvertible {
  /// The error in one line, without initial capital and full stop.
  public var description: String {
    switch self {
    case .unreadable(let path, let reason): "\(path): cannot be read: \(reason)"
    case .unknownFormat(let path, let what): "\(path): no capture: it is \(what)"
    case .malformed(let path, let offset, let what): "\(path): broken at byte \(offset): \(what)"
    case .unwritable(let path, let reason): "\(path): cannot be written: \(reason)"
    case .closedPipe: "the reader of the output has gone away"
    case .unavailable(let what): what
    case .forbidden(let what, let hint): "\(what): \(hint)"
    case .misnamed(let path, let reason): "\(path): \(reason)"
    }
  }
}
