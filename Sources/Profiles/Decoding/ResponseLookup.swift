import Bluetooth

extension CompiledProfile {
  /// Numbers of the sources whose messages may respond to those of `source`; empty where there are none.
  public func sources(answering source: Int) -> [Int] {
    sources.indices.filter { sources[$0].answers.contains { $0.source == source } }
  }

  /// Whether a source may be an attribute of this UUID and handle.
  @_spi(Pipeline) public func source(_ source: Int, maybe uuid: BluetoothUUID?, _ handle: UInt16) -> Bool {
    sources[source].handles.contains(handle) || uuid.map(sources[source].uuids.contains) ?? false
  }
}
