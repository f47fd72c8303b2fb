import CMicrohttpd

#if canImport(Glibc)
  import Glibc
#endif

/// Keeps the library from parsing what nobody asks it for: a request's arguments and cookies.
///
/// It would parse them into the connection's memory, a record each, and where that ends it answers twice, or not at all:
/// 600 fields of a query are enough.
enum UnneededParsing {
  /// The name of the header field that `hideCookies` adds. Its address tells that field from a client's.
  static let cookieName: StaticString = "Cookie"

  /// To be called when the request line has come; `target` is where the library has it, in the connection's memory.
  ///
  /// The library has found the `?` already. With nothing behind it there are no arguments.
  static func hideQuery(of target: UnsafeRawBufferPointer) {
    guard LibraryVersion.isKnown, let start = target.baseAddress,
      let mark = memchr(start, Int32(UInt8(ascii: "?")), target.count)
    else { return }
    // In bounds: the target ends with a zero byte.
    mark.storeBytes(of: 0, toByteOffset: 1, as: UInt8.self)
  }

  /// To be called when the request line has come.
  ///
  /// The library parses the first header field of the name alone, and this comes before any of the client's.
  static func hideCookies(of connection: OpaquePointer) {
    let empty: StaticString = ""
    // Literals: the library keeps the pointers. Where it has no memory it has none for a cookie either.
    _ = MHD_set_connection_value_n(
      connection, .HEADER_KIND, cookieName.cString, cookieName.utf8CodeUnitCount, empty.cString, 0)
  }
}
