/// The kind of a `data-` attribute: what a front-end library does with it; otherwise what its name means on
/// some element, because scripts copy it there; otherwise text.
///
/// Sources: the references of htmx 1 and 2, Alpine 3, Vue 3, AngularJS 1 (`directiveNormalize`), Livewire 3,
/// hyperscript, Turbo 8, Datastar 1, Bootstrap 2 to 5, RequireJS 2, jQuery Unobtrusive, jQuery Validation, rails-ujs, Dojo,
/// Intercooler, UIkit, Parsley 2, Foundation 6, reveal.js, intro.js, bootstrap-select, lightbox2, lightGallery, GLightbox, Fancybox,
/// slick, Featherlight, Colorbox, bootstrap-table, BootstrapValidator, FormValidation, Mavo, Prism, Trix and WinJS.
enum DataAttributes {
  /// The name behind `data-`, normalized like AngularJS, which takes it for the attribute without `data-`.
  /// - Parameter attribute: in lowercase.
  /// - Returns: nil for other attributes.
  static func name(_ attribute: String) -> String? {
    attribute.hasPrefix("data-") ? normalized(attribute.dropFirst(5)) : nil
  }

  /// - Parameter attribute: in lowercase, including `data-`.
  static func kind(of attribute: String) -> AttributeKind {
    let written = attribute.dropFirst(5)
    if written == "action" { return .refused("actions are static") }
    if AttributePolicy.isOfNibs(ExactString(attribute)) {
      return .refused("it belongs to nibs and is static")
    }
    let name = normalized(written)
    if let kind = HtmxAttributes.kind(of: name) { return kind }
    switch name {
    // Validation by a request to the server. Livewire takes the others of the first element that has them, to send its
    // state there and to run modules.
    case "val-remote-url", "update-uri", "module-url": return .sameOriginURL
    default: break
    }
    if isEvaluated(written, name) { return .refused("a front-end library evaluates it") }
    switch name {
    // Bootstrap before 3.4 and 4.1.2 passes these to jQuery, which makes elements of a value that begins with `<`.
    case "target", "parent": return .fragmentURL
    case "style": return .style
    case "srcset", "imagesrcset": return .srcset
    case "ping": return .urlList
    case "formaction": return .sameOriginURL
    case "href", "xlink-href", "poster", "cite", "longdesc", "background", "data", "codebase",
      "classid", "manifest", "profile", "usemap", "archive":
      return .url
    default:
      // reveal.js opens what the first three name.
      let isURL =
        ["preview-link", "preview-image", "preview-video"].contains(name)
        || ["src", "url", "uri"].contains { name.contains($0) }
      return isURL ? (name.contains("srcset") ? .srcset : .url) : .plain
    }
  }

  /// Whether scripts that load later may take the value for a `src`.
  /// - Parameter attribute: in lowercase.
  static func isSource(_ attribute: String) -> Bool {
    guard let name = name(attribute) else { return false }
    return name.contains("src") && !name.contains("srcset") && name != "srcdoc"
  }

  /// Normalizes a name like AngularJS: runs of `-`, `:` and `_` are one separator; separators at the start
  /// are dropped.
  private static func normalized(_ name: Substring) -> String {
    var result = ""
    for character in name {
      let isSeparator = character == "-" || character == ":" || character == "_"
      if !isSeparator {
        result.append(character)
      } else if !result.isEmpty, result.last != "-" {
        result.append("-")
      }
    }
    return result
  }

  private static func isEvaluated(_ written: Substring, _ name: String) -> Bool {
    if ["@", ":", "_"].contains(where: written.hasPrefix) { return true }
    // The prefix that Datastar uses in its conflict-free bundle.
    var names = name.hasPrefix("star-") ? [name, String(name.dropFirst(5))] : [name]
    // Bootstrap 5 takes the letters for its own prefix without the hyphen, too: data-bstemplate.
    if name.hasPrefix("bs"), !name.hasPrefix("bs-") { names.append("bs-" + name.dropFirst(2)) }
    let isKnown = names.contains { name in
      prefixes.contains(where: name.hasPrefix) || exact.contains(name) || datastar.contains(name)
        || keyed.contains { name.hasPrefix($0) && name != $0 } || EventNames.isHandler(name)
    }
    if isKnown { return true }
    // Datastar puts a key after a colon, and modifiers after two underscores: data-text:x, data-init__delay.
    let colon = written.firstIndex(of: ":") ?? written.endIndex
    let modifiers = written.firstRange(of: "__")?.lowerBound ?? written.endIndex
    let end = min(colon, modifiers)
    if end == written.endIndex { return false }
    let head = normalized(written[..<end])
    let plugin = head.hasPrefix("star-") ? String(head.dropFirst(5)) : head
    // Without a key, the first two have the same meaning as in HTML, and the last is Datastar's on a `<template>` alone.
    return datastar.contains(plugin) || ["class", "style", "for"].contains(plugin)
  }

