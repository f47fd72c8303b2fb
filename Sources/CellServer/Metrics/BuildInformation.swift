import CMicrohttpd
import Cells

/// Version information: the labels of `cellfactory_build_info`.
struct BuildInformation: Sendable {
  let version: String
  let swift = Self.swiftVersion
  /// The version of the loaded library, not of the header.
  let libmicrohttpd = MHD_get_version().map { String(cString: $0) } ?? ""
  let simdjson = JSONParser.libraryVersion

  init(version: String) { self.version = version }

  /// The compiler's version, as far as `#if compiler` can tell.
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
