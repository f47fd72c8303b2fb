"""How the Python client uses its connections: many calls at once."""

import asyncio
import cProfile

from cellfactory import AsyncCellFactory, Unavailable
from liar import CHUNKED, Liar, chunk, line

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


def run(url):
    wait_in_line(url)
    leave_the_line()
