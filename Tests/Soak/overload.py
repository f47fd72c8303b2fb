#!/usr/bin/env python3
"""Sends three times as many requests as one worker can answer, from clients that do not wait for answers.

First finds the peak in a closed loop. Then offers a third of it to measure the usual latency, then three times the peak
by an open loop (openloop.c) on as many connections as needed, then a third again. Prints each phase. Status 1 if there
was no answer, or one other than 200, or 503 with Retry-After; if fewer than nine tenths of the peak were answered with
200; if the p99 of those or of the refusals is 250 ms or more; or if it takes more than a second until all are answered
as quickly as before.

The worker has its own processor, as far as the machine is idle; the client uses the others. So that rendering dominates
the cost, requests and answers are small: 2000 rows `{}` of a table in 6 kB, with only etags in the answer, which takes
about a millisecond. A refusal costs about 20 us, as much as a request of a few rows; no server can refuse twice as many
of those as it can answer and still answer as many. --rows and --workload change this. The share of processor time spent
on answers is printed, too: on a busy machine it says more than the goodput. Loopback only, bounded in time. Needs gcc.
"""

import argparse
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "Benchmarks"))
from workloads import workloads  # noqa: E402 (the lines above have to stand before it)

CONNECTIONS = 10_000
TIMES = 3
GOODPUT = 0.9
P99_LIMIT_MS = 250
RECOVERY_SECONDS = 1


def told(name, phase):
    parts = [f"{name}: {phase['due'] / phase['seconds']:,.0f} a second for {phase['seconds']:.0f} s"]
    for outcome, counted in phase.items():
        if not outcome.endswith("_ms") and outcome not in ("due", "begins", "seconds", "tenths"):
            parts.append(f"{outcome} {counted:,}")
    for outcome in ("ok", "refused"):
        times = phase.get(f"{outcome}_ms")
        if times:
            parts.append(f"{outcome} p50 {times['p50']:.1f} ms, p99 {times['p99']:.1f} ms, worst {times['max']:.1f} ms")
    print("; ".join(parts), flush=True)


def recovery(phase, usual):
    """Returns the seconds until all further requests of the phase are answered with 200 and as fast as usual."""
    last = 0
    for place, tenth in enumerate(phase["tenths"]):
        late = tenth.get("ok_ms", {}).get("p50", 0) > max(2 * usual, 10)
        if tenth["due"] and (tenth.get("ok", 0) < tenth["due"] or late):
            last = place + 1
    return last / 10


class Processor(threading.Thread):
    """Samples the processor time of a process 50 times a second."""

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.path = pathlib.Path(f"/proc/{pid}/stat")
        self.seen = []
        self.start()

    def run(self):
        while True:
            try:
                fields = self.path.read_text().rpartition(")")[2].split()
            except OSError:
                return
            ticks = int(fields[11]) + int(fields[12])
            self.seen.append((time.monotonic(), ticks / os.sysconf("SC_CLK_TCK")))
            time.sleep(0.02)

    def between(self, begin, end):
        """Returns seconds of processor time between two times of openloop's clock."""
        times = [spent for at, spent in self.seen if begin <= at <= end]
        return times[-1] - times[0]


