import Cells
import CellTemplates

// Parameters of requests.
extension OpenAPIDocument {
  static let parameters: JSONNode = .object(
    [
      ("kind", ["name": "kind", "in": "path", "required": true, "schema": reference("schemas", "Kind")]),
      (
        "path",
        [
          "name": "path", "in": "path", "required": true, "schema": ["type": "string", "minLength": 1],
          "description": "A path in the templates folder. Its slashes may be sent as %2F or unescaped.",
        ]
      ),
    ] + ControlReader.Control.allCases.map { ($0.rawValue, parameter($0)) }
      + [
        ("data", data),
        (
          "strict",
          [
            "name": "strict", "in": "query", "schema": ["type": "boolean", "default": false],
            "description":
              "Whether to narrow the schema by the types that the samples show, and to refuse other names.",
          ]
        ),
        (
          "version",
          [
            "name": "v", "in": "query", "schema": ["type": "string"],
            "description":
              "The version from a URL given by this server. If it is current, clients may keep the answer for a year.",
          ]
        ),
        (
          "kinds",
          [
            "name": "kinds", "in": "query", "style": "form", "explode": false,
            "schema": ["type": "array", "minItems": 1, "items": reference("schemas", "Kind")],
            "description": "The kinds whose nibs to include.",
          ]
        ),
        (
          "scope",
          [
            "name": "scope", "in": "query",
            "schema": ["type": "string", "minLength": 1, "maxLength": .number(ScopeSelector.limitBytes)],
            "description": "A selector: the rules then hold only within such elements, by @scope.",
          ]
        ),
        (
          "acceptLanguage",
          [
            "name": "Accept-Language", "in": "header", "schema": ["type": "string"],
            "description": "The locales of the reader, for kinds with formats and plurals.",
          ]
        ),
        (
          "ifNoneMatch",
          [
            "name": "If-None-Match", "in": "header", "schema": ["type": "string"],
            "description": "The tags of the client's cached answers, compared weakly.",
          ]
        ),
        (
          "requestID",
          [
            "name": "X-Request-Id", "in": "header", "schema": ["type": "string"],
            "description": "Up to 128 visible ASCII characters are echoed; anything else is replaced.",
          ]
        ),
      ])

  private static func parameter(_ control: ControlReader.Control) -> JSONNode {
    let parameter: JSONNode = ["name": .string(control.rawValue), "in": "query"]
    return switch control {
    case .format:
      parameter.with([
        "description": "The answer's format; takes precedence over Accept.",
        "schema": ["enum": .strings(RowFormats.all.map(\.name))],
      ])
    case .fields:
      parameter.with([
        "description":
          "What JSON rows contain besides index, kind and id. html is the content; for a text cell, its text.",
        "style": "form", "explode": false,
        "schema": [
          "type": "array", "minItems": 1, "items": ["enum": .strings(RowFields.names)],
          "default": ["html", "etag"],
        ],
      ])
    case .onError:
      parameter.with([
        "description": "Whether a bad row refuses the request or is skipped.",
        "schema": [
          "enum": .strings(Controls.OnError.allCases.map(\.rawValue)),
          "default": .string(Controls().onError.rawValue),
        ],
      ])
    case .missing:
      parameter.with([
        "description":
          "What missing names do: drop the element, keep it as drawn, leave it blank, or refuse the row. The server has a default.",
        "schema": ["enum": .strings(MissingPolicy.allCases.map(\.rawValue))],
      ])
    case .action:
      parameter.with([
        "description": "What a Turbo Stream does with the cells.",
        "schema": ["enum": .strings(TurboStreamControls.Action.allCases.map(\.rawValue))],
      ])
    case .method:
      parameter.with([
        "description": "How the actions replace and update change the page.",
        "schema": ["enum": .strings(TurboStreamControls.Method.allCases.map(\.rawValue))],
      ])
    case .target:
      parameter.with([
        "description":
          "For Turbo Streams: the id of the element where cells go. {id} in it is the id of the item or row.",
        "schema": target,
      ])
    case .targets:
      parameter.with([
        "description":
          "For Turbo Streams, instead of target: a selector. {id} in it is the row's id, escaped for CSS.",
        "schema": target,
      ])
    case .unknown:
      parameter.with([
        "description":
          "Whether names that the kind never reads are ignored or make the row bad. The server has a default.",
        "schema": ["enum": .strings(UnknownPolicy.allCases.map(\.rawValue))],
      ])
    case .locale:
      parameter.with([
        "description":
          "The locale of formats and plurals, a language tag; takes precedence over Accept-Language. The best that is offered is used.",
        "schema": locale,
      ])
    case .timeZone:
      parameter.with([
        "description": "The time zone in which instants are shown. The server has a default.",
        "schema": timeZone,
      ])
    case .now:
      parameter.with([
        "description": "The time that relative dates are relative to; by default the server's.",
        "schema": ["type": "string", "format": "date-time"],
      ])
    }
  }

  /// Without its longest length: tools would make queries of it that no server takes.
  private static let target: JSONNode = ["type": "string", "minLength": 1]

  static let locale: JSONNode = [
    "type": "string", "examples": ["de-AT"],
    "pattern": "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?(-u-nu-latn)?$",
  ]

  static let timeZone: JSONNode = [
    "type": "string", "examples": ["Europe/Berlin", "UTC", "+02:00"],
    "description": "A name of the time zone database, or an offset.",
  ]

  /// The query parameters that are data rather than controls.
  private static let data: JSONNode = [
    "name": "data", "in": "query", "style": "form", "explode": true,
    "description": .string(
      "The row's fields, each a string: title=Hi. A dot makes an object, author.name=Ada; a repeated name an array. "
        + "A name is a string or an object, not both. A colon at the end of a name makes its value JSON, price:=19.90."
    ),
    "schema": fields(but: ControlReader.Control.allCases.map(\.rawValue)),
  ]

  /// Names that are good with any text as their value: without dots, which can conflict; without a colon at the end,
  /// which asks for JSON; and without a bracket there, which is refused.
  static func fields(but controls: [String]) -> JSONNode {
    var names: JSONNode = ["pattern": "^[^.]*[^.:\\]]$"]
    if !controls.isEmpty { names = names.with(["not": ["enum": .strings(controls)]]) }
    return ["type": "object", "propertyNames": names, "additionalProperties": ["type": "string"]]
  }
}
