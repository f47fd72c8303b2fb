import CellTemplates

/// The rows of a request that is not answered in one go, while other requests are served: the parser that holds them,
/// and what is counted and remembered of them; and the archive that the request began with.
///
/// Made by ``CellFactory/keepRows()`` and confined to the factory's thread. Its memory is freed with it.
package final class KeptRows {
  // Unchecked, all: the factory exchanges them, and nobody else has hold of one.
  @exclusivity(unchecked) package internal(set) var parser = JSONParser()
  @exclusivity(unchecked) var scope: RowScope
  @exclusivity(unchecked) var edition: Edition

  init(of edition: Edition) {
    self.edition = edition
    scope = RowScope(for: edition.archive)
  }

  /// Gives back what only parsing needs. No text is parsed any more; tapes stay valid.
  package func trim() { parser.trim() }

  /// Bytes of memory that the parsed rows take.
  package var heldBytes: Int { parser.heldBytes }

  /// Bytes of memory that the places of names in their large objects take. It grows as they are drawn, up to a bound.
  package var indexBytes: Int { scope.indexBytes }
}
