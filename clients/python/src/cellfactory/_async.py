"""The client for programs that do not wait."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Any, AsyncIterator, Iterable, List, Mapping, Optional, Tuple, Type

import httpx

from ._cells import Cell, Cells, Item
from ._errors import TooLarge, Unavailable
from ._protocol import (
    ANSWER_LIMIT_BYTES, DEADLINE, ERROR_LIMIT_BYTES, ROWS_AT_ONCE, Answer, Deadline, Fallback, Kept, Key, Reading, Request, batches,
    error_of, fallen_back, items_of, kinds_of, no_cookies,
)
from ._transport import AsyncTransport


class AsyncCellFactory:
    """A factory at a URL. Tasks of one event loop may share it, and close it, or use it in `async with`. A process that forks may use it in a
    loop of its own.

    - `timeout`: seconds for one request: from waiting for a connection to the last byte of the answer, whatever the server does
      meanwhile. `stream`, whose caller may take its time, has as many for each cell. Only looking up the host's name is not counted
      where the system cannot be told how long it may take.
    - `retries`: how often a request is sent again that got 503 with `Retry-After`, each time after the seconds it says, at most
      `longest_wait`, and with a new `timeout`. A request that meets the end of a connection which was kept is sent once more, within its
      `timeout`. Other failures are not tried again here, and redirections are not followed.
    - `answer_limit_bytes`: the longest answer, or line of `stream`, once gzip is taken off; more raises `TooLarge`. The default is
      what a factory sends at most. Raise it with its `--output-limit-bytes`.
    - `keep`: how many cells are kept with their etags, of rows with an id, if they have no more than `answer_limit_bytes` together.
      Those that are unchanged are not sent again.
    - `fallback`: makes the HTML of rows while the factory is away: of (kind, rows, what is wrong) one string for each row. `stream` has
      none: some of its cells may have come by then.
    - `transport`: sends the requests instead of the client's own connections. It has `timeout` for each of its waits; the time of the
      request is then looked at only when a piece of the answer comes.
    """

    def __init__(
        self, url: str, *, timeout: float = 10.0, retries: int = 2, longest_wait: float = 5.0, keep: int = 1000,
        fallback: Optional[Fallback] = None, headers: Optional[Mapping[str, str]] = None,
        transport: Optional[httpx.AsyncBaseTransport] = None, answer_limit_bytes: int = ANSWER_LIMIT_BYTES,
    ) -> None:
        sent = httpx.Headers({"Accept-Encoding": "gzip"})
        sent.update(headers or {})
        self._client = httpx.AsyncClient(
            base_url=url.rstrip("/") + "/", timeout=timeout, headers=sent, cookies=no_cookies(),
            transport=transport or AsyncTransport(url))
        self._timeout = timeout
        self._answer_limit_bytes = answer_limit_bytes
        self._retries = retries
        self._longest_wait = longest_wait
        self._kept = Kept(keep, answer_limit_bytes)
        self._fallback = fallback

    async def render(
        self, kind: str, rows: Iterable[Any], *, owner: Optional[Mapping[str, Any]] = None, key: Key = "id",
        on_error: str = "fail", missing: Optional[str] = None, fallback: Optional[Fallback] = None,
    ) -> Cells:
        """The cells of rows of one kind.

        `key` is what a row is known by: the name of a member, or a function; with it, unchanged cells are not sent again.
        Raises `Refused` if a row is bad, unless `on_error` is `"skip"`; `Unavailable` if the factory is away and there is no fallback.
        """
        return await self.render_items(items_of(kind, rows, key), owner=owner, on_error=on_error, missing=missing, fallback=fallback)

    async def render_items(
        self, items: Iterable[Item], *, owner: Optional[Mapping[str, Any]] = None, on_error: str = "fail",
        missing: Optional[str] = None, fallback: Optional[Fallback] = None,
    ) -> Cells:
        """The cells of rows of many kinds, in one request."""
        listed = list(items)
        if not listed:
            return Cells([])
        request = Request(listed, owner, on_error, missing, self._kept)
        try:
            response, deadline = await self._send("POST", "cells", **request.parts())
            answer = Answer(request, self._answer_limit_bytes)
            cells: List[Cell] = []
            try:
                async for piece in self._pieces(response, deadline, self._answer_limit_bytes):
                    cells += answer.feed(piece)
                cells += answer.end()
            finally:
                await response.aclose()
            return Cells(cells)
        except Unavailable as error:
            chosen = fallback or self._fallback
            if chosen is None:
                raise
            return fallen_back(listed, chosen, error)

    async def stream(
        self, kind: str, rows: Iterable[Any], *, owner: Optional[Mapping[str, Any]] = None, key: Key = "id",
        on_error: str = "fail", missing: Optional[str] = None, batch: int = ROWS_AT_ONCE,
    ) -> AsyncIterator[Cell]:
        """The cells of any number of rows, as they come: rows are taken, sent and received in batches, so memory stays bounded.

        With `on_error="fail"`, a bad row ends the stream before any cell of its batch.
        """
        offset = 0
        for items in batches((item for row in rows for item in items_of(kind, [row], key)), batch):
            request = Request(items, owner, on_error, missing, self._kept, offset)
            response, deadline = await self._send("POST", "cells", offset, **request.parts())
            answer = Answer(request, self._answer_limit_bytes)
            try:
                async for piece in self._pieces(response, deadline):
                    for cell in answer.feed(piece):
                        yield cell
                        deadline.restart()
                for cell in answer.end():
                    yield cell
            finally:
                await response.aclose()
            offset += len(items)

    async def kinds(self) -> List[Mapping[str, Any]]:
        """The kinds that there are, as `GET /kinds` describes them."""
        response, deadline = await self._send("GET", "kinds")
        return kinds_of(await self._body(response, deadline, self._answer_limit_bytes))

    async def _send(self, method: str, path: str, offset: int = 0, **parts: Any) -> Tuple[httpx.Response, Deadline]:
        """An answer with status 200, whose body is still to be read, and until when. Errors tell of rows from `offset` on."""
        tries = 0
        while True:
            deadline = Deadline(self._timeout)
            try:
                response = await self._client.send(
                    self._client.build_request(method, path, extensions={DEADLINE: deadline}, **parts), stream=True)
            # httpx raises `InvalidURL` if the answer's `Location` is not a URL, although it is not followed.
            except (httpx.RequestError, httpx.InvalidURL) as error:
                raise Unavailable(f"the factory cannot be reached: {error}") from error
            if response.status_code == 200:
                return response, deadline
            try:
                body = await self._body(response, deadline, ERROR_LIMIT_BYTES)
            except TooLarge:
                # Its status says what it is.
                body = b""
            failure = error_of(response.status_code, response.headers, body, offset)
            if response.status_code != 503 or not isinstance(failure, Unavailable) or failure.retry_after is None or tries >= self._retries:
                raise failure
            tries += 1
            await asyncio.sleep(max(0.0, min(failure.retry_after, self._longest_wait)))

    async def _body(self, response: httpx.Response, deadline: Deadline, limit_bytes: int) -> bytes:
        """The whole body of an answer."""
        try:
            return b"".join([piece async for piece in self._pieces(response, deadline, limit_bytes)])
        finally:
            await response.aclose()

    async def _pieces(self, response: httpx.Response, deadline: Deadline, limit_bytes: Optional[int] = None) -> AsyncIterator[bytes]:
        """The body of an answer, as it comes, as long as there is time, and up to a limit."""
        # A transport of the user's may have an answer whose content is there already.
        is_there = response.is_stream_consumed
        reading = Reading("" if is_there else response.headers.get("Content-Encoding", ""), deadline, limit_bytes)
        try:
            async for received in response.aiter_bytes() if is_there else response.aiter_raw():
                for piece in reading.take(received):
                    yield piece
            reading.end()
        except httpx.RequestError as error:
            raise Unavailable(f"the factory broke off: {error}") from error

    async def aclose(self) -> None:
        await self._client.aclose()

    async def __aenter__(self) -> AsyncCellFactory:
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], traceback: Optional[TracebackType],
    ) -> None:
        await self.aclose()
