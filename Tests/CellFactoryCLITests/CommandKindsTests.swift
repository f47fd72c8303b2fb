import Testing

@Suite struct CommandKindsTests {
  @Test func kindsAreListedInOrderOnePerLine() throws {
    let folder = try TemporaryFolder([
      "b.mustache": "", "a/z.mustache": "", "B.txt.mustache": "", "a.b.mustache": "", ".c.mustache": "",
      "d.md": "",
    ])
    let outcome = try run("kinds", "--templates", folder.path)
    #expect(outcome.status == 0)
    #expect(outcome.text == "B\na.b\na/z\nb\n")
  }

  @Test func anEmptyFolderHasNoKinds() throws {
    let folder = try TemporaryFolder()
    let outcome = try run("kinds", "--templates", folder.path)
    #expect(outcome.status == 0)
    #expect(outcome.text == "")
    let json = try run("kinds", "--json", "--templates", folder.path).text
    #expect(json.hasPrefix("{\"kinds\":[],\"stylesheet\":\"/styles.css?v="))
  }

  @Test func jsonIsTheSameAsTheServersAnswer() throws {
    let server = try ServeProcess()
    let answer = try server.get("/kinds")
    let outcome = try run("kinds", "--json", "--templates", Package.templates)
    #expect(answer.status == 200)
    #expect(outcome.text == answer.text + "\n")
    let names = try run("kinds", "--templates", Package.templates).text.split(separator: "\n")
    #expect(names.count >= 7)
    for name in names { #expect(answer.text.contains("{\"kind\":\"\(name)\",")) }
  }
}