  private static let prefixes = [
    "x-", "v-", "ng-", "wire-", "on-",
    // Datastar.
    "effect-", "match-media-", "persist-", "rocket-", "import-esm-", "import-iife-", "props-",
    // Requests and messages of jQuery Unobtrusive, which shows messages as HTML; Dojo, Intercooler, UIkit.
    "ajax-", "val-", "dojo-", "ic-", "uk-",
    // Messages of jQuery Validation, which it shows as HTML, and rules, which may ask any origin for one.
    "msg-", "rule-",
    // Parsley shows messages as HTML, with the rules in them, and makes elements of most others.
    "parsley-",
    // BootstrapValidator and FormValidation show messages as HTML; Mavo evaluates expressions.
    "bv-", "fv-", "mv-",
    // Where rails-ujs keeps the URL to send a form to, and what it makes HTML of.
    "ujs-",
  ]

  /// Datastar up to 1.0.0-RC compares only the beginning of a name with these, and reads whatever follows as a key:
  /// `data-computedfoo`.
  private static let keyed = ["attr", "bind", "class", "computed", "signals", "style"]

  private static let exact: Set = [
    "on", "script", "srcdoc",
    // Bootstrap uses these as HTML, or as options that allow HTML.
    "bs-html", "bs-content", "bs-template", "bs-title", "bs-original-title", "bs-config",
    "html", "content", "template", "original-title",
    // Old versions pass these to jQuery, which makes elements of HTML.
    "container", "viewport",
    // Old versions load it as HTML.
    "remote",
    // An extension of htmx evaluates it.
    "include-vals",
    // Buttons of versions 2 and 3 show these as HTML.
    "loading-text", "complete-text", "reset-text",
    // RequireJS loads the first; rails-ujs makes HTML of the others.
    "main", "disable-with", "method",
    // Datastar's own prefix leaves no doubt of these, which mean something else without it.
    "star-class", "star-style", "star-for",
    // Turbo shows the first as HTML while a form is sent; the other decides what a link does, as `method` does of a form.
    "turbo-submits-with", "turbo-method",
    // A lightbox of UIkit shows these as HTML; Fancybox, lightGallery and GLightbox one of their own.
    "caption", "alt", "sub-html", "sub-html-url", "iframe-title", "glightbox",
    // jQuery EasyUI evaluates it; with Foundation and Fancybox it allows HTML.
    "options",
    // Foundation loads the first as HTML, and makes HTML of the others.
    "interchange", "reveal-ajax", "back-button", "scroll-top-element", "submenu-toggle-text",
    "additional-overlay-classes",
    // reveal.js makes slides and notes of them, intro.js a step of the tour.
    "markdown", "background-iframe", "background-video", "notes", "intro",
    // bootstrap-select makes labels of them.
    "subtext", "none-selected-text", "none-results-text", "count-selected-text", "select-all-text",
    "deselect-all-text", "done-button-text", "tick-icon",
    // jQuery Validation shows it as HTML.
    "msg",
    // slick makes HTML of options, Featherlight and Colorbox of a value, bootstrap-table of cells, Trix of what is attached.
    "slick", "featherlight", "cbox-html", "formatter", "footer-formatter", "trix-attachment",
    // Prism loads it as a script; WinJS evaluates these.
    "jsonp", "win-bind", "win-options",
  ]

  /// Attributes that Datastar evaluates, or that control where it stores and shows evaluated values.
  private static let datastar: Set = [
    "text", "show", "attr", "bind", "computed", "effect", "signals", "init", "json-signals",
    "custom-validity", "animate", "persist", "query-string", "scroll-into-view", "view-transition",
    "replace-url", "match-media", "rocket", "if", "else-if",
  ]
}
