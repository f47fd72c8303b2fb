import Cells

/// The memory of an answer while it is rendered, and the limit of its size.
extension BatchRenderer {
  /// Memory used by the values being printed.
  var valueBytes: Int {
    let held =
      switch item?.stage {
      case .outlets(let printer, _): printer.heldBytes
      case .naming(let names): names.heldBytes
      case .rendering, .judging, .tagging, .writing, nil: 0
      }
    return held + (paused?.heldBytes ?? 0)
  }

  /// What the open row holds besides its output: its cell, and the values being printed.
  private var openRowBytes: Int { valueBytes + (cell?.capacity ?? 0) }

  /// Releases what is not needed until the next slice, such as the cell unless a row is paused.
  mutating func pause(_ output: borrowing ByteBuffer, _ factory: isolated CellFactory) {
    giveCellBack(factory)
    let needed = min(reservedBytes, output.capacity + keptBytes + (cell?.capacity ?? 0))
    budget.release(reservedBytes - needed)
    reservedBytes = needed
  }

  /// Charges for the indexes built over the rows, which already exist.
  mutating func hold(indexBytes bytes: Int) {
    budget.charge(bytes)
    budget.release(indexBytes)
    indexBytes = bytes
  }

  /// Charges a streamed answer for its open row, until `release`. `check` has seen that there is room for it.
  /// - Parameter unsentBytes: what the row's output takes.
  mutating func holdRow(unsentBytes: Int) {
    rowBytes = isWithinRow ? unsentBytes + openRowBytes : 0
    budget.charge(rowBytes)
  }

  /// Releases the reserved memory, and that of the open row.
  mutating func release() {
    budget.release(reservedBytes + rowBytes)
    (reservedBytes, rowBytes) = (0, 0)
  }

  // MARK: Limits

  /// The limits for rendering directly into the output, reduced by the bytes that have passed.
  var room: RenderLimits {
    var limits = limits
    if !position.errors.isRefused { limits.outputBytes -= passedBytes }
    return limits
  }

  /// Enforces the limit of the answer, and reserves its memory.
  /// - Parameter rowStart: where to cut the output if the row that begins there exceeds the limit.
  mutating func check(_ output: inout ByteBuffer, rowStart: Int) throws(Problem) {
    if position.errors.isRefused {
      if purpose == .streaming, let refusal = position.errors.refusal(of: count) { throw refusal }
      output.truncate(to: 0)
      passedBytesOfRow = 0
    } else if output.count > limits.outputBytes - passedBytes {
      output.truncate(to: min(rowStart, output.count))
      throw .outputTooLarge(limitBytes: limits.outputBytes)
    }
    switch purpose {
    case .answering: break
    case .judging:
      passedBytes += output.count
      passedBytesOfRow = isWithinRow ? passedBytesOfRow + bytesOfOpenRow(in: output) : 0
      output.truncate(to: 0)
    case .streaming:
      try checkStream(&output, rowStart: rowStart)
      return
    }
    if reserve(for: output) { return }
    giveKeptCapacityBack(&output)
    if reserve(for: output) { return }
    if pausesForMemory {
      isPausedForMemory = true
      return
    }
    let held = budget.heldBytes(ofRequestHolding: heldForReading + indexBytes + reservedBytes)
    let grown = neededBytes(for: output) - reservedBytes
    if !budget.couldReserve(grown, beside: held) {
      throw .neverFits(answerOf: held + grown, limitBytes: budget.limitBytes)
    }
    throw budget.overload.refuse(for: .rowMemory)
  }

  /// Reserves what has had no room before the pause, if the renderer has paused for that.
  mutating func resumeForMemory(_ output: inout ByteBuffer) throws(Problem) {
    if !isPausedForMemory { return }
    isPausedForMemory = false
    try check(&output, rowStart: output.count)
  }

  private func neededBytes(for output: borrowing ByteBuffer) -> Int {
    output.capacity + keptBytes + (cell?.capacity ?? 0)
  }

  /// Reserves what the answer needs so far. Returns false if there is no room.
  private mutating func reserve(for output: borrowing ByteBuffer) -> Bool {
    let grown = neededBytes(for: output) - reservedBytes
    if grown <= 0 { return true }
    guard budget.reserve(grown) else { return false }
    reservedBytes += grown
    return true
  }

  /// Gives back what the buffers have kept from earlier requests, so that an answer fits if it fits in a worker that has kept
  /// nothing. The output is trimmed once: afterwards, rows that found no capacity may have asked for it.
  private mutating func giveKeptCapacityBack(_ output: inout ByteBuffer) {
    if !hasTrimmedOutput, output.capacity <= BufferPool.keptBytes { output.trimToStep() }
    hasTrimmedOutput = true
    cell?.giveCapacityBack(isInUse: isWithinRow)
  }

  /// The memory that an open row may take even if there is no room: its stacks, a cell of 32 KiB and a value of 32 KiB.
  private static let rowBytesWithoutRoom = 72 << 10

  /// Checks that there is room for what a streamed answer holds beyond the piece that it is charged for anyway. So an answer
  /// that was begun does not fail because of others, unless one of its rows has more than 32 KiB.
  private func checkStream(_ output: inout ByteBuffer, rowStart: Int) throws(Problem) {
    if hasRoomInStream(for: output.capacity) { return }
    // A bad row leaves a large buffer with little in it.
    if output.count <= BufferPool.keptPieceBytes {
      output.trim(to: BufferPool.keptPieceBytes)
      if hasRoomInStream(for: output.capacity) { return }
    }
    // If the row was begun in an earlier slice and is bad, the output has been cut to less.
    output.truncate(to: min(openRow?.start ?? rowStart, output.count))
    output.trim(to: BufferPool.keptPieceBytes)
    throw budget.overload.refuse(for: .rowMemory)
  }

  private func hasRoomInStream(for outputBytes: Int) -> Bool {
    let held = outputBytes + (isWithinRow ? openRowBytes : 0)
    let grown = held - rowBytes - BufferPool.keptPieceBytes
    return grown <= Self.rowBytesWithoutRoom || budget.hasRoom(for: grown)
  }

  /// The bytes of the open row in the output.
  private func bytesOfOpenRow(in output: borrowing ByteBuffer) -> Int {
    openRow.map { output.count - min($0.start, output.count) } ?? 0
  }

  /// Takes back what has passed of a row that turned out to be bad.
  mutating func forgetPassedBytesOfRow() {
    passedBytes -= passedBytesOfRow
    passedBytesOfRow = 0
  }
}
