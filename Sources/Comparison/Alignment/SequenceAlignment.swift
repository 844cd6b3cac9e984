/// The longest common subsequence of two sequences of numbers: Myers' algorithm ("An O(ND) Difference Algorithm and Its Variations", 1986) in linear
/// space, between anchors that occur once in each (patience). If the search exceeds a bound, the sequences are split at the farthest point that it
/// reached, so that time stays linear.
public enum SequenceAlignment {
  /// Number of edits after which a search is stopped.
  static let maxEdits = 192
  /// Shorter sequences are searched without anchors.
  private static let fewElements = 400

  /// Pairs of indices with equal numbers, increasing in both sequences.
  public static func pairs(_ a: [Int32], _ b: [Int32]) -> [(a: Int, b: Int)] {
    guard a.count > fewElements, b.count > fewElements else {
      var search = Search(a, b)
      return search.run()
    }
    // Numbers in only one sequence are in no pair: they are removed before the search.
    let (indices, others) = (common(a, b), common(b, a))
    var search = Search(indices.map { a[$0] }, others.map { b[$0] })
    return search.run().map { (indices[$0.a], others[$0.b]) }
  }

  /// Indices of the numbers of `a` that are in `b`.
  private static func common(_ a: [Int32], _ b: [Int32]) -> [Int] {
    let known = Set(b)
    return a.indices.filter { known.contains(a[$0]) }
  }

  private struct Box {
    var a: Range<Int>, b: Range<Int>
    var depth: Int
  }

  private struct Search {
    let a: [Int32], b: [Int32]
    var found: [(a: Int, b: Int)] = []
    private var forward: [Int] = []
    private var backward: [Int] = []

    init(_ a: [Int32], _ b: [Int32]) {
      self.a = a
      self.b = b
      forward = [Int](repeating: 0, count: 2 * SequenceAlignment.maxEdits + 8)
      backward = forward
    }

    mutating func run() -> [(a: Int, b: Int)] {
      var open = [Box(a: 0..<a.count, b: 0..<b.count, depth: 0)]
      while var box = open.popLast() {
        trim(&box)
        if box.a.isEmpty || box.b.isEmpty { continue }
        if box.a.count == 1 || box.b.count == 1 {
          single(box)
          continue
        }
        if box.depth < 4, box.a.count + box.b.count > SequenceAlignment.fewElements, anchored(box, &open) { continue }
        let (x, y) = middle(box)
        if x == box.a.lowerBound && y == box.b.lowerBound || x == box.a.upperBound && y == box.b.upperBound {
          // Nothing in common.
          continue
        }
        // Parts of a box without anchors are not searched for anchors again.
        open.append(Box(a: box.a.lowerBound..<x, b: box.b.lowerBound..<y, depth: .max))
        open.append(Box(a: x..<box.a.upperBound, b: y..<box.b.upperBound, depth: .max))
      }
      found.sort { $0.a < $1.a }
      return found
    }

    private mutating func trim(_ box: inout Box) {
      var (low, high) = (box.a.lowerBound, box.a.upperBound)
      var (from, to) = (box.b.lowerBound, box.b.upperBound)
      while low < high, from < to, a[low] == b[from] {
        found.append((low, from))
        low += 1
        from += 1
      }
      while low < high, from < to, a[high - 1] == b[to - 1] {
        high -= 1
        to -= 1
        found.append((high, to))
      }
      box.a = low..<high
      box.b = from..<to
    }

    private mutating func single(_ box: Box) {
      if box.a.count == 1 {
        if let index = box.b.first(where: { b[$0] == a[box.a.lowerBound] }) { found.append((box.a.lowerBound, index)) }
      } else if let index = box.a.first(where: { a[$0] == b[box.b.lowerBound] }) {
        found.append((index, box.b.lowerBound))
      }
    }

