import CellTemplates

/// Types of rows in TypeScript.
struct TypeScriptTypes {
  let types: RowTypes

  /// The type of a row by the name of its kind.
  static func list(of kinds: [(kind: String, type: String)]) -> String {
    var text = "\n/** The rows of each kind. */\nexport interface Kinds {\n"
    for (kind, type) in kinds { text += "  \"\(kind)\": \(type);\n" }
    return text + "}\n"
  }

  func alias(_ name: String, _ comment: String) -> String {
    "\n/** \(comment) */\nexport type \(name) = \(type(of: types.row));\n"
  }

  func declaration(of object: RowTypes.Object, _ comment: String) -> String {
    if object.members.isEmpty {
      let type = object.isOpen ? "{ [name: string]: unknown }" : "Record<string, never>"
      return "\n/** \(comment) */\nexport type \(object.name) = \(type);\n"
    }
    var text = "\n/** \(comment) */\nexport interface \(object.name) {\n"
    for member in object.members {
      let name = member.isIdentifier ? member.text : member.quoted
      text += "  /** \(member.comment) */\n"
      text += "  \(name)\(member.isRequired ? "" : "?"): \(type(of: member.value));\n"
    }
    if object.isOpen { text += "  [name: string]: unknown;\n" }
    return text + "}\n"
  }

  private func type(of value: RowTypes.Value) -> String {
    if value.isAny { return "unknown" }
    var parts: [String] = []
    if value.scalars.contains(.string) { parts.append("string") }
    if !value.scalars.isDisjoint(with: [.integer, .number]) { parts.append("number") }
    if value.scalars.contains(.boolean) { parts.append("boolean") }
    if let object = value.object { parts.append(types.objects[object].name) }
    if let list = value.list {
      let item = type(of: types.lists[list])
      parts.append(item.contains(" ") ? "(\(item))[]" : item + "[]")
    }
    if value.scalars.contains(.null) { parts.append("null") }
    return parts.joined(separator: " | ")
  }
}
