import Testing

@testable import CellServer

@Suite struct HTTPBodyTypeTests {
  private func declared(_ type: String?, _ encoding: String? = nil) -> Result<BodyType.Declared, Problem> {
    do throws(Problem) {
      return .success(try BodyType.declared(contentType: type, contentEncoding: encoding))
    } catch {
      return .failure(error)
    }
  }

  @Test(
    arguments: [
      (nil, .undeclared), ("", .undeclared), ("  ", .undeclared),
      ("application/x-www-form-urlencoded", .undeclared),
      ("application/x-www-form-urlencoded; charset=UTF-8", .undeclared), ("text/plain", .undeclared),
      ("text/plain; charset=utf-8", .undeclared),
      ("application/json", .json), ("Application/JSON", .json), (" application/json ", .json),
      ("application/json;charset=utf-8", .json), ("application/json; charset=UTF-8", .json),
      ("application/json; charset=\"utf-8\"", .json), ("application/json; charset=utf8", .json),
      ("application/json ; Charset=\"UTF8\" ", .json), ("application/json;", .json),
      ("application/json; ;", .json),
      ("application/json; version=1", .json), ("application/json; a=\"x;charset=latin1\"", .json),
      ("application/vnd.example+json", .json), ("application/ld+json; profile=x", .json),
      ("application/a+b+json", .json),
      ("application/x-ndjson", .ndjson), ("application/jsonl", .ndjson),
      ("APPLICATION/JSONL; charset=utf8", .ndjson),
    ] as [(String?, BodyType.Declared)])
  func isDeclared(_ type: String?, _ expected: BodyType.Declared) {
    #expect(declared(type) == .success(expected))
  }

  @Test(arguments: [
    "text/plain; charset=latin1", "text/json", "text/html", "multipart/form-data; boundary=x",
    "application/xml",
    "application/octet-stream", "application/+json", "application/jsonp", "application/json-seq",
    "application/ndjson",
    "image/svg+json", "*/*", "application/*", "json", "application", "application/", "/json",
    "application/json x",
    "application / json", "application/json, application/json", "application/json;charset",
    "application/json;=utf-8",
    "application/json; charset=", "application/json; charset=\"utf-8", "application/json; charset=latin1",
    "application/json; charset=iso-8859-1", "application/json; charset=us-ascii",
    "application/json; charset=utf-16",
    "application/json; charset=utf-8; charset=latin1", "application/json; charset=\"\"", "é",
    "application/x-www-form-urlencoded; charset=latin1", "application/x-ndjson; charset=utf-7",
  ])
  func isRefusedWithAHint(_ type: String) {
    guard case .failure(let problem) = declared(type) else {
      Issue.record("accepted")
      return
    }
    #expect(problem.code == .unsupportedMediaType)
    #expect(problem.detail.contains("send"))
  }

  @Test(arguments: [nil, "", "identity", "Identity", " identity ", "identity, identity", ","] as [String?])
  func mayBeSentAsItIs(_ encoding: String?) {
    #expect(declared("application/json", encoding) == .success(.json))
  }

  @Test(arguments: [
    "gzip", "br", "deflate", "identity, gzip", "gzip, identity", "x", "identity;q=1", "\"identity\"",
  ])
  func mayNotBeEncoded(_ encoding: String) {
    guard case .failure(let problem) = declared("application/json", encoding) else {
      Issue.record("accepted")
      return
    }
    #expect(problem.code == .unsupportedMediaType)
    #expect(problem.detail.contains("uncompressed"))
  }

  @Test(
    arguments: [
      ("", .form), (" \r\n\t", .form), ("title=Hi", .form), ("[", .json), ("{", .json), (" \t\r\n[1]", .json),
      ("\n{\"a\":1}", .json), ("a=[1]", .form), ("\"text\"", .form), ("1", .form), ("null", .form),
      ("%5B", .form),
      ("+[", .form), ("\u{A0}[", .form), ("\u{B}[", .form), ("]", .form), ("\u{FEFF}[", .form),
    ] as [(String, BodyType)])
  func isDetectedByItsFirstByteIfUndeclared(_ body: String, _ expected: BodyType) {
    var copy = body
    copy.withUTF8 { bytes in
      #expect(BodyType(.undeclared, body: UnsafeRawBufferPointer(bytes)) == expected)
      #expect(BodyType(.json, body: UnsafeRawBufferPointer(bytes)) == .json)
      #expect(BodyType(.ndjson, body: UnsafeRawBufferPointer(bytes)) == .ndjson)
    }
  }

  @Test func formFieldsOnOtherPathsAreRefusedWithAHint() {
    #expect(BodyType.formProblem.code == .unsupportedMediaType)
    #expect(BodyType.formProblem.detail.contains("/cells/KIND"))
  }
}
