import Foundation
import Testing

/// PacketCodecs imports nothing, so that any app on any platform can use it.
@Suite struct LinkageTests {
  private static let root: URL = {
    var root = URL(fileURLWithPath: #filePath)
    while root.path != "/", !FileManager.default.fileExists(atPath: root.appendingPathComponent("Package.swift").path) {
      root.deleteLastPathComponent()
    }
    return root
  }()

  @Test func sourcesImportNothing() throws {
    let folder = Self.root.appendingPathComponent("Sources/PacketCodecs")
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
    #expect(files.count > 5)
    for file in files {
      let lines = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8).split(separator: "\n")
      let imports = lines.filter { $0.split(separator: " ").contains("import") && !$0.drop { $0 == " " }.hasPrefix("//") }
      #expect(imports.isEmpty, "\(file)")
    }
  }

  /// The folder of the module's objects. The tests run from a bundle beside it: …/debug/<package>PackageTests.xctest,
  /// …/debug/PacketCodecs.build. macOS runs a tool that gets the bundle's path as an argument.
  private static let build: URL? = {
    for argument in CommandLine.arguments where argument.contains(".xctest") {
      var folder = URL(fileURLWithPath: argument)
      while folder.path != "/" {
        folder.deleteLastPathComponent()
        let build = folder.appendingPathComponent("PacketCodecs.build")
        if FileManager.default.fileExists(atPath: build.path) { return build }
      }
    }
    return nil
  }()

  /// The objects refer to no symbol of Foundation, nor of the C library's mathematics (which a program without imports does not link), and
  /// have no linker directives for them.
  @Test func objectsReferToNothing() throws {
    let build = try #require(Self.build, "no folder PacketCodecs.build above \(CommandLine.arguments)")
    let objects = try FileManager.default.contentsOfDirectory(atPath: build.path).filter { $0.hasSuffix(".o") }
    #expect(objects.count > 5)
    for object in objects {
      let data = try Data(contentsOf: build.appendingPathComponent(object))
      for name in ["10Foundation", "-lFoundation", "_FoundationICU", "-lBlocksRuntime", "-ldispatch"] {
        #expect(data.range(of: Data(name.utf8)) == nil, "\(object) refers to \(name)")
      }
      for name in ["floor", "ceil", "trunc", "rint", "nearbyint", "fmod"] {
        #expect(data.range(of: Data([0] + Array(name.utf8) + [0])) == nil, "\(object) calls \(name)")
      }
    }
  }
}
