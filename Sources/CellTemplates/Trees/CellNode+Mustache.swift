extension ArraySlice<CellNode> {
  /// Whether there are Mustache tags in the nodes.
  var holdMustache: Bool { contains(where: \.holdsMustache) }
}

extension CellNode {
  fileprivate var holdsMustache: Bool {
    switch self {
    case .value, .section, .plural, .truthy, .call, .parent, .block: true
    case .lineStart, .literal, .include, .bound, .machine, .listWords, .listItem, .listBreak, .listEnd: false
    case .outlet(let outlet):
      outlet.startTag[...].holdMustache || (outlet.content ?? [])[...].holdMustache
        || outlet.endTag[...].holdMustache
    case .bind(let bind): bind.designed[...].holdMustache
    case .pluralCase(_, let content, _), .presence(_, let content), .blind(_, let content),
      .conditions(_, _, let content, _),
      .missing(_, let content):
      content[...].holdMustache
    }
  }
}
