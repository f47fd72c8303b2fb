extension JSONTape {
  /// False for missing values, `null`, `false`, zero in any notation, `""` and `[]`.
  @inline(__always)
  func isTruthy(_ value: RenderValue) -> Bool {
    value.isNode ? isTruthy(value.raw) : value.isTruthyOfLoop
  }

  /// The same for a node.
  @inline(__always)
  func isTruthy(_ node: Index) -> Bool {
    switch kind(node) {
    case .null, .false, .key: return false
    case .true, .object: return true
    case .number: return !isZero(node)
    // The number of bytes of a string, or of elements of an array.
    case .string, .array: return count(node) > 0
    }
  }

  /// Whether a value is missing or `null`.
  @inline(__always)
  func isNothing(_ value: RenderValue) -> Bool {
    value.isNode ? kind(value.raw) == .null : value.isMissing || value.isNull
  }
}

extension RenderValue {
  /// Whether a value that is no node is truthy.
  fileprivate var isTruthyOfLoop: Bool {
    if isMissing { return false }
    if let number = loopNumber { return number != 0 }
    return isTrue || isText
  }
}
