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

  /// The schema's properties and references, without descriptions.
  private static func shape(_ templates: [String: String]) throws -> String {
    let start = #""$schema":"https://json-schema.org/draft/2020-12/schema","$id":"/schemas/a","title":"a","#
    let text = try schema(templates)
    #expect(text.hasPrefix("{" + start) && text.hasSuffix("}}\n"))
    return String(text.dropFirst(start.utf8.count + 1))
      .replacing(/"(description|\$comment)":"[^"]*",?/, with: "").replacing(",}", with: "}")
      .replacing("\n", with: "")
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
    Case(
      "<p>{{a}}{{b}}</p>",
      ##""properties":{"a":{},"b":{}},"$defs":{"complete":{"$ref":"#","type":"object","required":["a","b"]}}}"##
    ),
    Case(
      "<p>{{a.b.c}}</p>",
      ##""properties":{"a":{"type":["object","boolean","null"],"$ref":"#/$defs/a.1"}},"##
        + ##""$defs":{"complete":{"$ref":"#","type":"object","required":["a"]},"##
        + ##""a.1":{"properties":{"b":{"type":["object","boolean","null"],"$ref":"#/$defs/b.2"}}},"##
        + ##""b.2":{"properties":{"c":{}}}}}"##),
    Case(
      "<p>{{a.0}}</p>",
      ##""properties":{"a":{"type":["object","boolean","null","array"],"$ref":"#/$defs/a.1"}},"##
        + ##""$defs":{"complete":{"$ref":"#","type":"object","required":["a"]},"a.1":{"properties":{"0":{}}}}}"##
    ),
    // With a leading zero it is no index, as in rendering, so a list would contain nothing of that name.
    Case(
      "<p>{{a.00}}</p>",
      ##""properties":{"a":{"type":["object","boolean","null"],"$ref":"#/$defs/a.1"}},"##
        + ##""$defs":{"complete":{"$ref":"#","type":"object","required":["a"]},"a.1":{"properties":{"00":{}}}}}"##
    ),
    Case(
      "<p>{{#l}}{{x}}{{/l}}{{#t}}{{.}}{{/t}}</p>",
      ##""properties":{"l":{"$ref":"#/$defs/l.1","items":{"$ref":"#/$defs/l.1"}},"t":{"items":{}}},"##
        + ##""$defs":{"complete":{"$ref":"#"},"l.1":{"properties":{"x":{}}}}}"##),
    // A name tested by a section is also looked up in its parent.
    Case(
      "<p>{{#a.b}}{{a.c}}{{/a.b}}{{#d}}{{d}}{{/d}}{{^e}}{{f}}{{/e}}</p>",
      ##""properties":{"a":{"type":["object","boolean","null"],"$ref":"#/$defs/a.1"},"d":{"items":{}},"e":{},"f":{}},"##
        + ##""$defs":{"complete":{"$ref":"#"},"a.1":{"properties":{"b":{"items":{}},"c":{}}}}}"##),
    // The owner is not part of the rows; names of loops belong to no object.
    Case(
      "<p>{{owner.name}}{{@index}}{{#owner}}{{x}}{{/owner}}</p>",
      ##""properties":{},"$defs":{"complete":{"$ref":"#"},"owner":{"properties":{"name":{},"x":{}}}}}"##),
    Case(
      "<p>{{#.}}{{x}}{{/.}}</p>",
      ##""properties":{},"allOf":[{"$ref":"#/$defs/a.1","items":{"$ref":"#/$defs/a.1"}}],"##
        + ##""$defs":{"complete":{"$ref":"#"},"a.1":{"properties":{"x":{}}}}}"##),
    // Partials, including recursive ones.
    Case(
      ["a.mustache": "<p>{{x}}{{>b/c}}</p>", "b/c.mustache": "{{y}}"],
      ##""properties":{"x":{}},"allOf":[{"$ref":"#/$defs/kind:b~1c"}],"##
        + ##""$defs":{"complete":{"$ref":"#","type":"object","required":["x","y"]},"kind:b/c":{"properties":{"y":{}}}}}"##
    ),
    Case(
      "<i>{{t}}{{#k}}{{>a}}{{/k}}</i>",
      ##""properties":{"t":{},"k":{"$ref":"#/$defs/k.1","items":{"$ref":"#/$defs/k.1"}}},"##
        + ##""$defs":{"complete":{"$ref":"#","type":"object","required":["t"]},"k.1":{"properties":{},"allOf":[{"$ref":"#"}]}}}"##
    ),
    Case(
      ["a.mustache": "<i>{{>b}}</i>", "b.mustache": "{{x}}{{>a}}"],
      ##""properties":{},"allOf":[{"$ref":"#/$defs/kind:b"}],"##
        + ##""$defs":{"complete":{"$ref":"#","type":"object","required":["x"]},"kind:b":{"properties":{"x":{}}}}}"##
    ),
    // The names in a block may come from another cell, so they are not required.
    Case(
      ["a.mustache": "{{<b}}{{$t}}{{x.y}}{{/t}}{{/b}}", "b.mustache": "{{$t}}{{z.w}}{{/t}}"],
      ##""properties":{"x":{"$ref":"#/$defs/x.1"}},"allOf":[{"$ref":"#/$defs/kind:b"}],"$defs":{"complete":{"$ref":"#"},"##
        + ##""x.1":{"properties":{"y":{}}},"kind:b":{"properties":{"z":{"$ref":"#/$defs/z.3"}}},"z.3":{"properties":{"w":{}}}}}"##
    ),
    // Outlets.
    Case(
      ["n.html": "<p data-cell=a><b data-outlet=t>d</b><u data-tag=7 data-bind=title>d</u></p>"],
      ##""properties":{"t":{"$ref":"#/$defs/t.1","items":{"$ref":"#/$defs/t.1"}},"7":{"$ref":"#/$defs/7.2","items":{"$ref":"#/$defs/7.2"}}},"##
        + ##""$defs":{"complete":{"$ref":"#","type":"object","required":["t","7"]},"##
        + ##""t.1":{"properties":{"text":{}}},"7.2":{"properties":{"text":{},"title":{}}}}}"##),
    Case(
      ["n.html": "<p data-cell=a><i data-outlet=o><b data-outlet=n.m>d</b></i></p>"],
      ##""properties":{"o":{"$ref":"#/$defs/o.1","items":{"$ref":"#/$defs/o.1"}}},"$defs":{"complete":{"$ref":"#"},"##
        + ##""o.1":{"properties":{"n":{"type":["object","boolean","null"],"$ref":"#/$defs/n.2"}}},"##
        + ##""n.2":{"properties":{"m":{"$ref":"#/$defs/m.3","items":{"$ref":"#/$defs/m.3"}}}},"m.3":{"properties":{"text":{}}}}}"##
    ),
  ])
  func templatesReportNamesAndNesting(_ row: Case) throws {
    #expect(try Self.shape(row.templates) == row.shape)
  }

  @Test func namesOfAnyCharactersAreWritten() throws {
    let text = try Self.schema(["a.mustache": #"<p>{{"\/~%é}}{{a~/b.#}}</p>"#])
    let schema = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    let properties = try #require(schema?["properties"] as? [String: Any])
    #expect(Set(properties.keys) == [#""\/~%é"#, "a~/b"])
    #expect(((properties["a~/b"] as? [String: Any])?["$ref"] as? String) == "#/$defs/ab.1")
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
    #expect(try Self.schema(many, "k0").contains("\"kind:k59\""))
  }
}
