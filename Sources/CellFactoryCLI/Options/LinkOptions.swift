import ArgumentParser
import CellTemplates

/// What links in rendered cells may lead to. An archive holds it: it is asked for where templates are
/// compiled.
struct LinkOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "URL schemes that links may carry beside http, https, mailto and tel: an app's deep links.",
      valueName: "schemes"),
    transform: Self.schemes(list:))
  var urlSchemes: URLSchemes?

  func schemes() throws -> URLSchemes {
    if let urlSchemes { return urlSchemes }
    guard let text = Setting.environment("url-schemes") else { return .standard }
    do throws(URLSchemeError) {
      return try URLSchemes(list: text)
    } catch {
      let variable = Setting.variable("url-schemes")
      throw ValidationError("The value '\(text)' of \(variable) is invalid: \(error.description).")
    }
  }

  @Sendable private static func schemes(list: String) throws -> URLSchemes {
    do throws(URLSchemeError) {
      return try URLSchemes(list: list)
    } catch {
      throw ValidationError(error.description)
    }
  }
}
