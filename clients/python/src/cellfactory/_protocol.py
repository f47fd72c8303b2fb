"""What both clients share: what is sent, what an answer means, and which cells are kept. It does no input or output."""

from __future__ import annotations

import json
import re
import sys
import threading
import time
import zlib
from collections import OrderedDict
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from http.cookiejar import CookieJar
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Set, Tuple, Union

import httpx

from ._cells import Cell, Cells, Item
from ._errors import CellFactoryError, Refused, TooLarge, Unavailable, string_in
from ._json import dumps, has_lone_surrogate

# What a row is known by: the name of a member, or a function.
Key = Union[str, Callable[[Any], Any], None]
# Makes the HTML of rows while the factory is away: (kind, rows, what is wrong) to one string each.
Fallback = Callable[[Optional[str], Sequence[Any], CellFactoryError], Iterable[str]]

ROWS_AT_ONCE = 500
# What a factory sends at most, unless it is told otherwise: its `--output-limit-bytes`, and the longest document of kinds.
ANSWER_LIMIT_BYTES = 64 << 20
# What is read of an answer that tells of an error: it tells of 100 at most.
ERROR_LIMIT_BYTES = 1 << 20
# Which etags are sent back. A factory's have 32 digits; what something else says in its place must break no later request.
ETAG = re.compile("[!-~]{1,128}")
# What proxies answer to a request that came too slowly, too early or too often: the same request may succeed later.
PASSING = (408, 425, 429)
# The extension of a request that has its `Deadline`.
DEADLINE = "cellfactory.deadline"


def no_cookies() -> CookieJar:
    """A jar that takes none: a factory uses no cookies, and what something before it sets would come back to it in each request."""
    return _NoCookies()


class _NoCookies(CookieJar):
    # It takes no lock either, which another thread may have held when the process was forked.
    def add_cookie_header(self, request: Any) -> None:
        pass

    def extract_cookies(self, response: Any, request: Any) -> None:
        pass


# A cell that is kept: its etag, its HTML, and its text.
_Parts = Tuple[str, str, Optional[str]]


class Kept:
    """Cells with their etags, by kind and id: those used last, up to a number of them and of their bytes. Threads may share it."""

    def __init__(self, limit: int, limit_bytes: int) -> None:
        self._limit = limit
        self._limit_bytes = limit_bytes
        self._bytes = 0
        self._cells: OrderedDict[Tuple[str, str], _Parts] = OrderedDict()
        self._lock = threading.Lock()

    def _locked(self) -> threading.Lock:
        """The lock, taken. One that is not free for a second has no owner: the thread was not forked with it, or the handler of a signal
        raised an exception before it was given back."""
        while not (lock := self._lock).acquire(timeout=1):
            if self._lock is lock:
                self._bytes = sum(self._size(*kept) for kept in list(self._cells.items()))
                self._lock = threading.Lock()
        return lock

    @staticmethod
    def _name(kind: Optional[str], identifier: Any) -> Optional[Tuple[str, str]]:
        return None if kind is None or identifier is None else (kind, repr(identifier))

    @staticmethod
    def _size(name: Tuple[str, str], parts: _Parts) -> int:
        return sum(map(sys.getsizeof, (*name, *parts)))

    def get(self, kind: Optional[str], identifier: Any) -> Optional[_Parts]:
        name = self._name(kind, identifier)
        if name is None:
            return None
        lock = self._locked()
        try:
            if name not in self._cells:
                return None
            self._cells.move_to_end(name)
            return self._cells[name]
        finally:
            lock.release()

    def put(self, cell: Cell, identifier: Any) -> None:
        name = self._name(cell.kind, identifier)
        if name is None or cell.etag is None or not ETAG.fullmatch(cell.etag):
            return
        parts = (cell.etag, cell.html, cell.text)
        lock = self._locked()
        try:
            before = self._cells.pop(name, None)
            if before is not None:
                self._bytes -= self._size(name, before)
            self._cells[name] = parts
            self._bytes += self._size(name, parts)
            while self._cells and (len(self._cells) > self._limit or self._bytes > self._limit_bytes):
                self._bytes -= self._size(*self._cells.popitem(last=False))
        except BaseException:
            self._bytes = sum(self._size(*kept) for kept in list(self._cells.items()))
            raise
        finally:
            lock.release()


