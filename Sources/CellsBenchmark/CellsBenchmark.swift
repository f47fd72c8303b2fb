import CellTemplates
import Cells
import Foundation

/// Measures the stages of rendering rows in process: parse, populate, render; with and without reuse; and
/// compares handwritten renderers for the cells of some workloads.
///
/// Usage: `cells-benchmark [--templates DIR] [--workloads DIR] [--only NAME] [--seconds N] [--stage NAME]
/// [--check N]`; `workloads.py --output DIR` writes the workloads. With `--check` nothing is measured: the
/// output of handwritten renderers is compared with that of the templates, for each workload with N batches
/// of rows that were changed at random.
@main
struct CellsBenchmark {
  static func main() throws {
    let options = Options(Array(CommandLine.arguments.dropFirst()))
    let archive = try CellArchive.compiling(folder: options.templates)
    let folder = try options.workloads ?? writeWorkloads()
    defer { if options.workloads == nil { try? FileManager.default.removeItem(atPath: folder) } }
    let workloads = try Workload.all(in: folder).filter { options.only == nil || options.only == $0.name }
    guard !workloads.isEmpty else { preconditionFailure("no workload \(options.only ?? "")") }
    if options.stage == nil && options.check == nil { print(header) }
    for workload in workloads {
      let json = try [UInt8](Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(workload.name).json")))
      let stages = CellStages(
        archive: archive, kind: workload.kind, json: json, reuse: ReusePolicy(),
        outputLimitBytes: options.stage == nil ? nil : countedOutputBytes,
        escapesAsText: options.stage == "text")
      let hand = ByHand(workload.kind, stages)
      if let turns = options.check {
        guard let hand else { continue }
        let count = HandCheck(archive: archive, workload: workload, cell: hand, turns: turns).run(json)
        print("\(workload.name): \(count) batches rendered alike")
      } else if let stage = options.stage {
        run(stage, of: stages, hand, turns: options.turns)
      } else {
        let fresh = CellStages(archive: archive, kind: workload.kind, json: json, reuse: .off)
        print(line(workload, json.count, stages, fresh, hand, seconds: options.seconds))
      }
    }
  }

  /// Instruction counts may use more rows than a server would answer.
  private static let countedOutputBytes = 1 << 32

  private static let columns = [
    "workload", "rows", "parse, ns/row", "populate, ns/row", "render, ns/row", "render, bytes/ns",
    "without reuse, ns/row", "by hand, ns/row", "render / by hand", "without reuse / by hand",
    "render / without reuse",
  ]

  private static let header = """
    In process, one thread; a row's populate is its cell taken from the pool and given back.

    | \(columns.joined(separator: " | ")) |
    | --- |\(String(repeating: " ---: |", count: columns.count - 1))
    """

  /// Measures one workload.
  private static func line(
    _ workload: Workload, _ bodyBytes: Int, _ stages: CellStages, _ fresh: CellStages, _ hand: ByHand?,
    seconds: Double
  ) -> String {
    _ = stages.parse()
    _ = fresh.parse()
    let rows = Double(stages.populate())
    let bytes = Double(stages.render())
    let parse = time(seconds) { stages.parse() }
    let populate = time(seconds) { stages.populate() }
    // Measured in turns, so that other load on the machine affects all of them.
    let works =
      [{ stages.render() }, { fresh.render() }] + (hand.map { hand in [{ hand.render(stages) }] } ?? [])
    let render = time(seconds, works)
    let ratios = render.count == 3 ? [render[0] / render[2], render[1] / render[2]] : []
    let columns =
      [workload.name, "\(Int(rows))", ns(parse / rows), ns(populate / rows), ns(render[0] / rows)]
      + [rate(bytes / render[0]), ns(render[1] / rows), render.count == 3 ? ns(render[2] / rows) : ""]
      + (ratios.isEmpty ? ["", ""] : ratios.map(rate)) + [rate(render[0] / render[1])]
    return "| \(columns.joined(separator: " | ")) |"
  }

  /// Runs one stage a fixed number of times, for instruction counts. `text` is `render` with every value
  /// escaped as element text.
  private static func run(_ stage: String, of stages: CellStages, _ hand: ByHand?, turns: Int) {
    _ = stages.parse()
    for _ in 0..<turns {
      switch stage {
      case "parse": _ = stages.parse()
      case "populate": _ = stages.populate()
      case "render", "text": _ = stages.render()
      case "hand": _ = hand?.render(stages)
      default: preconditionFailure("no stage \(stage)")
      }
    }
  }

  /// Nanoseconds per call: the best of several spans, to reduce the influence of other load on the machine.
  private static func time(_ seconds: Double, _ work: @escaping () -> Int) -> Double {
    time(seconds, [work])[0]
  }

  /// Same for several works, measured in turns.
  private static func time(_ seconds: Double, _ works: [() -> Int]) -> [Double] {
    let spans = 10
    var total = 0
    var calls = [Int](repeating: 1, count: works.count)
    var best = [Double](repeating: .infinity, count: works.count)
    for _ in 0..<spans {
      for (position, work) in works.enumerated() {
        while true {
          let spent = ContinuousClock().measure { for _ in 0..<calls[position] { total &+= work() } }
          best[position] = min(best[position], spent / .nanoseconds(1) / Double(calls[position]))
          if spent >= .seconds(seconds / Double(spans)) { break }
          calls[position] *= 2
        }
      }
    }
    precondition(total > 0, "the work did nothing")
    return best
  }

  private static func ns(_ value: Double) -> String { String(format: "%.0f", value) }
  private static func rate(_ value: Double) -> String { String(format: "%.2f", value) }

  private static func writeWorkloads() throws -> String {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("cells-workloads-\(getpid())")
      .path
    let python = Process()
    python.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    python.arguments = ["python3", "Benchmarks/workloads.py", "--output", folder]
    python.standardOutput = FileHandle.nullDevice
    try python.run()
    python.waitUntilExit()
    precondition(
      python.terminationStatus == 0, "workloads.py failed; run the benchmark in the project's folder")
    return folder
  }
}

struct Workload {
  let name: String
  let kind: String

  /// The workloads of `workloads.py`, with their kinds.
  static func all(in folder: String) throws -> [Workload] {
    [
      Workload(name: "tiny", kind: "notification"), Workload(name: "news", kind: "news"),
      Workload(name: "products", kind: "product"), Workload(name: "table", kind: "table-row"),
      Workload(name: "comments", kind: "comment"), Workload(name: "formats", kind: "formatted-row"),
      Workload(name: "plurals", kind: "plural-row"),
    ]
  }
}

struct Options {
  var templates = "Benchmarks/templates"
  var workloads: String?
  var only: String?
  var seconds = 1.0
  var stage: String?
  var turns = 100
  var check: Int?

  init(_ arguments: [String]) {
    var rest = arguments[...]
    while let name = rest.popFirst() {
      guard let value = rest.popFirst() else { preconditionFailure("\(name) takes a value") }
      switch name {
      case "--templates": templates = value
      case "--workloads": workloads = value
      case "--only": only = value
      case "--seconds": seconds = Double(value) ?? seconds
      case "--stage": stage = value
      case "--check": check = Int(value)
      case "--turns": turns = Int(value) ?? turns
      default: preconditionFailure("no option \(name)")
      }
    }
  }
}
