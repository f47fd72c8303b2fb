import CSimdJSON
import CellTemplates

/// The names that templates look up, each with a number. The parser compares each key once; from then on the
/// key is a number. Immutable.
///
/// `@unchecked Sendable`: the table is written only in `init` and lives until `deinit`.
package final class JSONNames: @unchecked Sendable {
  // The only handle of the table: made in `init`, freed in `deinit`.
  let handle: OpaquePointer

  /// A name's id is its index in `names`, which must be distinct.
  package init(_ names: [[UInt8]]) {
    let lengths = names.map { UInt32($0.count) }
    // The table copies the contents of both arrays during the call.
    guard
      let handle = cf_json_names_create(
        Array(names.joined()), lengths, UInt32(names.count), HashSeed.ofProcess)
    else { fatalError("out of memory") }
    self.handle = handle
  }

  deinit { cf_json_names_free(handle) }
}
