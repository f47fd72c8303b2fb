import CellTemplates
import Scaling
import Testing

@testable import Cells

/// Random folders: everything that compiles can be written to a file, read back, and renders the same rows.
///
/// `CELLFACTORY_MUTATIONS` multiplies their number.
@Suite struct ArchiveRoundTripTests {
  private static let classes = ["NewsCell", "Cell", "Wide", "A", "é"]
  private static let names = ["title", "author.name", "items", "0", "text", "url", "a b"]

  /// The content of a cell; `%` is replaced by a name, `>` by a kind.
  private static let contents = [
    "<b data-outlet=\"%\">placeholder</b>", "<i data-tag=\"7\">seven</i>",
    "<a href=\"{{url}}\">{{title}}</a>",
    "<p title=\"{{%}}\" data-action=\"share\">{{#items}}<u>{{name}}{{@index}}</u>{{/items}}{{^items}}none{{/items}}</p>",
    "<img data-outlet=\"%\" src=\"placeholder.png\" alt=\"\">",
    "<q data-outlet=\"items\">a</q><q data-design>b</q>",
    "{{#items}}{{>^}}{{/items}}", "<s title=\"{{$x}}{{/x}}\">{{$x}}default{{/x}}</s>", "text\n  text\n",
    "{{<^}}{{$x}}over {{title}}{{/x}}{{/^}}", "<input type=\"checkbox\" data-outlet=\"%\">", "",
    "<script type=\"application/json\">{\"a\": {{title}}}</script>", "{{=<% %>=}}<% title %>",
  ]

  private static let rows = [
    "{}", "null", #"{"title":"T<","url":"/u?a=1","items":[{"name":"x"},1,[]],"7":"seven","text":true}"#,
  ]

  private static func cell(_ number: Int, _ kinds: Int, _ numbers: inout SeededNumbers) -> String {
    var text = ""
    for _ in 0..<Int.random(in: 0...5, using: &numbers) {
      let name = names.dropLast().randomElement(using: &numbers)!
      // Only later kinds, so that no cell calls itself endlessly.
      let callee = "k\(min(number + Int.random(in: 1...3, using: &numbers), kinds))"
      text += contents.randomElement(using: &numbers)!.replacing("%", with: name).replacing("^", with: callee)
        .replacing("{{\(callee)items}}", with: "{{^items}}")
    }
    return text
  }

  private static func files(_ numbers: inout SeededNumbers) -> [String: String] {
    let kinds = Int.random(in: 0...24, using: &numbers)
    var files: [String: String] = ["k\(kinds).mustache": "last {{title}} {{$x}}{{/x}}"]
    for number in 0..<kinds {
      let text = cell(number, kinds, &numbers)
      switch Int.random(in: 0..<6, using: &numbers) {
      case 0: files["k\(number).mustache"] = text.replacing("data-", with: "x-")
      case 1: files["text\(number).txt.mustache"] = "Dear {{title}},\n{{#items}}{{{name}}}\n{{/items}}"
      default:
        // Few nibs, so that cells share nibs, styles and classes.
        let nib = "nib\(Int.random(in: 0..<3, using: &numbers)).html"
        let own = (0..<Int.random(in: 0...3, using: &numbers)).map { _ in
          classes.randomElement(using: &numbers)!
        }
        files[nib, default: "<style>.a { color: red }</style>"] +=
          "<article data-cell=\"k\(number)\" data-class=\"\(own.joined(separator: " "))\">\(text)</article>\n"
      }
    }
    return files
  }

  private static func render(_ archive: CellArchive) throws -> [RenderHarness.Outcome] {
    var limits = RenderLimits()
    limits.outputBytes = 100_000
    let rows = archive.kindNames.flatMap { kind in Self.rows.map { (kind: kind, json: $0) } }
    return try RenderHarness(archive: archive).outcomes(rows, limits: limits)
  }

  /// Compiles, writes, reads and renders; returns false if the folder is refused.
  private func judge(_ files: [String: String]) throws -> Bool {
    let folder = try TemporaryFolder(files)
    let file = folder.path + "/cells.archive"
    let archive: CellArchive
    do throws(TemplateErrors) {
      archive = try CellArchive.compiling(folder: folder.path)
    } catch {
      return false
    }
    try archive.write(file: file)
    let read = try CellArchive.reading(file: file)
    #expect(read.hash == archive.hash)
    #expect(read.kindNames == archive.kindNames)
    #expect(try Self.render(read) == Self.render(archive))
    return true
  }

  @Test(arguments: 1...6) func compiledArchivesCanBeWrittenAndRead(_ seed: UInt64) throws {
    var numbers = SeededNumbers(state: seed)
    let count = 12 * (try #require(Int(TestEnvironment["CELLFACTORY_MUTATIONS"] ?? "1")))
    var compiled = 0
    for _ in 0..<count where try judge(Self.files(&numbers)) { compiled += 1 }
    #expect(compiled > count / 3, "\(compiled)")
  }

  /// Data shared by many cells is stored in the archive once and returned with each of them.
  @Test(arguments: [
    "data-class=\"NewsCell Cell\"", "data-class=\"\(String(repeating: "n", count: 1000)) Cell\"",
    "data-action=\"share-with-everybody-who-is-there\"",
  ])
  func cellsThatShareTextsCanBeWrittenAndRead(_ attribute: String) throws {
    for count in [1, 9, 200] {
      let cells = (0..<count).map {
        "<article data-cell=\"kind\($0)\" \(attribute)><b data-outlet=\"title\">x</b></article>"
      }
      #expect(try judge(["feed.html": cells.joined()]))
      let nibs = (0..<count).map { ("n\($0).html", cells[$0] + "<style>p { color: red }</style>") }
      #expect(try judge(Dictionary(uniqueKeysWithValues: nibs)))
    }
  }
}
