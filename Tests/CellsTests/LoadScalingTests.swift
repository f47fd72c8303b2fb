import CellTemplates
import Scaling
import Testing

@testable import Cells

/// The cost of reading, walking, checking and sampling is linear for every shape of templates.
///
/// Each shape has, or might have, grown faster somewhere. The cost of doubling the size is measured as processor time
/// of this thread, and measured again if other load may have slowed it down.
@Suite(.serialized) struct LoadScalingTests {
  struct Shape: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// The starting size: cost of a higher order shows above it.
    let size: Int
    let bound: Double
    /// Whether the work is repeated at this size, not done once at a larger one: for what outgrows the processor's caches
    /// there.
    var isRepeated = false
    let files: @Sendable (Int) -> [String: String]

    init(_ name: String, at size: Int, _ files: @escaping @Sendable (Int) -> [String: String]) {
      self.init(name, from: size, files)
      isRepeated = true
    }

    init(
      _ name: String, from size: Int = 100, bound: Double = Scaling.bound,
      _ files: @escaping @Sendable (Int) -> [String: String]
    ) {
      testDescription = name
      (self.size, self.bound) = (size, bound)
      self.files = files
    }

    init(
      _ name: String, from size: Int = 100, bound: Double = Scaling.bound,
      cell: @escaping @Sendable (Int) -> String
    ) {
      self.init(name, from: size, bound: bound) { ["c.mustache": cell($0)] }
    }

