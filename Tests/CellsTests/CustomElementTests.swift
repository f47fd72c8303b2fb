import CellTemplates
import Testing

@testable import Cells

/// Attributes that `custom-elements.json` declares may hold values, each by its form.
@Suite struct CustomElementTests {
  private static func manifest(_ attributes: String, element: String = "x-card") -> String {
    #"{"modules":[{"kind":"javascript-module","declarations":[{"kind":"function","name":"f"},{"tagName":"\#(element)","attributes":[\#(attributes)]}]},{}]}"#
  }

  private static let card = manifest(
    #"{"name":"note"},{"name":"photo-src"},{"name":"Home","type":{"text":"URL | undefined"}},"#
      + #"{"name":"isOpen","type":{"text":"boolean | null"}},{"name":"content"},{"name":"title"},{"name":"callBackUrl"},"#
      + #"{"name":"\u0600src"},{"name":"\u212Ain"},{"name":"aria-busy","type":{"text":"boolean"}},"#
      + #"{"name":"style","type":{"text":"boolean"}}"#
  )

  private static func rendered(_ nib: String, _ row: String, manifest: String = card) throws -> String {
    let folder = try TemporaryFolder(["n.html": nib, "custom-elements.json": manifest])
    let harness = RenderHarness(archive: try CellArchive.compiling(folder: folder.path))
    return try harness.render("c", row)
  }

