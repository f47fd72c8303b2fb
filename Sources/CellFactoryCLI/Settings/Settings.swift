import CellServer
import CellTemplates
import Cells
import Glibc
import Logging

/// Every setting.
///
/// To add one: add it here, add it to `serve` below, and add an `@Option(Settings.…)` to a group in `Arguments`
/// (for a list, `@Option(repeated: Settings.…)`). With `for:`, it sets that field of `ServerSettings`; otherwise read it with
/// `sources[Settings.…]`, limits of rendering in `RenderArguments`. Tests compare the documented table and the help with this one.
enum Settings {
  private static let service = RowSettings()

  // MARK: Cells

  static let templates = Setting<String>.text(
    "templates", "The folder of templates.", valueName: "dir", default: "./templates", allowed: "a folder")
  static let archive = Setting<String>.text(
    "archive", "An archive written by 'cellfactory archive', instead of templates.", valueName: "file",
    allowed: "a file")
  static let urlSchemes = Setting<URLSchemes>(
    "url-schemes",
    "URL schemes that links may have, in addition to http, https, mailto and tel.",
    valueName: "schemes", default: URLSchemes.standard.names.joined(separator: ","),
    defaultWords: "no others",
    allowed: "a list of URL schemes", describe: { $0.names.joined(separator: ",") }
  ) { text throws(SettingRefusal) in
    do throws(URLSchemeError) {
      return try URLSchemes(list: text)
    } catch {
      throw SettingRefusal(reason: error.description)
    }
  }

  static let assetsURL = Setting<String>(
    "assets-url",
    "Where clients find the files that nibs link to, if not at /assets/ of this server.",
    valueName: "url", allowed: "an address such as https://cdn.example/cells/ or /cells/assets/"
  ) { text throws(SettingRefusal) in
    guard let url = AssetsURL.normalized(text) else { throw SettingRefusal() }
    return url
  }
  static let assetLimitBytes = Setting<Int>.whole(
    "asset-limit-bytes",
    "The most bytes of all style sheets, images and fonts that nibs link to; 0: such files are not served.",
    default: AssetOptions().limitBytes, in: 0...(1 << 29))
  static let locale = Setting<String>(
    "locale", "The locale of cells that say none, and where nothing better is offered to a reader.",
    valueName: "tag", default: OfferedLocales.english.standard, allowed: "a tag of a locale that CLDR knows"
  ) { text throws(SettingRefusal) in
    do throws(OfferedLocales.UnknownLocale) {
      return try OfferedLocales(standard: text).standard
    } catch {
      throw SettingRefusal()
    }
  }
  static let locales = Setting<String>(
    "locales", "Other locales that cells are offered in, such as de,ar,ja, or all; a list, or repeated.",
    valueName: "tags", defaultWords: "none", allowed: "a list of tags of locales, or all"
  ) { text throws(SettingRefusal) in
    do throws(OfferedLocales.UnknownLocale) {
      _ = try OfferedLocales(standard: OfferedLocales.english.standard, others: text)
      return text
    } catch {
      throw SettingRefusal(reason: "'\(error.tag)' is not a tag of a locale that CLDR knows")
    }
  }
  static let timeZone = Setting<String>(
    "time-zone", "The time zone in which instants are shown, such as Europe/Berlin or +02:00.",
    valueName: "zone", default: service.timeZone, allowed: "the name of a time zone, or an offset"
  ) { text throws(SettingRefusal) in
    guard RenderClock(zone: text, now: 0, in: TimeZoneSource.standard.current) != nil else {
      throw SettingRefusal(
        reason: TimeZoneSource.standard.current == nil
          ? "'\(text)' is not known: there are no time zones in /usr/share/zoneinfo" : nil)
    }
    return text
  }

  static let watch = Setting<Bool>.onOff(
    "watch", "Reload the templates when their files change, not only on SIGHUP.", default: false)

