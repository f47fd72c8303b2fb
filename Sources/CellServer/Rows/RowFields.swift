/// The members of a row object that the client selected with `?fields=`.
package struct RowFields: OptionSet, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The rendered content: the member `html`, or `text` for a text cell.
  package static let html = RowFields(rawValue: 1)
  package static let etag = RowFields(rawValue: 2)
  package static let `class` = RowFields(rawValue: 4)
  package static let nib = RowFields(rawValue: 8)
  package static let outlets = RowFields(rawValue: 16)
  package static let actions = RowFields(rawValue: 32)

  package static let standard: RowFields = [.html, .etag]

  /// The names accepted by `init(name:)`.
  static let names = ["html", "text", "etag", "class", "nib", "outlets", "actions"]

  /// The field with this name.
  init?(name: some StringProtocol) {
    switch name {
    case "html", "text": self = .html
    case "etag": self = .etag
    case "class": self = .class
    case "nib": self = .nib
    case "outlets": self = .outlets
    case "actions": self = .actions
    default: return nil
    }
  }
}
