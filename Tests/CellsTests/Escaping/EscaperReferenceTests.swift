import CellTemplates
import Scaling
import Testing

@testable import Cells

/// The escapers look at eight bytes at once; a reference that looks at single bytes agrees with them on every
/// string. A debug build takes a quarter of them (`DailySample`).
@Suite struct EscaperReferenceTests {
  /// A byte of each class that some escaper treats specially, and its neighbours.
  private static let classes: [UInt8] =
    Array("&'%\"#!$()*+,-./09:;<=>?@AFGZ[\\]^_`afgz{|}~".utf8)
    + [0, 1, 8, 9, 10, 11, 12, 13, 14, 31, 32, 0x7F, 0x80, 0xA8, 0xA9, 0xBF, 0xC2, 0xE2, 0xF0, 0xFF]

  private static let part = 4

  /// The escapers that accept any bytes. The escaper for JSON only receives valid JSON in UTF-8.
  private static var ofBytes: [Escaper] { Escaper.allCases.filter { $0 != .json } }

  private func compare(
    _ value: [UInt8], _ escaper: Escaper, _ archive: CellArchive, behind prefix: Int = 0,
    hostile: UInt8 = UInt8(ascii: "<")
  ) {
    let output = EscaperHarness.escape(
      value, escaper, behind: [UInt8](repeating: 0x2E, count: prefix), hostile: hostile, in: archive)
    if output != EscaperReference.escape(value, escaper) {
      Issue.record("\(escaper) of \(value): \(String(decoding: output, as: UTF8.self))")
    }
  }

  @Test(arguments: Self.ofBytes)
  func everyClassAtEveryPlaceOfEveryLength(_ escaper: Escaper) throws {
    let archive = try TemplateCompiler.compile([]).archive
    var numbers = DailySample.numbers(state: UInt64(escaper.rawValue))
    for length in 1...18 {
      for position in 0..<length {
        for byte in Self.classes where DailySample.takes(oneIn: Self.part, &numbers) {
          var value = [UInt8](repeating: UInt8(ascii: "a"), count: length)
          value[position] = byte
          compare(value, escaper, archive, behind: length % 5, hostile: byte)
        }
      }
    }
  }

  @Test(arguments: Self.ofBytes)
  func everyByteAndEveryPairOfClasses(_ escaper: Escaper) throws {
    let archive = try TemplateCompiler.compile([]).archive
    var numbers = DailySample.numbers(state: UInt64(escaper.rawValue))
    for byte in 0...UInt8.max { compare([byte], escaper, archive, hostile: byte ^ 0x20) }
    for first in Self.classes {
      for second in Self.classes where DailySample.takes(oneIn: Self.part, &numbers) {
        compare([first, second], escaper, archive)
        compare(Array("/abcdef".utf8) + [first, second], escaper, archive, hostile: 0x39)
      }
    }
  }

  private static let pieces =
    [
      "http:", "https://", "mailto:", "javascript:", "data:", "//", "/\\", "\\", ":", "?", "#", "%", "%4",
      "%41", "&amp;", "&",
    ]
    + [
      "<", ">", "\"", "'", ", ", ",", " 2x", " 100w", "(", ")", "\t", "\n", "\r", "\0", "\u{1}", " ", "a",
      "Z", "9", ".", "-",
    ]
    + [
      "ä", "€", "😀", "\u{2028}", "\u{2029}", "\u{2027}", "plain text of some length", "a.png", "=", "+", "_",
      "~", "[", "@",
    ]

  @Test(arguments: Escaper.allCases)
  func stringsOfPieces(_ escaper: Escaper) throws {
    let archive = try TemplateCompiler.compile([]).archive
    var numbers = DailySample.numbers(state: UInt64(escaper.rawValue))
    for _ in 0..<DailySample.count(3_000, oneIn: Self.part) {
      let count = Int.random(in: 0...9, using: &numbers)
      let value = (0..<count).flatMap { _ in Array(Self.pieces.randomElement(using: &numbers)!.utf8) }
      compare(value, escaper, archive, behind: Int.random(in: 0..<300, using: &numbers))
    }
  }

  @Test(arguments: Self.ofBytes)
  func randomBytes(_ escaper: Escaper) throws {
    let archive = try TemplateCompiler.compile([]).archive
    var numbers = DailySample.numbers(state: 100 + UInt64(escaper.rawValue))
    for _ in 0..<DailySample.count(1_000, oneIn: Self.part) {
      let mask: UInt8 = [0xFF, 0x7F, 0x3F].randomElement(using: &numbers)!
      let value = (0..<Int.random(in: 0...70, using: &numbers)).map { _ in
        UInt8.random(in: 0...255, using: &numbers) & mask
      }
      compare(value, escaper, archive)
    }
  }

  @Test(arguments: Escaper.allCases)
  func textsThatGrowByEscaping(_ escaper: Escaper) throws {
    let archive = try TemplateCompiler.compile([]).archive
    for unit in ["\"", "&", "<", "\u{2028}", "ä", "%", " ", "/", ", ", "a b", "\r", "abcdefg\""] {
      let value = Array(String(repeating: unit, count: 5_000).utf8)
      compare(value, escaper, archive)
      compare(value, escaper, archive, behind: 4_096)
    }
  }
}
