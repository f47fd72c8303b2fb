package import Cells

/// An error as sent to the client: the object of RFC 9457 with the extension members `line`, `column`,
/// `errors` and `errorCount`.
///
/// It is the whole body of an error answer, or the member `error` of a bad row in a batch.
package struct Problem: Error, Sendable, Equatable {
  package static let contentType: StaticString = "application/problem+json"
  /// The most entries of `errors` kept and printed; `errorCount` keeps counting.
  package static let printedErrors = 100
  /// The most bytes of their pointers before the last of them. A pointer may be as long as a row.
  private static let pointerBytes = 256 << 10

  /// What went wrong with one row or one member of the body.
  package struct Entry: Sendable, Equatable {
    /// A JSON pointer (RFC 6901) from the body's root.
    package var pointer: String
    package var code: Code
    package var detail: String
    /// Set for errors in JSON syntax. Both count from 1; the column is in bytes of UTF-8.
    package var line: Int?
    package var column: Int?

    package init(pointer: String, code: Code, detail: String, line: Int? = nil, column: Int? = nil) {
      self.pointer = pointer
      self.code = code
      self.detail = detail
      self.line = line
      self.column = column
    }
  }

  package var code: Code
  package var detail: String
  /// Set for errors in JSON syntax. Both count from 1; the column is in bytes of UTF-8.
  package var line: Int?
  package var column: Int?
  /// The first errors, until they are full.
  package private(set) var errors: [Entry] = []
  private var pointerBytes = 0
  /// The number of all errors, including those not kept.
  package private(set) var errorCount = 0
  /// For `.methodNotAllowed`: the methods of the target, sent in the `Allow` header.
  package var allow: [String] = []
  /// For `.overloaded`: sent in the `Retry-After` header.
  package var retryAfterSeconds: Int?

  package init(_ code: Code, detail: String, line: Int? = nil, column: Int? = nil) {
    self.code = code
    self.detail = detail
    self.line = line
    self.column = column
  }

  package static func methodNotAllowed(_ method: RequestHead.Method, allow: [String]) -> Problem {
    let list = allow.joined(separator: ", ")
    var problem = Problem(
      .methodNotAllowed,
      detail: "\(Excerpt.quoted(method.name)) is not allowed for this path; it accepts \(list)")
    problem.allow = allow
    return problem
  }

  /// The problem for a server that is at its limit of work or memory.
  static func overloaded() -> Problem {
    overloaded(detail: "the server is overloaded; try again", retryAfterSeconds: 1)
  }

  package static func overloaded(detail: String, retryAfterSeconds: Int) -> Problem {
    var problem = Problem(.overloaded, detail: detail)
    problem.retryAfterSeconds = retryAfterSeconds
    return problem
  }

  /// Counts the error, and keeps it unless `errors` are full.
  package mutating func add(_ entry: Entry) {
    errorCount += 1
    if errorsAreFull { return }
    errors.append(entry)
    pointerBytes += entry.pointer.utf8.count
  }

  /// Counts errors without entries.
  package mutating func addUndescribed(_ count: Int = 1) { errorCount += count }

  /// Whether `errors` have as many entries, or as long ones, as are printed.
  package var errorsAreFull: Bool {
    errors.count == Self.printedErrors || pointerBytes >= Self.pointerBytes
  }

  /// Appends the problem as one compact JSON object.
  package func append(to buffer: inout ByteBuffer) {
    buffer.append("{\"type\":")
    JSONText.append(string: code.urn, to: &buffer)
    buffer.append(",\"title\":")
    JSONText.append(string: code.title, to: &buffer)
    buffer.append(",\"status\":")
    buffer.append(decimal: code.status)
    buffer.append(",\"detail\":")
    JSONText.append(string: detail, to: &buffer)
    Self.append(line: line, column: column, to: &buffer)
    if !errors.isEmpty {
      for (position, entry) in errors.enumerated() {
        buffer.append(position == 0 ? ",\"errors\":[" : ",")
        entry.append(to: &buffer)
      }
      buffer.append("],\"errorCount\":")
      buffer.append(decimal: errorCount)
    }
    buffer.append(byte: UInt8(ascii: "}"))
  }

  fileprivate static func append(line: Int?, column: Int?, to buffer: inout ByteBuffer) {
    if let line {
      buffer.append(",\"line\":")
      buffer.append(decimal: line)
    }
    if let column {
      buffer.append(",\"column\":")
      buffer.append(decimal: column)
    }
  }
}

extension Problem.Entry {
  fileprivate func append(to buffer: inout ByteBuffer) {
    buffer.append("{\"pointer\":")
    JSONText.append(string: pointer, to: &buffer)
    buffer.append(",\"type\":")
    JSONText.append(string: code.urn, to: &buffer)
    buffer.append(",\"detail\":")
    JSONText.append(string: detail, to: &buffer)
    Problem.append(line: line, column: column, to: &buffer)
    buffer.append(byte: UInt8(ascii: "}"))
  }
}
