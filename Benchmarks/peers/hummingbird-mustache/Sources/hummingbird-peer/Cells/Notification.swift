/// The cell of `notification.mustache`.
struct Notification: Row {
  static let kind = "notification"

  static let template = """
    <li class="notification{{#level}} notification-{{.}}{{/level}}{{#unread}} notification-unread{{/unread}}">
      <p class="notification-message">{{text}}</p>
      {{#sent}}
      <time class="notification-time" datetime="{{iso}}">{{label}}</time>
      {{/sent}}
      {{#url}}
      <a class="notification-link" href="{{.}}">{{action}}{{^action}}Open{{/action}}</a>
      {{/url}}
    </li>

    """

  var text: String
  var level: String?
  var unread: Bool?
  var url: String?
  var action: String?
  var sent: Moment?

  func child(named name: String) -> Any? {
    switch name {
    case "text": text
    case "level": level
    case "unread": unread
    case "url": url
    case "action": action
    case "sent": sent
    default: nil
    }
  }
}
