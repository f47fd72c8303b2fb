import CellServer
import CellTemplates
import Cells

/// Draws the preview's pages with its own nibs. Confined to one thread at a time.
final class PageWriter {
  private let nibs = PageNibs.shared
  private let renderer = RowRenderer(PageNibs.shared.archive)
  /// Renders the cells of the edition that was asked for last.
  private var frames: RowRenderer?

  func index(_ edition: PreviewEdition) -> [UInt8] { page("index", Self.json(PageRows.index(edition))) }

  func kind(_ kind: PreviewKind, missing: MissingPolicy, _ edition: PreviewEdition) -> [UInt8] {
    page(
      "kind",
      Self.json(PageRows.kind(kind, missing: missing, edition)) { output in
        KindDescription.append(kind.number, of: edition.archive, to: &output)
      })
  }

  func frame(_ kind: PreviewKind, _ content: FrameWriter.Content, _ edition: PreviewEdition) -> [UInt8] {
    let renderer = frames?.archive === edition.archive ? frames : nil
    frames = renderer ?? RowRenderer(edition.archive)
    return FrameWriter(edition: edition, renderer: frames ?? RowRenderer(edition.archive)).page(
      of: kind, content)
  }

  /// The list of diagnostics, to be put into a page.
  func diagnostics(_ rows: JSONNode) -> String {
    String(decoding: cell("diagnostics", Self.json(["diagnostics": rows])), as: UTF8.self)
  }

  /// The nib's page with its cell in the place where it is drawn.
  private func page(_ kind: String, _ row: String) -> [UInt8] {
    guard let nib = nibs.pages[kind], let drawn = nib.cells.first(where: { $0.kind == kind })?.element else {
      preconditionFailure("the preview has no nib for \(kind)")
    }
    return nib.bytes[..<drawn.lowerBound] + cell(kind, row) + nib.bytes[drawn.upperBound...]
  }

  private func cell(_ kind: String, _ row: String) -> [UInt8] {
    guard let number = nibs.archive.kindNumber(kind) else {
      preconditionFailure("the preview has no cell \(kind)")
    }
    var output: [UInt8] = []
    renderer.append(row, ofKind: number, to: &output)
    return output
  }

  /// - Parameter fill: writes the value of the hole.
  static func json(_ node: JSONNode, fill: (inout ByteBuffer) -> Void = { _ in }) -> String {
    var output = ByteBuffer()
    node.append(to: &output, fill: fill)
    return String(decoding: output.bytes, as: UTF8.self)
  }
}