  static let preview = Setting<Bool>.onOff(
    "preview", "Whether / shows the cells in a browser; for development.", default: false)
  static let previewHost = Setting<[String]>(
    "preview-host",
    "Host names for which the preview answers, besides localhost and addresses; a list, or repeated.",
    valueName: "name", defaultWords: "none", allowed: "a list of host names",
    describe: { $0.joined(separator: ",") }
  ) { text throws(SettingRefusal) in
    let names = text.split(separator: ",", omittingEmptySubsequences: false).map {
      String($0.drop { $0 == " " })
    }
    let isName = { (name: String) in !name.isEmpty && name.utf8.allSatisfy(isHostNameByte) }
    if let wrong = names.first(where: { !isName($0) }) {
      throw SettingRefusal(reason: "'\(wrong)' is not a host name; leave out the scheme and the port")
    }
    return names
  }

  private static func isHostNameByte(_ byte: UInt8) -> Bool {
    byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z")
      || byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") || "-._".utf8.contains(byte)
  }

  static let loadSeconds = Setting<Double>.seconds(
    "load-seconds", "Seconds that loading or reloading the cells may take.",
    default: 30, atLeast: 0.1)

  // MARK: Address

  static let host = Setting<String>.text(
    "host", "The address to listen on; 0.0.0.0 for all.", default: "127.0.0.1",
    allowed: "an address or a name")
  static let port = Setting<Int>.whole(
    "port", "The port to listen on; 0 picks a free one.", default: 8080, in: 0...65535)

  // MARK: Rendering

  static let missing = Setting<MissingPolicy>.choice(
    "missing", "What to do with names that the data does not have.", default: service.render.missing)
  static let unknown = Setting<UnknownPolicy>.choice(
    "unknown", "What to do with names that the kind of a row never reads.", default: service.unknown)
  static let reuse = Setting<Bool>.onOff("reuse", "Whether to keep cells for reuse.", default: true)
  static let bodyLimitBytes = Setting<Int>.whole(
    "body-limit-bytes", "The largest request body, in bytes; a larger one gets 413.",
    for: \.bodyLimitBytes, in: 1...(1 << 30))
  static let outputLimitBytes = Setting<Int>.whole(
    "output-limit-bytes", "The largest answer, in bytes; a larger one gets 422.",
    default: service.render.outputBytes,
    in: 1...(1 << 31))
  static let jsonDepth = Setting<Int>.whole(
    "json-depth", "How deep arrays and objects may be nested in a body.", default: service.jsonDepth,
    in: 1...JSONParser.largestDepthLimit)
  static let fields = Setting<Int>.whole(
    "fields", "The most fields of a form or a query.", default: service.fields, in: 1...1_000_000)
  static let partialDepth = Setting<Int>.whole(
    "partial-depth", "How deep partials may be nested.", default: service.render.partialDepth,
    in: 0...10_000)

  // MARK: Server

  static let workers = Setting<Int>.whole(
    "workers", "Worker threads, each with its own event loop.", default: processors,
    defaultWords: "one per processor", in: 1...1024)
  static let connections = Setting<Int>.whole(
    "connections", "Open connections of all workers together.", for: \.connections, in: 1...1_000_000
  )
  static let headLimitBytes = Setting<Int>.whole(
    "head-limit-bytes", "The largest request head, in bytes; a larger one gets 431.",
    for: \.headLimitBytes,
    in: 1024...(1 << 20))
  static let inFlightLimitBytes = Setting<Int>.whole(
    "in-flight-limit-bytes",
    "Memory of one worker for long heads, bodies, parsed rows and unsent answers, in bytes; beyond it: 503.",
    for: \.inFlightLimitBytes, in: (1 << 20)...(1 << 40))
  static let inFlightRequests = Setting<Int>.whole(
    "in-flight-requests", "Large answers in progress on one worker; beyond it: 503.",
    for: \.inFlightRequests, in: 1...1_000_000)
  static let queueSeconds = Setting<Double>.seconds(
    "queue-seconds",
    "If requests wait longer than this for their turn, later ones get 503; 0: never.",
    for: \.queueSeconds, atLeast: 0)
  static let headSeconds = Setting<Double>.seconds(
    "head-seconds", "Seconds for the head of a request to arrive.", for: \.headSeconds, atLeast: 0.1)
  static let bodySeconds = Setting<Double>.seconds(
    "body-seconds", "Seconds for the body of a request to arrive.", for: \.bodySeconds, atLeast: 0.1)
  static let writeSeconds = Setting<Double>.seconds(
    "write-seconds", "Seconds in which a client must read 16 KiB of its answer for each second.",
    for: \.writeSeconds, atLeast: 0.1)
  static let idleSeconds = Setting<Double>.seconds(
    "idle-seconds", "Seconds that a connection may be idle.", for: \.idleSeconds, atLeast: 0.1)
  static let drainSeconds = Setting<Double>.seconds(
    "drain-seconds", "Seconds until a stop cuts the requests that are still in flight.",
    for: \.drainSeconds, atLeast: 0)
  static let drainDelaySeconds = Setting<Double>.seconds(
    "drain-delay-seconds",
    """
    Seconds after SIGTERM to keep serving while /readyz returns 503; a part of --drain-seconds. Use the interval of the \
    load balancer's health checks, times the failures it takes, plus one second.
    """, for: \.drainDelaySeconds, atLeast: 0)

