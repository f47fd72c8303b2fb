"""The rules for what may appear at a place, checked with independent parsers.

A judge takes what a parser read at the place and the value; it returns the error, or None.
"""

import json
import re
import urllib.parse

import ada_url
import tinycss2

BASE = "https://page.example/dir/page.html?a=b"
ALLOWED = {"http:", "https:", "mailto:", "tel:"}
REFUSED = "about:invalid#cell"
# What needs no escape in a URL, and means the same in any of its parts.
SIMPLE = re.compile(r"[A-Za-z0-9._~!#$&*+,/:;=?@-]*")


def shown(value):
    """Returns the value as shown: NUL becomes U+FFFD everywhere."""
    return value.replace("\0", "\ufffd")


def text(found, value):
    """Judges text: parsers read CR and CR LF as LF."""
    expected = shown(value).replace("\r\n", "\n").replace("\r", "\n")
    if found != expected:
        return f"the text reads {found!r}"


def attribute(found, value):
    if found != shown(value):
        return f"the attribute reads {found!r}"


class Parts:
    """A value between static text."""

    def __init__(self, judge, before, behind):
        self.judge, self.before, self.behind = judge, before, behind

    def __call__(self, found, value):
        return self.judge(found, self.before + value + self.behind)


class Token:
    """A value among the tokens of a list, in which an empty one is skipped."""

    def __init__(self, judge, before="", behind=""):
        self.judge, self.before, self.behind = judge, before, behind

    def __call__(self, found, value):
        return self.judge(found, " ".join(part for part in (self.before, value, self.behind) if part))


class Twice:
    """A value that is printed twice."""

    def __init__(self, judge):
        self.judge = judge

    def __call__(self, found, value):
        return self.judge(found, value + value)


class Constant:
    def __init__(self, expected):
        self.expected = expected

    def __call__(self, found, value):
        if found != self.expected:
            return f"it reads {found!r}"


# URLs


def resolved(found):
    """Returns a URL as a browser would follow it, or None if it would not."""
    try:
        return ada_url.URL(found, BASE)
    except ValueError:
        return None


def any_url(found, value):
    if found.startswith(REFUSED):
        return None
    address = resolved(found)
    if address is not None and address.protocol not in ALLOWED:
        return f"{found!r} leads to {address.href!r}"


def url(found, value):
    """The URL is the value if its scheme is allowed."""
    if wrong := any_url(found, value):
        return wrong
    if SIMPLE.fullmatch(value):
        wanted = resolved(value)
        is_allowed = wanted is not None and wanted.protocol in ALLOWED
        if is_allowed and found != REFUSED and resolved(found).href != wanted.href:
            return f"{found!r} is another URL"
        if is_allowed and found == REFUSED and ":" not in re.split("[/?#]", value)[0]:
            return "an allowed URL was refused"


def same_origin(found, value):
    """The URL stays on the page's origin, whatever the value is."""
    address = resolved(found)
    if address is not None and address.origin != "https://page.example":
        return f"{found!r} leads to {address.href!r}"


def under_host(found, value):
    """The URL has the static host or a subdomain of it, whatever the value is; or it leads nowhere."""
    address = resolved(found)
    if address is not None and not ("." + address.hostname).endswith(".page.example"):
        return f"{found!r} leads to {address.href!r}"


def one_label(found, value):
    """The URL has the host that the value names, if the value is one label; otherwise it leads nowhere."""
    is_label = re.fullmatch("[A-Za-z0-9-]+", value)
    address = resolved(found)
    if address is not None and not (is_label and found.startswith(f"https://{value}/")):
        return f"{found!r} leads to {address.href!r}"


def own_origin(found, value):
    return None if found == REFUSED else same_origin(found, value)


def same_document(found, value):
    if found not in ("", REFUSED) and not found.startswith("#"):
        return f"{found!r} leads out of the document"


def mail(found, value):
    address = resolved(found)
    if address is not None and address.protocol != "mailto:":
        return f"{found!r} is no mail address"


class Query:
    """A query in which one field holds the value."""

    def __init__(self, name, **others):
        self.fields = {name: None} | others

    def __call__(self, found, value):
        if wrong := same_origin(found, value):
            return wrong
        pairs = urllib.parse.parse_qsl(resolved(found).search[1:], keep_blank_values=True, errors="strict")
        expected = {name: value if other is None else other for name, other in self.fields.items()}
        if sorted(pairs) != sorted(expected.items()):
            return f"{found!r} has the fields {pairs}"


