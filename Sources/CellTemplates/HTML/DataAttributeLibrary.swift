/// A library that takes `data-x` for its own directive or option `x`, or all attributes for properties. These differ by version
/// and class, so none of the element's `data-` attributes takes values, nor any `x` that only a manifest declares; next to
/// Dojo's, no attribute takes text.
///
/// Sources: AngularJS 1.8, `directiveNormalize`; UIkit 3, `data` and `getProps`; Dojo 1.17, `dojo/parser`.
struct DataAttributeLibrary {
  /// Next to several, more is refused for the first.
  private enum Library: Int { case dojo, angular, uikit }

  private let library: Library
  private let element: ExactString
  private let custom: CustomElements
  /// What makes the library read them: `next to ng-form`, `of <ng-messages>`.
  private let place: String

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
    if let name = AttributePolicy.dojo.first(where: { names[$0] != nil }) {
      (library, place) = (.dojo, "next to \(name)")
      return
    }
    if AngularDirective.isName(element) {
      (library, place) = (.angular, "of <\(element)>")
      return
    }
    // The first one, so that messages do not vary.
    var first: (name: ExactString, at: Int, library: Library)?
    for (name, at) in names {
      let library: Library? =
        AngularDirective.isName(name) ? .angular : Self.isComponent(name) ? .uikit : nil
      guard let library else { continue }
      if let first {
        guard (library.rawValue, at, name) < (first.library.rawValue, first.at, first.name) else { continue }
      }
      first = (name, at, library)
    }
    if let first {
      (library, place) = (first.library, "next to \(first.name)")
    } else if let word = classDirectives.lazy.map(\.word).min() {
      (library, place) = (.angular, "next to \(word)")
    } else {
      return nil
    }
  }

  /// Why an attribute takes no values here; nil if it does, or takes none anywhere.
  /// - Parameter attribute: in lowercase.
  func refusal(of attribute: ExactString) -> Refusal? {
    if library == .dojo { return refusalByDojo(of: attribute) }
    guard attribute.utf8.starts(with: "data-".utf8) || custom.declares(attribute, on: element) else {
      return nil
    }
    let kind = AttributePolicy.kind(of: attribute, on: element, custom)
    if case .refused = kind { return nil }
    switch library {
    case .dojo: return nil
    case .angular:
      return Refusal(.refusedAttribute, "AngularJS may evaluate \(attribute) \(place)", hint: Self.hint)
    case .uikit:
      // It makes elements of a value that begins with `<`, which no URL, id or style does.
      guard case .fixed = kind else { return nil }
      return Refusal(.refusedAttribute, "UIkit may show \(attribute) \(place) as HTML", hint: Self.hint)
    }
  }

  private static let hint = "write it as static text, or put the value on another element"

  /// Dojo makes a function of the text where the class has one, and evaluates it where the class has an object. URLs and styles
  /// are no code; identifiers and classes stay on the element.
  private func refusalByDojo(of attribute: ExactString) -> Refusal? {
    guard case .fixed = AttributePolicy.kind(of: attribute, on: element, custom),
      attribute != "id", attribute != "class"
    else { return nil }
    return Refusal(.refusedAttribute, "Dojo may evaluate \(attribute) \(place)", hint: Self.hint)
  }

  private static func isComponent(_ name: ExactString) -> Bool {
    name.utf8.starts(with: "uk-".utf8) || name.utf8.starts(with: "data-uk-".utf8)
  }
}
