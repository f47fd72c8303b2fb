import CEscape
import Scaling
import Testing

@testable import Cells

/// Every variant of `CEscape`'s escapers that this processor supports agrees with a model that looks at
/// single bytes.
@Suite struct EscaperVariantTests {
  private static let sourceLimit = 256
  /// The longest replacement of one byte, by percent-encoding and escapes in scripts.
  private static let longest = 6

  private static func variants(of model: EscapeModel) -> [(name: String, escaper: EscaperVariant)] {
    let names = [("plain", CF_VARIANT_PLAIN), ("16 bytes", CF_VARIANT_16), ("32 bytes", CF_VARIANT_32)]
    return names.compactMap { name, variant in
      guard let escapers = cf_escapers_of(variant) else { return nil }
      let function = model.escaper(in: escapers.pointee)
      return (name, EscaperVariant(function, sourceLimit: sourceLimit, targetLimit: longest * sourceLimit))
    }
  }

  @Test(arguments: EscapeModel.allCases) func thereAreVariants(of model: EscapeModel) {
    #expect(Self.variants(of: model).count >= 2)
  }

  /// Compares one call with the model; by default there is room for everything.
  private func compare(
    _ source: [UInt8], _ expected: (taken: Int, output: [UInt8]), room: Int? = nil, hostile: UInt8,
    _ variants: [(name: String, escaper: EscaperVariant)]
  ) {
    for (name, escaper) in variants {
      let result = escaper.escape(source, room: room ?? Self.longest * source.count, hostile: hostile)
      if result.taken == expected.taken, result.output.elementsEqual(expected.output), result.isInside {
        continue
      }
      Issue.record(
        """
        \(name), \(source), room \(room ?? -1): \
        took \(result.taken), not \(expected.taken); \
        wrote \(Array(result.output)), not \(expected.output); \
        kept inside: \(result.isInside)
        """)
    }
  }

  @Test(arguments: EscapeModel.allCases)
  func everyByteAtEveryPlace(_ model: EscapeModel) {
    let variants = Self.variants(of: model)
    // A letter that every escaper copies, and that is not a hexadecimal digit.
    let letter = UInt8(ascii: "x")
    for byte in 0...UInt8.max {
      let replacement = model.escape([byte])
      for position in 0..<70 {
        var source = [UInt8](repeating: letter, count: 70)
        source[position] = byte
        var output = [UInt8](repeating: letter, count: 69)
        output.insert(contentsOf: replacement, at: position)
        compare(source, (70, output), hostile: byte, variants)
      }
    }
  }

  @Test(arguments: EscapeModel.allCases)
  func everyLength(_ model: EscapeModel) {
    let variants = Self.variants(of: model)
    var numbers = SeededNumbers(state: 1)
    for length in 0...200 {
      for text in [Array("x".utf8), Array("<".utf8), Array("ж".utf8), Array("a&b ".utf8), [0, 0x0D]] {
        let source = (0..<length).map { text[$0 % text.count] }
        let hostile = UInt8.random(in: 0...255, using: &numbers)
        compare(source, (length, model.escape(source)), hostile: hostile, variants)
      }
    }
  }

  /// The start of a URL, and whether it may be escaped without a check; the rest is escaped or not.
  @Test(
    arguments: [
      ("https://a.example/", true), ("HTTPS:x", true), ("hTtP:/x", true), ("http:x", true), ("/path?", true),
      ("//host", true), ("?query", true), ("#place", true), ("https:", true), ("http:", true),
      ("/four", true),
      ("", false), ("/", true), ("h", false), ("http", false), ("httpx:", false), ("httpss:", false),
      ("https;//", false),
      ("ht\ttp:/x", false),
      (" https://x", false), ("javascript:x", false), ("mailto:a@b", false), ("name.html", false),
      ("&/path", false),
      ("\u{1A}/path", false), ("HTTP\u{1A}x", false), ("\u{8}ttp://", false), ("жжжж:", false),
    ])
  func urlsThatNeedNoCheck(_ start: String, _ isPlain: Bool) {
    let names = [("plain", CF_VARIANT_PLAIN), ("16 bytes", CF_VARIANT_16), ("32 bytes", CF_VARIANT_32)]
    let variants = names.compactMap { name, variant in
      cf_escapers_of(variant).map {
        (
          name: name,
          escaper: EscaperVariant(
            $0.pointee.url, sourceLimit: Self.sourceLimit, targetLimit: 6 * Self.sourceLimit)
        )
      }
    }
    for rest in ["", "a", " b&c", "жук 100%", String(repeating: "x", count: 80) + "&", "z ", "z\n", "\u{1F}"]
    {
      let source = Array((start + rest).utf8)
      // A parser drops trailing characters up to the space.
      let isTaken = isPlain && source.last! > 0x20
      for hostile in [UInt8(ascii: ":"), 0] {
        // The following text makes it a URL with a scheme; by itself it has none.
        let isCompleted = start == "http" && rest.isEmpty && hostile == UInt8(ascii: ":")
        let expected =
          isTaken || isCompleted ? (source.count, EscapeModel.urlPart.escape(source)) : (0, [])
        compare(source, expected, hostile: hostile, variants)
      }
    }
  }

