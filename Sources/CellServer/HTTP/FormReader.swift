import Cells

/// Form fields on their way to be the data of one row, a slice at a time: measured, read, and written as JSON.
///
/// The text stays the caller's, and is the same in every call. Confined to the worker's thread.
final class FormReader {
  /// Bytes that are gone through between two looks at the clock.
  static let pieceBytes = 64 << 10
  /// The same for pairs, which take more time than their bytes.
  private static let piecePairs = 256

  private let depthLimit: Int
  private let fieldLimit: Int
  private var size = FormSize()
  private var measuredBytes = 0
  private(set) var isMeasured = false
  /// Empty until the text is measured.
  private var fields: FormFields
  private var isReading = false
  private var pairs = FormPairs()
  /// What is left of the value that is being read.
  private var value: Range<Int>?
  /// Of the fields, once all are read.
  private var writer: FieldTree.Writer
  private var isRead = false

  init(depthLimit: Int, fieldLimit: Int) {
    self.depthLimit = depthLimit
    self.fieldLimit = fieldLimit
    fields = FormFields(FormSize(), depthLimit: depthLimit)
    writer = fields.writer()
  }

  // MARK: Measuring

  /// Goes on measuring; false: there is more. Throws `.bodyTooLarge` for too many fields.
  func measure(_ text: borrowing Span<UInt8>, _ slice: inout Slice) throws(Problem) -> Bool {
    if text.count > FieldTree.textLimitBytes {
      throw Problem(.bodyTooLarge, detail: "form fields of more than \(FieldTree.textLimitBytes) bytes")
    }
    while measuredBytes < text.count {
      let end = min(measuredBytes + Self.pieceBytes, text.count)
      size.add(text, measuredBytes..<end)
      measuredBytes = end
      if size.fields > fieldLimit { throw FormFields.tooMany(limit: fieldLimit) }
      if end < text.count && slice.isOver() { return false }
    }
    isMeasured = true
    return true
  }

  /// An upper bound of the memory that reading takes, the JSON included. Once all is measured.
  var estimatedBytes: Int { FieldTree.estimatedBytes(size) }

  // MARK: Reading

  /// Goes on reading and writing; nil: there is more. The text is measured. Throws `.badRequest`, `.tooDeep`, or
  /// `.bodyTooLarge` for a name that is too long.
  func read(_ text: borrowing Span<UInt8>, _ slice: inout Slice) throws(Problem) -> ByteBuffer? {
    if !isRead {
      if !isReading {
        fields = FormFields(size, depthLimit: depthLimit)
        isReading = true
      }
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
    var (pairCount, start) = (0, pairs.position)
    while true {
      if let range = value {
        let end = PercentDecoding.pieceEnd(text, range, bytes: Self.pieceBytes)
        try fields.addToValue(text, range.lowerBound..<end, isLast: end == range.upperBound)
        value = end < range.upperBound ? end..<range.upperBound : nil
        if value != nil {
          if slice.isOver() { return false }
          continue
        }
      }
      guard let pair = pairs.next(in: text) else { return true }
      if !pair.isEmpty {
        try fields.begin(pair, of: text)
        value = pair.value
      }
      pairCount += 1
      if pairCount == Self.piecePairs || pairs.position - start >= Self.pieceBytes {
        (pairCount, start) = (0, pairs.position)
        if slice.isOver() { return false }
      }
    }
  }
}
