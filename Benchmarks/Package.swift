// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "CellBenchmarks",
  dependencies: [.package(name: "CellFactory", path: "..")],
  targets: [
    .executableTarget(
      name: "cells-benchmark",
      dependencies: [.product(name: "Cells", package: "CellFactory")],
      path: "Sources/cells-benchmark")
  ],
  swiftLanguageModes: [.v6]
)
