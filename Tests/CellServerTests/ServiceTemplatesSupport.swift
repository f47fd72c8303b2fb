/// The cells rendered by these tests: each is small enough to predict its output.
enum ServiceTemplates {
  static let all: [String: String] = [
    "plain.mustache": "<p>{{title}}</p>",
    "dot.mustache": "<b>{{.}}</b>",
    "place.mustache": "<i>{{@index}}{{#@last}} last{{/@last}}</i>",
    "shop/price.mustache": "<i>{{amount}}</i>",
    "who.mustache": "<u>{{owner.name}}: {{title}}</u>",
    "team.mustache": "<h2>{{#owner}}{{name}} {{#bosses}}{{title}}{{/bosses}}{{/owner}}</h2>",
    "people.mustache":
      "<ul>{{#people}}<li>{{name}}{{#pets}}<q>{{call.name}}</q>{{/pets}}</li>{{/people}}</ul>",
    "signs.mustache": "<p>{{a~b/c}}{{#x/y}}{{z~}}{{/x/y}}</p>",
    "tree.mustache": "<i>{{#kid}}{{>tree}}{{/kid}}</i>",
    "loop.mustache": "<div>{{>loop}}</div>",
    "any.mustache": "<div>{{>*name}}</div>",
    "many.mustache": "<p>" + (0..<120).map { "{{n\($0)}}" }.joined() + "</p>",
    "wide.mustache": "<p>" + String(repeating: "wide", count: 500) + "</p>",
    "line.txt.mustache": "{{title}}\n",
    "bytes.txt.mustache": "{{.}}",
  ]

  /// The kinds' names, sorted.
  static let kinds = all.keys.map { String($0.dropLast($0.hasSuffix(".txt.mustache") ? 13 : 9)) }.sorted()
}
