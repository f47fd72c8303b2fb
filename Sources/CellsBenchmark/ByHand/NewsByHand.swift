import Cells

/// A handwritten renderer for the cell `news` of `Benchmarks/templates/feed.html`, including the cell `byline`.
struct NewsByHand: HandWrittenCell {
  private let title, url, summary, author, published, tags, image: UInt32
  private let name, iso, label, src, alt, text: UInt32

  init(_ id: (String) -> UInt32) {
    title = id("title")
    url = id("url")
    summary = id("summary")
    author = id("author")
    published = id("published")
    tags = id("tags")
    image = id("image")
    name = id("name")
    iso = id("iso")
    label = id("label")
    src = id("src")
    alt = id("alt")
    text = id("text")
  }

  static var textBytes: Int { 1024 }
  static var mostCopies: Int { 1 }

  /// The values of a row; 0 if there is none.
  private struct Row {
    var title = 0
    var url = 0
    var summary = 0
    var author = 0
    var published = 0
    var tags = 0
    var image = 0
  }

  @inline(__always)
  private func members(of row: Int, in rows: ParsedRows) -> Row {
    var members = Members(of: row, in: rows)
    let found = Row(
      title: members.next(title), url: members.next(url), summary: members.next(summary),
      author: members.next(author), published: members.next(published), tags: members.next(tags),
      image: members.next(image))
    return members.isAtEnd ? found : membersInAnyOrder(of: row, in: rows)
  }

  @inline(never)
  private func membersInAnyOrder(of row: Int, in rows: ParsedRows) -> Row {
    var found = Row()
    var key = row + 1
    let end = rows.end(row)
    while key < end {
      let value = key + 1
      switch rows.nodes[key].link {
      case title: found.title = value
      case url: found.url = value
      case summary: found.summary = value
      case author: found.author = value
      case published: found.published = value
      case tags: found.tags = value
      case image: found.image = value
      default: break
      }
      key = rows.end(value)
    }
    return found
  }

  /// Two members of an object in any order; nil if it is not an object or a name is repeated.
  @inline(__always)
  private func pair(_ first: UInt32, _ second: UInt32, of object: Int, in rows: ParsedRows) -> (Int, Int)? {
    guard rows.isPlainObject(object) else { return nil }
    var members = Members(of: object, in: rows)
    let found = (members.next(first), members.next(second))
    return members.isAtEnd ? found : (rows.member(first, of: object), rows.member(second, of: object))
  }

  @inline(__always)
  func renderExpected(
    _ row: Int, _ pen: inout RowPen, _ output: inout RenderedOutput
  ) throws(OutputTooLarge) -> Bool {
    let rows = pen.rows
    guard rows.isPlainObject(row) else { return false }
    let row = members(of: row, in: rows)

    pen.put("<article class=\"news\">")
    if row.image != 0 {
      guard let (src, alt) = pair(src, alt, of: row.image, in: rows), src != 0, alt != 0,
        rows.isTruthyText(src)
      else { return false }
      pen.put("\n  <img class=\"news-image\" src=\"")
      guard try pen.url(src, &output) else { return false }
      pen.put("\" alt=\"")
      guard pen.attribute(alt) else { return false }
      pen.put("\" loading=\"lazy\">")
    }

    guard row.title != 0 else { return false }
    if row.url != 0 {
      guard rows.isTruthyText(row.url) else { return false }
      pen.put("\n  <h2 class=\"news-title\"><a href=\"")
      guard try pen.url(row.url, &output) else { return false }
      pen.put("\">")
    } else {
      pen.put("\n  <h2 class=\"news-title\"><a>")
    }
    guard pen.text(row.title) else { return false }
    pen.put("</a></h2>")

    if row.summary != 0 {
      guard rows.isTruthyText(row.summary) else { return false }
      pen.put("\n  <p class=\"news-summary\">")
      guard pen.text(row.summary) else { return false }
      pen.put("</p>")
    }
    pen.put("\n  <footer class=\"news-footer\">")
    guard try renderByline(row, &pen, &output), renderTags(row.tags, &pen) else { return false }
    pen.put("\n  </footer>\n</article>")
    return true
  }

