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

/// A row of the table of findings: what programs call a kind of finding, how bad it is, its sentence, and what to do about it.
public struct FindingMetadata {
  /// Name for programs.
  public let id: StaticString
  /// How bad it is: by its kind, and by the error it is about.
  public let severity: Severity
  /// What to do about it, or what it most likely comes from.
  public let advice: StaticString
  /// The error code of the finding. Findings of one kind with different error codes are not merged. Nil for kinds without an error code.
  public let variant: UInt8?
  private let makeText: () -> FindingSentence

  /// Its sentence.
  public var text: FindingSentence { makeText() }

  init(_ id: StaticString, _ severity: Severity, _ text: @escaping @autoclosure () -> FindingSentence, advice: StaticString) {
    self.id = id
    self.severity = severity
    self.advice = advice
    variant = nil
    makeText = text
  }

  /// A finding about an error, whose advice is the error's, and its severity, unless another is given.
  init(
    _ id: StaticString, _ text: @escaping @autoclosure () -> FindingSentence, error: UInt8, _ errorAdvice: ErrorAdvice,
    severity: Severity? = nil
  ) {
    self.id = id
    self.severity = severity ?? errorAdvice.severity
    advice = errorAdvice.advice
    variant = error
    makeText = text
  }
}

extension Finding {
  /// The row of the table of findings for this finding's kind.
  public var metadata: FindingMetadata { kind.metadata }
  /// `metadata.id`.
  public var id: StaticString { metadata.id }
  /// `metadata.severity`.
  public var severity: Severity { metadata.severity }
  /// `metadata.advice`.
  public var advice: StaticString { metadata.advice }
}
