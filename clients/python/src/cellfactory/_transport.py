"""Connections whose every wait ends when the time of the request is over.

httpx has seconds for each wait alone: a server that sends a byte before each ends has all the time it wants. httpcore hands the
timeouts of a request down to its network backend, so here a `Deadline` takes their place, and streams ask it before each wait how
much is left.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import ssl
from typing import Any, AsyncIterator, Callable, Coroutine, Dict, Iterable, Iterator, Optional, Set, Tuple, TypeVar, Union, cast
from urllib.request import getproxies, proxy_bypass

import httpcore
import httpx

from ._async_connections import AsyncConnections
from ._connections import Connections
from ._errors import Unavailable
from ._protocol import DEADLINE, Deadline

# As httpcore declares them: a `Deadline` comes where it has numbers.
Timeout = Union[Deadline, float, None]
SocketOptions = Optional[Iterable[Any]]
_Result = TypeVar("_Result")

# What is written at once. A stream may wait once more for each part that the kernel takes of it, so it is small.
_WRITTEN_AT_ONCE = 16 << 10


class _Clock:
    """The deadline that a stream asks: the one that came last, because httpcore hands down none while it greets a SOCKS proxy."""

    def __init__(self, timeout: Timeout) -> None:
        self._deadline = timeout

    def left(self, timeout: Timeout) -> Optional[float]:
        if timeout is not None:
            self._deadline = timeout
        return self._deadline.left() if isinstance(self._deadline, Deadline) else self._deadline

    def note(self, is_silent: bool) -> None:
        if isinstance(self._deadline, Deadline):
            self._deadline.is_silent = is_silent


class _Stream(httpcore.NetworkStream):
    def __init__(self, stream: httpcore.NetworkStream, timeout: Timeout) -> None:
        self._stream = stream
        self.clock = _Clock(timeout)

    def read(self, max_bytes: int, timeout: Timeout = None) -> bytes:
        received = self._stream.read(max_bytes, self.clock.left(timeout))
        if received:
            self.clock.note(is_silent=False)
        return received

    def write(self, buffer: bytes, timeout: Timeout = None) -> None:
        for start in range(0, len(buffer), _WRITTEN_AT_ONCE):
            left = self.clock.left(timeout)
            self.clock.note(is_silent=True)
            self._stream.write(buffer[start:start + _WRITTEN_AT_ONCE], left)

    def close(self) -> None:
        self._stream.close()

    def start_tls(self, ssl_context: ssl.SSLContext, server_hostname: Optional[str] = None, timeout: Timeout = None) -> httpcore.NetworkStream:
        try:
            if self.get_extra_info("ssl_object") is not None:
                return _Stream(_Inner(self, ssl_context, server_hostname, timeout), timeout)
            return _Stream(self._stream.start_tls(ssl_context, server_hostname, self.clock.left(timeout)), timeout)
        except BaseException:
            self.close()
            raise

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


class _Inner(httpcore.NetworkStream):
    """TLS within the TLS of a proxy. That of httpcore gives each part of a record the whole time."""

    def __init__(self, stream: _Stream, context: ssl.SSLContext, hostname: Optional[str], timeout: Timeout) -> None:
        self._stream = stream
        self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._incoming, self._outgoing, server_hostname=hostname)
        self._run(self._tls.do_handshake, timeout)

    def _run(self, step: Callable[[], _Result], timeout: Timeout) -> _Result:
        """The result of a step of TLS, once what it wants to read has come and what it has to say is sent."""
        while True:
            try:
                result = step()
            except ssl.SSLWantReadError:
                self._stream.write(self._outgoing.read(), timeout)
                received = self._stream.read(_WRITTEN_AT_ONCE, timeout)
                if received:
                    self._incoming.write(received)
                else:
                    self._incoming.write_eof()
            else:
                self._stream.write(self._outgoing.read(), timeout)
                return result

    def read(self, max_bytes: int, timeout: Timeout = None) -> bytes:
        try:
            return self._run(lambda: self._tls.read(max_bytes), timeout)
        except ssl.SSLZeroReturnError:
            return b""

    def write(self, buffer: bytes, timeout: Timeout = None) -> None:
        while buffer:
            buffer = buffer[self._run(lambda: self._tls.write(buffer), timeout):]

    def close(self) -> None:
        self._stream.close()

    def get_extra_info(self, info: str) -> Any:
        return self._tls if info == "ssl_object" else self._stream.get_extra_info(info)


class _AsyncStream(httpcore.AsyncNetworkStream):
    def __init__(self, stream: httpcore.AsyncNetworkStream, timeout: Timeout) -> None:
        self._stream = stream
        self.clock = _Clock(timeout)

    async def read(self, max_bytes: int, timeout: Timeout = None) -> bytes:
        received = await self._stream.read(max_bytes, self.clock.left(timeout))
        if received:
            self.clock.note(is_silent=False)
        return received

    async def write(self, buffer: bytes, timeout: Timeout = None) -> None:
        left = self.clock.left(timeout)
        self.clock.note(is_silent=True)
        await self._stream.write(buffer, left)

    async def aclose(self) -> None:
        await self._stream.aclose()

    async def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: Optional[str] = None, timeout: Timeout = None,
    ) -> httpcore.AsyncNetworkStream:
        try:
            return _AsyncStream(await self._stream.start_tls(ssl_context, server_hostname, self.clock.left(timeout)), timeout)
        except BaseException:
            await self.aclose()
            raise

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


class _Backend(httpcore.NetworkBackend):
    def __init__(self) -> None:
        self._backend = httpcore.SyncBackend()

    def connect_tcp(
        self, host: str, port: int, timeout: Timeout = None, local_address: Optional[str] = None, socket_options: SocketOptions = None,
    ) -> httpcore.NetworkStream:
        """Connects to one of the host's addresses. Those that are left share the time that is left."""
        clock = _Clock(timeout)
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except OSError as error:
            raise httpcore.ConnectError(str(error)) from error
        for untried, (*_, address) in zip(range(len(found), 0, -1), found):
            left = clock.left(timeout)
            share = left if left is None else left / untried
            try:
                return _Stream(self._backend.connect_tcp(str(address[0]), port, share, local_address, socket_options), timeout)
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                if untried == 1:
                    raise
        raise httpcore.ConnectError(f"{host} has no address")


