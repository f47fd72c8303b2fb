import Testing

@testable import CellServer

@Suite struct TransportRequestIDsTests {
  /// They count in digits of five bits: so many ids carry to the fourth of them.
  @Test func idsCountBehindARandomBeginning() {
    var ids = RequestIDs()
    let first = ids.next()
    #expect(first.hasSuffix("000000001") && first.utf8.count == 15)
    var last = first
    for _ in 2...100_000 {
      let id = ids.next()
      #expect(id > last)
      last = id
    }
    // 100,000 is 3, 1, 21 and 0 of those digits.
    #expect(last == first.prefix(6) + "0000031n0")
  }

  @Test func makersDiffer() {
    var (one, other) = (RequestIDs(), RequestIDs())
    #expect(one.next() != other.next())
  }
}
