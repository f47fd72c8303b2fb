import Testing

/// The files that nibs link to, for all commands that compile templates; an archive holds its own.
@Suite struct CommandAssetTests {
  private static func folder() throws -> TemporaryFolder {
    try TemporaryFolder([
      "t/shop/n.html":
        "<link rel=stylesheet href=n.css><style>.n { b: url(i.svg) }</style>\n<p data-cell=n><img src=i.svg alt=''></p>",
      "t/shop/n.css": ".n { b: url(gone.png) }", "t/shop/i.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
    ])
  }

  /// The files of an archive are those of its folder, which may be gone.
  @Test func anArchiveServesWhatItsFolderDoes() throws {
    let folder = try Self.folder()
    let made = try run("archive", folder["t"], "--output", folder["a.cells"])
    #expect(made.status == 0, "\(made.errors)")
    let templates = try ServeProcess("--templates", folder["t"])
    let archive = try ServeProcess("--archive", folder["a.cells"])
    for path in ["/assets/shop/n.css", "/assets/shop/i.svg", "/styles/shop/n.css", "/styles.css", "/cells/n"]
    {
      let (first, second) = (try templates.get(path), try archive.get(path))
      #expect(first.status == 200 && first.body == second.body, "\(path)")
      #expect(
        first["ETag"] == second["ETag"] && first["CellFactory-Archive"] == second["CellFactory-Archive"])
    }
    #expect(try archive.get("/assets/shop/n.html").status == 404)
  }

  @Test func anotherServerMayHaveThem() throws {
    let folder = try Self.folder()
    let url = "https://cdn.example/c"
    let options = ["--assets-url", url]
    let made = try run(["archive", folder["t"], "--output", folder["a.cells"]] + options)
    #expect(made.status == 0, "\(made.errors)")
    let expected = "<p><img src=\"\(url)/shop/i.svg\" alt=''></p>"
    #expect(try run(["render", "n", "--archive", folder["a.cells"]], input: "{}").text == expected)
    #expect(try run(["render", "n", "--templates", folder["t"]] + options, input: "{}").text == expected)
    for option in [options, ["--asset-limit-bytes", "5"]] {
      let refused = try run(["render", "n", "--archive", folder["a.cells"]] + option, input: "{}")
      #expect(refused.status == 64 && refused.errors.contains("stored in the archive"), "\(refused.errors)")
    }
    for wrong in ["cdn.example", "javascript:alert(1)", "https://a/?x", "https://a/\""] {
      #expect(try run("check", folder["t"], "--assets-url", wrong).status == 64, "\(wrong)")
    }
  }

  @Test func checkNamesTheLinks() throws {
    let folder = try Self.folder()
    let missing = try run("check", folder["t"])
    #expect(missing.status == 0)
    #expect(
      missing.errors.contains(
        "t/shop/n.css:1:13: warning: the file \"gone.png\" does not exist [missing-asset]"))
    let large = try run("check", folder["t"], "--asset-limit-bytes", "40")
    #expect(large.status == 1)
    #expect(large.errors.contains("t/shop/n.html:1:52: error: "), "\(large.errors)")
    #expect(large.errors.contains("[asset-limit]"))
    #expect(
      try run("archive", folder["t"], "--output", folder["b.cells"], "--asset-limit-bytes", "40").status == 1)
    let none = try run("check", folder["t"], "--asset-limit-bytes", "0")
    #expect(none.status == 0 && !none.errors.contains("missing-asset"), "\(none.errors)")
  }
}
