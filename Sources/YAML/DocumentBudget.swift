/// Bounds for documents that are read together: the files of a profile or a Kaitai Struct description with all that they import, the profiles of a
/// program, the attribute maps of a command.
///
/// Bytes of text, and values with aliases expanded: a few lines of aliases can mean billions of values, and readers of a document need time and
/// memory for each of them.
public final class DocumentBudget {
  /// Most bytes of text.
  public static let maxBytes = 16 << 20
  /// Most values.
  public static let maxValues = 400_000
  /// Most values of a short text; a longer one may have one more for each of its bytes, which no text without aliases exceeds.
  static let maxValuesOfShortText = 1 << 14

  /// Bytes and values.
  struct Amount {
    private(set) var bytes = 0
    private(set) var values = 0

    fileprivate mutating func take(bytes: Int) throws(YAMLError) {
      guard bytes <= DocumentBudget.maxBytes - self.bytes else {
        throw .syntax(
          problem: "more than \(DocumentBudget.maxBytes >> 20) MiB, with what is read together", context: nil, Node.Mark(line: 1, column: 1)
        )
      }
      self.bytes += bytes
    }

    /// Counts values. Throws where there are too many.
    mutating func take(values: Int, isAlias: Bool, _ mark: Node.Mark) throws(YAMLError) {
      let limit = min(DocumentBudget.maxValues, DocumentBudget.maxValuesOfShortText + bytes)
      guard values <= limit - self.values else {
        let problem =
          isAlias
          ? "the aliases of this file expand to more than \(limit) values, with what is read together"
          : "more than \(limit) values, with what is read together"
        throw .syntax(problem: problem, context: nil, mark)
      }
      self.values += values
    }
  }

  private var used = Amount()

  /// An unused budget.
  public init() {}

  /// The amount used after a text of so many bytes. Throws ``YAMLError`` where that is too much.
  func taking(bytes: Int) throws(YAMLError) -> Amount {
    var amount = used
    try amount.take(bytes: bytes)
    return amount
  }

  /// Sets the used amount after a document was read.
  func use(_ amount: Amount) { used = amount }
}
