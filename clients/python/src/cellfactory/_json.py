"""JSON as the factory wants it: decimals keep their digits, and dates are ISO 8601."""

from __future__ import annotations

import datetime
import decimal
import json
import re
import uuid
from typing import Any

_MARK = re.compile(r'"\\u0000(-?\d[-+.\dEe]*)\\u0000"')


def _encode(value: Any) -> Any:
    if isinstance(value, decimal.Decimal):
        if not value.is_finite():
            raise ValueError(f"{value} is no number in JSON")
        # json has no way to write digits as they are; they are taken out of this string below.
        return f"\0{value}\0"
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, uuid.UUID):
        return str(value)
    raise TypeError(f"{type(value).__name__} has no form in JSON")


def dumps(value: Any) -> str:
    text = json.dumps(value, default=_encode, allow_nan=False, separators=(",", ":"))
    return _MARK.sub(r"\1", text)
