import Testing

@testable import CellServer

/// W3C Trace Context, section 3.2.
@Suite struct HTTPTraceParentTests {
  static let trace = "0af7651916cd43dd8448eb211c80319c"
  static let parent = "b7ad6b7169203331"

  static let rows: [(text: String, isValid: Bool)] = [
    ("00-\(trace)-\(parent)-01", true), ("00-\(trace)-\(parent)-00", true),
    ("00-\(trace)-\(parent)-ff", true),
    // A future version: anything after the flags is ignored.
    ("01-\(trace)-\(parent)-01", true), ("cc-\(trace)-\(parent)-01-what-the-future-holds", true),
    ("fe-\(trace)-\(parent)-01-", true), ("01-\(trace)-\(parent)-01.x", false),
    ("01-\(trace)-\(parent)-011", false),
    ("00-\(trace)-\(parent)-01-more", false), ("00-\(trace)-\(parent)-01-", false),
    ("ff-\(trace)-\(parent)-01", false), ("0-\(trace)-\(parent)-01", false),
    ("FE-\(trace)-\(parent)-01", false),
    ("00-00000000000000000000000000000000-\(parent)-01", false), ("00-\(trace)-0000000000000000-01", false),
    ("00-00000000000000000000000000000001-\(parent)-01", true), ("00-\(trace)-0000000000000001-01", true),
    ("00-\(trace.uppercased())-\(parent)-01", false), ("00-\(trace)-\(parent.uppercased())-01", false),
    ("00-\(trace)-\(parent)-0A", false), ("00-\(trace)-\(parent)-0", false), ("00-\(trace)-\(parent)", false),
    ("00-\(trace.dropLast())-\(parent)-01", false), ("00-\(trace)g-\(parent.dropLast())-01", false),
    ("00_\(trace)-\(parent)-01", false), ("00-\(trace)_\(parent)-01", false),
    ("00-\(trace)-\(parent)_01", false),
    ("", false), ("-", false), (String(repeating: "-", count: 55), false),
    (String(repeating: "0", count: 55), false),
    ("é0-\(trace)-\(parent)-1", false),
  ]

  @Test func onlyAllowedValuesAreTakenOver() {
    for row in Self.rows { #expect((Self.parsed(row.text) != nil) == row.isValid, "\(row.text)") }
  }

  @Test func itsPartsAreNumbers() throws {
    let trace = try #require(Self.parsed("00-\(Self.trace)-\(Self.parent)-01"))
    #expect(trace.traceID == (0x0af7_6519_16cd_43dd, 0x8448_eb21_1c80_319c))
    #expect(trace.parentID == 0xb7ad_6b71_6920_3331)
    #expect(trace.flags == 1)
  }

  /// The headers of one request, and whether they give a trace.
  static let heads: [(values: [String], isRead: Bool, isTaken: Bool)] = [
    (["00-\(trace)-\(parent)-01"], true, true), ([" 00-\(trace)-\(parent)-01\t"], true, true),
    (["00-\(trace)-\(parent)-01"], false, false), ([], true, false), (["nonsense"], true, false),
    (["00-\(trace)-\(parent)-01", "00-\(trace)-\(parent)-01"], true, false),
    (["nonsense", "00-\(trace)-\(parent)-01"], true, false),
  ]

  @Test func aRequestHasAtMostOneTrace() {
    for row in Self.heads {
      var guarding = RequestGuard(optional: OptionalFields(readsTrace: row.isRead))
      for name in ["traceparent", "Traceparent", "TRACEPARENT"] {
        Self.withBytes("/") { guarding.begin(target: $0) }
        for value in row.values {
          Self.withBytes(name) { name in Self.withBytes(value) { guarding.receive(name: name, value: $0) } }
        }
        #expect((guarding.trace != nil) == row.isTaken, "\(row)")
      }
      Self.withBytes("/") { guarding.begin(target: $0) }
      #expect(guarding.trace == nil, "a trace of the request before")
    }
  }

  private static func parsed(_ text: String) -> TraceParent? {
    Array(text.utf8).withUnsafeBytes { TraceParent($0) }
  }

  private static func withBytes(_ text: String, _ body: (UnsafeRawBufferPointer) -> Void) {
    var text = text
    text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
  }
}
