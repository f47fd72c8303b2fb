/// What the start tag of a cell says of it: its kind, its classes, and what it allows.
extension NibReader {
  mutating func endCell(
    _ root: HTMLTag, end: HTMLTag, in namespace: ElementContext.Namespace
  ) {
    guard let identifier = root.attribute(.cell) else { return }
    let kind = identifier.value.map(source.text) ?? ""
    if identifier.isDynamic {
      report(
        .invalidKind, at: identifier.at, "a cell's identifier must be static",
        hint: "name it: data-cell=\"news\"")
      return
    }
    if kind.isEmpty {
      report(
        .missingIdentifier, at: identifier.at, "the cell has no identifier",
        hint: "name it: data-cell=\"news\"")
      return
    }
    if !KindName.isValid(kind) {
      report(
        .invalidKind, at: identifier.at, "\"\(NameRule.shown(kind.utf8))\" is not a valid kind",
        hint:
          "kinds are letters, digits, '.', '_' and '-', with '/' between segments: data-cell=\"shop/price\"")
      return
    }
    if root.isNamed("template") {
      refuseAttributes(ofTemplate: root)
      refuseMustache(ofTemplate: root, end)
    }
    let content =
      root.isNamed("template")
      ? trim(root.range.upperBound..<end.range.lowerBound) : root.range.lowerBound..<end.range.upperBound
    let cell = NibCell(
      nib: source.kind, language: language, classes: classes(of: root), allowsRaw: allowsRaw(root),
      missing: missing(root),
      namespace: namespace, element: root.range.lowerBound..<end.range.upperBound, at: identifier.at)
    budget.keep(pieces: LoadBudget.cellPieces)
    cells.append(TemplateSource(kind: kind, cell: cell, content: content, of: source))
  }

  /// Reports attributes of a cell's element on a `<template>`, which is not printed.
  private mutating func refuseAttributes(ofTemplate root: HTMLTag) {
    for name in HTMLTag.AttributeName.ofElements + [.design, .action] where name != .missing {
      guard let attribute = root.attribute(name) else { continue }
      report(
        .misplacedAttribute, at: attribute.at,
        "\(name.rawValue) does nothing on a <template>, whose content is the cell",
        hint: "put it on an element inside, or make another element the cell: <div data-cell=\"news\">")
    }
  }

  /// Reports Mustache in the tags of a `<template>`, which are not printed.
  private mutating func refuseMustache(ofTemplate root: HTMLTag, _ end: HTMLTag) {
    // In an attribute that must be static, or does nothing there, it is reported already.
    let isReported = root.attributes.contains { name, attribute in
      attribute.isDynamic && ![.missing, .rel, .href, .lang].contains(name)
    }
    for case let hole? in [isReported ? nil : root.hole, end.hole] {
      report(
        .refusedPlace, at: hole,
        "Mustache does nothing in the tags of a <template>, whose content is the cell",
        hint: "put it inside, or make another element the cell: <div data-cell=\"news\">")
    }
  }

  private mutating func classes(of root: HTMLTag) -> [String] {
    guard let attribute = root.attribute(.classes) else { return [] }
    if attribute.isDynamic {
      report(
        .misplacedAttribute, at: attribute.at, "a cell's classes must be static",
        hint: "list their names: data-class=\"NewsCell Cell\"")
      return []
    }
    // By bytes, like in requests; white space as in HTML.
    var classes = UniqueList<ArraySlice<UInt8>>()
    let value = ReferenceDecoder.decoded(bytes[attribute.value ?? 0..<0])
    for name in HTMLWords(value[...]) {
      if let fault = NameRule.fault(in: name) {
        report(
          .invalidName, at: attribute.at, "the class \"\(NameRule.shown(name))\" \(fault)",
          hint: "give it a short name of visible characters: data-class=\"NewsCell\"")
        return []
      }
      guard !classes.insert(name) || budget.keep(pieces: LoadBudget.classPieces) else { return [] }
      if classes.count > KindEntry.classLimit {
        report(
          .misplacedAttribute, at: attribute.at, "the cell has more than \(KindEntry.classLimit) classes",
          hint: "keep only those by which rows select it")
        return []
      }
    }
    return classes.elements.map { String(decoding: $0, as: UTF8.self) }
  }

  private mutating func allowsRaw(_ root: HTMLTag) -> Bool {
    guard let attribute = root.attribute(.raw) else { return false }
    if !attribute.isDynamic, attribute.value.map(source.text) == "allow" { return true }
    report(
      .misplacedAttribute, at: attribute.at, "the only value of data-raw is \"allow\"",
      hint: "write data-raw=\"allow\", or remove it")
    return false
  }

  /// The policy of a `<template>` for missing names.
  private mutating func missing(_ root: HTMLTag) -> MissingPolicy? {
    guard root.isNamed("template"), root.hole == nil, let attribute = root.attribute(.missing) else {
      return nil
    }
    let text = ReferenceDecoder.decoded(bytes[attribute.value ?? 0..<0])
    do throws(Refusal) { return try MissingPolicy(written: text) } catch {
      report(error.code, at: attribute.at, error.message, hint: error.hint)
      return nil
    }
  }

  private func trim(_ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, HTMLTokenizer.isSpace(bytes[start]) { start += 1 }
    while end > start, HTMLTokenizer.isSpace(bytes[end - 1]) { end -= 1 }
    return start..<end
  }
}
