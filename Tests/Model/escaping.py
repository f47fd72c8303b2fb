"""What each place emits, as docs/escaping.md says."""

import re


SCHEMES = {"http", "https", "mailto", "tel"}
INVALID_URL = "about:invalid#cell"
UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
URL_MARKS = "!#$&*+,/:;=?@[]"
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


def filled(name, parts, values):
    """The value of an attribute that is written in parts: static text, and None for each value."""
    result, static = [], ""
    values = iter(values)
    for part in parts:
        if part is not None:
            result.append(attribute(part))
            static += part
            continue
        value = next(values)
        if name in ("href", "src"):
            if static == "":
                result.append(url(value))
            elif "?" in static or "#" in static:
                result.append(query(value))
            else:
                result.append(path(value, static == "/"))
            # What stands behind a value follows something.
            static += "x"
        elif name == "style":
            result.append(style(value))
        else:
            result.append(attribute(value))
    return "".join(result)
