import Foundation
import Testing

/// A problem as a client reads it: parsed by an independent parser, and checked against the contract.
struct ProblemReader {
  /// Every code and its status.
  static let statuses: [String: Int] = [
    "invalid-json": 400, "bad-request": 400, "head-too-large": 431, "unknown-kind": 404, "not-found": 404,
    "method-not-allowed": 405, "not-acceptable": 406, "length-required": 411, "body-too-large": 413,
    "unsupported-media-type": 415, "invalid-row": 422, "too-deep": 422, "output-too-large": 422,
    "overloaded": 503, "internal": 500,
  ]

  /// The last part of its URN.
  let code: String
  let status: Int
  let detail: String
  let line: Int?
  let column: Int?
  /// Each as `/3/kind: unknown-kind`, followed by ` 2:5` if it has line and column.
  let errors: [String]
  let errorCount: Int?

  /// Returns nil and records an issue if the object does not conform to RFC 9457 and the contract.
  init?(_ object: Any?, _ location: SourceLocation) {
    guard let members = object as? [String: Any], let type = members["type"] as? String,
      let title = members["title"] as? String, let status = members["status"] as? Int,
      let detail = members["detail"] as? String, let code = Self.code(type)
    else {
      Issue.record("no problem: \(String(describing: object))", sourceLocation: location)
      return nil
    }
    let known: Set = ["type", "title", "status", "detail", "line", "column", "errors", "errorCount"]
    #expect(Set(members.keys).isSubset(of: known), sourceLocation: location)
    #expect(status == Self.statuses[code], sourceLocation: location)
    #expect(!title.isEmpty && !detail.isEmpty, sourceLocation: location)
    self.code = code
    self.status = status
    self.detail = detail
    line = members["line"] as? Int
    column = members["column"] as? Int
    Self.check(line, column, location)
    errorCount = members["errorCount"] as? Int
    let entries = members["errors"] as? [[String: Any]]
    #expect(
      (entries == nil) == (members["errors"] == nil) && entries?.isEmpty != true, sourceLocation: location)
    #expect((entries == nil) == (errorCount == nil), sourceLocation: location)
    // Of errors with long pointers, fewer are listed.
    let pointerBytes = (entries ?? []).reduce(0) { $0 + (($1["pointer"] as? String)?.utf8.count ?? 0) }
    let isFull = pointerBytes >= 10_000 && (entries?.count ?? 0) < min(errorCount ?? 0, 100)
    #expect(isFull || (entries?.count ?? 0) == min(errorCount ?? 0, 100), sourceLocation: location)
    errors = (entries ?? []).map { Self.describe($0, location) }
  }

  private static func describe(_ entry: [String: Any], _ location: SourceLocation) -> String {
    let line = entry["line"] as? Int
    let column = entry["column"] as? Int
    check(line, column, location)
    guard let pointer = entry["pointer"] as? String, let type = entry["type"] as? String,
      let code = code(type),
      let detail = entry["detail"] as? String
    else {
      Issue.record("no error: \(entry)", sourceLocation: location)
      return ""
    }
    #expect(pointer.isEmpty || pointer.hasPrefix("/"), sourceLocation: location)
    #expect(!detail.isEmpty, sourceLocation: location)
    #expect(
      Set(entry.keys).isSubset(of: ["pointer", "type", "detail", "line", "column"]), sourceLocation: location)
    return "\(pointer): \(code)" + (line.map { " \($0):\(column ?? 0)" } ?? "")
  }

  private static func check(_ line: Int?, _ column: Int?, _ location: SourceLocation) {
    #expect((line == nil) == (column == nil), sourceLocation: location)
    #expect((line ?? 1) >= 1 && (column ?? 1) >= 1, sourceLocation: location)
  }

  private static func code(_ type: String) -> String? {
    let prefix = "urn:cellfactory:"
    guard type.hasPrefix(prefix) else { return nil }
    let code = String(type.dropFirst(prefix.count))
    return statuses[code] == nil ? nil : code
  }
}

extension TestResponse {
  /// The parsed body; nil, with an issue recorded, if it is not JSON.
  func json(_ location: SourceLocation = #_sourceLocation) -> Any? {
    do {
      return try JSONSerialization.jsonObject(with: Data(body), options: [.fragmentsAllowed])
    } catch {
      Issue.record("no JSON: \(text)", sourceLocation: location)
      return nil
    }
  }

  func problem(_ location: SourceLocation = #_sourceLocation) -> ProblemReader? {
    ProblemReader(json(location), location)
  }
}
