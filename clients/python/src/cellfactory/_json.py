"""JSON as the factory wants it: decimals keep their digits, and dates are ISO 8601."""

from __future__ import annotations

import datetime
import decimal
import json
import re
import secrets
import uuid
from typing import Any

# json has no way to write digits as they are: they are marked, and taken out of their strings below. No text of a row holds the
# mark, because nobody knows it before.
_MARK = f"\0{secrets.token_hex(16)} "
_MARKED = re.compile(re.escape(json.dumps(_MARK)[:-1]) + r'(-?\d[-+.\dEe]*)"')

# The escapes of JSON, with halves of a surrogate pair that have no other half apart.
_ESCAPE = re.compile(r"\\(?:ud[89ab]..\\ud[c-f]..|(?P<lone>ud[89a-f])|.)")


def _encode(value: Any) -> Any:
    if isinstance(value, decimal.Decimal):
        if not value.is_finite():
            raise ValueError(f"{value} is no number in JSON")
        return f"{_MARK}{value}"
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, uuid.UUID):
        return str(value)
    raise TypeError(f"{type(value).__name__} has no form in JSON")


def dumps(value: Any) -> str:
    text = json.dumps(value, default=_encode, allow_nan=False, separators=(",", ":"))
    return _MARKED.sub(r"\1", text)


def has_lone_surrogate(text: str) -> bool:
    """Whether what `dumps` returned holds a string that is no text in Unicode. No factory reads it."""
    return "\\ud" in text and any(escape["lone"] for escape in _ESCAPE.finditer(text))
