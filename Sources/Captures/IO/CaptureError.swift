/// Why a capture cannot be read or written.
public enum CaptureError: Error, Equatable {
  /// There is no such file, or it cannot be opened; the text is the system's.
  case unreadable(path: String, reason: String)
  /// Not a capture; `what` says what it is, as far as that is known.
  case unknownFormat(path: String, what: String)
  /// It is a capture, but its header is broken at `offset` (bytes).
  case malformed(path: String, offset: Int, what: String)
  /// A file cannot be written; the text is the system's.
  case unwritable(path: String, reason: String)
  /// The reader of the output has gone away. It is no error, but there is nothing more to write.
  case closedPipe
  /// A service is missing (no Bluetooth on this host).
  case unavailable(what: String)
  /// No permission; `hint` says what grants it.
  case forbidden(what: String, hint: String)
  /// What is said to name a capture can name none; `reason` says why.
  case misnamed(path: String, reason: String)
}

extension CaptureError: CustomStringConvertible {
  /// The error in one line, without a capital and a full stop.
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

  /// The exit status that fits, of those in `sysexits.h`: 64 misnamed, 65 malformed, 66 no such input, 69 unavailable, 74 writing failed, 77 no
  /// permission, 0 for a reader that went away.
  public var status: Int32 {
    switch self {
    case .unreadable: 66
    case .unknownFormat, .malformed: 65
    case .unwritable: 74
    case .closedPipe: 0
    case .unavailable: 69
    case .forbidden: 77
    case .misnamed: 64
    }
  }
}
