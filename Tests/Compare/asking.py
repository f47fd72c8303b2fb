"""Makes random requests for the kinds of a server: valid ones, and ones with something wrong."""

import dataclasses
import pathlib
import random
import sys
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Properties"))

import payloads  # noqa: E402

EVERY_STRING = payloads.PLAIN + payloads.SCRIPTS + payloads.URLS
NUMBERS = ["0", "-0", "1", "19.90", "1e3", "1E-5", "1e400", "12345678901234567890123", "0.1000", "-1.5e+2"]
BAD_NUMBERS = ["01", "+1", ".5", "1.", "0x1", "NaN", "1e", "--1"]
TYPES = [
    "application/json", "application/json; charset=utf-8", "application/vnd.a+json", "application/x-ndjson", "application/jsonl",
    "application/x-www-form-urlencoded", None,
]
ODD_TYPES = ["text/plain", "application/json; charset=latin1", "application", "", "multipart/form-data; boundary=a", "*/*"]
ACCEPTED = [
    None, "*/*", "text/html", "application/json", "application/x-ndjson", "text/plain", "text/*;q=0.5, application/json",
    "text/html;q=0, */*", "application/json;q=0.1, application/x-ndjson;q=0.9",
]
ODD_ACCEPTED = ["", ",", "image/png", "text/html;q=2", "text", "*/html", "text/html; level=1; q=0.5", "a/b, " * 50 + "text/html", "text/html;q=0"]
FORMATS = ["html", "json", "ndjson", "text"]
FIELDS = ["html", "etag", "class", "nib", "outlets", "actions"]
PATHS = [
    "/kinds", "/openapi.json", "/livez", "/readyz", "/", "/cells/", "/kinds/", "/schemas", "/none", "//cells", "/cells/../kinds",
    "/cells/%2e%2e", "/cells/%zz", "/cells/a%00b", "/cells/%FF", "*", "/cells?", "/openapi.json?x=1",
]
METHODS = ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "post", "FOO"]
# Answers of some requests are longer than the server makes in one piece.
LARGE_BODY_BYTES = 1 << 20


@dataclasses.dataclass
class Request:
    method: str
    target: str
    headers: list
    body: bytes | None = None
    # The body is sent in chunks of so many bytes.
    chunk: int | None = None
    # The tag of the last answer that had one is sent as If-None-Match.
    is_conditional: bool = False


