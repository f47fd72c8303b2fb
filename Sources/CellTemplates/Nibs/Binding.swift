/// An entry of `data-bind`: what sets an attribute, or a part of one.
struct Binding {
  enum Target: Hashable {
    /// The whole value.
    case attribute
    /// `ATTR+`: more tokens.
    case addition
    /// `class.TOKEN`
    case token(ExactString)
    /// `style.PROPERTY`
    case property(ExactString)
  }

  enum Source {
    case path(MustacheName)
    /// Text with paths in it.
    case text([Piece])
    case condition(Condition)
  }

  enum Piece {
    case literal([UInt8])
    case path(MustacheName, WrittenFormat?)
  }

  /// As it is written and printed.
  let attribute: String
  let target: Target
  let source: Source
  /// How the value of a path is shown.
  var format: WrittenFormat?

  /// The memory kept for it, in pieces.
  var pieces: Int {
    let ofTarget =
      switch target {
      case .attribute, .addition: 0
      case .token, .property: 1
      }
    if case .condition(let condition) = source { return condition.pieces + ofTarget }
    return LoadBudget.bindPieces + ofTarget
  }

  /// The directives of AngularJS in the words that it adds to a class.
  var classDirectives: [AngularDirective.InClass] {
    if case .token(let token) = target { return AngularDirective.inClass(token.utf8) }
    guard case .text(let pieces) = source else { return [] }
    var words = AngularWords()
    for piece in pieces {
      switch piece {
      case .literal(let text): words.read(text)
      case .path: words.branch()
      }
    }
    return words.directives
  }

  /// As it is compared.
  var name: ExactString { ExactString(inLowercase: attribute.utf8) }
}
