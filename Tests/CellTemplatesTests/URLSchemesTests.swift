import CellTemplates
import Testing

@Suite struct URLSchemesTests {
  @Test(arguments: [
    ("myapp", ["http", "https", "mailto", "myapp", "tel"]),
    ("MyApp,web+tea", ["http", "https", "mailto", "myapp", "tel", "web+tea"]),
    ("sip, sips , xmpp", ["http", "https", "mailto", "sip", "sips", "tel", "xmpp"]),
    ("https,mailto", ["http", "https", "mailto", "tel"]),
    ("a,z,a,A", ["a", "http", "https", "mailto", "tel", "z"]),
    ("x-y.z2", ["http", "https", "mailto", "tel", "x-y.z2"]),
  ])
  func namedSchemesAreAddedToTheStandard(_ list: String, _ names: [String]) throws {
    #expect(try URLSchemes(list: list).names == names)
  }

  @Test(arguments: [
    "", ",", "a,", ",a", "1a", "+a", "-", "my app", "my_app", "app:", "app://", "ä", "\u{212A}", "a\tb",
    "a\nb", "a\0",
    String(repeating: "a", count: 65),
  ])
  func invalidSchemesAreRefused(_ list: String) {
    let error = #expect(throws: URLSchemeError.self) { try URLSchemes(list: list) }
    guard case .noScheme? = error else {
      Issue.record("\(list): \(String(describing: error))")
      return
    }
  }

  @Test(arguments: [
    "javascript", "JavaScript", " javascript ", "vbscript", "livescript", "mocha", "data", "DATA", "blob",
    "filesystem", "about", "view-source", "feed", "jar", "mhtml", "wyciwyg",
  ])
  func schemesThatRunScriptAreRefused(_ name: String) {
    for list in [name, "myapp,\(name)", "\(name),myapp"] {
      #expect(throws: URLSchemeError.self) { try URLSchemes(list: list) }
    }
  }

  @Test func thereAreAtMostSixtyFour() throws {
    #expect(try URLSchemes(adding: (0..<60).map { "s\($0)" }).names.count == 64)
    #expect(throws: URLSchemeError.tooMany) { try URLSchemes(adding: (0..<61).map { "s\($0)" }) }
  }

  @Test func anySpellingOfASchemeIsTheSame() throws {
    let schemes = try URLSchemes(list: "web+tea")
    for name in ["http", "HTTP", "hTtPs", "WEB+tea"] {
      #expect(schemes.contains(Array(name.utf8)), "\(name)")
    }
    for name in ["", "htt", "httpss", "web+te", "web", "javascript", "http:", "\u{212A}", "web\u{0B}tea"] {
      #expect(!schemes.contains(Array(name.utf8)), "\(name)")
    }
  }

  @Test func anArchiveHoldsItsSchemes() throws {
    let source = TemplateSource(file: "a", kind: "a", mode: .html, bytes: Array("a".utf8))
    let standard = try TemplateCompiler.compile([source]).archive
    let more = try TemplateCompiler.compile(
      [source], with: TemplateSettings(schemes: URLSchemes(list: "myapp"))
    ).archive
    func names(_ archive: CellArchive) -> [String] { archive.tables.$schemes.array.map(archive.text) }
    #expect(names(standard) == ["http", "https", "mailto", "tel"])
    #expect(names(try CellArchive(decoding: more.encoded())) == ["http", "https", "mailto", "myapp", "tel"])
    #expect(standard.hash != more.hash)
    #expect(standard.tables.$kinds[0].version != more.tables.$kinds[0].version)
  }
}
