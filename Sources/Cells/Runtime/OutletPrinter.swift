import CellTemplates

/// Prints the values of a kind's top-level outlets (those not inside another outlet) as a JSON object.
/// Each name appears once, as written, with its value as sent.
///
/// Inside a section, a name is looked up where the template looks it up. An outlet that is rendered once
/// for each item of a list gets the list of its values. If several outlets have the same name, one filled
/// by the row itself comes first, then template order decides. Names missing from the row, and outlets that
/// are not rendered, are omitted.
///
/// It pauses like rows do: see `RowPause`. Created by ``CellFactory/outletPrinter(ofKind:_:on:limits:)``.
package final class OutletPrinter {
  private var writer: OutletWriter

  /// Takes what a renderer is made of, and the outlets.
  init(
    _ archive: CellArchive, kind: UInt32, _ outlets: TopLevelOutlets, _ context: RowContext,
    on tape: JSONTape, _ memo: RequestMemo, _ limits: RenderLimits
  ) {
    writer = OutletWriter(archive, kind: kind, outlets, context, on: tape, memo, limits)
  }

  /// Memory in bytes, not including the output. That of the kind's outlets counts for each printer: they may be kept for it
  /// alone.
  package var heldBytes: Int { writer.heldBytes }

  /// Appends the next part.
  /// - Parameter tape: the row's tape; its text may have moved.
  /// - Returns: true if the object is complete, false if the time is over.
  /// - Throws: `.outputTooLarge` if the output exceeds its limit; the object is then unfinished.
  package func print(on tape: JSONTape, to output: inout ByteBuffer) throws(RenderFault) -> Bool {
    try writer.print(on: tape, to: &output)
  }
}

/// What an `OutletPrinter` has printed, and what is next.
private struct OutletWriter: ~Copyable {
  /// The work of printing values between two checks of the clock, over all rows, as `JSONPrinter` counts it.
  private static let workPerLook = 64 << 10

  private let archive: CellArchive
  private let memo: RequestMemo
  private let limits: RenderLimits
  private let outlets: TopLevelOutlets
  private var values: OutletValues
  /// The current group, and the index in it. Nothing of the group is printed as long as `count` is 0.
  private var (group, index) = (0, 0)
  /// The number of values of the current outlet that are printed at least partly.
  private var count = 0
  private var isList = false
  private var isOpen = false
  /// Whether no value has been printed yet.
  private var isFirst = true
  private var isBegun = false
  /// The value being printed.
  private var value: JSONPrinter?

  /// As that of `OutletPrinter`.
  init(
    _ archive: CellArchive, kind: UInt32, _ outlets: TopLevelOutlets, _ context: RowContext,
    on tape: JSONTape, _ memo: RequestMemo, _ limits: RenderLimits
  ) {
    self.archive = archive
    self.memo = memo
    self.limits = limits
    self.outlets = outlets
    values = OutletValues(archive, kind: kind, outlets, context, on: tape, memo, limits)
  }

  var heldBytes: Int { (value?.heldBytes ?? 0) + outlets.heldBytes }

  mutating func print(on tape: JSONTape, to output: inout ByteBuffer) throws(RenderFault) -> Bool {
    values.tape = tape
    if !isOpen {
      while !outlets.isComplete {
        outlets.collect(bytes: Self.workPerLook)
        memo.unlookedBytes += Self.workPerLook
        if isOver() { return false }
      }
      output.append(byte: UInt8(ascii: "{"))
      isOpen = true
    }
    while group < outlets.groupCount {
      var workLeft = Self.workPerLook
      if let isPrinted = value?.print(on: tape, to: &output, workLeft: &workLeft) {
        if output.count > limits.outputBytes { throw .outputTooLarge(limit: limits.outputBytes) }
        if isPrinted { value = nil }
        memo.unlookedBytes += Self.workPerLook - workLeft
        if isOver() { return false }
        continue
      }
      if !isBegun { begin() }
      switch try values.next() {
      case .value(let node, let isRepeated): append(node, isRepeated, to: &output)
      case .pause: return false
      case .end: end(&output)
      }
    }
    output.append(byte: UInt8(ascii: "}"))
    return true
  }

  /// Whether the time is over. Looks at the clock after enough work.
  private func isOver() -> Bool {
    if memo.unlookedBytes < Self.workPerLook { return false }
    memo.unlookedBytes = 0
    return memo.pause.isOver()
  }

  private mutating func begin() {
    values.begin(index, of: group)
    (count, isList, isBegun) = (0, false, true)
  }

  private mutating func append(_ node: JSONTape.Index, _ isRepeated: Bool, to output: inout ByteBuffer) {
    if count > 0 || !isFirst { output.append(byte: UInt8(ascii: ",")) }
    if count == 0 {
      JSONTape.appendJSONString(archive.bytes(outlets.outlet(index, of: group).name), to: &output)
      output.append(isRepeated ? ":[" : ":")
    }
    (count, isList, isFirst) = (count + 1, isRepeated, false)
    value = JSONPrinter(node)
  }

  /// Ends the current outlet. Continues with the next one, which has another name if this one had a value.
  private mutating func end(_ output: inout ByteBuffer) {
    if isList { output.append(byte: UInt8(ascii: "]")) }
    index += 1
    if count > 0 || index == outlets.outletCount(of: group) { (group, index) = (group + 1, 0) }
    isBegun = false
  }
}
