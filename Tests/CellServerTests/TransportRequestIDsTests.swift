import Testing

@testable import CellServer

@Suite struct TransportRequestIDsTests {
  /// Ids count in digits of five bits; this many ids carry into the fourth digit.
  @Test func idsCountAfterARandomPrefix() {
    var ids = RequestIDs()
    let first = ids.next()
    #expect(first.hasSuffix("000000001") && first.utf8.count == 15)
    var last = first
    for _ in 2...100_000 {
      let id = ids.next()
      #expect(id > last)
      last = id
    }
    // 100,000 has the digits 3, 1, 21 and 0.
    #expect(last == first.prefix(6) + "0000031n0")
  }

  @Test func makersDiffer() {
    var (one, other) = (RequestIDs(), RequestIDs())
    #expect(one.next() != other.next())
  }
}