class Request:
    """One request: its items, the cells that were kept of them, and how its answer is read. In a stream, `offset` rows came before it."""

    def __init__(
        self, items: Sequence[Item], owner: Optional[Mapping[str, Any]], on_error: str, missing: Optional[str], kept: Kept, offset: int = 0,
    ) -> None:
        if on_error not in ("fail", "skip"):
            raise ValueError('on_error is "fail" or "skip"')
        self.items = items
        self.offset = offset
        self._kept = kept
        self._had = [kept.get(item.kind, item.id) for item in items]
        rows: List[Mapping[str, Any]] = []
        for item, had in zip(items, self._had):
            rows.append({**item.members(), "etag": had[0]} if had else item.members())
        body = dumps(self._document(owner, rows))
        # Rows that would have the whole request refused. Items of no kind are sent instead, which are bad rows to any factory.
        self._unreadable: Set[int] = set()
        if on_error == "skip" and has_lone_surrogate(body):
            self._unreadable = {place for place, row in enumerate(rows) if has_lone_surrogate(dumps(row))}
            body = dumps(self._document(owner, [{} if place in self._unreadable else row for place, row in enumerate(rows)]))
        self.body = body.encode()
        self.parameters: Dict[str, str] = {"format": "ndjson", "on_error": on_error}
        if missing is not None:
            self.parameters["missing"] = missing

    @staticmethod
    def _document(owner: Optional[Mapping[str, Any]], rows: Sequence[Mapping[str, Any]]) -> Dict[str, Any]:
        return {"rows": rows} if owner is None else {"owner": owner, "rows": rows}

    def parts(self) -> Dict[str, Any]:
        """What is sent, as httpx names it."""
        return {"params": self.parameters, "content": self.body, "headers": {"Content-Type": "application/json"}}

    def cell(self, index: int, line: bytes) -> Cell:
        """The cell of the row at `index` of the request, from its line of the answer."""
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise Unavailable("the factory answered no rows") from error
        if not isinstance(row, dict):
            raise Unavailable("the factory answered no rows")
        problem = row.get("error")
        if "index" not in row and isinstance(problem, dict):
            raise refused(problem, 500, self.offset)
        if type(row.get("index")) is not int or row["index"] != index or index >= len(self.items):
            raise Unavailable("the factory answered other rows than it was asked for")
        item, had, kind, place = self.items[index], self._had[index], text_of(row, "kind"), self.offset + index
        if index in self._unreadable:
            return Cell(place, item.kind, item.id, error=unreadable(place))
        if isinstance(problem, dict):
            return Cell(place, kind, item.id, error=refused(problem, 422, self.offset))
        if row.get("unchanged") is True and had:
            return Cell(place, kind, item.id, had[0], had[1], had[2], unchanged=True)
        html, text = text_of(row, "html"), text_of(row, "text")
        if html is None and text is None:
            raise Unavailable("the factory answered a row without a cell")
        cell = Cell(place, kind, item.id, text_of(row, "etag"), html or "", text)
        self._kept.put(cell, item.id)
        return cell


class Answer:
    """The cells of an answer, from its pieces as they come."""

    def __init__(self, request: Request, line_limit_bytes: int) -> None:
        self._request = request
        self._line_limit_bytes = line_limit_bytes
        self._rest: List[bytes] = []
        self._rest_size = 0
        self._count = 0

    def feed(self, piece: bytes) -> Iterator[Cell]:
        # Line feeds alone end lines: strings in JSON may hold what else Unicode calls the end of one.
        *ends, rest = piece.split(b"\n")
        for end in ends:
            self._hold(end)
            line = b"".join(self._rest)
            self._rest, self._rest_size = [], 0
            if line.strip():
                cell = self._request.cell(self._count, line)
                self._count += 1
                yield cell
        self._hold(rest)

    def _hold(self, part: bytes) -> None:
        """Adds to the line that has not ended."""
        self._rest.append(part)
        self._rest_size += len(part)
        if self._rest_size > self._line_limit_bytes:
            raise TooLarge(self._line_limit_bytes)

    def end(self) -> Iterator[Cell]:
        """The cells of the rest. Raises if some are missing."""
        yield from self.feed(b"\n")
        if self._count != len(self._request.items):
            raise Unavailable(f"the factory broke off: {self._count} of {len(self._request.items)} cells came")


class Deadline:
    """When a request has taken too long. All that waits for the factory asks it how much time is left."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        # Nothing has come since a part of the request was sent.
        self.is_silent = False
        self.restart()

    def restart(self) -> None:
        self._end = time.monotonic() + self.seconds

    def left(self) -> float:
        """Seconds, more than 0. Raises if none are left."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise self.error()
        return left

    def error(self) -> Unavailable:
        return Unavailable(f"the factory took more than {self.seconds:g} seconds")


class Decoder:
    """The content of a body, from its pieces as they come, in steps: some bytes of gzip are a thousand times as many."""

    STEP_BYTES = 64 << 10

    def __init__(self, encoding: str) -> None:
        name = encoding.strip().lower()
        if name not in ("", "identity", "gzip", "x-gzip"):
            raise Unavailable(f"the factory answered in the encoding {encoding}, which the client does not know")
        self._gzip = zlib.decompressobj(16 + zlib.MAX_WBITS) if "gzip" in name else None

    def feed(self, piece: bytes) -> Iterator[bytes]:
        if self._gzip is None:
            yield piece
            return
        content = b""
        while piece or len(content) == self.STEP_BYTES:
            try:
                content = self._gzip.decompress(piece, self.STEP_BYTES)
            except zlib.error as error:
                raise Unavailable(f"the factory answered no gzip: {error}") from error
            if self._gzip.unused_data:
                raise Unavailable("the factory answered more than its gzip")
            piece = self._gzip.unconsumed_tail
            yield content

    def end(self) -> None:
        if self._gzip is not None and not self._gzip.eof:
            raise Unavailable("the factory broke off in its gzip")


