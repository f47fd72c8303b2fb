/// The cell `news` of `feed.html`.
struct News: Row {
  static let kind = "news"

  static let template = """
    <article class="news">
    {{#image}}
      <img class="news-image" src="{{src}}" alt="{{alt}}" loading="lazy">
    {{/image}}
      <h2 class="news-title"><a{{#url}} href="{{.}}"{{/url}}>{{title}}</a></h2>
    {{#summary}}
      <p class="news-summary">{{.}}</p>
    {{/summary}}
      <footer class="news-footer">
    {{>byline}}
    {{#tags}}
        <span class="tag">{{.}}</span>
    {{/tags}}
      </footer>
    </article>
    """

  /// Indented here and not where it is called: swift-mustache indents a partial's lines at every rendering.
  static let byline = """
    {{#author.name}}
        <span class="byline"><a{{#author.url}} href="{{.}}"{{/author.url}} rel="author">{{author.name}}</a></span>
    {{/author.name}}
    {{#published}}
        <time class="published" datetime="{{iso}}">{{label}}</time>
    {{/published}}

    """

  var title: String
  var url: String?
  var summary: String?
  var author: Author?
  var published: Moment?
  var tags: [String]?
  var image: Image?

  func child(named name: String) -> Any? {
    switch name {
    case "title": title
    case "url": url
    case "summary": summary
    case "author": author
    case "published": published
    case "tags": tags
    case "image": image
    default: nil
    }
  }
}
