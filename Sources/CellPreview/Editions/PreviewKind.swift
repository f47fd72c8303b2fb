import CellTemplates

/// A kind as the preview shows it.
struct PreviewKind: Sendable {
  let name: String
  /// Its number in the archive.
  let number: UInt32
  let isText: Bool
  /// The name of its nib, or nil for a Mustache file.
  let nib: String?
  /// The file as diagnostics name it, and where the cell begins.
  let file: String
  let line: Int
  /// Its place in its nib.
  let cell: NibPage.Cell?
  let rows: [SampleRow]
  /// Changes whenever the page of the kind may look different.
  let fingerprint: String

  /// The address of its page.
  var page: String { Self.hasPath(name) ? "/preview/" + name : "/?kind=" + name }
  var frame: String { "/preview/frame/" + name }

  /// Whether `/preview/NAME` is its page. Some paths have another meaning.
  private static func hasPath(_ name: String) -> Bool {
    let isReserved = ["events", PreviewResources.script.name, PreviewResources.styles.name].contains(name)
    return !isReserved && !name.hasPrefix("frame/") && !name.hasPrefix("files/")
  }
}
