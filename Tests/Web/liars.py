"""Servers that lie, and what the Python client makes of them: no request takes longer than its time, or more memory than it may."""

import asyncio
import concurrent.futures
import contextlib
import datetime
import email.utils
import gzip
import json
import math
import os
import pathlib
import random
import select
import socket
import ssl
import time
import tracemalloc
import zlib

import httpx

from cellfactory import AsyncCellFactory, CellFactory, CellFactoryError, Refused, TooLarge, Unavailable
from cellfactory._protocol import Answer, Decoder, error_of, seconds_of
from liar import CHUNKED, LINES_OF_BOTH, LONGEST, Liar, answer, chunk, dripping, flooding, line, sending, slurping

SECONDS = 0.5
ROWS = [{"title": "a"}, {"title": "b"}]
CERTIFICATE = pathlib.Path(__file__).resolve().parent / "localhost.pem"
WAYS = ("render", "stream", "kinds")


def expect(condition, *words):
    if not condition:
        raise SystemExit("liars: FAILED, " + " ".join(map(str, words)))


def ask(way, url, rows=ROWS, **options):
    """What a client answers or raises, and the seconds it takes. `way` is that of the client that waits, or of the other."""
    wait, way = way.startswith("async "), way.split()[-1]
    begin = time.monotonic()

    async def other():
        async with AsyncCellFactory(url, **options) as factory:
            if way == "stream":
                return [cell async for cell in factory.stream("line", rows)]
            return await (factory.kinds() if way == "kinds" else factory.render("line", rows))

    def waiting():
        with CellFactory(url, **options) as factory:
            if way == "stream":
                return list(factory.stream("line", rows))
            return factory.kinds() if way == "kinds" else factory.render("line", rows)

    try:
        result = asyncio.run(other()) if wait else waiting()
    except Exception as error:
        result = error
    return result, time.monotonic() - begin


def both(*ways):
    return [*ways, *(f"async {way}" for way in ways)]


def ask_all(ways, url, rows=ROWS, **options):
    """(way, what it answers or raises, seconds) of ways at once."""
    with concurrent.futures.ThreadPoolExecutor(len(ways)) as pool:
        return [(way, *answered) for way, answered in zip(ways, pool.map(lambda way: ask(way, url, rows, **options), ways))]


# A start, and what drips after it.
DRIPS = {
    "a status line": (b"HTTP/1.1 200 ", b"O"),
    "a head": (b"HTTP/1.1 200 OK\r\n", b"A: b\r\n"),
    "early hints": (b"", b"HTTP/1.1 103 Early Hints\r\n\r\n"),
    "a chunk extension": (CHUNKED + b"1;", b"a"),
    "the length of a chunk": (CHUNKED, b"0"),
    "white space": (CHUNKED, chunk(b" ")),
    "blank lines": (CHUNKED, chunk(b"\n")),
    "trailers": (CHUNKED + b"0\r\n", b"A: b\r\n"),
    "cells that are complete, and blank lines": (CHUNKED + chunk(LINES_OF_BOTH), chunk(b"\n")),
    "gzip of nothing": (CHUNKED.replace(b"\r\n\r\n", b"\r\nContent-Encoding: gzip\r\n\r\n") + chunk(gzip.compress(b"")[:10]), chunk(b"\0\0\0\xff\xff")),
    "an error": (CHUNKED.replace(b"200 OK", b"500 X"), chunk(b" ")),
    "another answer": (CHUNKED.replace(b"200 OK", b"503 X\r\nRetry-After: 1"), chunk(b" ")),
}


def keep_time():
    """Whatever drips, a request takes its time and no more, and closes its connection."""
    cases = [(name, way, dripping(*drip), {}) for name, drip in DRIPS.items() for way in both(*WAYS)]
    hello = dripping(b"\x16\x03\x03\x40\x00", b"\x02")
    cases += [("a handshake", way, hello, {"scheme": "https"}) for way in both("render")]
    large = [("a request that is hardly read", way, slurping, {"rows": [{"title": "x" * (24 << 20)}]}) for way in both("render", "stream")]

    def run(case):
        name, way, work, options = case
        with Liar(work, reads_head=name not in ("a handshake", "a request that is hardly read")) as server:
            url = server.url.replace("http", options.get("scheme", "http"))
            result, seconds = ask(way, url, options.get("rows", ROWS), timeout=SECONDS, retries=0)
            # Before it connects, a client writes the request, which takes long if it is large: that is not counted as too late.
            connected = min(seconds, time.monotonic() - server.began) if server.began else seconds
            # What is on its way must be read before the end is.
            return name, way, result, seconds, connected, work is slurping or server.closed.wait(1)

    with concurrent.futures.ThreadPoolExecutor(24) as pool:
        # Those that need the processor come one after another, so that none waits for it.
        results = [*pool.map(run, cases), *map(run, large)]
    failures = []
    for name, way, result, seconds, connected, closed in results:
        if not isinstance(result, Unavailable) or not (SECONDS * 0.9 < seconds and connected < SECONDS + 1) or not closed:
            failures.append(f"\n  {way} of {name}: {result!r} after {seconds:.1f} s" + ("" if closed else ", not closed"))
    expect(not failures, "time is not kept:", *failures)


