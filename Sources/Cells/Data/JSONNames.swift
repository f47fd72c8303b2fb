import CSimdJSON

/// The names that templates ask for, each with a number, so that a key of the data is compared once, while it
/// is parsed, and from then on is a number too. Immutable.
///
/// `@unchecked Sendable`: the table is written in `init` only, and lives until `deinit`.
package final class JSONNames: @unchecked Sendable {
  // The one handle of the table: made in `init`, freed in `deinit`.
  let handle: OpaquePointer

  /// A name's id is its position in `names`, which must be distinct.
  package init(_ names: [[UInt8]]) {
    let lengths = names.map { UInt32($0.count) }
    // The table copies both arrays' contents before the call returns.
    guard let handle = cf_json_names_create(Array(names.joined()), lengths, UInt32(names.count)) else {
      fatalError("out of memory")
    }
    self.handle = handle
  }

  deinit { cf_json_names_free(handle) }
}
