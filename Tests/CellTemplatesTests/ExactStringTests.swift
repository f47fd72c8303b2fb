import Testing

@testable import CellTemplates

/// Names are equal if their bytes are, as for browsers: `é` as one code point is not `é` as two.
@Suite struct ExactStringTests {
  private static let one = "\u{E9}"
  private static let two = "e\u{301}"

  @Test func canonicallyEquivalentTextsDiffer() {
    #expect(Self.one == Self.two)
    #expect(ExactString(Self.one) != ExactString(Self.two))
    #expect(Set([ExactString(Self.one), ExactString(Self.two), ExactString(Self.one)]).count == 2)
    #expect(ExactString(Self.two) < ExactString(Self.one))
  }

  @Test func attributesAreDistinct() {
    #expect(
      Templates.diagnostics(Templates.sources(["c.mustache": "<p x\(Self.one)=1 x\(Self.two)=2></p>"])) == [])
    #expect(
      Templates.diagnostics(Templates.sources(["c.mustache": "<p x\(Self.one)=1 x\(Self.one)=2></p>"]))
        == ["1:10 duplicate-attribute"])
  }

  @Test func anEndTagClosesOnlyItsElement() {
    let found = Templates.diagnostics(Templates.sources(["c.mustache": "<x\(Self.one)></x\(Self.two)>"]))
    #expect(found == ["1:1 unclosed-element", "1:6 unexpected-end-tag"])
  }

  /// Both files have the same error at the same place.
  @Test func filesAreDistinct() {
    let nibs = [Self.one, Self.two].map { name in
      TemplateSource(
        file: "\(name).html", kind: name, mode: .html,
        bytes: Array("<b data-cell=\"c\(name.utf8.count)\"><i></b>".utf8))
    }
    #expect(throws: TemplateErrors.self) { try TemplateCompiler.compile([], nibs: nibs) }
    do throws(TemplateErrors) { _ = try TemplateCompiler.compile([], nibs: nibs) } catch {
      let files = error.diagnostics.map { Array($0.file.utf8) }
      #expect(files == [Self.two, Self.one].map { Array("\($0).html".utf8) })
    }
  }

  /// The Kelvin sign is no letter of ASCII, so this is no checkbox.
  @Test func onlyLettersOfASCIIHaveTwoCases() throws {
    func form(_ type: String) throws -> UInt32 {
      let text = "<p data-cell=\"c\"><input type=\"\(type)\" data-outlet=\"x\"></p>"
      let nib = TemplateSource(file: "n.html", kind: "n", mode: .html, bytes: Array(text.utf8))
      return try TemplateCompiler.compile([], nibs: [nib]).archive.tables.$outlets[0].form
    }
    #expect(try form("CheckBox") == OutletEntry.Form.choice.rawValue)
    #expect(try form("chec\u{212A}box") == OutletEntry.Form.element.rawValue)
  }

  @Test func partialsAreListedByTheirBytes() throws {
    let archive = try Templates.archive(["c.mustache": "{{>\(Self.one)}}{{>\(Self.two)}}{{>\(Self.one)}}"])
    #expect(archive.tables.$kinds[0].partialCount == 2)
  }
}
