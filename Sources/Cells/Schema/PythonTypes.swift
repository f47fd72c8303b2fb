import CellTemplates

/// Types of rows in Python: typed dictionaries.
struct PythonTypes {
  /// Imports what the declarations use.
  static func opening(of body: String) -> String {
    let names = [
      ("Any", "Any"), ("Dict[", "Dict"), ("List[", "List"), ("Required[", "Required"),
      ("TypedDict", "TypedDict"), ("Union[", "Union"),
    ]
    let used = names.filter { body.contains($0.0) }.map(\.1)
    return used.isEmpty ? "" : "\nfrom typing import \(used.joined(separator: ", "))\n"
  }

  private static let keywords: Set<String> = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def",
    "del",
    "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda",
    "nonlocal",
    "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
  ]

  let types: RowTypes

  func alias(_ name: String, _ comment: String) -> String {
    "\n\n# \(comment)\n\(name) = \(type(of: types.row, isQuoted: true))\n"
  }

  func declaration(of object: RowTypes.Object, _ comment: String) -> String {
    // A typed dictionary is closed.
    if object.isOpen { return "\n\n# \(comment)\n\(object.name) = Dict[str, Any]\n" }
    let isPlain = object.members.allSatisfy {
      $0.isIdentifier && !Self.keywords.contains($0.text) && !$0.text.hasPrefix("__")
    }
    if !isPlain { return call(object, comment) }
    var text = "\n\nclass \(object.name)(TypedDict, total=False):\n    \"\"\"\(comment)\"\"\"\n\n"
    for member in object.members {
      let type = type(of: member.value, isQuoted: true)
      text += "    # \(member.comment)\n"
      text += "    \(member.text): \(member.isRequired ? "Required[\(type)]" : type)\n"
    }
    return text
  }

  /// For names that are none in Python.
  private func call(_ object: RowTypes.Object, _ comment: String) -> String {
    var text = "\n\n# \(comment)\n\(object.name) = TypedDict(\n    \"\(object.name)\",\n    {\n"
    for member in object.members {
      let type = type(of: member.value, isQuoted: true)
      text += "        # \(member.comment)\n"
      text += "        \(member.quoted): \(member.isRequired ? "Required[\(type)]" : type),\n"
    }
    return text + "    },\n    total=False,\n)\n"
  }

  /// - Parameter isQuoted: whether types that may be declared below are written as strings.
  private func type(of value: RowTypes.Value, isQuoted: Bool) -> String {
    if value.isAny { return "Any" }
    var parts: [String] = []
    if value.scalars.contains(.string) { parts.append("str") }
    if value.scalars.contains(.integer) { parts.append("int") }
    if value.scalars.contains(.number) { parts.append("float") }
    if value.scalars.contains(.boolean) { parts.append("bool") }
    if let object = value.object {
      let name = types.objects[object].name
      parts.append(isQuoted ? "\"\(name)\"" : name)
    }
    if let list = value.list { parts.append("List[\(type(of: types.lists[list], isQuoted: isQuoted))]") }
    if value.scalars.contains(.null) { parts.append("None") }
    return parts.count == 1 ? parts[0] : "Union[\(parts.joined(separator: ", "))]"
  }
}
