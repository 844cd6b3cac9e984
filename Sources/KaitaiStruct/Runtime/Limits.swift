/// Limits of one parse. When a limit is reached, parsing ends with a ``Failure`` whose kind is `LimitError` or `DepthLimit`.
public struct Limits: Sendable {
  /// Most nested objects and instances.
  public var depth: Int
  /// Most nodes of the tree.
  public var nodes: Int
  /// Most bytes produced besides the input: processed bytes, converted and computed strings.
  public var bytes: Int
  /// Most fields read, expressions evaluated and bytes searched.
  public var steps: Int
  /// The minimum that each parse may use, and what each byte of its input adds. Unused steps remain for later parses, until ``steps`` is reached;
  /// unused nodes do not remain. Nil: each parse may use up all.
  package var share: Share?

  /// How the limits of a parse grow with its input.
  package struct Share: Sendable {
    /// Steps of each parse, and of each evaluation that belongs to none.
    var steps: Int
    /// Steps that each byte adds.
    var stepsOfByte: Int
    /// Nodes of each parse.
    var nodes: Int
    /// Nodes that each byte adds.
    var nodesOfByte: Int
  }

  /// Creates limits.
  public init(depth: Int, nodes: Int, bytes: Int, steps: Int) {
    self.depth = depth
    self.nodes = nodes
    self.bytes = bytes
    self.steps = steps
  }

  /// Limits for messages, which share them.
  private init(sharing share: Share) {
    self.init(depth: 32, nodes: 1 << 16, bytes: 1 << 20, steps: 1_000_000)
    self.share = share
  }

  /// For one message of a device: 32 levels, 65,536 nodes, 1 MiB, a million steps. With many messages, each has 4,096 nodes and 5,000 steps, and 16
  /// nodes and 500 steps more for each byte.
  public static let message = Limits(sharing: Share(steps: 5000, stepsOfByte: 500, nodes: 4096, nodesOfByte: 16))
  /// For the header of a packet or of a message, which is read again when more bytes have come: each time has 1,000 steps.
  package static let header = Limits(sharing: Share(steps: 1000, stepsOfByte: 0, nodes: 4096, nodesOfByte: 16))
  /// For entire files: 64 levels, 4 million nodes, 256 MiB, a thousand million steps.
  public static let file = Limits(depth: 64, nodes: 1 << 22, bytes: 1 << 28, steps: 1_000_000_000)
}
