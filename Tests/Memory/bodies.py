"""Bodies that take as much memory as possible for their size, in different ways."""

import dataclasses
import json
import random


@dataclasses.dataclass
class Body:
    name: str
    path: str
    type: str
    content: bytes


def filled(size, item, start=b"[", end=b"]", between=b","):
    count = max((size - len(start) - len(end)) // (len(item) + len(between)), 1)
    return start + (item + between) * (count - 1) + item + end


def bodies(size):
    """Returns bodies of all shapes, each of about `size` bytes."""
    text = b"a" * size
    news = json.dumps({"title": "a" * 40, "author": {"name": "Ada"}, "tags": ["a", "b"]}).encode()
    return [
        Body("tokens", "/cells/news", "application/json", filled(size, b"0", b'[{"tags":[', b"]}]")),
        Body("objects", "/cells/news", "application/json", filled(size, b"{}")),
        Body("lists", "/cells/news?format=json&on_error=skip", "application/json", filled(size, b'{"tags":[0,0]}')),
        Body("nested", "/cells/comment", "application/json", filled(size, b'{"replies":[{"replies":[{}]}]}')),
        Body("judged", "/cells/news?missing=error&on_error=skip", "application/json", filled(size, b'{"title":"a"}')),
        Body("rows", "/cells/news?format=ndjson&fields=html,outlets,etag", "application/json", filled(size, news)),
        Body("lines", "/cells/news", "application/x-ndjson", filled(size, b"{}", b"", b"", b"\n")),
        Body("bad lines", "/cells/news?on_error=skip&format=ndjson", "application/x-ndjson",
             filled(size, b"x", b"", b"", b"\n")),
        Body("one text", "/cells/notification", "application/json", b'{"text":"' + text + b'"}'),
        Body("one text to escape", "/cells/notification", "application/json", b'{"text":"' + b"&" * size + b'"}'),
        Body("one text as JSON", "/cells/notification?format=json", "application/json",
             b'{"text":"' + b"<" * size + b'"}'),
        Body("one list", "/cells/news", "application/json", filled(size, b"0", b'{"tags":[', b"]}")),
        Body("texts to escape", "/cells/notification", "application/json",
             filled(size, b'{"text":"' + b"&" * (size // 4) + b'"}')),
        Body("a small text and a large one", "/cells/notification", "application/json",
             b'[{"text":"' + b"a" * (size // 8) + b'"},{"text":"' + b"&" * (size * 3 // 4) + b'"}]'),
        Body("escapes", "/cells/notification", "application/json",
             b'{"text":"' + b"\\u00e9" * (size // 6) + b'"}'),
        Body("items", "/cells", "application/json", filled(size, b'{"kind":"table-row","data":{"id":1}}')),
        Body("unfinished", "/cells/news", "application/json", filled(size, b"[[1]]", end=b"")),
        Body("form", "/cells/notification", "application/x-www-form-urlencoded", b"text=" + text),
        Body("escaped form", "/cells/notification", "application/x-www-form-urlencoded",
             b"text=" + b"%01" * (size // 3)),
    ]


def mix(body_limit, seed=1):
    """Returns bodies of many sizes, most of them large."""
    chosen = random.Random(seed)
    sizes = [40 << 10, 200 << 10, 600 << 10, 1 << 20, 1900 << 10, 4 << 20, body_limit // 2, body_limit - 1024]
    made = []
    for size in sizes:
        made += bodies(min(size, body_limit - 1024))
    chosen.shuffle(made)
    return made
