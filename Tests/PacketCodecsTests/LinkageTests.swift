import Foundation
import Testing

/// PacketCodecs imports nothing, so that any app and any platform can take it.
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
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
    #expect(files.count > 5)
    for file in files {
      let lines = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8).split(separator: "\n")
      let imports = lines.filter { $0.split(separator: " ").contains("import") && !$0.drop { $0 == " " }.hasPrefix("//") }
      #expect(imports.isEmpty, "\(file)")
    }
  }

  /// The objects name no symbol of Foundation, nor of the C library's mathematics (which a program that imports nothing does not link), and
  /// ask the linker for none of them.
  @Test func objectsReferToNothing() throws {
    // The tests run from a bundle beside the objects: …/debug/<package>PackageTests.xctest, …/debug/PacketCodecs.build.
    var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    let files = FileManager.default
    while folder.path != "/", !files.fileExists(atPath: folder.appendingPathComponent("PacketCodecs.build").path) {
      folder.deleteLastPathComponent()
    }
    let build = folder.appendingPathComponent("PacketCodecs.build")
    let objects = ((try? files.contentsOfDirectory(atPath: build.path)) ?? []).filter { $0.hasSuffix(".o") }
    guard !objects.isEmpty else { return }
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
