/// A library that takes `data-x` for its own directive or option `x`, or all attributes for properties. These differ by version
/// and class, so none of the element's `data-` attributes takes values, nor any `x` that only a manifest declares; next to
/// Dojo's, no attribute takes text.
///
/// Sources: AngularJS 1.8, `directiveNormalize`; UIkit 3, `data` and `getProps`; Dojo 1.17, `dojo/parser`; Fancybox 3,
/// `createGroup`; Foundation 6, `Plugin`.
struct DataAttributeLibrary {
  private enum Library {
    case dojo, angular
    /// Makes HTML of some options.
    case showing(String)
  }

  /// Each library that reads them, and what makes it do so: `next to ng-form`, `of <ng-messages>`.
  private var readers: [(library: Library, place: String)] = []
  private let element: ExactString
  private let custom: CustomElements

  /// - Parameters:
  ///   - element: its name, in lowercase.
  ///   - names: its attributes, in lowercase, with their places.
  ///   - classDirectives: the directives of AngularJS in its class.
  ///   - custom: the custom elements that are declared.
  /// - Returns: nil if no library reads its `data-` attributes so.
  init?(
    of element: ExactString, with names: [ExactString: Int], classDirectives: Set<AngularDirective.InClass>,
    _ custom: CustomElements
  ) {
    (self.element, self.custom) = (element, custom)
    /// The first one, so that messages do not vary.
    func first(where isOne: (ExactString) -> Bool) -> ExactString? {
      names.filter { isOne($0.key) }.min { ($0.value, $0.key) < ($1.value, $1.key) }?.key
    }
    if let name = AttributePolicy.dojo.first(where: { names[$0] != nil }) {
      readers.append((.dojo, "next to \(name)"))
    }
    if AngularDirective.isName(element) {
      readers.append((.angular, "of <\(element)>"))
    } else if let name = first(where: AngularDirective.isName) {
      readers.append((.angular, "next to \(name)"))
    } else if let word = classDirectives.lazy.map(\.word).min() {
      readers.append((.angular, "next to \(word)"))
    }
    if let name = first(where: Self.isComponent) { readers.append((.showing("UIkit"), "next to \(name)")) }
    for (library, marks) in Self.marks {
      if let name = first(where: marks.contains) { readers.append((.showing(library), "next to \(name)")) }
    }
    if readers.isEmpty { return nil }
  }

  /// Why an attribute takes no values here; nil if it does, or takes none anywhere.
  /// - Parameter attribute: in lowercase.
  func refusal(of attribute: ExactString) -> Refusal? {
    readers.lazy.compactMap { refusal(of: attribute, by: $0.library, $0.place) }.first
  }

  private func refusal(of attribute: ExactString, by library: Library, _ place: String) -> Refusal? {
    if case .dojo = library { return refusalByDojo(of: attribute, place) }
    guard attribute.utf8.starts(with: "data-".utf8) || custom.declares(attribute, on: element) else {
      return nil
    }
    let kind = AttributePolicy.kind(of: attribute, on: element, custom)
    if case .refused = kind { return nil }
    switch library {
    case .dojo: return nil
    case .angular:
      return Refusal(.refusedAttribute, "AngularJS may evaluate \(attribute) \(place)", hint: Self.hint)
    case .showing(let library):
      // UIkit makes elements of a value that begins with `<`, which no URL, id or style does.
      guard case .fixed = kind, !Self.isGroup(attribute) else { return nil }
      return Refusal(
        .refusedAttribute, "\(library) may show \(attribute) \(place) as HTML", hint: Self.hint)
    }
  }

  private static let hint = "write it as static text, or put the value on another element"

  /// Dojo makes a function of the text where the class has one, and evaluates it where the class has an object. URLs and styles
  /// are no code; identifiers and classes stay on the element.
  private func refusalByDojo(of attribute: ExactString, _ place: String) -> Refusal? {
    guard case .fixed = AttributePolicy.kind(of: attribute, on: element, custom),
      attribute != "id", attribute != "class"
    else { return nil }
    return Refusal(.refusedAttribute, "Dojo may evaluate \(attribute) \(place)", hint: Self.hint)
  }

  /// What makes a library take the `data-` attributes of an element for options, some of which it shows as HTML. Of Foundation's
  /// plugins, those that have such options.
  private static let marks: [(library: String, attributes: [ExactString])] = [
    ("Fancybox", ["data-fancybox"]),
    (
      "Foundation",
      ["data-drilldown", "data-accordion-menu", "data-responsive-menu", "data-reveal", "data-sticky"]
    ),
  ]

  /// Whether its value is the name of a gallery, with which a library selects the elements that have it.
  private static func isGroup(_ attribute: ExactString) -> Bool { attribute == "data-fancybox" }

  private static func isComponent(_ name: ExactString) -> Bool {
    name.utf8.starts(with: "uk-".utf8) || name.utf8.starts(with: "data-uk-".utf8)
  }
}
