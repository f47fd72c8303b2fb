/// What names do that the kind of a row never reads.
package enum UnknownPolicy: String, Sendable, CaseIterable {
  case ignore
  /// They make the row bad.
  case error
}
