import CellTemplates

/// Which names a row must have.
extension DataShape {
  /// Whether the outlet contains no others; one that does may stay unfilled.
  private func holdsNone(_ part: PartEntry) -> Bool {
    guard part.knownRole == .outlet || part.knownRole == .taggedOutlet else { return true }
    return archive.tables.$outlets[Int(part.entry)].held != OutletEntry.Held.outlets.rawValue
  }

  /// Whether a name without a value makes the row bad with `missing=error`.
  func isJudged(_ part: PartEntry) -> Bool {
    switch ownPolicy(of: part) {
    case .some(.none): holdsNone(part)
    case .error, .ownError: isRequired(part)
    case Optional.none, .drop, .keep, .blank: false
    }
  }

  /// Whether a name without a value makes the row bad, whatever the request says. An outlet that holds others does so only
  /// if its own element says it.
  func isRequired(_ part: PartEntry) -> Bool {
    switch ownPolicy(of: part) {
    case .ownError: true
    case .error: holdsNone(part)
    case Optional.none, .some(.none), .drop, .keep, .blank: false
    }
  }

  /// Whether an object without `text` makes the row bad, whatever the request says.
  func isTextRequired(_ part: PartEntry) -> Bool {
    isRequired(part) && archive.tables.$outlets[Int(part.entry)].held != OutletEntry.Held.label.rawValue
      && Self.firstSegment(of: archive.bytes(part.name)) != Array("owner".utf8)
  }

  /// The part whose value is shown with a currency, if that is needed where the value is, unless it is `null`. An outlet's value may
  /// be an empty list.
  func neededWithItsValue(_ currency: CurrencyName) -> PartEntry? {
    let isPrinted = [.variable, .bind, .bound].contains(currency.shown.knownRole)
    return currency.use == .inEachLocale && isPrinted ? currency.shown : nil
  }

  /// What the place of an outlet, a value, a plural's count, or an attribute in no outlet of its own says of missing names;
  /// nil for other parts.
  private func ownPolicy(of part: PartEntry) -> MissingPolicy.Own? {
    switch part.knownRole {
    case .outlet, .taggedOutlet: MissingPolicy.Own(rawValue: archive.tables.$outlets[Int(part.entry)].missing)
    case .bind where archive.tables.$binds[Int(part.entry)].marks & BindEntry.Marks.isBeside.rawValue == 0:
      // Of an element that goes without its file, the other attributes are not always reached.
      isOfFile(part) && files[Self.position(of: part)] == 1 || files[Self.position(of: part)] == nil
        ? MissingPolicy.Own(rawValue: archive.tables.$binds[Int(part.entry)].missing) : nil
    case .variable, .bound, .dynamic: MissingPolicy.Own(rawValue: part.entry)
    case .condition:
      ConditionEntry.Categories(rawValue: archive.tables.$conditions[Int(part.entry)].categories).policy
    default: nil
    }
  }

  /// Whether a part sets an attribute without which an image goes.
  func isOfFile(_ part: PartEntry) -> Bool {
    if part.knownRole != .bind { return false }
    let attribute = archive.bytes(part.element)
    return ["src", "srcset", "href", "xlink:href"].contains { attribute.elementsEqual($0.utf8) }
  }

  /// What the parts of one element have in common.
  static func position(of part: PartEntry) -> UInt64 { UInt64(part.line) << 32 | UInt64(part.column) }
}
