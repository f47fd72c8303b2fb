/// What happens to names that find nothing.
package enum MissingPolicy: String, Sendable, CaseIterable {
  case keep
  case blank
  case error
}
