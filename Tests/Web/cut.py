#!/usr/bin/env python3
"""Calls of the Python client that an exception cuts anywhere, as the handler of a signal may, and processes that fork: cut.py URL

Run by client.py in a process of its own, since a fork wants one without threads, and what goes wrong may hang.
"""

import asyncio
import contextlib
import os
import pathlib
import random
import signal
import sys
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "clients/python/src"))

import httpcore  # noqa: E402

import cellfactory  # noqa: E402
from cellfactory import AsyncCellFactory, CellFactory  # noqa: E402

TRACED = tuple(str(pathlib.Path(module.__file__).parent) for module in (httpcore, cellfactory))


class Cut(Exception):
    """What a handler raises."""


def expect(condition, *words):
    if not condition:
        raise SystemExit("cut: FAILED, " + " ".join(map(str, words)))


def show(factory, title, **members):
    """Whether the cell of a row has its title."""
    return f">{title}<" in factory.render("line", [{"title": title, **members}])[0].html


@contextlib.contextmanager
def cutting(place):
    """Raises before the line of the client or of httpcore that is run as the `place`th."""
    count = 0

    def trace(frame, event, _):
        nonlocal count
        if not frame.f_code.co_filename.startswith(TRACED):
            return None
        if event == "line":
            if count == place:
                raise Cut
            count += 1
        return trace
    sys.settrace(trace)
    try:
        yield
    finally:
        sys.settrace(None)


def cut_at_each_line(url):
    """Wherever a call is cut, also while it opens a connection or gives it back, its connection is free, and the next call is right."""
    for is_new in (True, False):
        place = cut = 0
        while cut == place:
            with CellFactory(url, timeout=5) as factory:
                if not is_new:
                    expect(show(factory, "first"), "no cell")
                try:
                    with cutting(place):
                        show(factory, f"cut {place}")
                except Cut:
                    cut += 1
                expect(factory._client._transport._connections._count() <= 1, "a connection is lost, cut at", place)
                expect(show(factory, f"after {place}"), "another cell, cut at", place)
            place += 1
        expect(cut > 300, "only", cut, "places")


def cut_by_signals(url):
    """The same by a real signal, at any time, with one client: no connection is lost, and no call takes longer than its time."""
    def ring(*_):
        raise Cut
    before = signal.signal(signal.SIGALRM, ring)
    source = random.Random(1)
    count = cut = 0
    with CellFactory(url, timeout=5) as factory:
        for count in range(1000):
            try:
                try:
                    signal.setitimer(signal.ITIMER_REAL, source.uniform(0.0001, 0.003))
                    expect(show(factory, f"signal {count}", id="a"), "another cell")
                finally:
                    signal.setitimer(signal.ITIMER_REAL, 0)
            except Cut:
                cut += 1
        signal.signal(signal.SIGALRM, before)
        expect(cut > 100, "only", cut, "are cut")
        expect(factory._client._transport._connections._count() < 10, "connections are lost")
        expect(show(factory, "last"), "another cell")


def in_child(work):
    """Forks. What the work says in the child, and in the parent at the same time."""
    receiving, sending = os.pipe()
    at = time.monotonic() + 0.01
    child = os.fork()
    while time.monotonic() < at:
        pass
    if not child:
        signal.alarm(10)
        try:
            os.write(sending, str(work("child")).encode())
        finally:
            os._exit(0)
    os.close(sending)
    own = work("parent")
    with open(receiving) as pipe:
        said = pipe.read()
    os.waitpid(child, 0)
    return said, str(own)


def fork(url):
    """A client that was used before a fork shows each process its own cells."""
    for _ in range(40):
        with CellFactory(url, timeout=5) as factory:
            expect(show(factory, "first"), "no cell")
            said = in_child(lambda who: show(factory, f"of the {who}"))
            expect(said == ("True", "True"), "child and parent:", said)
            expect(show(factory, "last"), "the parent has no connection")


def fork_async(url):
    """So does that of asyncio. The child has a loop of its own."""
    def shows(loop, factory, title):
        return f">{title}<" in loop.run_until_complete(factory.render("line", [{"title": title}]))[0].html
    for _ in range(20):
        loop, factory = asyncio.new_event_loop(), AsyncCellFactory(url, timeout=5)
        expect(shows(loop, factory, "first"), "no cell")
        said = in_child(lambda who: shows(asyncio.new_event_loop() if who == "child" else loop, factory, f"of the {who}"))
        expect(said == ("True", "True"), "child and parent, asyncio:", said)
        expect(shows(loop, factory, "last"), "the parent has no connection")
        loop.run_until_complete(factory.aclose())
        loop.close()


def close_in_child(_):
    """A child that closes the client which it has from its parent leaves the parent's call alone."""
    async def answer(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        await asyncio.sleep(0.3)
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n" + b'{"kinds":[]}')
        await writer.drain()
        writer.close()

    async def main():
        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        factory = AsyncCellFactory(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", timeout=5)
        call = asyncio.ensure_future(factory.kinds())
        await asyncio.sleep(0.1)
        child = os.fork()
        if not child:
            status = 1
            try:
                asyncio.new_event_loop().run_until_complete(factory.aclose())
                status = 0
            finally:
                os._exit(status)
        expect(await call == [], "another answer")
        expect(os.waitpid(child, 0)[1] == 0, "the child could not close the client")
        await factory.aclose()
        server.close()
    asyncio.run(main())


def fork_while_locked(url):
    """A lock that another thread held at the fork is not there in the child."""
    with CellFactory(url, timeout=5) as factory:
        expect(show(factory, "first", id="a"), "no cell")
        held, done = threading.Event(), threading.Event()

        def hold():
            with factory._kept._lock:
                held.set()
                done.wait(10)
        thread = threading.Thread(target=hold)
        thread.start()
        held.wait()

        def work(who):
            if who == "parent":
                time.sleep(0.2)
                done.set()
            return show(factory, who, id="a")
        said = in_child(work)
        thread.join()
        expect(said == ("True", "True"), "child and parent, locked:", said)


if __name__ == "__main__":
    for part in (fork, fork_async, close_in_child, fork_while_locked, cut_at_each_line, cut_by_signals):
        part(sys.argv[1])
