import Configuration
import Synchronization

/// Remembers which provider the last value came from. A reader tells its reporter of each access before it returns.
final class LastAccess: AccessReporter {
  private let place = Mutex<Int?>(nil)

  /// Its place among the reader's providers; `nil`: none had a value.
  var answeringProvider: Int? { place.withLock { $0 } }

  func report(_ event: AccessEvent) {
    let answer = event.providerResults.lastIndex { (try? $0.result.get().value) != nil }
    place.withLock { $0 = answer }
  }
}
