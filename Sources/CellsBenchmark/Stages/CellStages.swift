import CellTemplates
import Cells

/// The stages of rendering rows, each by itself.
///
/// `@unchecked Sendable`: used by the one thread that made it, and sent nowhere.
final class CellStages: @unchecked Sendable {
  private let factory: CellFactory
  private let kind: UInt32
  private var source: [UInt8]
  private let limits: RenderLimits
  private var text = ByteBuffer()
  private var root: JSONTape.Index = 0
  private var parsedRows: ParsedRows?
  private var output: DrawnOutput

  /// - Parameters:
  ///   - kind: a kind of the archive.
  ///   - json: an array of rows; it has been checked.
  ///   - outputLimitBytes: what the output of all rows may grow to; nil: 4 GiB.
  ///   - escapesAsText: every hole is escaped as element text, wherever it stands.
  init(
    archive: CellArchive, kind: String, json: [UInt8], reuse: ReusePolicy, outputLimitBytes: Int? = nil,
    escapesAsText: Bool = false
  ) {
    let archive = escapesAsText ? archive.escapingAsElementText() : archive
    factory = CellFactory(archive: archive, reuse: reuse, executor: InlineExecutor())
    guard let number = archive.kindNumber(kind) else { preconditionFailure("no kind \(kind)") }
    self.kind = number
    source = json
    // Else as many rows as anybody wants to measure.
    var limits = RenderLimits()
    limits.outputBytes = outputLimitBytes ?? 1 << 32
    limits.turns = 1 << 32
    self.limits = limits
    output = DrawnOutput(limitBytes: limits.outputBytes, archive: archive)
  }

  /// Takes other rows; `parse` is next.
  func replaceRows(by json: [UInt8]) { source = json }

  /// Copies the body, as a request's would be, and parses it. Returns the number of nodes.
  func parse() -> Int {
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
      parsedRows = ParsedRows(factory.parser.tape(over: text), root: root, textCount: text.count)
      return factory.parser.nodeCount
    }
  }

  /// Takes a cell for each row and gives it back. Returns the number of rows.
  func populate() -> Int {
    factory.assumeIsolated { factory in
      let count = factory.parser.tape(over: text).count(root)
      for _ in 0..<count { factory.enqueue(factory.dequeueReusableCell(ofKind: kind)) }
      return count
    }
  }

  /// Draws every parsed row. Returns the bytes drawn.
  func render() -> Int {
    do throws(RenderFault) {
      return try draw()
    } catch {
      preconditionFailure("a row cannot be drawn: \(error.description)")
    }
  }

  /// What every parsed row draws; nil if one of them cannot be drawn.
  func rendered() -> [UInt8]? {
    guard (try? draw()) != nil else { return nil }
    return Array(output.buffer.bytes)
  }

  private func draw() throws(RenderFault) -> Int {
    output.buffer.truncate(to: 0)
    let fault: RenderFault? = factory.assumeIsolated { factory in
      let tape = factory.parser.tape(over: text)
      var run = RowRun(of: root, on: tape, owner: nil)
      let cell = factory.dequeueReusableCell(ofKind: kind)
      while !run.isAtEnd {
        do throws(RenderFault) {
          try factory.draw(cell, &run, on: tape, limits: limits, into: &output.buffer)
        } catch {
          return error
        }
      }
      factory.enqueue(cell)
      return nil
    }
    if let fault { throw fault }
    return output.buffer.count
  }

  // MARK: By hand

  /// The number that the nodes of parsed rows have for a name; one that no node has if no template asks for it.
  func nameID(_ name: String) -> UInt32 {
    let archive = factory.assumeIsolated { $0.archive }
    let bytes = Array(name.utf8)
    let id = (0..<archive.names.count).first { archive.bytes(archive.names[$0].text).elementsEqual(bytes) }
    return id.map(UInt32.init) ?? JSONTape.unknownName &- 1
  }

  /// Has the parsed rows drawn by somebody else, into the output that `render` draws into, having entered the factory
  /// once, as `render` does: a server enters it for a request whoever draws. Returns the bytes drawn.
  func render(
    by draw: (ParsedRows, inout DrawnOutput) throws(OutputTooLarge) -> Void
  ) throws(OutputTooLarge) -> Int {
    guard let parsedRows else { preconditionFailure("render without parse") }
    factory.assumeIsolated { _ in output.begin() }
    try draw(parsedRows, &output)
    output.commit()
    return output.buffer.count
  }

  /// What somebody else draws; nil if that is too much.
  func rendered(
    by draw: (ParsedRows, inout DrawnOutput) throws(OutputTooLarge) -> Void
  ) -> [UInt8]? {
    guard (try? render(by: draw)) != nil else { return nil }
    return Array(output.buffer.bytes)
  }
}
