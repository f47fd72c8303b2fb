/// The words of a class at a place in it, as AngularJS reads them: all that the word there may have begun with, and the
/// directives so far.
///
/// Sections, blocks and partials put words together: `ng-{{#a}}zz{{/a}}form`. What a word has begun with is a state of an
/// automaton that reads like `AngularDirective.normalized`. So there are few, and where two branches meet, each of both counts.
struct AngularWords: Hashable {
  /// A bit for each state. None if the word can become no directive.
  private var states = AngularWords.start
  /// The states that ended a directive.
  private var found: UInt64 = 0

  /// Reads a part, with references decoded. The word that it ends in counts, whatever follows.
  mutating func read(_ part: some Sequence<UInt8>) {
    for byte in part { feed(byte) }
    found |= states & Self.complete
  }

  private mutating func feed(_ byte: UInt8) {
    guard AngularDirective.isOfWord(byte) else {
      found |= states & Self.complete
      states = Self.start
      return
    }
    var next: UInt64 = 0
    while states != 0 {
      let step = Self.steps[states.trailingZeroBitCount << 7 | Int(byte)]
      if step != Self.none { next |= UInt64(1) << step }
      states &= states - 1
    }
    states = next
  }

  /// Called for a value, which may be empty or end a word, and where a section, block or call starts or ends.
  mutating func branch() { states |= Self.start }

  /// Called where a block ends, since an override prints something else: nothing, or what begins a name.
  mutating func endBlock(begunIn entry: AngularWords) { states |= entry.states | Self.beginnings }

  func joined(with other: AngularWords) -> AngularWords {
    var both = self
    both.states |= other.states
    both.found |= other.found
    return both
  }

  var directives: [AngularDirective.InClass] {
    if found == 0 { return [] }
    return zip(AngularDirective.ofClasses, Self.ends).filter { found & $1 != 0 }.map { $0.0 }
  }

  // MARK: The automaton

  /// What each state has read: nothing, a part of what is before a name, or a part of a name as it is normalized. A `-` is one
  /// or several separators.
  private static let forms: [[UInt8]] = {
    var forms = ([""] + prefixes + ["-"]).map { Array($0.utf8) }
    for directive in AngularDirective.ofClasses {
      let name = Array(directive.directive.utf8)
      for end in 1...name.count {
        let form = Array(name[..<end])
        if !forms.contains(form) { forms.append(form) }
        // Only capitals have separators before them.
        let takesSeparator = end == name.count || name[end] != HTMLTokenizer.lowercased(name[end])
        if takesSeparator, !forms.contains(form + separator) { forms.append(form + separator) }
      }
    }
    return forms
  }()

  private static let prefixes = ["x", "d", "da", "dat", "data"]
  private static let separator = [UInt8(ascii: "-")]

  /// What a byte of a word makes of what was read before; nil if that begins no directive.
  private static func extended(_ form: [UInt8], by byte: UInt8) -> [UInt8]? {
    if AngularDirective.isSeparator(byte) {
      // In front of the name they mean nothing.
      if ["", "x", "data"].contains(where: { $0.utf8.elementsEqual(form) }) { return separator }
      return form.last == separator[0] ? form : form + separator
    }
    let prefix = form + [HTMLTokenizer.lowercased(byte)]
    if prefixes.contains(where: { $0.utf8.elementsEqual(prefix) }) { return prefix }
    if form == separator { return byte == UInt8(ascii: "n") ? [byte] : nil }
    guard form.last == separator[0] else { return form + [byte] }
    let isLower = UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
    return Array(form.dropLast()) + [isLower ? byte ^ 0x20 : byte]
  }

  private static let none = UInt8.max

  /// The next state for each state and byte.
  private static let steps: [UInt8] = {
    var steps = [UInt8](repeating: none, count: forms.count << 7)
    for (state, form) in forms.enumerated() {
      for byte in UInt8(0)..<0x80 where AngularDirective.isOfWord(byte) {
        guard let next = extended(form, by: byte), let number = forms.firstIndex(of: next) else { continue }
        steps[state << 7 | Int(byte)] = UInt8(number)
      }
    }
    return steps
  }()

  private static let start: UInt64 = 1
  /// The start, and all that is before a name, and its first letter.
  private static let beginnings = mask { $0.count < 2 || $0.starts(with: "da".utf8) }
  /// The states that end each directive.
  private static let ends: [UInt64] = AngularDirective.ofClasses.map { directive in
    mask { form in form.prefix { $0 != separator[0] }.elementsEqual(directive.directive.utf8) }
  }
  private static let complete = ends.reduce(UInt64(0)) { $0 | $1 }

  /// The bits of some states.
  private static func mask(where isOne: ([UInt8]) -> Bool) -> UInt64 {
    forms.indices.reduce(UInt64(0)) { isOne(forms[$1]) ? $0 | UInt64(1) << $1 : $0 }
  }
}
