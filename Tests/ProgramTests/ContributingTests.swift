import Foundation
import Testing

/// `CONTRIBUTING.md` is the map of the code: what it names must be there.
@Suite struct ContributingTests {
  private static let root = URL(filePath: "\(#filePath.components(separatedBy: "/Tests/")[0])/")
  private static let guide = (try? String(contentsOf: root.appending(path: "CONTRIBUTING.md"), encoding: .utf8)) ?? ""
  /// All files and folders, as paths from the root.
  private static let paths: [String] = {
    var paths: [String] = []
    for folder in ["Sources", "Tests", "Samples", "man", ".ci", "debian"] {
      let found = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
      while let path = found?.nextObject() as? String { paths.append("\(folder)/\(path)") }
    }
    return paths
  }()

  /// What stands between backquotes, outside of blocks.
  private static var quoted: [String] {
    guide.components(separatedBy: "`").enumerated().compactMap { $0.offset % 2 == 1 ? $0.element : nil }
  }

  private static func exists(_ path: String) -> Bool {
    let path = path.hasSuffix("/") ? String(path.dropLast()) : path
    return FileManager.default.fileExists(atPath: root.appending(path: path).path)
      || paths.contains { $0 == path || $0.hasSuffix("/\(path)") }
  }

  @Test func filesAreThere() {
    // A path, or a name with an ending that the project's files have. Command lines and words of the languages are neither.
    let endings = [".swift", ".py", ".c", ".md", ".css", ".js", ".rb", ".docc"]
    let files = Self.quoted.filter { token in
      !token.contains(" ") && !token.contains("*") && token.contains { $0.isLetter }
        && (token.contains("/") && token != "MODULE.docc/MODULE.md" || endings.contains { token.hasSuffix($0) } && token != "MODULE.swift")
    }
    #expect(files.count > 40)
    for file in files { #expect(Self.exists(file), "CONTRIBUTING.md names \(file)") }
  }

  @Test func declarationsAreThere() throws {
    // Types: words of several parts, the first letter of each a capital one.
    let types = Set(
      Self.quoted.flatMap { $0.split(separator: ".") }.filter { token in
        token.first?.isUppercase == true && token.contains { $0.isLowercase } && token.dropFirst().contains { $0.isUppercase }
          && token.allSatisfy { $0.isLetter || $0.isNumber }
      }.map(String.init))
    #expect(types.count > 10)
    var missing = types
    for path in Self.paths where path.hasSuffix(".swift") && !missing.isEmpty {
      guard let text = try? String(contentsOf: Self.root.appending(path: path), encoding: .utf8) else { continue }
      for type in missing
      where text.contains("class \(type)") || text.contains("struct \(type)") || text.contains("enum \(type)")
        || text.contains("protocol \(type)") || path.hasSuffix("/\(type).swift")
      { missing.remove(type) }
    }
    #expect(missing.isEmpty, "CONTRIBUTING.md names \(missing.sorted())")
  }
}
