// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "HummingbirdPeer",
  dependencies: [
    .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", exact: "2.1.1"),
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
  ],
  targets: [
    .executableTarget(
      name: "hummingbird-peer",
      dependencies: [
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Mustache", package: "swift-mustache"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ],
      path: "Sources/hummingbird-peer")
  ],
  swiftLanguageModes: [.v6]
)