class _AsyncBackend(httpcore.AsyncNetworkBackend):
    def __init__(self) -> None:
        self._backend = httpcore.AnyIOBackend()

    async def connect_tcp(
        self, host: str, port: int, timeout: Timeout = None, local_address: Optional[str] = None, socket_options: SocketOptions = None,
    ) -> httpcore.AsyncNetworkStream:
        stream = await self._backend.connect_tcp(host, port, cast(float, _Clock(timeout).left(timeout)), local_address, socket_options)
        return _AsyncStream(stream, timeout)


# How long a connection is kept that nobody uses. As httpx has it.
_KEPT_SECONDS = 5.0


def _proxy_of(url: httpx.URL) -> Optional[httpx.Proxy]:
    """The proxy for a URL, as the environment has it."""
    proxies = getproxies()
    proxy = proxies.get(url.scheme) or proxies.get("all")
    if not proxy or proxy_bypass(url.host):
        return None
    return httpx.Proxy(proxy if "://" in proxy else f"http://{proxy}")


def _options(url: str) -> Tuple[str, Dict[str, Any]]:
    """Which kind of pool leads to a URL, and its options."""
    address = httpx.URL(url)
    proxy = _proxy_of(address)
    # Without a context, httpcore trusts others than httpx, which looks at the environment.
    options: Dict[str, Any] = {
        "keepalive_expiry": _KEPT_SECONDS, "ssl_context": httpx.create_ssl_context() if address.scheme == "https" else None}
    if proxy is None:
        return "direct", options
    options["proxy_url"] = httpcore.URL(scheme=proxy.url.raw_scheme, host=proxy.url.raw_host, port=proxy.url.port, target=proxy.url.raw_path)
    options["proxy_auth"] = proxy.raw_auth
    if proxy.url.scheme not in ("http", "https"):
        return "socks", options
    options["proxy_headers"] = proxy.headers.raw
    return "http", options


