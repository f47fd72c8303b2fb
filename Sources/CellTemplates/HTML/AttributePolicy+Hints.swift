/// What to write instead of a value in an attribute that takes none.
extension AttributePolicy {
  /// - Parameters: names in lowercase.
  static func hint(for attribute: ExactString, on element: ExactString) -> String {
    switch attribute.text {
    case "data-bs-title", "data-bs-original-title", "data-original-title", "data-bs-content", "data-content":
      return "use title: Bootstrap shows it as text"
    case "type", "rel", "target", "method", "formmethod", "referrerpolicy", "command", "sandbox", "is",
      "http-equiv":
      return "write it as static text; if it varies, write an element for each, each in a section of its own"
    case "innerhtml", "innertext", "textcontent", "text", "html":
      return "fill the element: data-outlet=\"name\" in a nib, <p>{{name}}</p> in Mustache"
    case "autoplay", "playsinline", "default", "ismap", "formnovalidate", "allowfullscreen", "async", "defer",
      "nomodule":
      return "write it in a section: {{#name}}\(attribute){{/name}}"
    case "srcdoc": return "write src with a static host or path, as in src=\"/embed/{{id}}\""
    case "src" where element == "script", "data" where element == "object":
      return "write \(attribute) as static text, and put the value in a data attribute that the script reads"
    case "hx-vals", "hx-headers", "hx-vars", "data-hx-vals", "data-hx-headers", "data-hx-vars":
      return "send the value as a form field: <input type=\"hidden\" name=\"id\" value=\"{{id}}\">"
    case "targets" where element == "turbo-stream":
      return "name one element by its id: target=\"cart-{{id}}\""
    case "action" where element == "turbo-stream":
      return "write it as static text: action=\"append\""
    default: break
    }
    let isScript =
      ["on", "x-", "@", ":", "v-", "ng-", "wire:", "hx-on", "data-on"].contains {
        attribute.text.hasPrefix($0)
      }
      || attribute == "_"
    if isScript {
      return "put the value in a data attribute, such as data-id=\"{{id}}\", and let the script read it there"
    }
    if element.text.utf8.contains(UInt8(ascii: "-")),
      CustomElements.refusal(of: attribute.text, on: element.text) == nil
    {
      return "declare it in custom-elements.json, or write it as static text"
    }
    return "write \(attribute) as static text, or put the value in another attribute, such as data-value"
  }
}
