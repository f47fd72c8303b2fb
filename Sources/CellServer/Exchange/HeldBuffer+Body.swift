import Cells

// A body that arrives in pieces, as far as it is charged to the budget.
extension HeldBuffer {
  /// Charges for the body's growth to `count` bytes, then grows the buffer: to double the size, but no more than was
  /// announced, or just to `count` if there is no room for that.
  func makeRoom(for count: Int, announced: Int?, in budget: MemoryBudget) -> Bool {
    guard count > chargedBytes else { return true }
    if chargedBytes == 0, buffer.capacity >= count {
      if grow(to: buffer.capacity, in: budget) { return true }
      buffer.reset(keptCapacity: 0)
      isReused = false
    }
    var wanted = max(count, 2 * chargedBytes)
    if let announced { wanted = min(wanted, announced) }
    return grow(to: wanted, in: budget) || (wanted > count && grow(to: count, in: budget))
  }

  private func grow(to wanted: Int, in budget: MemoryBudget) -> Bool {
    let added = wanted - chargedBytes
    if wanted <= MemoryBudget.smallBodyBytes {
      guard budget.reserve(added) else { return false }
    } else if isLargeBody {
      guard budget.reserveBody(added, counted: chargedBytes) else { return false }
    } else {
      // The body has become large.
      guard budget.reserveBody(wanted, counted: 0) else { return false }
      budget.release(chargedBytes)
      isLargeBody = true
    }
    chargedBytes = wanted
    if wanted > buffer.capacity { isReused = false }
    buffer.reserveExactly(wanted)
    return true
  }

  /// Releases the charge for bytes that did not arrive. The system has not allocated memory for them: it does so on
  /// the first write.
  func releaseSurplus(in budget: MemoryBudget) {
    if isReused { return }
    let surplus = chargedBytes - buffer.count
    guard surplus > 0 else { return }
    if isLargeBody { budget.releaseBody(surplus) } else { budget.release(surplus) }
    chargedBytes = buffer.count
  }
}
