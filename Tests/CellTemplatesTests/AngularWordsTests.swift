import Scaling
import Testing

@testable import CellTemplates

/// The automaton of words in a class finds the directives that AngularJS does.
@Suite struct AngularWordsTests {
  private static let pieces = [
    "-", "_", "--", "x", "X", "d", "data", "DATA", "n", "g", "ng", "NG", "f", "form", "Form", "orm", "I",
    "include", "V",
    "view", "1",
  ]

  private static func found(in text: String) -> [String] {
    AngularDirective.inClass(text.utf8).map(\.directive.text)
  }

  @Test func wordsAreReadAsTheyAreNormalized() {
    var random = SeededNumbers(state: 0x9E37)
    let names = AngularDirective.ofClasses.map(\.directive.text)
    var count = 0
    for _ in 0..<50_000 {
      let word = (0..<Int.random(in: 1..<7, using: &random))
        .map { _ in Self.pieces.randomElement(using: &random)! }.joined()
      let name = AngularDirective.normalized(word.utf8).text
      #expect(Self.found(in: word) == (names.contains(name) ? [name] : []), "\(word)")
      count += names.contains(name) ? 1 : 0
    }
    #expect(count > 20)
  }

  @Test(
    arguments: [
      ("", []), ("a ng-form b", ["ngForm"]), ("ng-view x_ng-include: 'a';", ["ngInclude", "ngView"]),
      ("ng-forms ang-form ngform ng form", []), ("data-x-ng-form", []), ("é-ng-form", ["ngForm"]),
    ] as [(String, [String])])
  func wordsOfAClass(_ text: String, _ found: [String]) {
    #expect(Self.found(in: text) == found)
  }

  /// Each way in which a word may have begun counts, and no other.
  @Test func branchesAreJoined() {
    var (one, other) = (AngularWords(), AngularWords())
    one.read("ng-fo".utf8)
    other.read("ng-vi".utf8)
    var both = one.joined(with: other)
    both.read("ew".utf8)
    #expect(both.directives.map(\.word) == ["ng-view"])
    one.read("rm".utf8)
    #expect(one.joined(with: both).directives.map(\.word) == ["ng-form", "ng-view"])
    #expect(other.directives.isEmpty)
  }
}
