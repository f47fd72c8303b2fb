/// A range of bytes in the literal pool.
package struct LiteralRef: BitwiseCopyable, Hashable, Sendable {
  package var offset: UInt32
  package var count: UInt32

  package static let empty = LiteralRef(offset: 0, count: 0)

  package init(offset: UInt32, count: UInt32) {
    self.offset = offset
    self.count = count
  }
}
