/// A program that a kind may call, and where its hint slots start in the kind's cells.
package struct LinkEntry: BitwiseCopyable, Equatable, Sendable {
  package var program: UInt32
  package var slotBase: UInt32
}
