import CFormats
import CRowPlan
import CellTemplates

/// The formats of one request: ready ones of the locale in force, its clock, and room to print.
///
/// One for each `RequestMemo`, made when a kind first depends on its locale.
final class RequestFormats {
  /// The locale, time zone and time of the rows.
  var setting = RenderSetting() {
    didSet {
      (kind, isSet) = (nil, true)
      clock.pointee = setting.clock.clock
    }
  }
  /// Whether the request has set it.
  private(set) var isSet = false
  private let shelf: FormatShelf
  /// The kind whose locale is in force.
  private var kind: UInt32?
  private(set) var locale: LocaleFormats
  // All freed in `deinit`.
  private let clock: UnsafeMutablePointer<cf_clock>
  private let tables: UnsafeMutablePointer<cf_formats>
  private var scratch: UnsafeMutablePointer<UInt8>
  private var scratchBytes: Int

  /// - Parameter kind: a kind that depends on its locale.
  init(_ shelf: FormatShelf, kind: UInt32) {
    self.shelf = shelf
    guard let table = shelf.table else { preconditionFailure("the kind depends on no locale") }
    locale = shelf.formats(for: shelf.archive.locale(of: kind, for: .none))
    clock = .allocate(capacity: 1)
    clock.initialize(to: setting.clock.clock)
    scratchBytes = Self.scratchBytes(for: locale)
    scratch = .allocate(capacity: scratchBytes)
    scratch.initialize(repeating: 0, count: scratchBytes)
    tables = .allocate(capacity: 1)
    tables.initialize(
      to: cf_formats(ready: locale.ready, formats: table.formats, clock: clock, scratch: scratch))
    self.kind = kind
  }

  deinit {
    tables.deallocate()
    scratch.deallocate()
    clock.deallocate()
  }

  /// Forgets the request's setting.
  func reset() {
    if !isSet { return }
    setting = RenderSetting()
    isSet = false
  }

  /// Puts the locale for a kind's cells in force.
  /// - Returns: what C needs of it, valid until the next call.
  func begin(_ kind: UInt32) -> UnsafePointer<cf_formats> {
    if kind != self.kind { change(to: kind) }
    // Others may have made more of them ready.
    makeRoom()
    return UnsafePointer(tables)
  }

  private func change(to kind: UInt32) {
    self.kind = kind
    locale = shelf.formats(for: shelf.archive.locale(of: kind, for: setting.locales))
    tables.pointee.ready = UnsafePointer(locale.ready)
  }

  /// Makes the scratch large enough for every format that is ready.
  private func makeRoom() {
    let needed = Self.scratchBytes(for: locale)
    if needed <= scratchBytes { return }
    scratch.deallocate()
    scratchBytes = needed
    scratch = .allocate(capacity: needed)
    scratch.initialize(repeating: 0, count: needed)
    tables.pointee.scratch = scratch
  }

  private static func scratchBytes(for locale: LocaleFormats) -> Int {
    let machine = Int(CF_MACHINE_VALUE_BYTES + CF_MACHINE_ATTRIBUTE_BYTES)
    return max(locale.boundBytes, machine) + Int(CF_ESCAPE_PADDING)
  }

  /// The plurals of the locale in force.
  var plurals: (cardinal: OpaquePointer, ordinal: OpaquePointer) { shelf.plurals(of: locale.locale) }

  // MARK: Printing

  /// The number of what replaces a format in the locale in force.
  func number(_ format: UInt32) -> UInt32 { locale.number(format) }

  /// What replaces a format in the locale in force.
  func entry(_ format: UInt32) -> UnsafePointer<FormatEntry> { locale.entry(format) }

  /// Whether a format that C prints is ready.
  func isReady(_ format: UInt32) -> Bool { locale.ready[Int(format)] != nil }

  /// A format, made ready if it is not yet.
  /// - Returns: nil if it is not printed in C.
  func formatter(_ format: UInt32) -> OpaquePointer? {
    if let ready = locale.ready[Int(format)] { return ready }
    let made = locale.make(format)
    makeRoom()
    return made
  }

  /// Prints a text of a value as a format shows it. Not for lists, and formats that cut.
  /// - Parameter currency: the text of the currency, for a format that names it.
  /// - Returns: what is printed, valid until the next call; nil if the text does not fit.
  func print(
    _ text: UnsafeBufferPointer<UInt8>, as format: UInt32, currency: UnsafeBufferPointer<UInt8>?
  ) -> UnsafeRawBufferPointer? {
    guard let formatter = formatter(format), let start = text.baseAddress else { return nil }
    let count = cf_print(
      formatter, start, text.count, currency?.baseAddress, currency?.count ?? 0, clock, scratch)
    return count < 0 ? nil : UnsafeRawBufferPointer(start: scratch, count: Int(count))
  }

  /// Prints the attribute that programs read of a text.
  /// - Parameter own: what replaces the format.
  func printMachine(
    _ text: UnsafeBufferPointer<UInt8>, as format: UInt32, _ own: cf_format?
  ) -> UnsafeRawBufferPointer? {
    guard let start = text.baseAddress, text.count <= Int(CF_MACHINE_VALUE_BYTES) else { return nil }
    var own = own ?? tables.pointee.formats![Int(format)]
    let count = cf_write_machine(&own, start, text.count, scratch)
    return count < 0 ? nil : UnsafeRawBufferPointer(start: scratch, count: Int(count))
  }
}
