import Foundation

/// Captures, vectors and facts that tests use if they exist, and that are no part of the package: the folder `BTSCRIBE_SHARED`, or
/// `shared` beside the package or above it.
public enum SharedFolder {
  /// The path of a folder or file in it; nil if it does not exist.
  public static func path(_ name: String) -> String? {
    let files = FileManager.default
    if let folder = ProcessInfo.processInfo.environment["BTSCRIBE_SHARED"] {
      return files.fileExists(atPath: "\(folder)/\(name)") ? "\(folder)/\(name)" : nil
    }
    var folder = URL(fileURLWithPath: #filePath)
    while folder.path != "/" {
      folder.deleteLastPathComponent()
      let found = folder.appendingPathComponent("shared/\(name)").path
      if files.fileExists(atPath: found) { return found }
    }
    return nil
  }

  /// The paths of the captures, sorted by name.
  public static let captures: [String] = {
    guard let folder = path("captures"), let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return [] }
    return names.filter { !$0.hasSuffix(".tsv") && !$0.hasSuffix(".bin") }.sorted().map { "\(folder)/\($0)" }
  }()
}
