/// The seed of hash tables whose keys somebody else may choose, such as names in templates and requests.
///
/// Whoever does not know the seed cannot choose keys that collide. It is drawn at random for each process, by Swift's
/// own seed; with `SWIFT_DETERMINISTIC_HASHING` it is always the same, so that counts of instructions can be compared.
package enum HashSeed {
  package static let ofProcess = UInt64(bitPattern: Int64(Hasher().finalize()))
}
