import CEscape
import CellTemplates

/// The `CEscape` functions that implement an `Escaper` for text; nil for escapers that do more, or nothing.
///
/// One table for each factory, which maps an escaper to its function without a branch. Freed in `deinit`.
final class TextEscapers {
  /// Copies from the third to the fourth argument into the first, whose end is the second: see `escape.h`.
  typealias Function =
    @convention(c) (
      UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<UInt8>, UnsafePointer<UInt8>, UnsafePointer<UInt8>
    ) -> cf_progress

  /// Indexed by raw value, one for each escaper. Allocated and initialized in `init`.
  let functions: UnsafeMutablePointer<Function?>

  init() {
    // Raw values are 0, 1, 2 … in the order of the cases.
    functions = .allocate(capacity: Escaper.allCases.count)
    for escaper in Escaper.allCases {
      (functions + Int(escaper.rawValue)).initialize(to: Self.function(of: escaper))
    }
  }

  deinit { functions.deallocate() }

  private static func function(of escaper: Escaper) -> Function? {
    let best = cf_escapers_here().pointee
    return switch escaper {
    case .html: best.html
    case .attribute: best.attribute
    case .text: best.text
    case .rawHTML: best.raw_html
    case .url: best.url
    case .urlPart: best.url_part
    case .urlComponent: best.url_component
    default: nil
    }
  }
}
