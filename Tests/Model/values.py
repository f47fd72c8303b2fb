"""Values of JSON as the language sees them: numbers keep the digits that were sent."""

import json
import re

JSON_NUMBER = re.compile(r"(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?\Z")


class Missing:
    """What a name that finds nothing has; there is one."""

    def __repr__(self):
        return "MISSING"


MISSING = Missing()


class Number(str):
    """A number, by its digits."""


def parsed(text):
    return json.loads(text, parse_int=Number, parse_float=Number)


def written(value):
    """Compact JSON: numbers by their digits, strings minimally escaped."""
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, dict):
        return "{" + ",".join(f"{written(str(key))}:{written(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(written, value)) + "]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\x7f")


def printed(value):
    """A value as a hole prints it, before it is escaped."""
    if value is MISSING or value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, str) else written(value)


def is_truthy(value):
    if value is MISSING or value is None or value is False or value == [] and isinstance(value, list):
        return False
    if isinstance(value, Number):
        return bool(re.search("[1-9]", re.split("[eE]", value)[0]))
    return not (isinstance(value, str) and value == "")


def is_scalar(value):
    return isinstance(value, str)


def decimal(text):
    """The sign, digits and exponent of a number in its one shortest form; None if the text denotes none."""
    match = JSON_NUMBER.match(text)
    if not match:
        return None
    sign, whole, fraction, exponent = match.groups()
    fraction = fraction or ""
    digits = (whole + fraction).lstrip("0")
    power = int(exponent or 0) - len(fraction)
    if not digits:
        return 0, "", 0
    short = digits.rstrip("0")
    return (-1 if sign else 1), short, power + len(digits) - len(short)


def comparison(left, right):
    """-1, 0 or 1 for two decimals, which are never expanded."""
    if left[0] != right[0]:
        return -1 if left[0] < right[0] else 1
    if left[0] == 0:
        return 0
    heights = [len(number[1]) + number[2] for number in (left, right)]
    if heights[0] != heights[1]:
        return left[0] if heights[0] > heights[1] else -left[0]
    length = max(len(left[1]), len(right[1]))
    a, b = left[1].ljust(length, "0"), right[1].ljust(length, "0")
    return 0 if a == b else left[0] if a > b else -left[0]
