/// What one parse may use up. Where a limit is reached, parsing ends with a ``Failure`` whose kind is `LimitError` or `DepthLimit`.
public struct Limits: Sendable {
  /// Objects and instances within one another.
  public var depth: Int
  /// Nodes of the tree.
  public var nodes: Int
  /// Bytes produced beside the input: processed bytes, converted and computed strings.
  public var bytes: Int
  /// Fields read, expressions evaluated and bytes looked through.
  public var steps: Int

  /// Makes limits from their parts.
  public init(depth: Int, nodes: Int, bytes: Int, steps: Int) {
    self.depth = depth
    self.nodes = nodes
    self.bytes = bytes
    self.steps = steps
  }

  /// For one message of a device: 32 levels, 65,536 nodes, 1 MiB, a million steps.
  public static let message = Limits(depth: 32, nodes: 1 << 16, bytes: 1 << 20, steps: 1_000_000)
  /// For whole files: 64 levels, 4 million nodes, 256 MiB, a thousand million steps.
  public static let file = Limits(depth: 64, nodes: 1 << 22, bytes: 1 << 28, steps: 1_000_000_000)
}
