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
  /// What sets findings of one kind apart where alike ones are shown together: the error they are about; nil where they are all alike.
  public let variant: UInt8?
  private let makeText: () -> FindingText

  /// Its sentence.
  public var text: FindingText { makeText() }

  init(_ id: StaticString, _ severity: Severity, _ text: @escaping @autoclosure () -> FindingText, advice: StaticString) {
    self.id = id
    self.severity = severity
    self.advice = advice
    variant = nil
    makeText = text
  }

  /// A finding about an error, whose advice is the error's, and its severity, unless another is given.
  init(
    _ id: StaticString, _ text: @escaping @autoclosure () -> FindingText, error: UInt8, _ errorAdvice: ErrorAdvice,
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
  /// Its row in the table of findings.
  public var metadata: FindingMetadata { kind.metadata }
  /// Name for programs.
  public var id: StaticString { metadata.id }
  /// How bad it is: by its kind, and by the error it is about.
  public var severity: Severity { metadata.severity }
  /// What to do about it, or what it most likely comes from.
  public var advice: StaticString { metadata.advice }
}
