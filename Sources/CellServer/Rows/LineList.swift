import Cells

#if canImport(Glibc)
  import Glibc
#endif

/// The nonblank lines of NDJSON, in blocks: no line moves when the list grows, but for the first few.
final class LineList {
  typealias Line = Batch.Line

  private static let blockShift = 16
  private static let blockLines = 1 << blockShift
  private static let firstLines = 1024

  // All have room for `blockLines` lines but the first, which has room for all lines until it is that large. Allocated in
  // `grow`, freed in `deinit`.
  private var blocks: [UnsafeMutablePointer<Line>] = []
  private(set) var count = 0
  private var capacity = 0
  /// The faults of long lines, by their index here.
  private var faults: [Int: JSONFault] = [:]

  deinit {
    for block in blocks {
      DiscardedMemory.discard(block, bytes: min(capacity, Self.blockLines) * MemoryLayout<Line>.stride)
    }
  }

  var heldBytes: Int { capacity * MemoryLayout<Line>.stride }

  var isFull: Bool { count == capacity }

  /// The memory that `grow` adds, and of it what it needs only while it runs.
  var growth: (bytes: Int, passingBytes: Int) {
    let stride = MemoryLayout<Line>.stride
    if capacity >= Self.blockLines { return (Self.blockLines * stride, 0) }
    return (max(2 * capacity, Self.firstLines) * stride, capacity * stride)
  }

  func grow() {
    if capacity >= Self.blockLines {
      blocks.append(Self.allocate(Self.blockLines))
      capacity += Self.blockLines
      return
    }
    let wanted = max(2 * capacity, Self.firstLines)
    let block = Self.allocate(wanted)
    if let old = blocks.popLast() {
      block.moveInitialize(from: old, count: count)
      free(old)
    }
    blocks.append(block)
    capacity = wanted
  }

  private static func allocate(_ count: Int) -> UnsafeMutablePointer<Line> {
    guard let memory = malloc(count * MemoryLayout<Line>.stride) else { fatalError("out of memory") }
    return memory.bindMemory(to: Line.self, capacity: count)
  }

  /// Appends a line; there must be room.
  /// - Parameter fault: why the line is not JSON, if that is known.
  func append(_ line: Line, fault: JSONFault? = nil) {
    precondition(count < capacity)
    (blocks[count >> Self.blockShift] + (count & (Self.blockLines - 1))).initialize(to: line)
    if let fault { faults[count] = fault }
    count += 1
  }

  subscript(index: Int) -> Line {
    precondition(index >= 0 && index < count)
    return blocks[index >> Self.blockShift][index & (Self.blockLines - 1)]
  }

  /// Why a long line is not JSON; nil for others.
  func fault(at index: Int) -> JSONFault? { faults.isEmpty ? nil : faults[index] }
}
