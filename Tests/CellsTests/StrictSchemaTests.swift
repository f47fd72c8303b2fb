import CellTemplates
import Foundation
import Testing

@testable import Cells

/// The strict schema: what samples show.
@Suite struct StrictSchemaTests {
  private static func schema(
    _ templates: [String: String], _ samples: String? = nil, _ kind: String = "a"
  ) throws -> String {
    let archive = try RenderHarness.archive(templates, samples: samples.map { [kind: $0] } ?? [:])
    // The same from the file as from the folder, but for the examples.
    let read = try CellArchive(decoding: archive.encoded())
    #expect(read.hash == archive.hash)
    var output = ByteBuffer()
    var again = ByteBuffer()
    StrictSchemaWriter.append(try #require(archive.kindNumber(kind)), of: archive, to: &output)
    StrictSchemaWriter.append(try #require(read.kindNumber(kind)), of: read, to: &again)
    let text = String(decoding: again.bytes, as: UTF8.self)
    let fromFolder = String(decoding: output.bytes, as: UTF8.self)
    #expect(fromFolder.replacing(/,"examples":\[.*\]}\n$/, with: "}\n") == text)
    return text
  }

  /// The first rows of a sample are the examples of both schemas, as many as there is room for.
  @Test func samplesAreExamples() throws {
    let long = String(repeating: "x", count: SampleTypes.exampleLimitBytes / 2)
    let samples = [
      "a": #"[{"a": 1}, {"a":"<b>","a":"\u00e9"}, {"a":"\#(long)"}, {"a":"\#(long)"}]"#, "b": "[[1]]",
    ]
    let archive = try RenderHarness.archive(
      ["a.mustache": "{{a}}", "b.mustache": "{{.}}", "c.mustache": "{{a}}"], samples: samples)
    let expected = ["a": #","examples":[{"a":1},{"a":"é"},{"a":"\#(long)"}]}"#, "b": #","examples":[[1]]}"#]
    for kind in ["a", "b", "c"] {
      var plain = ByteBuffer()
      var strict = ByteBuffer()
      SchemaWriter.append(try #require(archive.kindNumber(kind)), of: archive, to: &plain)
      StrictSchemaWriter.append(try #require(archive.kindNumber(kind)), of: archive, to: &strict)
      for text in [plain.description, strict.description] {
        #expect(text.contains("\"examples\"") == (expected[kind] != nil), "\(kind)")
        if let end = expected[kind] { #expect(text.hasSuffix(end + "\n"), "\(kind)") }
      }
    }
  }

  /// What is printed whole may have any names.
  @Test(arguments: ["{{.}}", "<s data-bind=\"title:.\">s</s>", "{{@row}}", "{{#l}}{{@row}}{{/l}}"])
  func rowsPrintedWholeAreOpen(
    _ content: String
  ) throws {
    let schema = try Self.schema(["n.html": "<p data-cell=\"a\">\(content)</p>"], #"[{"any": 1}]"#)
    #expect(!schema.contains("additionalProperties"))
  }

  /// Where Mustache would find it first, an object may have an owner of its own.
  @Test(arguments: [
    ("{{a}}{{owner.b}}", true), ("{{a}}{{#owner}}{{b}}{{/owner}}", true),
    ("{{a}}{{#l}}{{owner.b}}{{/l}}", true), ("{{a}}{{#l}}{{b}}{{/l}}", false),
    ("{{a}}<b data-outlet=\"owner.b\">x</b>", false),
  ]) func rowsMayHaveAnOwner(_ content: String, _ takesOwner: Bool) throws {
    let templates = ["n.html": "<p data-cell=\"a\">\(content)</p>"]
    let schema = try Self.schema(templates)
    let own = #""owner":{"description":"Read in place of the request's owner."}"#
    #expect(schema.contains(own) == takesOwner, "\(schema)")
    // One that samples show has its type, and the template reads it.
    let shown = try Self.schema(templates, #"[{"owner": {"b": "x"}}]"#)
    #expect(!shown.contains(own))
    #expect(shown.contains(#""owner":{"description":"printed""#) == takesOwner, "\(shown)")
  }

  /// So may those in which a cell that is called, or an override, looks it up.
  @Test(arguments: [
    ("{{#l}}{{owner.n}}{{/l}}", true), ("{{#l}}{{>b}}{{/l}}", true), ("{{#l}}{{x}}{{>c}}{{/l}}", true),
    ("{{<d}}{{$t}}{{owner.n}}{{/t}}{{/d}}", true), ("{{<e}}{{$t}}{{x}}{{>b}}{{/t}}{{/e}}", true),
    ("{{#l}}{{x}}{{/l}}{{#o}}{{owner.n}}{{/o}}", false), ("{{owner.n}}{{<d}}{{$t}}{{x}}{{/t}}{{/d}}", false),
  ]) func objectsMayHaveAnOwner(_ template: String, _ isInList: Bool) throws {
    let templates = [
      "a.mustache": template, "b.mustache": "{{>c}}", "c.mustache": "{{owner.n}}",
      "d.mustache": "{{#l}}{{$t}}{{/t}}{{/l}}", "e.mustache": "{{<d}}{{/d}}",
      "f.mustache": "{{<d}}{{$t}}{{owner.n}}{{/t}}{{/d}}",
    ]
    let schema = try Self.shape(templates, #"[{"l":[{"x":1}]}]"#)
    #expect(schema.contains(#""items":{"$ref":"AL"}},"#) && schema.contains(#""owner":{}}!}"#), "\(schema)")
    #expect(
      schema.contains(#""AL":{{"x":{"type":"integer"}\#(isInList ? #","owner":{}"# : "")}!}"#), "\(schema)")
  }

  /// A section's value has a key of the section's name if the template uses other keys of it, so that it is an object.
  @Test(arguments: [
    ("{{#a}}{{a}}{{c}}{{/a}}", true), ("{{#a}}{{#x}}{{a.d}}{{c}}{{/x}}{{/a}}", true),
    ("{{#a}}<s data-outlet=\"a\">s</s>{{c}}{{/a}}", true), ("{{#a}}{{a.c}}{{/a}}", false),
    ("{{#a}}{{a}}{{/a}}", false), ("{{#a.b}}{{a.c}}{{/a.b}}", false), ("{{c}}{{#a}}{{a.c}}{{/a}}", false),
  ]) func sectionsMayHaveTheirOwnName(_ content: String, _ hasName: Bool) throws {
    let archive = try RenderHarness.archive(["n.html": "<p data-cell=\"k\">\(content)</p>"])
    let shape = DataShape(of: 0, in: archive)
    let root = try #require(shape.roots[0])
    let section = try #require(shape.levels[root].member(named: Array("a".utf8)))
    let level = try #require(shape.levels[root].members[section].level)
    let inner = shape.levels[level].members.map(\.name)
    #expect(inner.contains(Array("a".utf8)) == hasName)
  }

  /// Of a repeated name, the value that counts is learnt.
  @Test func repeatedNamesShowOneType() throws {
    let templates = ["a.mustache": "{{a}}{{#b}}{{c}}{{/b}}"]
    let repeated = try Self.schema(templates, #"[{"a":"x","b":{"c":1},"a":1,"b":{"c":"x","c":true}}]"#)
    #expect(repeated == (try Self.schema(templates, #"[{"a":1,"b":{"c":true}}]"#)))
  }

  /// The archive keeps what was learnt from samples, not the samples.
  @Test func archivesHoldTypesWithoutSamples() throws {
    let archive = try RenderHarness.archive(
      ["a.mustache": "{{a}}{{b}}"], samples: ["a": #"[{"a": "only in a sample", "b": 1}]"#])
    let bytes = archive.encoded()
    #expect(bytes.firstRange(of: Array("only in a sample".utf8)) == nil)
    let read = try CellArchive(decoding: bytes)
    let texts = try [archive, read].map { archive in
      var text = ByteBuffer()
      StrictSchemaWriter.append(try #require(archive.kindNumber("a")), of: archive, to: &text)
      return text.description
    }
    let examples = #","examples":[{"a":"only in a sample","b":1}]"#
    #expect(texts[0].contains(examples) && texts[1] == texts[0].replacing(examples, with: ""))
    #expect(texts[1].contains(#""type":"string""#) && texts[1].contains(#""type":"integer""#))
  }

  /// The row and the definitions, without descriptions; closed objects as `!{…}`.
  private static func shape(_ templates: [String: String], _ samples: String?) throws -> String {
    let text = try schema(templates, samples)
    let start =
      #"{"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"/schemas/a?strict=true","title":"a","#
    #expect(text.hasPrefix(start) && text.hasSuffix("}}\n"))
    return String(text.dropFirst(start.utf8.count).dropLast(3))
      .replacing(/"description":"[^"]*",?/, with: "").replacing(#"#/$defs/"#, with: "")
      .replacing(#"["string","number","boolean","null"]"#, with: "S")
      .replacing(#","additionalProperties":false"#, with: "!")
      .replacing(#""type":"object","properties":"#, with: "")
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let template: String
    let samples: String?
    let shape: String

    init(_ template: String, _ samples: String?, _ shape: String) {
      (self.template, self.samples, self.shape) = (template, samples, shape)
    }

    var testDescription: String { "\(template) \(samples ?? "")" }
  }

  @Test(arguments: [
    Case("{{a}}", #"[{"a":1},{"a":2}]"#, ##""$ref":"A","$defs":{"A":{{"a":{"type":"integer"}}!}"##),
    Case("{{a}}", #"[{"a":1},{"a":2.5}]"#, ##""$ref":"A","$defs":{"A":{{"a":{"type":"number"}}!}"##),
    Case(
      "{{a}}", #"[{"a":null},{"a":"x"}]"#, ##""$ref":"A","$defs":{"A":{{"a":{"type":["string","null"]}}!}"##),
    // What no sample shows is what its place is made for; what only samples have belongs to them.
    Case(
      "{{a}}{{b}}", #"[{"a":true,"c":"x"}]"#,
      ##""$ref":"A","$defs":{"A":{{"a":{"type":"boolean"},"c":{"type":"string"},"b":{"type":S}}!}"##),
    Case("{{a}}", #"[{"a":null}]"#, ##""$ref":"A","$defs":{"A":{{"a":{"type":S}}!}"##),
    Case("{{a}}", nil, ##""$ref":"A","$defs":{"A":{{"a":{"type":S}}!}"##),
    Case(
      "{{a.b}}", nil,
      ##""$ref":"A","$defs":{"A":{{"a":{"anyOf":[{"type":["null"]},{"$ref":"AA"}]}}!},"AA":{{"b":{"type":S}}!}"##
        .replacing(#"["null"]"#, with: #""null""#)),
    Case(
      "{{#l}}{{x}}{{/l}}", #"[{"l":[{"x":"a","y":1},{"x":"b"}]},{"l":[]}]"#,
      ##""$ref":"A","$defs":{"A":{{"l":{"type":"array","items":{"$ref":"AL"}}}!},"AL":{{"x":{"type":"string"},"y":{"type":"integer"}}!}"##
    ),
    // A name in a section may be found around it.
    Case(
      "{{#l}}{{x}}{{/l}}", nil,
      ##""$ref":"A","$defs":{"A":{{"l":{"anyOf":[{"type":["boolean","null"]},{"$ref":"AL"},"##
        + ##"{"type":"array","items":{"anyOf":[{"type":["boolean","null"]},{"$ref":"AL"}]}}]}}},"AL":{{"x":{"type":S}}!}"##
    ),
    // Recursive cells have one type.
    Case(
      "{{t}}{{#k}}{{>a}}{{/k}}", #"[{"t":"1","k":[{"t":"2","k":[{"t":"3"}]}]}]"#,
      ##""$ref":"A","$defs":{"A":{{"t":{"type":"string"},"k":{"type":"array","items":{"$ref":"A"}}}!}"##),
    // Printed as a whole, an object may have any member.
    Case(
      "{{#x}}{{.}}{{/x}}", #"[{"x":{"y":1}}]"#,
      ##""$ref":"A","$defs":{"A":{{"x":{"$ref":"AX"}}!},"AX":{{"y":{"type":"integer"}}}"##),
    // Rows and items of rows in which no names are looked up.
    Case(
      "x{{owner.n}}", #"[{"a":1},[{"b":2}]]"#,
      ##""anyOf":[{"$ref":"A"},{"type":"array","items":{"$ref":"AItem"}}],"$defs":{"A":{{"a":{"type":"integer"},"owner":{}}!},"AItem":{{"b":{"type":"integer"}}!},"AOwner":{{"n":{"type":S}}!}"##
    ),
    Case("{{.}}", #"["x",1]"#, ##""type":["string","integer"],"$defs":{"##),
    Case("{{>*x}}", #"[{"x":"a"}]"#, ##""$ref":"A","$defs":{"A":{{"x":{"type":"string"}}}"##),
    Case(
      "{{a}}", #"[{"a":[[{"b":1}]]}]"#,
      ##""$ref":"A","$defs":{"A":{{"a":{"type":"array","items":{"type":"array","items":{"$ref":"AA"}}}}!},"AA":{{"b":{"type":"integer"}}!}"##
    ),
  ])
  func samplesNarrow(_ row: Case) throws {
    #expect(try Self.shape(["a.mustache": row.template], row.samples) == row.shape)
  }

  /// Strings that fit no format are refused, as by the plain schema.
  @Test(arguments: [
    ("{{a | number}}", #"[{"a":"1.5"},{"a":2}]"#, #""type":["string","integer"],"pattern":"^-?(0|"#),
    ("{{a | number}}", #"[{"a":2}]"#, #""type":"integer"}"#),
    ("{{a | number}}", nil, #""type":["string","number","null"],"pattern":"^-?(0|"#),
    ("{{a | date}}", nil, #""type":["string","null"],"anyOf":[{"format":"date-time"},{"format":"date"}]"#),
    (
      "{{#a}}{{. | date}}{{/a}}", #"[{"a":["2025-01-01"]}]"#,
      #""type":"array","items":{"type":"string","anyOf":[{"format":"date-time"},{"format":"date"}]}"#
    ),
    (
      "{{#a}}{{. | number}}{{/a}}", #"[{"a":[]},{"a":[[1]]}]"#,
      #"{"type":"array","items":{"type":"integer"}}"#
    ),
    ("{{b | currency a}}", #"[{"a":"EUR"}]"#, ##""type":"string","pattern":"^[A-Z]{3}$"}"##),
    // Items that no sample shows.
    ("{{a | list}}", nil, #"{"type":"array","items":{"type":["string","number","boolean","null"]}}"#),
  ])
  func formatsNarrow(template: String, samples: String?, expected: String) throws {
    let text = try Self.schema(["a.mustache": template], samples)
    #expect(text.contains(expected), "\(text)")
    #expect(text.contains("\"x-cellfactory-format\":"))
  }

  @Test func outletsTakeWhatFillsThem() throws {
    let nib =
      "<div data-cell=a><b data-outlet=t data-missing=error>t</b><a data-outlet=l data-bind=href href=u>l</a></div>"
    #expect(
      try Self.shape(["n.html": nib], nil)
        == ##""$ref":"A","$defs":{"A":{{"t":{"anyOf":[{"type":S},{"type":"array","items":{"type":S}}]},"##
        + ##""l":{"anyOf":[{"type":S},{"$ref":"AL"},{"type":"array","items":{"anyOf":[{"type":S},{"$ref":"AL"}]}}]},"##
        + ##""href":{"anyOf":[{"type":S},{"type":"array","items":{"type":S}}]}},"required":["t"]!},"##
        + ##""AL":{{"text":{"anyOf":[{"type":S},{"type":"array","items":{"type":S}}]},"##
        + ##""href":{"anyOf":[{"type":S},{"type":"array","items":{"type":S}}]}}!}"##)
  }

  @Test func whatIsNoArrayOfRowsShowsNothing() throws {
    for sample in ["", "[", "{}", "[]", "3", "[{\"a\":1}]x"] {
      #expect(SampleLearner.types(of: Array(sample.utf8)) == nil, "\(sample)")
    }
  }

  @Test func hugeSamplesAreLearntWithinBounds() throws {
    let wide = "[{" + (0..<20_000).map { "\"n\($0)\":1" }.joined(separator: ",") + "}]"
    let types = try #require(SampleLearner.types(of: Array(wide.utf8)))
    #expect(types.entries.count == SampleTypes.kindLimit && types.entries[0].types == [.object, .open])
    let deep = String(repeating: "[", count: 400) + String(repeating: "]", count: 400)
    let nested = try #require(SampleLearner.types(of: Array(deep.utf8)))
    #expect(
      nested.entries.count == SampleLearner.depthLimit + 1 && nested.entries.last!.types.contains(.open))
    let long = "[{\"\(String(repeating: "n", count: 257))\":1,\"a\":1}]"
    let named = try #require(SampleLearner.types(of: Array(long.utf8)))
    #expect(named.entries.count == 2 && named.entries[0].types.contains(.open))
    for sample in [wide, deep, long] {
      #expect(try Self.schema(["a.mustache": "{{a}}"], sample).hasSuffix("}}\n"))
    }
  }
}
