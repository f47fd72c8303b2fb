import Testing

/// `cellfactory types`. Whether compilers accept what it writes is tested in Tests/Declarations.
@Suite struct CommandTypesTests {
  @Test func aTypeSaysWhatTheTemplateReads() throws {
    let folder = try TemporaryFolder([
      "note.html": #"<p data-cell="note"><b data-outlet="title">t</b><a data-bind="href:link">x</a></p>"#,
      "note.sample.json": #"[{"title": "a", "link": "/b"}, {"title": 1}]"#,
    ])
    let outcome = try run("types", "--templates", folder.path, "--language", "typescript")
    #expect(outcome.status == 0 && outcome.errors == "")
    #expect(
      outcome.text == """
        // Rows of cells, made by cellfactory types --language typescript.

        /** A row of the kind note. */
        export interface Note {
          /** Fills an element, once for each item of a list. */
          title?: string | number;
          /** Part of its element. */
          link?: string;
        }

        /** The rows of each kind. */
        export interface Kinds {
          "note": Note;
        }

        """)
  }

  /// Names that end a line in a language, and two names that are one in Swift.
  @Test func namesAreEscapedForEachLanguage() throws {
    let folder = try TemporaryFolder([
      "lines.mustache": "{{a}}", "lines.sample.json": #"[{"a": 1, "\u2028x": 1, "\u2029": 2}]"#,
      "accents.mustache": "{{a}}", "accents.sample.json": #"[{"a": 1, "\u00e9": 1, "e\u0301": "b"}]"#,
    ])
    let names = ["typescript": #""\u2028x""#, "python": #""\u2028x""#, "swift": #""\u{2028}x""#]
    for (language, name) in names {
      let text = try run("types", "--templates", folder.path, "--language", language).text
      #expect(text.contains(name), "\(text)")
      #expect(!text.unicodeScalars.contains("\u{2028}") && !text.unicodeScalars.contains("\u{2029}"))
      let isOneName = text.contains("public typealias Accents = [String: JSONValue]")
      #expect(isOneName == (language == "swift"), "\(text)")
    }
  }

  @Test func anArchiveGivesTheSameTypes() throws {
    let folder = try TemporaryFolder([:])
    let archive = folder["cells.archive"]
    #expect(try run("archive", Package.templates, "--output", archive).status == 0)
    for language in ["typescript", "swift", "python"] {
      let direct = try run("types", "--templates", Package.templates, "--language", language)
      #expect(direct.status == 0 && direct.output.count > 1000)
      #expect(try run("types", "--archive", archive, "--language", language).output == direct.output)
      let file = folder["rows"]
      #expect(
        try run("types", "--templates", Package.templates, "--language", language, "--output", file).output
          == [])
      #expect(try folder.bytes("rows") == direct.output)
    }
  }

  @Test func tooManyTypesAreAnError() throws {
    // Each kind reaches all others, and has types for what is inside them.
    let folder = try TemporaryFolder([:])
    for number in 0..<230 {
      let template = "{{x\(number)}}{{#s}}{{>k\((number + 1) % 230)}}{{/s}}"
      try folder.write("k\(number).mustache", Array(template.utf8))
    }
    let outcome = try run("types", "--templates", folder.path, "--language", "swift")
    #expect(outcome.output.isEmpty)
    #expect(outcome.status == 1 && outcome.errors.contains("more than 50000 types"), "\(outcome.errors)")
  }

  @Test func wrongUseIsAnError() throws {
    let unknown = try run("types", "--templates", Package.templates, "--language", "cobol")
    #expect(unknown.status == 64 && unknown.errors.contains("typescript"), "\(unknown.errors)")
    #expect(try run("types", "--templates", Package.templates).status == 64)
    let lost = try run(
      "types", "--templates", Package.templates, "--language", "swift", "--output", "/no/such/file")
    #expect(lost.status == 1 && lost.errors.contains("/no/such/file"), "\(lost.errors)")
    let broken = try TemporaryFolder(["a.mustache": "{{#x}}"])
    #expect(try run("types", "--templates", broken.path, "--language", "swift").status == 1)
  }
}
