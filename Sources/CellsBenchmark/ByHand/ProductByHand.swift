import Cells

/// A handwritten renderer for the cell `product` of `Benchmarks/templates/feed.html`, including the cell `shop/price`.
struct ProductByHand: HandWrittenCell {
  private let name, url, image, price, currency, rating, stock, oldPrice, badge: UInt32
  private let src, alt, value, count, label, level, text: UInt32

  init(_ id: (String) -> UInt32) {
    name = id("name")
    url = id("url")
    image = id("image")
    price = id("price")
    currency = id("currency")
    rating = id("rating")
    stock = id("stock")
    oldPrice = id("oldPrice")
    badge = id("badge")
    src = id("src")
    alt = id("alt")
    value = id("value")
    count = id("count")
    label = id("label")
    level = id("level")
    text = id("text")
  }

  static var textBytes: Int { 1536 }
  static var mostCopies: Int { 2 }

  /// The values of a row; 0 if there is none.
  private struct Row {
    var name = 0
    var url = 0
    var image = 0
    var price = 0
    var currency = 0
    var rating = 0
    var stock = 0
    var oldPrice = 0
    var badge = 0
  }

  @inline(__always)
  private func members(of row: Int, in rows: ParsedRows) -> Row {
    var members = Members(of: row, in: rows)
    let found = Row(
      name: members.next(name), url: members.next(url), image: members.next(image),
      price: members.next(price), currency: members.next(currency), rating: members.next(rating),
      stock: members.next(stock), oldPrice: members.next(oldPrice), badge: members.next(badge))
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
      case name: found.name = value
      case url: found.url = value
      case image: found.image = value
      case price: found.price = value
      case currency: found.currency = value
      case rating: found.rating = value
      case stock: found.stock = value
      case oldPrice: found.oldPrice = value
      case badge: found.badge = value
      default: break
      }
      key = rows.end(value)
    }
    return found
  }

  @inline(__always)
  func renderExpected(
    _ row: Int, _ pen: inout RowPen, _ output: inout RenderedOutput
  ) throws(OutputTooLarge) -> Bool {
    let rows = pen.rows
    guard rows.isPlainObject(row) else { return false }
    let row = members(of: row, in: rows)

    pen.put("<article class=\"product\">\n  <a class=\"product-link\" href=\"")
    guard row.url != 0, try pen.url(row.url, &output) else { return false }
    pen.put("\">")
    if row.image != 0 {
      guard rows.isPlainObject(row.image) else { return false }
      var members = Members(of: row.image, in: rows)
      let (src, alt) = (members.next(src), members.next(alt))
      guard members.isAtEnd, src != 0, alt != 0, rows.isTruthyText(src) else { return false }
      pen.put("\n    <img class=\"product-image\" src=\"")
      guard try pen.url(src, &output) else { return false }
      pen.put("\" alt=\"")
      guard pen.attribute(alt) else { return false }
      pen.put("\" width=\"320\" height=\"320\" loading=\"lazy\">")
    }
    pen.put("\n    <h3 class=\"product-name\">")
    guard row.name != 0, pen.text(row.name) else { return false }
    pen.put("</h3>\n  </a>")
    if row.badge != 0 {
      guard rows.isTruthyText(row.badge) else { return false }
      pen.put("\n  <p class=\"product-badge\">")
      guard pen.text(row.badge) else { return false }
      pen.put("</p>")
    }
    guard renderPrice(row, &pen), renderRating(row.rating, &pen), renderStock(row.stock, &pen) else {
      return false
    }
    pen.put("\n</article>")
    return true
  }

  @inline(__always)
  private func renderPrice(_ row: Row, _ pen: inout RowPen) -> Bool {
    guard row.price != 0, row.currency != 0 else { return false }
    pen.put("\n  <p class=\"price\">\n")
    if row.oldPrice != 0 {
      guard pen.rows.isTruthyText(row.oldPrice) else { return false }
      pen.put("  <del class=\"price-old\">")
      guard pen.number(row.oldPrice) else { return false }
      pen.put(" ")
      guard pen.text(row.currency) else { return false }
      pen.put("</del>\n")
    }
    pen.put("  <data class=\"price-now\" value=\"")
    guard pen.numberInAttribute(row.price) else { return false }
    pen.put("\">")
    guard pen.number(row.price) else { return false }
    pen.put(" ")
    guard pen.text(row.currency) else { return false }
    pen.put("</data>\n</p>\n")
    return true
  }

  @inline(__always)
  private func renderRating(_ rating: Int, _ pen: inout RowPen) -> Bool {
    if rating == 0 { return true }
    let rows = pen.rows
    guard rows.isPlainObject(rating) else { return false }
    // If it has no other members, no name of the row is hidden.
    var members = Members(of: rating, in: rows)
    let (value, count, label) = (members.next(value), members.next(count), members.next(label))
    guard members.isAtEnd, value != 0, count != 0, label != 0 else { return false }
    pen.put("\n  <p class=\"product-rating\">\n    <meter min=\"0\" max=\"5\" value=\"")
    guard pen.numberInAttribute(value) else { return false }
    pen.put("\"></meter>\n    <span><span>")
    guard pen.text(label) else { return false }
    pen.put("</span> (<span>")
    guard pen.number(count) else { return false }
    pen.put("</span>)</span>\n  </p>")
    return true
  }

  @inline(__always)
  private func renderStock(_ stock: Int, _ pen: inout RowPen) -> Bool {
    if stock == 0 { return true }
    let rows = pen.rows
    guard rows.isPlainObject(stock) else { return false }
    var members = Members(of: stock, in: rows)
    let (level, label) = (members.next(level), members.next(label))
    guard members.isAtEnd, level != 0, label != 0 else { return false }
    pen.put("\n  <p class=\"product-stock product-stock-")
    guard pen.attribute(level) else { return false }
    pen.put("\">")
    guard pen.text(label) else { return false }
    pen.put("</p>")
    return true
  }

  @inline(never)
  func renderAny(_ row: Int, of rows: ParsedRows, into output: inout RenderedOutput) throws(OutputTooLarge) {
    let rules = TemplateRules(rows: rows)
    let scope = TemplateRules.Scope(row: row)
    try output.put("<article class=\"product\">\n  <a class=\"product-link\"")
    try output.bind(
      rules.findOutlet(url, in: scope), of: rows, " href=\"", designed: " href=\"#\"", to: .url)
    try output.put(">")
    try rules.image(
      rules.findOutlet(image, in: scope), src: src, alt: alt, in: scope, "\n    <img class=\"product-image\"",
      designed: (" src=\"images/kettle.svg\"", " alt=\"A steel kettle\""),
      " width=\"320\" height=\"320\" loading=\"lazy\">", &output)
    try rules.outlet(rules.findOutlet(name, in: scope), in: scope) { (_, content) throws(OutputTooLarge) in
      try output.put("\n    <h3 class=\"product-name\">")
      try output.put(content, of: rows, named: text, designed: "Kettle \"Nordlys\", 1.7 l")
      try output.put("</h3>")
    }
    try output.put("\n  </a>")
    try rules.outlet(rules.findOutlet(badge, in: scope), in: scope) { (_, content) throws(OutputTooLarge) in
      try output.put("\n  <p class=\"product-badge\">")
      try output.put(content, of: rows, named: text, designed: "-20 %")
      try output.put("</p>")
    }
    try output.put("\n  ")
    try renderAnyPrice(scope, rules, &output)
    try renderAnyRating(scope, rules, &output)
    try rules.outlet(rules.findOutlet(stock, label, in: scope), in: scope) {
      (scope, content) throws(OutputTooLarge) in
      try output.put("\n  <p class=\"product-stock product-stock-")
      try output.put(rules.beside(content, stock, level, in: scope), of: rows, to: .attribute)
      try output.put("\">")
      try output.put(content, of: rows, named: text, designed: "In stock", readsNames: true)
      try output.put("</p>")
    }
    try output.put("\n</article>")
  }

  private func renderAnyPrice(
    _ scope: TemplateRules.Scope, _ rules: TemplateRules, _ output: inout RenderedOutput
  ) throws(OutputTooLarge) {
    let rows = rules.rows
    try output.put("<p class=\"price\">\n")
    try rules.section(rules.find(oldPrice, in: scope), in: scope) { (scope, _) throws(OutputTooLarge) in
      try output.put("  <del class=\"price-old\">")
      try output.put(rules.find(oldPrice, in: scope), of: rows, to: .text)
      try output.put(" ")
      try output.put(rules.find(currency, in: scope), of: rows, to: .text)
      try output.put("</del>\n")
    }
    try output.put("  <data class=\"price-now\" value=\"")
    try output.put(rules.find(price, in: scope), of: rows, to: .attribute)
    try output.put("\">")
    try output.put(rules.find(price, in: scope), of: rows, to: .text)
    try output.put(" ")
    try output.put(rules.find(currency, in: scope), of: rows, to: .text)
    try output.put("</data>\n</p>\n")
  }

  private func renderAnyRating(
    _ scope: TemplateRules.Scope, _ rules: TemplateRules, _ output: inout RenderedOutput
  ) throws(OutputTooLarge) {
    let rows = rules.rows
    try rules.outlet(rules.findOutlet(rating, in: scope), in: scope) {
      (scope, content) throws(OutputTooLarge) in
      try output.put("\n  <p class=\"product-rating\">")
      if case .scalar(let scalar) = content {
        try output.put(scalar, of: rows, to: .text)
      } else {
        try output.put("\n    <meter min=\"0\" max=\"5\"")
        try output.bind(
          rules.findOutlet(value, in: scope), of: rows, " value=\"", designed: " value=\"4.5\"",
          to: .attribute)
        try output.put("></meter>\n    <span>")
        try renderAny(label, "4.5 of 5", scope, rules, &output)
        try output.put(" (")
        try renderAny(count, "128", scope, rules, &output)
        try output.put(")</span>\n  ")
      }
      try output.put("</p>")
    }
  }

  private func renderAny(
    _ name: UInt32, _ designed: StaticString, _ scope: TemplateRules.Scope, _ rules: TemplateRules,
    _ output: inout RenderedOutput
  ) throws(OutputTooLarge) {
    try rules.outlet(rules.findOutlet(name, in: scope), in: scope) { (_, content) throws(OutputTooLarge) in
      try output.put("<span>")
      try output.put(content, of: rules.rows, named: text, designed: designed)
      try output.put("</span>")
    }
  }
}
