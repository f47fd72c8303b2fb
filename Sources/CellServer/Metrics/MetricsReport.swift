import CellTemplates
import Cells

/// One scrape: every metric of docs/metrics.md, in its order, written in pieces.
///
/// Workers keep counting while it is written. Each number was correct at some moment during the scrape, and
/// no counter ever decreases.
struct MetricsReport: ~Copyable {
  /// What is written next.
  private enum Part {
    /// The requests of a route, or of one of its kinds.
    case requests(route: Int, label: Int)
    case durations
    /// The rows of a kind.
    case rows(label: Int)
    case work
    /// The turns of a worker.
    case turns(worker: Int)
    case cells
    case nothing
  }

  /// So many counters are read for one piece: about a millisecond.
  static let readsAtOnce = 1 << 18

  private let metrics: Metrics
  private let workers: [WorkerStatistics]
  private let routes: [RouteLabel]
  /// The kinds that have a label of their own.
  private let names: [String]
  private let cells: Cells
  private let isReady: Bool
  private var part = Part.requests(route: 0, label: 0)
  private var writer = MetricsWriter()

  /// What the report says of the archive. The archive itself is not kept, because a scrape may outlast it.
  private struct Cells {
    let hash: String
    let kindCount: Int
    let documentBytes: Int
  }

  init(of metrics: Metrics, archive: CellArchive, documentBytes: Int, isReady: Bool) {
    self.metrics = metrics
    self.isReady = isReady
    workers = metrics.workers
    routes = metrics.routes.all
    names = metrics.kinds.names
    cells = Cells(hash: archive.hash, kindCount: archive.kindCount, documentBytes: documentBytes)
  }

  /// Appends the next piece, of about so many bytes. It is shorter if much had to be read for it.
  /// - Returns: whether there is more.
  mutating func write(to output: inout ByteBuffer, bytes: Int) -> Bool {
    writer.exchange(&output)
    defer { writer.exchange(&output) }
    var reads = 0
    while reads < Self.readsAtOnce, writer.count < bytes {
      reads += workers.count
      switch part {
      case .requests(let route, let label):
        reads += workers.count * StatusLabel.count
        writeRequests(route, label)
      case .durations:
        writeDurations()
        part = .rows(label: 0)
      case .rows(let label): writeRows(label)
      case .work:
        writeWork()
        writeConnections()
        part = .turns(worker: 0)
      case .turns(let worker): writeTurns(worker)
      case .cells:
        writeLongestTurns()
        writeCells()
        writeProcess()
        part = .nothing
      case .nothing: return false
      }
    }
    return true
  }

  private func sum(_ value: (WorkerStatistics) -> Int) -> Int { workers.reduce(0) { $0 + value($1) } }

  private mutating func counter(
    _ name: StaticString, _ tally: WorkerStatistics.Tally, _ help: StaticString
  ) {
    writer.begin(name, .counter, help)
    writer.sample(sum { $0.value(tally) })
  }

  private mutating func gauge(_ name: StaticString, _ value: Int, _ help: StaticString) {
    writer.begin(name, .gauge, help)
    writer.sample(value)
  }

  /// A gauge for each worker.
  private mutating func gauges(
    _ name: StaticString, _ tally: WorkerStatistics.Tally, _ help: StaticString
  ) {
    writer.begin(name, .gauge, help)
    for (number, worker) in workers.enumerated() {
      writer.sample(worker.value(tally), ("worker", .number(number)))
    }
  }

  /// The bucket counts of several workers' histograms added up.
  private func counts(
    of workers: some Sequence<WorkerStatistics>, _ count: (WorkerStatistics, Int) -> Int
  ) -> [Int] {
    (0..<HistogramTable.bucketCount).map { bucket in workers.reduce(0) { $0 + count($1, bucket) } }
  }

  // MARK: - Requests

  /// - Parameter label: the index among `names`; behind them, the labels for all others.
  private mutating func writeRequests(_ route: Int, _ label: Int) {
    if route == 0, label == 0 {
      writer.begin(
        "cellfactory_requests_total", .counter, "Answered requests, by route, kind and status.")
    }
    let hasKinds = metrics.routes[routes[route]].namesKind
    if hasKinds {
      let kind = kind(label)
      writeRequests(for: RequestSubject(route: routes[route], kind: kind.position), kind.label)
    } else {
      writeRequests(for: RequestSubject(route: routes[route]), "")
    }
    if hasKinds, label + 1 < names.count + KindLabels.shared.count {
      part = .requests(route: route, label: label + 1)
    } else {
      part = route + 1 < routes.count ? .requests(route: route + 1, label: 0) : .durations
    }
  }

