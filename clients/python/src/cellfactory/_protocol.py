"""What both clients share: what is sent, what an answer means, and which cells are kept. It does no input or output."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from dataclasses import replace
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

import httpx

from ._cells import Cell, Cells, Item
from ._errors import CellFactoryError, Refused, Unavailable
from ._json import dumps

# What a row is known by: the name of a member, or a function.
Key = Union[str, Callable[[Any], Any], None]
# Makes the HTML of rows while the factory is away: (kind, rows, what is wrong) to one string each.
Fallback = Callable[[Optional[str], Sequence[Any], CellFactoryError], Iterable[str]]

ROWS_AT_ONCE = 500


class Kept:
    """Cells with their etags, by kind and id: those used last, up to a number of them. Threads may share it."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._cells: OrderedDict[Tuple[str, str], Tuple[str, str, Optional[str]]] = OrderedDict()
        self._lock = threading.Lock()

    @staticmethod
    def _name(kind: Optional[str], identifier: Any) -> Optional[Tuple[str, str]]:
        return None if kind is None or identifier is None else (kind, repr(identifier))

    def get(self, kind: Optional[str], identifier: Any) -> Optional[Tuple[str, str, Optional[str]]]:
        name = self._name(kind, identifier)
        with self._lock:
            if name is None or name not in self._cells:
                return None
            self._cells.move_to_end(name)
            return self._cells[name]

    def put(self, cell: Cell, identifier: Any) -> None:
        name = self._name(cell.kind, identifier)
        if name is None or cell.etag is None or self._limit <= 0:
            return
        with self._lock:
            self._cells[name] = (cell.etag, cell.html, cell.text)
            self._cells.move_to_end(name)
            while len(self._cells) > self._limit:
                self._cells.popitem(last=False)


class Request:
    """One request: its items, the cells that were kept of them, and how its answer is read."""

    def __init__(self, items: Sequence[Item], owner: Optional[Mapping[str, Any]], on_error: str, missing: Optional[str], kept: Kept) -> None:
        if on_error not in ("fail", "skip"):
            raise ValueError('on_error is "fail" or "skip"')
        self.items = items
        self._kept = kept
        self._had = [kept.get(item.kind, item.id) for item in items]
        rows: List[Mapping[str, Any]] = []
        for item, had in zip(items, self._had):
            rows.append({**item.members(), "etag": had[0]} if had else item.members())
        self.body = dumps({"rows": rows} if owner is None else {"owner": owner, "rows": rows}).encode()
        self.parameters: Dict[str, str] = {"format": "ndjson", "on_error": on_error}
        if missing is not None:
            self.parameters["missing"] = missing

    headers = {"Content-Type": "application/json"}

    def cells(self, lines: Iterable[str]) -> Iterator[Cell]:
        """The cells of an answer, line by line. Raises if it breaks off."""
        count = 0
        for line in lines:
            if line.strip():
                yield self.cell(line)
                count += 1
        if count != len(self.items):
            raise Unavailable(f"the factory broke off: {count} of {len(self.items)} cells came")

    def cell(self, line: str) -> Cell:
        try:
            row = json.loads(line)
            index = row.get("index")
            if index is None and "error" in row:
                raise Refused(int(row["error"].get("status", 500)), row["error"])
            item, had = self.items[index], self._had[index]
        except (ValueError, AttributeError, TypeError, IndexError) as error:
            raise Unavailable("the factory answered no rows") from error
        problem = row.get("error")
        if problem is not None:
            return Cell(index, row.get("kind"), item.id, error=Refused(int(problem.get("status", 422)), problem))
        if row.get("unchanged") and had:
            return Cell(index, row.get("kind"), item.id, had[0], had[1], had[2], unchanged=True)
        cell = Cell(index, row.get("kind"), item.id, row.get("etag"), row.get("html", ""), row.get("text"))
        self._kept.put(cell, item.id)
        return cell


class Lines:
    """Cuts bytes into lines at line feeds alone: strings in JSON may hold what else Unicode calls the end of a line."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, piece: bytes) -> List[str]:
        *lines, self._rest = (self._rest + piece).split(b"\n")
        return [line.decode() for line in lines if line.strip()]

    def end(self) -> List[str]:
        return self.feed(b"\n")


def items_of(kind: str, rows: Iterable[Any], key: Key) -> List[Item]:
    def identifier(row: Any) -> Any:
        if callable(key):
            return key(row)
        return row.get(key) if key is not None and isinstance(row, Mapping) else None
    return [Item(kind, row, identifier(row)) for row in rows]


def moved(cell: Cell, offset: int) -> Cell:
    """A cell of a batch, with its index among all rows."""
    return replace(cell, index=offset + cell.index)


def batches(items: Iterable[Item], size: int) -> Iterator[List[Item]]:
    batch: List[Item] = []
    for item in items:
        batch.append(item)
        if len(batch) >= size:
            yield batch
            batch = []
    if batch:
        yield batch


def error_of(response: httpx.Response) -> CellFactoryError:
    """What an answer that is not 2xx means. Its body has been read."""
    try:
        problem = response.json()
    except ValueError:
        problem = {}
    if not isinstance(problem, dict):
        problem = {}
    if response.status_code >= 500 or response.status_code == 429:
        detail = str(problem.get("detail", f"the factory answered {response.status_code}"))
        return Unavailable(detail, seconds_of(response))
    return Refused(response.status_code, problem)


def seconds_of(response: httpx.Response) -> Optional[float]:
    try:
        return max(0.0, float(response.headers["Retry-After"]))
    except (KeyError, ValueError):
        return None


def fallen_back(items: Sequence[Item], fallback: Fallback, error: CellFactoryError) -> Cells:
    """What the caller's fallback makes of rows; rows of one kind at a time, in their order."""
    kinds = {item.kind for item in items}
    made: List[str] = [""] * len(items)
    for kind in kinds:
        places = [place for place, item in enumerate(items) if item.kind == kind]
        for place, html in zip(places, fallback(kind, [items[place].data for place in places], error)):
            made[place] = html
    return Cells([Cell(place, item.kind, item.id, html=made[place], fallback=True) for place, item in enumerate(items)])
