#!/usr/bin/env python3
"""Counts allocations in steady state: none for a row, and a small fixed number for a request.

  python3 Tests/Allocations/allocations.py --binary CELLFACTORY [--release [--stages CELLS-BENCHMARK]]

A library loaded into the server counts each malloc, calloc, realloc and the like, with those of libmicrohttpd separately.
It also replaces the clock: either by one that almost stands still, so that no answer is made in slices and nothing
periodic happens, or by one that ends a slice at each look. On one connection, requests of 10 and of 1,000 rows must
allocate the same, each time they are counted, and with --release, when the code is optimized, no more than LIMITS. In a
debug build, work done once for some dozens of rows may allocate, but a row may not. Allocations for a slice are counted
separately. With --stages, rendering is also counted without a server. Needs a C compiler and glibc.
"""

import argparse
import contextlib
import http.client
import json
import mmap
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "Tests"))

from ending import end  # noqa: E402

FEW, MANY = 10, 1000
REQUESTS = 20
# Each of them must hold: what is done in one of them alone is done for somebody's request, too.
WINDOWS = 3
# The clock's step in nanoseconds: it all but stands still; and each look at it ends a slice.
STANDING, SLICING = 100, 4_000_000
# A request's own allocations in a release, by the request's name below: what is less is as well. Those of libmicrohttpd
# are of its version, and are told only.
LIMITS = {"html": 0, "missing": 1, "json": 2, "ndjson": 2, "batch": 1, "field": 10, "livez": 1}
# What `--stages` allocates at least before it renders. A program with fewer has done nothing, or its allocations were not counted.
STARTING = 5000
# For one slice more: less than one, for an output that doubles now and then; and for being made in slices at all.
SLICE_LIMIT, SLICED_LIMIT = 0.5, 40
# In a debug build each look at the clock may allocate, which comes once for so many rows (`Slice`).
ROWS_A_LOOK = 64
LOOK_LIMIT = 10

# What 1,000 rows need is kept from one request to the next, if they are small (see `keptBytes` in the sources). A whole
# row lacks nothing that its cell reads; a small one costs a header that says what it lacks.
NEWS = {"title": "a", "url": "/a", "summary": "b", "image": {"src": "/i", "alt": "i"}, "author": {"name": "A", "url": "/a"},
        "published": {"iso": "2025-11-21", "label": "L"}, "tags": ["t"]}
ORDER = {"id": 1, "date": "2025-11-21", "customer": "A", "country": "DE", "item": "B", "quantity": 1, "amount": 2,
         "status": "paid"}
POSTS = [  # name, path, whole row, small row
    ("html", "/cells/news", NEWS, {"title": "a"}),
    ("html", "/cells/table-row", ORDER, {"id": 1}),
    ("html", "/cells/notification", {"text": "&"}, {"text": "&"}),
    ("missing", "/cells/news", {"title": "a"}, {"title": "a"}),
    ("json", "/cells/news?format=json", NEWS, {"title": "a"}),
    ("ndjson", "/cells/table-row?format=ndjson", ORDER, {}),
    ("batch", "/cells", {"id": 1, "data": NEWS}, {"id": 1}),
]
GETS = [("field", "/cells/notification?text=Hi"), ("livez", "/livez")]


def built_library(folder):
    library = pathlib.Path(folder, "count.so")
    compiler = shutil.which("clang") or "cc"
    subprocess.run(
        [compiler, "-O2", "-Wall", "-Wextra", "-fPIC", "-shared", "-o", library, HERE / "count.c"], check=True)
    return library


class Counter:
    """The allocation counts of one process."""

    def __init__(self, folder, library):
        path = pathlib.Path(folder, "counts")
        path.write_bytes(bytes(24))
        self.environment = dict(
            os.environ, LD_PRELOAD=str(library), ALLOCATION_COUNTS=str(path), SWIFT_DETERMINISTIC_HASHING="1")
        with open(path, "r+b") as file:
            self.memory = mmap.mmap(file.fileno(), 24)

    def set_clock(self, step):
        self.memory[16:] = struct.pack("Q", step)

    def now(self):
        """Returns our count and libmicrohttpd's."""
        return struct.unpack("QQ", self.memory[:16])

    def settled(self):
        """Waits until the counts stop changing: a request ends after its answer is sent."""
        before = None
        while (counts := self.now()) != before:
            before = counts
            time.sleep(0.03)
        return counts


@contextlib.contextmanager
def serving(folder, library, binary):
    counter = Counter(folder, library)
    server = subprocess.Popen(
        # A clock that jumps lets requests wait for long, and brings deadlines near.
        [binary, "serve", "--templates", ROOT / "templates", "--workers", "1", "--port", "0", "--queue-seconds", "0",
         *(word for name in ("idle", "head", "body", "write") for word in (f"--{name}-seconds", "3600"))],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=counter.environment)
    try:
        url = urllib.parse.urlsplit(server.stdout.readline().removeprefix("listening on ").strip())
        connection = http.client.HTTPConnection(url.hostname, url.port, timeout=60)
        counter.set_clock(STANDING)
        yield connection, counter
        connection.close()
    finally:
        counter.set_clock(0)
        end(server)


def ask(connection, path, body, times):
    for _ in range(times):
        connection.request(
            "POST" if body else "GET", path, body, {"Content-Type": "application/json"} if body else {})
        answer = connection.getresponse()
        content = answer.read()
        if answer.status != 200:
            sys.exit(f"{path} was answered with {answer.status}: {content[:200]}")


