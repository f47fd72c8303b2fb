public import CellTemplates

/// The stages of drawing rows, each by itself: for benchmarks.
///
/// `@unchecked Sendable`: used by the one thread that made it, and sent nowhere.
@_spi(Benchmarks)
public final class CellStages: @unchecked Sendable {
  private let factory: CellFactory
  private let kind: UInt32
  private let source: [UInt8]
  private var text = ByteBuffer()
  private var root: JSONTape.Index = 0
  private var output = ByteBuffer()
  /// As many rows as anybody wants to measure.
  private static let limits = {
    var limits = RenderLimits()
    limits.outputBytes = 1 << 32
    limits.turns = 1 << 32
    return limits
  }()

  /// - Parameters:
  ///   - kind: a kind of the archive.
  ///   - json: an array of rows; it has been checked.
  public init(archive: CellArchive, kind: String, json: [UInt8], reuse: ReusePolicy) {
    factory = CellFactory(archive: archive, reuse: reuse, executor: InlineExecutor())
    guard let number = archive.kindNumber(kind) else { preconditionFailure("no kind \(kind)") }
    self.kind = number
    source = json
  }

  /// Copies the body, as a request's would be, and parses it. Returns the number of nodes.
  public func parse() -> Int {
    text.truncate(to: 0)
    text.append(source)
    return factory.assumeIsolated { factory in
      factory.forgetRows()
      do throws(JSONFault) {
        root = try factory.parser.parse(
          &text, in: 0..<text.count, names: factory.names, depthLimit: JSONParser.defaultDepthLimit)
      } catch {
        preconditionFailure("the rows are no JSON: \(error.reason)")
      }
      return factory.parser.nodeCount
    }
  }

  /// Takes a cell for each row and gives it back. Returns the number of rows.
  public func populate() -> Int {
    factory.assumeIsolated { factory in
      let count = factory.parser.tape(over: text).count(root)
      for _ in 0..<count { factory.enqueue(factory.dequeueReusableCell(ofKind: kind)) }
      return count
    }
  }

  /// Draws every parsed row. Returns the bytes drawn.
  public func render() -> Int {
    output.truncate(to: 0)
    factory.assumeIsolated { factory in
      let tape = factory.parser.tape(over: text)
      var run = RowRun(of: root, on: tape, owner: nil)
      var cell = factory.dequeueReusableCell(ofKind: kind)
      while !run.isAtEnd {
        do throws(RenderFault) {
          if factory.reusesCells {
            try factory.draw(cell, &run, on: tape, limits: Self.limits, into: &output)
          } else {
            try factory.draw(cell, run.next, on: tape, limits: Self.limits, into: &output)
            run.advance(on: tape)
            if !run.isAtEnd { cell = factory.dequeueReusableCell(ofKind: kind) }
          }
        } catch {
          preconditionFailure("a row cannot be drawn: \(error.description)")
        }
      }
      factory.enqueue(cell)
    }
    return output.count
  }
}
