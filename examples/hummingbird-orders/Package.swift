// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "OrdersExample",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "CellFactory", path: "../.."),
    .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
  ],
  targets: [
    .executableTarget(
      name: "orders",
      dependencies: [
        .product(name: "Cells", package: "CellFactory"),
        .product(name: "Hummingbird", package: "hummingbird"),
      ])
  ]
)