def fragment(found, value):
    if wrong := same_origin(found, value):
        return wrong
    if urllib.parse.unquote(found.partition("#")[2], errors="strict") != value:
        return f"{found!r} has another fragment"


def url_list(found, value):
    for item in found.split():
        if wrong := any_url(item, value):
            return wrong


def candidates(found):
    """Returns the URLs of a `srcset`, by the algorithm "parse a srcset attribute" of the HTML Standard."""
    space = "\t\n\f\r "
    place = 0
    while True:
        while place < len(found) and found[place] in space + ",":
            place += 1
        if place == len(found):
            return
        start = place
        while place < len(found) and found[place] not in space:
            place += 1
        address = found[start:place]
        if address.endswith(","):
            yield address.rstrip(",")
            continue
        yield address
        depth = 0
        while place < len(found) and (depth or found[place] != ","):
            depth = 1 if found[place] == "(" else 0 if found[place] == ")" else depth
            place += 1


def source_set(found, value):
    for address in candidates(found):
        if wrong := any_url(address, value):
            return wrong


class SourceSetCount:
    """A `srcset` with this many candidates, whatever the value is."""

    def __init__(self, count):
        self.count = count

    def __call__(self, found, value):
        if len(list(candidates(found))) != self.count:
            return f"{found!r} has other candidates"
        return source_set(found, value)


class SourceSetPaths:
    """A `srcset` with these static URLs, whatever follows each."""

    def __init__(self, *paths):
        self.paths = list(paths)

    def __call__(self, found, value):
        if list(candidates(found)) != self.paths:
            return f"{found!r} has other candidates"


# Styles and scripts


class Style:
    """A style with exactly these declarations, none of which loads or runs anything."""

    HARMLESS = {"ident", "number", "percentage", "dimension", "hash", "whitespace", "literal"}

    def __init__(self, *names):
        self.names = list(names)

    def __call__(self, found, value):
        declarations = tinycss2.parse_declaration_list(found, skip_comments=False, skip_whitespace=True)
        names = [each.name for each in declarations if each.type == "declaration"]
        if not set(names) <= set(self.names) or len(declarations) != len(self.names):
            return f"{found!r} declares {names}"
        for each in declarations:
            types = {token.type for token in each.value} if each.type == "declaration" else set()
            if not types <= self.HARMLESS:
                return f"{found!r} holds {types - self.HARMLESS}"


class StyleLoading(Style):
    """The same, with functions, and with URLs of an allowed scheme or of none."""

    HARMLESS = Style.HARMLESS | {"url", "function"}

    def __call__(self, found, value):
        if problem := super().__call__(found, value):
            return problem
        for each in tinycss2.parse_declaration_list(found, skip_comments=False, skip_whitespace=True):
            for token in each.value:
                if token.type == "function" and token.lower_name == "url":
                    texts = [part for part in token.arguments if part.type != "whitespace"]
                    if [part.type for part in texts] != ["string"]:
                        return f"{found!r} has more in url() than a string"
                    token = texts[0]
                elif token.type == "function":
                    if not {part.type for part in token.arguments} <= Style.HARMLESS:
                        return f"{found!r} has more in {token.name}() than words and numbers"
                    continue
                elif token.type != "url":
                    continue
                if re.match("[\x00-\x20]*[a-z][a-z0-9+.-]*:", token.value, re.I) and not re.match(
                    "(https?|mailto|tel|about):", token.value, re.I
                ):
                    return f"{found!r} loads {token.value!r}"


def json_value(found, value):
    try:
        if json.loads(found) != value:
            return f"the script reads {found!r}"
    except ValueError as error:
        return f"{found!r} is no JSON: {error}"
    if re.search("[<>&\u2028\u2029]", found):
        return f"{found!r} has characters that mean something outside of JSON"


def json_member(found, value):
    try:
        if json.loads(found) != {"a": [value, 1]}:
            return f"the script reads {found!r}"
    except ValueError as error:
        return f"{found!r} is no JSON: {error}"
