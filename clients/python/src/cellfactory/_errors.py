"""What goes wrong."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Mapping, Optional, Tuple


@dataclass(frozen=True)
class RowError:
    """One thing that is wrong with the rows: where, as a JSON pointer into what was sent, and what."""

    pointer: str
    type: str
    detail: str


def _pointer_of(pointer: str, offset: int) -> str:
    """A pointer into all rows, of one into those from `offset` on."""
    return re.sub(r"\A/rows/([0-9]{1,18})(?![0-9])", lambda row: f"/rows/{int(row[1]) + offset}", pointer) if offset else pointer


def string_in(values: Mapping[str, Any], name: str, otherwise: str = "") -> str:
    """A member that is a string. Others count as none: to write a deep one may take more stack than there is."""
    value = values.get(name)
    return value if isinstance(value, str) else otherwise


class CellFactoryError(Exception):
    """No cells could be had."""


class Unavailable(CellFactoryError):
    """The factory cannot be reached, is overloaded, or has failed. Later, the same request may succeed."""

    def __init__(self, detail: str, retry_after: Optional[float] = None) -> None:
        super().__init__(detail)
        self.retry_after = retry_after


class TooLarge(Unavailable):
    """The answer of the factory, or a line of it, has more bytes than the client takes."""

    def __init__(self, limit_bytes: int) -> None:
        super().__init__(f"the factory answered more than {limit_bytes:,} bytes (answer_limit_bytes)")
        self.limit_bytes = limit_bytes


class Refused(CellFactoryError):
    """The factory refused the request, or a row. The same request never succeeds."""

    def __init__(self, status: int, problem: Mapping[str, Any], offset: int = 0) -> None:
        """`problem` is what the factory says of the rows from `offset` on."""
        self.status = status
        self.type = string_in(problem, "type", "about:blank")
        self.title = string_in(problem, "title")
        self.detail = string_in(problem, "detail") or self.title or f"the factory answered {status}"
        found = problem.get("errors")
        self.errors: Tuple[RowError, ...] = tuple(
            RowError(_pointer_of(string_in(error, "pointer"), offset), string_in(error, "type"), string_in(error, "detail"))
            for error in (found if isinstance(found, list) else []) if isinstance(error, dict))
        # All errors are counted; at most 100 are told.
        count = problem.get("errorCount")
        self.error_count = count if isinstance(count, int) else len(self.errors)
        first = f" ({self.errors[0].pointer})" if self.errors and self.errors[0].pointer else ""
        super().__init__(f"{self.detail}{first}")
