/// Attributes that people read, in which a value may be formatted. Others are for programs: a formatted number is no
/// number to them. Of those with `data-`, URLs, styles and the like are for programs.
enum ReadableAttributes {
  private static let names: Set<ExactString> = [
    "title", "alt", "label", "placeholder", "abbr", "content", "aria-label", "aria-description",
    "aria-valuetext",
    "aria-roledescription",
  ]

  static func contain(_ attribute: ExactString) -> Bool {
    names.contains(attribute)
      || attribute.text.utf8.starts(with: "data-".utf8)
        && AttributePolicy.kindAnywhere(of: attribute.text) == .plain
  }

  /// Why a format is not allowed in a place.
  static func refusal(_ format: String, _ place: String) -> Refusal {
    Refusal(
      .formatInMachinePlace,
      "programs read \(place): the format \"\(NameRule.shown(Array(format.utf8)))\" is for people",
      hint:
        "send the value as it is there, and format it in element text or an attribute that people read, such as title"
    )
  }
}