def take_time():
    """A stream may take longer than its time: each cell has as much, and what the caller does is not counted."""
    # All cells take longer than it, and each much less, so that a busy machine may stall.
    seconds_of_each, count = 2, 8

    def slowly(server, connection):
        connection.sendall(CHUNKED)
        for index in range(count):
            time.sleep(1.2 * seconds_of_each / count)
            connection.sendall(chunk(line(index)))
        connection.sendall(b"0\r\n\r\n")
    with Liar(slowly) as server:
        for way, cells, seconds in ask_all(both("stream"), server.url, ROWS * (count // 2), timeout=seconds_of_each):
            expect(isinstance(cells, list) and len(cells) == count and seconds > seconds_of_each, way, cells)
        for way, cells, seconds in ask_all(both("render"), server.url, ROWS * (count // 2), timeout=seconds_of_each):
            expect(isinstance(cells, Unavailable) and seconds < seconds_of_each + 1, way, cells)
    with Liar(sending(answer(LINES_OF_BOTH))) as server:
        with CellFactory(server.url, timeout=SECONDS) as factory:
            for _ in factory.stream("line", ROWS):
                time.sleep(SECONDS * 1.2)


SPACES, LETTERS, LINES = (chunk(text * ((1 << 18) // len(text))) for text in (b" ", b"x", b" " * 63 + b"\n"))
LIMIT = 4 << 20


def bomb():
    """128 MiB, in gzip."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    return b"".join(packer.compress(b" " * (1 << 24)) for _ in range(8)) + packer.flush()


def keep_memory():
    """Whatever is sent without end, a client takes up to its limit, and closes the connection."""
    def status(text):
        return CHUNKED.replace(b"200 OK", text)

    packed = b"Content-Encoding: gzip\r\n"
    bombs = bomb()
    bombed, twice = answer(bombs, packed), answer(gzip.compress(bombs), packed.replace(b"gzip", b"gzip, gzip"))
    cases = [
        ("an error", flooding(status(b"500 X"), SPACES), both(*WAYS), Unavailable, "answered 500"),
        ("a refusal", flooding(status(b"422 X"), LETTERS), both(*WAYS), Refused, "answered 422"),
        ("a redirection", flooding(status(b"302 X\r\nLocation: /"), LETTERS), both(*WAYS), Refused, "answered 302"),
        ("a line", flooding(CHUNKED, LETTERS), both(*WAYS), TooLarge, "answer_limit_bytes"),
        ("white space", flooding(CHUNKED, SPACES), both(*WAYS), TooLarge, "answer_limit_bytes"),
        ("lines", flooding(CHUNKED, LINES), both("render", "kinds"), TooLarge, "answer_limit_bytes"),
        ("blank lines in a stream", flooding(CHUNKED, LINES), both("stream"), Unavailable, "seconds"),
        ("a length", flooding(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % 10**15, b"x" * 4096), both(*WAYS), TooLarge, "bytes"),
        ("a head", flooding(b"HTTP/1.1 200 OK\r\n", b"A: b\r\n" * 4096), both(*WAYS), Unavailable, "reached"),
        ("a bomb", sending(bombed), both(*WAYS), TooLarge, "answer_limit_bytes"),
        ("an error with a bomb", sending(bombed.replace(b"200", b"500")), both(*WAYS), Unavailable, "answered 500"),
        ("a bomb in a bomb", sending(twice), both(*WAYS), Unavailable, "encoding"),
    ]
    tracemalloc.start()
    try:
        for name, work, ways, kind, words in cases:
            for way in ways:
                with Liar(work) as server:
                    tracemalloc.reset_peak()
                    before = tracemalloc.get_traced_memory()[0]
                    result, seconds = ask(way, server.url, timeout=2 if kind != Unavailable else SECONDS, retries=0, answer_limit_bytes=LIMIT)
                    peak = tracemalloc.get_traced_memory()[1] - before
                    expect(isinstance(result, kind) and words in str(result), way, "of", name, repr(result))
                    expect(server.closed.wait(1), way, "of", name, "does not close its connection")
                    expect(seconds < 3 and peak < 5 * LIMIT, way, "of", name, "took", seconds, "s and", peak >> 20, "MiB")
    finally:
        tracemalloc.stop()
    # Up to the limit, all is taken.
    longest = line(0, "x" * (LIMIT - len(line(0, ""))))
    with Liar(sending(answer(longest))) as server:
        for way in both("render", "stream"):
            cells, _ = ask(way, server.url, ROWS[:1], answer_limit_bytes=len(longest))
            expect(not isinstance(cells, Exception) and len(cells) == 1, way, repr(cells))
            expect(isinstance(ask(way, server.url, ROWS[:1], answer_limit_bytes=len(longest) - 2)[0], TooLarge), way)


def read_gzip():
    """Gzip is read as it comes, whatever its pieces are; what is cut or more is refused."""
    noise = random.Random(1)
    for size in (0, 1, 65535, 65536, 65537, 131072, 1_000_000):
        for content in (noise.randbytes(size), b" " * size):
            packed = gzip.compress(content)
            for step in (1 if size < 100_000 else 777, 4096, 1 << 20):
                decoder = Decoder("gzip")
                pieces = [piece for start in range(0, len(packed), step) for piece in decoder.feed(packed[start:start + step])]
                decoder.end()
                expect(b"".join(pieces) == content and max(map(len, pieces)) <= Decoder.STEP_BYTES, "gzip of", size, step)
    whole = gzip.compress(LINES_OF_BOTH)
    head = b"Content-Encoding: gzip\r\n"
    bodies = {whole: None, whole[:-1]: Unavailable, whole[:-9]: Unavailable, whole + b"x": Unavailable, b"": Unavailable, b"x": Unavailable}
    for body, kind in bodies.items():
        with Liar(sending(answer(body, head))) as server:
            for way in both("render", "stream"):
                result, _ = ask(way, server.url)
                expect(isinstance(result, kind) if kind else len(result) == 2, way, body, repr(result))
                expect(b"accept-encoding: gzip\r\n" in server.heads[-1].lower() + b"\r\n", server.heads)


def refuse_lies():
    """Lengths that are wrong, answers that nobody asked for, and other places to go."""
    lies = {
        "too long a length": answer(LINES_OF_BOTH).replace(b": %d" % len(LINES_OF_BOTH), b": %d" % (len(LINES_OF_BOTH) + 1)),
        "too short a length": answer(LINES_OF_BOTH).replace(b": %d" % len(LINES_OF_BOTH), b": %d" % (len(LINES_OF_BOTH) - 3)),
        "two lengths": answer(LINES_OF_BOTH, b"Content-Length: 3\r\n"),
        "a negative length": answer(LINES_OF_BOTH).replace(b"Length: ", b"Length: -"),
        "a chunk too short": CHUNKED + b"%x\r\n" % (len(LINES_OF_BOTH) - 3) + LINES_OF_BOTH + b"\r\n0\r\n\r\n",
        "no end of chunks": CHUNKED + chunk(LINES_OF_BOTH),
        "another protocol": b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n" + LINES_OF_BOTH,
        "no content": b"HTTP/1.1 204 No Content\r\n\r\n" + LINES_OF_BOTH,
    }
    for name, lie in lies.items():
        with Liar(sending(lie)) as server:
            for way, result, _ in ask_all(both("render", "stream"), server.url, timeout=SECONDS):
                expect(isinstance(result, CellFactoryError), way, "of", name, repr(result))

    # Two answers to one request: the second is not taken for that of the next request.
    def twice(server, connection):
        connection.sendall(answer(line(0, "asked")) + answer(line(0, "forged")))
        while True:
            server.read_head(connection)
            connection.sendall(answer(line(0, "asked")))

    async def ask_twice(url):
        async with AsyncCellFactory(url, timeout=SECONDS) as factory:
            return [str(await factory.render("line", ROWS[:1], fallback=lambda *_: ["none"])) for _ in range(3)]

    with Liar(twice) as server:
        with CellFactory(server.url, timeout=SECONDS) as factory:
            found = [str(factory.render("line", ROWS[:1], fallback=lambda *_: ["none"])) for _ in range(3)]
        for cells in (found, asyncio.run(ask_twice(server.url))):
            expect(cells[0] == cells[2] == "asked" and cells[1] != "forged", cells)

    # Cookies, which would come back to the factory with each request.
    def baking(server, connection):
        while True:
            connection.sendall(answer(line(0, "asked"), b"Set-Cookie: a=b\r\n"))
            server.read_head(connection)

    with Liar(baking) as server:
        with CellFactory(server.url, timeout=SECONDS) as factory:
            for _ in range(2):
                factory.render("line", ROWS[:1])
        asyncio.run(ask_twice(server.url))
        expect(len(server.heads) == 5, server.heads)
        expect(not any(b"\r\ncookie:" in head.lower() for head in server.heads), "a cookie is kept:", server.heads)

    with Liar(sending(answer(b"x"))) as away:
        for code in (301, 307):
            head = b"HTTP/1.1 %d X\r\nLocation: %s\r\nContent-Length: 0\r\n\r\n" % (code, away.url.encode())
            with Liar(sending(head)) as server:
                for way in both(*WAYS):
                    result, _ = ask(way, server.url)
                    expect(isinstance(result, Refused) and result.status == code, way, repr(result))
        expect(not away.heads, "a redirection is followed")
    with Liar(sending(b"HTTP/1.1 302 X\r\nLocation: mailto:x\r\nContent-Length: 0\r\n\r\n")) as server:
        for way, result, _ in ask_all(both(*WAYS), server.url):
            expect(isinstance(result, CellFactoryError), way, "is sent to a mailbox:", repr(result))


def forget_odd_etags():
    """Only what a factory may say as an etag is kept and sent back: another would have every later request refused."""
    for etag, is_kept in (("0123456789abcdef", True), ("\ud800", False), ("x" * 1000, False), ("", False)):
        said = json.dumps({"index": 0, "kind": "line", "etag": etag, "html": "x"}).encode()
        bodies = []

        def work(server, connection):
            while True:
                connection.sendall(answer(said))
                bodies.append(server.read_head(connection))

        with Liar(work) as server, CellFactory(server.url, timeout=SECONDS) as factory:
            for _ in range(3):
                factory.render("line", [{"id": 1}])
        expect(len(bodies) == 2 and all((b"etag" in body) == is_kept for body in bodies), repr(etag[:20]), bodies)


def read_deep_errors():
    """What an error has in the place of a text is not written out: Python's stack may end."""
    for depth in (*range(700, 1600), 5000, 20_000, 100_000):
        deep = b"[" * depth + b"]" * depth
        for body in (b'{"detail":%s}' % deep, b'{"title":%s}' % deep, b'{"errors":[{"pointer":%s}]}' % deep):
            for status in (400, 503):
                try:
                    error_of(status, httpx.Headers(), body)
                except RecursionError:
                    expect(False, status, body[:20], depth)


def wait_for_connections():
    """A request that finds all connections in use waits for its time and no longer."""
    def begin(server, connection):
        connection.sendall(CHUNKED + chunk(line(0)))
        connection.recv(1)
    with Liar(begin) as server, CellFactory(server.url, timeout=SECONDS) as factory:
        streams = [factory.stream("line", ROWS) for _ in range(100)]
        for stream in streams:
            next(stream)
        start = time.monotonic()
        try:
            factory.render("line", ROWS)
            expect(False, "there is no bound of connections")
        except Unavailable as error:
            expect("no connection" in str(error) and time.monotonic() - start < SECONDS + 1, error)
        for stream in streams:
            stream.close()
        # They are given back.
        expect(next(factory.stream("line", ROWS)).html == "x")


def give_back_connections():
    """A call that is cancelled gives its connection back, whenever it is cancelled, and however often."""
    feed, due, cancelled = Answer.feed, [], 0

    def cancelling(self, piece):
        while due:
            asyncio.get_running_loop().call_soon(due.pop().cancel)
        return feed(self, piece)

    def work(server, connection):
        while True:
            connection.sendall(answer(line(0)))
            server.read_head(connection)

    async def run(url):
        nonlocal cancelled
        async with AsyncCellFactory(url, timeout=SECONDS) as factory:
            for _ in range(120):
                task = asyncio.ensure_future(factory.render("line", ROWS[:1]))
                due.append(task)
                try:
                    await task
                except asyncio.CancelledError:
                    cancelled += 1
            due.clear()
            for turns in [*range(40)] * 6:
                task = asyncio.ensure_future(factory.render("line", ROWS[:1]))
                for _ in range(turns):
                    await asyncio.sleep(0)
                for _ in range(1 + turns % 3):
                    task.cancel()
                    await asyncio.sleep(0)
                await asyncio.gather(task, return_exceptions=True)
            return await factory.render("line", ROWS[:1])

    Answer.feed = cancelling
    try:
        with Liar(work) as server:
            cells = asyncio.run(run(server.url))
    finally:
        Answer.feed = feed
    expect(cancelled > 100 and len(cells) == 1, cancelled, "are cancelled; then", cells)


def wait_as_told():
    """`Retry-After` has seconds or a date. What a proxy says of a request that came too slowly is no refusal of it."""
    in_a_second = email.utils.format_datetime(datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=1), usegmt=True)
    for told, seconds in (("0", 0.0), ("-5", 0.0), ("inf", math.inf), ("Thu, 01 Jan 2015 00:00:00 GMT", 0.0), ("Thu, 01 Jan 2015 00:00:00 -0000", 0.0),
                          (in_a_second, 1.0), ("soon", None), ("Thu, 99 Jan", None), ("", None),
                          ("Wed, 21 Oct 99999999999999999999 07:28:00 GMT", None), ("Wed, 21 Oct 2015 07:28:00 +99999999999999999999", None)):
        found = seconds_of(httpx.Headers({"Retry-After": told}))
        expect(found == seconds or found is not None and seconds == 1.0 and 0 <= found <= 1, told, found)
    for written in (b"Thu, 01 Jan 2015 00:00:00 GMT", b"0"):
        def once_away(server, connection):
            status = b"503 X\r\nRetry-After: " + written if len(server.heads) < 2 else b"200 OK"
            connection.sendall(answer(line(0), b"Connection: close\r\n").replace(b"200 OK", status, 1))

        for way in both("render"):
            with Liar(once_away) as server:
                result, _ = ask(way, server.url, ROWS[:1], timeout=SECONDS, longest_wait=-1)
                expect(len(server.heads) == 2 and len(result) == 1, way, written, repr(result))
    for code in (408, 425, 429):
        with Liar(sending(answer(b"").replace(b"200 OK", b"%d X" % code))) as server:
            for way in both("render"):
                result, _ = ask(way, server.url, ROWS[:1], timeout=SECONDS, fallback=lambda *_: ["away"])
                expect(str(result) == "away", way, code, repr(result))


@contextlib.contextmanager
def environment(**values):
    """No proxies and certificates but these."""
    before = dict(os.environ)
    for name in list(os.environ):
        if name.lower().endswith("_proxy") or name.startswith("SSL_CERT"):
            del os.environ[name]
    os.environ.update(values)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def connect_in_time():
    """A server that takes no more connections is not waited for."""
    with socket.create_server(("127.0.0.1", 0), backlog=0) as full, contextlib.ExitStack() as stack:
        for _ in range(3):
            waiting = stack.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(full.getsockname())
        for way, result, seconds in ask_all(both("render"), f"http://127.0.0.1:{full.getsockname()[1]}", timeout=SECONDS):
            expect(isinstance(result, Unavailable) and SECONDS * 0.9 < seconds < SECONDS + 1, way, seconds, repr(result))


def use_environment():
    """Proxies of the environment are used, and transports of the caller's."""
    with Liar(sending(answer(LINES_OF_BOTH))) as server:
        with environment(http_proxy=server.url.replace("//", "//me:secret@")):
            for way in both("render"):
                cells, _ = ask(way, "http://factory.invalid:81/here/")
                expect(len(cells) == 2 and server.heads[-1].startswith(b"POST http://factory.invalid:81/here/cells?"), server.heads)
                expect(b"proxy-authorization: basic bwu6c2vjcmv0" in server.heads[-1].lower(), server.heads[-1])
            os.environ["no_proxy"] = "factory.invalid"
            for way in both("render"):
                expect(isinstance(ask(way, "http://factory.invalid:81")[0], Unavailable), "no_proxy is not looked at")
        packed = httpx.Response(200, headers={"Content-Encoding": "gzip"}, content=gzip.compress(LINES_OF_BOTH))
        transports = [
            ("render", httpx.HTTPTransport()), ("async render", httpx.AsyncHTTPTransport()),
            *((way, httpx.MockTransport(lambda request: httpx.Response(200, content=LINES_OF_BOTH))) for way in both(*WAYS[:2])),
            ("render", httpx.MockTransport(lambda request: packed))]
        for way, transport in transports:
            cells, _ = ask(way, server.url, transport=transport)
            expect(not isinstance(cells, Exception) and len(cells) == 2, way, repr(cells))
    # Whatever the transport, the time is looked at with each piece of the body.
    for name in ("white space", "gzip of nothing"):
        with Liar(dripping(*DRIPS[name])) as server:
            for way, transport in (("render", httpx.HTTPTransport()), ("async kinds", httpx.AsyncHTTPTransport())):
                result, seconds = ask(way, server.url, timeout=SECONDS, transport=transport)
                expect(isinstance(result, Unavailable) and SECONDS * 0.9 < seconds < SECONDS + 1, way, "of", name, seconds, repr(result))


def use_tls():
    """Certificates are judged, by those of the environment, too; and time is kept within TLS, and within that of a proxy."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)

    def secured(work):
        def secure(server, connection):
            with context.wrap_socket(connection, server_side=True) as inner:
                server.read_head(inner)
                work(server, inner)
        return secure

    def tunnel(server, connection):
        """What a proxy does that is asked to connect."""
        with socket.create_connection(("127.0.0.1", int(server.heads[-1].split()[1].rpartition(b":")[2]))) as other:
            connection.sendall(b"HTTP/1.1 200 Connected\r\n\r\n")
            # In one thread: two must not read and write one connection of TLS at once.
            pending = getattr(connection, "pending", int)
            with contextlib.suppress(OSError):
                while ready := [connection] if pending() else select.select([connection, other], [], [], LONGEST)[0]:
                    for source in ready:
                        received = source.recv(65536)
                        if not received:
                            return
                        (other if source is connection else connection).sendall(received)

    def hello(server, connection):
        connection.sendall(b"HTTP/1.1 200 Connected\r\n\r\n")
        connection.recv(1)
        dripping(b"\x16\x03\x03\x40\x00", b"\x02")(server, connection)

    with contextlib.ExitStack() as stack:
        server, slow = (
            stack.enter_context(Liar(secured(work), reads_head=False)).url.replace("http://127.0.0.1", "https://localhost")
            for work in (sending(answer(LINES_OF_BOTH)), dripping(CHUNKED + b"1;", b"a")))
        through, mute = stack.enter_context(Liar(tunnel)), stack.enter_context(Liar(hello))
        inner_through, inner_mute = (stack.enter_context(Liar(secured(work), reads_head=False)) for work in (tunnel, hello))
        with environment():
            for way in both("render"):
                result, _ = ask(way, server)
                expect(isinstance(result, Unavailable) and "certificate" in str(result), way, repr(result))
        for proxy, dead in ((None, None), (through, mute), (inner_through, inner_mute)):
            secure = "https://localhost" if proxy is inner_through else "http://127.0.0.1"
            with environment(SSL_CERT_FILE=str(CERTIFICATE), **({"https_proxy": f"{secure}:{proxy.port}"} if proxy else {})):
                for way in both("render"):
                    cells, _ = ask(way, server)
                    expect(not isinstance(cells, Exception) and len(cells) == 2, way, proxy, repr(cells))
                    if proxy:
                        expect(proxy.heads[-1].startswith(b"CONNECT localhost:"), proxy.heads)
                for way, cells, seconds in ask_all(both("render"), slow, timeout=SECONDS):
                    expect(isinstance(cells, Unavailable) and SECONDS * 0.9 < seconds < SECONDS + 1, way, proxy, seconds, repr(cells))
            if dead:
                with environment(SSL_CERT_FILE=str(CERTIFICATE), https_proxy=f"{secure}:{dead.port}"):
                    for way, cells, seconds in ask_all(both("render"), server, timeout=SECONDS):
                        expect(isinstance(cells, Unavailable) and SECONDS * 0.9 < seconds < SECONDS + 1, way, dead, seconds, repr(cells))


def run():
    for part in (read_gzip, keep_time, take_time, keep_memory, refuse_lies, forget_odd_etags, read_deep_errors, wait_for_connections, give_back_connections, wait_as_told, connect_in_time, use_environment, use_tls):
        part()
