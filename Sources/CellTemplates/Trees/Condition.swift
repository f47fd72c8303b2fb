/// A condition that a value of the row decides.
struct Condition: Equatable {
  var comparison = ConditionEntry.Comparison.truthy
  let path: MustacheName
  var literals: [ConditionLiteral] = []

  /// The memory kept for it, in pieces.
  var pieces: Int { LoadBudget.bindPieces + literals.count / LoadBudget.literalsPerPiece }
}

/// What a condition compares a value with.
enum ConditionLiteral: Equatable {
  case word([UInt8])
  case quoted([UInt8])
  case path(MustacheName)
}
