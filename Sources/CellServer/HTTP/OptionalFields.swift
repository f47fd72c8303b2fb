/// Which header fields to read that only some settings need.
struct OptionalFields {
  /// nil if CORS is off.
  var origins: AllowedOrigins?
  var readsCodings = false
  /// Whether to read `traceparent`.
  var readsTrace = false
}
