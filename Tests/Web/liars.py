"""Servers that lie, and what the Python client makes of them: no request takes longer than its time, or more memory than it may."""

import asyncio
import concurrent.futures
import contextlib
import gzip
import json
import os
import random
import socket
import threading
import time
import tracemalloc
import zlib

import httpx

from cellfactory import AsyncCellFactory, CellFactory, CellFactoryError, Refused, TooLarge, Unavailable
from cellfactory._protocol import Decoder

SECONDS = 0.5
# Servers stop after it, so that a client that waits for them fails instead of hanging.
LONGEST = 5
ROWS = [{"title": "a"}, {"title": "b"}]
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
WAYS = ("render", "stream", "kinds")


def expect(condition, *words):
    if not condition:
        raise SystemExit("liars: FAILED, " + " ".join(map(str, words)))


class Liar:
    """A server that does `work` with each connection once it has the head of a request, and notes when and what it was asked."""

    def __init__(self, work, reads_head=True):
        self.work, self.reads_head = work, reads_head
        self.heads, self.closed_at, self.sent_bytes = [], None, 0
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.port = self.listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=self.serve, args=(self.listener.accept()[0],), daemon=True).start()

    def serve(self, connection):
        with connection, contextlib.suppress(OSError):
            connection.settimeout(LONGEST)
            if self.reads_head:
                self.read_head(connection)
            self.work(self, connection)
        self.closed_at = time.monotonic()

    def read_head(self, connection):
        received = b""
        while b"\r\n\r\n" not in received:
            piece = connection.recv(65536)
            if not piece:
                raise OSError("closed")
            received += piece
        head, _, body = received.partition(b"\r\n\r\n")
        self.heads.append(head)
        length = next((int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")), 0)
        while len(body) < length:
            body += connection.recv(65536)

    def send(self, connection, data):
        connection.sendall(data)
        self.sent_bytes += len(data)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.close()


def dripping(start, *drops):
    """Sends a start, and then a drop now and then."""
    def work(server, connection):
        server.send(connection, start)
        end = time.monotonic() + LONGEST
        while time.monotonic() < end:
            for drop in drops:
                time.sleep(0.05)
                server.send(connection, drop)
    return work


def sending(data):
    return lambda server, connection: server.send(connection, data)


def flooding(start, piece):
    def work(server, connection):
        server.send(connection, start)
        end = time.monotonic() + LONGEST
        while time.monotonic() < end:
            server.send(connection, piece)
    return work


def slurping(server, connection):
    """Reads some of the request now and then."""
    end = time.monotonic() + LONGEST
    while time.monotonic() < end and connection.recv(65536):
        time.sleep(0.01)


def line(index, html="x"):
    return json.dumps({"index": index, "html": html}).encode() + b"\n"


def chunk(data):
    return b"%x\r\n%s\r\n" % (len(data), data)


def answer(body, head=b""):
    return b"HTTP/1.1 200 OK\r\n%sContent-Length: %d\r\n\r\n%s" % (head, len(body), body)


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
    "cells that are complete, and blank lines": (CHUNKED + chunk(line(0) + line(1)), chunk(b"\n")),
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
            deadline = time.monotonic() + 1
            while server.closed_at is None and time.monotonic() < deadline:
                time.sleep(0.01)
            # What is on its way must be read before the end is.
            return name, way, result, seconds, server.closed_at is not None or work is slurping

    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        # Those that need the processor are apart, so that none waits for it.
        results = [*pool.map(run, cases), *pool.map(run, large)]
    failures = []
    for name, way, result, seconds, closed in results:
        if not isinstance(result, Unavailable) or not SECONDS * 0.9 < seconds < SECONDS + 1 or not closed:
            failures.append(f"\n  {way} of {name}: {result!r} after {seconds:.1f} s" + ("" if closed else ", not closed"))
    expect(not failures, "time is not kept:", *failures)


def take_time():
    """A stream may take longer than its time: each cell has as much, and what the caller does is not counted."""
    def slowly(server, connection):
        server.send(connection, CHUNKED)
        for index in range(4):
            time.sleep(SECONDS * 0.6)
            server.send(connection, chunk(line(index)))
        server.send(connection, b"0\r\n\r\n")
    with Liar(slowly) as server:
        for way in both("stream"):
            cells, seconds = ask(way, server.url, ROWS * 2, timeout=SECONDS)
            expect(isinstance(cells, list) and len(cells) == 4 and seconds > 2 * SECONDS, way, cells)
        for way in both("render"):
            expect(isinstance(ask(way, server.url, ROWS * 2, timeout=SECONDS)[0], Unavailable), way)
    with Liar(sending(answer(line(0) + line(1)))) as server:
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
    whole = gzip.compress(line(0) + line(1))
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
    rest = line(0) + line(1)
    lies = {
        "too long a length": answer(rest).replace(b": %d" % len(rest), b": %d" % (len(rest) + 1)),
        "too short a length": answer(rest).replace(b": %d" % len(rest), b": %d" % (len(rest) - 3)),
        "two lengths": answer(rest, b"Content-Length: 3\r\n"),
        "a negative length": answer(rest).replace(b"Length: ", b"Length: -"),
        "a chunk too short": CHUNKED + b"%x\r\n" % (len(rest) - 3) + rest + b"\r\n0\r\n\r\n",
        "no end of chunks": CHUNKED + chunk(rest),
        "another protocol": b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n" + rest,
        "no content": b"HTTP/1.1 204 No Content\r\n\r\n" + rest,
    }
    for name, lie in lies.items():
        with Liar(sending(lie)) as server:
            for way in both("render", "stream"):
                result, _ = ask(way, server.url, timeout=SECONDS)
                expect(isinstance(result, CellFactoryError), way, "of", name, repr(result))

    # Two answers to one request: the second is not taken for that of the next request.
    def twice(server, connection):
        server.send(connection, answer(line(0, "asked")) + answer(line(0, "forged")))
        while True:
            server.read_head(connection)
            server.send(connection, answer(line(0, "asked")))

    async def ask_twice(url):
        async with AsyncCellFactory(url, timeout=SECONDS) as factory:
            return [str(await factory.render("line", ROWS[:1], fallback=lambda *_: ["none"])) for _ in range(3)]

    with Liar(twice) as server:
        with CellFactory(server.url, timeout=SECONDS) as factory:
            found = [str(factory.render("line", ROWS[:1], fallback=lambda *_: ["none"])) for _ in range(3)]
        for cells in (found, asyncio.run(ask_twice(server.url))):
            expect(cells[0] == cells[2] == "asked" and cells[1] != "forged", cells)

    with Liar(sending(answer(b"x"))) as away:
        for code in (301, 307):
            head = b"HTTP/1.1 %d X\r\nLocation: %s\r\nContent-Length: 0\r\n\r\n" % (code, away.url.encode())
            with Liar(sending(head)) as server:
                for way in both(*WAYS):
                    result, _ = ask(way, server.url)
                    expect(isinstance(result, Refused) and result.status == code, way, repr(result))
        expect(not away.heads, "a redirection is followed")


def wait_for_connections():
    """A request that finds all connections in use waits for its time and no longer."""
    def begin(server, connection):
        server.send(connection, CHUNKED + chunk(line(0)))
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


def use_environment():
    """Proxies of the environment are used, and transports of the caller's."""
    both_lines = line(0) + line(1)
    with Liar(sending(answer(both_lines))) as server:
        before = dict(os.environ)
        for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY", "all_proxy", "NO_PROXY", "no_proxy"):
            os.environ.pop(name, None)
        try:
            os.environ["http_proxy"] = server.url.replace("//", "//me:secret@")
            for way in both("render"):
                cells, _ = ask(way, "http://factory.invalid:81/here/")
                expect(len(cells) == 2 and server.heads[-1].startswith(b"POST http://factory.invalid:81/here/cells?"), server.heads)
                expect(b"proxy-authorization: basic bwu6c2vjcmv0" in server.heads[-1].lower(), server.heads[-1])
            os.environ["no_proxy"] = "factory.invalid"
            for way in both("render"):
                expect(isinstance(ask(way, "http://factory.invalid:81")[0], Unavailable), "no_proxy is not looked at")
        finally:
            os.environ.clear()
            os.environ.update(before)
        for transport in (httpx.HTTPTransport(), httpx.MockTransport(lambda request: httpx.Response(200, content=both_lines)), httpx.MockTransport(
                lambda request: httpx.Response(200, headers={"Content-Encoding": "gzip"}, content=gzip.compress(both_lines)))):
            cells, _ = ask("render", server.url, transport=transport)
            expect(len(cells) == 2, repr(cells))
        cells, _ = ask("async render", server.url, transport=httpx.MockTransport(lambda request: httpx.Response(200, content=both_lines)))
        expect(len(cells) == 2, repr(cells))


def run():
    for part in (read_gzip, keep_time, take_time, keep_memory, refuse_lies, wait_for_connections, use_environment):
        part()
