import Cells
import Testing

@testable import CellServer

@Suite struct HTTPProblemTests {
  private func text(_ problem: Problem) -> String {
    var buffer = ByteBuffer()
    problem.append(to: &buffer)
    return buffer.description
  }

  @Test(
    arguments: [
      (.invalidJSON, 400, "urn:cellfactory:invalid-json"), (.badRequest, 400, "urn:cellfactory:bad-request"),
      (.headTooLarge, 431, "urn:cellfactory:head-too-large"),
      (.unknownKind, 404, "urn:cellfactory:unknown-kind"),
      (.notFound, 404, "urn:cellfactory:not-found"),
      (.methodNotAllowed, 405, "urn:cellfactory:method-not-allowed"),
      (.notAcceptable, 406, "urn:cellfactory:not-acceptable"),
      (.lengthRequired, 411, "urn:cellfactory:length-required"),
      (.bodyTooLarge, 413, "urn:cellfactory:body-too-large"),
      (.unsupportedMediaType, 415, "urn:cellfactory:unsupported-media-type"),
      (.invalidRow, 422, "urn:cellfactory:invalid-row"), (.tooDeep, 422, "urn:cellfactory:too-deep"),
      (.outputTooLarge, 422, "urn:cellfactory:output-too-large"),
      (.overloaded, 503, "urn:cellfactory:overloaded"),
      (.internal, 500, "urn:cellfactory:internal"),
    ] as [(Problem.Code, Int, String)])
  func everyCodeHasItsStatusAndURN(_ code: Problem.Code, _ status: Int, _ urn: String) {
    #expect(code.status == status)
    #expect(code.urn == urn)
    #expect(!code.title.isEmpty)
  }

  @Test func noCodeIsForgottenAndTitlesDiffer() {
    #expect(Problem.Code.allCases.count == 15)
    #expect(Set(Problem.Code.allCases.map(\.title)).count == 15)
  }

  @Test func isOneJSONObject() {
    #expect(
      text(Problem(.notFound, detail: "there is no \"x\"\n")) == #"""
        {"type":"urn:cellfactory:not-found","title":"Not found","status":404,"detail":"there is no \"x\"\n"}
        """#)
    #expect(
      text(Problem(.invalidJSON, detail: "é", line: 1, column: 12)) == #"""
        {"type":"urn:cellfactory:invalid-json","title":"Invalid JSON","status":400,"detail":"é",\#
        "line":1,"column":12}
        """#)
  }

  @Test func listsErrorsWithTheirCount() {
    var problem = Problem(.invalidRow, detail: "2 rows are bad")
    problem.add(.init(pointer: "/0/kind", code: .unknownKind, detail: "no"))
    problem.add(.init(pointer: "/1", code: .invalidJSON, detail: "bad", line: 2, column: 3))
    #expect(
      text(problem).hasSuffix(
        #"""
        ,"detail":"2 rows are bad","errors":[\#
        {"pointer":"/0/kind","type":"urn:cellfactory:unknown-kind","detail":"no"},\#
        {"pointer":"/1","type":"urn:cellfactory:invalid-json","detail":"bad","line":2,"column":3}\#
        ],"errorCount":2}
        """#))
  }

  @Test func printsAHundredErrorsAndCountsAll() {
    var problem = Problem(.invalidRow, detail: "bad")
    for position in 0..<100 { problem.add(.init(pointer: "/\(position)", code: .invalidRow, detail: "bad")) }
    #expect(problem.errorsAreFull)
    problem.add(.init(pointer: "/100", code: .invalidRow, detail: "bad"))
    problem.addUndescribed()
    let text = text(problem)
    #expect(text.split(separator: "\"pointer\":").count == 101)
    #expect(text.contains("\"pointer\":\"/99\""))
    #expect(text.hasSuffix("],\"errorCount\":102}"))
  }

  /// A pointer is as long as a row is deep, so errors are full before there are many.
  @Test func longPointersAreFewer() {
    var problem = Problem(.invalidRow, detail: "")
    for number in 0..<5 {
      let pointer = String(repeating: "/a", count: 50_000) + "/\(number)"
      problem.add(Problem.Entry(pointer: pointer, code: .invalidRow, detail: "d"))
    }
    #expect(problem.errorsAreFull && problem.errors.count == 3 && problem.errorCount == 5)
  }

  @Test func anAnswerCarriesTypeAndHeaders() {
    let notAllowed = Problem.methodNotAllowed(.other("PUT"), allow: ["POST", "OPTIONS"])
    #expect(
      head(Answer(problem: notAllowed, closesConnection: true))
        == ["405", "application/problem+json", "Allow: POST, OPTIONS", "close"])
    let overloaded = Problem.overloaded(detail: "busy", retryAfterSeconds: 2)
    #expect(head(Answer(problem: overloaded)) == ["503", "application/problem+json", "Retry-After: 2"])
    let notFound = Problem(.notFound, detail: "nothing")
    #expect(head(Answer(problem: notFound)) == ["404", "application/problem+json"])
    let answer = Answer(problem: notAllowed)
    let body = answer.body.description
    #expect(body == text(notAllowed))
    #expect(body.contains("PUT"))
  }

  private func head(_ answer: borrowing Answer) -> [String] {
    [String(answer.status), answer.contentType?.description ?? "no body"]
      + answer.headers.map { "\($0.name): \($0.value)" } + (answer.closesConnection ? ["close"] : [])
  }

  @Test func stringsAreMinimallyEscaped() {
    let rows: [(String, String)] = [
      ("", #""""#), ("/é😀<>&\u{7F}\u{2028}", "\"/é😀<>&\u{7F}\u{2028}\""), (#"a"b\c"#, #""a\"b\\c""#),
      ("\u{8}\t\n\u{C}\r", #""\b\t\n\f\r""#), ("\0\u{1}\u{B}\u{1F} ", #""\u0000\u0001\u000b\u001f ""#),
      ("\"\"", #""\"\"""#), ("a\n", #""a\n""#), ("\na", #""\na""#),
    ]
    for (string, expected) in rows {
      var buffer = ByteBuffer()
      JSONText.append(string: string, to: &buffer)
      let written = buffer.description
      #expect(written == expected)
    }
  }

  @Test func pointersEscapeTildeAndSlash() {
    #expect(JSONPointer.appending(3, to: "/rows") == "/rows/3")
    #expect(JSONPointer.appending("kind", to: "") == "/kind")
    #expect(JSONPointer.appending("a/b~c~1", to: "/0") == "/0/a~1b~0c~01")
    #expect(JSONPointer.appending("", to: "") == "/")
    #expect(JSONPointer.appending("a.b é", to: "") == "/a.b é")
    #expect(JSONPointer.appending("/\u{308}", to: "") == "/~1\u{308}")
  }

  @Test func quotedTextIsCut() {
    #expect(Excerpt.quoted("ab") == "\"ab\"")
    #expect(Excerpt.quoted(String(repeating: "x", count: 80)).utf8.count == 82)
    #expect(
      Excerpt.quoted(String(repeating: "x", count: 81)) == "\"" + String(repeating: "x", count: 80) + "…\"")
  }
}
