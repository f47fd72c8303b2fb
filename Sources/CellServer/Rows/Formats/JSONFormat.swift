import Cells

extension RowFormat {
  /// One object with all row objects and the number of skipped rows.
  package static let json = RowFormat(
    "json", type: "application", subtype: "json", contentType: "application/json", content: .objects,
    schema: "RowsAnswer", opening: "{\"rows\":[", separator: ",",
    close: { errorCount, output in
      output.append("],\"errors\":")
      output.append(decimal: errorCount)
      output.append(byte: UInt8(ascii: "}"))
    },
    breakOff: { problem, badRows, output in
      output.append("],\"errors\":")
      output.append(decimal: badRows)
      JSONRowWriter.append(problem: problem, to: &output)
      output.append(byte: UInt8(ascii: "}"))
      return .complete
    })
}
