/// Bounds and policy that hold for every row of a request.
package struct RenderLimits: Sendable {
  /// How deep partials may call one another; the cell itself is level 0.
  package var partialDepth = 64
  /// What the output may grow to, in bytes.
  package var outputBytes = 64 << 20
  /// Turns of loops, and calls of partials, for all rows of a request together: what a small body can make a
  /// template do is bounded even where it prints nothing. What is read counts too where it need not be
  /// printed, 16 bytes as a turn.
  package var turns = 64 << 20
  package var missing = MissingPolicy.keep

  package init() {}
}
