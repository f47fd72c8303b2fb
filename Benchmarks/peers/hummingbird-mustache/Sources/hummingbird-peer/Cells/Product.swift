import Mustache

/// The cell `product` of `feed.html`.
struct Product: Row {
  static let kind = "product"

  static let template = """
    <article class="product">
      <a class="product-link" href="{{url}}">
    {{#image}}
        <img class="product-image" src="{{src}}" alt="{{alt}}" width="320" height="320" loading="lazy">
    {{/image}}
        <h3 class="product-name">{{name}}</h3>
      </a>
    {{#badge}}
      <p class="product-badge">{{.}}</p>
    {{/badge}}
    {{>price}}

    {{#rating}}
      <p class="product-rating">
        <meter min="0" max="5" value="{{value}}"></meter>
        <span><span>{{label}}</span> (<span>{{count}}</span>)</span>
      </p>
    {{/rating}}
    {{#stock}}
      <p class="product-stock product-stock-{{level}}">{{label}}</p>
    {{/stock}}
    </article>
    """

  /// Indented here and not where it is called: swift-mustache indents a partial's lines at every rendering.
  static let price = """
      <p class="price">
    {{#oldPrice}}
      <del class="price-old">{{.}} {{currency}}</del>
    {{/oldPrice}}
      <data class="price-now" value="{{price}}">{{price}} {{currency}}</data>
    </p>

    """

  struct Rating: Decodable, Sendable, MustacheParent {
    var value: Double
    var count: Int
    var label: String

    func child(named name: String) -> Any? {
      switch name {
      case "value": value
      case "count": count
      case "label": label
      default: nil
      }
    }
  }

  struct Stock: Decodable, Sendable, MustacheParent {
    var level: String
    var label: String

    func child(named name: String) -> Any? {
      switch name {
      case "level": level
      case "label": label
      default: nil
      }
    }
  }

  var name: String
  var url: String
  var image: Image?
  var badge: String?
  var price: Amount
  var oldPrice: Amount?
  var currency: String
  var rating: Rating?
  var stock: Stock?

  func child(named name: String) -> Any? {
    switch name {
    case "name": self.name
    case "url": url
    case "image": image
    case "badge": badge
    case "price": price
    case "oldPrice": oldPrice
    case "currency": currency
    case "rating": rating
    case "stock": stock
    default: nil
    }
  }
}
