import CFormats

/// The tables of some locales of CLDR: those of the program, or those that an archive has baked.
///
/// Immutable; keeps the bytes that it reads.
package final class LocalePack: @unchecked Sendable {
  // Sendable because nothing changes after `init`, and reading needs no lock: see `formats.h`.
  private let pack: cf_pack
  /// Nil for the tables that are part of the program.
  private let bytes: FrozenArray<UInt8>?

  /// All locales of CLDR.
  package static let all = LocalePack(cf_pack_all().pointee)

  private init(_ pack: cf_pack) { (self.pack, bytes) = (pack, nil) }

  /// - Returns: nil if the bytes are no pack.
  package init?(_ bytes: FrozenArray<UInt8>) {
    let opened = withUnsafeTemporaryAllocation(of: cf_pack.self, capacity: 1) { pack in
      // Written as a whole if the bytes are a pack.
      cf_pack_open(bytes.base, bytes.count, pack.baseAddress!) ? pack[0] : nil
    }
    guard let opened else { return nil }
    (self.pack, self.bytes) = (opened, bytes)
  }

  /// The number of its locales.
  package var count: Int { Int(pack.locale_count) }

  /// Calls `body` with the tables as C reads them.
  package func read<Result>(_ body: (UnsafeRawPointer) -> Result) -> Result {
    withUnsafeBytes(of: pack) { body($0.baseAddress!) }
  }

  /// The version of CLDR.
  package var version: String { withPack { Self.text(cf_pack_version($0)) } }

  /// The tag of a locale.
  package func tag(of locale: UInt32) -> LocaleTag {
    var tag = cf_tag()
    withPack { cf_pack_tag($0, locale, &tag) }
    return LocaleTag(tag)
  }

  /// The locale of exactly this tag.
  package func find(_ tag: LocaleTag) -> UInt32? {
    var tag = tag.tag
    let found = withPack { cf_pack_find($0, &tag) }
    return found < 0 ? nil : UInt32(found)
  }

  /// The locale whose tables a tag uses: 0 is the root, which has no language.
  package func nearest(to tag: LocaleTag) -> UInt32 {
    var tag = tag.tag
    return withPack { cf_pack_nearest($0, &tag) }
  }

  /// The locale that a locale inherits from.
  package func parent(of locale: UInt32) -> UInt32 { withPack { cf_pack_parent($0, locale) } }

  package func isSameLanguage(_ left: UInt32, _ right: UInt32) -> Bool {
    withPack { cf_pack_is_same_language($0, left, right) }
  }

  package func isRightToLeft(_ locale: UInt32) -> Bool { withPack { cf_pack_is_right_to_left($0, locale) } }

  /// Makes locales ready to be offered.
  func offers(_ locales: [UInt32]) -> [cf_offer] {
    withPack { pack in
      [cf_offer](unsafeUninitializedCapacity: locales.count) { offers, made in
        if let start = offers.baseAddress { cf_pack_offer(pack, locales, locales.count, start) }
        made = locales.count
      }
    }
  }

  /// The tables of the root and of some locales, as an archive stores them.
  func baked(_ locales: [UInt32]) -> [UInt8] {
    withPack { pack in
      let count = cf_pack_bake(pack, locales, locales.count, nil, 0)
      return [UInt8](unsafeUninitializedCapacity: count) { target, written in
        written = cf_pack_bake(pack, locales, locales.count, target.baseAddress, count)
      }
    }
  }

  private func withPack<Result>(_ body: (UnsafePointer<cf_pack>) -> Result) -> Result {
    withUnsafePointer(to: pack) { body($0) }
  }

  private static func text(_ words: cf_words) -> String {
    String(decoding: UnsafeBufferPointer(start: words.bytes, count: words.count), as: UTF8.self)
  }
}

/// A language tag in its usual letters, without extensions: `de-AT`, `zh-Hant`.
package struct LocaleTag: Sendable, Equatable {
  let tag: cf_tag

  init(_ tag: cf_tag) { self.tag = tag }

  /// The most bytes of a tag. Real ones have some tens.
  private static let limitBytes = 512

  /// - Returns: nil if the text is no tag of BCP 47, or too long for one.
  package init?(_ text: some Collection<UInt8>) {
    guard text.count <= Self.limitBytes else { return nil }
    var tag = cf_tag()
    let bytes = Array(text)
    guard cf_tag_read(bytes, bytes.count, &tag) else { return nil }
    self.tag = tag
  }

  package init?(_ text: String) { self.init(text.utf8) }

  /// Whether Western digits are asked for: `-u-nu-latn`.
  package var wantsLatinDigits: Bool { tag.wants_latin_digits }

  package var text: String {
    withUnsafeBytes(of: tag.text) { String(decoding: $0.prefix(Int(tag.count)), as: UTF8.self) }
  }

  package static func == (left: LocaleTag, right: LocaleTag) -> Bool {
    left.wantsLatinDigits == right.wantsLatinDigits && left.text == right.text
  }
}

extension cf_tag: @unchecked @retroactive Sendable {}