def body_of(name, row, count):
    rows = [row] * count
    return encoded({"kind": "news", "rows": rows} if name == "batch" else rows)


def encoded(value):
    return json.dumps(value, separators=(",", ":")).encode()


def per_request(connection, counter, path, body=None):
    """Returns our allocations and libmicrohttpd's for one request after warm-up, from the worst window."""
    ask(connection, path, body, REQUESTS)
    windows = []
    for _ in range(WINDOWS):
        before = counter.settled()
        ask(connection, path, body, REQUESTS)
        windows.append([(after - start) / REQUESTS for start, after in zip(before, counter.settled())])
    return [max(counts) for counts in zip(*windows)]


def per_slice(connection, counter, path, name, row):
    """Returns our allocations for each further slice of a request, and those of the request besides its slices."""
    counter.set_clock(SLICING)
    # A look at the clock every so many rows.
    few, many = (per_request(connection, counter, path, body_of(name, row, count))[0] for count in (MANY, 2 * MANY))
    before = turns(connection)
    ask(connection, path, body_of(name, row, MANY), 1)
    made = turns(connection) - before
    counter.set_clock(STANDING)
    if made < MANY / ROWS_A_LOOK:
        sys.exit(f"POST {path}: {made:.0f} turns for {MANY:,} rows: the answer was not made in slices")
    each = (many - few) / (MANY / ROWS_A_LOOK)
    return each, few - each * MANY / ROWS_A_LOOK


def turns(connection):
    """Returns how many turns of the loop there have been."""
    connection.request("GET", "/metrics")
    found = re.search(rb'^cellfactory_loop_turn_duration_seconds_count\S* (\d+)', connection.getresponse().read(), re.M)
    return int(found[1])


def per_draw(folder, library, stages, count):
    """Returns the allocations for rendering `count` rows once, by workload."""
    sys.path.insert(0, str(ROOT / "Benchmarks"))
    sys.dont_write_bytecode = True
    from workloads import TEMPLATES, workloads
    counts = {}
    for workload in workloads():
        rows = json.loads(workload.body) * count
        pathlib.Path(folder, f"{workload.name}.json").write_bytes(encoded(rows[:count]))
        totals = []
        for turns in (10, 30):
            counter = Counter(folder, library)
            subprocess.run(
                [stages, "--templates", TEMPLATES, "--workloads", folder, "--only", workload.name,
                 "--stage", "render", "--turns", str(turns)], check=True, env=counter.environment)
            totals.append(counter.now()[0])
            if totals[-1] < STARTING:
                sys.exit(f"drawing {workload.name}: {totals[-1]} allocations, but compiling the templates alone needs {STARTING:,}")
        counts[workload.name] = (totals[1] - totals[0]) / 20
    return counts


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--binary", required=True, help="cellfactory")
    arguments.add_argument("--release", action="store_true", help="it is one: hold its counts to the limits")
    arguments.add_argument("--stages", help="cells-benchmark, built as a release")
    options = arguments.parse_args()

    faults = []

    def judge(name, few, many, limit=None):
        surplus = 0 if options.release else LOOK_LIMIT * (MANY // ROWS_A_LOOK)
        if not few <= many <= few + surplus:
            faults.append(f"{name}: {few} allocations for {FEW} rows, {many} for {MANY:,}")
        if options.release and limit is not None and few > limit:
            faults.append(f"{name}: {few} allocations, {limit} are allowed")

    with tempfile.TemporaryDirectory() as folder:
        library = built_library(folder)
        print("| request | ours | libmicrohttpd's |\n| --- | ---: | ---: |")
        with serving(folder, library, options.binary) as (connection, counter):
            for name, path, whole, small in POSTS:
                # A debug build allocates for some values; whole rows are for the limits.
                row = whole if options.release else small
                (few, theirs), (many, of_large) = (
                    per_request(connection, counter, path, body_of(name, row, count)) for count in (FEW, MANY))
                print(f"| POST {path} | {few:g} | {theirs:g} |", flush=True)
                judge(f"POST {path}", few, many, LIMITS[name])
                if not of_large:
                    faults.append(f"POST {path}: libmicrohttpd allocates for large answers, but none was counted")
            for name, path in GETS:
                ours, theirs = per_request(connection, counter, path)
                print(f"| GET {path} | {ours:g} | {theirs:g} |", flush=True)
                judge(f"GET {path}", ours, ours, LIMITS[name])
            print("\n| made in slices | for each | beside |\n| --- | ---: | ---: |")
            for name, path, _, row in POSTS:
                each, beside = per_slice(connection, counter, path, name, row)
                print(f"| POST {path} | {each:.2g} | {beside:.3g} |", flush=True)
                if options.release and (each > SLICE_LIMIT or beside > SLICED_LIMIT):
                    faults.append(f"POST {path}: in slices {each:.2g} allocations for each and {beside:.3g} beside, "
                                  f"{SLICE_LIMIT} and {SLICED_LIMIT} are allowed")
        if options.stages:
            few, many = (per_draw(folder, library, options.stages, count) for count in (FEW, MANY))
            for name in few:
                print(f"drawing {name}: {few[name]:g} for {FEW} rows, {many[name]:g} for {MANY:,}", flush=True)
                judge(f"drawing {name}", few[name], many[name])
    if faults:
        sys.exit("\n".join(faults))


main()
