// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

// Tests are not optimized in a release either, which would take most of its build; what they test is.
let tests = strict + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

let package = Package(
  name: "CellFactory",
  products: [
    .executable(name: "cellfactory", targets: ["CellFactoryCLI"]),
    .library(name: "Cells", targets: ["Cells", "CellTemplates"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
  ],
  targets: [
    .systemLibrary(
      name: "CMicrohttpd", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
    .systemLibrary(name: "CXXHash", providers: [.apt(["libxxhash-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .target(name: "CEpoll"),
    .target(name: "CEscape"),
    .target(name: "CFormats", exclude: ["UNICODE-LICENSE.txt", "locales.bin", "locales.sha256"]),
    .target(name: "CMemory"),
    .target(name: "CNodes"),
    // Includes files of `CellServer` and `CellPreview`.
    .target(name: "CResources"),
    .target(name: "CRowPlan", dependencies: ["CEscape", "CFormats", "CNodes"]),
    .target(name: "CStartup"),
    .target(
      name: "CSimdJSON", dependencies: ["CMemory", "CNodes"], linkerSettings: [.linkedLibrary("simdjson")]),

    .target(name: "CellTemplates", dependencies: ["CFormats", "CXXHash"], swiftSettings: strict),
    .target(
      name: "Cells",
      dependencies: ["CellTemplates", "CEscape", "CFormats", "CMemory", "CNodes", "CRowPlan", "CSimdJSON"],
      exclude: ["Plans/PLANS.md"], swiftSettings: strict),
    .target(
      name: "CellServer",
      dependencies: ["Cells", "CellTemplates", "CEpoll", "CMicrohttpd", "CResources", "CZlib"],
      exclude: ["Web"], swiftSettings: strict),
    .target(
      name: "CellPreview", dependencies: ["CResources", "CellServer", "Cells", "CellTemplates"],
      exclude: [
        "Resources/index.html", "Resources/kind.html", "Resources/diagnostics.html", "Resources/page.css",
        "Resources/page.js",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "CellFactoryCLI",
      dependencies: [
        "CStartup", "CellPreview", "CellServer", "Cells", "CellTemplates",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),

    // Times and counts the stages of rendering, beside renderers written by hand.
    .executableTarget(
      name: "cells-benchmark", dependencies: ["Cells", "CellTemplates"],
      path: "Sources/CellsBenchmark", swiftSettings: strict),

    // What tests of several modules share.
    .target(name: "Scaling", path: "Tests/Scaling", swiftSettings: strict),
    .target(name: "MadeUpLocales", path: "Tests/MadeUpLocales", swiftSettings: strict),
    .testTarget(
      name: "CellTemplatesTests", dependencies: ["CellTemplates", "CXXHash", "Scaling"], swiftSettings: tests),
    .testTarget(
      name: "CellsTests",
      dependencies: ["Cells", "CellTemplates", "CEscape", "CNodes", "CRowPlan", "MadeUpLocales", "Scaling"],
      swiftSettings: tests),
    .testTarget(
      name: "CellServerTests",
      dependencies: ["CellServer", "Cells", "CellTemplates", "CZlib", "MadeUpLocales", "Scaling"],
      swiftSettings: tests),
    .testTarget(
      name: "CellPreviewTests",
      dependencies: ["CellPreview", "CellServer", "Cells", "CellTemplates", "Scaling"],
      swiftSettings: tests),
    .testTarget(name: "CellFactoryCLITests", dependencies: ["CellFactoryCLI"], swiftSettings: tests),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)
