import CXXHash
import Scaling
import Testing

@testable import CellTemplates

/// Names that somebody chose so that their hashes collide are found as fast as others.
@Suite struct KindIndexTests {
  private static let maskBits = 12

  /// The first names whose hashes, without a seed, end with zeros: they share a slot in tables of up to 4096.
  private static let colliding: [String] = {
    var names: [String] = []
    var bytes = Array("kind/aaaaaa".utf8)
    while names.count < 2000 {
      // The next name, as a number of which each digit is a letter.
      var position = bytes.count - 1
      while bytes[position] == UInt8(ascii: "z") {
        bytes[position] = UInt8(ascii: "a")
        position -= 1
      }
      bytes[position] += 1
      if cf_xxh3_64(bytes, bytes.count, 0) & (1 << maskBits - 1) == 0 {
        names.append(String(decoding: bytes, as: UTF8.self))
      }
    }
    return names
  }()

  private static func archive(_ names: some Sequence<String>) throws -> CellArchive {
    try TemplateCompiler.compile(
      names.map { TemplateSource(file: $0 + ".mustache", kind: $0, mode: .html, bytes: []) }, nibs: []
    ).archive
  }

  @Test func collidingNamesAreFoundInLinearTime() throws {
    let fault = try Scaling.fault(at: 500, make: { try Self.archive(Self.colliding[..<$0]) }) { archive in
      for number in 0..<archive.tables.$kinds.count {
        let name = archive.bytes(archive.tables.$kinds[number].name)
        if archive.kindNumber(name) != UInt32(number) { Issue.record("\(number) is not found") }
      }
    }
    if let fault { Issue.record("\(fault)") }
  }

  /// Requests may name kinds that do not exist, too.
  @Test func collidingNamesThatDoNotExistAreNotFoundInLinearTime() throws {
    let fault = try Scaling.fault(
      at: 250, make: { try (Self.archive(Self.colliding[..<$0]), Self.colliding[(2000 - $0)...]) }
    ) { archive, others in
      for other in others where archive.kindNumber(other) != nil { Issue.record("\(other)") }
    }
    if let fault { Issue.record("\(fault)") }
  }

  @Test func theIndexOfCollidingNamesIsMadeInLinearTime() throws {
    let fault = try Scaling.fault(at: 500, make: { try Self.archive(Self.colliding[..<$0]) }) { archive in
      _ = KindIndex(archive.tables.$kinds, literals: archive.tables.$literals)
    }
    if let fault { Issue.record("\(fault)") }
  }

  /// The test is one: without a seed the same names cost more than twice as much.
  @Test func withoutASeedTheyCollide() throws {
    func probes(_ count: Int, seed: UInt64) -> Int {
      var (size, sum) = (8, 0)
      while size < count * 2 { size *= 2 }
      var taken = [Bool](repeating: false, count: size)
      for name in Self.colliding[..<count] {
        var slot = Int(truncatingIfNeeded: cf_xxh3_64(Array(name.utf8), name.utf8.count, seed)) & (size - 1)
        while taken[slot] { (slot, sum) = ((slot + 1) & (size - 1), sum + 1) }
        taken[slot] = true
      }
      return sum
    }
    #expect(probes(1000, seed: 0) == 1000 * 999 / 2)
    #expect(probes(1000, seed: HashSeed.ofProcess) < 4000)
  }
}
