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
  /// What one parse may use up at least, and what each byte of its input adds. What is not used stays for the parses after it, until ``nodes`` and
  /// ``steps`` are reached; of nodes nothing stays. Nil: each parse may use up all.
  public var share: Share?

  /// How the limits of a parse grow with its input.
  public struct Share: Sendable {
    /// Steps of each parse, and of each evaluation that belongs to none.
    public var steps: Int
    /// Steps that each byte adds.
    public var stepsOfByte: Int
    /// Nodes of each parse.
    public var nodes: Int
    /// Nodes that each byte adds.
    public var nodesOfByte: Int

    /// Makes a share from its parts.
    public init(steps: Int, stepsOfByte: Int, nodes: Int, nodesOfByte: Int) {
      self.steps = steps
      self.stepsOfByte = stepsOfByte
      self.nodes = nodes
      self.nodesOfByte = nodesOfByte
    }
  }

  /// Makes limits from their parts.
  public init(depth: Int, nodes: Int, bytes: Int, steps: Int, share: Share? = nil) {
    self.depth = depth
    self.nodes = nodes
    self.bytes = bytes
    self.steps = steps
    self.share = share
  }

  /// For one message of a device: 32 levels, 65,536 nodes, 1 MiB, a million steps. Of many messages each has 4,096 nodes and 5,000 steps, and 16
  /// nodes and 500 steps more for each byte.
  public static let message = Limits(
    depth: 32, nodes: 1 << 16, bytes: 1 << 20, steps: 1_000_000, share: Share(steps: 5000, stepsOfByte: 500, nodes: 4096, nodesOfByte: 16))
  /// For the header of a packet or of a message, which is read again when more bytes have come: each time has 1,000 steps.
  public static let header = Limits(
    depth: 32, nodes: 1 << 16, bytes: 1 << 20, steps: 1_000_000, share: Share(steps: 1000, stepsOfByte: 0, nodes: 4096, nodesOfByte: 16))
  /// For whole files: 64 levels, 4 million nodes, 256 MiB, a thousand million steps.
  public static let file = Limits(depth: 64, nodes: 1 << 22, bytes: 1 << 28, steps: 1_000_000_000)
}
