import CMicrohttpd
import Cells

/// What the program is made of: the labels of `cellfactory_build_info`.
struct BuildInformation: Sendable {
  let version: String
  let swift = Self.swiftVersion
  /// The library that is loaded, not the header that was compiled against.
  let libmicrohttpd = MHD_get_version().map { String(cString: $0) } ?? ""
  let simdjson = JSONParser.libraryVersion

  init(version: String) { self.version = version }

  /// The compiler's, as far as a condition can tell it.
  private static var swiftVersion: String {
    #if compiler(>=6.5)
      "6.5 or later"
    #elseif compiler(>=6.4)
      "6.4"
    #elseif compiler(>=6.3)
      "6.3"
    #else
      "6.2"
    #endif
  }
}
