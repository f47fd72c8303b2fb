/// Collects the files that nibs link to, and those that their style sheets link to, each once. Files are read here, and
/// never when a request comes.
package struct AssetCollector {
  package private(set) var assets: [Asset] = []
  /// Warnings of files that do not exist; an error if the files have too many bytes.
  package private(set) var diagnostics: [Diagnostic] = []
  private var seen: Set<ExactString> = []
  private var bytes = 0
  private let source: AssetSource
  private let budget: LoadBudget
  /// Whether pages get the files of `data-embed`, too, as they are drawn.
  private let takesEmbedded: Bool
  /// Whether there is too much, so that nothing is read any more.
  private var isFull = false
  /// The most files. A link in the folder that leads back to it would give each file endless paths.
  package static let fileLimit = 10_000

  /// A file with links.
  private struct Page {
    /// Relative to the folder.
    let path: String
    /// As diagnostics name it.
    let file: String
    let bytes: [UInt8]
  }

  /// - Parameters:
  ///   - source: where the files are, and how many bytes they may have.
  ///   - takesEmbedded: whether images that `data-embed` writes into cells are collected, too.
  ///   - budget: the work that reading may do.
  package init(from source: AssetSource, takesEmbedded: Bool = false, budget: LoadBudget) {
    self.source = source
    self.takesEmbedded = takesEmbedded
    self.budget = budget
  }

  /// Adds the files that a nib links to.
  package mutating func add(_ nib: TemplateSource) {
    if source.options.limitBytes == 0 { return }
    budget.file = nib.file
    // Diagnostics name all files below the folder in the same way.
    let folder = nib.file.hasSuffix("\(nib.kind).html") ? nib.file.dropLast(nib.kind.count + 5) : ""
    let page = Page(path: nib.kind, file: nib.file, bytes: nib.bytes)
    var waiting = add(LinkScan.links(ofPage: nib.bytes, budget: budget), of: page, in: folder)
    while let sheet = waiting.popLast(), !budget.isSpent {
      waiting += add(LinkScan.links(ofStyles: sheet.bytes, budget: budget), of: sheet, in: folder)
    }
  }

  /// Reads the files of a page.
  /// - Returns: the style sheets among them.
  private mutating func add(_ links: [FileLink], of page: Page, in folder: Substring) -> [Page] {
    defer { budget.release(pieces: links.count) }
    var lines: LineIndex?
    var sheets: [Page] = []
    for link in links where !isFull && (takesEmbedded || !link.isEmbedded) {
      // A look at a file costs as much as this many bytes.
      guard budget.spend(1000) else { break }
      let plain = link.reference.prefix { $0 != "?" && $0 != "#" }
      // A reference with a Mustache tag leads to a file that only the data knows.
      guard !plain.contains("{{"), let type = AssetType(path: String(plain)) else { continue }
      do throws(NibFiles.Fault) {
        guard let path = try NibFiles.path(of: String(plain), in: page.path),
          seen.insert(ExactString(path)).inserted
        else { continue }
        if assets.count == Self.fileLimit { throw .tooLarge }
        let content = try source.files.read(path)
        budget.spend(content.count)
        bytes += content.count
        if bytes > source.options.limitBytes { throw .tooLarge }
        assets.append(Asset(path: path, type: type, bytes: content))
        if type == .css { sheets.append(Page(path: path, file: folder + path, bytes: content)) }
      } catch {
        let index = lines ?? LineIndex(page.bytes)
        lines = index
        report(error, String(plain), page, index.position(of: link.at))
      }
    }
    return sheets
  }

  private mutating func report(
    _ fault: NibFiles.Fault, _ reference: String, _ page: Page, _ position: (line: Int, column: Int)
  ) {
    let name = "\"\(NameRule.shown(reference.utf8))\""
    let (code, message, hint): (DiagnosticCode, String, String) =
      switch fault {
      case .missing:
        (.missingAsset, "the file \(name) does not exist", "put the file there, or fix the link")
      case .outside:
        (
          .missingAsset, "the file \(name) is outside the templates folder, so it is not served",
          "put the file itself into the folder"
        )
      case .unreadable(let reason):
        (.missingAsset, "the file \(name) cannot be read: \(reason)", "fix the file")
      case .tooLarge where assets.count == Self.fileLimit:
        (
          .assetLimit, "with the file \(name), nibs link to more than \(Self.fileLimit) files",
          "look for links in the folder that lead back to it, or serve the files elsewhere, with --asset-limit-bytes 0"
        )
      case .tooLarge:
        (
          .assetLimit,
          "with the file \(name), the files that nibs link to have more than \(source.options.limitBytes) bytes",
          "make them smaller, raise --asset-limit-bytes, or serve large files elsewhere, with --asset-limit-bytes 0"
        )
      }
    if fault == .tooLarge { isFull = true }
    let diagnostic = Diagnostic(
      code, file: page.file, line: position.line, column: position.column, message: message, hint: hint)
    if budget.keep(diagnostic) { diagnostics.append(diagnostic) }
  }
}
