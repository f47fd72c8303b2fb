/// Writes the descriptions of kinds and nibs, which rendering does not use. One for each compilation.
final class KindDescriber {
  private let builder: TableBuilder
  /// By the bytes of their names, because distinct file names may be equal as strings.
  private var nibNumbers: [[UInt8]: UInt32] = [:]
  /// The index of each cell in its nib.
  private var orders: [ExactString: UInt32] = [:]
  /// By template number.
  private var parts: [Int: (parts: [CellPart], partials: [String])] = [:]

  /// - Parameter nibs: must have distinct names.
  init(_ nibs: [Nib], builder: TableBuilder) {
    self.builder = builder
    for nib in nibs.sorted(by: Self.precedes) {
      nibNumbers[Array(nib.name.utf8)] = UInt32(builder.tables.nibs.count)
      for (order, cell) in nib.cells.enumerated() { orders[ExactString(cell.kind)] = UInt32(order) }
      let entry = NibEntry(
        name: builder.literal(nib.name), styleStart: addTexts(nib.styles),
        styleCount: UInt32(nib.styles.count))
      builder.tables.nibs.append(entry)
    }
  }

  /// In the order in which a folder is read: by the bytes of each path component.
  private static func precedes(_ left: Nib, _ right: Nib) -> Bool {
    func steps(_ nib: Nib) -> [[UInt8]] {
      (nib.name + ".html").utf8.split(separator: UInt8(ascii: "/")).map(Array.init)
    }
    for (left, right) in zip(steps(left), steps(right)) where left != right {
      return left.lexicographicallyPrecedes(right)
    }
    return false
  }

  /// Stores what the writer of a template's program found. Only the first call counts, which is for the kind
  /// itself.
  func note(_ parts: [CellPart], _ partials: [String], of template: Int) {
    if self.parts[template] == nil { self.parts[template] = (parts, partials) }
  }

  /// Warnings about the parts of a kind.
  func warnings(of template: ParsedTemplate, number: Int, budget: LoadBudget) -> [Diagnostic] {
    PartReview.warnings(of: parts[number]?.parts ?? [], in: template.source, budget: budget)
  }

  /// Adds a kind's description.
  /// - Parameter actions: the actions of its elements, in order.
  func describe(_ entry: inout KindEntry, _ template: ParsedTemplate, number: Int, actions: [CellPart]) {
    let partials = parts[number]?.partials ?? []
    let parts = (parts[number]?.parts ?? []) + actions
    let names = parts.names
    entry.nameStart = addTexts(names)
    entry.nameCount = UInt32(names.count)
    entry.partialStart = addTexts(partials)
    entry.partialCount = UInt32(partials.count)
    let cell = template.source.cell
    entry.nib = cell.flatMap { nibNumbers[Array($0.nib.utf8)] } ?? noIndex
    entry.order = cell.flatMap { _ in orders[ExactString(template.source.kind)] } ?? noIndex
    entry.classStart = addTexts(cell?.classes ?? [])
    entry.classCount = UInt32(cell?.classes.count ?? 0)
    entry.partStart = UInt32(builder.tables.parts.count)
    entry.partCount = UInt32(parts.count)
    for part in parts {
      let row = row(part, in: template.source)
      builder.tables.parts.append(row)
    }
  }

  private func row(_ part: CellPart, in source: TemplateSource) -> PartEntry {
    let position = source.position(of: part.at)
    return PartEntry(
      role: part.role.rawValue, name: builder.literal(part.name), element: builder.literal(part.element),
      placeholder: builder.literal(part.placeholder ?? []), hasPlaceholder: part.placeholder == nil ? 0 : 1,
      entry: part.entry, escaper: part.escaper.rawValue, format: builder.format(part.format),
      parent: part.parent.map(UInt32.init) ?? noIndex,
      isTopLevel: part.isTopLevel ? 1 : 0, line: UInt32(position.line), column: UInt32(position.column))
  }

  private func addTexts(_ texts: [String]) -> UInt32 {
    let start = UInt32(builder.tables.texts.count)
    for text in texts {
      let ref = builder.literal(text)
      builder.tables.texts.append(ref)
    }
    return start
  }
}
