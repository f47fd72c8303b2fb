import Testing

/// `POST /cells/KIND`: accepted bodies and their answers.
@Suite struct ServiceRowsTests {
  static let rows: [ServiceCase] = [
    ServiceCase(
      "an array", .post("/cells/plain", #"[{"title":"a"},{"title":"b"}]"#), .html("<p>a</p><p>b</p>")),
    ServiceCase("one row", .post("/cells/plain", #" {"title":"a"} "#), .html("<p>a</p>")),
    ServiceCase("no row", .post("/cells/plain", "[]"), .html("")),
    ServiceCase("no row, with space", .post("/cells/plain", " [ \r\n\t] "), .html("")),
    ServiceCase("a row without what is asked for", .post("/cells/plain", "{}"), .html("<p></p>")),
    ServiceCase(
      "rows that are no objects", .post("/cells/plain", #"[1,"a",null,[]]"#),
      .problem("invalid-row", errors: (0..<4).map { "/\($0): invalid-row" })),
    ServiceCase("null", .post("/cells/dot", "null"), .html("<b></b>")),
    ServiceCase("true", .post("/cells/dot", "true"), .html("<b>true</b>")),
    ServiceCase("false", .post("/cells/dot", "false"), .html("<b>false</b>")),
    ServiceCase("a number", .post("/cells/dot", "19.90"), .html("<b>19.90</b>")),
    ServiceCase(
      "numbers keep their digits", .post("/cells/dot", "[1e3,1e400,-0,12345678901234567890123,0.10E-5]"),
      .html("<b>1e3</b><b>1e400</b><b>-0</b><b>12345678901234567890123</b><b>0.10E-5</b>")),
    ServiceCase("a string", .post("/cells/dot", #""a""#), .html("<b>a</b>")),
    ServiceCase("an empty string", .post("/cells/dot", #""""#), .html("<b></b>")),
    ServiceCase(
      "every type", .post("/cells/dot", #"[null,true,1,"a",[2],{"b":3}]"#),
      .html("<b></b><b>true</b><b>1</b><b>a</b><b>[2]</b><b>{&quot;b&quot;:3}</b>")),
    ServiceCase("a row that is an array", .post("/cells/dot", "[[1, 2]]"), .html("<b>[1,2]</b>")),
    ServiceCase("a row that is an empty array", .post("/cells/dot", "[[]]"), .html("<b>[]</b>")),
    ServiceCase(
      "arrays in an array in an array", .post("/cells/dot", "[[[1],[]],[[[ ]]]]"),
      .html("<b>[[1],[]]</b><b>[[[]]]</b>")),
    ServiceCase(
      "an object as compact JSON",
      .post("/cells/dot", #"{ "b" : [ 1 , 2 ] , "a" : {} , "c" : "\u00e9\/\n" }"#),
      .html(#"<b>{&quot;b&quot;:[1,2],&quot;a&quot;:{},&quot;c&quot;:&quot;é/\n&quot;}</b>"#)),
    ServiceCase(
      "a repeated key once, with its last value", .post("/cells/dot", #"[{"a":1,"a":2}]"#),
      .html("<b>{&quot;a&quot;:2}</b>")),
    ServiceCase(
      "of repeated keys the last counts", .post("/cells/plain", #"{"title":"a","x":1,"title":"b"}"#),
      .html("<p>b</p>")),
    ServiceCase(
      "escapes", .post("/cells/dot", #""<a href=\"'x'\">&amp;""#),
      .html("<b>&lt;a href=&quot;&#39;x&#39;&quot;&gt;&amp;amp;</b>")),
    ServiceCase("NUL in HTML", .post("/cells/dot", #""a\u0000b""#), .html("<b>a\u{FFFD}b</b>")),
    ServiceCase("NUL in text", .post("/cells/bytes", #""a\u0000b""#), .text("a\u{0}b")),
    ServiceCase(
      "beyond ASCII, sent and escaped", .post("/cells/dot", #""é😀\u00e9\ud83d\ude00""#), .html("<b>é😀é😀</b>")),
    ServiceCase(
      "the row's place", .post("/cells/place", "[{},{},{}]"), .html("<i>0</i><i>1</i><i>2 last</i>")),
    ServiceCase("the place of one row", .post("/cells/place", "{}"), .html("<i>0 last</i>")),
    ServiceCase("a kind with a slash", .post("/cells/shop/price", #"{"amount":1.50}"#), .html("<i>1.50</i>")),
    ServiceCase(
      "a kind with an escaped slash", .post("/cells/shop%2Fprice", #"{"amount":1}"#), .html("<i>1</i>")),
    ServiceCase(
      "a text cell", .post("/cells/line", #"[{"title":"<a>"},{"title":"b"}]"#), .text("&lt;a&gt;\nb\n")),
    ServiceCase(
      "a dynamic name",
      .post("/cells/any", #"[{"name":"plain","title":"a"},{"name":"none"},{"name":"line"},{"name":3},{}]"#),
      .html("<div><p>a</p></div><div></div><div></div><div></div><div></div>")),
  ]

  static let ndjson: [ServiceCase] = [
    ServiceCase("lines", .ndjson("/cells/dot", "1\n2\n"), .html("<b>1</b><b>2</b>")),
    ServiceCase("a last line without its end", .ndjson("/cells/dot", "1\n2"), .html("<b>1</b><b>2</b>")),
    ServiceCase("CRLF", .ndjson("/cells/dot", "1\r\n\"a\"\r\n"), .html("<b>1</b><b>a</b>")),
    ServiceCase("blank lines", .ndjson("/cells/dot", "\n\n1\n  \r\n\t\n2\r\n\n"), .html("<b>1</b><b>2</b>")),
    ServiceCase("nothing", .ndjson("/cells/dot", ""), .html("")),
    ServiceCase("blank lines alone", .ndjson("/cells/dot", "\n \r\n\n"), .html("")),
    ServiceCase(
      "a line that is an array is one row", .ndjson("/cells/dot", "[1,2]\n[]\n[[3]]"),
      .html("<b>[1,2]</b><b>[]</b><b>[[3]]</b>")),
    ServiceCase("space around", .ndjson("/cells/dot", " 1 \n\t2\t\n"), .html("<b>1</b><b>2</b>")),
    ServiceCase(
      "the other name", .post("/cells/dot", "1\n2", type: "application/jsonl; charset=UTF-8"),
      .html("<b>1</b><b>2</b>")),
    ServiceCase(
      "places are those of rows", .ndjson("/cells/place", "\n{}\n\n{}\n"), .html("<i>0</i><i>1 last</i>")),
    ServiceCase(
      "escapes with line ends", .ndjson("/cells/bytes", "\"a\\nb\\u000ac\"\n\"d\""), .text("a\nb\ncd")),
    ServiceCase(
      "a bad line", .ndjson("/cells/dot", "1\n{bad\n3"),
      .problem("invalid-row", errors: ["/1: invalid-json 2:2"])),
    ServiceCase(
      "bad lines, blank lines not counted as rows", .ndjson("/cells/dot", "\n1\n\n{\"a\":\n2\n \"x\" 1\n"),
      .problem("invalid-row", errors: ["/1: invalid-json 4:6", "/3: invalid-json 6:6"])),
    ServiceCase(
      "a bad line behind escaped line ends", .ndjson("/cells/dot", "\"\\n\\n\\n\\n\"\n[1,}\n"),
      .problem("invalid-row", errors: ["/1: invalid-json 2:4"])),
    ServiceCase(
      "a value over two lines", .ndjson("/cells/dot", "[1,\n2]"),
      .problem("invalid-row", errors: ["/0: invalid-json 1:4", "/1: invalid-json 2:2"])),
    ServiceCase(
      "a bad line is skipped", .ndjson("/cells/dot?on_error=skip", "1\nx\n3"), .html("<b>1</b><b>3</b>"),
      headers: ["CellFactory-Errors": "1"]),
    ServiceCase(
      "a bad line in JSON", .ndjson("/cells/dot?on_error=skip&format=json&fields=html", "1\n\n[,\n3"),
      .json(
        #"{"rows":[{"index":0,"kind":"dot","html":"<b>1</b>"},{"index":1,"kind":"dot","error":{"#
          + ##""type":"urn:cellfactory:invalid-json","title":"#","status":400,"detail":"#","##
          + ##""errors":[{"pointer":"/1","type":"urn:cellfactory:invalid-json","detail":"#","line":3,"column":2}],"##
          + #""errorCount":1}},{"index":2,"kind":"dot","html":"<b>3</b>"}],"errors":1}"#),
      headers: ["CellFactory-Errors": "1"]),
  ]

  static let forms: [ServiceCase] = [
    ServiceCase("as curl sends it", .form("/cells/plain", "title=Hi"), .html("<p>Hi</p>")),
    ServiceCase("without a type", .post("/cells/plain", "title=Hi", type: nil), .html("<p>Hi</p>")),
    ServiceCase(
      "plus and escapes", .form("/cells/plain", "title=a+b%2B%3Cc%26%C3%A9"), .html("<p>a b+&lt;c&amp;é</p>")),
    ServiceCase("dots make objects", .form("/cells/who", "title=Hi&owner.name=Ada"), .html("<u>Ada: Hi</u>")),
    ServiceCase(
      "repeated names make arrays", .form("/cells/dot", "a=1&b.c=x&a=2"),
      .html(
        "<b>{&quot;a&quot;:[&quot;1&quot;,&quot;2&quot;],&quot;b&quot;:{&quot;c&quot;:&quot;x&quot;}}</b>")),
    ServiceCase(
      "controls are data here", .form("/cells/dot", "format=json"),
      .html("<b>{&quot;format&quot;:&quot;json&quot;}</b>")),
    ServiceCase(
      "empty pairs", .form("/cells/dot", "&a=1&&b&"),
      .html("<b>{&quot;a&quot;:&quot;1&quot;,&quot;b&quot;:&quot;&quot;}</b>")),
    ServiceCase("%00 is allowed", .form("/cells/plain", "title=a%00b"), .html("<p>a\u{FFFD}b</p>")),
    ServiceCase(
      "an escaped dot is no separator", .form("/cells/dot", "a%2Eb=1"),
      .html("<b>{&quot;a.b&quot;:&quot;1&quot;}</b>")),
    ServiceCase("an empty body without a type", .post("/cells/dot", "", type: nil), .html("<b>{}</b>")),
    ServiceCase("an empty form", .form("/cells/dot", ""), .html("<b>{}</b>")),
    ServiceCase("a string and an object", .form("/cells/plain", "a=1&a.b=2"), .problem("bad-request")),
    ServiceCase("an object and a string", .form("/cells/plain", "a.b=1&a=2"), .problem("bad-request")),
    ServiceCase("an empty name", .form("/cells/plain", "=1"), .problem("bad-request")),
    ServiceCase("an empty part of a name", .form("/cells/plain", "a..b=1"), .problem("bad-request")),
    ServiceCase("a dot at the end", .form("/cells/plain", "a.=1"), .problem("bad-request")),
    ServiceCase("a bad escape", .form("/cells/plain", "a=%zz"), .problem("bad-request")),
    ServiceCase("a cut escape", .form("/cells/plain", "a=%4"), .problem("bad-request")),
    ServiceCase("no UTF-8", .form("/cells/plain", "a=%FF"), .problem("bad-request")),
    ServiceCase("no UTF-8 in a name", .form("/cells/plain", "%C3=1"), .problem("bad-request")),
  ]

  static let sniffing: [ServiceCase] = [
    ServiceCase(
      "an array without a type", .post("/cells/dot", "[1,2]", type: nil), .html("<b>1</b><b>2</b>")),
    ServiceCase(
      "an object without a type", .post("/cells/plain", #"{"title":"a"}"#, type: nil), .html("<p>a</p>")),
    ServiceCase("an array with curl's type", .form("/cells/dot", "[1]"), .html("<b>1</b>")),
    ServiceCase("behind white space", .form("/cells/dot", " \t\r\n[1]"), .html("<b>1</b>")),
    ServiceCase("bad JSON", .form("/cells/dot", " [1,}"), .problem("invalid-json", line: 1, column: 5)),
    ServiceCase(
      "a string is a field", .form("/cells/dot", #""a""#),
      .html("<b>{&quot;\\&quot;a\\&quot;&quot;:&quot;&quot;}</b>")),
    ServiceCase(
      "a number is a field", .post("/cells/dot", "1", type: nil), .html("<b>{&quot;1&quot;:&quot;&quot;}</b>")
    ),
    ServiceCase(
      "escaped, it is a field", .form("/cells/dot", "%5B1%5D"), .html("<b>{&quot;[1]&quot;:&quot;&quot;}</b>")
    ),
    ServiceCase("nothing is not JSON", .post("/cells/dot", ""), .problem("invalid-json", line: 1, column: 1)),
    ServiceCase(
      "nor is white space", .post("/cells/dot", " \n "), .problem("invalid-json", line: 2, column: 2)),
    ServiceCase(
      "a form is not JSON", .post("/cells/dot", "x=1"), .problem("invalid-json", line: 1, column: 1)),
  ]

  @Test(arguments: Way.allCases) func rowsOfOneKind(way: Way) async throws {
    try await way.target().check(Self.rows)
  }

  @Test(arguments: Way.allCases) func linesOfNDJSON(way: Way) async throws {
    try await way.target().check(Self.ndjson)
  }

  @Test(arguments: Way.allCases) func formFields(way: Way) async throws {
    try await way.target().check(Self.forms)
  }

  @Test(arguments: Way.allCases) func theFirstByteDecides(way: Way) async throws {
    try await way.target().check(Self.sniffing)
  }

  @Test(arguments: Way.allCases) func chunksAreTheSameBody(way: Way) async throws {
    let target = try way.target()
    for row in Self.rows + Self.ndjson + Self.forms {
      for size in [1, 7] {
        var row = row
        row.request = row.request.chunked(size)
        try await target.check(row)
      }
    }
  }

  @Test(arguments: Way.allCases) func manyRows(way: Way) async throws {
    let numbers = (0..<5000).map(String.init)
    let cells = numbers.map { "<b>\($0)</b>" }.joined()
    try await way.target().check([
      ServiceCase("array", .post("/cells/dot", "[" + numbers.joined(separator: ",") + "]"), .html(cells)),
      ServiceCase("lines", .ndjson("/cells/dot", numbers.joined(separator: "\n")), .html(cells)),
    ])
  }
}
