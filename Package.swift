// swift-tools-version: 6.2
import PackageDescription

// Spans that are returned from functions need lifetimes; the whole house is compiled in Swift 6 mode.
let house: [SwiftSetting] = [
  .enableExperimentalFeature("Lifetimes"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// What the compiler cannot check says `unsafe`.
let strict: [SwiftSetting] = house + [.strictMemorySafety()]

// Without it a public function of another module costs ten times as much (measured); only for what no app depends on.
let hot: [SwiftSetting] =
  strict + [.unsafeFlags(["-cross-module-optimization", "-enforce-exclusivity=unchecked"], .when(configuration: .release))]

let package = Package(
  name: "btscribe",
  platforms: [.macOS(.v26), .iOS(.v26)],
  products: [
    .library(name: "PacketCodecs", targets: ["PacketCodecs"]),
    .library(name: "Kaitai", targets: ["Kaitai"]),
    .library(name: "Profiles", targets: ["Profiles"]),
    .executable(name: "btscribe", targets: ["btscribe"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
  ],
  targets: [
    .systemLibrary(name: "CPcap", pkgConfig: "libpcap", providers: [.apt(["libpcap-dev"]), .brew(["libpcap"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .target(name: "CNoLocaleData"),
    .target(name: "CMustache"),
    .target(name: "CReportPage"),
    .target(name: "CProfileTexts"),

    .target(name: "PacketCodecs", swiftSettings: strict),
    .target(
      name: "YAML",
      dependencies: [
        .target(name: "CYAML", condition: .when(platforms: [.linux])),
        // Apps cannot link a library of the system's packages: there, libyaml comes with Yams, of which nothing else is used.
        .product(name: "Yams", package: "Yams", condition: .when(platforms: [.macOS, .iOS])),
      ],
      swiftSettings: strict),
    .target(
      name: "Kaitai", dependencies: ["PacketCodecs", "CZlib", "YAML"], exclude: ["codepages.py"],
      swiftSettings: strict),
    .target(
      name: "Bluetooth", dependencies: ["PacketCodecs"], exclude: ["assigned-numbers.py"], swiftSettings: hot),
    .target(name: "Captures", dependencies: ["PacketCodecs", "CPcap", "CZlib"], swiftSettings: hot),
    .target(name: "Conversations", dependencies: ["Bluetooth", "Captures"], swiftSettings: hot),
    .target(
      name: "Profiles", dependencies: ["CProfileTexts", "Kaitai", "PacketCodecs", "YAML"], exclude: ["Builtin"],
      swiftSettings: hot),
    .target(
      name: "Timeline", dependencies: ["Conversations", "Profiles", "YAML"], swiftSettings: hot),
    .target(
      name: "Reports",
      dependencies: [
        "CReportPage", "CSQLite", "Timeline",
        // On Linux it would bring Foundation, and double the program: there, the same templates go through a C++ library.
        .product(name: "Mustache", package: "swift-mustache", condition: .when(platforms: [.macOS, .iOS])),
        .target(name: "CMustache", condition: .when(platforms: [.linux])),
      ],
      exclude: ["HTML"], swiftSettings: hot),
    .target(name: "Redaction", dependencies: ["Timeline"], swiftSettings: hot),
    .executableTarget(
      name: "btscribe",
      dependencies: [
        "CNoLocaleData", "Redaction", "Reports", "Captures", "Kaitai", "PacketCodecs",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: hot),

    .testTarget(name: "PacketCodecsTests", dependencies: ["PacketCodecs"], swiftSettings: house),
    .testTarget(
      name: "KaitaiTests", dependencies: ["Kaitai", "YAML"], swiftSettings: house),
    .testTarget(name: "BluetoothTests", dependencies: ["Bluetooth"], swiftSettings: house),
    .testTarget(name: "CapturesTests", dependencies: ["Captures"], exclude: ["Fixtures"], swiftSettings: house),
    .target(
      name: "CaptureScenes", dependencies: ["Conversations", "Captures"], path: "Tests/CaptureScenes", swiftSettings: house),
    .testTarget(name: "ConversationsTests", dependencies: ["Conversations", "CaptureScenes"], swiftSettings: house),
    .testTarget(name: "ProfilesTests", dependencies: ["Profiles"], swiftSettings: house),
    .testTarget(name: "ProgramTests", dependencies: ["btscribe", "CSQLite"], swiftSettings: house),
    .testTarget(name: "FuzzTests", dependencies: ["FuzzProgram"], swiftSettings: house),
    .testTarget(
      name: "TimelineTests",
      dependencies: ["Timeline", "Reports", "CaptureScenes", .product(name: "Mustache", package: "swift-mustache")], swiftSettings: house),
    .testTarget(name: "RedactionTests", dependencies: ["Redaction", "CaptureScenes"], swiftSettings: house),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)

// What the fuzzer runs, layer by layer, is replayed by ordinary tests too.
let layers: [(String, [Target.Dependency])] = [
  ("Input", []),
  ("Codecs", ["FuzzInput", "PacketCodecs"]),
  ("Captures", ["FuzzInput", "Captures"]),
  ("Packets", ["FuzzInput", "Conversations"]),
  ("Kaitai", ["FuzzInput", "Kaitai"]),
  ("Profiles", ["FuzzInput", "Profiles"]),
  ("Filters", ["FuzzInput", "FuzzPackets", "Timeline"]),
  ("Program", ["FuzzCodecs", "FuzzCaptures", "FuzzPackets", "FuzzKaitai", "FuzzProfiles", "FuzzFilters", "Reports"]),
]
package.targets += layers.map { .target(name: "Fuzz" + $0.0, dependencies: $0.1, path: "Tests/Fuzz/" + $0.0, swiftSettings: house) }

// libFuzzer brings a main function of its own, so that only a build for fuzzing can link this: Tests/Fuzz/run.
if let layer = Context.environment["BTSCRIBE_FUZZ"] {
  package.targets.append(
    .executableTarget(
      name: "fuzz", dependencies: [.byName(name: "Fuzz" + layer)], path: "Tests/Fuzz/Main",
      swiftSettings: house + [.define("FUZZ_" + layer.uppercased())]))
}
