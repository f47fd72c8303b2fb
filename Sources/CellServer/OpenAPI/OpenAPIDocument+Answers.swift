// Answers: headers, contents and problems.
extension OpenAPIDocument {
  /// Headers of every answer.
  static let commonHeaders =
    ["CellFactory-Archive", "CellFactory-Reload", "X-Request-Id"]
    + Answer.constantHeaders.map(\.name.description)
  /// Headers of answers to pages of allowed origins; the last three, of preflight answers.
  static let crossOriginHeaders = [
    "Access-Control-Allow-Origin", "Access-Control-Expose-Headers", "Access-Control-Allow-Methods",
    "Access-Control-Allow-Headers", "Access-Control-Max-Age",
  ]

  static let headers: JSONNode = headersOfEveryAnswer.with(constantHeaders).with(headersOfSomeAnswers)

  private static let constantHeaders: JSONNode = .object(
    Answer.constantHeaders.map {
      ($0.name.description, header("", ["const": .string($0.value.description)], isRequired: true))
    })

  private static let headersOfEveryAnswer: JSONNode = [
    "CellFactory-Archive": header(
      "The hash of the cells that rendered the answer.", ["type": "string", "pattern": "^[0-9a-f]{32}$"],
      isRequired: true),
    "CellFactory-Reload": header(
      "While the last reload has failed: the cells are older than their files.", ["const": "failed"]),
    "X-Request-Id": header(
      "Sent by the client, or generated.",
      ["type": "string", "pattern": "^[!-~]+$", "minLength": 1, "maxLength": 128], isRequired: true),
  ]

  private static let headersOfSomeAnswers: JSONNode = [
    "Content-Security-Policy": header(
      "On HTML that may contain raw values, and on files that nibs link to: if it is shown as a page, scripts do not run.",
      oneOf([Answer.sandbox.description, Answer.sandboxOfFiles])),
    "CellFactory-Errors": header(
      "The number of bad rows that were skipped; absent if there were none.",
      ["type": "integer", "minimum": 1]),
    "CellFactory-Missing": header(
      "How many outlets found no value, and how many of them were left as drawn; absent if there were none, and on streamed answers.",
      ["type": "string", "pattern": "^[1-9][0-9]*; drawn=[0-9]+$"]),
    "Content-Language": header(
      "The locales of the cells, if they have formats, plurals or their locale.", ["type": "string"]),
    "Vary": header("The request headers that the answer depends on.", ["type": "string"]),
    "Cache-Control": header(
      "Whether clients may keep the answer: files for a year if the address names the current version. Cells have it where dates "
        + "are relative to the server's time.",
      ["enum": ["no-cache", "public, max-age=31536000, immutable"]]),
    "ETag": header(
      "The tag of the body as sent; weak if all codings share one tag.",
      ["type": "string", "pattern": "^(W/)?\"[!-~]+\"$"], isRequired: true),
    "Allow": header("The methods of the path.", ["type": "string"], isRequired: true),
    "Retry-After": header("Seconds.", ["type": "integer", "minimum": 1], isRequired: true),
    "Content-Encoding": header(
      "If compression is enabled and accepted.", oneOf(ContentCoding.all.map(\.name))),
    "Access-Control-Allow-Origin": header(
      "The page's origin, if it is allowed; * for files of pages.", ["type": "string"]),
    "Access-Control-Expose-Headers": header("The headers that such a page may read.", ["type": "string"]),
    "Access-Control-Allow-Methods": header("To a preflight: the methods of the path.", ["type": "string"]),
    "Access-Control-Allow-Headers": header(
      "To a preflight: the headers that a page may send.", ["type": "string"]),
    "Access-Control-Max-Age": header(
      "To a preflight: how many seconds it may be cached.", ["type": "integer"]),
  ]

  /// The schema of a text that is one of these.
  private static func oneOf(_ texts: [String]) -> JSONNode {
    texts.count == 1 ? ["const": .string(texts[0])] : ["enum": .strings(texts)]
  }

