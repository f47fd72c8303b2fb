import CellTemplates
import Cells

/// Renders rows off the event loop, for pages. Confined to one thread at a time.
final class RowRenderer {
  let archive: CellArchive
  private let factory: CellFactory

  init(_ archive: CellArchive) {
    self.archive = archive
    factory = CellFactory(archive: archive, reuse: ReusePolicy(), executor: InlineExecutor())
  }

  /// Appends the output of one row. Appends nothing if the row is bad. Most callers leave out most parameters.
  /// - Parameters:
  ///   - json: the row.
  ///   - index: its place among `count` rows.
  ///   - setting: its locale, time zone and time.
  func append(
    _ json: String, ofKind kind: UInt32, index: Int = 0, count: Int = 1,
    limits: RenderLimits = RenderLimits(), setting: RenderSetting = RenderSetting(),
    to output: inout [UInt8]
  ) {
    output += factory.assumeIsolated { [archive] factory -> [UInt8] in
      var text = ByteBuffer(capacity: json.utf8.count)
      text.append(text: json)
      factory.forgetRows()
      // The factory keeps nothing of the rows.
      defer { factory.forgetRows() }
      guard
        let root = try? factory.parse(&text, in: 0..<text.count, depthLimit: JSONParser.defaultDepthLimit)
      else { return [] }
      let tape = factory.tape(over: text)
      if archive.rowUses(of: kind).has(.locale) { factory.use(setting, for: kind) }
      let cell = factory.dequeueReusableCell(ofKind: kind)
      defer { factory.enqueue(cell) }
      var cells = ByteBuffer()
      let context = RowContext(row: root, index: index, count: count)
      try? factory.render(cell, context, on: tape, limits: limits, into: &cells)
      return Array(cells.bytes)
    }
  }
}