def _sent(request: httpx.Request, deadline: Deadline) -> httpcore.Request:
    if request.url.scheme not in ("http", "https"):
        raise httpx.UnsupportedProtocol(f"a factory has no URL that begins with {request.url.scheme!r}")
    return httpcore.Request(
        method=request.method, headers=request.headers.raw, content=request.stream,
        url=httpcore.URL(scheme=request.url.raw_scheme, host=request.url.raw_host, port=request.url.port, target=request.url.raw_path),
        extensions={"timeout": {"connect": deadline, "read": deadline, "write": deadline}})


def _answered(
    response: httpcore.Response, stream: Union[httpx.SyncByteStream, httpx.AsyncByteStream], deadline: Deadline,
) -> httpx.Response:
    # What is there before anything was read belongs to no request.
    if deadline.is_silent:
        raise Unavailable("the factory answered before it was asked")
    return httpx.Response(response.status, headers=response.headers, stream=stream, extensions=response.extensions)


@contextlib.contextmanager
def _named(deadline: Deadline) -> Iterator[None]:
    """What goes wrong, as httpx names it."""
    try:
        yield
    except httpcore.TimeoutException as error:
        raise deadline.error() from error
    except (httpcore.NetworkError, httpcore.ProtocolError, httpcore.ProxyError, httpcore.UnsupportedProtocol, ssl.SSLError) as error:
        raise httpx.TransportError(str(error)) from error


# What callers no longer wait for. The loop itself keeps no task alive.
_abandoned: Set[asyncio.Future[Any]] = set()


async def _to_its_end(work: Coroutine[Any, Any, _Result], drop: Optional[Callable[[_Result], Coroutine[Any, Any, None]]] = None) -> _Result:
    """The result of work of httpcore, which goes on even if the caller is cancelled, until its deadline at most: where it is cancelled in
    the midst of it, httpcore loses connections. `drop` ends a result for which nobody waits any longer."""
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        _abandoned.add(task)
        task.add_done_callback(lambda task: _end(task, drop))
        raise


def _end(task: asyncio.Future[Any], drop: Optional[Callable[[Any], Coroutine[Any, Any, None]]]) -> None:
    _abandoned.discard(task)
    # An exception that is looked at is not told on standard error.
    if not task.cancelled() and task.exception() is None and drop is not None:
        dropped = asyncio.ensure_future(drop(task.result()))
        _abandoned.add(dropped)
        dropped.add_done_callback(lambda dropped: _end(dropped, None))


class _Bytes(httpx.SyncByteStream):
    """The body of an answer. At its end the connection is given back, unless an exception has ended it."""

    def __init__(self, response: httpcore.Response, deadline: Deadline, connection: httpcore.ConnectionInterface, connections: Connections) -> None:
        self._response = response
        self._deadline = deadline
        self._connection: Optional[httpcore.ConnectionInterface] = connection
        self._connections = connections

    def __iter__(self) -> Iterator[bytes]:
        with _named(self._deadline):
            yield from self._response.iter_stream()

    def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is None:
            return
        try:
            self._response.close()
        except BaseException:
            self._connections.drop(connection)
            raise
        self._connections.give_back(connection)