class Requests:
    """A source of requests about some kinds; the same seed makes the same ones."""

    def __init__(self, kinds, seed):
        self.random = random.Random(seed)
        self.kinds = [kind["kind"] for kind in kinds]
        self.nibs = sorted({kind["nib"] for kind in kinds if "nib" in kind} | {"none"})
        self.classes = sorted({name for kind in kinds for name in kind["classes"]} | {"None"})
        outlets = [outlet for kind in kinds for outlet in kind["outlets"]]
        paths = {name for kind in kinds for name in kind["names"]} | {outlet["name"] for outlet in outlets}
        attributes = {name for outlet in outlets for name in outlet.get("attributes", [])}
        self.names = sorted({part for path in paths for part in path.split(".")} | attributes | {"title", "owner", "x", "a~b/c"})
        self.paths = sorted(paths | {"title", "a.b"})
        # Row tags that were answered, for unchanged rows.
        self.tags = ["0" * 32]
        # The target of the last GET or HEAD.
        self.target = "/kinds"

    def chance(self, of):
        return self.random.random() < of

    def pick(self, choices):
        return self.random.choice(choices)

    def next(self):
        kind = self.random.random()
        if kind < 0.45:
            request = self.post(self.cell_path(), self.rows_body)
        elif kind < 0.70:
            request = self.post("/cells", self.items_body)
        elif kind < 0.86:
            request = self.plain(self.cell_path(), self.query_of_row())
        else:
            request = self.plain(self.other_path(), "")
        request.headers += self.common_headers()
        if self.chance(0.03):
            request.method = self.pick(METHODS)
        return request

    # Paths and queries

    def kind(self):
        return self.pick(self.kinds) if self.chance(0.96) else self.pick(["none", "News", "a/b", "é"])

    def cell_path(self):
        return "/cells/" + urllib.parse.quote(self.kind(), safe="/" if self.chance(0.5) else "")

    def other_path(self):
        if self.chance(0.5):
            return self.pick(["/kinds/", "/schemas/"]) + urllib.parse.quote(self.kind())
        return self.pick(PATHS)

    def controls(self):
        """Query fields that say how to answer."""
        fields = []
        if self.chance(0.5):
            fields.append("format=" + (self.pick(FORMATS) if self.chance(0.95) else self.pick(["xml", "", "HTML"])))
        if self.chance(0.3):
            chosen = self.random.sample(FIELDS, self.random.randrange(1, len(FIELDS) + 1))
            fields.append("fields=" + ",".join(chosen if self.chance(0.95) else [*chosen, self.pick(["", "x", chosen[0]])]))
        if self.chance(0.3):
            fields.append("on_error=" + self.pick(["skip"] * 9 + ["fail", "stop"]))
        if self.chance(0.25):
            fields.append("missing=" + self.pick(["drop", "keep", "blank", "error"] * 5 + ["none"]))
        if self.chance(0.02):
            fields.append(self.pick(["x=1", "format=json&format=html", "%zz", "=", "&&", "format", "fields=%68tml"]))
        self.random.shuffle(fields)
        return fields

    def row_fields(self):
        fields = [
            f"{self.quoted(self.pick(self.paths))}={self.quoted(self.string())}" for _ in range(self.random.randrange(5))]
        if self.chance(0.05):
            fields.append(self.pick(["a..b=1", "=1", "a=%FF", "a=%z", "a=1&a.b=2", "a.=1", "a=%00", "&&", "b"]))
        return fields

    def quoted(self, text):
        quoted = urllib.parse.quote(text, safe="")
        return quoted.replace("%20", "+") if self.chance(0.5) else quoted

    def query_of_row(self):
        return "&".join(self.row_fields() + self.controls())

    # Values

    def string(self):
        text = self.pick(EVERY_STRING)
        return text if self.chance(0.8) else text * self.random.randrange(1, 30)

    def json_string(self, text):
        """One of the ways to write it."""
        written = ['"']
        for character in text:
            if character in '"\\' or character < " ":
                written.append(f"\\u{ord(character):04x}")
            elif self.chance(0.03) and ord(character) < 0x10000:
                written.append(f"\\u{ord(character):04X}")
            else:
                written.append(character)
        return "".join(written) + '"'

    def space(self):
        return self.pick(["", "", "", "", " ", "\t", " \r"])

    def json(self, depth=0):
        kind = self.random.random()
        if kind < 0.45 or depth > 4:
            return self.json_string(self.string())
        if kind < 0.55:
            return self.pick(NUMBERS)
        if kind < 0.65:
            return self.pick(["true", "false", "null"])
        if kind < 0.8:
            return "[" + ",".join(self.space() + self.json(depth + 1) for _ in range(self.random.randrange(4))) + "]"
        return self.object(depth)

    def object(self, depth=0):
        names = [self.pick(self.names) for _ in range(self.random.randrange(6))]
        if depth == 0 and self.chance(0.5):
            names += self.random.sample(self.names, min(len(self.names), 12))
        return "{" + ",".join(
            f"{self.space()}{self.json_string(name)}:{self.space()}{self.json(depth + 1)}" for name in names) + "}"

    def row(self):
        return self.object() if self.chance(0.9) else self.json()

    def item(self):
        members = []
        if self.chance(0.9):
            members.append(f'"kind":{self.json_string(self.kind())}')
        if self.chance(0.15):
            members.append(f'"nib":{self.json_string(self.pick(self.nibs))}')
        if self.chance(0.1):
            members.append(f'"class":{self.json_string(self.pick(self.classes))}')
        if self.chance(0.9):
            members.append(f'"data":{self.row()}')
        if self.chance(0.3):
            members.append(f'"id":{self.pick([*NUMBERS, "null", "true", self.json_string(self.string()), "{}"])}')
        if self.chance(0.3):
            members.append(f'"etag":"{self.pick(self.tags)}"')
        if self.chance(0.05):
            members.append(self.pick(['"kind":3', '"data":[1]', '"x":1', '"etag":1', '"kind":"none"']))
        self.random.shuffle(members)
        return "{" + ",".join(members) + "}" if self.chance(0.97) else self.json()

    # Bodies

    def post(self, path, body):
        text, type = body()
        data = text.encode("utf-8", "surrogatepass")
        if self.chance(0.1):
            data = self.spoilt(data)
        if self.chance(0.06):
            type = self.pick(ODD_TYPES + TYPES)
        headers = [] if type is None else [("Content-Type", type)]
        query = "&".join(self.controls())
        chunk = self.random.randrange(1, 3000) if self.chance(0.1) and data else None
        return Request("POST", path + ("?" + query if query else ""), headers, data, chunk)

    def count(self):
        return self.random.randrange(6) if self.chance(0.9) else self.random.randrange(6, 300)

    def rows_body(self):
        if self.chance(0.15):
            return "&".join(self.row_fields()), self.pick([TYPES[5], None])
        return self.listed(self.row, envelope=False)

    def items_body(self):
        return self.listed(self.item, envelope=True)

    def listed(self, make, envelope):
        """One value, an array or lines, perhaps in an envelope."""
        elements = [make() for _ in range(self.count())]
        if elements and self.chance(0.05):
            # One row, many times: of several, one would often be bad.
            times = self.random.randrange(1, 2 * LARGE_BODY_BYTES) // len(elements[0])
            elements = elements[:1] * min(times + 1, 40_000)
        form = self.random.random()
        if form < 0.1 and elements:
            return elements[0], TYPES[0]
        if form < 0.35:
            return self.pick(["\n", "\r\n", "\n\n"]).join(elements), self.pick(TYPES[3:5])
        array = self.space() + "[" + ("," + self.space()).join(elements) + "]"
        if envelope and form < 0.65:
            owner = f'"owner":{self.object()},' if self.chance(0.6) else ""
            array = "{" + owner + f'"kind":{self.json_string(self.kind())},"rows":' + array + "}"
        return array, self.pick(TYPES[:3])

    def spoilt(self, data):
        """With something wrong in it, as a rule."""
        place = self.random.randrange(len(data) + 1)
        way = self.random.randrange(5)
        if way == 0:
            return data[:place]
        if way == 1:
            return data[:place] + self.random.randbytes(1) + data[place:]
        if way == 2:
            return data[:place] + data[place + 1:]
        if way == 3:
            return data[:place] + self.pick(BAD_NUMBERS).encode() + data[place:]
        return data + self.pick([b"\xff", b"]", b",", b"\0", b"{}", b"\xef\xbb\xbf"])

    # Heads

    def plain(self, path, query):
        target = path + ("?" + query if query else "")
        is_again = self.chance(0.2)
        self.target = self.target if is_again else target
        request = Request(self.pick(["GET", "GET", "GET", "HEAD"]), self.target, [], is_conditional=is_again)
        if not is_again and self.chance(0.05):
            request.headers.append(("If-None-Match", self.pick(["*", '""', "x", 'W/"a"', '"a", "b"', ","])))
        return request

    def common_headers(self):
        headers = []
        accepted = self.pick(ACCEPTED) if self.chance(0.9) else self.pick(ODD_ACCEPTED)
        if accepted is not None:
            headers.append(("Accept", accepted))
        if self.chance(0.3):
            headers.append(("Accept-Encoding", self.pick(["gzip", "gzip;q=0", "*", "br", "gzip;q=0.5, identity", "x", ""])))
        if self.chance(0.1):
            headers.append(("Origin", self.pick(["https://app.example.org", "https://evil.example", "null"])))
        if self.chance(0.05):
            headers.append(("X-Request-Id", self.pick(["a", "x" * 128, "x" * 129, "a b", "é"])))
        return headers
