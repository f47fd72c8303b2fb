import CRowPlan
import CellTemplates

/// Finds the values of a cell's outlets in one row, by the rules of `MemberLookup`, as the template does.
///
/// Sections are entered as in rendering: a section that is not rendered is skipped, a list is iterated.
/// Called partials are other kinds with their own outlets.
struct OutletValues: ~Copyable {
  enum Finding {
    /// - Parameter isRepeated: whether it belongs to an item of a list.
    case value(JSONTape.Index, isRepeated: Bool)
    /// There are no more values.
    case end
    /// The time is over. Call again to continue.
    case pause
  }

  private var lookup: OutletLookup
  private let outlets: TopLevelOutlets
  private let limits: RenderLimits
  private var outlet: OutletEntry?
  /// The numbers of the sections around the outlet, outermost first, and how many of them are entered.
  private var sections: [UInt32] = []
  private var enteredCount = 0
  /// The row and what the entered sections have pushed; inverted ones push nothing.
  private var contexts = ContextStack()
  /// Whether to enter the next section; otherwise the innermost one is left or moved to its next item.
  private var isEntering = false
  /// Steps between two checks of the clock, over all rows; `memo.stepsLeft` are left until the next one.
  private static let stepsPerLook = 256

  /// Takes what a look-up is made of, and the limits.
  init(
    _ archive: CellArchive, kind: UInt32, _ outlets: TopLevelOutlets, _ context: RowContext,
    on tape: JSONTape, _ memo: RequestMemo, _ limits: RenderLimits
  ) {
    self.outlets = outlets
    lookup = OutletLookup(archive, kind: kind, outlets, context, memo, tape)
    self.limits = limits
  }

  /// The row's tape, updated when its text may have moved.
  var tape: JSONTape {
    get { lookup.tape }
    set { lookup.tape = newValue }
  }

  /// Starts to look for the values of an outlet.
  /// - Parameter index: of the outlet in its group.
  mutating func begin(_ index: Int, of group: Int) {
    outlet = outlets.tables.outlets[Int(outlets.outlet(index, of: group).entry)]
    outlets.findSections(around: index, of: group, &sections)
    lookup.note(steps: sections.count)
    lookup.memo.stepsLeft -= sections.count / 16
    enteredCount = 0
    contexts.removeAll()
    contexts.push(ContextStack.Context(value: RenderValue(node: lookup.context.row)), isScope: false)
    isEntering = true
  }

  /// The outlet's next value, in rendering order.
  mutating func next() throws(RenderFault) -> Finding {
    guard let outlet else { return .end }
    while true {
      if lookup.memo.stepsLeft <= 0 || lookup.isLookDue {
        lookup.memo.stepsLeft = Self.stepsPerLook
        lookup.noteLook()
        if lookup.memo.pause.isOver() { return .pause }
      }
      lookup.memo.stepsLeft -= 1
      if isEntering {
        // The same limit as for rendering, because sections in overrides of a block that is never rendered
        // may iterate only here.
        lookup.iterations += 1
        if lookup.iterations > limits.iterations { throw .tooMuchWork(limit: limits.iterations) }
        if enteredCount == sections.count {
          guard let value = try findOutlet(outlet) else { return .pause }
          isEntering = false
          if value.isNode { return .value(value.raw, isRepeated: contexts.innermostItem().item != nil) }
        } else {
          guard let isEntered = try enter(outlets.section(sections[enteredCount])) else { return .pause }
          isEntering = isEntered
        }
      } else {
        if enteredCount == 0 { return .end }
        enteredCount -= 1
        // These push nothing.
        if outlets.section(sections[enteredCount]).knownRole != .section { continue }
        if contexts.moveToNextItem(on: tape) {
          enteredCount += 1
          isEntering = true
        }
      }
    }
  }

  /// The value of the outlet in the entered sections; nil if the time is over.
  private mutating func findOutlet(_ outlet: OutletEntry) throws(RenderFault) -> RenderValue? {
    do throws(RenderFault) {
      return try lookup.findOutletPath(lookup.path(outlet.path), slot: 0, in: &contexts)
    } catch {
      try lookup.pause(error)
      return nil
    }
  }