  private func kind(_ label: Int) -> (position: Int, label: String) {
    if label < names.count { return (label, names[label]) }
    let shared = label - names.count
    return (metrics.kinds.limit + shared, KindLabels.shared[shared])
  }

  private mutating func writeDurations() {
    writer.begin(
      "cellfactory_request_duration_seconds", .histogram,
      "Time from a readable request line to the answer, or to the end of a streamed one, by route.")
    for route in routes {
      let counts = counts(of: workers) { $0.requestDurations.count(in: $1, of: route.number) }
      if counts.allSatisfy({ $0 == 0 }) { continue }
      writer.histogram(
        counts: counts, nanoseconds: sum { $0.requestDurations.sum(of: route.number) },
        ("route", .plain(metrics.routes[route].label))
      )
    }

    writer.begin(
      "cellfactory_requests_refused_total", .counter, "Requests refused regardless of their cells, by reason."
    )
    for reason in RefusalReason.allCases {
      writer.sample(sum { $0.refusals(for: reason) }, ("reason", .plain(reason.label)))
    }
    counter(
      "cellfactory_requests_aborted_total", .abortedRequests,
      "Requests that ended before their answer was sent completely.")
    gauges(
      "cellfactory_requests_in_flight", .runningRequests,
      "Requests whose line has arrived and whose answer has not been sent.")
    counter("cellfactory_request_body_bytes_total", .bodyBytes, "Bytes of request bodies.")
    counter("cellfactory_response_body_bytes_total", .answerBytes, "Bytes of answer bodies.")
  }

  private mutating func writeRequests(for subject: RequestSubject, _ kind: String) {
    for (position, status) in StatusLabel.statuses.enumerated() {
      let count = sum { $0.requests(for: subject, statusAt: position) }
      if count == 0 { continue }
      writer.sample(
        count, ("route", .plain(metrics.routes[subject.route].label)), ("kind", .text(kind)),
        ("status", .number(status)))
    }
  }

  // MARK: - Work

  private mutating func writeRows(_ label: Int) {
    if label == 0 { beginRows() }
    if label == names.count + 1 {
      part = .work
      return
    }
    let kind = kind(label)
    writer.sample(sum { $0.rows(ofKindAt: kind.position) }, ("kind", .text(kind.label)))
    part = .rows(label: label + 1)
  }

  private mutating func beginRows() {
    writer.begin(
      "cellfactory_parse_duration_seconds", .histogram,
      "Time to read a request's rows, summed over its slices.")
    writer.histogram(
      counts: counts(of: workers) { $0.parseDurations.count(in: $1, of: 0) },
      nanoseconds: sum { $0.parseDurations.sum(of: 0) })
    writer.begin(
      "cellfactory_render_duration_seconds", .histogram,
      "Time to render a request's rows, summed over its slices.")
    writer.histogram(
      counts: counts(of: workers) { $0.renderDurations.count(in: $1, of: 0) },
      nanoseconds: sum { $0.renderDurations.sum(of: 0) })

    writer.begin("cellfactory_rows_rendered_total", .counter, "Rows rendered, by kind.")
  }

  private mutating func writeWork() {
    counter("cellfactory_rows_bad_total", .badRows, "Bad rows.")
    counter(
      "cellfactory_unformatted_values_total", .unformattedValues,
      "Values printed as they are, because they do not fit their formats.")

    counter("cellfactory_reuse_hits_total", .reuseHits, "Cells taken from the reuse pool.")
    counter("cellfactory_reuse_misses_total", .reuseMisses, "Cells created because the reuse pool had none.")
    counter(
      "cellfactory_reuse_evictions_total", .reuseEvictions, "Idle cells freed because the pool was full.")
    gauge("cellfactory_reuse_held_cells", sum { $0.value(.reuseHeld) }, "Idle cells in the reuse pool.")
    counter("cellfactory_plan_rows_total", .plannedRows, "Rows rendered by a plan.")
    counter("cellfactory_plans_learnt_total", .learntPlans, "Plans recorded.")
    gauge("cellfactory_plan_held_bytes", sum { $0.value(.planBytes) }, "Memory used by plans, in bytes.")
  }

  // MARK: - Connections and workers

