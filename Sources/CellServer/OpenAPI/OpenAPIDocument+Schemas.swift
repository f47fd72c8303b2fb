// Bodies of requests and answers.
extension OpenAPIDocument {
  static let schemas: JSONNode = requestSchemas.with(answerSchemas).with(kindSchemas)

  private static let requestSchemas: JSONNode = [
    "Row": ["description": "Any JSON value that /schemas/{kind} accepts."],
    "RowEnvelope": object(
      "Rows of the path's kind, and the owner they share. It may also have a \"kind\", the path's. A kind that reads a "
        + "name \"rows\" takes it as a row.",
      [
        "owner": ["type": "object", "description": "The owner of every row."],
        "rows": ["type": "array", "items": reference("schemas", "Row")],
        "locale": locale, "timeZone": timeZone, "now": ["type": "string", "format": "date-time"],
      ],
      required: ["rows"]),
    "Rows": [
      "description": "An array of rows, one row that is not an array, or an envelope of rows.",
      "anyOf": [
        reference("schemas", "RowEnvelope"),
        ["type": "array", "items": reference("schemas", "Row")],
        ["type": ["object", "string", "number", "boolean", "null"]],
      ],
    ],
    "RowLines": ["type": "string", "description": "One JSON row per line; blank lines are ignored."],
    "Fields": fields(but: []).with([
      "description": "One row, as in the query of GET; names of controls are data here."
    ]),
    "Scalar": ["type": ["string", "number", "boolean", "null"]],
    "Item": object(
      "A row with its kind, or with the nib and class of its cell (the first match); not required if the envelope "
        + "has a kind.",
      [
        "kind": reference("schemas", "Kind"),
        "nib": ["type": "string"], "class": ["type": "string"],
        "id": reference("schemas", "Scalar"),
        "data": reference("schemas", "Row"),
        "locale": locale, "timeZone": timeZone,
        "etag": [
          "type": "string",
          "description":
            "The tag of the client's version; if it is current, the row is sent without content.",
        ],
        "action": [
          "enum": .strings(TurboStreamControls.Action.allCases.map(\.rawValue)),
          "description": "Only for Turbo Streams: what the row's stream does.",
        ],
        "target": [
          "type": "string", "minLength": 1, "maxLength": .number(TurboStreamControls.limitBytes),
          "description": "Only for Turbo Streams: the id of the element where the row goes.",
        ],
      ]),
    "ChosenItem": [
      "allOf": [reference("schemas", "Item")],
      "anyOf": [["required": ["kind"]], ["required": ["nib"]], ["required": ["class"]]],
    ],
    "Envelope": object(
      "Items and the values they share.",
      [
        "owner": ["type": "object", "description": "The owner of every row."],
        "kind": [
          "description": "The kind of items without one; if it does not exist, only those items are bad.",
          "anyOf": [reference("schemas", "Kind"), ["type": "string"]],
        ],
        "rows": ["type": "array", "items": [:]],
        "locale": locale, "timeZone": timeZone, "now": ["type": "string", "format": "date-time"],
      ],
      required: ["rows"]
    ).with([
      "if": ["required": ["kind"]],
      "then": ["properties": ["rows": ["items": reference("schemas", "Item")]]],
      "else": ["properties": ["rows": ["items": reference("schemas", "ChosenItem")]]],
    ]),
    "Items": [
      "description": "An array of items, an envelope, or one item.",
      "anyOf": [
        ["type": "array", "items": reference("schemas", "ChosenItem")], reference("schemas", "Envelope"),
        reference("schemas", "ChosenItem"),
      ],
    ],
    "ItemLines": ["type": "string", "description": "One JSON item per line; blank lines are ignored."],
  ]

