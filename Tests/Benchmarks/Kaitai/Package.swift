// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "KaitaiBenchmark",
  platforms: [.macOS(.v26)],
  dependencies: [.package(name: "btscribe", path: "../../..")],
  targets: [
    .executableTarget(name: "KaitaiBenchmark", dependencies: [.product(name: "KaitaiStruct", package: "btscribe")])
  ],
  swiftLanguageModes: [.v6]
)
