import Testing

/// A row of a table: a request and its expected answer.
struct ServiceCase: Sendable {
  enum Expected: Sendable {
    case html(String)
    case text(String)
    /// Exact text, except that `etag` and the wording of problems are printed as `#`.
    case json(String)
    case ndjson(String)
    /// `errors`: all errors, as `ProblemReader.errors` prints them; `count`: if there are more than 100.
    case problem(String, line: Int? = nil, column: Int? = nil, errors: [String] = [], count: Int? = nil)
    /// A status without a body.
    case empty(Int)
  }

  var name: String
  var request: TestRequest
  var expected: Expected
  /// Headers of the answer; an empty value means the header must be absent.
  var headers: [TestRequest.Header]
  var location: SourceLocation

  init(
    _ name: String, _ request: TestRequest, _ expected: Expected,
    headers: KeyValuePairs<String, String> = [:], location: SourceLocation = #_sourceLocation
  ) {
    self.name = name
    self.request = request
    self.expected = expected
    self.headers = headers.map { (name: $0.key, value: $0.value) }
    self.location = location
  }
}

extension HTTPTarget {
  /// Sends the request of each case, then checks that all memory was released.
  func check(_ cases: [ServiceCase], location: SourceLocation = #_sourceLocation) async throws {
    for row in cases { try await check(row) }
    #expect(await heldBytes() == 0, sourceLocation: location)
  }

  func check(_ row: ServiceCase) async throws {
    let location = row.location
    let response = try await ask(row.request, location)
    let comment = Comment(rawValue: "\(row.name): \(response.status) \(response.text.prefix(2000))")
    switch row.expected {
    case .html(let body):
      expect(response, "text/html; charset=utf-8", body, response.text, comment, location)
    case .text(let body):
      expect(response, "text/plain; charset=utf-8", body, response.text, comment, location)
    case .json(let body):
      expect(response, "application/json", body, response.normalized, comment, location)
      _ = response.json(location)
    case .ndjson(let body):
      expect(response, "application/x-ndjson", body, response.normalized, comment, location)
    case .problem(let code, let line, let column, let errors, let count):
      #expect(response.status == ProblemReader.statuses[code], comment, sourceLocation: location)
      guard row.request.method != "HEAD", let problem = response.problem(location) else { break }
      #expect(problem.code == code, comment, sourceLocation: location)
      #expect(problem.line == line && problem.column == column, comment, sourceLocation: location)
      #expect(problem.errors == errors, comment, sourceLocation: location)
      let total = count ?? (errors.isEmpty ? nil : errors.count)
      #expect(problem.errorCount == total, comment, sourceLocation: location)
    case .empty(let status):
      #expect(response.status == status, comment, sourceLocation: location)
      #expect(response.body.isEmpty && response["Content-Type"] == nil, comment, sourceLocation: location)
    }
    for header in row.headers {
      #expect((response[header.name] ?? "") == header.value, comment, sourceLocation: location)
    }
  }

  /// Sends a request and checks what holds for every answer.
  func ask(_ request: TestRequest, _ location: SourceLocation = #_sourceLocation) async throws -> TestResponse
  {
    let response = try await send(request)
    #expect(response["CellFactory-Archive"] == archiveHash, sourceLocation: location)
    #expect(response["X-Content-Type-Options"] == "nosniff", sourceLocation: location)
    let id = response["X-Request-Id"] ?? ""
    #expect(
      (1...128).contains(id.utf8.count) && id.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F },
      sourceLocation: location)
    #expect(
      Set(response.headers.map { $0.name.lowercased() }).count == response.headers.count,
      sourceLocation: location)
    #expect((response["Retry-After"] != nil) == (response.status == 503), sourceLocation: location)
    #expect(response.status != 405 || response["Allow"]?.isEmpty == false, sourceLocation: location)
    if request.method == "HEAD" || response.status == 204 || response.status == 304 {
      #expect(response.body.isEmpty, sourceLocation: location)
    } else if response.isStreamed {
      #expect(response.status == 200 && response["Content-Length"] == nil, sourceLocation: location)
    } else {
      #expect(response["Content-Length"] == String(response.body.count), sourceLocation: location)
    }
    if response.status >= 400 {
      #expect(response["Content-Type"] == "application/problem+json", sourceLocation: location)
      if request.method != "HEAD" {
        #expect(response.problem(location)?.status == response.status, sourceLocation: location)
      }
    } else if request.target.hasPrefix("/cells"), !request.target.hasPrefix("/cells."), response.status != 204
    {
      let vary = response["Vary"]
      #expect(
        vary == "Accept" || response["Content-Language"] != nil && vary == "Accept, Accept-Language",
        sourceLocation: location)
    }
    return response
  }

  private func expect(
    _ response: TestResponse, _ type: String, _ body: String, _ text: String, _ comment: Comment,
    _ location: SourceLocation
  ) {
    #expect(response.status == 200, comment, sourceLocation: location)
    #expect(response["Content-Type"] == type, comment, sourceLocation: location)
    #expect(text == body, comment, sourceLocation: location)
  }
}

extension TestResponse {
  /// The text with the values of the members `etag` (32 hexadecimal digits), `title` and `detail` replaced by
  /// `#`.
  fileprivate var normalized: String {
    var result = ""
    var rest = Substring(text)
    while let (name, range) = Self.nextMember(in: rest) {
      result += rest[..<range.upperBound]
      rest = rest[range.upperBound...]
      let value = Self.string(rest)
      let isTag = value.utf8.count == 32 && value.allSatisfy { $0.isHexDigit && !$0.isUppercase }
      if name != "etag" || isTag {
        result += "#"
        rest = rest[value.endIndex...]
      }
    }
    return result + rest
  }

  private static func nextMember(in text: Substring) -> (name: String, range: Range<Substring.Index>)? {
    let found = ["etag", "title", "detail"].compactMap { name in
      text.firstRange(of: "\"\(name)\":\"").map { (name: name, range: $0) }
    }
    return found.min { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// The content of a JSON string, up to the closing quote.
  private static func string(_ text: Substring) -> Substring {
    var end = text.startIndex
    while end < text.endIndex, text[end] != "\"" {
      if text[end] == "\\" { end = text.index(after: end) }
      end = text.index(after: end)
    }
    return text[..<end]
  }
}
