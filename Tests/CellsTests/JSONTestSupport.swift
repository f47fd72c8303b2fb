import Foundation

@testable import Cells

/// A text with its parser and tape, kept alive together.
final class ParsedJSON {
  var text = ByteBuffer()
  let parser = JSONParser()
  let names: JSONNames
  private(set) var root: JSONTape.Index = 0

  /// Parses `bytes`. `behind` follows them in the same buffer and must make no difference.
  init(
    _ bytes: [UInt8], names: [String] = [], depthLimit: Int = JSONParser.defaultDepthLimit,
    behind: [UInt8] = []
  ) throws(JSONFault) {
    self.names = JSONNames(names.map { Array($0.utf8) })
    text.append(bytes)
    text.append(behind)
    root = try parser.parse(&text, in: 0..<bytes.count, names: self.names, depthLimit: depthLimit)
  }

  convenience init(_ text: String, names: [String] = [], depthLimit: Int = 512) throws(JSONFault) {
    try self.init(Array(text.utf8), names: names, depthLimit: depthLimit)
  }

  var tape: JSONTape { parser.tape(over: text) }

  /// The document, printed back as JSON.
  var printed: String {
    var output = ByteBuffer()
    tape.appendJSON(root, to: &output)
    return output.description
  }

  func string(_ index: JSONTape.Index) -> String { String(decoding: tape.bytes(index), as: UTF8.self) }
}

/// The fault of a text that must be refused; nil if it is accepted.
func fault(
  of bytes: [UInt8], depthLimit: Int = JSONParser.defaultDepthLimit, behind: [UInt8] = []
) -> JSONFault? {
  do throws(JSONFault) {
    _ = try ParsedJSON(bytes, depthLimit: depthLimit, behind: behind)
    return nil
  } catch {
    return error
  }
}

func fault(of text: String, depthLimit: Int = JSONParser.defaultDepthLimit) -> JSONFault? {
  fault(of: Array(text.utf8), depthLimit: depthLimit)
}

/// The files of JSONTestSuite, if they are available: `y_` must be accepted, `n_` refused; `i_` is up to the
/// implementation.
enum JSONTestSuite {
  static let folder: URL? = {
    let candidate: URL
    if let path = ProcessInfo.processInfo.environment["CELLFACTORY_JSON_TEST_SUITE"] {
      candidate = URL(fileURLWithPath: path)
    } else {
      var root = URL(fileURLWithPath: #filePath)
      for _ in 0..<3 { root.deleteLastPathComponent() }
      candidate = root.appendingPathComponent("../shared/json-test-suite/test_parsing").standardizedFileURL
    }
    return FileManager.default.fileExists(atPath: candidate.path) ? candidate : nil
  }()

  static func names(withPrefix prefix: String) throws -> [String] {
    guard let folder else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix(prefix) }
      .sorted()
  }

  static func bytes(of name: String) throws -> [UInt8] {
    guard let folder else { return [] }
    return try Array(Data(contentsOf: folder.appendingPathComponent(name)))
  }
}
