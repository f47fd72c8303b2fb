#!/usr/bin/env python3
"""Instructions for parse, populate and render, a row, for the same row rendered by hand, for the same row with every hole
escaped as element text, and for a whole request: counted, not timed, so that a change shows on a busy machine too.

  python3 Benchmarks/instructions.py --stages CELLS-BENCHMARK --server CELLFACTORY [--only NAME…] [--write]

Compares with `instructions.json`, which was counted on the machine it names, and ends with status 1 if a count is more
than 3 % above, is not recorded, or is less than half, if choosing the escaper by the place of a hole costs more than 2 % of
rendering, or if a request with formatted rows costs more than 1.5 times one with plain rows; other counts below are told.
All are written with `--write`. Counts of another kind of processor may differ:
libraries choose their code by it. Needs valgrind and strip (Debian: valgrind, binutils). Loopback only.
"""

import argparse
import http.client
import json
import os
import pathlib
import platform
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import urllib.parse

sys.dont_write_bytecode = True
from workloads import TEMPLATES, workloads  # noqa: E402 (the line above has to stand before it)

HERE = pathlib.Path(__file__).resolve().parent
RECORD = HERE / "instructions.json"
TOLERANCE = 0.03
# What needs so much less has not done its work.
LEAST = 0.5
STAGES = ["parse", "populate", "render", "hand", "text"]
# What contextual escaping may cost, as a part of rendering with every hole escaped as element text.
ESCAPING_LIMIT = 0.02
# The workloads whose cells are written by hand, too.
BY_HAND = {"news", "products", "table"}
# What is counted is the difference of two runs, so that starting and ending cost nothing.
TURNS = {"tiny": (200, 1200), "news": (50, 250), "products": (10, 50), "table": (2, 8), "comments": (10, 50),
         "formats": (2, 8), "plurals": (2, 8)}
REQUESTS = {"tiny": (100, 1500), "news": (100, 900), "products": (20, 80), "table": (10, 30), "comments": (20, 80),
            "formats": (10, 30), "plurals": (10, 30)}
# What formats may cost: a request with these rows, as a multiple of one with the same rows in the plain table.
FORMAT_LIMIT = 1.5
FORMATTED = ["formats", "plurals"]
# Hash tables are laid out by a seed that is otherwise drawn anew.
ENVIRONMENT = dict(os.environ, SWIFT_DETERMINISTIC_HASHING="1")


def callgrind(folder, command, environment=ENVIRONMENT):
    """Starts a program under callgrind."""
    return subprocess.Popen(
        ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/counts", *map(str, command)],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)


def collected(process):
    """Returns the count after the program has ended."""
    _, log = process.communicate(timeout=600)
    found = re.search(r"Collected : (\d+)", log)
    if process.returncode != 0 or not found:
        sys.exit(f"callgrind gave no count:\n{log}")
    return int(found.group(1))


def stage_count(folder, binary, workload, stage, templates=TEMPLATES):
    """Returns the instructions for one row."""
    counts = [
        collected(callgrind(folder, [
            binary, "--templates", templates, "--workloads", folder, "--only", workload.name,
            "--stage", stage, "--turns", turns]))
        for turns in TURNS[workload.name]]
    few, many = TURNS[workload.name]
    return (counts[1] - counts[0]) / (many - few) / workload.rows


def serve(folder, binary, workload, requests):
    process = callgrind(
        folder, [binary, "serve", "--templates", TEMPLATES, "--workers", 1, "--port", 0])
    url = urllib.parse.urlsplit(process.stdout.readline().removeprefix("listening on ").strip())
    connection = http.client.HTTPConnection(url.hostname, url.port, timeout=60)
    for _ in range(requests):
        connection.request(
            "POST", f"/cells/{workload.kind}", workload.body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        answer.read()
        if answer.status != 200:
            process.kill()
            sys.exit(f"{workload.name} was answered with {answer.status}")
    connection.close()
    process.send_signal(signal.SIGTERM)
    return collected(process)


def request_count(folder, binary, workload):
    """Returns the instructions for one request, with libmicrohttpd's but without the kernel's."""
    few, many = REQUESTS[workload.name]
    counts = [serve(folder, binary, workload, requests) for requests in (few, many)]
    return (counts[1] - counts[0]) / (many - few)


def without_debug_information(folder, binary):
    """Copies a program without its debug information, which valgrind reads slowly or not at all."""
    copy = pathlib.Path(folder, pathlib.Path(binary).name)
    shutil.copy(binary, copy)
    subprocess.run(["strip", "--strip-debug", copy], check=True)
    return copy


def count_all(stages, server, only):
    counts = {}
    with tempfile.TemporaryDirectory() as folder:
        stages, server = (without_debug_information(folder, binary) for binary in (stages, server))
        for workload in workloads():
            if only and workload.name not in only:
                continue
            pathlib.Path(folder, f"{workload.name}.json").write_bytes(workload.body)
            print(f"{workload.name} …", file=sys.stderr, flush=True)
            counts[workload.name] = {
                **{stage: round(stage_count(folder, stages, workload, stage)) for stage in STAGES
                   if stage != "hand" or workload.name in BY_HAND},
                "request": round(request_count(folder, server, workload))}
    return counts


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--stages", required=True, help="cells-benchmark, built as a release")
    arguments.add_argument("--server", required=True, help="cellfactory, built as a release")
    arguments.add_argument("--only", nargs="+", metavar="NAME", help="count these workloads alone")
    arguments.add_argument("--write", action="store_true", help="record what is counted")
    options = arguments.parse_args()

    counts = count_all(options.stages, options.server, options.only)
    known = json.loads(RECORD.read_text())["counts"] if RECORD.exists() else {}
    worse = []
    print("| workload | " + " | ".join(f"{stage}, a row" for stage in STAGES) + " | a request |")
    print("| --- | " + " | ".join(["---:"] * (len(STAGES) + 1)) + " |")
    for name, columns in counts.items():
        cells = []
        for column in [*STAGES, "request"]:
            if column not in columns:
                cells.append("")
                continue
            count = columns[column]
            before = known.get(name, {}).get(column)
            change = (count - before) / before if before else 0
            cells.append(f"{count:,}" + (f" ({change:+.1%})" if abs(change) > 0.001 else ""))
            if not before:
                worse.append(f"{name}, {column}: {count:,}, but none is recorded")
            elif change > TOLERANCE or change < LEAST - 1:
                worse.append(f"{name}, {column}: {before:,} -> {count:,}")
        print(f"| {name} | " + " | ".join(cells) + " |")
    print()
    for name, columns in counts.items():
        cost = columns["render"] / columns["text"] - 1
        print(f"{name}: contextual escaping costs {cost:.1%} of rendering (limit {ESCAPING_LIMIT:.0%})")
        if cost > ESCAPING_LIMIT:
            worse.append(f"{name}, contextual escaping: {cost:.1%}")
    for name in FORMATTED if {"table", *FORMATTED} <= set(counts) else []:
        cost = counts[name]["request"] / counts["table"]["request"]
        print(f"{name}: a request costs {cost:.2f} times the plain table's (limit {FORMAT_LIMIT})")
        if cost > FORMAT_LIMIT:
            worse.append(f"{name}: a request costs {cost:.2f} times the plain table's")
    if options.write:
        RECORD.write_text(json.dumps({"machine": platform.machine(), "counts": {**known, **counts}}, indent=2) + "\n")
    elif worse:
        sys.exit("other instructions than allowed:\n" + "\n".join(worse))


if __name__ == "__main__":
    main()
