import Foundation
import Testing

/// `CONTRIBUTING.md` is the map of the code: the files and types that it names must exist.
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

  /// The texts between backquotes, outside of blocks.
  private static var quoted: [String] {
    guide.components(separatedBy: "`").enumerated().compactMap { $0.offset % 2 == 1 ? $0.element : nil }
  }

  private static func exists(_ path: String) -> Bool {
    let path = path.hasSuffix("/") ? String(path.dropLast()) : path
    return FileManager.default.fileExists(atPath: root.appending(path: path).path)
      || paths.contains { $0 == path || $0.hasSuffix("/\(path)") }
  }

  @Test func filesAreThere() {
    // A path, or a name with one of the project's file name extensions. Command lines, words of languages and patterns are left out.
    let endings = [".swift", ".py", ".c", ".css", ".js", ".rb"]
    let files = Self.quoted.filter { token in
      guard !token.contains(" "), !token.contains("*"), !token.hasPrefix("MODULE"), token.contains(where: \.isLetter) else { return false }
      return token.contains("/") || endings.contains { token.hasSuffix($0) }
    }
    #expect(files.count > 40)
    for file in files { #expect(Self.exists(file), "CONTRIBUTING.md names \(file)") }
  }

  @Test func declarationsAreThere() {
    // Types: several words, each with an upper-case first letter.
    let types = Set(
      Self.quoted.flatMap { $0.split(separator: ".") }.filter { token in
        token.first?.isUppercase == true && token.contains { $0.isLowercase } && token.dropFirst().contains { $0.isUppercase }
          && token.allSatisfy { $0.isLetter || $0.isNumber }
      }.map(String.init))
    #expect(types.count > 10)
    let known = Set(Self.paths.map { ($0 as NSString).lastPathComponent.replacingOccurrences(of: ".swift", with: "") })
    var missing = types.subtracting(known)
    for path in Self.paths where path.hasSuffix(".swift") && !missing.isEmpty {
      guard let text = try? String(contentsOf: Self.root.appending(path: path), encoding: .utf8) else { continue }
      for keyword in ["class ", "struct ", "enum ", "protocol "] {
        for part in text.components(separatedBy: keyword).dropFirst() { missing.remove(String(part.prefix { $0.isLetter || $0.isNumber })) }
      }
    }
    #expect(missing.isEmpty, "CONTRIBUTING.md names \(missing.sorted())")
  }

  /// A folder of tests that is not a target would never run.
  @Test func allTestsRun() throws {
    let package = try String(contentsOf: Self.root.appending(path: "Package.swift"), encoding: .utf8)
    let all = try FileManager.default.contentsOfDirectory(atPath: Self.root.appending(path: "Tests").path)
    let folders = all.filter { $0.hasSuffix("Tests") }
    #expect(folders.count > 10)
    for folder in folders { #expect(package.contains("name: \"\(folder)\""), "Package.swift has no target for Tests/\(folder)") }
  }
}
