import Testing

/// The exact examples of the first pages of the documentation.
@Suite struct CommandExampleTests {
  /// The type that curl sends for `-d`.
  static let form = "application/x-www-form-urlencoded"

  @Test func theFirstRequestsGiveTheseCells() throws {
    let server = try ServeProcess()
    let rows = """
      [{"title":"Bread & roses","author":{"name":"Ada","url":"https://example.org/ada"},"tags":["a","b"]}]
      """
    let first = try server.post("/cells/news", rows, type: Self.form)
    #expect(first.status == 200)
    #expect(first["Content-Type"] == "text/html; charset=utf-8")
    #expect(
      first.text == """
        <article class="news">
          <h2 class="news-title"><a>Bread &amp; roses</a></h2>
          <footer class="news-footer">
            <span class="byline"><a href="https://example.org/ada" rel="author">Ada</a></span>
            <span class="tag">a</span>
            <span class="tag">b</span>
          </footer>
        </article>
        """)
    let second = try server.post("/cells/news", "title=Hi&author.name=Ada", type: Self.form)
    #expect(second.status == 200)
    #expect(
      second.text == """
        <article class="news">
          <h2 class="news-title"><a>Hi</a></h2>
          <footer class="news-footer">
            <span class="byline"><a rel="author">Ada</a></span>
          </footer>
        </article>
        """)
  }

  @Test func theCommandsOfTheHelpWork() throws {
    let server = try ServeProcess("--templates", "templates", folder: Package.folder)
    let answer = try server.post("/cells/news", "title=Hi", type: Self.form)
    #expect(answer.status == 200)
    #expect(answer.text.contains("<h2 class=\"news-title\"><a>Hi</a></h2>"))
  }
}
