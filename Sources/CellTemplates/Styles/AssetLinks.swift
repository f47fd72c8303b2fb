/// Where links to files of the templates folder lead.
struct AssetLinks {
  /// The path of files that this server has.
  static let ownBase = "/assets/"

  /// Ends with a `/`.
  let base: String
  /// The version of a file with this path; nil if there is no such file.
  let version: (String) -> String?

  /// The new address for a relative reference; nil if the reference is not relative, or leaves the folder.
  /// - Parameter file: the file that holds the reference.
  func url(of reference: String, from file: String) -> String? {
    let plain = String(reference.prefix { $0 != "?" && $0 != "#" })
    guard let path = try? NibFiles.path(of: plain, in: file) else { return nil }
    let rest = reference.dropFirst(plain.count)
    let url = base + PercentEncoding.encoded(path)
    // Other servers have their own way to name versions.
    if base == Self.ownBase, !rest.hasPrefix("?"), let version = version(path) {
      return "\(url)?v=\(version)\(rest)"
    }
    return url + rest
  }
}
