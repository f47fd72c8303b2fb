import CellTemplates
import Foundation
import Testing

@testable import Cells

/// The schema of templates, as text.
@Suite struct SchemaTests {
  private static func schema(_ templates: [String: String], _ kind: String = "a") throws -> String {
    let archive = try RenderHarness.archive(templates)
    // The same from the file as from the folder.
    let read = try CellArchive(decoding: archive.encoded())
    var output = ByteBuffer()
    var again = ByteBuffer()
    SchemaWriter.append(try #require(archive.kindNumber(kind)), of: archive, to: &output)
    SchemaWriter.append(try #require(read.kindNumber(kind)), of: read, to: &again)
    #expect(output.bytes.elementsEqual(again.bytes))
    return String(decoding: output.bytes, as: UTF8.self)
  }

  /// The end of a schema with what every row must be; `rowRules` tests it.
  private static var rowRule: Regex<Substring> {
    /(?:,"type":(?:"object"|\[[^\]]*\]))?(?:,I)?\}$/
  }

  /// The schema's properties and references, without descriptions: `S` for any scalar, `B` for `true`, `false` and
  /// `null`, `L` for any list, `any` for their union with any object, `I` for what must be no item.
  private static func shape(_ templates: [String: String]) throws -> String {
    let start = #""$schema":"https://json-schema.org/draft/2020-12/schema","$id":"/schemas/a","title":"a","#
    let text = try schema(templates)
    #expect(text.hasPrefix("{" + start) && text.hasSuffix("}}\n"))
    return String(text.dropFirst(start.utf8.count + 1))
      .replacing(/"(description|\$comment)":"[^"]*",?/, with: "").replacing(",}", with: "}")
      .replacing("\n", with: "").replacing(/"not":\{[^{}]*\{[^{}]*\}\}/, with: "I")
      .replacing(rowRule, with: "}")
      .replacing(#"{"type":["string","number","boolean","null"]}"#, with: "S")
      .replacing(#"{"type":["boolean","null"]}"#, with: "B").replacing(#"{"type":"array"}"#, with: "L")
      .replacing(#"{"anyOf":[S,{"type":"object"},L]}"#, with: "any")
  }

  /// No schema refers to itself for the same value: `{{#.}}` sees the value itself, if that is no list.
  @Test(arguments: [
    ["a.mustache": "<ul>{{#.}}<li>{{>a}}</li>{{/.}}</ul>"],
    ["a.mustache": "{{>b}}", "b.mustache": "{{#.}}{{>b}}{{x}}{{/.}}"],
    ["a.mustache": "{{#.}}{{#.}}{{>a}}{{/.}}{{/.}}", "b.mustache": "{{#.}}{{>a}}{{/.}}"],
  ])
  func referencesEnd(_ templates: [String: String]) throws {
    for kind in templates.keys.map({ String($0.prefix(1)) }) {
      let schema = try #require(
        try JSONSerialization.jsonObject(with: Data(try Self.schema(templates, kind).utf8)) as? [String: Any])
      let definitions = schema["$defs"] as? [String: Any] ?? [:]
      /// The definitions that hold for the same value.
      func references(in value: Any) -> [String] {
        guard let object = value as? [String: Any] else { return [] }
        let own = (object["$ref"] as? String).map { [String($0.dropFirst("#/$defs/".count))] } ?? []
        return own
          + ["allOf", "anyOf", "oneOf"].flatMap { (object[$0] as? [Any] ?? []).flatMap(references(in:)) }
      }
      func follow(_ value: Any, _ way: [String]) {
        for name in references(in: value) {
          guard !way.contains(name) else {
            Issue.record("\(kind): \(way) refers to \(name) again")
            return
          }
          if let next = definitions[name] { follow(next, way + [name]) }
        }
      }
      follow(schema, [])
      for (name, definition) in definitions { follow(definition, [name]) }
    }
  }

  /// `@row` inside of the owner is the row of the cell itself.
  @Test func theRowInsideOfTheOwnerIsThatOfTheCell() throws {
    let owners = "<b data-cell=\"b\">{{#owner.x}}{{@row.c.d}}{{/owner.x}}</b>"
    let archive = try RenderHarness.archive(["a.mustache": "{{x}}{{>b}}", "b.html": owners])
    let shapes = DataShape.ofAllKinds(in: archive, budget: LoadBudget())
    for (kind, names) in [("a", ["x"]), ("b", ["c"])] {
      let number = try #require(archive.kindNumber(kind))
      let root = try #require(shapes.roots[number])
      #expect(shapes.levels[root].members.map { String(decoding: $0.name, as: UTF8.self) } == names)
    }
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let templates: [String: String]
    let shape: String

    init(_ template: String, _ shape: String) { self.init(["a.mustache": template], shape) }

    init(_ templates: [String: String], _ shape: String) {
      (self.templates, self.shape) = (templates, shape)
    }

    var testDescription: String { "\(templates.values.sorted())" }
  }

  @Test(arguments: [
    Case("<p></p>", ##""properties":{},"$defs":{"complete":{"$ref":"#"}}}"##),
    // A condition takes any value.
    Case(
      "<p hidden=\"{{a}}\">{{b}}</p>",
      ##""properties":{"a":any,"b":any},"$defs":{"complete":{"$ref":"#","type":"object","required":["b"]}}}"##
    ),
    Case(
      "<p>{{a}}{{b}}</p>",
      ##""properties":{"a":any,"b":any},"$defs":{"complete":{"$ref":"#","type":"object","required":["a","b"]}}}"##
    ),
    Case(
      "<p>{{a.b.c}}</p>",
      ##""properties":{"a":{"anyOf":[B,{"type":"object","$ref":"#/$defs/a_1"}]}},"##
        + ##""$defs":{"complete":{"$ref":"#","type":"object","required":["a"]},"##
        + ##""a_1":{"properties":{"b":{"anyOf":[B,{"type":"object","$ref":"#/$defs/b_2"}]}}},"##
        + ##""b_2":{"properties":{"c":any}}}}"##),
    Case(
      "<p>{{a.0}}</p>",
      ##""properties":{"a":{"anyOf":[B,{"type":"object","$ref":"#/$defs/a_1"},L]}},"##
        + ##""$defs":{"complete":{"$ref":"#","type":"object","required":["a"]},"a_1":{"properties":{"0":any}}}}"##
    ),
    // With a leading zero it is no index, as in rendering, so a list would contain nothing of that name.
    Case(
      "<p>{{a.00}}</p>",
      ##""properties":{"a":{"anyOf":[B,{"type":"object","$ref":"#/$defs/a_1"}]}},"##
        + ##""$defs":{"complete":{"$ref":"#","type":"object","required":["a"]},"a_1":{"properties":{"00":any}}}}"##
    ),
    Case(
      "<p>{{#l}}{{x}}{{/l}}{{#t}}{{.}}{{/t}}</p>",
      ##""properties":{"l":{"anyOf":[S,{"type":"object","$ref":"#/$defs/l_1"},{"type":"array","items":{"$ref":"#/$defs/l_1"}}]},"t":any},"##
        + ##""$defs":{"complete":{"$ref":"#"},"l_1":{"properties":{"x":any}}}}"##),
    // A name tested by a section is also looked up in its parent.
    Case(
      "<p>{{#a.b}}{{a.c}}{{/a.b}}{{#d}}{{d}}{{/d}}{{^e}}{{f}}{{/e}}</p>",
      ##""properties":{"a":{"anyOf":[B,{"type":"object","$ref":"#/$defs/a_1"}]},"d":any,"e":any,"f":any},"##
        + ##""$defs":{"complete":{"$ref":"#"},"a_1":{"properties":{"b":any,"c":any}}}}"##),
    // The owner is not part of the rows; names of loops belong to no object.
    Case(
      "<p>{{owner.name}}{{@index}}{{#owner}}{{x}}{{/owner}}</p>",
      ##""properties":{},"$defs":{"complete":{"$ref":"#"},"owner":{"properties":{"name":any,"x":any}}}}"##),
    Case(
      "<p>{{#.}}{{x}}{{/.}}</p>",
      ##""properties":{},"allOf":[{"$ref":"#/$defs/a_1","items":{"$ref":"#/$defs/a_1"}}],"##
        + ##""$defs":{"complete":{"$ref":"#"},"a_1":{"properties":{"x":any}}}}"##),
    // Partials, including recursive ones.
    Case(
      ["a.mustache": "<p>{{x}}{{>b/c}}</p>", "b/c.mustache": "{{y}}"],
      ##""properties":{"x":any},"allOf":[{"$ref":"#/$defs/b_c_1"}],"##
        + ##""$defs":{"complete":{"$ref":"#","type":"object","required":["x","y"]},"b_c_1":{"properties":{"y":any}}}}"##
    ),
    Case(
      "<i>{{t}}{{#k}}{{>a}}{{/k}}</i>",
      ##""properties":{"t":any,"k":{"anyOf":[S,{"type":"object","$ref":"#/$defs/k_1"},{"type":"array","$ref":"#/$defs/k_1","items":{"$ref":"#/$defs/k_1"}}]}},"##
        + ##""$defs":{"complete":{"$ref":"#","type":"object","required":["t"]},"k_1":{"properties":{},"allOf":[{"$ref":"#/$defs/a_2"}]},"##
        + ##""a_2":{"properties":{"t":any,"k":{"anyOf":[S,{"type":"object","$ref":"#/$defs/k_1"},{"type":"array","$ref":"#/$defs/k_1","items":{"$ref":"#/$defs/k_1"}}]}}}}}"##
    ),
    Case(
      ["a.mustache": "<i>{{>b}}</i>", "b.mustache": "{{x}}{{>a}}"],
      ##""properties":{},"allOf":[{"$ref":"#/$defs/b_1"}],"##
        + ##""$defs":{"complete":{"$ref":"#","type":"object","required":["x"]},"b_1":{"properties":{"x":any}}}}"##
    ),
    // The names in a block may come from another cell, so they are not required.
    Case(
      ["a.mustache": "{{<b}}{{$t}}{{x.y}}{{/t}}{{/b}}", "b.mustache": "{{$t}}{{z.w}}{{/t}}"],
      ##""properties":{"x":{"anyOf":[S,{"type":"object","$ref":"#/$defs/x_1"},L]}},"allOf":[{"$ref":"#/$defs/b_2"}],"$defs":{"complete":{"$ref":"#"},"##
        + ##""x_1":{"properties":{"y":any}},"b_2":{"properties":{"z":{"anyOf":[S,{"type":"object","$ref":"#/$defs/z_3"},L]}}},"z_3":{"properties":{"w":any}}}}"##
    ),
    // Outlets.
    Case(
      ["n.html": "<p data-cell=a><b data-outlet=t>d</b><u data-tag=7 data-bind=title>d</u></p>"],
      ##""properties":{"t":{"anyOf":[S,{"type":"object","$ref":"#/$defs/t_1"},{"type":"array","items":{"$ref":"#/$defs/t_1"}}]},"7":{"anyOf":[S,{"type":"object","$ref":"#/$defs/7_2"},{"type":"array","items":{"$ref":"#/$defs/7_2"}}]},"title":any},"##
        + ##""$defs":{"complete":{"$ref":"#","type":"object","required":["t","7"]},"##
        + ##""t_1":{"properties":{"text":any}},"7_2":{"properties":{"text":any,"title":any}}}}"##),
    Case(
      [
        "n.html": "<p data-cell=a><i data-outlet=o data-include=b>d</i></p><b data-cell=b data-outlet=n>d</b>"
      ],
      ##""properties":{"o":{"anyOf":[B,{"type":"object","$ref":"#/$defs/o_1",I},{"type":"array","$ref":"#/$defs/o_1","##
        + ##""items":{"$ref":"#/$defs/o_1","type":["boolean","null","object","array"],I}}]}},"##
        + ##""$defs":{"complete":{"$ref":"#","type":"object","required":["o"]},"##
        + ##""o_1":{"properties":{},"allOf":[{"$ref":"#/$defs/b_2"}]},"##
        + ##""b_2":{"properties":{"n":{"anyOf":[S,{"type":"object","$ref":"#/$defs/n_3"},{"type":"array","items":{"$ref":"#/$defs/n_3"}}]}}},"n_3":{"properties":{"text":any}}}}"##
    ),
    Case(
      ["n.html": "<p data-cell=a><i data-outlet=o><b data-outlet=n.m>d</b></i></p>"],
      ##""properties":{"o":{"anyOf":[S,{"type":"object","$ref":"#/$defs/o_1"},{"type":"array","items":{"$ref":"#/$defs/o_1"}}]}},"$defs":{"complete":{"$ref":"#"},"##
        + ##""o_1":{"properties":{"n":{"anyOf":[B,{"type":"object","$ref":"#/$defs/n_2"}]}}},"##
        + ##""n_2":{"properties":{"m":{"anyOf":[S,{"type":"object","$ref":"#/$defs/m_3"},{"type":"array","items":{"$ref":"#/$defs/m_3"}}]}}},"m_3":{"properties":{"text":any}}}}"##
    ),
  ])
  func templatesReportNamesAndNesting(_ row: Case) throws {
    #expect(try Self.shape(row.templates) == row.shape)
  }

  // MARK: Formats

  /// What fits formats, in the notation of `formatted`: `N` for a number, or a string that reads as one; `D` for a date,
  /// `C` for a currency, `O` for any object, `E` for the empty text too, of which a section prints nothing.
  @Test(arguments: [
    ("{{a | number}}", "[null,N]"), ("{{a | date}}", "[null,D]"), ("{{a | date epoch=ms}}", "[null,N]"),
    ("{{a | number}}{{a | currency EUR}}", "[null,N]"),
    // Other places take more.
    ("{{a | number}}{{a}}", "[boolean null,N,O,L]"), ("{{#a}}{{a | number}}{{/a}}", "[boolean null,NE,O,L]"),
    ("<p hidden=\"{{a}}\">{{a | time}}</p>", "[boolean null,D,O,L]"),
    // No value fits both; and any text can be cut.
    ("{{a | number}}{{a | date}}", "any"), ("{{a | truncate 3}}", "any"), ("{{a | list}}", "any"),
    ("{{b | currency a}}", "[null,C]"), ("{{b | currency a}}{{a}}", "[boolean null,C,O,L]"),
    ("{{#a}}{{. | date}}{{/a}}", "[boolean null,DE,O,L items[boolean null,D,object array]]"),
    ("{{#a}}<i>{{b}}{{a.b | number}}</i>{{/a}}", "[string number boolean null,O a_1,L items a_1]"),
    // What an override may have replaced.
    ("{{<c}}{{$t}}{{a | number}}{{/t}}{{/c}}", "[null,N]"),
  ])
  func formatsSayWhatFits(template: String, fits: String) throws {
    let text = try Self.schema(["a.mustache": template, "c.mustache": "{{$t}}{{/t}}"])
    let schema = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let properties = try #require(schema["properties"] as? [String: Any])
    #expect(Self.formatted(try #require(properties["a"])) == fits)
  }

  @Test(arguments: [
    (
      "<b data-outlet=a data-format=number>1</b>",
      "[boolean null,N,O a_1,L items[boolean null,N,object array a_1]]"
    ),
    (
      "<time data-outlet=a data-format='date long'>1</time>",
      "[boolean null,D,O a_1,L items[boolean null,D,object array a_1]]"
    ),
    ("<i data-bind='title:a | number'>i</i>", "[boolean null,N,O,L]"),
    ("<b data-outlet=b data-format='currency a'>1</b>", "[boolean null,C,O,L]"),
  ])
  func formatsOfElementsSayWhatFits(element: String, fits: String) throws {
    let text = try Self.schema(["n.html": "<div data-cell=a>\(element)</div>"])
    let schema = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let properties = try #require(schema["properties"] as? [String: Any])
    #expect(Self.formatted(try #require(properties["a"])) == fits)
    let inner = (schema["$defs"] as? [String: Any])?["a_1"] as? [String: Any]
    #expect((inner != nil) == fits.contains("O a_1"))
    guard let inner else { return }
    // The text of an object is shown in the same way.
    let own = try #require((inner["properties"] as? [String: Any])?["text"])
    #expect(Self.formatted(own) == fits.prefix { $0 != "O" } + "O,L]")
  }

  /// A union in short.
  private static func formatted(_ schema: Any) -> String {
    func types(_ value: Any?) -> String { (value as? [String])?.joined(separator: " ") ?? "\(value ?? "")" }
    func union(_ parts: Any?) -> String {
      let parts = (parts as? [[String: Any]] ?? []).map { part -> String in
        let reference = (part["$ref"] as? String).map { " " + $0.dropFirst("#/$defs/".count) } ?? ""
        if let pattern = part["pattern"] as? String {
          let known = [
            "^[A-Z]{3}$": "C", SchemaWriter.numberPattern: "S", "^$|" + SchemaWriter.numberPattern: "SE",
          ]
          return known[pattern] ?? pattern
        }
        if let forms = part["anyOf"] as? [[String: Any]] {
          let names = forms.map { types($0["format"] ?? $0["const"]) }
          let known = [["date-time", "date"]: "D", ["date-time", "date", ""]: "DE"]
          return types(part["type"]) == "string" ? known[names] ?? "\(forms)" : "\(forms)"
        }
        switch types(part["type"]) {
        case "object": return "O" + reference
        case "array":
          guard let items = part["items"] as? [String: Any] else { return "L" }
          return "L items"
            + (items["anyOf"].map(union) ?? types(items["$ref"]).replacing("#/$defs/", with: " "))
        case let names: return names + reference
        }
      }
      return "[" + parts.joined(separator: ",").replacing("number,S", with: "N") + "]"
    }
    let text = union((schema as? [String: Any])?["anyOf"])
    return text == "[string number boolean null,O,L]" ? "any" : text
  }

  /// Both schemas are written in pieces, and end early where nobody takes more.
  @Test(arguments: [true, false]) func schemasAreWrittenInPieces(isStrict: Bool) throws {
    let long = String(repeating: "x", count: 500)
    let outlets = (0..<400).map { "<b data-outlet=n\($0)\(long)><i data-outlet=x>y</i></b>" }.joined()
    let nib = "<p data-cell=a data-missing=error>\(outlets)</p>"
    let archive = try RenderHarness.archive(["n.html": nib])
    func write(to output: inout ByteBuffer, _ goesOn: SchemaWriter.Pause) {
      if isStrict {
        StrictSchemaWriter.append(0, of: archive, to: &output, goesOn)
      } else {
        SchemaWriter.append(0, of: archive, to: &output, goesOn)
      }
    }
    var whole = ByteBuffer()
    write(to: &whole) { _ in true }
    #expect(whole.count > 500_000)
    var (pieces, largest): ([UInt8], Int) = ([], 0)
    var output = ByteBuffer()
    write(to: &output) { output in
      largest = max(largest, output.count)
      if output.count > 4096 {
        pieces += output.bytes
        output.truncate(to: 0)
      }
      return true
    }
    #expect(pieces + output.bytes == Array(whole.bytes))
    #expect(largest < 8192)
    var short = ByteBuffer()
    write(to: &short) { $0.count <= 10_000 }
    #expect(short.count < 20_000)
  }

  /// `x-cellfactory-format` has the words, with own names resolved.
  @Test func formatsAreTold() throws {
    let harness = try FormatHarness(
      ["a.mustache": "{{a | price}}{{b | date  long}}{{c | number}}{{c | date}}{{c | number}}{{d}}"],
      formats: #"{"price": "currency EUR symbol=code"}"#)
    var output = ByteBuffer()
    SchemaWriter.append(0, of: harness.archive, to: &output)
    let text = output.description
    let schema = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let properties = try #require(schema["properties"] as? [String: [String: Any]])
    let words = properties.mapValues { "\($0["x-cellfactory-format"] ?? "none")" }
    #expect(words["a"] == "currency EUR symbol=code" && words["b"] == "date long" && words["d"] == "none")
    #expect(properties["c"]?["x-cellfactory-format"] as? [String] == ["number", "date"])
  }

  /// What fits a format in one locale alone is not refused.
  @Test(arguments: [
    (#"{"p": "percent", "p@de": "currency EUR"}"#, "[null,N]"),
    (#"{"p": "time", "p@de": "date"}"#, "[null,D]"),
    (#"{"p": "number", "p@de": "date"}"#, "any"), (#"{"p": "date", "p@de": "date epoch=s"}"#, "any"),
    (#"{"p": "number", "p@de": "truncate 3", "p@fr": "number"}"#, "any"),
  ])
  func whatFitsVariants(formats: String, fits: String) throws {
    let harness = try FormatHarness(["a.mustache": "{{a | p}}"], formats: formats)
    var output = ByteBuffer()
    SchemaWriter.append(0, of: harness.archive, to: &output)
    let schema = try #require(
      JSONSerialization.jsonObject(with: Data(output.description.utf8)) as? [String: Any])
    let properties = try #require(schema["properties"] as? [String: Any])
    #expect(Self.formatted(try #require(properties["a"])) == fits)
  }

  /// Where a value is needed that is always printed, so is the name of its currency, if each locale has it.
  @Test(arguments: [
    ("{{n | each}}", ["always", "n"]), ("{{n | p}}", ["n"]), ("{{#s}}{{n | each}}{{/s}}", nil),
    ("<p data-cell=a data-bind='title:n | each'>x</p>", ["always", "n"]),
    ("<p data-cell=a data-bind='title:n | each' data-missing=drop>x</p>", nil),
    ("<div data-cell=a data-missing=error>{{n | each}}</div>", ["always", "n"]),
    // An empty list needs none.
    ("<p data-cell=a data-outlet=n data-format=each>x</p>", ["n"]),
  ])
  func currenciesAreRequiredWithTheirValues(template: String, names: [String]?) throws {
    let harness = try FormatHarness(
      [template.hasPrefix("<") ? "a.html" : "a.mustache": template],
      formats:
        #"{"p": "number", "p@de": "currency code", "each": "currency always", "each@de": "currency always digits=0"}"#
    )
    var output = ByteBuffer()
    SchemaWriter.append(0, of: harness.archive, to: &output)
    let schema = try #require(
      JSONSerialization.jsonObject(with: Data(output.description.utf8)) as? [String: Any])
    let complete = (schema["$defs"] as? [String: [String: Any]])?["complete"]
    #expect((complete?["required"] as? [String])?.sorted() == names)
    // A row whose value is null needs no currency.
    #expect((schema["required"] as? [String])?.contains("always") != true)
  }

  /// A currency that a format names in each locale is three letters, and one that it names in some is anything.
  @Test(arguments: [
    "{{n | p}}{{q}}{{n | each}}", "<p data-cell=a data-bind='title:n | p; lang:q; aria-label:n | each'>x</p>",
    "<p data-cell=a data-bind=lang:q><b data-outlet=n data-format=p>x</b><b data-outlet=n data-format=each>x</b></p>",
  ])
  func currenciesOfVariantsAreTold(template: String) throws {
    let harness = try FormatHarness(
      [template.hasPrefix("<") ? "a.html" : "a.mustache": template],
      formats:
        #"{"p": "currency EUR", "p@de": "currency code", "p@de-AT": "currency unit", "p@fr": "currency always", "#
        + #""each": "currency always", "each@de": "currency always digits=0"}"#)
    let archive = harness.archive
    var output = ByteBuffer()
    SchemaWriter.append(0, of: archive, to: &output)
    let schema = try #require(
      JSONSerialization.jsonObject(with: Data(output.description.utf8)) as? [String: Any])
    let properties = try #require(schema["properties"] as? [String: [String: Any]])
    #expect(properties.keys.sorted() == ["always", "code", "n", "q", "unit"])
    let pattern = SchemaWriter.currencyPattern
    #expect(
      properties.mapValues { "\($0)".contains(pattern) } == [
        "always": true, "code": false, "unit": false, "n": false, "q": false,
      ])
    let names = JSONNames(of: archive)
    let states = ReadShelf().states(of: 0, in: archive, names: names)
    for name in ["n", "always", "code", "unit", "q"] {
      let id = try #require(Array(name.utf8).withUnsafeBytes { names.id(of: $0) })
      #expect(states.readsMember(id))
    }
  }

  @Test(arguments: [
    ("{{a}}", "object", true), ("{{.}}", nil, true), ("x", nil, true), ("{{0}}", "object array", true),
    ("{{a}}{{data}}", "object", false), ("{{>*a}}", nil, false), ("{{#k}}{{>a}}{{/k}}", "object", true),
  ])
  func rowRules(template: String, types: String?, refusesItems: Bool) throws {
    let text = try Self.schema(["a.mustache": template])
    let schema = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let found = (schema["type"] as? [String])?.joined(separator: " ") ?? schema["type"] as? String
    #expect(found == types)
    let not = schema["not"] as? [String: Any]
    #expect((not?["required"] as? [String] == ["data"]) == refusesItems)
    // What a cell is called with needs to be no row of its own.
    #expect(!text.contains("{\"$ref\":\"#\"}"))
  }

  @Test(arguments: [
    ("<b data-outlet=x data-missing=error>d</b>", ["x"]),
    ("<b data-outlet=x.y data-missing=error>d</b><b data-outlet=x.z data-missing=error>d</b>", ["x"]),
    ("<p data-missing=error><b data-outlet=x>d</b><i data-outlet=y>d</i></p>", ["x", "y"]),
    ("<p data-outlet=x data-missing=error><b data-outlet=y>d</b></p>", ["x"]),
    // One that holds others is judged only if it says so itself.
    ("<div data-missing=error><p data-outlet=x><b data-outlet=y>d</b></p></div>", []),
    ("<b data-outlet=x>d</b><b data-outlet=y data-missing=keep>d</b>", []),
    ("<b data-outlet=owner.x data-missing=error>d</b><b data-outlet=. data-missing=error>d</b>", []),
    // Attributes, but for those of an image that may go.
    ("<i data-bind='title:t; class+:c; disabled:d; class.x:e' data-missing=error>d</i>", ["t", "c"]),
    ("<img data-bind='src:s; alt:a' data-missing=error>", ["s"]),
    ("<i data-bind='title:t' data-missing=keep>d</i><i data-bind='title:u'>d</i>", []),
    // Mustache, and texts of attributes.
    ("<p data-missing=error>{{x}} {{y.z}} {{owner.u}} {{@index}}</p>{{w}}", ["x", "y"]),
    ("<p data-missing=error title=\"{{t}}\" hidden=\"{{h}}\">{{#s}}{{x}}{{/s}}</p>", ["t"]),
    ("<p data-missing=error><i data-missing=keep>{{x}}</i><i data-when=y>{{z}}</i></p>", []),
    ("<p data-bind=\"title:'{t} {u.v}'; class+:'{c}'\" data-missing=error>d</p>", ["t", "u", "c"]),
    ("<p data-bind=\"style.width:'{w}%'\" data-missing=error>{{v | number}}</p>", ["w", "v"]),
    ("<img data-bind='src:s' alt=\"{{a}}\" data-missing=error>", ["s"]),
    ("<img data-bind=\"src:'/{s}'; alt:a\" data-missing=error>", ["s", "a"]),
    ("<i data-include=*k data-missing=error>d</i>", ["k"]),
    ("<p data-missing=error>{{>*k}}{{n | currency c}}</p>", ["n"]),
    ("<p data-plural=n data-missing=error><i data-case=one>1</i><i data-case=other>2</i></p>", ["n"]),
    ("<div data-missing=error><p data-plural='a.n'><i data-case=other>{{n}}</i></p></div>", ["a"]),
    ("<p data-plural=n data-missing=drop><i data-case=other>2</i></p>", []),
    ("<p data-when=x data-plural=n data-missing=error><i data-case=other>2</i></p>", []),
    // What is not always reached is not always required.
    ("{{#s}}<b data-outlet=x data-missing=error>d</b>{{/s}}", []),
    ("{{>other}}", ["z"]), ("{{^s}}{{>other}}{{/s}}", []),
  ])
  func whatEveryRowMustHave(cell: String, required: [String]) throws {
    let text = try Self.schema([
      "n.html": "<template data-cell=a>\(cell)</template>"
        + "<template data-cell=other><b data-outlet=z data-missing=error>d</b></template>"
    ])
    let schema = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(schema["required"] as? [String] ?? [] == required)
    #expect(required.isEmpty || schema["type"] as? String == "object")
  }

  /// What the objects in a row must have, by their names in `$defs`.
  @Test(
    arguments: [
      ("<u data-outlet=o><b data-outlet=n data-missing=error>d</b></u>", ["o": ["n"], "n": ["text"]]),
      (
        "<u data-outlet=o.p><b data-outlet=n.m data-bind=title data-missing=error>d</b></u>",
        ["p": ["n"], "n": ["m"]]
      ),
      ("<u data-outlet=o><i data-bind=title:t data-missing=error>d</i></u>", ["o": ["t"]]),
      ("<u data-outlet=o><i data-bind=\"title:'{t}'\" data-missing=error>d</i></u>", ["o": ["t"]]),
      ("<u data-outlet=o><i data-bind=\"title:'{t}'\">d</i></u>", [:]),
      // Beside an outlet, it may be around.
      ("<u data-outlet=o data-bind=\"title:'{t}'\" data-missing=error><i>d</i></u>", [:]),
      // Mustache finds what is around the object, but in a dotted name.
      ("<u data-outlet=o><i data-missing=error>{{n}}</i></u>", [:]),
      ("<i data-missing=error>{{n.m}}</i>", ["n": ["m"]]),
      // An object for the attributes needs no text.
      ("<b data-outlet=x data-bind=title data-missing=error>d</b>", [:]),
      // What is not always reached.
      ("<u data-outlet=o>{{#s}}<b data-outlet=n data-missing=error>d</b>{{/s}}</u>", [:]),
      ("<u data-outlet=o data-when=w><b data-outlet=n data-missing=error>d</b></u>", [:]),
      ("<u data-outlet=o><i data-when=w><b data-outlet=n data-missing=error>d</b></i></u>", [:]),
      // Cells that are included, but for those that are called in other places, too.
      ("<u data-outlet=o data-include=other>d</u>", ["other": ["z"], "z": ["text"]]),
      ("<u data-outlet=o data-include=other>d</u>{{#s}}{{>other}}{{/s}}", [:]),
      ("<u data-outlet=o data-include=between>d</u>{{#s}}{{>between}}{{/s}}", [:]),
      ("<i data-when=w><u data-outlet=o data-include=other>d</u></i>", [:]),
      // An included cell sees nothing around its row; a partial does.
      ("<u data-outlet=o data-include=named>d</u>", ["named": ["z"]]),
      ("<u data-outlet=o>{{>named}}</u>", [:]), ("<u data-outlet=o><i data-include=named>d</i></u>", [:]),
      ("<u data-outlet=o data-include=named>d</u><u data-outlet=p>{{>named}}</u>", [:]),
      ("<u data-outlet=o data-include=named>d</u>{{>named}}", ["named": ["z"]]),
    ] as [(String, [String: [String]])])
  func whatObjectsMustHave(cell: String, required: [String: [String]]) throws {
    let text = try Self.schema([
      "n.html": "<template data-cell=a>\(cell)</template>"
        + "<template data-cell=other><b data-outlet=z data-missing=error>d</b></template>"
        + "<template data-cell=between>{{>other}}</template>"
        + "<b data-cell=named data-missing=error>{{z}}</b>"
    ])
    let schema = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    var found: [String: [String]] = [:]
    for (name, value) in try #require(schema["$defs"] as? [String: [String: Any]]) where name != "complete" {
      if let names = value["required"] as? [String] { found[String(name.prefix { $0 != "_" })] = names }
    }
    #expect(found == required)
  }

  /// The row of an included cell.
  @Test(arguments: [
    ("<u data-outlet=o data-include=other>d</u>", true, true),
    // A cell that prints its row, and one that reads `data`.
    ("<u data-outlet=o data-include=whole>d</u>", false, true),
    ("<u data-outlet=o data-include=item>d</u>", true, false),
    ("<i data-when=w><u data-outlet=o data-include=other>d</u></i>", false, false),
    ("{{#s}}{{>a}}{{/s}}<u data-outlet=o data-include=other>d</u>", false, false),
  ])
  func whatIncludedRowsAre(cell: String, isObject: Bool, isNoItem: Bool) throws {
    let text = try Self.schema([
      "n.html": "<template data-cell=a>\(cell)</template><template data-cell=other>{{z}}</template>"
        + "<template data-cell=whole>{{.}}{{z}}</template><template data-cell=item>{{data}}</template>"
    ])
    let schema = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let own = try #require(
      (schema["properties"] as? [String: [String: Any]])?["o"]?["anyOf"] as? [[String: Any]])
    #expect(own[0]["type"] as? [String] == (isObject ? [] : ["string", "number"]) + ["boolean", "null"])
    #expect((own[1]["not"] != nil) == isNoItem)
    let items = try #require(own[2]["items"] as? [String: Any])
    #expect((items["type"] != nil) == isObject && (items["not"] != nil) == isNoItem)
  }

  @Test func namesOfAnyCharactersAreWritten() throws {
    let text = try Self.schema(["a.mustache": #"<p>{{"\/~%é}}{{a~/b.#}}</p>"#])
    let schema = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    let properties = try #require(schema?["properties"] as? [String: Any])
    #expect(Set(properties.keys) == [#""\/~%é"#, "a~/b"])
    let union = try #require((properties["a~/b"] as? [String: Any])?["anyOf"] as? [[String: Any]])
    #expect(union.compactMap { $0["$ref"] as? String } == ["#/$defs/a__b_1"])
  }

  /// Templates and names of the maximum depth, and more than a schema describes: the stack does not grow.
  @Test func hugeTemplatesHaveASchema() throws {
    let deep = (0..<20_000).map { "n\($0)" }.joined(separator: ".")
    #expect(try Self.schema(["a.mustache": "<p>{{\(deep)}}</p>"]).contains("\"n19999\""))
    let open = (0..<200).map { "{{#s\($0)}}" }.joined()
    let close = (0..<200).reversed().map { "{{/s\($0)}}" }.joined()
    #expect(try Self.schema(["a.mustache": "<p>\(open)\(close)</p>"]).contains("\"s199\""))
    var many: [String: String] = [:]
    for number in 0..<60 {
      many["k\(number).mustache"] = (0..<60).map { "{{#x\(number)}}{{>k\($0)}}{{/x\(number)}}" }.joined()
    }
    #expect(try Self.schema(many, "k0").contains(/"k59_[0-9]+":/))
  }
}
