/// A template parsed and checked on its own, before it is linked with others.
struct ParsedTemplate {
  let source: TemplateSource
  let nodes: [MustacheNode]
  /// Every static call with its offset.
  private(set) var calls: [(kind: String, at: Int)] = []
  private(set) var diagnostics: [Diagnostic]
  /// Whether raw values are allowed; if not, they were reported.
  let allowsRaw: Bool
  /// Changes the template's elements during the walk, if it is a nib's cell.
  let observer: (any ElementObserver)?

  init(
    _ source: TemplateSource, observer: (any ElementObserver)? = nil, formats: NamedFormats = .none,
    budget: LoadBudget = LoadBudget()
  ) {
    self.source = source
    self.observer = observer
    if let fault = UTF8Fault.diagnostic(in: source) {
      nodes = []
      diagnostics = [fault]
      allowsRaw = false
      return
    }
    let parsed = MustacheParser.parse(source, formats: formats, budget: budget)
    nodes = parsed.nodes
    diagnostics = parsed.diagnostics
    allowsRaw = parsed.allowsRaw || source.mode == .text
    collect(nodes, budget)
  }

  /// Whether its tags are paired and closed, so that its tree is what the author meant.
  var isWellFormed: Bool {
    !diagnostics.contains { diagnostic in
      switch diagnostic.code {
      case .unclosedTag, .unclosedSection, .unexpectedEnd, .mismatchedEnd, .invalidDelimiters, .nestedTooDeep,
        .invalidEncoding:
        true
      default: false
      }
    }
  }

  private mutating func collect(_ nodes: [MustacheNode], _ budget: LoadBudget) {
    for node in nodes where budget.spend() {
      switch node {
      case .lineStart, .text:
        continue
      case .variable(let name, let isRaw, _, let at):
        if isRaw, !allowsRaw {
          let diagnostic = Diagnostic(
            .rawNotAllowed, in: source, at: at,
            "the raw value \"\(name.text)\" is not allowed in this cell",
            hint: "write {{\(name.text)}}, or allow raw values in element text with \(optIn)")
          if budget.keep(diagnostic) { diagnostics.append(diagnostic) }
        }
      case .section(_, _, _, let content, _):
        collect(content, budget)
      case .partial(let call):
        note(call)
      case .parent(let call, let overrides):
        note(call)
        for block in overrides { collect(block.content, budget) }
      case .block(let block):
        collect(block.content, budget)
      }
    }
  }

  /// How a cell allows raw values.
  private var optIn: String { source.cell == nil ? "the first line {{! raw: allow }}" : "data-raw=\"allow\"" }

  private mutating func note(_ call: MustacheCall) {
    if case .kind(let kind) = call.target { calls.append((kind, call.at)) }
  }
}

/// The first invalid byte of a text that is not UTF-8.
struct UTF8Fault: Error {
  let offset: Int

  /// The diagnostic for a file whose template contains such a byte.
  static func diagnostic(in source: TemplateSource) -> Diagnostic? {
    do throws(UTF8Fault) {
      try check(source.bytes[source.content])
      return nil
    } catch {
      return Diagnostic(
        .invalidEncoding, in: source, at: source.content.lowerBound + error.offset, "this byte is not UTF-8",
        hint: "save the file as UTF-8")
    }
  }

  /// Offsets count from the first byte of `bytes`.
  static func check(_ bytes: ArraySlice<UInt8>) throws(UTF8Fault) {
    var decoder = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var offset = 0
    while true {
      switch decoder.parseScalar(from: &iterator) {
      case .valid(let scalar): offset += scalar.count
      case .error: throw UTF8Fault(offset: offset)
      case .emptyInput: return
      }
    }
  }
}
