/// A part of a template that matters for data or designers, for describing a kind. Not used for rendering.
///
/// Parts are in template order; a part's children follow it; actions come last. Consists of 32-bit words,
/// like all entries of archives.
package struct PartEntry: BitwiseCopyable, Equatable, Sendable {
  package enum Role: UInt32, Sendable {
    /// `data-outlet`
    case outlet = 0
    /// `data-tag`
    case taggedOutlet = 1
    /// The name that sets an attribute, or an item of one; its element is the attribute.
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
    /// `{{<kind}}`; its name is the kind. The overrides are its children.
    case parent = 9
    /// `{{$name}}`, a block. Its default content is its children.
    case block = 10
    /// A condition of `data-when`, or of an attribute; its name is a path. Of a condition with several, the first one
    /// holds what it decides.
    case condition = 11
    /// A name in the text of a bound attribute; its element is the attribute.
    case bound = 12
    /// `{{#count | plural one}}`; its name is looked up as a section's.
    case plural = 13

    /// Whether it can contain other parts.
    package var holdsParts: Bool {
      switch self {
      // A parent's name may be dynamic.
      case .outlet, .taggedOutlet, .section, .inverted, .parent, .block, .dynamic, .condition, .plural: true
      case .bind, .bound, .variable, .action, .partial: false
      }
    }
  }

  /// A `Role`.
  package var role: UInt32
  /// The name as written: a path, a key, an action, a kind, a block.
  package var name: LiteralRef
  /// The element that has the outlet, tag or action; the attribute that a `bind` or `bound` sets, or that a variable
  /// decides.
  package var element: LiteralRef
  /// The designed content of an outlet, if that is only text.
  package var placeholder: LiteralRef
  package var hasPlaceholder: UInt32
  /// For an outlet or tag, its outlet; for a bind, its `BindEntry`; for a section, its path; for a condition or plural, its
  /// `ConditionEntry`; for a variable, `bound` or dynamic name that is judged wherever it is reached, the
  /// `MissingPolicy.Own` of its place; otherwise `noIndex`.
  package var entry: UInt32
  /// The `Escaper` of a variable, `bind` or `bound`; otherwise 0.
  package var escaper: UInt32
  /// How its value is shown; `noIndex` if as it is.
  package var format: UInt32
  /// The enclosing outlet, section, parent or block, as an index into the kind's parts. `noIndex` at the top
  /// level and for actions.
  package var parent: UInt32
  /// 1 for an outlet or tag whose name is looked up in the row itself.
  package var isTopLevel: UInt32
  /// The position in the template's file, counted from 1; columns in bytes.
  package var line: UInt32
  package var column: UInt32

  /// The role; the archive must be verified.
  package var knownRole: Role {
    guard let role = Role(rawValue: role) else { preconditionFailure("the archive must be verified") }
    return role
  }
}
