import ArgumentParser
import CStartup
import CellPreview
import CellServer
import CellTemplates
import Cells
import Glibc
import Logging

struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serve rendered cells over HTTP.",
    discussion: """
      Prints 'listening on http://HOST:PORT' on standard output when ready; logs go to standard error. SIGTERM and \
      SIGINT stop it after the requests in flight are answered; a second one stops it at once, or first ends the delay, if \
      there is one. SIGHUP reloads the cells: if they have errors, the previous ones stay.

      Every option is also an environment variable: CELLFACTORY_PORT for --port. The option takes precedence, and an empty \
      variable counts as not set. With --print-config, each setting is printed with its value and source, and \
      nothing is served.
      """)

  @OptionGroup(title: "Cells") var source: SourceArguments
  @OptionGroup(title: "Reload") var reload: ReloadArguments
  @OptionGroup(title: "Preview") var previewing: PreviewArguments
  @OptionGroup(title: "Address") var address: AddressArguments
  @OptionGroup(title: "Rendering") var render: RenderArguments
  @OptionGroup(title: "Server") var server: ServerArguments
  @OptionGroup(title: "Browsers") var browsers: BrowserArguments
  @OptionGroup(title: "Logs") var logs: LogArguments

  @Option(
    defaultAsFlag: ConfigListing.Form.text,
    help: ArgumentHelp("Print each setting with the source of its value, then exit.", valueName: "text|json"))
  var printConfig: ConfigListing.Form?

  private static let hasLocaleOfItsOwn = ValidationError(
    "The locale of cells is stored in the archive: give '--locale' to 'cellfactory archive'.")

  func run() throws {
    cf_set_malloc_options()
    let sources = SettingSources(options: self)
    try sources.check(Settings.serve)
    let cells = try source.source(sources)
    try previewing.check(sources, of: cells)
    if source.locales.locale != nil, case .archive = cells { throw Self.hasLocaleOfItsOwn }
    var settings = try server.settings(sources)
    try browsers.apply(sources, to: &settings)
    var rowSettings = try render.rowSettings(sources)
    rowSettings.fields = try sources[Settings.fields]
    let reuse = try render.reusePolicy(sources)
    if let printConfig {
      for finding in UnknownVariables.find() { Console.error("warning: \(finding.description)") }
      Console.output(ConfigListing(Settings.serve, from: sources).text(printConfig))
      return
    }
    var signals = TerminationSignals()
    signal(SIGPIPE, SIG_IGN)
    let log = try endingIfRefused { try logs.makeLog(sources) }
    let logger = log.logger
    defer { log.flush() }
    UnknownVariables.warn(logger)
    let readiness = Readiness()
    let preview = try endingIfRefused {
      try previewing.makePreview(sources, of: cells, source, readiness: readiness)
    }
    // Before the cells are read, so that a change in the meantime is noticed.
    let watch = try sources[Settings.watch] ? makeWatch(cells, isPreviewed: preview != nil, logger) : nil
    let archive: CellArchive
    do {
      archive = try source.loader(sources, isCancelled: { TerminationSignals.isEndPending })()
      cf_return_free_memory()
    } catch  where TerminationSignals.isEndPending {
      logger.info("stopped by a signal while the cells were loaded")
      return
    } catch {
      archive = try endingIfRefused(tell: log.refuse) { throw error }
    }

    settings.onComplaint = { number, text in
      log.complaints.report("libmicrohttpd reported an error", number: number) { ["complaint": "\(text())"] }
    }
    settings.onOverload = { log.complaints.report("overloaded: a request was refused with 503") }
    if let access = log.access { settings.onRequest = { access.log($0) } }
    if let preview {
      logger.warn(ofPreview: preview.update(archive))
      settings.servesPages = true
      settings.metrics = Metrics(
        version: CellFactoryVersion.current, kindLimit: try sources[Settings.metricsKinds],
        more: preview.endpoints)
    }
    // Made before requests come: a limit of threads that is too low ends the start, and no request waits for a thread.
    let documents = try endingIfRefused { () throws(TransportError) in
      let queue = try ThreadQueue(named: "documents")
      return ArchiveDocuments { queue.run($0) }
    }
    let service = CellService(
      settings: rowSettings, readiness: readiness, metrics: settings.metrics, documents: documents,
      more: preview?.endpoints ?? [], maySeeSamples: { preview?.maySeeSamples($0) ?? true }
    ) { asked in
      log.complaints.report("unknown kind") { ["asked": "\(asked)"] }
    }
    let server = Server(settings: settings, readiness: readiness, handler: service) { executor in
      CellFactory(archive: archive, reuse: reuse, executor: executor)
    }
    let loadCells = try source.loader(sources)
    let load: @Sendable () throws -> CellArchive = { [timeZone = rowSettings.timeZone] in
      // Time zones change more often than programs do.
      let zones = try TimeZoneSource.standard.reread(needing: timeZone)
      // Whether it succeeds or not, and before the workers free what they served.
      defer { cf_return_free_memory() }
      let cells = try loadCells()
      TimeZoneSource.standard.use(zones)
      return cells
    }
    let (bound, reloading): (ServerAddress, Reloading)
    do {
      preview?.connect(to: server)
      (bound, reloading) = try start(server, serving: archive, logger, load: load, preview, watch)
    } catch {
      log.refuse(error)
      throw ExitCode(1)
    }
    Console.announce("listening on \(bound.url)")
    if preview != nil { announcePreview(bound, logger) }
    logger.info(
      "serving",
      metadata: [
        "kinds": .stringConvertible(archive.kindCount), "archive": "\(archive.hash)",
        "workers": .stringConvertible(settings.workers), "url": "\(bound.url)",
      ])
    logger.warn(ifEmpty: archive)

    warn(ofLimitsOf: server, rowSettings, logger)
    awaitEnd(of: server, &signals, log) { reloading.request() }
  }

  /// Warns of settings that the system or other settings do not allow.
  private func warn(ofLimitsOf server: Server, _ rowSettings: RowSettings, _ logger: Logger) {
    let settings = server.settings
    if let limit = Server.descriptorLimit, server.connectionLimit < settings.connections {
      logger.warning(
        "the limit of open files is too low for so many connections: fewer are served at once",
        metadata: [
          "connections": .stringConvertible(settings.connections),
          "served": .stringConvertible(server.connectionLimit), "files": .stringConvertible(limit),
          "needed": .stringConvertible(settings.descriptors),
        ])
    }

    let needed = RowSettings.bytesToRead(bodyOf: settings.bodyLimitBytes, depth: rowSettings.jsonDepth)
    if needed > MemoryBudget.largestBytes(within: settings.inFlightLimitBytes) {
      logger.warning(
        "bodies up to --body-limit-bytes cannot be read within --in-flight-limit-bytes: some get 413 earlier",
        metadata: [
          "body_limit_bytes": .stringConvertible(settings.bodyLimitBytes),
          "in_flight_limit_bytes": .stringConvertible(settings.inFlightLimitBytes),
          "needed": .stringConvertible(needed),
        ])
    }
  }

  /// Returns when the server has ended after a signal.
  /// - Parameter onHangUp: called for each SIGHUP.
  private func awaitEnd(
    of server: Server, _ signals: inout TerminationSignals, _ log: ServerLog, onHangUp: () -> Void
  ) {
    let logger = log.logger
    let received = signals.waitForEnd(onHangUp: onHangUp)
    // With Ctrl-C there is no load balancer that needs time to notice.
    let delay = received == SIGTERM ? server.settings.drainDelaySeconds : 0
    server.leave()
    if delay > 0 {
      logger.info(
        "draining: no longer ready, shutting down soon", metadata: ["seconds": .stringConvertible(delay)])
      _ = signals.waitForEnd(seconds: delay)
    }
    server.stop()
    logger.info("stopping", metadata: ["signal": received == SIGTERM ? "SIGTERM" : "SIGINT"])
    while !server.hasEnded {
      if signals.waitForEnd(seconds: Self.endPollSeconds) != nil { endAtOnce(logger, log) }
    }
    server.wait()
  }

  /// How often to check whether a stopping server has ended.
  private static let endPollSeconds = 0.01

  private func endAtOnce(_ logger: Logger, _ log: ServerLog) -> Never {
    logger.warning("stopped before the requests in flight were answered")
    log.flush(seconds: 0.2)
    // Not `exit`, which would run cleanup while the workers still run.
    _exit(1)
  }

  /// Starts the server and its reloader. If a thread cannot be created, neither runs.
  private func start(
    _ server: Server, serving archive: CellArchive, _ logger: Logger,
    load: @escaping @Sendable () throws -> CellArchive, _ preview: Preview?, _ watch: sending SourceWatch?
  ) throws(TransportError) -> (ServerAddress, Reloading) {
    let bound = try server.start()
    do throws(TransportError) {
      let reloading = try Reloading(
        server, serving: archive, statistics: server.settings.metrics.reloads, logger: logger,
        preview: preview,
        load: load)
      if let watch { try reloading.follow(watch) }
      return (bound, reloading)
    } catch {
      server.stop()
      server.wait()
      throw error
    }
  }

  /// Prints the page's address, and warns if others can see it.
  private func announcePreview(_ bound: ServerAddress, _ logger: Logger) {
    Console.announce("preview at \(bound.url)/")
    if bound.isLoopback { return }
    logger.warning(
      "the preview shows templates and sample rows to everyone who reaches this address; for development only",
      metadata: ["url": "\(bound.url)"])
  }

  private func makeWatch(
    _ cells: SourceArguments.Source, isPreviewed: Bool, _ logger: Logger
  ) -> SourceWatch? {
    do throws(TransportError) {
      switch cells {
      case .templates(let folder): return try SourceWatch(.folder(folder), isWatchedByPeople: isPreviewed)
      case .archive(let file): return try SourceWatch(.file(file))
      }
    } catch {
      logger.warning(
        "file changes cannot be watched; raise fs.inotify.max_user_instances, or send SIGHUP",
        metadata: ["reason": "\(error.description)"])
      return nil
    }
  }
}
