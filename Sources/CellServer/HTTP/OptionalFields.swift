/// Which header fields to read that only some settings need.
struct OptionalFields {
  /// nil if CORS is off.
  var origins: AllowedOrigins?
  var readsCodings = false
  /// Whether to read `traceparent`.
  var readsTrace = false
  /// Whether to read `Host` and `Sec-Fetch-Site`, by which pages for people know who asks.
  var readsOrigin = false
}
