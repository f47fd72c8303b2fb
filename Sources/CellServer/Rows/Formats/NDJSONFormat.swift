import Cells

extension RowFormat {
  /// One row object per line.
  package static let ndjson = RowFormat(
    "ndjson", type: "application", subtype: "x-ndjson", contentType: "application/x-ndjson",
    content: .objects, schema: "AnswerLines", terminator: "\n",
    breakOff: { problem, _, output in
      output.append("{\"error\":")
      problem.append(to: &output)
      output.append("}\n")
      return .complete
    })
}
