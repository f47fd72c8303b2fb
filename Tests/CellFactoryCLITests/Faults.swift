import Foundation
import Testing

/// System calls that fail in a command started with these variables; Tests/Faults/faults.c lists them.
enum Faults {
  private static let library = Result { try compile() }

  /// - Parameter faults: the variables of faults.c.
  static func environment(_ faults: KeyValuePairs<String, Int>) throws -> [String: String] {
    var variables = ["LD_PRELOAD": try library.get()]
    for (name, value) in faults { variables[name] = String(value) }
    return variables
  }

  /// The toolchain that builds the package includes a C compiler.
  private static func compile() throws -> String {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(
      "cellfactory-faults-\(UUID()).so"
    ).path
    let compiler = Process()
    compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    compiler.arguments = [
      "clang", "-O1", "-shared", "-fPIC", "-o", path, Package.folder + "/Tests/Faults/faults.c", "-ldl",
    ]
    try compiler.run()
    compiler.waitUntilExit()
    try #require(compiler.terminationStatus == 0, "faults.c does not compile")
    atexit { if case .success(let path) = Faults.library { unlink(path) } }
    return path
  }
}
