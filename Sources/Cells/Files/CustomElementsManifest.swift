import CellTemplates

/// Reads `custom-elements.json`, which declares custom elements and their attributes.
///
/// Source: the Custom Elements Manifest (github.com/webcomponents/custom-elements-manifest), as far as `modules`,
/// `declarations`, `tagName` and `attributes` go. Everything else in it is passed over.
struct CustomElementsManifest {
  /// The file's name. It lies in the templates folder itself.
  static let fileName = "custom-elements.json"
  /// The most errors that are reported.
  private static let errorLimit = 100

  private enum Name: UInt32, CaseIterable {
    case modules, declarations, tagName, attributes, name, type, text
  }

  private let file: String
  private let bytes: [UInt8]
  private let tape: JSONTape
  private let budget: LoadBudget
  private var elements = CustomElements()
  private var errors: [Diagnostic] = []

  /// - Parameter file: the path as diagnostics print it.
  /// - Throws: every error in the manifest, up to a limit.
  static func read(
    _ bytes: [UInt8], file: String, budget: LoadBudget
  ) throws(TemplateErrors) -> CustomElements {
    budget.file = file
    guard budget.spend(bytes.count) else { return .none }
    // Read over, as in templates.
    let mark = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    var text = ByteBuffer(capacity: bytes.count)
    text.append(bytes)
    let parser = JSONParser()
    let names = JSONNames(Name.allCases.map { Array("\($0)".utf8) })
    let root: JSONTape.Index
    do throws(JSONFault) {
      root = try parser.parse(
        &text, in: mark..<text.count, names: names, depthLimit: JSONParser.defaultDepthLimit)
    } catch {
      let position = bytes.withUnsafeBytes { lineAndColumn(of: error.offset, in: $0) }
      throw TemplateErrors([
        Diagnostic(
          .invalidManifest, file: file, line: position.line, column: position.column,
          message: "invalid JSON: \(error.reason)",
          hint: "write a Custom Elements Manifest, or remove the file")
      ])
    }
    var manifest = CustomElementsManifest(
      file: file, bytes: bytes, tape: parser.tape(over: text), budget: budget)
    manifest.readModules(of: root)
    // The tape points into both.
    withExtendedLifetime(parser) {}
    text.truncate(to: 0)
    if !manifest.errors.isEmpty { throw TemplateErrors(manifest.errors) }
    return manifest.elements
  }

  private init(file: String, bytes: [UInt8], tape: JSONTape, budget: LoadBudget) {
    self.file = file
    self.bytes = bytes
    self.tape = tape
    self.budget = budget
  }

  private mutating func readModules(of root: JSONTape.Index) {
    guard tape.kind(root) == .object, let modules = value(.modules, of: root), tape.kind(modules) == .array
    else {
      report(
        root, "a manifest is an object with a list \"modules\"",
        hint: "write {\"modules\": [{\"declarations\": […]}]}")
      return
    }
    for module in items(of: modules) {
      for declaration in items(.declarations, of: module) { readDeclaration(declaration) }
    }
  }

  private mutating func readDeclaration(_ declaration: JSONTape.Index) {
    // Functions, variables and mixins have no tag name.
    guard let tag = value(.tagName, of: declaration) else { return }
    guard let element = string(tag), CustomElements.isElementName(element) else {
      report(
        tag, "\(shown(tag)) is not a valid name for a custom element",
        hint: "name it in lowercase, with a hyphen: \"user-card\"")
      return
    }
    for attribute in items(.attributes, of: declaration) { readAttribute(attribute, of: element) }
  }

  private mutating func readAttribute(_ declared: JSONTape.Index, of element: String) {
    guard let name = value(.name, of: declared) else {
      report(declared, "an attribute of <\(element)> has no name", hint: "write {\"name\": \"size\"}")
      return
    }
    guard let attribute = string(name).map(Self.lowercased), CustomElements.isAttributeName(attribute) else {
      report(
        name, "\(shown(name)) is not a valid name for an attribute",
        hint: "use letters, digits and hyphens: \"user-name\"")
      return
    }
    if let reason = CustomElements.refusal(of: attribute, on: element) {
      report(
        name, "\(attribute) of <\(element)> cannot take values: \(reason)",
        hint: "leave it out of the manifest, and write it as static text")
      return
    }
    let form = form(of: attribute, type: value(.type, of: declared).flatMap { value(.text, of: $0) })
    if !elements.add(attribute, of: element, form) {
      report(
        name, "\(attribute) of <\(element)> is declared twice, with different types",
        hint: "remove one, or give both the same type")
    }
  }

  private func form(of attribute: String, type: JSONTape.Index?) -> CustomElements.Form {
    // `boolean | undefined` is a boolean, as far as attributes go.
    let types = Set(
      (type.flatMap(string) ?? "").split(separator: "|").map { $0.trimmingSpaces() }
        .filter { !["undefined", "null", ""].contains($0) })
    if types == ["boolean"] { return .boolean }
    if types == ["URL"] { return .url }
    return ["src", "href", "url", "action"].contains(where: {
      attribute.utf8.reversed().starts(with: $0.utf8.reversed())
    })
      ? .ownURL : .text
  }

  /// As HTML reads names: letters of ASCII alone.
  private static func lowercased(_ name: String) -> String {
    String(decoding: name.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  // MARK: JSON

  private func value(_ name: Name, of object: JSONTape.Index) -> JSONTape.Index? {
    guard budget.spend(tape.kind(object) == .object ? tape.count(object) : 1) else { return nil }
    return tape.value(named: name.rawValue, in: object)
  }

  private func string(_ value: JSONTape.Index) -> String? {
    tape.kind(value) == .string ? String(decoding: tape.bytes(value), as: UTF8.self) : nil
  }

  private func items(of list: JSONTape.Index) -> [JSONTape.Index] {
    let items = tape.elements(of: list)
    return budget.spend(items.count) ? items : []
  }

  /// The items of a member that is a list; none if there is no such member.
  private mutating func items(_ name: Name, of object: JSONTape.Index) -> [JSONTape.Index] {
    guard let list = value(name, of: object), tape.kind(list) != .null else { return [] }
    guard tape.kind(list) == .array else {
      report(list, "\"\(name)\" must be a list", hint: "write \"\(name)\": […]")
      return []
    }
    return items(of: list)
  }

  private func shown(_ value: JSONTape.Index) -> String {
    string(value).map { "\"\(NameRule.shown(Array($0.utf8)))\"" } ?? tape.kind(value).phrase
  }

  private mutating func report(_ node: JSONTape.Index, _ message: String, hint: String) {
    if errors.count == Self.errorLimit { return }
    // Strings begin after their quote.
    let offset = tape.offset(node) - (tape.kind(node) == .string ? 1 : 0)
    let position = bytes.withUnsafeBytes { lineAndColumn(of: offset, in: $0) }
    budget.spend(offset)
    errors.append(
      Diagnostic(
        .invalidManifest, file: file, line: position.line, column: position.column, message: message,
        hint: hint))
  }
}

extension Substring {
  fileprivate func trimmingSpaces() -> String {
    var rest = self
    while rest.last == " " { rest.removeLast() }
    return String(rest.drop { $0 == " " })
  }
}
