"""Load by wrk, and what it costs the server in CPU time."""

import dataclasses
import json
import math
import pathlib
import statistics
import subprocess

from scaling.check import Failure

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "post.lua"


@dataclasses.dataclass
class Cost:
    """The server's CPU time for one request, at a rate of requests a second."""

    cpu_seconds: float
    requests_a_second: float


def cost(server, path, body_file, seconds, connections=8, core=None, pause_milliseconds=0):
    """What a request costs, over so many seconds of load.

    `pause_milliseconds`: what each connection waits between an answer and its next request.
    """
    command = [
        "wrk", "--threads", 1, "--connections", connections, "--duration", f"{seconds}s", "--timeout", "30s",
        "--script", SCRIPT, server.url + path, "--", body_file, "application/json", pause_milliseconds]
    if core is not None:
        command = ["taskset", "--cpu-list", core, *command]
    before = server.cpu_seconds()
    run = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=seconds + 60)
    used = server.cpu_seconds() - before
    lines = [line for line in run.stdout.splitlines() if line.startswith("result ")]
    if run.returncode != 0 or len(lines) != 1:
        raise Failure(f"wrk: {run.stdout}{run.stderr}")
    result = json.loads(lines[0].removeprefix("result "))
    if result["failures"] or not result["requests"]:
        raise Failure(f"{path}: {result}\n{server.logged()}")
    return Cost(used / result["requests"], result["requests"] * 1e6 / result["microseconds"])


def interleaved(first, second, rounds):
    """Measures by turns, A B, B A, A B …: a machine that grows slower or faster does so for both.

    Returns the median of the quotients second / first of what stood side by side; in words its standard error and both
    medians.
    """
    found = [], []
    for turn in range(rounds):
        for which in (0, 1) if turn % 2 == 0 else (1, 0):
            found[which].append((first, second)[which]())
    quotients = [b.cpu_seconds / a.cpu_seconds for a, b in zip(*found)]
    quotient = statistics.median(quotients)
    # Of the median, from the middle half of the rounds: single ones may be far off on a busy machine.
    error = 0
    if rounds > 1:
        low, _, high = statistics.quantiles(quotients, n=4)
        error = 1.25 * (high - low) / 1.35 / math.sqrt(rounds)
    times, rates = (
        [statistics.median(getattr(each, figure) for each in rounds) for rounds in found]
        for figure in ("cpu_seconds", "requests_a_second"))
    return quotient, (
        f"± {error:.3f}: {times[0] * 1e6:.1f} -> {times[1] * 1e6:.1f} µs at {rates[0]:,.0f} -> {rates[1]:,.0f} requests/s")
