import Cells

/// Turns form fields into the JSON of one row, one slice at a time: measures, reads, then writes.
///
/// The caller owns the text and must pass the same text to every call. Confined to the worker's thread.
final class FormReader {
  /// Bytes processed between two clock checks.
  static let pieceBytes = 64 << 10
  /// Names processed between two clock checks, those of nested objects included. A name costs more than its bytes.
  static let pieceNames = 1024

  private let depthLimit: Int
  private let fieldLimit: Int
  private var size = FormSize()
  private var measuredBytes = 0
  private(set) var isMeasured = false
  /// Empty until the text is measured.
  private var fields: FormFields
  private var isReading = false
  private var pairs = FormPairs()
  /// The part of the current value not yet read.
  private var value: Range<Int>?
  /// Checks the current value, if it is JSON.
  private var finder: JSONFaultFinder?
  /// Writes the fields, once all are read.
  private var writer: FieldTree.Writer
  private var isRead = false

  init(depthLimit: Int, fieldLimit: Int) {
    self.depthLimit = depthLimit
    self.fieldLimit = fieldLimit
    fields = FormFields(FormSize(), depthLimit: depthLimit)
    writer = fields.writer()
  }

  // MARK: Measuring

  /// Continues measuring. Returns false if there is more. Throws `.bodyTooLarge` for too many fields.
  func measure(_ text: borrowing Span<UInt8>, _ slice: inout Slice) throws(Problem) -> Bool {
    if text.count > FieldTree.textLimitBytes {
      throw Problem(.bodyTooLarge, detail: "the form fields have more than \(FieldTree.textLimitBytes) bytes")
    }
    while measuredBytes < text.count {
      let end = min(measuredBytes + Self.pieceBytes, text.count)
      size.add(text, measuredBytes..<end)
      measuredBytes = end
      try FormFields.check(size, fieldLimit: fieldLimit)
      if end < text.count && slice.isOver() { return false }
    }
    isMeasured = true
    return true
  }

  /// An upper bound of the memory for reading, including the JSON. Valid once measuring is complete.
  var estimatedBytes: Int { FieldTree.estimatedBytes(size) }

  // MARK: Reading

  /// Continues reading and writing. Returns nil if there is more. The text must have been measured. Throws
  /// `.badRequest`, `.tooDeep`, or `.bodyTooLarge` for a name that is too long.
  func read(_ text: borrowing Span<UInt8>, _ slice: inout Slice) throws(Problem) -> ByteBuffer? {
    if !isRead {
      if !isReading {
        fields = FormFields(size, depthLimit: depthLimit)
        isReading = true
      }
      while !fields.prepare() { if slice.isOver() { return nil } }
      if try !readPairs(of: text, &slice) { return nil }
      writer = fields.writer()
      isRead = true
    }
    while !writer.write(fields.tree, bytes: Self.pieceBytes) { if slice.isOver() { return nil } }
    return writer.takeBuffer()
  }

  private func readPairs(of text: borrowing Span<UInt8>, _ slice: inout Slice) throws(Problem)
    -> Bool
  {
    var (names, start) = (0, pairs.position)
    while true {
      if let range = value {
        let end = PercentDecoding.pieceEnd(text, range, bytes: Self.pieceBytes)
        try fields.addToValue(text, range.lowerBound..<end, isLast: end == range.upperBound)
        value = end < range.upperBound ? end..<range.upperBound : nil
        if value != nil {
          if slice.isOver() { return false }
          continue
        }
        if fields.isJSON { finder = fields.faultFinder() }
      }
      if let finder {
        while try !fields.check(by: finder, bytes: Self.pieceBytes, text) {
          if slice.isOver() { return false }
        }
        self.finder = nil
      }
      guard let pair = pairs.next(in: text) else { return true }
      if !pair.isEmpty {
        try fields.begin(pair, of: text)
        value = pair.value
        names += fields.depth
      }
      if names >= Self.pieceNames || pairs.position - start >= Self.pieceBytes {
        (names, start) = (0, pairs.position)
        if slice.isOver() { return false }
      }
    }
  }
}
