import CellTemplates

/// Reads `formats.json`, which gives formats names of one's own.
///
/// ```
/// {"price": "currency EUR", "day": "date long", "day@ja": "date full"}
/// ```
struct FormatsFile {
  /// The file's name. It lies in the templates folder itself.
  static let fileName = "formats.json"
  /// The most errors that are reported.
  private static let errorLimit = 100
  /// The most entries.
  private static let entryLimit = FormatVariantEntry.limit

  private let file: String
  private let bytes: [UInt8]
  private let tape: JSONTape
  private let budget: LoadBudget
  private var errors: [Diagnostic] = []

  /// - Parameter file: the path as diagnostics print it.
  /// - Throws: every error in the file, up to a limit.
  static func read(
    _ bytes: [UInt8], file: String, budget: LoadBudget
  ) throws(TemplateErrors) -> NamedFormats {
    budget.file = file
    guard budget.spend(bytes.count) else { return .none }
    // Skips a byte order mark, as templates do.
    let mark = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    var text = ByteBuffer(capacity: bytes.count)
    text.append(bytes)
    let parser = JSONParser()
    let root: JSONTape.Index
    do throws(JSONFault) {
      root = try parser.parse(
        &text, in: mark..<text.count, names: JSONNames([]), depthLimit: JSONParser.defaultDepthLimit)
    } catch {
      let position = bytes.withUnsafeBytes { lineAndColumn(of: error.offset, in: $0) }
      throw TemplateErrors([
        Diagnostic(
          .invalidFormat, file: file, line: position.line, column: position.column,
          message: "invalid JSON: \(error.reason)", hint: "write an object: {\"price\": \"currency EUR\"}")
      ])
    }
    var reader = FormatsFile(file: file, bytes: bytes, tape: parser.tape(over: text), budget: budget)
    let names = reader.readNames(of: root)
    // The tape points into both.
    withExtendedLifetime(parser) {}
    text.truncate(to: 0)
    if !reader.errors.isEmpty { throw TemplateErrors(reader.errors) }
    return names
  }

  private init(file: String, bytes: [UInt8], tape: JSONTape, budget: LoadBudget) {
    self.file = file
    self.bytes = bytes
    self.tape = tape
    self.budget = budget
  }

  private mutating func readNames(of root: JSONTape.Index) -> NamedFormats {
    guard tape.kind(root) == .object else {
      report(
        .invalidFormat, at: root, "formats are an object", hint: "write {\"price\": \"currency EUR\"}")
      return .none
    }
    var entries: [NamedFormats.Entry] = []
    var keys: [String: JSONTape.Index] = [:]
    var key = root + 1
    while key < tape.end(root), budget.spend() {
      let name = String(decoding: tape.bytes(key), as: UTF8.self)
      if entries.count == Self.entryLimit {
        report(.invalidFormat, at: key, "there are more than \(Self.entryLimit) names", hint: "remove some")
        break
      }
      if keys[name] != nil {
        report(
          .invalidFormat, at: key, "\"\(NameRule.shown(Array(name.utf8)))\" is there twice",
          hint: "remove one")
      }
      keys[name] = key
      if let entry = entry(name, at: key, tape.kind(key + 1) == .string ? key + 1 : nil) {
        entries.append(entry)
      }
      key = tape.end(key + 1)
    }
    let (names, faults) = NamedFormats.names(of: entries)
    for (name, fault) in faults {
      guard let key = keys[name] else { continue }
      report(fault.code, at: key, fault.message, hint: fault.hint)
    }
    return names
  }

  /// - Parameter value: nil if it is no string.
  private mutating func entry(
    _ name: String, at key: JSONTape.Index, _ value: JSONTape.Index?
  ) -> NamedFormats.Entry? {
    guard let value else {
      report(.invalidFormat, at: key + 1, "a format is a text", hint: "write \"currency EUR\"")
      return nil
    }
    do throws(NamedFormats.Fault) {
      return try NamedFormats.entry(name, Array(tape.bytes(value)))
    } catch {
      let position = error.offset == nil ? key : value
      report(
        error.code, at: position, skipping: error.offset.map { $0 + 1 } ?? 0, error.message, hint: error.hint)
      return nil
    }
  }

  /// - Parameter count: bytes from the node's start to the place; as far as the string has no escapes.
  private mutating func report(
    _ code: DiagnosticCode, at node: JSONTape.Index, skipping count: Int = 0, _ message: String, hint: String
  ) {
    if errors.count == Self.errorLimit { return }
    // Strings begin after their quote.
    let isString = tape.kind(node) == .string || tape.kind(node) == .key
    let offset = tape.offset(node) - (isString ? 1 : 0) + count
    let position = bytes.withUnsafeBytes { lineAndColumn(of: min(offset, $0.count), in: $0) }
    budget.spend(offset)
    errors.append(
      Diagnostic(code, file: file, line: position.line, column: position.column, message: message, hint: hint)
    )
  }
}
