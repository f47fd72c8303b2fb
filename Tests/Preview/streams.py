#!/usr/bin/env python3
"""Checks that open pages cost nothing that stays: 50 event streams through 100 reloads.

Opens the streams on plain sockets, changes a file 100 times, and reads what arrives. Every stream must get every state of
the files that lasted: the edition that the page of kinds names. Afterwards connections, descriptors and requests in flight
are as before, and memory has not grown with the reloads. Bounded in time; stops what it starts.
"""

import argparse
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from ending import end  # noqa: E402
from server import preview, until  # noqa: E402

PAGES = 50
RELOADS = 100
# What the allocator keeps. One edition of the templates has 0.3 MB, so 100 that stay would be far more.
GROWTH_BYTES = 12 << 20


def opened(port):
    connection = socket.create_connection(("127.0.0.1", port), timeout=10)
    connection.sendall(b"GET /preview/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
    if not connection.recv(1 << 16).startswith(b"HTTP/1.1 200"):
        raise SystemExit("a stream was refused")
    connection.setblocking(False)
    return connection


def received(connection):
    """What has arrived since the last call."""
    text = b""
    try:
        while piece := connection.recv(1 << 20):
            text += piece
    except BlockingIOError:
        pass
    return text


def descriptors(server):
    # The connection of the last question is closed by now.
    time.sleep(0.05)
    return len(list(pathlib.Path(f"/proc/{server.process.pid}/fd").iterdir()))


def reload(server, nib, number):
    """Changes the nib, and waits until the server has adopted it."""
    before = server.metric("cellfactory_reloads_total")
    server.write("feed.html", nib.replace("<title>Feed", f"<title>Feed {number}"))
    if not until(lambda: server.metric("cellfactory_reloads_total") > before):
        raise SystemExit("a change was not noticed")


def are_told(server, texts, pages):
    """Whether each page gets the server's current edition within some seconds. Adds what arrives to the texts."""
    def holds():
        shown = re.search(r'data-edition="([0-9a-f]+)"', server.get("/"))[1]
        for place, page in enumerate(pages):
            texts[place] += received(page)
        return all(f'"edition":"{shown}"'.encode() in text for text in texts)

    return until(holds, seconds=5)


def status(url, body):
    asked = urllib.request.Request(url, body, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(asked, timeout=10) as answer:
            return answer.status
    except urllib.error.HTTPError as refusal:
        return refusal.code


def memory_faults(binary, templates):
    """Whether rows that fit when no page is open are refused for now, not for good, while pages hold the memory."""
    pathlib.Path(templates, "list.mustache").write_text("{{#l}}" + "A" * 1024 + "{{/l}}")
    rows = b'{"l":[' + b"1," * 499 + b"1]}"
    server = subprocess.Popen(
        [binary, "serve", "--templates", str(templates), "--preview", "on", "--port", "0", "--workers", "1",
         "--in-flight-limit-bytes", str(1 << 20)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        port = int(re.search(r":(\d+)", server.stdout.readline())[1])

        def answered():
            return status(f"http://127.0.0.1:{port}/cells/list", rows)

        alone = answered()
        pages = [opened(port) for _ in range(14)]
        beside = answered()
        for page in pages:
            page.close()
        until(lambda: answered() == 200)
        after = answered()
    finally:
        end(server, 10)
    if (alone, beside, after) == (200, 503, 200):
        return []
    return [f"rows got {alone}, then {beside} while pages were open, then {after}; not 200, 503, 200"]


def write_pages(templates):
    """Pages whose parent tags are printed inside of each other, as the compiler knows them while it loads."""
    files = {
        "slot": "<div>{{$x}}{{/x}}</div>", "frame": "<main>{{$b}}{{/b}}</main>",
        "sheet": "{{<frame}}{{$b}}{{<slot}}{{$x}}{{$b}}{{/b}}{{/x}}{{/slot}}{{/b}}{{/frame}}"}
    for number in range(100):
        files[f"sheet{number}"] = "{{<sheet}}{{$b}}{{<slot}}{{$x}}<h1>x</h1>{{/x}}{{/slot}}{{/b}}{{/sheet}}"
    for name, text in files.items():
        pathlib.Path(templates, f"{name}.mustache").write_text(text)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--binary", default=str(ROOT / ".build/debug/cellfactory"))
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        templates = pathlib.Path(folder, "templates")
        shutil.copytree(ROOT / "templates", templates)
        templates.with_name("others").mkdir()
        write_pages(templates)
        with preview(options.binary, templates) as server:
            nib = server.read("feed.html")
            reload(server, nib, -1)
            before = (server.metric("cellfactory_connections"), descriptors(server))
            pages = [opened(server.port) for _ in range(PAGES)]
            texts = [b""] * PAGES
            reload(server, nib, 0)
            faults = memory_faults(options.binary, templates.with_name("others"))
            memory = server.resident_bytes()
            for number in range(1, RELOADS + 1):
                reload(server, nib, number)
                if not are_told(server, texts, pages):
                    faults.append(f"pages were not told of reload {number}")
                    break
            grown = server.resident_bytes() - memory
            server.write("feed.html", nib + "<p data-cell=\"broken\">")
            texts = [b""] * PAGES

            def have_failed():
                for place, page in enumerate(pages):
                    texts[place] += received(page)
                return all(b"event: failed" in text for text in texts)

            if not until(have_failed, seconds=5):
                faults.append(f"{sum(b'event: failed' not in text for text in texts)} pages did not get the last event")
            if server.metric("cellfactory_requests_in_flight") != 1:
                faults.append("event streams count as requests in flight")
            for page in pages:
                page.close()
            begin = time.monotonic()
            def held():
                return server.metric("cellfactory_connections"), descriptors(server)

            # A connection of the request before may have been open still when the first were counted.
            until(lambda: all(now <= then for now, then in zip(held(), before)), seconds=30)
            after = held()
            if any(now > then for now, then in zip(after, before)):
                faults.append(f"connections and descriptors were {before}, and are {after}")
            if grown > GROWTH_BYTES:
                faults.append(f"memory has grown by {grown >> 20} MiB")
            if faults:
                print("\n".join(f"streams: {fault}" for fault in faults))
                return 1
            print(
                f"streams: {PAGES} pages, {RELOADS} reloads; memory grew by {grown / (1 << 20):.1f} MiB; connections and"
                f" descriptors as before {time.monotonic() - begin:.1f} s after the pages were closed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
