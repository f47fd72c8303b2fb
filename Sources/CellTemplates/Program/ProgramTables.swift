// The rows of an archive's tables. All consist of 32-bit words, so that an archive is read by copying. "None"
// is `UInt32.max` everywhere.

@inlinable package var noIndex: UInt32 { UInt32.max }

/// A range of bytes in the literal pool.
package struct LiteralRef: BitwiseCopyable, Equatable, Sendable {
  package var offset: UInt32
  package var count: UInt32

  package static let empty = LiteralRef(offset: 0, count: 0)

  package init(offset: UInt32, count: UInt32) {
    self.offset = offset
    self.count = count
  }
}

/// A name that templates look up, or one part of a dotted name.
package struct NameEntry: BitwiseCopyable, Equatable, Sendable {
  package var text: LiteralRef
  /// The name as an index into a list, if it is one (`0`, `17`); otherwise none.
  package var listIndex: UInt32
}

extension NameEntry {
  /// The name as an index into a list: `0`, `7`, `123`, decimal, without leading zeros, small enough for any
  /// list. `noIndex` for any other name.
  package static func listIndex(of name: some Collection<UInt8>) -> UInt32 {
    let isDigits = name.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    guard isDigits, name.first != UInt8(ascii: "0") || name.count == 1,
      let number = UInt32(String(decoding: name, as: UTF8.self)), number < UInt32(Int32.max)
    else { return noIndex }
    return number
  }
}

/// The name in a tag.
package struct PathEntry: BitwiseCopyable, Equatable, Sendable {
  /// A `Root`.
  package var root: UInt32
  /// The first name, for root `name`.
  package var name: UInt32
  /// The other names, for root `name` or `row`: a range of the table of segments.
  package var segmentStart: UInt32
  package var segmentCount: UInt32
  /// The whole name as written, for messages.
  package var text: LiteralRef
}

/// A template compiled for one way of being called.
package struct ProgramEntry: BitwiseCopyable, Equatable, Sendable {
  package var opStart: UInt32
  package var opCount: UInt32
  /// How many operations look up names. Each has a slot that remembers where it found the name.
  package var slotCount: UInt32
  package var kind: UInt32
}

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

/// An override inside a parent tag.
package struct OverrideEntry: BitwiseCopyable, Equatable, Sendable {
  package var blockName: UInt32
  /// The context it was compiled for; it overrides only blocks in this context.
  package var context: UInt32
  package var bodyStart: UInt32
  /// 1 if the body starts a line.
  package var startsLine: UInt32
}

/// A block.
package struct BlockEntry: BitwiseCopyable, Equatable, Sendable {
  package var name: UInt32
  /// The number of its context, unique within an archive; 0 is element text.
  package var context: UInt32
  /// 1 if the block starts a line, so that an override's first line is indented too.
  package var opensLine: UInt32
  package var indentation: LiteralRef
}

/// A program that a kind may call, and where its hint slots start in the kind's cells.
package struct LinkEntry: BitwiseCopyable, Equatable, Sendable {
  package var program: UInt32
  package var slotBase: UInt32
}

/// A kind: what its cells are made from, and its description.
package struct KindEntry: BitwiseCopyable, Equatable, Sendable {
  package var name: LiteralRef
  /// 1 for a text cell.
  package var isText: UInt32
  package var program: UInt32
  /// The same template with line starts marked for indentation; none if nothing indents it.
  package var indentedProgram: UInt32
  package var linkStart: UInt32
  package var linkCount: UInt32
  package var slotCount: UInt32
  /// Ranges of the table of texts: Mustache names in order of appearance, and called partials.
  package var nameStart: UInt32
  package var nameCount: UInt32
  package var partialStart: UInt32
  package var partialCount: UInt32
  /// The nib that contains it, and its index among the nib's cells; none for a Mustache file.
  package var nib: UInt32
  package var order: UInt32
  /// A range of the table of texts: its classes, its own first.
  package var classStart: UInt32
  package var classCount: UInt32
  /// The locale it is written in, as an index into the table of locales.
  package var locale: UInt32
  /// A range of the table of parts.
  package var partStart: UInt32
  package var partCount: UInt32
  package var versionHighHigh: UInt32
  package var versionHighLow: UInt32
  package var versionLowHigh: UInt32
  package var versionLowLow: UInt32

  package var version: ContentHash {
    get {
      ContentHash(
        high: UInt64(versionHighHigh) << 32 | UInt64(versionHighLow),
        low: UInt64(versionLowHigh) << 32 | UInt64(versionLowLow))
    }
    set {
      versionHighHigh = UInt32(truncatingIfNeeded: newValue.high >> 32)
      versionHighLow = UInt32(truncatingIfNeeded: newValue.high)
      versionLowHigh = UInt32(truncatingIfNeeded: newValue.low >> 32)
      versionLowLow = UInt32(truncatingIfNeeded: newValue.low)
    }
  }
}
