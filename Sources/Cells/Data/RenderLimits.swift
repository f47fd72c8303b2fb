package import CellTemplates

/// Limits and policies for all rows of a request.
package struct RenderLimits: Sendable {
  /// How deep partials may call each other; the cell itself is level 0.
  package var partialDepth = 64
  /// The most bytes of output.
  package var outputBytes = 64 << 20
  /// The most loop iterations and partial calls for all rows of a request together. Bounds what a small body can
  /// make a template do even without output. Bytes that are read but not necessarily written count too, 16
  /// bytes as one iteration.
  package var iterations = 64 << 20
  package var missing = MissingPolicy.drop

  package init() {}
}