  private static func header(_ text: String, _ schema: JSONNode, isRequired: Bool = false) -> JSONNode {
    let description: JSONNode = text.isEmpty ? [:] : ["description": .string(text)]
    return description.with(["required": .bool(isRequired), "schema": schema])
  }

  private static func references(toHeaders names: [String]) -> JSONNode {
    .object(names.map { ($0, reference("headers", $0)) })
  }

  /// An answer without content.
  static func described(_ text: String, _ headers: [String]) -> JSONNode {
    ["description": .string(text), "headers": references(toHeaders: headers)]
  }

  /// Headers of answers with a body.
  private static let bodyHeaders =
    commonHeaders + [
      "Vary", "Content-Encoding", "Access-Control-Allow-Origin", "Access-Control-Expose-Headers",
    ]

  static func answer(
    _ text: String, _ type: String, _ name: String, links: JSONNode? = nil, isTagged: Bool = false,
    headers more: [String] = []
  ) -> JSONNode {
    let headers = bodyHeaders + (isTagged ? ["ETag"] : []) + more
    let answer = described(text, headers).with(["content": .object([(type, schema(name))])])
    return links.map { answer.with(["links": $0]) } ?? answer
  }

  /// An answer with rendered cells.
  static func cellsAnswer(formats: [RowFormat], isTagged: Bool) -> JSONNode {
    let content = formats.map { ($0.mediaType, schema($0.schema)) }
    return described(
      "The cells, in order. An answer of more than 1 MiB may be streamed in chunks; a failure then ends JSON and NDJSON with an "
        + "error, and cuts off HTML and text.",
      bodyHeaders + [
        "CellFactory-Errors", "CellFactory-Missing", "Content-Language", "Cache-Control",
        "Content-Security-Policy",
      ]
        + (isTagged ? ["ETag"] : [])
    ).with(["content": .object(content)])
  }

  static func withoutContent(_ answer: JSONNode) -> JSONNode {
    guard case .object(let members) = answer else { preconditionFailure("an answer is an object") }
    return .object(members.filter { $0.name != "content" && $0.name != "links" })
  }

  /// The answer to a client that has it already, with all its other headers.
  static func unchanged(_ answer: JSONNode) -> JSONNode {
    guard case .object(let members) = answer, let headers = members.first(where: { $0.name == "headers" })
    else { preconditionFailure("an answer is an object with headers") }
    return ["description": "If-None-Match contains the answer's tag.", "headers": headers.value]
  }

  /// Links from a kind's name to operations on that kind.
  static func kindLinks(at pointer: String) -> JSONNode {
    func link(_ operation: String, _ text: String) -> JSONNode {
      [
        "operationId": .string(operation), "description": .string(text),
        "parameters": ["kind": .string("$response.body#\(pointer)")],
      ]
    }
    return [
      "describe": link("getKind", "The kind's description."),
      "schema": link("getSchema", "The schema of its rows."),
      "cell": link("getCells", "One cell of the kind."), "cells": link("postCells", "Cells of the kind."),
    ]
  }

  static let kindLinks = kindLinks(at: "/kinds/0/kind")

  // MARK: Problems

  /// For each error status, the answer and the answer to HEAD.
  static let problems: JSONNode = .object(
    Set(Problem.Code.allCases.map(\.status)).sorted().flatMap { status -> [(name: String, value: JSONNode)] in
      let codes = Problem.Code.allCases.filter { $0.status == status }
      var headers = bodyHeaders
      if codes.contains(.methodNotAllowed) { headers.append("Allow") }
      if codes.contains(.overloaded) { headers.append("Retry-After") }
      let head = described(codes.map(\.title).joined(separator: "; ") + ".", headers)
      let schema: JSONNode = [
        "allOf": [reference("schemas", "Problem")],
        "properties": [
          "type": ["enum": .strings(codes.map(\.urn))], "title": ["enum": .strings(codes.map(\.title))],
          "status": ["const": .number(status)],
        ],
      ]
      let content: JSONNode = .object([("\(Problem.contentType)", ["schema": schema])])
      return [("\(status)", head.with(["content": content])), ("\(status)-head", head)]
    })
}
