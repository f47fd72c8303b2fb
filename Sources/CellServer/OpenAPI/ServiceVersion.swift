/// The version of the service and of the command.
package enum ServiceVersion {
  package static let current = "0.1.0"
}