  static let metricsKinds = Setting<Int>.whole(
    "metrics-kinds", "How many kinds have a label of their own in metrics; all others share one.",
    default: Metrics.defaultKindLimit, in: 0...Metrics.highestKindLimit)

  // MARK: Browsers

  static let corsOrigin = Setting<AllowedOrigins>(
    "cors-origin", "Origins whose pages may read answers, such as https://example.org; a list, or repeated.",
    valueName: "origin", defaultWords: "none", allowed: "a list of origins",
    describe: { $0.list.joined(separator: ",") }
  ) { text throws(SettingRefusal) in
    var origins = AllowedOrigins()
    for item in text.split(separator: ",", omittingEmptySubsequences: false) {
      do throws(OriginError) {
        try origins.add(String(item.drop { $0 == " " }))
      } catch {
        throw SettingRefusal(reason: "'\(item)' is not an origin: \(error.description)")
      }
    }
    return origins
  }
  static let compression = Setting<Bool>.onOff(
    "compression", "Whether to compress answers for clients that accept \(ContentCoding.names).",
    default: false)
  static let compressionMinBytes = Setting<Int>.whole(
    "compression-min-bytes", "The smallest answer to compress, in bytes.",
    default: CompressionSettings().minimumBytes, in: 1...(1 << 30))
  static let compressionLevel = Setting<Int>.whole(
    "compression-level", "The level of compression; 9 is smallest and slowest.",
    default: CompressionSettings().level, in: 1...9)

  // MARK: Logs

  static let logLevel = Setting<Logger.Level>.choice(
    "log-level", "The lowest level to log.", default: .info)
  static let logFormat = Setting<LogFormat>.choice(
    "log-format", "The format of log lines.", default: .text)
  static let accessLog = Setting<Bool>.onOff(
    "access-log", "Whether to log each request, at level info.", default: false)

  // MARK: All of them

  /// The settings of `serve`, in the order of `--print-config`.
  static let serve: [any AnySetting] = [
    templates, archive, urlSchemes, assetsURL, assetLimitBytes, locale, locales, watch, loadSeconds, preview,
    previewHost, host, port,
    missing, unknown, timeZone, reuse, bodyLimitBytes, outputLimitBytes, jsonDepth, fields, partialDepth,
    workers, connections, headLimitBytes, inFlightLimitBytes, inFlightRequests, queueSeconds,
    headSeconds, bodySeconds, writeSeconds, idleSeconds,
    drainSeconds, drainDelaySeconds, metricsKinds,
    corsOrigin, compression, compressionMinBytes, compressionLevel,
    logLevel, logFormat, accessLog,
  ]

  /// Only for `health`.
  static let url = Setting<HealthCheck.Target>(
    "url", "The server's base URL (default: from host and port).", allowed: "http://HOST[:PORT][/PATH]"
  ) { text throws(SettingRefusal) in
    guard let target = HealthCheck.Target(url: text) else { throw SettingRefusal() }
    return target
  }

  /// Every setting. Their variables are the known ones.
  static let all: [any AnySetting] = serve + [url]

  /// The number of processors available to this process; glibc considers its affinity.
  private static var processors: Int { max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1) }
}
