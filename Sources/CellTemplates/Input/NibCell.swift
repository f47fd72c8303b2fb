/// Where a cell stands in its nib, and what its own attributes say.
package struct NibCell: Sendable {
  /// The nib's path below the folder, without the ending.
  package let nib: String
  /// Its own class first.
  package let classes: [String]
  package let allowsRaw: Bool
  /// That of the element it stands in.
  let namespace: ElementContext.Namespace
  /// Where its identifier stands.
  package let at: Int
}
