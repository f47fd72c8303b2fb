/// A context in a table, list or tree: 8 bytes, whatever it holds.
///
/// A context has some hundred bytes, and each program, block and parent keeps several. Nearly all of them are element
/// text at the top level, which takes no memory here. Any other takes a box, which copies share.
struct KeptContext: Hashable {
  private final class Box: Sendable {
    let context: HTMLContext

    init(_ context: HTMLContext) { self.context = context }
  }

  /// Element text at the top level of a cell.
  static let text = KeptContext(.text)

  /// nil for `text`.
  private let box: Box?

  init(_ context: HTMLContext) { box = context == .text ? nil : Box(context) }

  var value: HTMLContext { box?.context ?? .text }

  /// The memory of the box, in pieces.
  var pieces: Int { box?.context.pieces ?? 0 }

  /// The attributes so far, if it is in a tag.
  var attributeCount: Int { box?.context.attributeCount ?? 0 }

  static func == (left: KeptContext, right: KeptContext) -> Bool {
    guard let box = left.box, let other = right.box else { return left.box == nil && right.box == nil }
    return box === other || box.context == other.context
  }

  func hash(into hasher: inout Hasher) { if let box { hasher.combine(box.context) } }
}
