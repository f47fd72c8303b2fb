@testable import CellServer
import Testing

/// Targets, taken apart anew or known from the request before.
struct TransportTargetTests {
  static let targets = [
    "/", "/cells", "/cells/news", "/cells/newspaper", "/cells/new", "/cells/news?", "/cells/news?format=json",
    "/cells/news?format=jso", "/cells/news?format=json&x", "/cells/new%73", "/cells/a/b", "/cells//a",
    "/cells/",
    "/kinds", "/metrics", "/nothing", "*", "**", "/?", "/?a?b", "/a?", "http://host",
    "http://host/cells/news",
    "https://host?format=json", "HTTP://host/kinds", "cells", "", "/a b", "/\u{e9}",
  ]

  /// Whatever target came before on the connection, the next one is read as by a guard that has seen none.
  @Test func aTargetIsReadAsIfItWereTheFirst() {
    for before in Self.targets {
      for target in Self.targets {
        var used = RequestGuard()
        var fresh = RequestGuard()
        for text in [before, target, target] { Self.begin(&used, text) }
        Self.begin(&fresh, target)
        #expect(Self.description(used) == Self.description(fresh), "\(before), then \(target)")
      }
    }
  }

  @Test func aRouteIsWhatThePathSays() throws {
    for target in Self.targets {
      var guarding = RequestGuard()
      Self.begin(&guarding, target)
      let path = guarding.head.path
      var (route, problem): (Route?, Problem?) = (nil, nil)
      do throws(Problem) { route = try Route(path: path) } catch { problem = error }
      var told: Problem?
      do throws(Problem) { #expect(try guarding.head.route() == route) } catch { told = error }
      #expect(told == problem, "\(target)")
    }
  }

  private static func begin(_ guarding: inout RequestGuard, _ target: String) {
    Array(target.utf8).withUnsafeBytes { guarding.begin(target: $0) }
  }

  /// What is known of the target, and whether it was refused.
  private static func description(_ guarding: borrowing RequestGuard) -> String {
    let head =
      "\(guarding.head.path) \(guarding.head.query ?? "-") \(String(describing: guarding.head.target.route))"
    do throws(Problem) {
      _ = try guarding.finish(headLimitBytes: 100, bodyLimitBytes: 100)
      return head
    } catch {
      return "\(head) \(error.detail)"
    }
  }
}
