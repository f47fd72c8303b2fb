import Foundation
import Testing

/// The result of a command.
struct CommandOutcome {
  /// The negative signal number if the process was killed.
  var status: Int32
  var output: [UInt8]
  var errors: String

  var text: String { String(decoding: output, as: UTF8.self) }
}

/// Runs the command until it exits.
func run(
  _ arguments: String..., environment: [String: String] = [:], folder: String? = nil, input: String = ""
) throws -> CommandOutcome {
  try run(arguments, environment: environment, folder: folder, input: input)
}

func run(
  _ arguments: [String], environment: [String: String] = [:], folder: String? = nil, input: String = ""
) throws -> CommandOutcome {
  let process = try CommandProcess(arguments, environment: environment, folder: folder, input: input)
  // On timeout, the process is killed with its object.
  let status = try #require(process.wait(), "\(arguments) does not end")
  return CommandOutcome(status: status, output: process.output, errors: process.errorText)
}

/// Paths in the package.
enum Package {
  static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path
  /// The templates that `serve` uses by default.
  static let templates = URL(fileURLWithPath: folder + "/templates").resolvingSymlinksInPath().path

  /// The kinds of `templates` that have sample rows, with the files of the samples.
  static func samples() throws -> [(kind: String, file: String)] {
    let ending = ".sample.json"
    let names = FileManager.default.enumerator(atPath: templates)?.compactMap { $0 as? String } ?? []
    let samples = names.sorted().filter { $0.hasSuffix(ending) }
    try #require(samples.count >= 7, "the package's templates have lost their samples")
    return samples.map { (String($0.dropLast(ending.count)), templates + "/" + $0) }
  }
}

/// A folder that is deleted in `deinit`.
final class TemporaryFolder {
  let path: String

  /// - Parameter files: the contents, by path in the folder.
  init(_ files: KeyValuePairs<String, String> = [:]) throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "cellfactory-\(UUID().uuidString)")
    path = url.path
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    for (name, text) in files { try write(name, Array(text.utf8)) }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  subscript(_ name: String) -> String { path + "/" + name }

  /// Everything in the folder, including hidden files.
  var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }

  func write(_ name: String, _ bytes: [UInt8]) throws {
    let url = URL(fileURLWithPath: self[name])
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
  }

  func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: self[name])))
  }
}
