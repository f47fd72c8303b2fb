import CellTemplates
import Cells

/// Checks that handwritten renderers have the same output as the templates, for a workload's rows and for
/// random changes of them.
struct HandCheck {
  let archive: CellArchive
  let workload: Workload
  let cell: ByHand
  let turns: Int

  /// Returns the number of batches compared. Exits the program at the first difference.
  func run(_ json: [UInt8]) -> Int {
    let stages = stages(of: json)
    compare(stages, json)
    let rows = rows(of: stages)
    var names: Set<String> = ["text", "owner"]
    for row in rows { Self.collectNames(of: row, in: &names) }
    var mutator = RowMutator(seed: 1, names: names.sorted())
    for turn in 0..<turns {
      // A bad row ends a batch: a value that is no object, or one that an included cell cannot take.
      let mutated = (0..<4).map { _ in mutator.mutated(rows.randomElement(using: &mutator)!) }
      let batch = mutated.filter { row in
        stages.replaceRows(by: Array(JSONTree.array([row]).json.utf8))
        _ = stages.parse()
        return stages.rendered() != nil
      }
      let json = Array(JSONTree.array(batch).json.utf8)
      stages.replaceRows(by: json)
      _ = stages.parse()
      let count = compare(stages, json)
      if turn % 16 == 0 {
        compare(self.stages(of: json, limit: Int.random(in: 0...count + 64, using: &mutator)), json)
      }
    }
    return turns + 1
  }

  private func stages(of json: [UInt8], limit: Int? = nil) -> CellStages {
    let stages = CellStages(
      archive: archive, kind: workload.kind, json: json, reuse: ReusePolicy(), outputLimitBytes: limit)
    _ = stages.parse()
    return stages
  }

  private func rows(of stages: CellStages) -> [JSONTree] {
    var tree = JSONTree.array([])
    _ = stages.rendered { (rows, _) throws(OutputTooLarge) in tree = JSONTree(rows.root, of: rows) }
    guard case .array(let rows) = tree else { preconditionFailure("the rows are a list") }
    return rows
  }

  private static func collectNames(of tree: JSONTree, in names: inout Set<String>) {
    switch tree {
    case .scalar: return
    case .array(let items): for item in items { collectNames(of: item, in: &names) }
    case .object(let members):
      for member in members {
        names.insert(member.name)
        collectNames(of: member.value, in: &names)
      }
    }
  }

  /// Returns the number of bytes rendered.
  @discardableResult
  private func compare(_ stages: CellStages, _ json: [UInt8]) -> Int {
    let template = stages.rendered()
    let hand = cell.rendered(stages)
    if template == hand { return template?.count ?? 0 }
    let (left, right) = (template.map(Self.text) ?? "(too much)", hand.map(Self.text) ?? "(too much)")
    fatalError("\(workload.kind): \(Self.text(json))\n--- template\n\(left)\n--- by hand\n\(right)")
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
