import Testing

@testable import CellServer

@Suite struct HTTPEntityTagTests {
  private let tag = EntityTag("1f,a*")

  @Test func isStrong() {
    #expect(tag.headerValue == "\"1f,a*\"")
  }

  @Test(arguments: [
    "\"1f,a*\"", "W/\"1f,a*\"", " \"1f,a*\" ", "\t\"1f,a*\"", "*", " * ",
    "\"x\", \"1f,a*\"", "\"1f,a*\",\"x\"", "W/\"x\",W/\"1f,a*\"", ",, \"1f,a*\" ,", "\"\", \"1f,a*\"",
    "x, \"1f,a*\"", "W, \"1f,a*\"", "W/, \"1f,a*\"", "w/\"x\", \"1f,a*\"", "\"a b\", \"1f,a*\"",
    "\"x\" y, \"1f,a*\"", "*, \"1f,a*\"", "\"back\\\", \"1f,a*\"",
  ])
  func isNamed(_ header: String) {
    #expect(tag.isNamed(inIfNoneMatch: header))
  }

  @Test(arguments: [
    "", " ", ",", "\"x\"", "1f,a*", "\"1f\"", "\"1F,A*\"", "w/\"1f,a*\"", "W \"1f,a*\"", "W/ \"1f,a*\"",
    "\"1f,a*",
    "1f,a*\"", "\"1f,a*\"x", "x\"1f,a*\"", "'1f,a*'", "\"\"", "\"", "\"\\1f,a*\"", "**", "*x", "*, \"x\"",
    "W/*",
    "\"*\"", "\" 1f,a*\"", "\"1f,a*\" \"x\"", "W/W/\"1f,a*\"", "\"1f,a*\"\"1f,a*\"", "é",
  ])
  func isNotNamed(_ header: String) {
    #expect(!tag.isNamed(inIfNoneMatch: header))
  }

  @Test(.timeLimit(.minutes(1)))
  func aHugeListTakesLinearTime() {
    #expect(tag.isNamed(inIfNoneMatch: String(repeating: "W/\"x\",", count: 50_000) + tag.headerValue))
    #expect(!tag.isNamed(inIfNoneMatch: String(repeating: "\"", count: 300_001)))
    #expect(!tag.isNamed(inIfNoneMatch: String(repeating: "W", count: 300_000)))
  }
}
