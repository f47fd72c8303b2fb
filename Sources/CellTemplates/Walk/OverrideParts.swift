/// What the overrides of one block print, by the parent tag that each is in; and which of them may be printed while another parent
/// tag is open.
///
/// Of two tags that are open at the same time, one was opened inside the other: by what is in the other's overrides, or in a program
/// that is called while it is open. Many tags may override a block, as each page overrides its layout's, and few of them are ever open
/// together.
struct OverrideParts {
  /// What is in the override of one tag.
  struct Part {
    let tag: ParentTag
    /// The places of the blocks.
    let blocks: [Int]
    /// The parent tags.
    let inner: [ParentTag]
  }

  private let parts: [Part]
  /// The numbers of the parts of each tag, of those in each program, and of those whose tags call each program.
  private var ofTag: [ObjectIdentifier: [Int]] = [:]
  private var inProgram: [Int: [Int]] = [:]
  private var calling: [Int: [Int]] = [:]
  /// Those of tags that call so much that it is not followed.
  private var callingMuch: [Int] = []
  /// The programs that are called while a tag is open; nil if they are too many to follow.
  private let programs: (ParentTag) -> [Int]?

  init(_ parts: [Part], programs: @escaping (ParentTag) -> [Int]?) {
    self.parts = parts
    self.programs = programs
    for (number, part) in parts.enumerated() {
      ofTag[ObjectIdentifier(part.tag), default: []].append(number)
      inProgram[part.tag.program, default: []].append(number)
      if let called = programs(part.tag) {
        for program in called { calling[program, default: []].append(number) }
      } else {
        callingMuch.append(number)
      }
    }
  }

  /// The parts that may be printed while a tag is open, in order.
  func printed(inside tag: ParentTag) -> [Part] {
    guard parts.count > 1, let called = programs(tag) else { return parts }
    var found = Set(callingMuch)
    found.formUnion(ofTag[ObjectIdentifier(tag)] ?? [])
    found.formUnion(calling[tag.program] ?? [])
    for program in called { found.formUnion(inProgram[program] ?? []) }
    for others in [tag.around] + tag.within.values {
      for other in others { found.formUnion(ofTag[ObjectIdentifier(other)] ?? []) }
    }
    return found.count == parts.count ? parts : found.sorted().map { parts[$0] }
  }
}
