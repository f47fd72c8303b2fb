/// A place of a template that the data, or a person, is concerned with: what is told of a kind. Rendering
/// needs none.
///
/// Parts stand in the order of the template, those in an outlet or section behind it; actions come last. Made
/// of 32-bit words, as all rows of an archive's tables.
package struct PartEntry: BitwiseCopyable, Equatable, Sendable {
  package enum Role: UInt32, Sendable {
    /// `data-outlet`
    case outlet = 0
    /// `data-tag`
    case tag = 1
    /// An attribute that its outlet's value may set, by its own key.
    case bind = 2
    /// `{{name}}`
    case variable = 3
    /// `{{#name}}`
    case section = 4
    /// `{{^name}}`
    case inverted = 5
    /// `{{>*name}}`, `{{<*name}}`
    case dynamic = 6
    /// `data-action`
    case action = 7
    /// `{{>kind}}`; its name is the kind.
    case partial = 8
    /// `{{<kind}}`; its name is the kind. What overrides its blocks stands in it.
    case parent = 9
    /// `{{$name}}`, a place to override. What it holds by default stands in it.
    case block = 10

    /// Other parts may stand in it.
    package var holdsParts: Bool {
      switch self {
      // A parent's name may be dynamic.
      case .outlet, .tag, .section, .inverted, .parent, .block, .dynamic: true
      case .bind, .variable, .action, .partial: false
      }
    }
  }

  /// A `Role`.
  package var role: UInt32
  /// The name as written: a path, a key, an action, a kind, a block.
  package var name: LiteralRef
  /// The element an outlet, tag or action stands on.
  package var element: LiteralRef
  /// What an outlet shows as designed, where that is text alone.
  package var placeholder: LiteralRef
  package var hasPlaceholder: UInt32
  /// The outlet of an outlet or tag; the `BindEntry` of a bind; the path of a section; else none.
  package var entry: UInt32
  /// The `Escaper` of a variable; else 0.
  package var escaper: UInt32
  /// The outlet, section, parent or block it stands in: its place among the kind's parts. None at the top,
  /// and for actions.
  package var parent: UInt32
  /// 1: an outlet or tag whose name is looked up in the row itself.
  package var isTopLevel: UInt32
  /// Where it stands in the template's file, counted from 1; columns in bytes.
  package var line: UInt32
  package var column: UInt32

  /// The role, of a verified archive.
  package var knownRole: Role {
    guard let role = Role(rawValue: role) else { preconditionFailure("the verifier has seen the role") }
    return role
  }
}
