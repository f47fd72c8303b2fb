import CellTemplates
import Cells

/// Writes frames: a cell with its rows in its nib's scenery, as one page without scripts.
struct FrameWriter {
  /// What a frame shows.
  struct Content: Sendable {
    enum Rows: Equatable, Sendable {
      case all
      case one(Int)
      case none
    }

    var rows = Rows.one(0)
    var missing: MissingPolicy
    /// Whether the nib is shown as drawn, without rows.
    var isDesign = false
    /// The locale, time zone and time of the rows.
    var setting: RenderSetting
  }

  /// A frame with all rows ends after so many bytes.
  static let limitBytes = 8 << 20
  /// What comes before and after the cells, for scripts around the frame.
  private static let (start, end) = ("<!--cells-->", "<!--/cells-->")

  let edition: PreviewEdition
  let renderer: RowRenderer

  func page(of kind: PreviewKind, _ content: Content) -> [UInt8] {
    guard let name = kind.nib, let nib = edition.nibs[ExactString(name)], let cell = kind.cell else {
      return plainPage(of: kind, content)
    }
    var page = Array(nib.bytes[..<nib.headStart])
    page += Self.base(ofNib: name).utf8
    if content.isDesign { return page + nib.bytes[nib.headStart...] }
    page += nib.bytes[nib.headStart..<cell.element.lowerBound]
    // Else browsers would put the marks into the head, which is not shown.
    if cell.opensBody { page += "<body>".utf8 }
    page += marked(cells(of: kind, content))
    return page + nib.bytes[cell.element.upperBound...]
  }

  /// A page for a cell without a nib.
  private func plainPage(of kind: PreviewKind, _ content: Content) -> [UInt8] {
    var cells = cells(of: kind, content)
    if kind.isText {
      cells = Array("<pre>".utf8) + marked(Self.escaped(cells)) + Array("</pre>".utf8)
    } else {
      let (opening, closing) = Self.surroundings(of: cells)
      cells = Array(opening.utf8) + marked(cells) + Array(closing.utf8)
    }
    let head =
      "<!doctype html><html><head>\(Self.base(ofNib: kind.name))<meta charset=\"utf-8\"></head><body>"
    return Array(head.utf8) + cells + Array("</body></html>".utf8)
  }

  /// The nib's relative links lead to the files of its folder. A nib's name has no characters that mean more.
  private static func base(ofNib nib: String) -> String {
    let folder = FilePath.folder(of: nib)
    return "<base href=\"/preview/files/\(PercentEncoding.encoded(folder))\">"
  }

  private func marked(_ cells: [UInt8]) -> [UInt8] { Array(Self.start.utf8) + cells + Array(Self.end.utf8) }

  private func cells(of kind: PreviewKind, _ content: Content) -> [UInt8] {
    var output: [UInt8] = []
    var limits = RenderLimits()
    limits.missing = content.missing
    limits.outputBytes = Self.limitBytes
    for (position, row) in kind.rows.enumerated() where output.count < Self.limitBytes {
      switch content.rows {
      case .all: break
      case .one(let wanted): if position != wanted { continue }
      case .none: continue
      }
      renderer.append(
        row.json, ofKind: kind.number, index: position, count: kind.rows.count, limits: limits,
        setting: content.setting, to: &output)
    }
    return output
  }

  /// What must be around the first element of a cell, or browsers would not show it.
  private static func surroundings(of cells: [UInt8]) -> (opening: String, closing: String) {
    guard let start = cells.firstIndex(of: UInt8(ascii: "<")) else { return ("", "") }
    let name = cells[(start + 1)...].prefix {
      $0 | 0x20 >= UInt8(ascii: "a") && $0 | 0x20 <= UInt8(ascii: "z")
    }
    return switch String(decoding: name, as: UTF8.self).lowercased() {
    case "tr": ("<table><tbody>", "</tbody></table>")
    case "td", "th": ("<table><tbody><tr>", "</tr></tbody></table>")
    case "tbody", "thead", "tfoot", "caption", "colgroup": ("<table>", "</table>")
    case "li": ("<ul>", "</ul>")
    case "option", "optgroup": ("<select>", "</select>")
    case "dt", "dd": ("<dl>", "</dl>")
    default: ("", "")
    }
  }

  private static func escaped(_ text: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(text.count)
    for byte in text {
      switch byte {
      case UInt8(ascii: "<"): output += "&lt;".utf8
      case UInt8(ascii: "&"): output += "&amp;".utf8
      default: output.append(byte)
      }
    }
    return output
  }
}
