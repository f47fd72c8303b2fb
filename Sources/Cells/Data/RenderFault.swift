/// Why a row could not be rendered.
package enum RenderFault: Error {
  /// Partials are nested deeper than the limit; the kind is the one that was not entered.
  case tooDeep(kind: String, limit: Int)
  /// All open partials and blocks together indent their lines by more than the limit in bytes; the kind is the one that was not
  /// entered, or the name of the block.
  case tooFarIndented(kind: String, limit: Int)
  /// Loops and calls in all rows of the request exceed the limit.
  case tooMuchWork(limit: Int)
  /// The output exceeds the limit in bytes.
  case outputTooLarge(limit: Int)
  /// Missing names with `missing=error`: the first of them, and the total count.
  case missing([MissingName], count: Int)
  /// The row is a value of this kind, and the cell reads members of an object.
  case notAnObject(JSONKind)
  /// The row is an item, which has the row in its `data`.
  case item
  /// The value of an outlet with `data-include` cannot be the row of the included kind: it is a value of this kind, or an
  /// item if that is nil. It is a node of the row or of the owner.
  case notIncluded(kind: String, JSONKind?, value: UInt32)
  /// Not a fault: the time is over, and the row can be continued. Thrown only if the factory has a time to
  /// pause.
  case paused
}

/// A name that was looked up and has no value, or a value that is wrong where it is.
package struct MissingName: Equatable {
  /// The name as written in the template; of one of more than 1 KiB, the beginning.
  package let name: String
  /// The nearest enclosing object: a node of the row or of the owner; nil if the row is not an object.
  package let object: UInt32?
  /// Whether it is a name of the request's owner: then its first part is `owner`.
  package let isOfOwner: Bool
  /// The format that its value, which is the object, does not fit; nil if it has no value.
  package var misfit: String?
  /// Why the value, which is the object, can be no row of the cell that is included with it.
  package var refusal: String?

  package init(name: String = "", object: UInt32?, isOfOwner: Bool, misfit: String? = nil) {
    self.name = name
    self.object = object
    self.isOfOwner = isOfOwner
    self.misfit = misfit
  }

  /// A value that can be no row of an included cell.
  package init(refused value: UInt32, because refusal: String) {
    self.init(object: value, isOfOwner: false)
    self.refusal = refusal
  }
}

extension RenderFault {
  /// The error message, without a full stop.
  package var description: String {
    switch self {
    case .tooDeep(let kind, let limit): "partials are nested deeper than \(limit) where \"\(kind)\" is called"
    case .tooFarIndented(let kind, let limit):
      "lines are indented by more than \(limit) bytes where \"\(kind)\" is called"
    case .tooMuchWork(let limit): "loops and partials take more than \(limit) turns"
    case .outputTooLarge(let limit): "the output is larger than \(limit) bytes"
    case .missing(let names, let count) where names.contains { $0.misfit != nil }:
      "\(count) names are missing, or their values do not fit their formats: "
        + names.prefix(10).map { name in name.misfit.map { "a value of the format \"\($0)\"" } ?? name.name }
        .joined(separator: ", ")
    case .missing(let names, let count):
      "\(count) names are missing: \(names.prefix(10).map(\.name).joined(separator: ", "))"
    case .notAnObject(let kind): "a row of this kind must be an object, not \(kind.phrase)"
    case .notIncluded(let kind, let value?, _):
      "\"\(kind)\" is included with \(value.phrase), but its row must be an object"
    case .notIncluded(let kind, nil, _):
      "\"\(kind)\" is included with an item, but its row must be the item's data alone"
    case .item: "this is an item: send it to /cells, or its data alone"
    case .paused: "the row has paused"
    }
  }
}
