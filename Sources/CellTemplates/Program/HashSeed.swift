/// The seed of hash tables whose keys come from outside, such as names in templates and requests.
///
/// Without the seed, nobody can choose keys that collide. It is derived from Swift's own seed, which is
/// random in each process. With `SWIFT_DETERMINISTIC_HASHING` it is always the same, so that instruction
/// counts are comparable.
package enum HashSeed {
  package static let ofProcess = UInt64(bitPattern: Int64(Hasher().finalize()))
}
