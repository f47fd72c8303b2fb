import CellTemplates
@_spi(Benchmarks) import Cells
import Foundation

/// Times the stages of drawing rows in process: parse, populate, render; reuse on and off.
///
/// Usage: `cells-benchmark [--templates DIR] [--workloads DIR] [--only NAME] [--seconds N] [--stage NAME]`;
/// the workloads are what `workloads.py --output DIR` writes.
@main
struct CellsBenchmark {
  static func main() throws {
    let options = Options(Array(CommandLine.arguments.dropFirst()))
    let archive = try CellArchive.compiling(folder: options.templates)
    let folder = try options.workloads ?? writeWorkloads()
    defer { if options.workloads == nil { try? FileManager.default.removeItem(atPath: folder) } }
    if options.stage == nil { print(header) }
    for workload in try Workload.all(in: folder) where options.only == nil || options.only == workload.name {
      let json = try [UInt8](Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(workload.name).json")))
      let stages = CellStages(archive: archive, kind: workload.kind, json: json, reuse: ReusePolicy())
      if let stage = options.stage {
        run(stage, of: stages, turns: options.turns)
        continue
      }
      let fresh = CellStages(archive: archive, kind: workload.kind, json: json, reuse: .off)
      _ = stages.parse()
      _ = fresh.parse()
      let rows = Double(stages.populate())
      let bytes = Double(stages.render())
      let parse = time(options.seconds) { stages.parse() }
      let populate = time(options.seconds) { stages.populate() }
      let render = time(options.seconds) { stages.render() }
      let withoutReuse = time(options.seconds) { fresh.render() }
      print(
        "| \(workload.name) | \(Int(rows)) | \(ns(parse / rows)) | \(rate(Double(json.count) / parse)) "
          + "| \(ns(populate / rows)) | \(ns(render / rows)) | \(rate(bytes / render)) "
          + "| \(ns(withoutReuse / rows)) |")
    }
  }

  private static let header = """
    In process, one thread; a row's populate is its cell taken from the pool and given back.

    | workload | rows | parse, ns/row | parse, bytes/ns | populate, ns/row | render, ns/row | render, bytes/ns | render without reuse, ns/row |
    | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
    """

  /// One stage a fixed number of times, for instruction counts.
  private static func run(_ stage: String, of stages: CellStages, turns: Int) {
    _ = stages.parse()
    for _ in 0..<turns {
      switch stage {
      case "parse": _ = stages.parse()
      case "populate": _ = stages.populate()
      case "render": _ = stages.render()
      default: preconditionFailure("no stage \(stage)")
      }
    }
  }

  /// Nanoseconds a call: the best of five spans, so that other work on the machine counts least.
  private static func time(_ seconds: Double, _ work: () -> Int) -> Double {
    var best = Double.infinity
    var calls = 1
    var total = 0
    for _ in 0..<5 {
      var spent = Duration.zero
      while true {
        spent = ContinuousClock().measure { for _ in 0..<calls { total &+= work() } }
        if spent >= .seconds(seconds / 5) { break }
        calls = max(calls * 2, 1)
      }
      best = min(
        best,
        Double(spent.components.attoseconds) / 1e9 / Double(calls) + Double(spent.components.seconds) * 1e9
          / Double(calls))
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
      Workload(name: "comments", kind: "comment"),
    ]
  }
}

struct Options {
  var templates = "templates"
  var workloads: String?
  var only: String?
  var seconds = 1.0
  var stage: String?
  var turns = 100

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
      case "--turns": turns = Int(value) ?? turns
      default: preconditionFailure("no option \(name)")
      }
    }
  }
}
