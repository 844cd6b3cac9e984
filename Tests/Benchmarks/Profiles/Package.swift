// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "ProfilesBenchmark",
  platforms: [.macOS(.v26)],
  dependencies: [.package(name: "btscribe", path: "../../..")],
  targets: [
    .executableTarget(name: "ProfilesBenchmark", dependencies: [.product(name: "Profiles", package: "btscribe")])
  ],
  swiftLanguageModes: [.v6]
)
