/// A part of a template that describes its kind. Becomes a `PartEntry`.
struct CellPart {
  let role: PartEntry.Role
  let name: String
  var element = ""
  var placeholder: [UInt8]?
  var entry = noIndex
  var escaper = Escaper.none
  /// How its value is shown.
  var format: WrittenFormat?
  /// The index of the part that contains it.
  var parent: Int?
  /// Whether nothing around it can change what its name refers to.
  var isTopLevel = false
  let at: Int
}

extension [CellPart] {
  /// The names in Mustache tags, in order of first appearance, without `.` and names provided by loops.
  var names: [String] {
    var seen: Set<[UInt8]> = []
    return compactMap { part -> String? in
      switch part.role {
      case .variable, .section, .inverted, .dynamic, .plural:
        if part.name == "." || part.name.utf8.first == UInt8(ascii: "@") { return nil }
        // Compared as bytes, like keys of the data.
        return seen.insert([UInt8](part.name.utf8)).inserted ? part.name : nil
      case .outlet, .taggedOutlet, .bind, .bound, .action, .partial, .parent, .block, .condition:
        return nil
      }
    }
  }
}