    init(_ name: String, from size: Int = 100, nib: @escaping @Sendable (Int) -> String) {
      self.init(name, from: size) { ["n.html": nib($0)] }
    }
  }

  private static func times(_ count: Int, _ text: String) -> String { String(repeating: text, count: count) }

  private static func each(_ count: Int, _ text: (Int) -> String) -> String {
    (0..<count).map(text).joined()
  }

  private static func cells(_ count: Int, _ content: String, attributes: String = "") -> String {
    each(count) { "<b data-cell=k\($0)\(attributes)>\(content)</b>\n" }
  }

  private static func sample(_ count: Int, _ row: String) -> String {
    "[" + Array(repeating: row, count: count).joined(separator: ",\n") + "]"
  }

  private static func manifest(_ declarations: String) -> String {
    #"{"modules":[{"declarations":[\#(declarations){}]}]}"#
  }

  /// Cells that each inherit from the one before.
  private static func chain(_ count: Int, first: String, _ overrides: (Int) -> String) -> [String: String] {
    var files = ["k0.mustache": first]
    for number in 1..<count {
      files["k\(number).mustache"] = "{{<k\(number - 1)}}\(overrides(number)){{/k\(number - 1)}}"
    }
    return files
  }

  /// Cells with a sample row each.
  /// Pages of a layout that inherits from a cell in between.
  private static func pages(
    _ count: Int, card: String, _ content: String, _ page: (Int) -> String
  ) -> [String: String] {
    var files = [
      "card.mustache": card, "base.mustache": "<main>{{$b}}{{/b}}</main>",
      "layout.mustache": "{{<base}}{{$b}}\(content){{/b}}{{/base}}",
    ]
    for number in 0..<count {
      files["p\(number).mustache"] = "{{<layout}}{{$b}}\(page(number)){{/b}}{{/layout}}"
    }
    return files
  }

  private static func samples(_ count: Int, _ content: (Int) -> String) -> [String: String] {
    var files: [String: String] = [:]
    for number in 0..<count {
      files["k\(number).mustache"] = content(number)
      files["k\(number).sample.json"] = "[{\"a\(number)\": 1}]"
    }
    return files
  }

  private static let shapes: [Shape] = [
    // Declared elements.
    Shape("a manifest of elements", from: 2000) { n in
      [
        "a.mustache": "x",
        "custom-elements.json": manifest(each(n) { #"{"tagName":"x-\#($0)","attributes":[{"name":"a"}]},"# }),
      ]
    },
    Shape("a manifest of elements beside many cells", from: 1500) { n in
      [
        "a.html": each(n) { "<p data-cell=k\($0)>a</p>" },
        "custom-elements.json": manifest(
          each(n) {
            #"{"tagName":"x-\#($0)","attributes":[\#(each(10) { #"{"name":"a\#($0)"},"# }){"name":"b"}]},"#
          }),
      ]
    },
    Shape("named formats beside many cells", from: 1500) { n in
      [
        "a.html": each(n) { "<p data-cell=k\($0)>a</p>" },
        "formats.json": "{" + each(n) { #""f\#($0)":"number max=2","# } + #""f":"number"}"#,
      ]
    },
    Shape("a manifest of attributes", from: 2000) { n in
      let attributes = each(n) { #"{"name":"a\#($0)-url","type":{"text":"URL | null"}},"# }
      return [
        "a.mustache": "x",
        "custom-elements.json": manifest(#"{"tagName":"x-y","attributes":[\#(attributes){"name":"b"}]},"#),
      ]
    },
    Shape("a manifest of errors", from: 2000) { n in
      ["a.mustache": "x", "custom-elements.json": manifest(times(n, #"{"tagName":"div"},"#))]
    },
    // Values and texts with many runs.
    Shape(
      "an attribute of newlines", from: 60_000, bound: Scaling.strictBound,
      cell: { "<p title=\"\(times($0, "\n"))\"></p>" }),
    Shape(
      "a srcset of lines", from: 20_000, bound: Scaling.strictBound,
      cell: { "<img srcset=\"\(times($0, "a 1x,\n"))\">" }),
    Shape(
      "a style of lines", from: 20_000, bound: Scaling.strictBound,
      cell: { "<p style=\"\(times($0, "a:b;\n"))\"></p>" }),
    Shape(
      "JSON that nests", from: 20_000, bound: Scaling.strictBound,
      cell: {
        "<script type=\"application/json\">\(times($0, "[\n")){{x}}\(times($0, "]\n"))</script>"
      }),
    Shape(
      "sections in JSON that nests", from: 2000,
      cell: { n in
        "<script type=\"application/json\">\(times(10 * n, "["))"
          + "\(times(n, "{{#a}}[1],{{/a}}"))1\(times(10 * n, "]"))</script>"
      }),
    Shape(
      "sections that close and open brackets of JSON that nests", from: 2000,
      cell: { n in
        "<script type=\"application/json\">\(times(10 * n, "["))"
          + "\(times(n, "{{#a}}1],[{{/a}}"))1\(times(10 * n, "]"))</script>"
      }),
    Shape(
      "sections in a reference", from: 2000,
      cell: { "<p>&\(times(20 * $0, "a"))\(times($0, "{{#x}}b{{/x}}"));</p>" }),
    Shape("a word of JSON", cell: { "<script type=\"application/json\">\(times($0, "a"))</script>" }),
    Shape(
      "a tag's name of many runs", from: 20_000, bound: Scaling.strictBound,
      cell: { "<a\(times($0, "{{!}}a"))></a>" }),
    Shape(
      "a reference of many runs", from: 20_000, bound: Scaling.strictBound,
      cell: { "<p title=\"&a\(times($0, "{{!}}a"));\"></p>" }),
    Shape("newlines", cell: { times($0, "\n") }),
    Shape("values", cell: { times($0, "{{a}}") }),
    Shape("empty names", cell: { times($0, "{{}}") }),
    Shape(
      "loops around a text in a value", from: 5000,
      cell: { "<a href=\"\(times(12, "{{#a}}"))\(times($0, "x"))\(times(12, "{{/a}}"))\"></a>" }),
    // Names that messages quote.
    Shape(
      "end tags in a section of a long name", from: 4000,
      cell: { "{{#\(times($0, "xxxx"))}}\(times($0, "{{/a}}")){{/\(times($0, "xxxx"))}}" }),
    Shape(
      "end tags in an element of a long name", from: 4000,
      cell: { "<x\(times($0, "xxxx"))>\(times($0, "</a>"))</x\(times($0, "xxxx"))>" }),
    Shape(
      "values in an inverted section of a long name", from: 4000,
      cell: { "{{^\(times($0, "xxxx"))}}\(times($0, "{{a}}")){{/\(times($0, "xxxx"))}}" }),
    // Nibs.
    Shape("cells", nib: { cells($0, "<i data-outlet=title>x</i>", attributes: " data-class=\"A B\"") }),
    Shape("cells with unclosed comments", nib: { cells($0, "{{!") }),
    Shape("cells with unclosed tags", nib: { cells($0, "{{a") }),
    Shape(
      "cells with delimiters of their own",
      nib: { each($0) { "<b data-cell=k\($0)>{{=q\($0) z\($0)=}}q\($0)!</b>" } }),
    Shape("cells with errors", nib: { cells($0, "<i>") }),
    Shape("cells within open elements", nib: { times($0, "<div>") + cells($0, "x") }),
    Shape("cells beside many styles", nib: { times($0, "<style>x</style>") + cells($0, "x") }),
    Shape("one kind many times", nib: { times($0, "<b data-cell=c>x</b>") }),
    Shape("a cell of many classes", nib: { "<b data-cell=c data-class=\"\(each($0) { "c\($0) " })\">x</b>" }),
    Shape("a cell of many attributes", nib: { "<b data-cell=c \(each($0) { "a\($0) " })>x</b>" }),
    Shape("outlets", nib: { "<p data-cell=a>\(times($0, "<b data-outlet=x>y</b>"))</p>" }),
    Shape(
      "entries of a binding", nib: { "<b data-cell=a data-bind=\"\(each($0) { "data-a\($0):x; " })\">y</b>" }),
    Shape(
      "entries of an outlet's binding",
      nib: { "<p data-cell=a><b data-outlet=x data-bind=\"\(each($0) { "data-a\($0):x; " })\">y</b></p>" }),
    Shape(
      "names in a binding's text", nib: { "<b data-cell=a data-bind=\"title:'\(times($0, "{x}y"))'\">z</b>" }),
    Shape(
      "tokens, drawn and bound",
      nib: { n in
        "<b data-cell=a class='\(each(n) { "c\($0) " })' data-bind=\"\(each(n) { "class.c\($0):x; " })\">y</b>"
      }),
    Shape(
      "declarations, drawn and bound",
      nib: { n in
        "<b data-cell=a style='\(each(n) { "p\($0):1;" })' data-bind=\"\(each(n) { "style.p\($0):x; " })\">y</b>"
      }),
    Shape("conditions", nib: { "<p data-cell=a>\(times($0, "<b data-when='x=1,{y} !z'>y</b>"))</p>" }),
    Shape(
      "conditions without a value", nib: { "<p data-cell=a>\(times($0, "<b data-when>y</b>"))</p>" }),
    Shape(
      "stand-ins",
      nib: { "<p data-cell=a>\(times($0, "<b data-outlet=x data-include=b>y</b>"))</p><b data-cell=b>z</b>" }),
    Shape("a stand-in of many outlets") { n in
      [
        "n.html":
          "<p data-cell=a><i data-include=b>\(times(n, "<b data-outlet=x>y</b>"))</i></p><b data-cell=b>z</b>"
      ]
    },
    // Cells that call each other.
    Shape(
      "kinds that call a large one", from: 200,
      { n in
        var files = ["base.mustache": times(200 * n, "x")]
        for number in 0..<n { files["k\(number).mustache"] = "{{>base}}" }
        return files
      }),
    Shape(
      "kinds that call one that calls all", from: 200,
      { n in
        var files = ["hub.mustache": "{{#x}}\(each(n) { "{{>k\($0)}}" }){{/x}}"]
        for number in 0..<n { files["k\(number).mustache"] = "{{>hub}}" }
        return files
      }),
    Shape(
      "kinds that call one that calls itself often", from: 200,
      { n in
        var files = ["hub.mustache": "{{#x}}\(times(20 * n, "{{>hub}}")){{/x}}"]
        for number in 0..<n { files["k\(number).mustache"] = "{{>hub}}" }
        return files
      }),
    Shape(
      "many cells that inherit a parent of many blocks, and override none", from: 400
    ) { n in
      var files = ["p.mustache": each(n) { "{{$b\($0)}}y{{/b\($0)}}" }]
      for number in 0..<n { files["k\(number).mustache"] = "{{<p}}{{/p}}" }
      return files
    },
    Shape(
      "a parent of many blocks, each overridden by another cell",
      { n in
        var files = ["base.mustache": each(n) { "{{$b\($0)}}x{{/b\($0)}}" }]
        for number in 0..<n {
          files["k\(number).mustache"] = "{{<base}}{{$b\(number)}}y{{/b\(number)}}{{/base}}"
        }
        return files
      }),
    Shape(
      "a parent of many blocks, each overridden by another cell's heir",
      { n in
        var files = ["base.mustache": each(n) { "{{$b\($0)}}x{{/b\($0)}}" }]
        for number in 0..<n {
          files["k\(number).mustache"] = "{{<base}}{{/base}}"
          files["l\(number).mustache"] = "{{<k\(number)}}{{$b\(number)}}y{{/b\(number)}}{{/k\(number)}}"
        }
        return files
      }),
    Shape(
      "a cell that overrides all blocks of its parent",
      { n in
        [
          "base.mustache": each(n) { "{{$b\($0)}}x{{/b\($0)}}" },
          "k.mustache": "{{<base}}\(each(n) { "{{$b\($0)}}y{{/b\($0)}}" }){{/base}}",
        ]
      }),
    Shape("pages of a layout that puts them in a card, with cards", from: 200) { n in
      pages(n, card: "<div>{{$x}}{{/x}}</div>", "{{<card}}{{$x}}{{$b}}{{/b}}{{/x}}{{/card}}") { _ in
        "{{<card}}{{$x}}<h1>x</h1>{{/x}}{{/card}}"
      }
    },
    Shape("pages of a layout that puts them in a card of two blocks, with cards and blocks", from: 200) { n in
      pages(
        n, card: "<div>{{$x}}{{/x}}{{$y}}{{/y}}</div>",
        "{{<card}}{{$x}}{{$b}}{{/b}}{{/x}}{{$y}}{{$c}}{{/c}}{{/y}}{{/card}}"
      ) { "{{<card}}{{$x}}<h1>{{$t\($0)}}x{{/t\($0)}}</h1>{{/x}}{{/card}}" }
    },
    Shape("parents of parents, each overriding a block of the first", from: 200) { n in
      chain(n, first: each(n) { "{{$b\($0)}}x{{/b\($0)}}" }) { "{{$b\($0)}}y{{/b\($0)}}" }
    },
    Shape("parents of parents, each overriding a block of its own", from: 200) { n in
      chain(n, first: "{{$c0}}x{{/c0}}") { "{{$c\($0 - 1)}}{{$c\($0)}}y{{/c\($0)}}{{/c\($0 - 1)}}" }
    },
    Shape("parents of parents, each overriding the same block", from: 400) { n in
      chain(n, first: "{{$b}}x{{/b}}") { _ in "{{$b}}y{{/b}}" }
    },
    Shape(
      "dynamic parents, each of another block",
      { n in
        var files: [String: String] = [:]
        for number in 0..<n {
          let (block, end) = ("{{$b\(number)}}", "{{/b\(number)}}")
          files["k\(number).mustache"] = "\(block)x\(end){{<*x}}\(block)y\(end){{/*x}}"
        }
        return files
      }),
    // Samples.
    Shape("kinds in a circle", from: 100) { n in
      samples(n) { "<p>{{a\($0)}}</p>{{>k\(($0 + 1) % n)}}" }
    },
    Shape("kinds in a circle of sections", from: 100) { n in
      samples(n) { "{{#s}}{{a\($0)}}{{>k\(($0 + 1) % n)}}{{/s}}" }
    },
    Shape("kinds that call one that calls all, in samples", from: 200) { n in
      samples(n) { _ in "{{>hub}}" }
        .merging(["hub.mustache": "{{#x}}\(each(n) { "{{>k\($0)}}" }){{/x}}"]) { $1 }
    },
    Shape("a long section around many tags") { n in
      let name = Array(repeating: "a", count: 10 * n).joined(separator: ".")
      return ["a.mustache": "{{#\(name)}}\(each(n) { _ in "{{x}}" }){{/\(name)}}"]
    },
    Shape("cases of one plural") { n in
      [
        "n.html":
          "<p data-cell=c data-plural=x>\(each(n) { "<i data-case='=\($0)'>y</i>" })<i data-case=other>z</i></p>"
      ]
    },
    Shape("cases of many plurals", from: 10) { n in
      let cases =
        each(20) { "<i data-case='=\($0) =\($0 + 20) =\($0 + 40)'>y</i>" } + "<i data-case=other>z</i>"
      return ["n.html": each(n) { "<p data-cell=c\($0) data-plural=x>\(cases)</p>" }]
    },
    Shape("numbers of a list") { n in
      [
        "a.mustache": each(n) { "{{list.\($0)}} " },
        "a.sample.json": "[{\"list\": [\((0..<n).map(String.init).joined(separator: ","))]}]",
      ]
    },
    Shape("numbers of a list of objects") { n in
      [
        "a.mustache": each(n) { "{{list.\($0).a}} " },
        "a.sample.json": "[{\"list\": \(sample(n, "{\"a\": 1}"))}]",
      ]
    },
    Shape("rows that are too deep") { ["a.mustache": "{{>a}}", "a.sample.json": sample($0, "{}")] },
    // Rows may be 512 deep.
    Shape("lists in lists", at: 120) { n in
      ["a.mustache": "{{x}}", "a.sample.json": sample(200, times(n, "[") + times(n, "]"))]
    },
    Shape("rows that do not match") {
      ["a.mustache": "{{a.b}}", "a.sample.json": sample($0, "{\"a\": 1}")]
    },
    Shape("rows") { ["a.mustache": "{{a}}{{b}}", "a.sample.json": sample($0, "{\"a\": 1}")] },
    Shape("a row of many names") { n in
      [
        "a.mustache": each(n) { "{{n\($0)}}" },
        "a.sample.json": "[{" + (0..<n).map { "\"n\($0)\": 1" }.joined(separator: ",") + "}]",
      ]
    },
    Shape("a row of names that nothing uses", at: 4000) { n in
      [
        "a.mustache": "x",
        "a.sample.json": "[{" + (0..<n).map { "\"n\($0)\": 1" }.joined(separator: ",") + "}]",
      ]
    },
  ]

  @Test(arguments: shapes)
  func twiceAsMuchCostsTwiceAsMuch(_ shape: Shape) throws {
    let make = { size in try TemporaryFolder(shape.files(size)) }
    let check = { (folder: borrowing TemporaryFolder) in
      _ = FolderCheck(folder.path, executor: InlineExecutor())
    }
    let fault =
      shape.isRepeated
      ? try Scaling.fault(at: shape.size, make: make, work: check)
      : try Scaling.fault(from: shape.size, bound: shape.bound, make: make, work: check)
    if let fault { Issue.record("\(fault)") }
  }
}