  /// Enters a section or condition; returns false if it is not rendered, and nil if the time is over.
  private mutating func enter(_ section: PartEntry) throws(RenderFault) -> Bool? {
    do throws(RenderFault) {
      let isEntered: Bool
      switch section.knownRole {
      case .condition where isOfPlural(section):
        let value = try lookup.findOutletPath(lookup.path(path(of: section)), slot: 0, in: &contexts)
        isEntered =
          if isElementDropped(section, without: value) {
            false
          } else {
            try lookup.holds(section.entry, for: value, slot: 0, in: &contexts)
          }
      case .condition: isEntered = try lookup.holds(section.entry, slot: 0, in: &contexts)
      case .plural:
        let value = try lookup.findPath(lookup.path(path(of: section)), slot: 0, in: &contexts)
        isEntered = try lookup.holds(section.entry, for: value, slot: 0, in: &contexts)
      case .inverted: isEntered = try !tape.isTruthy(find(section))
      default: isEntered = contexts.enterSection(try find(section), on: tape)
      }
      if isEntered { enteredCount += 1 }
      return isEntered
    } catch {
      try lookup.pause(error)
      return nil
    }
  }

  private func path(of condition: PartEntry) -> UInt32 { outlets.conditions.rows[Int(condition.entry)].path }

  private func isOfPlural(_ condition: PartEntry) -> Bool {
    outlets.conditions.rows[Int(condition.entry)].comparison == ConditionEntry.Comparison.plural.rawValue
  }

  /// Whether the element of a plural is not there, because its count is missing or `null`.
  private func isElementDropped(_ condition: PartEntry, without value: RenderValue) -> Bool {
    let row = outlets.conditions.rows[Int(condition.entry)]
    guard let policy = ConditionEntry.Categories(rawValue: row.categories).elementPolicy else { return false }
    return tape.isNothing(value) && policy.policy(orOfRequest: limits.missing) == .drop
  }

  private mutating func find(_ section: PartEntry) throws(RenderFault) -> RenderValue {
    try lookup.findPath(lookup.path(section.entry), slot: 0, in: &contexts)
  }
}

/// Looks up the names of outlets and of the sections around them.
private struct OutletLookup: MemberLookup {
  let context: RowContext
  let memo: RequestMemo
  var tape: JSONTape

  init(
    _ archive: CellArchive, kind: UInt32, _ outlets: TopLevelOutlets, _ context: RowContext,
    _ memo: RequestMemo, _ tape: JSONTape
  ) {
    self.outlets = outlets
    self.context = context
    self.memo = memo
    self.tape = tape
    formats = archive.rowUses(of: kind).has(.locale) ? memo.formats(of: kind) : nil
    _ = formats?.begin(kind)
  }

  // Valid as long as the archive, which they hold.
  private let outlets: TopLevelOutlets
  var names: UnsafePointer<NameEntry> { outlets.tables.names }
  var segments: UnsafePointer<UInt32> { outlets.tables.segments }
  func path(_ number: UInt32) -> UnsafePointer<PathEntry> { outlets.tables.paths + Int(number) }

  var lookups: LookupMemo { memo.lookups }

  var iterations: Int {
    get { memo.iterations }
    set { memo.iterations = newValue }
  }

  mutating func rowMember(_ name: UInt32) throws(RenderFault) -> JSONTape.Index? {
    try value(named: name, in: context.row)
  }

  /// Without hints, because each name is looked up once for each row or item.
  mutating func member(
    _ name: UInt32, slot: UInt32, of object: JSONTape.Index
  ) throws(RenderFault) -> JSONTape.Index? {
    try value(named: name, in: object)
  }

  mutating func isTimeOver() -> Bool { memo.pause.isOver() }

  /// After a look-up that has paused, which will be done again.
  mutating func pause(_ fault: RenderFault) throws(RenderFault) {
    guard case .paused = fault else { throw fault }
    // The iteration is counted when the look-up is done again.
    iterations -= 1
    lookups.isUnfinished = false
  }

  /// Of no interest here.
  var isInOwner = false

  var conditions: Conditions {
    var conditions = outlets.conditions
    if let formats { (conditions.cardinal, conditions.ordinal) = formats.plurals }
    return conditions
  }

  var localeTexts: (tag: String, direction: String) { formats?.locale.texts ?? ("", "") }

  private let formats: RequestFormats?

  // These do nothing: values of outlets are not recorded for plans.
  mutating func noteForeign() {}
  mutating func noteComparison(
    _ condition: UInt32, _ value: JSONTape.Index, _ other: JSONTape.Index?, holds: Bool
  ) {}
  mutating func noteLongText() {}

  /// Turns up to the last check of the clock.
  private var iterationsAtLook = 0
  /// Whether a look-up has taken so long that the clock is checked before the next step.
  private(set) var isLookDue = false

  mutating func lookSoon() {
    if iterations - iterationsAtLook > RowPause.iterationsPerLook { isLookDue = true }
  }

  mutating func noteLook() {
    iterationsAtLook = iterations
    isLookDue = false
  }
}
