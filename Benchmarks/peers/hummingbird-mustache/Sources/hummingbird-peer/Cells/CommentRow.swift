import Mustache

/// The cell of `comment.mustache`.
struct CommentRow: Row {
  static let kind = "comment"

  static let template = """
    <article class="comment" id="comment-{{comment.id}}">
      <header class="comment-header">
        {{#comment.author.url}}
        <a class="comment-author" href="{{.}}" rel="nofollow ugc">{{comment.author.name}}</a>
        {{/comment.author.url}}
        {{^comment.author.url}}
        <span class="comment-author">{{comment.author.name}}{{^comment.author.name}}Anonymous{{/comment.author.name}}</span>
        {{/comment.author.url}}
        <a class="comment-link" href="#comment-{{comment.id}}"><time datetime="{{comment.published.iso}}">{{comment.published.label}}</time></a>
        {{#comment.edited}}
        <em class="comment-edited">edited</em>
        {{/comment.edited}}
      </header>
      {{#comment.text}}
      <p class="comment-text">{{.}}</p>
      {{/comment.text}}
      {{#comment.replies}}
      {{>comment}}
      {{/comment.replies}}
    </article>

    """

  struct Comment: Decodable, Sendable, MustacheParent {
    var id: Int
    var author: Author?
    var published: Moment
    var text: String
    var edited: Bool?
    var replies: [CommentRow]?

    func child(named name: String) -> Any? {
      switch name {
      case "id": id
      case "author": author
      case "published": published
      case "text": text
      case "edited": edited
      case "replies": replies
      default: nil
      }
    }
  }

  var comment: Comment

  func child(named name: String) -> Any? {
    name == "comment" ? comment : nil
  }
}
