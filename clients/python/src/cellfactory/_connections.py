"""The connections of the client that waits."""

from __future__ import annotations

import contextlib
import os
import time
import weakref
from collections import deque
from typing import Deque, Optional, Set

import httpcore

from ._errors import Unavailable
from ._protocol import Deadline

MAX_CONNECTIONS = 100
MAX_IDLE = 20
# How often a request looks whether a connection has become free, while all are in use.
_PAUSE_SECONDS = 0.01


class Connections:
    """Connections to a factory. Threads may share it, and processes: after a fork, each has its own.

    A call holds its connection alone. The exception of a signal's handler may end the call anywhere. Its connection goes with it then,
    because nothing else refers to it, and no lock stays behind, because there is none: single calls of sets and deques need none.
    """

    def __init__(self, pool: httpcore.ConnectionPool) -> None:
        # It makes connections and holds none.
        self._pool = pool
        self._begin()

    def _begin(self) -> None:
        self._idle: Deque[httpcore.ConnectionInterface] = deque()
        self._all: Set[weakref.ref[httpcore.ConnectionInterface]] = set()
        self._process = os.getpid()

    def _leave_to_parent(self) -> None:
        """Closes what a fork has copied. The parent's connections stay open."""
        if self._process != os.getpid():
            idle = self._idle
            self._begin()
            for connection in idle:
                connection.close()

    def take(self, origin: httpcore.Origin, deadline: Deadline, prefers_new: bool = False) -> httpcore.ConnectionInterface:
        """A connection that nobody else has until it is given back: one that was kept, or a new one."""
        self._leave_to_parent()
        end = time.monotonic() + deadline.left()
        while True:
            connection = (self._new_one(origin) if prefers_new else None) or self._idle_one() or self._new_one(origin)
            if connection is not None:
                return connection
            if time.monotonic() >= end:
                raise Unavailable(f"no connection became free within {deadline.seconds:g} seconds")
            time.sleep(_PAUSE_SECONDS)

    def give_back(self, connection: httpcore.ConnectionInterface) -> None:
        self._leave_to_parent()
        if connection.is_idle() and weakref.ref(connection) in self._all and len(self._idle) < MAX_IDLE:
            self._idle.append(connection)
        else:
            self.drop(connection)

    def drop(self, connection: httpcore.ConnectionInterface) -> None:
        self._all.discard(weakref.ref(connection))
        connection.close()

    def close(self) -> None:
        """Closes all, also those in use."""
        self._idle.clear()
        for reference in self._all.copy():
            connection = reference()
            if connection is not None:
                self.drop(connection)

    def _idle_one(self) -> Optional[httpcore.ConnectionInterface]:
        """The one that was used last."""
        with contextlib.suppress(IndexError):
            while self._idle[0].has_expired():
                self.drop(self._idle.popleft())
            while True:
                connection = self._idle.pop()
                if connection.is_available() and not connection.has_expired():
                    return connection
                self.drop(connection)
        return None

    def _new_one(self, origin: httpcore.Origin) -> Optional[httpcore.ConnectionInterface]:
        """Another one, if there may be more."""
        if self._count() >= MAX_CONNECTIONS:
            return None
        connection = self._pool.create_connection(origin)
        self._all.add(weakref.ref(connection))
        # Another thread may have made one meanwhile.
        if self._count() > MAX_CONNECTIONS:
            self._all.discard(weakref.ref(connection))
            return None
        return connection

    def _count(self) -> int:
        self._all.difference_update([reference for reference in self._all.copy() if reference() is None])
        return len(self._all)
