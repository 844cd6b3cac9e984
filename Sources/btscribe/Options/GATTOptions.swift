import ArgumentParser
import Conversations
import KaitaiStruct
import Analysis
import YAML

/// Attribute tables from outside a capture.
struct GATTOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Attribute tables the capture does not show: as summary --gatt-out writes them, or from BlueZ's cache.", valueName: "file"),
    completion: .file())
  var gatt: [String] = []

  /// All tables joined. Throws ``CommandError``.
  func load() throws -> GATTCache {
    var map = GATTCache()
    let budget = DocumentBudget()
    for path in gatt {
      guard let bytes = FileImports.read(path, limit: GATTCache.maximumSize, isNamed: true) else { throw CommandError.unreadable(path) }
      let text = String(decoding: bytes, as: UTF8.self)
      do throws(GATTCacheError) {
        map.devices += try GATTCache(text: text, path: path, budget).devices
      } catch {
        throw CommandError(CommandError.Status.malformed, CommandError.clean(error.description))
      }
    }
    return map
  }
}
