"""Requests that try to keep a worker's loop busy for long, each of about a given number of bytes."""

import dataclasses
import pathlib
import random
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Memory"))
from bodies import Body, bodies, filled  # noqa: E402 (the line above has to come first)

JSON = "application/json"
LINES = "application/x-ndjson"

# The kinds of the shapes below, besides those of templates/.
TEMPLATES = {
    "plain.mustache": "<p>{{a}}</p>",
    "section.mustache": "<p>{{#l}}{{a}}{{/l}}</p>",
    "index.mustache": "<p>{{l.3500000}}{{l.3600000.a}}</p>",
    "names.mustache": "{{#l}}<p>{{o.a}}{{o.b}}</p>{{/l}}",
    "memo.mustache": "{{@index}}{{#o}}" + "".join(f"{{{{m{number}}}}}" for number in range(300)) + "{{/o}}",
    "picture.mustache": '<img srcset="{{u}}" alt="{{a}}"><a href="/{{a}}">a</a><b style="color: {{a}}" class="{{a}}">b</b>',
    "data.mustache": '<script type="application/json">{{v}}</script>',
    "inner.mustache": "<i>{{.}}</i>",
    "words.mustache": "{{l | list}}",
    "holes.mustache": (
        '<img srcset="/{{a}} 2x"><a href="/{{a}}">x</a><b style="color: {{a}}">x</b>{{a | truncate 60000}}'
        '<script type="application/json">{{a}}</script>' * 40),
    "short.mustache": "{{a | truncate 60000}}",
    "thousands.mustache": "".join(f"{{{{n{number:059}}}}}" for number in range(4000)),
    "cut.mustache": "{{a | truncate 100000}}",
    "links.mustache": '<a href="{{a}}" ping="{{b}}">a</a>{{#l}}<a href="{{b}}">b</a>{{/l}}',
    "dotted.mustache": f"{{{{#@row.l}}}}{{{{{'.'.join('a' * 100_000)}}}}}{{{{/@row.l}}}}",
    "endless.mustache": "{{a}}{{#name}}{{>endless}}{{/name}}",
    "inward.mustache": "{{#b}}" * 190 + "{{zz}}{{@index}}{{>inward}}" + "{{/b}}" * 190,
    "deep.mustache": (
        "{{#name}}" * 8 + "{{#end}}" + "".join(f"{{{{q{number}}}}}" for number in range(100)) + "{{/end}}{{^end}}{{>deep}}{{/end}}"
        + "{{/name}}" * 8),
    "longest.mustache": f"{{{{{'a' * 1_000_000}}}}}",
    "numbers.mustache": "{{#q}}" + "{{@index}}" * 40_000 + "{{/q}}{{a}}",
    "objects.mustache": "{{o}}" * 500,
    "digits.mustache": "{{d | number digits=0}}" * 510,
    "dots.mustache": f"<p>{{{{{'.'.join('a' * 200_000)}}}}}</p>",
    "other.mustache": "{{a | list or}}",
    "lists.mustache": "{{l | list}}" * 500,
    "money.mustache": (
        "".join(f"{{{{#@row.o{number % 12}}}}}" for number in range(190)) + "{{p | currency c}}{{>money}}"
        + "".join(f"{{{{/@row.o{number % 12}}}}}" for number in reversed(range(190)))),
    "nib.html": (
        '<p data-cell="when"><b data-when="a=x b>3 c!={d}" data-outlet="a">a</b></p>'
        '<p data-cell="list"><b data-outlet="l">a</b></p>'
        '<p data-cell="include"><b data-outlet="l" data-include="inner">a</b></p>'
        + '<p data-cell="actions">' + "".join(f'<b data-action="{"a" * 99}{number}">a</b>' for number in range(256)) + "</p>"
        '<p data-cell="elements"><b data-outlet="l" data-format="list">a</b></p>'
        '<p data-cell="plural" data-plural="a">'
        + "".join(f'<b data-case="={number}">{number}</b>' for number in range(60)) + '<b data-case="other">other</b></p>'
        '<p data-cell="literals">' + ('<b data-when="a=' + ",".join(f"{number}.5e0" for number in range(30)) + '">a</b>') * 150 + "</p>"
        '<p data-cell="nested">' + "{{#a}}" * 150 + "".join(f'<b data-outlet="a{number}">a</b>' for number in range(120))
        + "{{/a}}" * 150 + "</p>"
        '<div data-cell="inlists">' + "{{#@row.l}}" * 190 + "{{#@row.m}}" + "".join(f'<b data-outlet="a{number}">a</b>' for number in range(100))
        + "{{/@row.m}}{{>inlists}}" + "{{/@row.l}}" * 190 + "</div>"
        '<p data-cell="bind" data-bind="class:l; title:\'{a} {b}\'"><b data-outlet="a">a</b></p>'
    ),
}



