import Cells

extension Answer {
  /// Every header of the answer but those that are the connection's (`Connection`, `Content-Length`, `Date`),
  /// name and value as C strings that are valid during the call.
  func forEachHeader(
    requestID: String, archiveHash: String, _ body: (UnsafePointer<CChar>, UnsafePointer<CChar>) -> Void
  ) {
    func add(_ name: StaticString, _ value: String) { value.withCString { body(name.cString, $0) } }
    add("CellFactory-Archive", archiveHash)
    add("X-Request-Id", requestID)
    body(("X-Content-Type-Options" as StaticString).cString, ("nosniff" as StaticString).cString)
    if let contentType { body(("Content-Type" as StaticString).cString, contentType.cString) }
    for header in headers { add(header.name, header.value) }
  }
}

extension StaticString {
  // A static string ends with a zero byte and lives as long as the program; `CChar` is a byte.
  var cString: UnsafePointer<CChar> { UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self) }
}
