"""The connections of the client that does not wait."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from typing import Deque, Optional, Set

import httpcore

from ._connections import MAX_CONNECTIONS, MAX_IDLE
from ._errors import Unavailable
from ._protocol import Deadline


class AsyncConnections:
    """Connections to a factory, for the tasks of one event loop.

    A call holds its connection alone. Where all are in use, calls wait for their turn in a queue: a call costs the same however many
    wait. The pool of httpcore looks through all connections and all calls that wait, for each call.
    """

    def __init__(self, pool: httpcore.AsyncConnectionPool) -> None:
        # It makes connections and holds none.
        self._pool = pool
        self._idle: Deque[httpcore.AsyncConnectionInterface] = deque()
        self._all: Set[httpcore.AsyncConnectionInterface] = set()
        # How many more calls may have a connection, and those that wait for one to end.
        self._free = MAX_CONNECTIONS
        self._waiting: OrderedDict[asyncio.Future[None], None] = OrderedDict()

    async def take(self, origin: httpcore.Origin, deadline: Deadline, prefers_new: bool = False) -> httpcore.AsyncConnectionInterface:
        """A connection that nobody else has until it is given back or dropped: one that was kept, or a new one."""
        await self._turn(deadline)
        try:
            may_be_new = len(self._all) < MAX_CONNECTIONS
            connection = None if prefers_new and may_be_new else await self._idle_one()
            if connection is None:
                connection = self._pool.create_connection(origin)
                self._all.add(connection)
            return connection
        except BaseException:
            self._end_turn()
            raise

    async def give_back(self, connection: httpcore.AsyncConnectionInterface) -> None:
        if connection.is_idle() and connection in self._all and len(self._idle) < MAX_IDLE:
            self._idle.append(connection)
            self._end_turn()
        else:
            await self.drop(connection)

    async def drop(self, connection: httpcore.AsyncConnectionInterface) -> None:
        try:
            await self._close(connection)
        finally:
            self._end_turn()

    async def close(self) -> None:
        """Closes all, also those in use."""
        self._idle.clear()
        for connection in list(self._all):
            await self._close(connection)

    async def _close(self, connection: httpcore.AsyncConnectionInterface) -> None:
        self._all.discard(connection)
        await connection.aclose()

    async def _turn(self, deadline: Deadline) -> None:
        """Waits until fewer calls than there may be connections are before this one."""
        if self._free:
            self._free -= 1
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting[turn] = None
        try:
            await asyncio.wait([turn], timeout=deadline.left())
        except BaseException:
            if turn.done():
                self._end_turn()
            raise
        finally:
            self._waiting.pop(turn, None)
        if not turn.done():
            raise Unavailable(f"no connection became free within {deadline.seconds:g} seconds")

    def _end_turn(self) -> None:
        if self._waiting:
            self._waiting.popitem(last=False)[0].set_result(None)
        else:
            self._free += 1

    async def _idle_one(self) -> Optional[httpcore.AsyncConnectionInterface]:
        """The one that was used last."""
        while self._idle and self._idle[0].has_expired():
            await self._close(self._idle.popleft())
        while self._idle:
            connection = self._idle.pop()
            if connection.is_available() and not connection.has_expired():
                return connection
            await self._close(connection)
        return None