@dataclasses.dataclass(frozen=True)
class Crowd:
    """What many clients send at once, and its answer: the status, and words of it where a status has many reasons."""

    name: str
    request: bytes
    status: int = 200
    words: bytes = b""
    # Whether 503 is right, too, once others have waited too long. All are answered where requests may wait.
    may_be_late: bool = True


# Each costs the server little, but most of it in one place. Probes are never late, nor is what libmicrohttpd refuses by itself.
CROWDS = [
    Crowd("a probe", b"GET /livez HTTP/1.1\r\nHost: a\r\n\r\n", may_be_late=False),
    Crowd("half a head", b"GET /livez HTTP/1.1\r\nHost: a\r\n\r\nGET /livez HTTP/1.1\r\nHost: ", may_be_late=False),
    Crowd("no such path", b"GET /nope HTTP/1.1\r\nHost: a\r\n\r\n", 404, b"there is nothing at"),
    Crowd("a bad host", b"GET /livez HTTP/1.1\r\nHost: <a>\r\n\r\n", 400, b"not a valid host"),
    Crowd("a head that libmicrohttpd refuses", b"GET /livez HTTP/1.1\r\nHost a\r\n\r\n", 400, b"Request malformed", may_be_late=False),
    Crowd("a zero byte", b"GET /live\0z HTTP/1.1\r\nHost: a\r\n\r\n", 400, b"the request line"),
    Crowd("a long head", b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\nHost: a\r\n\r\n", 400, b"the path has 9001 bytes"),
    Crowd("a much longer path", b"GET /cells/" + b"a/" * 14_000 + b" HTTP/1.1\r\nHost: a\r\n\r\n", 400, b"the path has 28007 bytes"),
    Crowd("a path that is nearly too long", b"GET /cells/" + b"%61" * 2700 + b"/ HTTP/1.1\r\nHost: a\r\n\r\n", 400, b"an empty segment"),
    Crowd("many entity tags", b"GET /cells/news?title=a HTTP/1.1\r\nHost: a\r\nIf-None-Match: "
          + b", ".join(b'"%032x"' % number for number in range(780)) + b"\r\n\r\n"),
    Crowd("many query fields", b"GET /cells/news?" + b"&".join(b"a%d=b" % number for number in range(3500)) + b" HTTP/1.1\r\nHost: a\r\n\r\n"),
    Crowd("many document requests", b"GET /kinds HTTP/1.1\r\nHost: a\r\n\r\n"),
    Crowd("a bad chunk", b"POST /cells/news HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400, b"chunked encoding",
          may_be_late=False),
    Crowd("a body that is too large", b"POST /cells/news HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n", 413),
    Crowd("no JSON", b"POST /cells/news HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n[", 400, b"unexpected end of input"),
]

# What clients send that miss a deadline together. Their connections end without an answer.
LATE = {
    "a head": b"G",
    "a body": b"POST /cells/news HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n[",
    "the next request": b"",
}

# Requests that are refused, most of them after all the work: bad rows, and answers that are too large. All others get 200.
REFUSED = {
    400: [
        "form feeds", "quotes alone", "texts side by side", "control characters between spaces",
        "unfinished", "an envelope with unknown members", "an envelope with a long time zone", "a bad escape at the end",
    ],
    413: [
        "a form with many fields", "a field with many dots", "white space as a form",
    ],
    422: [
        "tokens", "objects", "lists", "nested", "rows", "lines", "bad lines", "one text to escape", "one list",
        "an id in a target many times", "an item with unknown members", "an item with one unknown name again and again",
        "an item with a kind again and again", "an item with a long class", "a long unknown name", "unknown names, refused", "unknown names in a deep row",
        "names outside of thousands of contexts", "outlets around which are lists", "a currency around large objects", "a value in many places", "a text as JSON", "outlets as sent", "a composed title", "missing names, refused", "missing names in a deep row",
        "a missing name of many parts",
        "one bad line", "brackets", "actions of rows", "a URL of white space in a loop",
    ],
}


def members(size, member):
    """The members of an object, separated by commas, each with its number in place of a `%`."""
    if "%" not in member:
        return filled(size, member.encode(), b"", b"")
    made, count, total = [], 0, 0
    while total < size:
        text = member.replace("%", str(count), 1)
        made.append(text)
        total += len(text) + 1
        count += 1
    return ",".join(made).encode()


def shapes(size):
    """Returns the requests; each is one POST."""
    numbered, repeated = members(size, '"k%":1'), members(size, '"a":1')
    return bodies(size) + [
        Body("a list of numbers with a format", "/cells/words", JSON, filled(size, b"0", b'{"l":[', b"]}")),
        Body("a list of nulls with a format", "/cells/words", JSON, filled(size, b"null", b'{"l":[', b"]}")),
        Body("elements of a list with a format", "/cells/elements", JSON, filled(size, b"null", b'{"l":[', b"]}")),
        Body("marks that are cut", "/cells/cut", JSON, filled(size, "\u0301".encode(), b'{"a":"', b'"}', b"")),
        Body("emoji that are cut", "/cells/cut", JSON, filled(size, "\U0001F469\u200D".encode(), b'{"a":"', b'"}', b"")),
        Body("a number of many digits in a plural", "/cells/plural", JSON, filled(size, b"0", b'{"a":1', b"}", b"")),
        Body("many rows in a plural", "/cells/plural", JSON, filled(size // 16, b'{"a":99999}')),
        Body("an id in a target many times", "/cells/plain?format=turbo-stream&action=append&target=" + "%7Bid%7D" * 8, JSON,
             filled(size // 8, b'{"id":"' + b"&" * 4096 + b'"}')),
        Body("items that choose their locales", "/cells", JSON,
             filled(size, b'{"kind":"words","locale":"tlh"},{"kind":"other","locale":"zz"}')),
        Body("an item with unknown members", "/cells", JSON, b'{"kind":"plain",' + numbered + b"}"),
        Body("an item with one unknown name again and again", "/cells", JSON, b'{"kind":"plain",' + members(size, '"b":1') + b"}"),
        Body("an item with a kind again and again", "/cells", JSON, b"{" + members(size, '"kind":"a"') + b"}"),
        Body("an item with a long class", "/cells", JSON, b'{"nib":"feed","class":"' + b"a" * size + b'"}'),
        Body("a long unknown name", "/cells", JSON, b'{"kind":"plain","' + b"a" * size + b'":1}'),
        Body("a row with many names", "/cells/plain", JSON, b"{" + numbered + b"}"),
        Body("a row that repeats a name", "/cells/plain", JSON, b"{" + repeated + b"}"),
        Body("a row that repeats two names", "/cells/plain", JSON, b"{" + members(size, '"a":1,"b":2') + b"}"),
        Body("a row like the last but for its end", "/cells/plain", JSON,
             b"[{" + members(size // 2, '"k%":1') + b"},{" + members(size // 2, '"k%":1') + b',"a":1}]'),
        Body("a row that repeats a name with an escape", "/cells/plain", JSON, b'{"\\u0061":1,' + repeated + b"}"),
        Body("an inner object that repeats a name", "/cells/plain?unknown=error&on_error=skip", JSON,
             b'{"b":{' + repeated + b"}}"),
        Body("unknown names, refused", "/cells/plain?unknown=error", JSON, b"{" + numbered + b"}"),
        Body("unknown names in a deep row", "/cells/endless?unknown=error", JSON,
             b'{"name":' * 500 + b"{" + b",".join(b'"q%d":1' % number for number in range(100)) + b"}" + b"}" * 500),
        Body("names outside of thousands of contexts", "/cells/inward", JSON,
             b'{"b":{' + b",".join(b'"q%d":1' % number for number in range(300)) + b"}}"),
        Body("unknown names, skipped", "/cells/plain?unknown=error&on_error=skip", JSON, b"[{" + numbered + b"},{}]"),
        Body("an envelope with unknown members", "/cells", JSON, b'{"rows":[],' + numbered + b"}"),
        Body("an envelope with a long time zone", "/cells", JSON, b'{"rows":[],"timeZone":"' + b"E" * size + b'"}'),
        Body("an envelope of a kind", "/cells/plain", JSON, filled(size, b"{}", b'{"rows":[', b"]}")),
        Body("a list of objects by index", "/cells/index", JSON, filled(size, b"{}", b'{"l":[', b"]}")),
        Body("a list of numbers by index", "/cells/index", JSON, filled(size, b"0", b'{"l":[', b"]}")),
        Body("names of inner objects", "/cells/names", JSON, filled(size, b'{"o":{"b":1}}', b'{"l":[', b"]}")),
        Body("large objects, many names", "/cells/memo", JSON,
             filled(size, b'{"o":{' + members(400, '"q%":1') + b"}}")),
        Body("a value in many places", "/cells/picture", JSON, b'{"a":"' + b"/" * size + b'"}'),
        Body("a srcset", "/cells/picture", JSON, b'{"u":"' + b"a 1x," * (size // 5) + b'"}'),
        Body("a list as JSON", "/cells/data", JSON, filled(size, b"0", b'{"v":[', b"]}")),
        Body("an object as JSON", "/cells/data", JSON, b'{"v":{' + numbered + b"}}"),
        Body("a text as JSON", "/cells/data", JSON, b'{"v":"' + b"<" * size + b'"}'),
        Body("outlets as sent", "/cells/list?format=json&fields=outlets", JSON, filled(size, b"0", b'{"l":[', b"]}")),
        Body("items of an outlet", "/cells/list", JSON, filled(size, b'"a"', b'{"l":[', b"]}")),
        Body("items left out", "/cells/list", JSON, filled(size, b"null", b'{"l":[', b"]}")),
        Body("empty lists in an outlet", "/cells/list", JSON, filled(size, b"[]", b'{"l":[', b"]}")),
        Body("lists in lists in an outlet", "/cells/list", JSON, filled(size, b"[" * 400 + b"]" * 400, b'{"l":[', b"]}")),
        Body("included rows", "/cells/include", JSON, filled(size, b'"a"', b'{"l":[', b"]}")),
        Body("empty sections", "/cells/section", JSON, filled(size, b"{}", b'{"l":[', b"]}")),
        Body("rows with many lists", "/cells/lists", JSON, filled(size // 8, b'{"l":[' + b",".join([b"null"] * 4000) + b"]}")),
        Body("rows with many literals", "/cells/literals", JSON, filled(size // 1000, b'{"a":0.2345678901234567890123456789e5}')),
        Body("outlets in many sections", "/cells/nested?format=ndjson&fields=outlets", JSON, filled(size // 10_000, b"{}")),
        Body("outlets around which are lists", "/cells/inlists", JSON, b'[{"l":[[1]],"m":[' + b",".join([b"1"] * 64) + b"]}]"),
        Body("a currency around large objects", "/cells/money", JSON,
             b'{"p":1,' + b",".join(b'"o%d":{' % each + members(20_000, '"m%":1') + b"}" for each in range(12)) + b"}"),
        Body("conditions over digits", "/cells/when", JSON,
             b'{"a":"x","b":' + b"1" * (size // 3) + b',"c":' + b"2" * (size // 3) + b',"d":' + b"2" * (size // 3) + b"}"),
        Body("a class list", "/cells/bind", JSON, filled(size, b'"a"', b'{"l":[', b"]}")),
        Body("a class list of long words", "/cells/bind", JSON,
             filled(size // 2, b'"' + b"&" * 65_500 + b'"', b'{"l":[', b"]}")),
        Body("a list of long texts", "/cells/words", JSON,
             filled(min(size, 4_000_000), b'"' + b"&" * 65_500 + b'"', b'{"l":[', b"]}")),
        Body("long values in many places", "/cells/holes", JSON, b'[{"a":"' + b", " * 32_700 + b'"}]'),
        Body("control characters in many places", "/cells/holes", JSON, b'[{"a":"' + b"\\u0001" * 65_400 + b'"}]'),
        Body("spaces that are cut", "/cells/short", JSON, filled(size, b'{"a":"' + b" " * 65_400 + b'b"}')),
        Body("rows with an unknown name each", "/cells/thousands?unknown=error&on_error=skip", JSON,
             b"[" + b",".join(b'{"m%059d":1}' % number for number in range(1000)) + b"]"),
        Body("a URL that ends in white space", "/cells/links", JSON, b'{"a":"x' + b" " * size + b'"}'),
        Body("a URL of control characters", "/cells/links", JSON, b'{"a":"' + b"\\u0001" * (size // 6) + b'"}'),
        Body("URLs that end in control characters", "/cells/links", JSON,
             b'{"b":"x' + b"\\u0001" * 60_000 + b'","l":[' + b",".join([b"1"] * 200) + b"]}"),
        Body("a URL of white space in a loop", "/cells/links", JSON,
             b'{"b":"' + b" " * (size - 20_000) + b'","l":[' + b",".join([b"1"] * 9000) + b"]}"),
        Body("a kind of numbers alone, and an unknown name", "/cells/numbers?unknown=error", JSON, b'{"a":1,"b":1}'),
        Body("a name of many parts, among unknown ones", "/cells/dotted?unknown=error", JSON, b'{"a":1,"l":[1]}'),
        Body("items with long targets", "/cells?format=turbo-stream&action=append", JSON,
             filled(size // 4, b'{"kind":"plain","id":1,"target":"' + b"&" * 4096 + b'","data":{"a":"x"}}')),
        Body("quotes alone", "/cells/plain", JSON, b'"' * size),
        Body("texts side by side", "/cells/plain", JSON, b'"a"' * (size // 3)),
        Body("form feeds", "/cells/plain", JSON, b"\x0C" * size),
        Body("control characters between spaces", "/cells/plain", JSON, b"\x01 " * (size // 2)),
        Body("a long number in a list as JSON", "/cells/data", JSON, b'{"v":[' + b"1" * size + b"]}"),
        Body("a composed title", "/cells/bind", JSON, b'{"a":"' + b"&" * (size // 2) + b'","b":"' + b"<" * (size // 2) + b'"}'),
        Body("missing names, refused", "/cells/plain?missing=error", JSON, filled(size, b"{}")),
        Body("missing names in a deep row", "/cells/deep?missing=error", JSON,
             b'{"name":' * 480 + b'{"end":{}}' + b"}" * 480),
        Body("rows whose objects repeat a name", "/cells/objects", JSON,
             b"[" + b",".join([b'{"o":{' + members(1200, '"z":1') + b"}}"] * 300) + b"]"),
        Body("rows of many formats", "/cells/digits", JSON,
             b"[" + b",".join([b'{"d":0.' + b"1" * 290 + b"}"] * 1000) + b"]"),
        Body("a long name that all rows miss", "/cells/longest?missing=error&on_error=skip", JSON, b"[" + b",".join([b"{}"] * 1000) + b"]"),
        Body("a missing name of many parts", "/cells/dots?missing=error", JSON, b"{}"),
        Body("one good line", "/cells/plain", LINES, b'{"a":"' + b"b" * size + b'"}'),
        Body("one bad line", "/cells/plain", LINES, b'{"a":"' + b"b" * size + b'"'),
        Body("a bad escape at the end", "/cells/plain", JSON, b'{"a":"' + b"b" * size + b'\\x"}'),
        Body("empty lines", "/cells/plain", LINES, b"\n" * size),
        Body("brackets", "/cells/plain", JSON, b"[" * size),
        Body("a form with many fields", "/cells/plain", "application/x-www-form-urlencoded", b"a&" * (size // 2)),
        Body("a field with JSON", "/cells/plain", "application/x-www-form-urlencoded",
             filled(size, b"0", b"a:=[", b"]")),
        Body("a field with many dots", "/cells/plain", "application/x-www-form-urlencoded", b"a." * (size // 2) + b"a=1"),
        Body("white space as a form", "/cells/plain", "application/x-www-form-urlencoded", b" " * size),
        Body("white space before JSON", "/cells/plain", "text/plain", b" " * size + b"{}"),
        Body("actions of rows", "/cells/actions?format=json&fields=actions", JSON, filled(size // 50, b"{}")),
        Body("the etag of a long row", "/cells/plain?format=ndjson&fields=etag", JSON, b'{"a":"' + b"&" * (size // 2) + b'"}'),
        Body("wide rows without an id", "/cells/plain?format=turbo-stream&action=append&target=%7Bid%7D&on_error=skip", JSON,
             filled(size, b"{" + b",".join([b'"b":1'] * 65_536) + b"}")),
        Body("items with etags", "/cells?format=ndjson", JSON, filled(size, b'{"kind":"plain","etag":"0","data":{"a":1}}')),
    ]


def compressed_shapes(size):
    """Returns requests whose answers take long to compress."""
    numbers = random.Random(1)
    letters = bytes(numbers.choices(b"ab", k=size))
    digits = numbers.randbytes(size // 2).hex().encode()
    return [
        Body("two letters", "/cells/plain", JSON, b'{"a":"' + letters + b'"}'),
        Body("two letters in 100 kB", "/cells/plain", JSON, b'{"a":"' + letters[:100_000] + b'"}'),
        Body("hexadecimal digits", "/cells/plain", JSON, b'{"a":"' + digits + b'"}'),
        Body("rows for gzip", "/cells/news?format=json", JSON,
             filled(size, b'{"title":"A title","author":{"name":"Ada"},"tags":["a","b"]}')),
    ]