  private static let rows: [(attribute: String, value: String, output: String)] = [
    ("note", #""\"><script>""#, #" note="&quot;&gt;&lt;script&gt;""#),
    ("note", "null", ""), ("note", "[1]", #" note="[1]""#),
    ("photo-src", #""/a b.png""#, #" photo-src="/a%20b.png""#),
    ("photo-src", #""javascript:alert(1)""#, #" photo-src="about:invalid#cell""#),
    ("photo-src", #""//evil.example/x""#, #" photo-src="about:invalid#cell""#),
    ("photo-src", #""https://evil.example/x""#, #" photo-src="about:invalid#cell""#),
    ("callbackurl", #""https://evil.example/x""#, #" callbackurl="about:invalid#cell""#),
    ("home", #""https://example.org/a&b""#, #" home="https://example.org/a&amp;b""#),
    ("home", #"" java\nscript:alert(1)""#, #" home="about:invalid#cell""#),
    ("isopen", #""yes\"onclick=\"f()""#, " isopen"), ("isopen", "0", ""),
    ("content", #""0;url=x""#, #" content="0;url=x""#),
    ("title", #""t""#, #" title="t""#),
    // Names end as bytes do, whatever a mark makes of their first letter, and letters of ASCII alone are lowered.
    ("\u{600}src", #""javascript:alert(1)""#, " \u{600}src=\"about:invalid#cell\""),
    ("\u{212A}in", #""k""#, " \u{212A}in=\"k\""),
    // What every element may have stays what it is.
    ("aria-busy", "true", #" aria-busy="true""#),
  ]

  @Test(arguments: rows.indices) func areBound(position: Int) throws {
    let row = Self.rows[position]
    // data-bind writes names in ASCII.
    if !row.attribute.utf8.allSatisfy({ $0 < 0x80 }) { return }
    let nib = "<x-card data-cell=c data-bind=\"\(row.attribute):v\">x</x-card>"
    #expect(try Self.rendered(nib, "{\"v\":\(row.value)}") == "<x-card\(row.output)>x</x-card>")
  }

  @Test(arguments: rows.indices) func areFilledByMustache(position: Int) throws {
    let row = Self.rows[position]
    if row.output.isEmpty { return }
    let nib = "<x-card data-cell=c \(row.attribute)=\"{{v}}\">x</x-card>"
    #expect(try Self.rendered(nib, "{\"v\":\(row.value)}") == "<x-card\(row.output)>x</x-card>")
  }

  /// What is declared for one element opens nothing on others.
  @Test(arguments: [
    "<x-other note=\"{{v}}\">", "<div note=\"{{v}}\">", "<x-card other=\"{{v}}\">",
    "<x-card onclick=\"{{v}}\">",
  ])
  func othersStayRefused(tag: String) throws {
    let folder = try TemporaryFolder(["a.mustache": tag, "custom-elements.json": Self.card])
    let codes = FolderCheck(folder.path, executor: InlineExecutor()).diagnostics.map(\.code)
    #expect(codes.contains(.refusedAttribute))
  }

  /// Libraries that read `data-note` as `note` read `note`, too.
  @Test(arguments: [
    "<x-card ng-if=\"a\" note=\"{{v}}\"></x-card>", "<x-card note=\"{{v}}\" data-ng:message></x-card>",
    "<x-card ng-include photo-src=\"{{v}}\"></x-card>",
    "<x-card class=\"ng-include: a\" isopen=\"{{v}}\"></x-card>",
    "<x-card uk-sticky note=\"{{v}}\"></x-card>", "<x-card data-dojo-type=\"a\" note=\"{{v}}\"></x-card>",
  ])
  func librariesReadThem(cell: String) throws {
    for files in [
      ["a.mustache": cell],
      [
        "a.html": cell.replacing("<x-card ", with: "<x-card data-cell=c ")
          .replacing(#/([a-z-]+)="{{v}}"/#) { "data-bind=\"\($0.1):v\"" }
      ],
    ] {
      let folder = try TemporaryFolder(files.merging(["custom-elements.json": Self.card]) { $1 })
      let codes = FolderCheck(folder.path, executor: InlineExecutor()).diagnostics.map(\.code)
      #expect(codes == [.refusedAttribute], "\(files)")
    }
  }

  @Test(arguments: [
    "<x-card ng-non-bindable note=\"{{v}}\"></x-card>",
    "<x-card ng-if=\"a\" note=\"a\" title=\"{{v}}\"></x-card>",
    "<x-card ng-if=\"a\"><x-card note=\"{{v}}\"></x-card></x-card>",
    "<x-card uk-sticky photo-src=\"{{v}}\"></x-card>",
    "<x-card data-dojo-type=\"a\" photo-src=\"{{v}}\"></x-card>",
  ])
  func othersMayStandBesideLibraries(cell: String) throws {
    let folder = try TemporaryFolder(["a.mustache": cell, "custom-elements.json": Self.card])
    #expect(FolderCheck(folder.path, executor: InlineExecutor()).diagnostics.isEmpty)
  }

  private static let refused: [(attribute: String, words: String)] = [
    ("onclick", "event handlers"), ("ONCLICK", "event handlers"), ("style-x\"", "valid name"),
    ("type", "static"),
    ("innerHTML", "markup"), ("html", "markup"), ("template", "markup"), ("srcdoc", "document"),
    ("v-if", "library"),
    (":x", "library"), ("data-on-x", "library"), ("xmlns", "namespace"), ("is", "static"), ("", "valid name"),
    ("a b", "valid name"), ("ng:init", "library"), ("ng_Init", "library"), ("x:ng-init", "library"),
    ("data:ng-init", "library"), ("x_ng:init", "library"), ("script", "library"), ("ic-on-error", "library"),
    ("uk-tooltip", "library"), ("#slot", "library"), (".innerHTML", "library"), ("slot-scope", "library"),
    ("dojoType", "library"),
  ]

  /// Names that only look like those of libraries.
  @Test(arguments: ["ng", "ngx", "nginx", "scripts", "icon", "ukulele", "text", "content"])
  func namesLikeThoseOfLibrariesMayBeDeclared(name: String) throws {
    let output = try Self.rendered(
      "<x-card data-cell=c \(name)=\"{{v}}\"></x-card>", #"{"v":1}"#,
      manifest: Self.manifest("{\"name\":\"\(name)\"}"))
    #expect(output == "<x-card \(name)=\"1\"></x-card>")
  }

  @Test(arguments: refused.indices) func refusedAttributesAreErrorsOfTheManifest(position: Int) throws {
    let row = Self.refused[position]
    let name = row.attribute.replacing("\"", with: "\\\"")
    let folder = try TemporaryFolder(
      [
        "a.mustache": "<x-card note={{v}}>",
        "custom-elements.json": Self.manifest("\n{\"name\":\"\(name)\"}"),
      ])
    let found = FolderCheck(folder.path, executor: InlineExecutor()).diagnostics
    #expect(found.count == 1)
    #expect(found.first?.code == .invalidManifest && found.first?.line == 2 && found.first?.column == 9)
    #expect(found.first?.message.contains(row.words) == true, "\(found)")
    #expect(throws: TemplateErrors.self) { try CellArchive.compiling(folder: folder.path) }
  }

  @Test(arguments: [
    "div", "card", "Card-x", "x-Card", "-x", "1-x", "font-face", "annotation-xml", "x y-z", "x-<", "", "svg",
  ]) func refusedElementNames(name: String) throws {
    let folder = try TemporaryFolder(
      ["a.mustache": "x", "custom-elements.json": Self.manifest(#"{"name":"a"}"#, element: name)])
    #expect(
      FolderCheck(folder.path, executor: InlineExecutor()).diagnostics.map(\.code) == [.invalidManifest])
  }

  @Test(arguments: ["x-", "x-y.z_1", "émotion-".replacing("é", with: "e"), "a-ü", "turbo-frame"])
  func acceptedElementNames(name: String) throws {
    let folder = try TemporaryFolder(
      ["a.mustache": "x", "custom-elements.json": Self.manifest(#"{"name":"a"}"#, element: name)])
    #expect(FolderCheck(folder.path, executor: InlineExecutor()).diagnostics.isEmpty)
  }

  @Test(arguments: [
    "", "[]", "{}", #"{"modules":{}}"#, #"{"modules":[{"declarations":{}}]}"#, #"{"modules":[}"#,
    #"{"modules":[{"declarations":[{"tagName":1}]}]}"#,
    #"{"modules":[{"declarations":[{"tagName":"a-b","attributes":[{}]}]}]}"#,
    #"{"modules":[{"declarations":[{"tagName":"a-b","attributes":[{"name":"c"},{"name":"c","type":{"text":"boolean"}}]}]}]}"#,
    String(repeating: "[", count: 100_000),
  ]) func otherJSONIsRefused(text: String) throws {
    let folder = try TemporaryFolder(["a.mustache": "x", "custom-elements.json": text])
    let found = FolderCheck(folder.path, executor: InlineExecutor()).diagnostics
    #expect(found.map(\.code) == [.invalidManifest])
    #expect(found.allSatisfy { $0.line == 1 && $0.column >= 1 && !$0.hint.isEmpty })
  }

  /// The attributes of Turbo's elements that are refused whatever a manifest says.
  @Test(arguments: [
    ("turbo-stream", "action"), ("turbo-stream", "targets"), ("turbo-stream-source", "src"),
    ("cell-table", "factory"), ("ng-include", "src"), ("ng-pluralize", "when-exp"), ("x-ng_message", "when"),
    ("data-ng-view", "note"),
  ])
  func refusalsOfSingleElements(element: String, attribute: String) throws {
    let manifest = Self.manifest("{\"name\":\"\(attribute)\"}", element: element)
    let folder = try TemporaryFolder(["a.mustache": "x", "custom-elements.json": manifest])
    #expect(
      FolderCheck(folder.path, executor: InlineExecutor()).diagnostics.map(\.code) == [.invalidManifest])
  }

  @Test func aByteOrderMarkIsReadOver() throws {
    let output = try Self.rendered(
      "<x-card data-cell=c note=\"{{v}}\"></x-card>", #"{"v":1}"#, manifest: "\u{FEFF}" + Self.card)
    #expect(output == "<x-card note=\"1\"></x-card>")
    let folder = try TemporaryFolder(["a.mustache": "x", "custom-elements.json": "\u{FEFF}\n[]"])
    let found = FolderCheck(folder.path, executor: InlineExecutor()).diagnostics
    #expect(found.map(\.line) == [2] && found.map(\.column) == [1])
  }

  @Test func whatIsNoElementIsPassedOver() throws {
    let manifest =
      #"{"modules":[1,null,{"declarations":[null,5,{"kind":"class"},{"tagName":"x-card","attributes":null}]}]}"#
    let folder = try TemporaryFolder(["a.mustache": "x", "custom-elements.json": manifest])
    #expect(FolderCheck(folder.path, executor: InlineExecutor()).diagnostics.isEmpty)
  }

  @Test func theManifestIsPartOfTheArchivesHash() throws {
    func archive(_ files: [String: String]) throws -> CellArchive {
      let folder = try TemporaryFolder(["a.mustache": "<p>x</p>"].merging(files) { $1 })
      return try CellArchive.compiling(folder: folder.path)
    }
    let without = try archive([:])
    let with = try archive(["custom-elements.json": Self.card])
    let other = try archive(["custom-elements.json": Self.manifest(#"{"name":"note"}"#)])
    #expect(Set([without.hash, with.hash, other.hash]).count == 3)
    // A manifest in a folder below is another file's.
    #expect(try archive(["below/custom-elements.json": Self.card]).hash == without.hash)
    #expect(try CellArchive(decoding: with.encoded()).hash == with.hash)
  }
}
