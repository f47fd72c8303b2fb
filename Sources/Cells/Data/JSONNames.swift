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

  /// The id of a name; nil if it is not in the table.
  func id(of name: UnsafeRawBufferPointer) -> UInt32? {
    // Up to 8 bytes after a short name are read, and dropped.
    let id = withUnsafeTemporaryAllocation(byteCount: name.count + 8, alignment: 8) { padded in
      padded.copyMemory(from: name)
      UnsafeMutableRawBufferPointer(rebasing: padded[name.count...]).initializeMemory(
        as: UInt8.self, repeating: 0)
      return cf_json_names_find(
        handle, padded.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt32(name.count))
    }
    return id == JSONTape.unknownName ? nil : id
  }
}
