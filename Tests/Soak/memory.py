#!/usr/bin/env python3
"""Checks that the server's memory does not grow: a million requests of mixed sizes, good and bad, on changing connections.

Prints resident memory after the first tenth and after all of them, and the peak; status 1 if it grew by more than
5 %. Resident memory varies by some percent with the requests in flight, so each value is the median of several
measurements. Loopback only, bounded in count and time. Needs wrk and python3.
"""

import argparse
import os
import pathlib
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
ALLOWED_GROWTH = 1.05
CONNECTIONS = 32
# The part of mixed.lua's requests that a server is to refuse.
BAD = 4 / 101


def status(pid, field):
    """Returns a field of /proc/PID/status in KiB."""
    text = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(rf"^{field}:\s+(\d+) kB", text, re.M).group(1))


def load(url, seconds, environment):
    """Runs wrk for some seconds. Returns the number of answers."""
    run = subprocess.run(
        ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "--timeout", "10s", "-s", str(HERE / "mixed.lua"), url],
        env=environment, capture_output=True, text=True, check=True)
    answers = int(re.search(r"(\d+) requests in", run.stdout).group(1))
    refused = int((re.search(r"Non-2xx or 3xx responses: (\d+)", run.stdout) or [0, 0])[1])
    # Some are on their way when the run ends: one for each connection.
    if abs(refused - answers * BAD) > CONNECTIONS or "Socket errors" in run.stdout:
        sys.exit(f"{refused} of {answers} requests were refused, and {answers * BAD:.0f} were bad: {run.stdout}")
    return answers


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--binary", default=str(ROOT / ".build/release/cellfactory"))
    arguments.add_argument("--requests", type=int, default=1_000_000)
    arguments.add_argument("--minutes", type=float, default=10, help="give up after that long")
    options = arguments.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [sys.executable, str(ROOT / "Benchmarks/workloads.py"), "--output", folder], check=True,
            stdout=subprocess.DEVNULL)
        environment = dict(os.environ, WORKLOADS=folder)
        server = subprocess.Popen(
            [options.binary, "serve", "--templates", str(ROOT / "templates"), "--workers", "2", "--port", "0"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            url = server.stdout.readline().split()[-1]
            deadline = time.monotonic() + options.minutes * 60
            done, early, late = 0, [], []
            # A tenth more than asked for, so that the end is measured as often as the beginning.
            while done < options.requests * 1.1:
                if time.monotonic() > deadline:
                    sys.exit(f"only {done:,} requests in {options.minutes} minutes")
                done += load(url, 1, environment)
                if options.requests * 0.1 <= done < options.requests * 0.2:
                    early.append(status(server.pid, "VmRSS"))
                elif done >= options.requests:
                    late.append(status(server.pid, "VmRSS"))
            first, last = statistics.median(early), statistics.median(late)
            print(f"after {options.requests // 10:,} requests: {first:,.0f} KiB resident ({len(early)} measurements)")
            print(f"after {options.requests:,} requests: {last:,.0f} KiB resident ({len(late)}), {last / first:.3f} times that")
            print(f"peak: {status(server.pid, 'VmHWM'):,} KiB")
        finally:
            server.send_signal(signal.SIGTERM)
            ended = server.wait(timeout=30)
    if ended != 0:
        sys.exit(f"the server ended with status {ended}")
    if last > first * ALLOWED_GROWTH:
        sys.exit("memory grew")


main()
