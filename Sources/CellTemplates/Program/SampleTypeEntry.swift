/// What the sample rows of a kind show of one value: its types, but none of its texts. Not used for rendering.
///
/// The entries of a kind are a tree: its rows first, then members and items, each after the value that holds it.
package struct SampleTypeEntry: BitwiseCopyable, Equatable, Sendable {
  package struct Types: OptionSet, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let null = Types(rawValue: 1)
    package static let boolean = Types(rawValue: 2)
    package static let integer = Types(rawValue: 4)
    /// A number with a fraction or an exponent, or of more than 15 digits.
    package static let number = Types(rawValue: 8)
    package static let string = Types(rawValue: 16)
    package static let object = Types(rawValue: 32)
    package static let list = Types(rawValue: 64)
    /// It holds more than is known of it.
    package static let open = Types(rawValue: 128)
    /// It is an item of a list. It has no name.
    package static let item = Types(rawValue: 256)

    static let all = Types(rawValue: 511)
  }

  /// The number of the kind.
  package var kind: UInt32
  /// The entry of the value that holds it, as an index into the table; none for rows.
  package var parent: UInt32
  /// The member's name; empty for rows and items.
  package var name: LiteralRef
  package var types: UInt32

  package var knownTypes: Types { Types(rawValue: types) }
}

/// What the sample rows of one kind show of their types.
package struct SampleTypes: Equatable, Sendable {
  /// The most entries of one kind, and of an archive. Beyond the first, values are open; kinds beyond the second learn
  /// nothing.
  package static let kindLimit = 1 << 12
  package static let archiveLimit = 1 << 16
  /// The longest name in bytes. An object with a longer one is open.
  package static let nameLimitBytes = 256

  package struct Entry: Equatable, Sendable {
    /// The entry that holds it; nil for rows.
    package let parent: Int?
    package let name: [UInt8]
    package var types: SampleTypeEntry.Types

    package init(parent: Int?, name: [UInt8], types: SampleTypeEntry.Types) {
      self.parent = parent
      self.name = name
      self.types = types
    }
  }

  /// The most bytes of one kind's examples, and of all together.
  package static let exampleLimitBytes = 8 << 10
  package static let examplesLimitBytes = 4 << 20

  /// Each after the one that holds it.
  package var entries: [Entry] = []
  /// The first rows, as the items of a JSON list without its brackets. They are no part of an archive's file or hash.
  package var examples: [UInt8] = []

  package init() {}
}
