import CellServer
import Testing

@Suite struct HTTPAcceptedCodingsTests {
  /// The lines of Accept-Encoding, whether gzip is chosen, and whether an uncompressed answer is refused.
  static let rows: [(lines: [String], gzip: Bool, refusesIdentity: Bool)] = [
    ([], false, false), ([""], false, false), (["gzip"], true, false), (["GZip"], true, false),
    (["x-gzip"], true, false), (["gzip, deflate, br, zstd"], true, false), (["br, deflate"], false, false),
    (["*"], true, false), (["br;q=1, *;q=0.1"], true, false), (["identity"], false, false),
    (["gzip;q=0"], false, false), (["gzip;q=0.000"], false, false), (["gzip;q=0.001"], true, false),
    (["gzip;q=0, *"], false, false), (["*;q=0"], false, true), (["*;q=0, gzip"], true, true),
    (["*;q=0, identity;q=0.5"], false, false), (["identity;q=0"], false, true),
    (["identity;q=0, gzip;q=0.1"], true, true), (["gzip;q=0.5, identity"], false, false),
    (["gzip;q=0.5, identity;q=0.5"], true, false), (["gzip;q=0.4, identity;q=0.5"], false, false),
    (["br", "gzip"], true, false), (["gzip", "identity;q=0"], true, true), (["gzip ; q=1.000"], true, false),
    (["gzip;Q=0"], false, false), ([" ,, gzip ,"], true, false), (["gzip;q=2"], false, false),
    (["gzip;q="], false, false), (["gzip;q=0.0001"], false, false), (["gzip;x=1"], false, false),
    (["gz ip"], false, false), (["gzipx"], false, false), (["gzip;"], false, false), ([";q=1"], false, false),
    (["gzip;q=1.001"], false, false), (["gzip;q=-1"], false, false),
  ]

  @Test(arguments: rows.indices) func choices(position: Int) {
    let row = Self.rows[position]
    var codings = AcceptedCodings()
    for line in row.lines { codings.add(line: line) }
    #expect((codings.preferred == .gzip) == row.gzip, "\(row.lines)")
    #expect(codings.refusesIdentity == row.refusesIdentity, "\(row.lines)")
  }
}
