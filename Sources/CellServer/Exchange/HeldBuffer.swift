import Cells

/// A buffer of a worker's pool, on loan to a body or to an answer.
///
/// Confined to the worker's thread. While libmicrohttpd sends an answer from it, the response owns one
/// reference.
final class HeldBuffer {
  // Unchecked: while an answer is made, one call at a time has hold of it.
  @exclusivity(unchecked) var buffer = ByteBuffer()
  /// What was counted for it, to be given back with it.
  @exclusivity(unchecked) var chargedBytes = 0
  /// Whether that was counted as a large body's.
  @exclusivity(unchecked) var isLargeBody = false
  /// The one behind it among those of the pool that nobody has.
  @exclusivity(unchecked) var next: HeldBuffer?
  /// The pool outlives its buffers: the worker lets go of it after its daemon has stopped and freed every
  /// response.
  unowned let pool: BufferPool

  init(pool: BufferPool) { self.pool = pool }
}