class Reading:
    """A body as it comes: decoded, as long as there is time, and up to a limit."""

    def __init__(self, encoding: str, deadline: Deadline, limit_bytes: Optional[int]) -> None:
        self._decoder = Decoder(encoding)
        self._deadline = deadline
        self._limit_bytes = limit_bytes
        self._size = 0

    def take(self, received: bytes) -> Iterator[bytes]:
        for piece in self._decoder.feed(received):
            self._deadline.left()
            self._size += len(piece)
            if self._limit_bytes is not None and self._size > self._limit_bytes:
                raise TooLarge(self._limit_bytes)
            yield piece

    def end(self) -> None:
        self._decoder.end()


def text_of(row: Mapping[str, Any], name: str) -> Optional[str]:
    """A member that is a text, or is not there."""
    value = row.get(name)
    if value is not None and not isinstance(value, str):
        raise Unavailable(f"the factory answered no text as {name}")
    return value


def refused(problem: Mapping[str, Any], otherwise: int, offset: int) -> Refused:
    status = problem.get("status")
    return Refused(status if isinstance(status, int) else otherwise, problem, offset)


def unreadable(index: int) -> Refused:
    """What is wrong with a row that no factory can read, as one tells of a line of NDJSON."""
    problem = {"type": "urn:cellfactory:invalid-json", "detail": "a lone surrogate"}
    return Refused(400, {**problem, "title": "Invalid JSON", "errors": [{**problem, "pointer": f"/rows/{index}"}]})


def items_of(kind: str, rows: Iterable[Any], key: Key) -> List[Item]:
    def identifier(row: Any) -> Any:
        if callable(key):
            return key(row)
        return row.get(key) if key is not None and isinstance(row, Mapping) else None
    return [Item(kind, row, identifier(row)) for row in rows]


def batches(items: Iterable[Item], size: int) -> Iterator[List[Item]]:
    batch: List[Item] = []
    for item in items:
        batch.append(item)
        if len(batch) >= size:
            yield batch
            batch = []
    if batch:
        yield batch


def error_of(status: int, headers: httpx.Headers, body: bytes, offset: int = 0) -> CellFactoryError:
    """What an answer that is not 2xx means. In a stream, `offset` rows came before those of the request."""
    try:
        problem = json.loads(body)
    except (ValueError, RecursionError):
        problem = {}
    if not isinstance(problem, dict):
        problem = {}
    if status >= 500 or status in PASSING:
        return Unavailable(string_in(problem, "detail", f"the factory answered {status}"), seconds_of(headers))
    return Refused(status, problem, offset)


def kinds_of(body: bytes) -> List[Mapping[str, Any]]:
    """The kinds of an answer to `GET /kinds`."""
    try:
        found = json.loads(body)["kinds"]
    except (ValueError, RecursionError, KeyError, TypeError) as error:
        raise Unavailable("the factory answered no kinds") from error
    if not isinstance(found, list) or not all(isinstance(kind, dict) for kind in found):
        raise Unavailable("the factory answered no kinds")
    return found


def seconds_of(headers: httpx.Headers) -> Optional[float]:
    """How long `Retry-After` asks to wait: seconds, or until a date, as some proxies write it."""
    written = headers.get("Retry-After", "")
    try:
        return max(0.0, float(written))
    except ValueError:
        pass
    try:
        until = parsedate_to_datetime(written)
    # Python 3.9 raises the second, and numbers of many digits the third.
    except (ValueError, TypeError, OverflowError):
        return None
    if until.tzinfo is None:
        until = until.replace(tzinfo=timezone.utc)
    return max(0.0, (until - datetime.now(timezone.utc)).total_seconds())


def fallen_back(items: Sequence[Item], fallback: Fallback, error: CellFactoryError) -> Cells:
    """What the caller's fallback makes of rows; rows of one kind at a time, in their order."""
    kinds = {item.kind for item in items}
    made: List[str] = [""] * len(items)
    for kind in kinds:
        places = [place for place, item in enumerate(items) if item.kind == kind]
        found = fallback(kind, [items[place].data for place in places], error)
        texts = [] if isinstance(found, str) else list(found)
        if len(texts) != len(places):
            raise TypeError(f"the fallback is to return a list of {len(places)} strings, one for each row")
        for place, html in zip(places, texts):
            made[place] = html
    return Cells([Cell(place, item.kind, item.id, html=made[place], fallback=True) for place, item in enumerate(items)])
