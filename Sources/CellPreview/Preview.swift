package import CellServer
package import CellTemplates
import Cells
import Synchronization

/// Shows the cells of a templates folder in a browser, as they are and as they change.
///
/// It keeps one edition, which the pages show, and posts events to open pages. `update` and `fail` are called by whoever
/// loads the folder; requests only read. May be used from any thread.
package final class Preview: Sendable {
  /// Confined to one thread at a time by its lock.
  struct Writer: ~Copyable {
    let writer = PageWriter()
  }

  /// Changed kinds are named to open pages if their names have no more bytes; otherwise, pages draw all anew.
  private static let namedBytes = 16 << 10

  let visitor: Visitor
  let readiness: Readiness
  let queue: ThreadQueue
  let events = PreviewEvents()
  let writer = Mutex(Writer())
  private let folder: String
  private let schemes: URLSchemes
  private let assets: AssetOptions
  private let locales: OfferedLocales
  private let timeZone: String
  let missing: MissingPolicy
  private let loadSeconds: Double
  private let runCheck: Run
  private let current = Mutex<PreviewEdition?>(nil)
  /// The number of the last load: the checks of earlier ones end.
  private let load = Atomic<Int>(0)

  package typealias Run = @Sendable (_ work: @escaping @Sendable () -> Void) -> Void

  /// - Parameters:
  ///   - folder: the templates folder that is served.
  ///   - schemes: the URL schemes allowed in links.
  ///   - assets: what becomes of the files that nibs link to.
  ///   - locales: what the cells are offered in.
  ///   - timeZone: of requests that say none.
  ///   - missing: what requests that do not say it do with names that the data does not have.
  ///   - loadSeconds: how long one look at the folder may take.
  ///   - hosts: names of this server for which the preview answers, besides `localhost` and addresses.
  ///   - readiness: the server's.
  ///   - runCheck: runs the checks of samples elsewhere, in order; by default on a thread of its own.
  /// - Throws: an error if the process may not have more threads.
  ///
  /// Takes each setting of `serve` that it uses by its name.
  package init(
    folder: String, schemes: URLSchemes, assets: AssetOptions = AssetOptions(),
    locales: OfferedLocales = .english, timeZone: String = "UTC", missing: MissingPolicy = .drop,
    loadSeconds: Double, hosts: [String], readiness: Readiness, runCheck: Run? = nil
  ) throws(TransportError) {
    self.folder = folder
    self.schemes = schemes
    self.assets = assets
    self.locales = locales
    self.timeZone = timeZone
    self.missing = missing
    self.loadSeconds = loadSeconds
    self.readiness = readiness
    visitor = Visitor(hosts: Set(hosts.map { $0.lowercased() }))
    queue = try ThreadQueue(named: "preview")
    if let runCheck {
      self.runCheck = runCheck
    } else {
      let checks = try ThreadQueue(named: "preview-check")
      self.runCheck = { checks.run($0) }
    }
  }

  /// Whether the sender of a request may see sample rows.
  package func maySeeSamples(_ head: borrowing RequestHead) -> Bool { visitor.refusal(head) == nil }

  /// What the pages show; nil before the first load.
  var edition: PreviewEdition? { current.withLock { $0 } }

  /// Makes open pages learn of events at once. Call before the server starts to answer.
  package func connect(to server: Server) {
    events.connect { [weak server] in server?.resumeEventStreams() }
  }

  /// Shows the same archive with what has changed around its cells. Returns like `update(_:)`.
  package func update() -> TemplateErrors? { edition.flatMap { update($0.archive) } }

  /// Shows another archive, which was compiled from the folder just now, or the same one with other files around it.
  /// - Returns: why the folder cannot be shown: the preview reads samples, which the server does not. The pages show it, too.
  package func update(_ archive: CellArchive) -> TemplateErrors? {
    let number = load.add(1, ordering: .relaxed).newValue
    let edition: PreviewEdition
    do throws(TemplateErrors) {
      edition = try PreviewEdition(of: archive, in: folder, budget: LoadBudget(seconds: loadSeconds))
    } catch {
      current.withLock { $0 = $0 ?? PreviewEdition(withoutCellsOf: archive) }
      fail(error)
      return error
    }
    let earlier = current.withLock { current in
      defer { current = edition }
      return current
    }
    let changes = earlier.map { edition.changes(since: $0) } ?? []
    var news = [("archive", JSONNode.string(archive.hash)), ("edition", .string(edition.hash))]
    if changes.reduce(0, { $0 + $1.utf8.count }) <= Self.namedBytes {
      news.append(("kinds", .strings(changes)))
    }
    post(.reloaded, .object(news))
    // Samples of many rows in many locales take long, and the next load must not wait for them.
    runCheck { [self] in check(load: number) }
    return nil
  }

  /// Checks the folder, unless another load comes.
  private func check(load number: Int) {
    let isOld = { @Sendable [self] in load.load(ordering: .relaxed) != number }
    if isOld() { return }
    let check = FolderCheck(
      folder, schemes: schemes, assets: assets, locales: locales,
      budget: LoadBudget(seconds: loadSeconds, isCancelled: isOld), executor: InlineExecutor())
    if !isOld() { post(.checked, report(check.diagnostics)) }
  }

  /// Shows why the folder could not be loaded. The cells stay as they are.
  package func fail(_ error: any Error) {
    load.add(1, ordering: .relaxed)
    let diagnostics =
      (error as? TemplateErrors)?.diagnostics ?? [
        Diagnostic(.unreadable, file: folder, message: "\(error)", hint: "fix the folder or its files")
      ]
    post(.failed, report(diagnostics))
  }

  /// The locale, time zone and time of rows, as the query of a frame says.
  func setting(_ query: QueryFields) throws(Problem) -> RenderSetting {
    var setting = RenderSetting()
    if let text = query["locale"] {
      guard let tag = LocaleTag(text) else {
        throw Problem(.badRequest, detail: RenderTerms.malformedLocaleDetail(text.utf8))
      }
      setting.locales = ReaderLocales([tag])
    }
    var now = WallClock.seconds()
    if let text = query["now"] {
      guard let given = RenderClock.instant(text.utf8) else {
        throw Problem(.badRequest, detail: RenderTerms.malformedNowDetail(text.utf8))
      }
      now = given
    }
    let zone = query["time_zone"] ?? timeZone
    guard let clock = RenderClock(zone: zone, now: now, in: TimeZoneSource.standard.current) else {
      throw Problem(.badRequest, detail: RenderTerms.unknownZoneDetail(zone.utf8))
    }
    setting.clock = clock
    return setting
  }

  private func report(_ diagnostics: [Diagnostic]) -> JSONNode {
    var sources = SourceLines(of: folder)
    let rows = PageRows.diagnostics(diagnostics) { sources.line(of: $0) }
    return [
      "diagnostics": rows,
      "errors": .number(diagnostics.count { $0.severity == .error }),
      "warnings": .number(diagnostics.count { $0.severity == .warning }),
      "html": .string(writer.withLock { $0.writer.diagnostics(rows) }),
    ]
  }

  private func post(_ name: PreviewEvents.Name, _ data: JSONNode) {
    events.post(name, Array(PageWriter.json(data).utf8))
  }
}
