/// The header fields that are read only where a setting asks for them.
struct OptionalFields {
  /// nil: nobody asks where a request comes from.
  var origins: AllowedOrigins?
  var readsCodings = false
  /// Of `traceparent`.
  var readsTrace = false
}
