/// A place of a template that is told of its kind: what becomes a `PartEntry`.
struct CellPart {
  let role: PartEntry.Role
  let name: String
  var element = ""
  var placeholder: [UInt8]?
  var entry = noIndex
  var escaper = Escaper.none
  /// The place of the part it stands in.
  var parent: Int?
  /// Inside of nothing that could change what its name finds.
  var isTopLevel = false
  let at: Int
}

extension [CellPart] {
  /// The names of Mustache tags, in the order of first appearance; without `.` and those that loops give.
  var names: [String] {
    var seen: Set<[UInt8]> = []
    return compactMap { part -> String? in
      switch part.role {
      case .variable, .section, .inverted, .dynamic:
        if part.name == "." || part.name.utf8.first == UInt8(ascii: "@") { return nil }
        // By bytes, as keys of the data are compared.
        return seen.insert([UInt8](part.name.utf8)).inserted ? part.name : nil
      case .outlet, .tag, .bind, .action, .partial, .parent, .block: return nil
      }
    }
  }
}
