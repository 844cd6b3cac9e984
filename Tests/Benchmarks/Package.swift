// swift-tools-version: 6.2
import PackageDescription

// Benchmarks are a package of their own, so that users of the package do not build them: swift run -c release --package-path Tests/Benchmarks
let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v26)],
  dependencies: [.package(name: "btscribe", path: "../..")],
  targets: [
    .executableTarget(
      name: "PacketCodecsBenchmark", dependencies: [.product(name: "PacketCodecs", package: "btscribe")],
      swiftSettings: [.enableExperimentalFeature("Lifetimes")])
  ],
  swiftLanguageModes: [.v6]
)