class Load:
    def __init__(self, folder, port, target, body, cores, connections):
        self.command = [str(folder / "openloop"), str(port), target, str(body), str(connections), "10"]
        self.cores = cores
        subprocess.run(["gcc", "-O2", "-o", str(folder / "openloop"), str(HERE / "openloop.c")], check=True)

    def run(self, *phases):
        output = subprocess.run(
            self.command + list(phases), stdout=subprocess.PIPE, check=True, text=True,
            preexec_fn=lambda: os.sched_setaffinity(0, self.cores)).stdout
        return json.loads(output)["phases"]


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--binary", default=str(ROOT / ".build/release/cellfactory"))
    arguments.add_argument("--seconds", type=float, default=120, help="of overload")
    arguments.add_argument("--rows", type=int, default=2000, help="of nothing, of the kind table-row")
    arguments.add_argument("--workload", help="one of the benchmarks' instead: tiny, news, products, table, comments")
    arguments.add_argument("--connections", type=int, default=CONNECTIONS)
    arguments.add_argument("--workers", type=int, default=1)
    arguments.add_argument("--serve", default="", help="more options for the server")
    options = arguments.parse_args()

    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = options.connections + 100
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))
    cores = sorted(os.sched_getaffinity(0))
    own = set(cores[:options.workers])
    others = set(cores[options.workers:]) or set(cores)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        body, target = b"[" + b",".join([b"{}"] * options.rows) + b"]", "/cells/table-row?format=json&fields=etag"
        if options.workload:
            body, target = next((w.body, f"/cells/{w.kind}") for w in workloads() if w.name == options.workload)
        (folder / "body.json").write_bytes(body)
        server = subprocess.Popen(
            [options.binary, "serve", "--templates", str(ROOT / "templates"), "--workers", str(options.workers),
             "--port", "0", "--connections", str(options.connections + 100), *options.serve.split()],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            preexec_fn=lambda: os.sched_setaffinity(0, own))
        try:
            port = int(server.stdout.readline().rsplit(":", 1)[-1])
            processor = Processor(server.pid)
            load = Load(folder, port, target, folder / "body.json", others, options.connections)
            closed = load.run("c8:1", f"c8:{min(max(options.seconds / 4, 2), 10)}")[1]
            peak = closed["ok"] / closed["seconds"]
            told("closed loop, 8 connections", closed)
            few = f"{max(peak / 3, 1):.0f}:{min(max(options.seconds / 4, 3), 10)}"
            before, overload, after = load.run(few, f"{TIMES * peak:.0f}:{options.seconds}", few)
            told("before", before)
            told(f"{TIMES} times the peak", overload)
            told("after", after)
            status = pathlib.Path(f"/proc/{server.pid}/status").read_text()
        finally:
            server.send_signal(signal.SIGTERM)
            ended = server.wait(timeout=30)
    memory = int(re.search(r"VmHWM:\s+(\d+)", status).group(1))
    goodput = overload["ok"] / overload["seconds"] / peak
    p99 = overload.get("ok_ms", {}).get("p99", float("inf"))
    spent = [processor.between(phase["begins"], phase["begins"] + phase["seconds"]) for phase in (closed, overload)]
    by_time = overload["ok"] / spent[1] / (closed["ok"] / spent[0])
    again = recovery(after, before["ok_ms"]["p50"])
    print(f"goodput: {goodput:.3f} of the peak, which is {peak:,.0f} a second; p99 of those answered {p99:.1f} ms")
    print(
        f"by its processor's time: {by_time:.3f} of the peak, which is {closed['ok'] / spent[0]:,.0f} a second; it had "
        f"{100 * spent[0] / closed['seconds']:.0f} % of the processor then, {100 * spent[1] / overload['seconds']:.0f} % in "
        "the overload")
    print(f"as before after {again:.1f} s; peak memory {memory:,} KiB")
    misses = []
    for phase in (closed, before, overload, after):
        if phase["ok"] + phase["refused"] != phase["due"]:
            misses.append("not everything was answered with 200 or 503")
            break
    if goodput < GOODPUT:
        misses.append(f"goodput is to be at least {GOODPUT}")
    if p99 >= P99_LIMIT_MS:
        misses.append(f"the p99 is to be below {P99_LIMIT_MS} ms")
    if overload.get("refused_ms", {}).get("p99", 0) >= P99_LIMIT_MS:
        misses.append(f"the p99 of refusals is to be below {P99_LIMIT_MS} ms")
    if again > RECOVERY_SECONDS:
        misses.append("it takes more than a second to be as before")
    if ended != 0:
        misses.append(f"the server ended with status {ended}")
    if misses:
        sys.exit("; ".join(misses))


if __name__ == "__main__":
    main()