class _AsyncBytes(httpx.AsyncByteStream):
    def __init__(
        self, response: httpcore.Response, deadline: Deadline, connection: httpcore.AsyncConnectionInterface, connections: AsyncConnections,
    ) -> None:
        self._response = response
        self._deadline = deadline
        self._connection: Optional[httpcore.AsyncConnectionInterface] = connection
        self._connections = connections

    async def __aiter__(self) -> AsyncIterator[bytes]:
        pieces = self._response.aiter_stream().__aiter__()

        async def next_piece() -> Optional[bytes]:
            async for piece in pieces:
                return piece
            return None

        with _named(self._deadline):
            while (piece := await _to_its_end(next_piece())) is not None:
                yield piece

    async def aclose(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await _to_its_end(self._give_back(connection))

    async def _give_back(self, connection: httpcore.AsyncConnectionInterface) -> None:
        try:
            await self._response.aclose()
        except BaseException:
            await self._connections.drop(connection)
            raise
        await self._connections.give_back(connection)


class Transport(httpx.BaseTransport):
    """Sends requests that have a `Deadline` as their extension. Proxies and trusted certificates are those of the environment."""

    def __init__(self, url: str) -> None:
        kind, options = _options(url)
        pools = {"direct": httpcore.ConnectionPool, "http": httpcore.HTTPProxy, "socks": httpcore.SOCKSProxy}
        self._connections = Connections(pools[kind](**options, network_backend=_Backend()))

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        deadline: Deadline = request.extensions[DEADLINE]
        sent = _sent(request, deadline)
        connection = self._connections.take(sent.url.origin, deadline)
        was_kept = connection.is_idle()
        try:
            return self._ask(sent, deadline, connection)
        except httpx.TransportError:
            if not (was_kept and deadline.is_silent):
                raise
        # The server closed a connection that was kept, as the request came. A render may be repeated.
        return self._ask(sent, deadline, self._connections.take(sent.url.origin, deadline, prefers_new=True))

    def _ask(self, sent: httpcore.Request, deadline: Deadline, connection: httpcore.ConnectionInterface) -> httpx.Response:
        try:
            with _named(deadline):
                response = connection.handle_request(sent)
            return _answered(response, _Bytes(response, deadline, connection, self._connections), deadline)
        except BaseException:
            self._connections.drop(connection)
            raise

    def close(self) -> None:
        self._connections.close()


class AsyncTransport(httpx.AsyncBaseTransport):
    """The same, for programs that do not wait."""

    def __init__(self, url: str) -> None:
        kind, options = _options(url)
        pools = {"direct": httpcore.AsyncConnectionPool, "http": httpcore.AsyncHTTPProxy, "socks": httpcore.AsyncSOCKSProxy}
        self._new: Callable[[], AsyncConnections] = lambda: AsyncConnections(pools[kind](**options, network_backend=_AsyncBackend()))
        self._connections = self._new()
        self._process = os.getpid()
        # What a fork has copied. To close them would take them from the parent's loop.
        self._parents: Optional[AsyncConnections] = None

    def _own(self) -> AsyncConnections:
        if self._process != os.getpid():
            self._parents, self._connections, self._process = self._connections, self._new(), os.getpid()
        return self._connections

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        deadline: Deadline = request.extensions[DEADLINE]
        sent, connections = _sent(request, deadline), self._own()
        connection = await connections.take(sent.url.origin, deadline)
        return await _to_its_end(self._ask(sent, deadline, connection, connections), lambda response: response.aclose())

    async def _ask(
        self, sent: httpcore.Request, deadline: Deadline, connection: httpcore.AsyncConnectionInterface, connections: AsyncConnections,
    ) -> httpx.Response:
        was_kept = connection.is_idle()
        try:
            return await self._ask_once(sent, deadline, connection, connections)
        except httpx.TransportError:
            if not (was_kept and deadline.is_silent):
                raise
        # As above.
        connection = await connections.take(sent.url.origin, deadline, prefers_new=True)
        return await self._ask_once(sent, deadline, connection, connections)

    async def _ask_once(
        self, sent: httpcore.Request, deadline: Deadline, connection: httpcore.AsyncConnectionInterface, connections: AsyncConnections,
    ) -> httpx.Response:
        try:
            with _named(deadline):
                response = await connection.handle_async_request(sent)
            return _answered(response, _AsyncBytes(response, deadline, connection, connections), deadline)
        except BaseException:
            await connections.drop(connection)
            raise

    async def aclose(self) -> None:
        await self._own().close()
