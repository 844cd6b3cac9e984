import Foundation

/// The built program, run by a shell as by a user.
enum Program {
  /// The package's folder.
  static let root: URL = {
    var folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    while !FileManager.default.fileExists(atPath: folder.appendingPathComponent("Package.swift").path), folder.path != "/" {
      folder = folder.deletingLastPathComponent()
    }
    return folder
  }()

  /// The folder of the binary: that of the tests' build, or `BTSCRIBE_BIN`.
  static let folder: String = {
    if let chosen = ProcessInfo.processInfo.environment["BTSCRIBE_BIN"], !chosen.isEmpty { return chosen }
    // Linux runs the .xctest itself; macOS runs a tool that gets the bundle's path as an argument.
    let bundle = CommandLine.arguments.first { $0.contains(".xctest") } ?? CommandLine.arguments[0]
    let upTo = bundle.range(of: ".xctest").map { String(bundle[..<$0.upperBound]) } ?? bundle
    return URL(fileURLWithPath: upTo).deletingLastPathComponent().path
  }()

  /// The binary.
  static var path: String { folder + "/btscribe" }

  /// Runs a command line in the package's folder, without the parts of the user's environment that could change the output.
  static func shell(_ line: String) throws -> (status: Int32, output: String, errors: String) {
    let scratch = FileManager.default.temporaryDirectory.appendingPathComponent("btscribe-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: scratch) }
    let out = scratch.appendingPathComponent("out"), err = scratch.appendingPathComponent("err")
    for file in [out, err] { try Data().write(to: file) }

    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", line]
    process.currentDirectoryURL = root
    process.environment = [
      "PATH": folder + ":/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC", "TERM": "dumb", "HOME": "/nonexistent",
      "TMP": scratch.path,
    ]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: out)
    process.standardError = try FileHandle(forWritingTo: err)
    try process.run()
    process.waitUntilExit()
    let read = { (file: URL) in
      String(decoding: try Data(contentsOf: file), as: UTF8.self).replacingOccurrences(of: scratch.path, with: "$TMP")
    }
    return (process.terminationStatus, try read(out), try read(err))
  }
}
