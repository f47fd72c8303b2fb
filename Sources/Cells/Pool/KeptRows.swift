import CellTemplates

/// The rows of a request answered in slices, while other requests are served: the parser that owns them,
/// everything remembered about them, and the archive that the request began with.
///
/// Created by ``CellFactory/keepRows()`` and confined to the factory's thread. Frees its memory when
/// released.
package final class KeptRows {
  package internal(set) var parser = JSONParser()
  var memo: RequestMemo
  var edition: Edition

  init(of edition: Edition) {
    self.edition = edition
    memo = RequestMemo(for: edition.archive, edition.formats)
  }

  /// Releases memory needed only for parsing. No more text can be parsed; tapes stay valid.
  package func trim() { parser.trim() }

  /// Memory of the parsed rows in bytes.
  package var heldBytes: Int { parser.heldBytes }

  /// Memory of the name indexes of the row and of large objects, and of hints, in bytes. Grows during rendering, up to a limit.
  package var indexBytes: Int { memo.indexBytes }
}
