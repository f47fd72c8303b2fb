/// Attributes that are there or not, whatever their value.
enum BooleanAttributes {
  static let names: Set<ExactString> = [
    "hidden", "checked", "selected", "disabled", "readonly", "required", "multiple", "open", "reversed",
    "itemscope", "autofocus", "controls", "loop", "muted", "default", "ismap", "novalidate", "formnovalidate",
    "inert",
    // Of a `turbo-frame`.
    "autoscroll",
  ]
}
