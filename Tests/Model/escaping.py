"""What each place emits, as docs/escaping.md says."""

import re


SCHEMES = {"http", "https", "mailto", "tel"}
INVALID_URL = "about:invalid#cell"
UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
URL_MARKS = "!#$&*+,/:;=?@[]"
# A value among the parts of a text, and a quote that is none of the text.
VALUE, QUOTE = "\ue001", "\ue002"
ENDS_OF_URL = "".join(map(chr, range(0x21)))


def plain(value):
    """In a cell of plain text."""
    for character, reference in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("'", "&#39;")):
        value = value.replace(character, reference)
    return value


def text(value):
    return plain(value).replace("\0", "\ufffd")


def attribute(value):
    return text(value).replace("\r", "&#13;")


def encoded(value, kept):
    """Percent-encoded but for unreserved characters and those kept; `%` keeps what is encoded already."""
    bytes_ = value.encode()
    result = []
    for place, byte in enumerate(bytes_):
        character = chr(byte)
        if byte < 0x80 and character in UNRESERVED + kept.replace("%", ""):
            result.append(character)
        elif character == "%" and "%" in kept and re.match(rb"[0-9A-Fa-f]{2}", bytes_[place + 1:]):
            result.append("%")
        else:
            result.append(f"%{byte:02X}")
    return "".join(result)


def url(value):
    """A URL at the start of an attribute."""
    value = value.strip(ENDS_OF_URL)
    head = re.split("[/?#]", re.sub("[\t\r\n]", "", value))[0]
    if ":" in head and head.split(":")[0].lower() not in SCHEMES:
        value = INVALID_URL
    return attribute(encoded(value, URL_MARKS + "%"))


def path(value, follows_lone_slash=False):
    """A part of a URL's path. Behind a lone slash it may not begin with another."""
    if follows_lone_slash:
        rest = value.lstrip("/\\")
        start = value[:len(value) - len(rest)].replace("/", "%2F").replace("\\", "%5C")
        return attribute(start + encoded(rest, URL_MARKS + "%"))
    return attribute(encoded(value, URL_MARKS + "%"))


def query(value):
    return attribute(encoded(value, ""))


def style(value):
    return value if re.fullmatch(r"[A-Za-z0-9.#%+-]*", value) else "invalid"


def in_url(static):
    """What stands before a value in a `url()`; None outside of one."""
    found = re.search(r"url\(\s*'?([^')]*)$", static)
    return found and found[1]


def requoted(parts):
    """The parts of a style with quotes around each URL that holds a value, unless it begins as a fragment."""
    whole = "".join(VALUE if part is None else part for part in parts)
    whole = re.sub(rf"url\((\s*)((?!#)[^')\s]*{VALUE}[^')\s]*)(\s*)\)", rf"url(\1{QUOTE}\2{QUOTE}\3)", whole)
    return [None if part == VALUE else part for part in re.split(f"({VALUE})", whole) if part]


def filled(name, parts, values):
    """The value of an attribute that is written in parts: static text, and None for each value."""
    result, static = [], ""
    if name == "style":
        parts = requoted(parts)
    values = iter(values)
    for part in parts:
        if part is not None:
            result.append(attribute(part).replace(QUOTE, "'"))
            static += part.replace(QUOTE, "'")
            continue
        value = next(values)
        before = in_url(static) if name == "style" else static
        if name in ("href", "src") or before is not None and name == "style":
            if before == "":
                result.append(url(value))
            elif "?" in before or "#" in before:
                result.append(query(value))
            else:
                result.append(path(value, before == "/"))
            # What stands behind a value follows something.
            static += "x"
        elif name == "style":
            result.append(style(value))
        else:
            result.append(attribute(value))
    return "".join(result)