    /// Splits a box at the numbers that occur once in each sequence. Returns false where there are none.
    private mutating func anchored(_ box: Box, _ open: inout [Box]) -> Bool {
      // Index in each sequence, -1 for none, -2 for several.
      var indices: [Int32: (a: Int, b: Int)] = [:]
      for index in box.a {
        let known = indices[a[index]]
        indices[a[index]] = (known == nil ? index : -2, -1)
      }
      for index in box.b {
        guard let known = indices[b[index]] else { continue }
        indices[b[index]] = (known.a, known.b == -1 ? index : -2)
      }
      var unique: [(a: Int, b: Int)] = []
      for index in box.a { if let both = indices[a[index]], both.a == index, both.b >= 0 { unique.append(both) } }
      guard !unique.isEmpty else { return false }
      // Longest increasing subsequence of the indices in b.
      var piles: [Int] = []
      var before = [Int](repeating: -1, count: unique.count)
      for index in unique.indices {
        var (low, high) = (0, piles.count)
        while low < high {
          let middle = (low + high) / 2
          if unique[piles[middle]].b < unique[index].b { low = middle + 1 } else { high = middle }
        }
        before[index] = low > 0 ? piles[low - 1] : -1
        if low == piles.count { piles.append(index) } else { piles[low] = index }
      }
      var chain: [Int] = []
      var at = piles.last ?? -1
      while at >= 0 {
        chain.append(at)
        at = before[at]
      }
      var (endA, endB) = (box.a.upperBound, box.b.upperBound)
      for index in chain {
        let anchor = unique[index]
        open.append(Box(a: anchor.a + 1..<endA, b: anchor.b + 1..<endB, depth: box.depth + 1))
        found.append(anchor)
        (endA, endB) = (anchor.a, anchor.b)
      }
      open.append(Box(a: box.a.lowerBound..<endA, b: box.b.lowerBound..<endB, depth: box.depth + 1))
      return true
    }

    /// A point on a shortest path through a box, or the farthest point that the search reached before it was stopped.
    private mutating func middle(_ box: Box) -> (Int, Int) {
      let (n, m) = (box.a.count, box.b.count)
      let (a0, b0) = (box.a.lowerBound, box.b.lowerBound)
      let delta = n - m
      let isOdd = delta & 1 != 0
      let limit = min((n + m + 1) / 2, SequenceAlignment.maxEdits)
      let zero = SequenceAlignment.maxEdits + 2
      forward[zero + 1] = 0
      backward[zero + 1] = 0
      for edits in 0...limit {
        for k in stride(from: -edits, through: edits, by: 2) {
          var x =
            k == -edits || k != edits && forward[zero + k - 1] < forward[zero + k + 1] ? forward[zero + k + 1] : forward[zero + k - 1] + 1
          var y = x - k
          while x < n, y < m, x >= 0, y >= 0, a[a0 + x] == b[b0 + y] {
            x += 1
            y += 1
          }
          forward[zero + k] = x
          let other = delta - k
          if isOdd, other >= -(edits - 1), other <= edits - 1, x <= n, y <= m, y >= 0, x + backward[zero + other] >= n {
            return (a0 + x, b0 + y)
          }
        }
        for k in stride(from: -edits, through: edits, by: 2) {
          var x =
            k == -edits || k != edits && backward[zero + k - 1] < backward[zero + k + 1]
            ? backward[zero + k + 1] : backward[zero + k - 1] + 1
          var y = x - k
          while x < n, y < m, x >= 0, y >= 0, a[a0 + n - 1 - x] == b[b0 + m - 1 - y] {
            x += 1
            y += 1
          }
          backward[zero + k] = x
          let other = delta - k
          if !isOdd, other >= -edits, other <= edits, x <= n, y <= m, y >= 0, x + forward[zero + other] >= n {
            return (a0 + n - x, b0 + m - y)
          }
        }
      }
      // Stopped: split at the farthest point.
      var best = (x: 0, y: 0)
      for k in stride(from: -limit, through: limit, by: 2) {
        let x = min(max(forward[zero + k], 0), n)
        let y = x - k
        if y >= 0, y <= m, x + y > best.x + best.y { best = (x, y) }
      }
      return (a0 + best.x, b0 + best.y)
    }
  }
}
