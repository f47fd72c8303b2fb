/// Attributes that are there or not, whatever their value.
enum BooleanAttributes {
  private static let names: Set<ExactString> = [
    "hidden", "checked", "selected", "disabled", "readonly", "required", "multiple", "open", "reversed",
    "itemscope", "autofocus", "controls", "loop", "muted", "default", "ismap", "novalidate", "formnovalidate",
    "inert",
    // Of a `turbo-frame`.
    "autoscroll",
  ]

  static func contain(_ attribute: ExactString, on element: ExactString, _ custom: CustomElements) -> Bool {
    names.contains(attribute) || custom.isBoolean(attribute, on: element)
  }
}
