extension CompiledProfile {
  /// Numbers of the sources whose messages may answer those of `source`; empty where nothing answers them.
  public func sources(answering source: Int) -> [Int] {
    sources.indices.filter { sources[$0].answers.contains { $0.source == source } }
  }
}
