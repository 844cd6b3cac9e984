import Conversations

/// The severity of a finding.
public enum Severity: UInt8, Sendable, CaseIterable {
  /// Something failed, or data are lost.
  case error
  /// Something violates a rule or is likely to cause a problem.
  case warning
  /// A fact that may be of interest.
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

/// A row of the table of findings: name, severity, sentence and advice of a kind of finding.
public struct FindingMetadata {
  /// Name in machine-readable outputs.
  public let id: StaticString
  /// Severity, from the kind and from the error code.
  public let severity: Severity
  /// Advice on what to do, or the most likely cause.
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

  /// A finding about an error, with the error's advice, and its severity unless another is given.
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
