import Testing

@testable import CellTemplates

/// The budget of a load bounds its time and its memory while one run of markup is read, not only after it.
@Suite struct LoadBudgetTests {
  struct Shape: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let sources: [TemplateSource]
    let nibs: [TemplateSource]

    init(_ name: String, _ templates: [String: String] = [:], nib: String? = nil) {
      testDescription = name
      sources = templates.sorted { $0.key < $1.key }
        .map { Templates.source($0.key + ".mustache", Array($0.value.utf8)) }
      nibs =
        nib.map { [TemplateSource(file: "n.html", kind: "n", mode: .html, bytes: Array($0.utf8))] } ?? []
    }

    func diagnostics(_ budget: LoadBudget) -> [Diagnostic] {
      do throws(TemplateErrors) {
        return try TemplateCompiler.compile(sources, nibs: nibs, with: TemplateSettings(budget: budget))
          .warnings
      } catch {
        return error.diagnostics
      }
    }
  }

  private static func times(_ count: Int, _ text: String) -> String { String(repeating: text, count: count) }

  private static func each(_ count: Int, _ text: (Int) -> String) -> String {
    (0..<count).map(text).joined()
  }

  /// Kinds of which each calls the one before it.
  private static func chain(of count: Int) -> [String: String] {
    Dictionary(uniqueKeysWithValues: (0..<count).map { ("k\($0)", $0 == 0 ? "x" : "{{>k\($0 - 1)}}") })
  }

  /// `units` pieces of markup in one run.
  private static let units = 20_000

  private static let runs = [
    Shape("start tags", ["c": times(units, "<b>")]),
    Shape("end tags", ["c": times(units, "</b>")]),
    Shape("attributes", ["c": "<p \(times(units, "a "))></p>"]),
    Shape("distinct attributes", ["c": "<p \(each(units) { "a\($0) " })></p>"]),
    Shape("quotes in a tag", ["c": "<p \(times(units, "\""))></p>"]),
    Shape("NUL bytes", ["c": times(units, "\0")]),
    Shape("comments in a script", ["c": "<script>\(times(units, "<!--"))</script>"]),
    Shape("a tag without an end", ["c": "{{\(times(units, "a"))"]),
    Shape("a nib's start tags", nib: "<p data-cell=\"c\">\(times(units, "<b>"))</p>"),
    Shape("a nib's end tags", nib: "<p data-cell=\"c\">\(times(units, "</b>"))</p>"),
  ]

  @Test(arguments: runs) func theClockIsAskedWithinARun(_ shape: Shape) {
    let stride = 500
    var looks = 0
    let isOver = {
      looks += 1
      return false
    }
    _ = shape.diagnostics(LoadBudget(isOver: isOver, message: "", hint: "", stride: stride))
    #expect(looks >= Self.units / stride, "\(looks)")
  }

  /// An entry of `data-bind` takes as long as hundreds of bytes.
  @Test func theClockIsAskedForEntries() {
    let count = 2000
    let shape = Shape(
      "", nib: "<p data-cell=\"c\" data-bind=\"\(Self.each(count) { "data-c\($0):x; " })\">x</p>")
    var looks = 0
    let isOver = {
      looks += 1
      return false
    }
    _ = shape.diagnostics(LoadBudget(isOver: isOver, message: "", hint: "", stride: 500))
    #expect(looks >= count / 2, "\(looks)")
  }

  /// The names of a tag's attributes are compared for each block in it, and for each override of one.
  @Test(arguments: [
    ("", "{{$b}}{{/b}}", 2), ("{{<p}}", "{{$b}}{{/b}}", 3), ("", "{{#b}}{{/b}}", 1),
  ])
  func theClockIsAskedForAttributes(_ child: String, _ block: String, _ looksForEach: Int) {
    let count = 300
    let attributes = Self.each(900) { "a\($0) " }
    let blocks = Self.each(count) { block.replacing("b", with: "b\($0)") }
    var files = ["p": "<p \(attributes)\(blocks)></p>"]
    if !child.isEmpty { files["c"] = child + blocks + "{{/p}}" }
    var looks = 0
    let isOver = {
      looks += 1
      return false
    }
    let stride = 900 * Walker.unitsPerName
    let found = Shape("", files).diagnostics(
      LoadBudget(isOver: isOver, message: "", hint: "", stride: stride))
    #expect(found.isEmpty)
    #expect(looks >= count * looksForEach, "\(looks)")
  }

  /// The names of all open sections are compared with that of an end.
  @Test func theClockIsAskedForNames() {
    let (depth, bytes) = (100, 10_000)
    let name = { (last: Int) in Self.times(bytes, "a") + "\(last)" }
    let text = Self.each(depth) { "{{#\(name(100 + $0))}}" } + Self.times(depth, "{{/\(name(999))}}")
    var looks = 0
    let isOver = {
      looks += 1
      return false
    }
    _ = Shape("", ["c": text]).diagnostics(
      LoadBudget(isOver: isOver, message: "", hint: "", stride: depth * bytes / 16))
    #expect(looks >= depth, "\(looks)")
  }

  /// So are the names of inverted sections with those of all parts in them.
  @Test func theClockIsAskedForNamesInInvertedSections() {
    let (depth, count, bytes) = (100, 200, 10_000)
    let name = Self.times(bytes, "a")
    let outer = (0..<depth).map {
      CellPart(role: .inverted, name: name + "\(100 + $0)", parent: $0 == 0 ? nil : $0 - 1, at: 0)
    }
    let inner = CellPart(role: .variable, name: name + "999.b", parent: depth - 1, at: 0)
    var looks = 0
    let isOver = {
      looks += 1
      return false
    }
    let warnings = PartReview.warnings(
      of: outer + Array(repeating: inner, count: count), in: Templates.source("c.mustache", []),
      budget: LoadBudget(isOver: isOver, message: "", hint: "", stride: depth * bytes / 16))
    #expect(warnings.isEmpty)
    #expect(looks >= count / 2, "\(looks)")
  }

  /// Nothing more is read when the time is up: few errors have been made.
  @Test(arguments: runs) func aRunEndsWithTheTime(_ shape: Shape) {
    var looks = 0
    let isOver = {
      looks += 1
      return looks > 10
    }
    let budget = LoadBudget(isOver: isOver, message: "too long", hint: "", stride: 500)
    let found = shape.diagnostics(budget)
    #expect(found.map(\.code) == [.loadLimit])
    #expect(["c.mustache", "n.html"].contains(found.first?.file))
    #expect(looks == 11)
  }

  /// Parts that are each within their limits may take too much together.
  @Test func theMemoryOfAllPartsIsBounded() {
    let parts: [(String, (LoadBudget) -> Bool)] = [
      ("pieces", { $0.keep(pieces: LoadBudget.pieceLimit / 4 * 3) }),
      ("images", { $0.keep(imageBytes: LoadBudget.imageLimitBytes / 4 * 3) }),
      ("static text", { $0.keep(literalBytes: LoadBudget.literalLimitBytes / 4 * 3) }),
    ]
    for (name, part) in parts {
      #expect(part(LoadBudget()), "\(name) alone")
      for (other, second) in parts where other != name {
        let budget = LoadBudget()
        budget.file = "n.html"
        let isTooMuch = Set([name, other]) == ["pieces", "images"]
        #expect((part(budget) && second(budget)) != isTooMuch, "\(name) and \(other)")
        #expect(budget.fault?.code == (isTooMuch ? .loadLimit : nil))
        #expect(budget.fault?.message.contains("460 MiB of memory") ?? !isTooMuch)
      }
    }
    let budget = LoadBudget()
    #expect(!parts.allSatisfy { $0.1(budget) })
    #expect(budget.fault?.hint.contains("data-embed") == true)
  }

  /// What takes more memory than its text counts as more pieces.
  @Test(arguments: [
    Shape(
      "blocks in a tag of many attributes",
      ["c": "<p \(each(900) { "a\($0) " })\(each(20) { "{{$b\($0)}}{{/b\($0)}} " })></p>"]),
    Shape(
      "sections in a tag of many attributes, within another",
      ["c": "{{#o}}<p \(each(250) { "{{#a}}x\($0){{/a}} " })></p>{{/o}}"]),
    Shape("kinds that reach many others", chain(of: 600)),
    Shape("a name of many parts", ["c": "{{a\(times(30_000, ".a"))}}"]),
    Shape(
      "attributes that a value sets",
      nib: "<p data-cell=\"c\"><b data-outlet=\"o\" data-bind=\"\(each(8000) { "data-a\($0) " })\"></b></p>"),
    Shape("errors that quote a long name", ["c": "<x\(times(1000, "x")) \(times(2000, "a "))>"]),
    Shape("open elements", ["c": times(5000, "<b>")]),
    Shape("open elements of scenery", nib: times(30_000, "<b>")),
    Shape(
      "classes of cells",
      nib: each(100) { cell in
        "<p data-cell=k\(cell) data-class=\"\(each(256) { "c\(cell)-\($0) " })\">x</p>"
      }),
    Shape(
      "blocks within many parents",
      [
        "p": "{{$a}}{{/a}}",
        "c": times(90, "{{<p}}{{$a}}") + each(250) { "{{$b\($0)}}{{/b\($0)}}" } + times(90, "{{/a}}{{/p}}"),
      ]),
  ]) func whatTakesMemoryIsCounted(_ shape: Shape) {
    #expect(shape.diagnostics(LoadBudget(pieceLimit: 20_000)).map(\.code) == [.loadLimit])
  }

  /// Walks blocks of one name in different attributes, and parents that each override it.
  private static func walk(blocks: Int, parents: Int, _ budget: LoadBudget) -> WalkSet {
    let shape = Shape(
      "",
      [
        "b": each(blocks) { "<i data-k\($0)=\"{{$a}}{{/a}}\"></i>" },
        "c": times(parents, "{{<b}}{{$a}}x{{/a}}{{/b}}"),
      ])
    let walks = WalkSet(shape.sources.map { ParsedTemplate($0) }, schemes: .standard, budget: budget)
    walks.walkAll()
    return walks
  }

  /// The blocks that each override is for are found before any override is compiled. Each pair of them takes memory.
  @Test func overridesAreCountedBeforeTheyAreCompiled() {
    let budget = LoadBudget(pieceLimit: 20_000)
    let walks = Self.walk(blocks: 250, parents: 250, budget)
    #expect(budget.isSpent)
    #expect(walks.overrideCounts.isEmpty)
  }

  /// One more than there may be, so that the override is refused.
  @Test func anOverrideIsForFewPlaces() {
    let walks = Self.walk(blocks: 1000, parents: 3, LoadBudget())
    #expect(walks.diagnostics.map(\.code) == [.nestedTooDeep, .nestedTooDeep, .nestedTooDeep])
    let limit = WalkSet.contextLimit + 1
    #expect(walks.overrideCounts.values.sorted() == [limit, limit, limit])
  }

  /// The words of a bound text count as they are read, not when all have been.
  @Test func wordsEndWithTheBudget() throws {
    let tag = StartTag(
      name: "p", at: 0, attributes: [], nodes: 0..<0, isEmpty: false, dropsLineEnd: false,
      keepsWhiteSpace: false, inside: [], positions: [:], classDirectives: [])
    let judge = BindingJudge(
      tag: tag, schemes: .standard, elements: .none, budget: LoadBudget(pieceLimit: 1000), isBeside: false)
    let words = Array(Self.times(30_000, "a ").utf8)
    let entry = Binding(attribute: "class", target: .addition, source: .text([.literal(words)]))
    #expect(try judge.tokens(of: "class", [entry]).count < 3000)
  }

  /// Text counts for each context that it is compiled for.
  @Test(arguments: [
    Shape(
      "a large partial in many values",
      ["p": times(1 << 20, "x"), "c": each(60) { "<p a\($0)=\"{{>p}}\"></p>" }]),
    Shape(
      "a large override of blocks in many values",
      [
        "p": each(60) { "<p a\($0)=\"{{$b}}{{/b}}\"></p>" },
        "c": "{{<p}}{{$b}}\(times(1 << 20, "x")){{/b}}{{/p}}",
      ]),
  ]) func textIsCountedInEachContext(_ shape: Shape) {
    let found = shape.diagnostics(LoadBudget())
    #expect(found.map(\.code) == [.loadLimit])
    #expect(found.first?.message.contains("48 MiB of static text") == true)
  }

  /// What is discarded or released does not count: loops in values are walked again and again, and elements
  /// are closed.
  @Test(arguments: [
    (
      20_000,
      Shape(
        "loops in a value",
        ["c": "<a title=\"\(times(8, "{{#a}}"))\(times(1000, "x\n"))\(times(8, "{{/a}}"))\"></a>"])
    ),
    (
      24_000,
      Shape(
        "sections in tags, within others and in blocks",
        [
          "c": times(4, "{{#o}}<p \(each(100) { "{{#a}}x\($0){{/a}} " })></p>{{/o}}")
            + times(4, "{{$b}}<p \(each(100) { "{{#a}}x\($0){{/a}} " })></p>{{/b}}")
        ])
    ),
    (100, Shape("scenery", nib: times(10_000, "<b></b>"))),
  ]) func whatIsReleasedDoesNotCount(_ limit: Int, _ shape: Shape) {
    #expect(shape.diagnostics(LoadBudget(pieceLimit: limit)).map(\.code) == [])
  }
}