  private mutating func writeConnections() {
    gauges("cellfactory_connections", .openConnections, "Open connections.")
    gauge("cellfactory_connections_limit", metrics.connectionLimit, "The limit of open connections.")
    counter("cellfactory_connections_opened_total", .openedConnections, "Connections opened.")
    writer.begin("cellfactory_connections_cut_total", .counter, "Connections cut by the server, by deadline.")
    for deadline in CutReason.allCases {
      writer.sample(sum { $0.cuts(at: deadline) }, ("deadline", .plain(deadline.label)))
    }
    gauges(
      "cellfactory_in_flight_bytes", .heldBytes,
      "Memory used by long heads, bodies, parsed rows and unsent answers, in bytes.")
    gauge(
      "cellfactory_in_flight_limit_bytes", metrics.inFlightLimitBytes,
      "The limit of that memory for each worker; beyond it, requests are refused.")
    writer.begin(
      "cellfactory_loop_turn_duration_seconds", .histogram,
      "Duration of the turns of a worker's event loop, without waiting; the sum is its busy time.")
  }

  private mutating func writeTurns(_ number: Int) {
    if number == workers.count {
      part = .cells
      return
    }
    let worker = workers[number]
    writer.histogram(
      counts: counts(of: CollectionOfOne(worker)) { $0.turnDurations.count(in: $1, of: 0) },
      nanoseconds: worker.turnDurations.sum(of: 0), ("worker", .number(number)))
    part = .turns(worker: number + 1)
  }

  private mutating func writeLongestTurns() {
    writer.begin(
      "cellfactory_loop_turn_longest_seconds", .gauge,
      "The longest turn of a worker's event loop in the last one or two minutes, the current one included.")
    for (number, worker) in workers.enumerated() {
      writer.sample(nanoseconds: worker.longestTurnNanoseconds(), ("worker", .number(number)))
    }
  }

  // MARK: - Cells

  private mutating func writeCells() {
    writer.begin("cellfactory_archive_info", .gauge, "The hash of the cells being served.")
    writer.sample(1, ("hash", .text(cells.hash)))
    gauge("cellfactory_archive_kinds", cells.kindCount, "Kinds of cells.")
    gauge(
      "cellfactory_archive_documents_bytes", cells.documentBytes,
      "Memory used by the documents for /kinds, /schemas and /openapi.json, in bytes.")
    let reloads = metrics.reloads
    writer.begin("cellfactory_reloads_total", .counter, "Attempts to reload the cells.")
    writer.sample(reloads.successes, ("result", .plain("success")))
    writer.sample(reloads.failures, ("result", .plain("failure")))
    gauge(
      "cellfactory_reload_last_successful", reloads.lastWasSuccessful ? 1 : 0,
      "Whether the last attempt to reload succeeded.")
    writer.begin("cellfactory_reload_timestamp_seconds", .gauge, "When the cells were loaded.")
    writer.sample(nanoseconds: reloads.lastSuccessNanoseconds)
    writer.begin(
      "cellfactory_reload_duration_seconds", .gauge, "Duration of the last attempt to reload.")
    writer.sample(nanoseconds: reloads.lastDurationNanoseconds)
  }

  // MARK: - Process

  private mutating func writeProcess() {
    gauge("cellfactory_ready", isReady ? 1 : 0, "Whether /readyz reports the server as ready.")
    let build = metrics.build
    writer.begin("cellfactory_build_info", .gauge, "Versions of the program and its libraries.")
    writer.sample(
      1, ("version", .text(build.version)), ("swift", .text(build.swift)),
      ("libmicrohttpd", .text(build.libmicrohttpd)), ("simdjson", .text(build.simdjson)))

    let process = metrics.process
    writer.begin(
      "process_cpu_seconds_total", .counter, "Processor time, user and system, in seconds.")
    writer.sample(nanoseconds: process.cpuNanoseconds)
    let memory = process.memoryBytes
    writer.begin("process_resident_memory_bytes", .gauge, "Resident memory.")
    if let memory { writer.sample(memory.resident) }
    writer.begin("process_virtual_memory_bytes", .gauge, "Virtual memory.")
    if let memory { writer.sample(memory.virtual) }
    writer.begin("process_open_fds", .gauge, "Open file descriptors.")
    if let count = process.openDescriptors { writer.sample(count) }
    writer.begin("process_max_fds", .gauge, "The limit of open file descriptors.")
    if let limit = process.descriptorLimit { writer.sample(limit) } else { writer.sample("+Inf") }
    writer.begin("process_start_time_seconds", .gauge, "Start time of the process, in seconds since 1970.")
    if let start = process.startNanoseconds { writer.sample(nanoseconds: start) }
  }
}
