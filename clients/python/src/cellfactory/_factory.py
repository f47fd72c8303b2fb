"""The client for programs that wait."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Any, Iterable, Iterator, List, Mapping, Optional, Tuple, Type

import httpx

from ._cells import Cell, Cells, Item
from ._errors import Unavailable
from ._protocol import ROWS_AT_ONCE, Answer, Deadline, Fallback, Kept, Key, Request, batches, error_of, fallen_back, items_of, kinds_of


class CellFactory:
    """A factory at a URL. Threads may share it, and close it, or use it in `with`.

    - `timeout`: seconds for one request; of `stream`, whose caller may take its time, for each part of an answer.
    - `retries`: how often a request is sent again that got 503 with `Retry-After`, each time after the seconds it says, at most
      `longest_wait`. Other failures are not tried again here.
    - `keep`: how many cells are kept with their etags, of rows with an id. Those that are unchanged are not sent again.
    - `fallback`: makes the HTML of rows while the factory is away: of (kind, rows, what is wrong) one string for each row.
    """

    def __init__(
        self, url: str, *, timeout: float = 10.0, retries: int = 2, longest_wait: float = 5.0, keep: int = 1000,
        fallback: Optional[Fallback] = None, headers: Optional[Mapping[str, str]] = None,
        transport: Optional[httpx.BaseTransport] = None,
    ) -> None:
        self._client = httpx.Client(base_url=url.rstrip("/") + "/", timeout=timeout, headers=headers, transport=transport)
        self._timeout = timeout
        self._retries = retries
        self._longest_wait = longest_wait
        self._kept = Kept(keep)
        self._fallback = fallback

    def render(
        self, kind: str, rows: Iterable[Any], *, owner: Optional[Mapping[str, Any]] = None, key: Key = "id",
        on_error: str = "fail", missing: Optional[str] = None, fallback: Optional[Fallback] = None,
    ) -> Cells:
        """The cells of rows of one kind.

        `key` is what a row is known by: the name of a member, or a function; with it, unchanged cells are not sent again.
        Raises `Refused` if a row is bad, unless `on_error` is `"skip"`; `Unavailable` if the factory is away and there is no fallback.
        """
        return self.render_items(items_of(kind, rows, key), owner=owner, on_error=on_error, missing=missing, fallback=fallback)

    def render_items(
        self, items: Iterable[Item], *, owner: Optional[Mapping[str, Any]] = None, on_error: str = "fail",
        missing: Optional[str] = None, fallback: Optional[Fallback] = None,
    ) -> Cells:
        """The cells of rows of many kinds, in one request."""
        listed = list(items)
        if not listed:
            return Cells([])
        request = Request(listed, owner, on_error, missing, self._kept)
        try:
            response, deadline = self._send(request)
            answer = Answer(request)
            cells: List[Cell] = []
            try:
                for piece in response.iter_bytes():
                    cells += answer.feed(piece)
                    deadline.check()
                cells += answer.end()
            except httpx.RequestError as error:
                raise Unavailable(f"the factory broke off: {error}") from error
            finally:
                response.close()
            return Cells(cells)
        except Unavailable as error:
            chosen = fallback or self._fallback
            if chosen is None:
                raise
            return fallen_back(listed, chosen, error)

    def stream(
        self, kind: str, rows: Iterable[Any], *, owner: Optional[Mapping[str, Any]] = None, key: Key = "id",
        on_error: str = "fail", missing: Optional[str] = None, batch: int = ROWS_AT_ONCE,
    ) -> Iterator[Cell]:
        """The cells of any number of rows, as they come: rows are taken, sent and received in batches, so memory stays bounded.

        With `on_error="fail"`, a bad row ends the stream before any cell of its batch.
        """
        offset = 0
        for items in batches((item for row in rows for item in items_of(kind, [row], key)), batch):
            request = Request(items, owner, on_error, missing, self._kept)
            response, _ = self._send(request)
            answer = Answer(request, offset)
            try:
                for piece in response.iter_bytes():
                    for cell in answer.feed(piece):
                        yield cell
                for cell in answer.end():
                    yield cell
            except httpx.RequestError as error:
                raise Unavailable(f"the factory broke off: {error}") from error
            finally:
                response.close()
            offset += len(items)

    def kinds(self) -> List[Mapping[str, Any]]:
        """The kinds that there are, as `GET /kinds` describes them."""
        try:
            response = self._client.get("kinds")
        except httpx.RequestError as error:
            raise Unavailable(f"the factory cannot be reached: {error}") from error
        return kinds_of(response)

    def _send(self, request: Request) -> Tuple[httpx.Response, Deadline]:
        """An answer with status 200, whose body is still to be read, and until when."""
        tries = 0
        while True:
            deadline = Deadline(self._timeout)
            try:
                response = self._client.send(
                    self._client.build_request("POST", "cells", params=request.parameters, content=request.body, headers=request.headers),
                    stream=True)
                if response.status_code == 200:
                    return response, deadline
                pieces = []
                try:
                    for piece in response.iter_bytes():
                        pieces.append(piece)
                        deadline.check()
                finally:
                    response.close()
            except httpx.RequestError as error:
                raise Unavailable(f"the factory cannot be reached: {error}") from error
            failure = error_of(response.status_code, response.headers, b"".join(pieces))
            if response.status_code != 503 or not isinstance(failure, Unavailable) or failure.retry_after is None or tries >= self._retries:
                raise failure
            tries += 1
            time.sleep(min(failure.retry_after, self._longest_wait))

    def close(self) -> None:
        self._client.close()

    def __enter__(self) -> CellFactory:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], traceback: Optional[TracebackType],
    ) -> None:
        self.close()
