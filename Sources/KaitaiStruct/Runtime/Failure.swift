/// The reason why parsing or evaluation ended early, and its location.
public struct Failure: Error, Equatable, Sendable {
  /// The kind of failure; the raw values are the names used by Kaitai Struct's own tools, and some additional ones.
  public enum Kind: String, Sendable {
    case endOfStream = "EndOfStreamError"
    case notEqual = "ValidationNotEqualError"
    case less = "ValidationLessThanError"
    case greater = "ValidationGreaterThanError"
    case notAnyOf = "ValidationNotAnyOfError"
    case notInEnum = "ValidationNotInEnumError"
    case expression = "ValidationExprError"
    case undecidedEndianness = "UndecidedEndiannessError"
    case conversion = "ConversionError"
    case unknownEncoding = "UnknownEncodingError"
    case process = "ProcessError"
    case depth = "DepthLimit"
    case limit = "LimitError"
    case noProgress = "NoProgressError"
    case recursion = "RecursionError"
    case index = "IndexError"
    case overflow = "OverflowError"
    case divisionByZero = "DivisionByZeroError"
    case absent = "AbsentValueError"
    case type = "TypeMismatchError"
    case noField = "NoFieldError"
    case writing = "WriteError"

    /// Whether a value violates `valid`.
    public var isOfValidation: Bool {
      switch self {
      case .notEqual, .less, .greater, .notAnyOf, .notInEnum, .expression: true
      default: false
      }
    }
  }

  /// The kind of failure.
  public var kind: Kind
  /// The field that was being read or computed; nil outside of fields.
  public var field: FieldID?
  /// The object that was being read; nil where there is none.
  public var object: NodeID?
  /// Offset in bytes from the start of the input up to which bytes were read; for produced bytes (`process`) from their start.
  public var offset: Int
  /// For `endOfStream`: number of bytes needed. For validations: the expected number, if it is one.
  public var needed: Int64
  /// For `endOfStream`: number of bytes available. For validations: the actual number, if it is one.
  public var available: Int64

  init(_ kind: Kind, needed: Int64 = 0, available: Int64 = 0) {
    self.kind = kind
    self.field = nil
    self.object = nil
    self.offset = 0
    self.needed = needed
    self.available = available
  }

  /// The failure in words.
  public var message: String {
    switch kind {
    case .endOfStream: "requested \(needed) bytes, but only \(available) bytes available"
    case .notEqual: "the value is not what it must be"
    case .less: "the value is below the least allowed"
    case .greater: "the value is above the greatest allowed"
    case .notAnyOf: "the value is none of those allowed"
    case .notInEnum: "the value is not in the enum"
    case .expression: "the value does not fulfil its condition"
    case .undecidedEndianness: "no case decides the byte order"
    case .conversion: "the value cannot be converted"
    case .unknownEncoding: "the encoding is not known here"
    case .process: "the bytes cannot be processed"
    case .depth: "objects are nested too deep"
    case .limit: "a limit of nodes, bytes or steps is reached"
    case .noProgress: "a repetition until the end reads nothing"
    case .recursion: "an instance needs itself"
    case .index: "there is no element at this index"
    case .overflow: "the number does not fit 64 bits"
    case .divisionByZero: "division by zero"
    case .absent: "a value is used that is absent"
    case .type: "a value is not of the kind that is needed here"
    case .noField: "the object has no such field"
    case .writing: "the value cannot be written"
    }
  }
}

/// Ends parsing or evaluation; ``Machine/failure`` has the reason.
@usableFromInline
struct Stop: Error {}
