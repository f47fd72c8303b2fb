import CellTemplates
import Cells

/// The stages of rendering rows, one by one.
///
/// `@unchecked Sendable`, because closures given to `assumeIsolated` capture it: used only by the thread that created it.
final class CellStages: @unchecked Sendable {
  private let factory: CellFactory
  private let kind: UInt32
  private var source: [UInt8]
  private let limits: RenderLimits
  private var text = ByteBuffer()
  private var root: JSONTape.Index = 0
  private var parsedRows: ParsedRows?
  private var output: RenderedOutput

  /// - Parameters:
  ///   - kind: a kind of the archive.
  ///   - json: an array of rows, already checked.
  ///   - outputLimitBytes: the limit of the output of all rows; nil: 4 GiB.
  ///   - escapesAsText: whether every value is escaped as element text, regardless of its place.
  init(
    archive: CellArchive, kind: String, json: [UInt8], reuse: ReusePolicy, outputLimitBytes: Int? = nil,
    escapesAsText: Bool = false
  ) {
    let archive = escapesAsText ? archive.escapingAsElementText() : archive
    factory = CellFactory(archive: archive, reuse: reuse, executor: InlineExecutor())
    guard let number = archive.kindNumber(kind) else { preconditionFailure("no kind \(kind)") }
    self.kind = number
    source = json
    // Otherwise as many rows as needed for the measurement.
    var limits = RenderLimits()
    limits.outputBytes = outputLimitBytes ?? 1 << 32
    limits.iterations = 1 << 32
    self.limits = limits
    output = RenderedOutput(limitBytes: limits.outputBytes, archive: archive)
  }

  /// Replaces the rows; `parse` must follow.
  func replaceRows(by json: [UInt8]) { source = json }

  /// Copies the body, as for a request, and parses it. Returns the number of nodes.
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

  /// Dequeues a cell for each row and enqueues it again. Returns the number of rows.
  func populate() -> Int {
    factory.assumeIsolated { factory in
      let count = factory.parser.tape(over: text).count(root)
      for _ in 0..<count { factory.enqueue(factory.dequeueReusableCell(ofKind: kind)) }
      return count
    }
  }

  /// Renders every parsed row. Returns the number of bytes.
  func render() -> Int {
    do throws(RenderFault) {
      return try renderAll()
    } catch {
      preconditionFailure("a row cannot be rendered: \(error.description)")
    }
  }

  /// The output of every parsed row; nil if one of them cannot be rendered.
  func rendered() -> [UInt8]? {
    guard (try? renderAll()) != nil else { return nil }
    return Array(output.buffer.bytes)
  }

  private func renderAll() throws(RenderFault) -> Int {
    output.buffer.truncate(to: 0)
    let fault: RenderFault? = factory.assumeIsolated { factory in
      let tape = factory.parser.tape(over: text)
      var run = RowRun(of: root, on: tape, owner: nil)
      let cell = factory.dequeueReusableCell(ofKind: kind)
      while !run.isAtEnd {
        do throws(RenderFault) {
          try factory.render(cell, &run, on: tape, limits: limits, into: &output.buffer)
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

  // MARK: Handwritten

  /// The number of a name in the nodes of parsed rows. If no template uses the name, a number that no node
  /// has.
  func nameID(_ name: String) -> UInt32 {
    let archive = factory.assumeIsolated { $0.archive }
    let bytes = Array(name.utf8)
    let names = archive.tables.$names
    let id = (0..<names.count).first { archive.bytes(names[$0].text).elementsEqual(bytes) }
    return id.map(UInt32.init) ?? JSONTape.unknownName &- 1
  }

  /// Renders the parsed rows by a given function, into the output that `render` uses. Enters the factory
  /// once, like `render` and like a server does for a request. Returns the number of bytes.
  func render(
    by render: (ParsedRows, inout RenderedOutput) throws(OutputTooLarge) -> Void
  ) throws(OutputTooLarge) -> Int {
    guard let parsedRows else { preconditionFailure("render without parse") }
    factory.assumeIsolated { _ in output.begin() }
    try render(parsedRows, &output)
    output.commit()
    return output.buffer.count
  }

  /// The output of a given function; nil if it is too large.
  func rendered(
    by render: (ParsedRows, inout RenderedOutput) throws(OutputTooLarge) -> Void
  ) -> [UInt8]? {
    guard (try? self.render(by: render)) != nil else { return nil }
    return Array(output.buffer.bytes)
  }
}