  @inline(__always)
  private func renderByline(
    _ row: Row, _ pen: inout RowPen, _ output: inout RenderedOutput
  ) throws(OutputTooLarge) -> Bool {
    let rows = pen.rows
    if row.author != 0 {
      guard let (name, url) = pair(name, url, of: row.author, in: rows), name != 0, rows.isTruthyText(name)
      else { return false }
      if url != 0 {
        guard rows.isTruthyText(url) else { return false }
        pen.put("\n    <span class=\"byline\"><a href=\"")
        guard try pen.url(url, &output) else { return false }
        pen.put("\" rel=\"author\">")
      } else {
        pen.put("\n    <span class=\"byline\"><a rel=\"author\">")
      }
      guard pen.text(name) else { return false }
      pen.put("</a></span>")
    }
    if row.published != 0 {
      guard let (iso, label) = pair(iso, label, of: row.published, in: rows), iso != 0, label != 0,
        rows.isTruthyText(label)
      else { return false }
      pen.put("\n    <time class=\"published\" datetime=\"")
      guard pen.attribute(iso) else { return false }
      pen.put("\">")
      guard pen.text(label) else { return false }
      pen.put("</time>")
    }
    return true
  }

  @inline(__always)
  private func renderTags(_ tags: Int, _ pen: inout RowPen) -> Bool {
    if tags == 0 { return true }
    let rows = pen.rows
    guard rows.kind(tags) == ParsedRows.Kind.array else { return false }
    let end = rows.end(tags)
    var tag = tags + 1
    while tag < end {
      pen.put("\n    <span class=\"tag\">")
      // A text is a single node.
      guard pen.text(tag) else { return false }
      pen.put("</span>")
      tag += 1
    }
    return true
  }

  @inline(never)
  func renderAny(_ row: Int, of rows: ParsedRows, into output: inout RenderedOutput) throws(OutputTooLarge) {
    let rules = TemplateRules(rows: rows)
    let scope = TemplateRules.Scope(row: row)
    try output.put("<article class=\"news\">")
    try rules.image(
      rules.findOutlet(image, in: scope), src: src, alt: alt, in: scope, "\n  <img class=\"news-image\"",
      designed: (" src=\"images/harbour.svg\"", " alt=\"A boat leaves the harbour\""), " loading=\"lazy\">",
      &output)
    try output.put("\n  <h2 class=\"news-title\">")
    try rules.outlet(rules.findOutlet(title, in: scope), in: scope) {
      (scope, content) throws(OutputTooLarge) in
      try output.put("<a")
      let link = rules.beside(content, url, in: scope)
      try output.bind(link, of: rows, " href=\"", designed: " href=\"#\"", to: .url)
      try output.put(">")
      try output.put(
        content, of: rows, named: text, designed: "The harbour opens early, and nobody asks why",
        readsNames: true)
      try output.put("</a>")
    }
    try output.put("</h2>")
    try rules.outlet(rules.findOutlet(summary, in: scope), in: scope) { (_, content) throws(OutputTooLarge) in
      try output.put("\n  <p class=\"news-summary\">")
      try output.put(
        content, of: rows, named: text,
        designed: "Trains stop on request, rivers rise below old bridges, and the maps are counted twice.")
      try output.put("</p>")
    }
    try output.put("\n  <footer class=\"news-footer\">")
    try rules.outlet(rules.findOutlet(author, in: scope), in: scope) {
      (scope, content) throws(OutputTooLarge) in
      try output.put("\n    ")
      // The cell `byline` sees its row alone, or with `true` what is around.
      if case .object(let object) = content {
        try renderAnyByline(TemplateRules.Scope(row: object), rules, &output)
      } else {
        try renderAnyByline(scope, rules, &output)
      }
    }
    try rules.outlet(rules.findOutlet(published, label, in: scope), in: scope) {
      (scope, content) throws(OutputTooLarge) in
      try output.put("\n    <time class=\"published\"")
      let date = rules.beside(content, published, iso, in: scope)
      try output.bind(date, of: rows, " datetime=\"", designed: " datetime=\"2025-11-21\"", to: .attribute)
      try output.put(">")
      try output.put(content, of: rows, named: text, designed: "21 November 2025", readsNames: true)
      try output.put("</time>")
    }
    try rules.outlet(rules.findOutlet(tags, in: scope), in: scope) { (_, content) throws(OutputTooLarge) in
      try output.put("\n    <span class=\"tag\">")
      try output.put(content, of: rows, named: text, designed: "cities")
      try output.put("</span>")
    }
    try output.put("\n  </footer>\n</article>")
  }

  private func renderAnyByline(
    _ scope: TemplateRules.Scope, _ rules: TemplateRules, _ output: inout RenderedOutput
  ) throws(OutputTooLarge) {
    try output.put("<span class=\"byline\">")
    try rules.outlet(rules.findOutlet(name, in: scope), in: scope) {
      (scope, content) throws(OutputTooLarge) in
      try output.put("<a")
      let link = rules.beside(content, url, in: scope)
      try output.bind(link, of: rules.rows, " href=\"", designed: " href=\"#\"", to: .url)
      try output.put(" rel=\"author\">")
      try output.put(content, of: rules.rows, named: text, designed: "Ada Brenner", readsNames: true)
      try output.put("</a>")
    }
    try output.put("</span>")
  }
}
