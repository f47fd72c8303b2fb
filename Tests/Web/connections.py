"""How the Python client uses its connections: many calls at once, and servers that close what was kept."""

import asyncio
import cProfile

from cellfactory import AsyncCellFactory, CellFactory, Unavailable
from liar import CHUNKED, Liar, answer, chunk, line, sending

SECONDS = 2
# As many connections as a client has.
CONNECTIONS = 100
ROWS = [{"title": "a"}]


def expect(condition, *words):
    if not condition:
        raise SystemExit("connections: FAILED, " + " ".join(map(str, words)))


def wait_in_line(url):
    """A call of asyncio costs the same however many wait for a connection."""
    def calls(count):
        async def run():
            async with AsyncCellFactory(url, timeout=60) as factory:
                await asyncio.gather(*(factory.render("line", ROWS) for _ in range(count)))

        profile = cProfile.Profile()
        profile.runcall(asyncio.run, run())
        return sum(function.callcount for function in profile.getstats())
    few, many = calls(CONNECTIONS), calls(4 * CONNECTIONS)
    expect(many < 5 * few, f"{many:,} functions are called for 400 calls at once, and {few:,} for 100")


def leave_the_line():
    """A call of asyncio waits for a connection as long as its time and no longer. One that is cancelled meanwhile is never sent."""
    def begin(server, connection):
        connection.sendall(CHUNKED + chunk(line(0)))
        connection.recv(1)

    async def run(server):
        async with AsyncCellFactory(server.url, timeout=SECONDS) as factory:
            streams = [factory.stream("line", ROWS * 2) for _ in range(CONNECTIONS)]
            for stream in streams:
                await stream.__anext__()
            for turns in range(10):
                cancelled = asyncio.ensure_future(factory.render("line", ROWS))
                for _ in range(turns):
                    await asyncio.sleep(0)
                cancelled.cancel()
            late = await asyncio.gather(*(factory.render("line", ROWS) for _ in range(3)), return_exceptions=True)
            expect(all(isinstance(error, Unavailable) and "no connection" in str(error) for error in late), late)
            expect(len(server.heads) == CONNECTIONS, len(server.heads), "are sent")
            # All that were in use are free again, those also whose call was cancelled as it had its turn.
            waiting = [asyncio.ensure_future(factory.stream("line", ROWS * 2).__anext__()) for _ in range(4)]
            await asyncio.sleep(0)
            await asyncio.gather(*(stream.aclose() for stream in streams[:2]))
            waiting[0].cancel()
            await asyncio.gather(*(stream.aclose() for stream in streams[2:]))
            cells = await asyncio.gather(*waiting, return_exceptions=True)
            expect([getattr(cell, "html", None) for cell in cells[1:]] == ["x"] * 3, cells)
            again = [factory.stream("line", ROWS * 2) for _ in range(CONNECTIONS - 4)]
            for stream in again:
                expect((await stream.__anext__()).html == "x")
                await stream.aclose()

    with Liar(begin) as server:
        asyncio.run(run(server))


def ask_each(way, url, count):
    """What each of some calls of one client answers or raises."""
    async def other():
        async with AsyncCellFactory(url, timeout=SECONDS) as factory:
            return [(await asyncio.gather(factory.render("line", ROWS), return_exceptions=True))[0] for _ in range(count)]

    def waiting(factory):
        try:
            return factory.render("line", ROWS)
        except Unavailable as error:
            return error

    if way == "async":
        return asyncio.run(other())
    with CellFactory(url, timeout=SECONDS) as factory:
        return [waiting(factory) for _ in range(count)]


def ask_again():
    """A request that meets the end of a connection which was kept is sent once more, if no byte of an answer came."""
    def ending(said):
        """Answers the first request of each connection. Says something of the second, and closes."""
        def work(server, connection):
            connection.sendall(answer(line(0)))
            server.read_head(connection)
            connection.sendall(said)
        return work

    def leaving(server, connection):
        """Answers the first request of all, and no other."""
        if len(server.heads) == 1:
            ending(b"")(server, connection)

    for way in ("waiting", "async"):
        for said in (b"", b"x", b"HTTP/1.1 2", b"HTTP/1.1 100 Continue\r\n\r\n"):
            with Liar(ending(said)) as server:
                results = ask_each(way, server.url, 5)
                # Each second one finds a connection that was kept.
                expect([isinstance(result, Unavailable) for result in results] == [False, bool(said)] * 2 + [False], way, said, results)
        with Liar(sending(answer(line(0)))) as server:
            results = ask_each(way, server.url, 100)
            expect(not any(isinstance(result, Exception) for result in results), way, results)
        with Liar(leaving) as server:
            results = ask_each(way, server.url, 3)
            # The second is sent twice. A new connection that ends so is no reason to try again.
            expect([isinstance(result, Unavailable) for result in results] == [False, True, True] and len(server.heads) == 4, way, results, server.heads)


def run(url):
    wait_in_line(url)
    leave_the_line()
    ask_again()
