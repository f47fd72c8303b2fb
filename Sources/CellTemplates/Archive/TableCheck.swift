/// How the entries of a table that was read are checked.
enum TableCheck: Sendable {
  /// In the order of the file.
  case checked(by: Method)
  /// After all other tables, on whose entries it relies.
  case checkedLast(by: Method)
  /// Not by themselves, for this reason.
  case unchecked(StaticString)

  typealias Method = @Sendable (ArchiveVerifier) -> () throws(ArchiveError) -> Void
}
