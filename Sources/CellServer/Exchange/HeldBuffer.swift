import Cells

/// A buffer of a worker's pool, lent to a body or an answer.
///
/// Confined to the worker's thread. While libmicrohttpd sends an answer from it, the response owns a
/// reference.
final class HeldBuffer {
  // Exclusivity checks are off, because every request accesses these many times: while an answer is made, only one call
  // at a time does so.
  @exclusivity(unchecked) var buffer = ByteBuffer()
  /// The bytes charged for it, released with it.
  @exclusivity(unchecked) var chargedBytes = 0
  /// Whether they were charged as a large body.
  @exclusivity(unchecked) var isLargeBody = false
  /// Whether it is lent to bodies, rather than to answers.
  @exclusivity(unchecked) var isForBody = false
  /// Whether another body or answer had it before, so that the system has allocated memory for all of it.
  @exclusivity(unchecked) var isReused = false
  /// The next free buffer of the pool.
  @exclusivity(unchecked) var next: HeldBuffer?
  /// The pool outlives its buffers: the worker releases it after its daemon has stopped and freed every
  /// response.
  unowned let pool: BufferPool

  init(pool: BufferPool) { self.pool = pool }
}
