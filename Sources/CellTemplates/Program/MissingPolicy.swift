/// What happens where a name has no value.
package enum MissingPolicy: String, Sendable, CaseIterable {
  /// As if the value were `null`.
  case drop
  /// The element stays as drawn.
  case keep
  /// The element stays; content that holds no outlet is emptied.
  case blank
  /// The row is bad.
  case error
}

extension MissingPolicy {
  /// The policy of one place in a template: a word of its operation or outlet.
  package enum Own: UInt32, BitwiseCopyable, Sendable {
    /// That of the request.
    case none = 0
    case drop = 1
    case keep = 2
    case blank = 3
    case error = 4
    /// `error`, by an attribute of the element itself. An outlet that holds others is judged only then.
    case ownError = 5

    package init(_ policy: MissingPolicy?, isOwn: Bool = false) {
      self =
        switch policy {
        case nil: .none
        case .drop: .drop
        case .keep: .keep
        case .blank: .blank
        case .error: isOwn ? .ownError : .error
        }
    }

    /// The policy, where the request has `request`.
    @inlinable
    package func policy(orOfRequest request: MissingPolicy) -> MissingPolicy {
      switch self {
      case .none: request
      case .drop: .drop
      case .keep: .keep
      case .blank: .blank
      case .error, .ownError: .error
      }
    }
  }
}
