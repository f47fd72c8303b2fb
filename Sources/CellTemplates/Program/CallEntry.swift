/// A partial or parent tag.
package struct CallEntry: BitwiseCopyable, Equatable, Sendable {
  /// The called program; none if the kind does not exist or the name is dynamic.
  package var program: UInt32
  /// The path to the kind's name; none for a static name.
  package var dynamicPath: UInt32
  /// 1 if the tag is alone on its line, so that the callee's lines are indented.
  package var isIndented: UInt32
  /// Added to the current indentation.
  package var indentation: LiteralRef
  package var overrideStart: UInt32
  package var overrideCount: UInt32
  /// 1 if a dynamic name may only call HTML cells.
  package var isHTML: UInt32
}
