import Mustache

/// A row of a kind, as its JSON is decoded.
///
/// `child(named:)` hands its members to the template; without it swift-mustache would find them by reflection, which
/// costs several times as much.
protocol Row: Decodable, Sendable, MustacheParent {
  static var kind: String { get }
  /// The cell, translated from `templates/`.
  static var template: String { get }
}

extension String: @retroactive MustacheParent {
  /// A string has no members: names are looked up further out, and reflection is spared.
  public func child(named: String) -> Any? { nil }
}

/// When something happened, for machines and for people.
struct Moment: Decodable, Sendable, MustacheParent {
  var iso: String
  var label: String

  func child(named name: String) -> Any? {
    switch name {
    case "iso": iso
    case "label": label
    default: nil
    }
  }
}

struct Author: Decodable, Sendable, MustacheParent {
  var name: String
  var url: String?

  func child(named name: String) -> Any? {
    switch name {
    case "name": self.name
    case "url": url
    default: nil
    }
  }
}

struct Image: Decodable, Sendable, MustacheParent {
  var src: String
  var alt: String

  func child(named name: String) -> Any? {
    switch name {
    case "src": src
    case "alt": alt
    default: nil
    }
  }
}

/// A sum of money, printed with two decimals: JSONDecoder does not keep the digits that were sent.
struct Amount: Decodable, Sendable, MustacheCustomRenderable {
  var cents: Int

  init(from decoder: any Decoder) throws {
    cents = Int((try decoder.singleValueContainer().decode(Double.self) * 100).rounded())
  }

  var isNull: Bool { false }

  var renderText: String {
    let (whole, rest) = cents.magnitude.quotientAndRemainder(dividingBy: 100)
    return "\(cents < 0 ? "-" : "")\(whole).\(rest < 10 ? "0" : "")\(rest)"
  }
}