  /// Bytes that escapers treat specially, and sequences that must be read together.
  private static let pieces: [[UInt8]] =
    [
      "&", "<", ">", "\"", "'", "\0", "\r", "\n", " ", "%", "%4", "%4f", "%F0", "%%41", "/", "?", "=", "+",
      "~",
      "_", "a", "Z", "0", "plain", "a longer run of plain text, without end", "é", "привет", "日本語", "😀",
      "\u{2028}", "\u{2029}", "\u{2027}", "\u{202A}",
    ].map { Array($0.utf8) } + [[0xE2], [0xE2, 0x80], [0x80, 0xA8], [0xFF], [0x7F], [0xC3]]

  private static func mix(of count: Int, using numbers: inout SeededNumbers) -> [UInt8] {
    Array((0..<count).flatMap { _ in pieces.randomElement(using: &numbers)! }.prefix(sourceLimit))
  }

  private static func randomBytes(_ count: Int, using numbers: inout SeededNumbers) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: 0...255, using: &numbers) }
  }

  @Test(arguments: EscapeModel.allCases)
  func mixesOfPiecesAndRandomBytes(_ model: EscapeModel) {
    let variants = Self.variants(of: model)
    var numbers = SeededNumbers(state: 2)
    for turn in 0..<1_500 {
      let source =
        turn % 3 == 0
        ? Self.randomBytes(Int.random(in: 0...120, using: &numbers), using: &numbers)
        : Self.mix(of: Int.random(in: 0...30, using: &numbers), using: &numbers)
      let hostile = Self.pieces.randomElement(using: &numbers)![0]
      compare(source, (source.count, model.escape(source)), hostile: hostile, variants)
    }
  }

  @Test(arguments: EscapeModel.allCases)
  func sequencesAtEveryPosition(_ model: EscapeModel) {
    let variants = Self.variants(of: model)
    for position in 0..<70 {
      for text in ["\u{2028}", "\u{2029}<", "%41", "%4", "&\u{2028}\u{2028}", "жж"] {
        let source = [UInt8](repeating: UInt8(ascii: "x"), count: position) + Array(text.utf8)
        // Bytes that would complete a character cut off by the end of the source.
        compare(source, (source.count, model.escape(source)), hostile: 0x31, variants)
        let cut = Array(source.dropLast())
        compare(cut, (cut.count, model.escape(cut)), hostile: source.last!, variants)
        compare(source + source, (2 * source.count, model.escape(source + source)), hostile: 0, variants)
      }
    }
  }

  @Test(arguments: EscapeModel.allCases)
  func stopsAtTheEndOfTheRoom(_ model: EscapeModel) {
    let variants = Self.variants(of: model)
    var numbers = SeededNumbers(state: 3)
    for turn in 0..<120 {
      let source = Array(Self.mix(of: turn % 24, using: &numbers).prefix(100))
      let all = model.escape(source).count
      let hostile = Self.pieces.randomElement(using: &numbers)![0]
      for room in source.count...max(all, source.count) + 1 {
        compare(source, model.escape(source, room: room), room: room, hostile: hostile, variants)
      }
    }
  }

  @Test(arguments: EscapeModel.allCases)
  func continuesWhereItStopped(_ model: EscapeModel) {
    let variants = Self.variants(of: model)
    var numbers = SeededNumbers(state: 4)
    for turn in 0..<300 {
      let source = Self.mix(of: turn % 30, using: &numbers)
      for (name, escaper) in variants {
        var rest = source[...]
        var output: [UInt8] = []
        // The room that the header promises to be enough for the next replacement, and sometimes a little
        // more.
        repeat {
          let extra = Int(CF_ESCAPE_GROWTH) + Int.random(in: 0...9, using: &numbers)
          let result = escaper.escape(rest, room: rest.count + extra, hostile: 0)
          if rest.isEmpty { break }
          if result.taken == 0 { Issue.record("\(name): no progress with \(source)"); return }
          output.append(contentsOf: result.output)
          // The next call gets the whole rest, as from the buffer.
          rest = rest.dropFirst(result.taken)
        } while !rest.isEmpty
        #expect(output == model.escape(source), "\(name), \(source)")
      }
    }
  }

  @Test func everyBufferHasThePaddingThatEscapersNeed() {
    #expect(ByteBuffer.padding >= Int(CF_ESCAPE_PADDING))
  }

  @Test func aProcessorHasTheVariantsOfItsKind() {
    #expect(cf_escapers_of(CF_VARIANT_PLAIN) != nil)
    #if arch(x86_64) || arch(arm64)
      #expect(cf_escapers_of(CF_VARIANT_16) != nil)
    #endif
  }
}
