/// What a server is told at its start. Every limit holds for each request or connection unless it says
/// otherwise.
package struct ServerSettings: Sendable {
  /// A name or a numeric address of either family; `0.0.0.0` and `::` are all addresses.
  package var host: String
  /// 0: any free one.
  package var port: Int
  /// Threads, each with a factory of its own; at least 1.
  package var workers: Int

  /// A larger body is refused with 413.
  package var bodyLimitBytes = 16 << 20
  /// Request line and header fields together; a larger head is refused with 431.
  package var headLimitBytes = 32 << 10
  /// Open connections of the whole server, fewer where the process may not open so many files. At the limit new ones wait in
  /// the listening queue, and those that have been idle longest make room.
  package var connections = 4096
  /// From the acceptance of a connection, or from a later request's line, to the end of the head.
  package var headSeconds = 10.0
  /// From the end of the head to the end of the body.
  package var bodySeconds = 30.0
  /// Between one answer and the next request's line; within an answer, without a byte read by the client.
  package var idleSeconds = 60.0
  /// How long a stop takes at most, from its announcement on: then requests in flight are cut.
  package var drainSeconds = 10.0
  /// How much of that whoever stops the server leaves between `leave` and `stop`.
  package var drainDelaySeconds = 0.0
  /// A client has so long to take a piece of an answer, of `leastBytesPerSecond` for each second.
  package var writeSeconds = 30.0
  /// How long requests wait for their turn; where they waited longer, again and again, they are answered with 503. 0:
  /// however long.
  package var queueSeconds = 0.05
  /// Answers of one worker that are being made at once, a slice each in a turn of the loop; past it large requests are
  /// answered with 503.
  package var inFlightRequests = 64
  /// Bodies, parser memory and unsent answers of one worker together; past it requests are answered with 503.
  package var inFlightLimitBytes = 512 << 20

  /// Whose pages may ask; nil: those of this server's own origin, and no header says anything of others.
  package var origins: AllowedOrigins?
  /// nil: answers go as they are.
  package var compression: CompressionSettings?

  /// What the server counts is shown by these.
  package var metrics: Metrics

  /// What libmicrohttpd complains about, for a log: a number that complaints of one form share, and the text, which is
  /// made only when it is asked for; `nil`: there are none.
  package var onComplaint: (@Sendable (_ form: Int, _ text: () -> String) -> Void)?
  /// Called on the worker's thread for each request that is refused with 503 because there is too much to do.
  package var onOverload: (@Sendable () -> Void)?
  /// Called on the worker's thread as each answer is handed over for sending, or a streamed one has ended; `nil` costs
  /// nothing.
  package var onRequest: (@Sendable (RequestRecord) -> Void)?

  package init(host: String, port: Int, workers: Int, metrics: Metrics) {
    self.host = host
    self.port = port
    self.workers = workers
    self.metrics = metrics
  }

  /// Who takes less of an answer holds what it takes to send it for too long.
  static let leastBytesPerSecond = 16 << 10

  /// Files that may be open when every connection is.
  package var descriptors: Int { connections + workers * Self.descriptorsOfWorker + Self.spareDescriptors }

  /// How many connections may be open where the process may open so many files more: those asked for at most, and one at
  /// least.
  func connections(within files: Int) -> Int {
    max(min(connections, files - workers * Self.descriptorsOfWorker - Self.spareDescriptors), 1)
  }

  /// What a worker's loop and its daemon wait on.
  private static let descriptorsOfWorker = 3
  /// The listening socket, the standard streams, and what is opened for a moment: by a reload, a scrape, a library. Some
  /// libraries end the process where they find none.
  private static let spareDescriptors = 32

  /// The pool that libmicrohttpd gives one connection.
  ///
  /// It holds the head, a record for each header field and the head of the answer. A quarter more than the
  /// head limit: a head a little over the limit still fits and is refused by us. All of it is cleared for
  /// every request, so more costs time.
  var connectionMemoryBytes: Int { max(headLimitBytes + headLimitBytes / 4, 32 << 10) }
}
