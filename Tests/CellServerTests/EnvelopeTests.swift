import CellTemplates
import Cells
import Testing

@testable import CellServer

/// What an envelope says of its rows.
@Suite struct EnvelopeTests {
  /// A text that is no time zone may be as long as the body. Only its beginning is kept, and it is still refused.
  @Test(arguments: ["UTC", "Europe/Berlin", "+02:00", ""])
  func longTimeZonesAreCut(name: String) throws {
    let zone = name + String(repeating: "0", count: 100_000)
    let kept = try timeZone(#"{"rows":[],"timeZone":"\#(zone)"}"#)
    #expect(kept.count < 100 && zone.utf8.starts(with: kept))
    #expect(RenderClock(zone: kept, now: 0, in: TimeZoneSource.standard.current) == nil)
    #expect(RenderTerms.unknownZoneDetail(kept) == RenderTerms.unknownZoneDetail(Array(zone.utf8)))
    #expect(try timeZone(#"{"rows":[],"timeZone":"\#(name)"}"#) == Array(name.utf8))
  }

  /// The time zone that an envelope keeps for its rows.
  private func timeZone(_ json: String) throws -> [UInt8] {
    let source = TemplateSource(file: "a.mustache", kind: "a", mode: .html, bytes: Array("a".utf8))
    let archive = try TemplateCompiler.compile([source]).archive
    let factory = CellFactory(archive: archive, reuse: ReusePolicy(), executor: InlineExecutor())
    return try factory.assumeIsolated { factory throws in
      var text = ByteBuffer()
      text.append(text: json)
      let root = try factory.parse(&text, in: 0..<text.count, depthLimit: 512)
      let tape = factory.tape(over: text)
      var envelope = Envelope(root, on: tape)
      let isRead = envelope.read(Envelope.membersPerLook, on: tape)
      #expect(isRead)
      let batch = try envelope.batch(of: .items, on: tape)
      return try #require(batch?.reading.timeZone)
    }
  }
}
