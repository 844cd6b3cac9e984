// swift-tools-version: 6.2
import PackageDescription

// Functions that return spans need lifetimes. All targets are compiled in Swift 6 mode.
let commonSettings: [SwiftSetting] = [
  .enableExperimentalFeature("Lifetimes"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// Expressions that the compiler cannot check are marked `unsafe`. `.ci/swiftc` adds the optimisation flags of a release build.
let strict: [SwiftSetting] = commonSettings + [.strictMemorySafety()]

let package = Package(
  name: "btscribe",
  platforms: [.macOS(.v26), .iOS(.v26)],
  products: [
    .library(name: "PacketCodecs", targets: ["PacketCodecs"]),
    .library(name: "KaitaiStruct", targets: ["KaitaiStruct"]),
    .library(name: "Profiles", targets: ["Profiles"]),
    .library(name: "Comparison", targets: ["Comparison"]),
    .executable(name: "btscribe", targets: ["btscribe"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
  ],
  targets: [
    .systemLibrary(name: "CPcap", pkgConfig: "libpcap", providers: [.apt(["libpcap-dev"]), .brew(["libpcap"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    // libyaml of apt or Homebrew. An iOS app that uses KaitaiStruct or Profiles adds a libyaml.a built for iOS to the libraries that its
    // target links (CMake builds it: -DCMAKE_SYSTEM_NAME=iOS); its header is that of Homebrew.
    .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    // Apple's systems have CommonCrypto and CryptoKit instead.
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .target(name: "CMemoryFault"),
    .target(name: "CReportPage", exclude: ["hashes.py", "report.css", "report.js"]),
    .target(name: "CBuiltinProfiles", exclude: ["Profiles"]),
    .target(name: "CAssignedNumbers", exclude: ["Tables", "assigned-numbers.py"]),

    .target(name: "PacketCodecs", swiftSettings: strict),
    .target(name: "Ciphers", dependencies: [.target(name: "CCrypto", condition: .when(platforms: [.linux]))], swiftSettings: strict),
    .target(name: "Memory", swiftSettings: strict),
    .target(name: "Text", dependencies: ["Memory"], swiftSettings: strict),
    .target(name: "Threads", swiftSettings: strict),
    .target(name: "Inference", dependencies: ["PacketCodecs", "Text", "Threads"], swiftSettings: strict),
    .target(name: "YAML", dependencies: ["CYAML"], swiftSettings: strict),
    .target(
      name: "KaitaiStruct", dependencies: ["Ciphers", "Memory", "PacketCodecs", "Text", "CZlib", "YAML"], exclude: ["Runtime/codepages.py"],
      swiftSettings: strict),
    .target(
      name: "Bluetooth", dependencies: ["CAssignedNumbers", "PacketCodecs"], swiftSettings: strict),
    .target(name: "Captures", dependencies: ["PacketCodecs", "Text", "Threads", "CPcap", "CZlib"], swiftSettings: strict),
    .target(
      name: "Keys", dependencies: ["Bluetooth", "Captures", "Ciphers", "PacketCodecs", "Text", "Threads"], swiftSettings: strict),
    .target(name: "Conversations", dependencies: ["Bluetooth", "Captures", "Memory"], swiftSettings: strict),
    .target(
      name: "Profiles",
      dependencies: ["Bluetooth", "CBuiltinProfiles", "Ciphers", "KaitaiStruct", "Memory", "PacketCodecs", "Text", "YAML"],
      swiftSettings: strict),
    .target(
      name: "Analysis", dependencies: ["Conversations", "Keys", "Memory", "Profiles", "Text", "Threads", "YAML"], swiftSettings: strict),
    .target(name: "Comparison", dependencies: ["Analysis", "Memory", "PacketCodecs", "Redaction", "Text"], swiftSettings: strict),
    .target(name: "BothSides", dependencies: ["Analysis", "Memory"], swiftSettings: strict),
    .target(
      name: "Output",
      dependencies: ["CReportPage", "CSQLite", "Analysis", "BothSides", "Comparison", "Inference", "Memory", "Text"],
      swiftSettings: strict),
    .target(name: "Redaction", dependencies: ["Analysis", "Memory", "Text"], swiftSettings: strict),
    .executableTarget(
      name: "btscribe",
      dependencies: [
        "Redaction", "BothSides", "Comparison", "Output", "Captures", "Keys", "KaitaiStruct", "Memory", "PacketCodecs", "Text", "Threads",
        "YAML",
        "CMemoryFault", "CPcap", "CSQLite", "CYAML", "CZlib",
        .target(name: "CCrypto", condition: .when(platforms: [.linux])),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),

    .testTarget(name: "TextTests", dependencies: ["Text"], swiftSettings: commonSettings),
    .testTarget(name: "PacketCodecsTests", dependencies: ["PacketCodecs", "TestSupport"], swiftSettings: commonSettings),
    .testTarget(
      name: "KaitaiStructTests", dependencies: ["KaitaiStruct", "Memory", "YAML", "FuzzKaitaiStruct", "TestSupport"],
      swiftSettings: commonSettings),
    .testTarget(name: "InferenceTests", dependencies: ["Inference", "PacketCodecs", "TestSupport"], swiftSettings: commonSettings),
    .testTarget(name: "BluetoothTests", dependencies: ["Bluetooth", "TestSupport"], swiftSettings: commonSettings),
    .testTarget(name: "CapturesTests", dependencies: ["Captures", "TestSupport"], exclude: ["Fixtures"], swiftSettings: commonSettings),
    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: commonSettings),
    .target(
      name: "CaptureScenes", dependencies: ["Conversations", "Captures"], path: "Tests/CaptureScenes", swiftSettings: commonSettings),
    .testTarget(
      name: "ConversationsTests", dependencies: ["Conversations", "CaptureScenes", "TestSupport"], swiftSettings: commonSettings),
    .testTarget(name: "CiphersTests", dependencies: ["Ciphers"], swiftSettings: commonSettings),
    .testTarget(name: "KeysTests", dependencies: ["Keys"], swiftSettings: commonSettings),
    .testTarget(name: "ProfilesTests", dependencies: ["Ciphers", "Memory", "Profiles", "TestSupport"], swiftSettings: commonSettings),
    .testTarget(
      name: "ProgramTests", dependencies: ["btscribe", "CSQLite", "TestSupport"], exclude: ["Findings"], swiftSettings: commonSettings),
    .testTarget(name: "FuzzTests", dependencies: ["FuzzProgram", "TestSupport"], swiftSettings: commonSettings),
    .testTarget(
      name: "AnalysisTests",
      dependencies: ["Analysis", "Output", "CaptureScenes", "TestSupport"],
      swiftSettings: commonSettings),
    .testTarget(
      name: "BothSidesTests", dependencies: ["Analysis", "BothSides", "Captures", "Conversations", "Keys", "TestSupport"],
      swiftSettings: commonSettings),
    .testTarget(
      name: "ComparisonTests", dependencies: ["Comparison", "Output", "Redaction", "CaptureScenes", "TestSupport"],
      swiftSettings: commonSettings),
    .testTarget(
      name: "RedactionTests", dependencies: ["Redaction", "CaptureScenes", "Keys", "TestSupport"], swiftSettings: commonSettings),
  ],
  swiftLanguageModes: [.v6]
)

// The fuzz targets, one library per layer. Ordinary tests replay their inputs too.
let layers: [(String, [Target.Dependency])] = [
  ("Input", []),
  ("Codecs", ["FuzzInput", "PacketCodecs"]),
  ("Captures", ["FuzzInput", "Captures"]),
  ("Packets", ["FuzzInput", "Conversations", "Keys"]),
  ("KaitaiStruct", ["FuzzInput", "KaitaiStruct"]),
  ("Profiles", ["FuzzInput", "Ciphers", "Memory", "Profiles"]),
  ("Filters", ["FuzzInput", "FuzzPackets", "Analysis"]),
  ("Redaction", ["FuzzInput", "Redaction"]),
  (
    "Program",
    [
      "FuzzCodecs", "FuzzCaptures", "FuzzPackets", "FuzzKaitaiStruct", "FuzzProfiles", "FuzzFilters", "FuzzRedaction", "BothSides",
      "Comparison", "Output",
    ]
  ),
]
package.targets += layers.map {
  .target(name: "Fuzz" + $0.0, dependencies: $0.1, path: "Tests/Fuzz/" + $0.0, swiftSettings: commonSettings)
}

// libFuzzer has a main function of its own, so only a build for fuzzing can link this executable: Tests/Fuzz/run.
if let layer = Context.environment["BTSCRIBE_FUZZ"] {
  package.targets.append(
    .executableTarget(
      name: "fuzz", dependencies: [.byName(name: "Fuzz" + layer), "TestSupport"], path: "Tests/Fuzz/Main",
      swiftSettings: commonSettings + [.define("FUZZ_" + layer.uppercased())]))
}

// A build for one purpose compiles only the tests that it runs: BTSCRIBE_TESTS='AnalysisTests KeysTests' swift build --build-tests
if let tests = Context.environment["BTSCRIBE_TESTS"]?.split(separator: " ").map(String.init) {
  package.targets.removeAll { $0.type == .test && !tests.contains($0.name) }
}