  private static let answerSchemas: JSONNode = [
    "Text": ["type": "string"],
    "AnswerLines": [
      "type": "string",
      "description":
        "One AnswerRow per line. If a streamed answer fails, the last line has only the member error, a Problem.",
    ],
    "AnswerRow": object(
      "A row's cell or, with on_error=skip, its error.",
      [
        "index": ["type": "integer", "minimum": 0], "kind": ["type": "string"],
        "id": reference("schemas", "Scalar"), "etag": hash,
        "html": ["type": "string"], "text": ["type": "string"], "class": ["type": "string"],
        "nib": ["type": "string"],
        "outlets": [
          "type": "object", "description": "The values of the cell's top-level outlets, as sent.",
        ],
        "actions": ["type": "array", "items": ["type": "string"]],
        "unchanged": ["type": "boolean", "description": "Always true: the item's etag is current."],
        "error": reference("schemas", "Problem"),
      ],
      required: ["index"]),
    "RowsAnswer": object(
      "The rows, in order.",
      [
        "rows": ["type": "array", "items": reference("schemas", "AnswerRow")],
        "errors": ["type": "integer", "minimum": 0, "description": "The number of bad rows."],
        "error": reference("schemas", "Problem"),
      ], required: ["rows", "errors"]),
    "Problem": object(
      "An error (RFC 9457).",
      [
        "type": urn, "title": ["type": "string"],
        "status": ["enum": .array(Set(Problem.Code.allCases.map(\.status)).sorted().map { .number($0) })],
        "detail": ["type": "string"],
        "line": position, "column": position,
        "errors": [
          "type": "array", "minItems": 1, "maxItems": .number(Problem.printedErrors),
          "items": reference("schemas", "ProblemEntry"),
        ],
        "errorCount": [
          "type": "integer", "minimum": 1,
          "description": "The number of all errors, including those not listed.",
        ],
      ], required: ["type", "title", "status", "detail"]
    ).with(["dependentRequired": ["errors": ["errorCount"], "errorCount": ["errors"], "column": ["line"]]]),
    "ProblemEntry": object(
      "What is wrong with one row.",
      [
        "pointer": ["type": "string", "description": "A JSON pointer from the body's root."],
        "type": urn, "detail": ["type": "string"], "line": position, "column": position,
      ], required: ["pointer", "type", "detail"]),
    "Live": object("", ["status": ["const": "live"]], required: ["status"]),
    "Ready": object(
      "",
      [
        "status": ["const": "ready"],
        "reload": [
          "description": "There only while the last reload has failed: the cells are older than their files.",
          "const": "failed",
        ],
      ], required: ["status"]),
    "OpenAPI": [
      "type": "object", "required": ["openapi", "info", "paths"],
      "properties": ["openapi": ["type": "string", "pattern": "^3\\.1\\."]],
    ],
  ]

  private static let kindSchemas: JSONNode = [
    "KindList": object(
      "",
      [
        "kinds": ["type": "array", "items": reference("schemas", "KindDescription")],
        "stylesheet": [
          "type": "string", "description": "The path of the style sheet of all nibs, with its version.",
        ],
      ],
      required: ["kinds", "stylesheet"]),
    "KindDescription": object(
      "A kind of cell, each list in the order of the template.",
      [
        "kind": ["type": "string"], "nib": ["type": "string"],
        "text": ["type": "boolean", "description": "A text cell, never HTML."],
        "version": hash, "classes": texts,
        "outlets": list("Outlet", required: ["name", "element", "line", "column"]),
        "tags": list("Tag", required: ["tag", "element", "line", "column"]),
        "names": texts, "places": list("Place", required: ["name", "use", "line", "column"]),
        "formats": list("Format", required: ["name", "format", "line", "column"]),
        "actions": list("Action", required: ["action", "element", "line", "column"]),
        "partials": texts,
        "locales": [
          "type": "array", "items": ["type": "string"],
          "description": "The locales that it is offered in, its own first; empty if it depends on none.",
        ],
        "styles": texts,
        "stylesheet": [
          "type": "string",
          "description":
            "The path of the nib's style sheet, with its version; absent if there are no styles.",
        ],
      ],
      required: [
        "kind", "text", "version", "classes", "outlets", "tags", "names", "places", "formats", "actions",
        "partials", "locales", "styles",
      ]),
    "Part": object(
      "Part of a template, with its position and surroundings.",
      [
        "name": ["type": "string"], "tag": ["type": "integer", "minimum": 1], "action": ["type": "string"],
        "format": ["type": "string", "description": "How the value is shown, as the template says it."],
        "element": ["type": "string"], "placeholder": ["type": "string"],
        "use": ["enum": ["value", "section", "inverted section", "plural section", "partial", "condition"]],
        "in": ["type": "string"], "attribute": ["type": "string"],
        "within": texts, "attributes": texts, "line": position, "column": position,
      ], required: ["line", "column"]),
    "RowSchema": [
      "type": "object", "required": ["$schema", "$id", "title", "$defs"],
      "properties": [
        "$schema": ["const": "https://json-schema.org/draft/2020-12/schema"], "$id": ["type": "string"],
        "title": ["type": "string"], "properties": ["type": "object"], "$defs": ["type": "object"],
      ],
    ],
  ]

  private static let hash: JSONNode = ["type": "string", "pattern": "^[0-9a-f]{32}$"]
  private static let position: JSONNode = ["type": "integer", "minimum": 1]
  private static let texts: JSONNode = ["type": "array", "items": ["type": "string"]]
  private static let urn: JSONNode = ["enum": .strings(Problem.Code.allCases.map(\.urn))]

  private static func list(_ what: String, required: [String]) -> JSONNode {
    [
      "type": "array", "title": .string(what),
      "items": ["allOf": [reference("schemas", "Part")], "required": .strings(required)],
    ]
  }

  /// An object with exactly these members.
  private static func object(_ text: String, _ members: JSONNode, required: [String] = []) -> JSONNode {
    let description: JSONNode = text.isEmpty ? [:] : ["description": .string(text)]
    return description.with([
      "type": "object", "required": .strings(required), "properties": members, "additionalProperties": false,
    ])
  }
}
