import Glibc

/// A part of many cases, for a build in which all of them take too long: each day's is another.
///
/// The optimized build takes all of them. It traps on overflow and on bounds as the debug build does, and is ten times as
/// fast. The debug build, which also checks assertions, takes a part; `CELLFACTORY_MUTATIONS` makes it take all, too.
package enum DailySample {
  /// Whether every case is taken.
  package static let isWhole: Bool = {
    #if DEBUG
      getenv("CELLFACTORY_MUTATIONS") != nil
    #else
      true
    #endif
  }()

  /// The day whose sample is taken, in days since 1970. `CELLFACTORY_DAY` repeats that of another day.
  package static let day: UInt64 = {
    let named = getenv("CELLFACTORY_DAY").flatMap { UInt64(String(cString: $0)) }
    let day = named ?? UInt64(time(nil)) / 86_400
    // A crash is found again by this line.
    if !isWhole { print("Samples are those of CELLFACTORY_DAY=\(day).") }
    return day
  }()

  /// Random numbers: where all cases are taken the same in every run, else the same on one day.
  package static func numbers(state: UInt64) -> SeededNumbers {
    SeededNumbers(state: isWhole ? state : state &+ day &* 0xD1B5_4A32_D192_ED03)
  }

  /// Whether a case is taken: each is, or one in some.
  package static func takes(oneIn part: Int, _ numbers: inout SeededNumbers) -> Bool {
    isWhole || Int.random(in: 0..<part, using: &numbers) == 0
  }

  /// How many of some random cases are made, at least one.
  package static func count(_ whole: Int, oneIn part: Int) -> Int { isWhole ? whole : max(whole / part, 1) }
}
