/// The types of files that nibs may link to: style sheets, images and fonts. The raw values are in archives.
package enum AssetType: UInt32, CaseIterable, Sendable {
  case css = 0
  case png, jpeg, gif, webp, avif, svg, icon, bitmap
  case woff, woff2, ttf, otf

  /// The type of a file by the ending of its name; nil for files that pages must not get.
  package init?(path: String) {
    guard let dot = path.lastIndex(of: ".") else { return nil }
    let ending = path[path.index(after: dot)...].lowercased()
    guard let type = Self.endings[ending] else { return nil }
    self = type
  }

  private static let endings: [String: AssetType] = [
    "css": .css, "png": .png, "jpg": .jpeg, "jpeg": .jpeg, "gif": .gif, "webp": .webp, "avif": .avif,
    "svg": .svg, "ico": .icon, "bmp": .bitmap, "woff": .woff, "woff2": .woff2, "ttf": .ttf, "otf": .otf,
  ]

  package var contentType: StaticString {
    switch self {
    case .css: "text/css; charset=utf-8"
    case .png: "image/png"
    case .jpeg: "image/jpeg"
    case .gif: "image/gif"
    case .webp: "image/webp"
    case .avif: "image/avif"
    case .svg: "image/svg+xml"
    case .icon: "image/x-icon"
    case .bitmap: "image/bmp"
    case .woff: "font/woff"
    case .woff2: "font/woff2"
    case .ttf: "font/ttf"
    case .otf: "font/otf"
    }
  }

  /// Whether gzip makes such files much smaller.
  package var isCompressible: Bool {
    switch self {
    case .css, .svg, .icon, .bitmap, .ttf, .otf: true
    case .png, .jpeg, .gif, .webp, .avif, .woff, .woff2: false
    }
  }
}
