/// A template that has been read and checked by itself, before it is linked with the others.
struct ParsedTemplate {
  let source: TemplateSource
  let nodes: [MustacheNode]
  /// Names as written, in order of first appearance; without `.` and the `@` names.
  private(set) var names: [String] = []
  /// Kinds of static partial and parent tags, in order of first appearance.
  private(set) var partials: [String] = []
  /// Every static call with its place.
  private(set) var calls: [(kind: String, at: Int)] = []
  private(set) var diagnostics: [Diagnostic]
  /// Who wants to change its elements.
  let observer: (any ElementObserver)?
  private var partialsSeen: Set<String> = []

  init(_ source: TemplateSource, observer: (any ElementObserver)? = nil) {
    self.source = source
    self.observer = observer
    if let fault = UTF8Fault.diagnostic(in: source) {
      nodes = []
      diagnostics = [fault]
      return
    }
    let parsed = MustacheParser.parse(source)
    nodes = parsed.nodes
    diagnostics = parsed.diagnostics
    var seen: Set<MustacheName> = []
    collect(nodes, allowsRaw: parsed.allowsRaw || source.mode == .text, &seen)
  }

  /// Its tags are paired and closed, so that its tree is what its author meant.
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

  private mutating func collect(_ nodes: [MustacheNode], allowsRaw: Bool, _ seen: inout Set<MustacheName>) {
    for node in nodes {
      switch node {
      case .lineStart, .text:
        continue
      case .variable(let name, let isRaw, let at):
        note(name, &seen)
        if isRaw, !allowsRaw {
          diagnostics.append(
            Diagnostic(
              .rawNotAllowed, in: source, at: at, "the raw value \"\(name.text)\" is not allowed in this cell",
              hint: "write {{\(name.text)}}, or let the cell opt in by a first line {{! raw: allow }}"))
        }
      case .section(let name, _, let content, _):
        note(name, &seen)
        collect(content, allowsRaw: allowsRaw, &seen)
      case .partial(let call):
        note(call, &seen)
      case .parent(let call, let overrides):
        note(call, &seen)
        for block in overrides { collect(block.content, allowsRaw: allowsRaw, &seen) }
      case .block(let block):
        collect(block.content, allowsRaw: allowsRaw, &seen)
      }
    }
  }

  private mutating func note(_ name: MustacheName, _ seen: inout Set<MustacheName>) {
    if name.isItem || name.segments[0].utf8.first == UInt8(ascii: "@") { return }
    if seen.insert(name).inserted { names.append(name.text) }
  }

  private mutating func note(_ call: MustacheCall, _ seen: inout Set<MustacheName>) {
    switch call.target {
    case .dynamic(let name):
      note(name, &seen)
    case .kind(let kind):
      calls.append((kind, call.at))
      if partialsSeen.insert(kind).inserted { partials.append(kind) }
    }
  }
}

/// The first byte of a text that is not UTF-8.
struct UTF8Fault: Error {
  let offset: Int

  /// What is to be said of a file whose template holds such a byte.
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

  /// Offsets count from the first of the bytes.
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
