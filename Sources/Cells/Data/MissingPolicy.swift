/// What to do with missing names.
package enum MissingPolicy: String, Sendable, CaseIterable {
  case keep
  case blank
  case error
}
