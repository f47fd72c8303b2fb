#!/usr/bin/env python3
"""Load over HTTP: CellFactory beside the ceiling, libmicrohttpd answering the same bytes.

Both run on one core, one worker each, and wrk on another. What counts is the server's CPU time a request,
which a busy client or machine changes little; requests a second stand beside it. Needs wrk, taskset, a C
compiler and libmicrohttpd's header (Debian: wrk, util-linux, gcc, libmicrohttpd-dev). All of it stays on the
loopback address.
"""

import argparse
import contextlib
import dataclasses
import http.client
import json
import os
import pathlib
import platform
import select
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse

sys.dont_write_bytecode = True
from workloads import Workload, workloads  # noqa: E402 (the line above has to stand before it)

HERE = pathlib.Path(__file__).resolve().parent
START_SECONDS = 30
STOP_SECONDS = 15
CONTENT_TYPE = "application/json"
# Written by libmicrohttpd itself, for both servers.
OWN_HEADERS = {"content-length", "date", "connection", "transfer-encoding"}
# Made anew for each request; the reference repeats one of the same length.
CHANGING_HEADERS = {"x-request-id"}


class Failure(Exception):
    """Something that makes the figures worthless; its text is all a reader needs."""


@dataclasses.dataclass
class Round:
    """What one server did under one workload for some seconds, and what that cost it."""

    requests: int
    seconds: float
    cpu_seconds: float

    @property
    def requests_a_second(self):
        return self.requests / self.seconds

    @property
    def cpu_microseconds(self):
        return self.cpu_seconds * 1e6 / self.requests


class Server:
    """A child process that prints where it listens, pinned to one core; ended with the `with` block."""

    def __init__(self, name, command, core):
        self.name = name
        self.log = tempfile.TemporaryFile()
        try:
            self.process = subprocess.Popen(
                ["taskset", "--cpu-list", str(core), *map(str, command)],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.log)
        except OSError as error:
            raise Failure(f"{name}: {error}") from error

    def __enter__(self):
        try:
            url = urllib.parse.urlsplit(self.listening_line().removeprefix("listening on "))
            self.host, self.port = url.hostname, url.port
            if not self.host or not self.port:
                raise Failure(f"{self.name} does not say where it listens\n{self.logged()}")
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def listening_line(self):
        line = b""
        deadline = time.monotonic() + START_SECONDS
        pipe = self.process.stdout.fileno()
        while not line.endswith(b"\n"):
            if not select.select([pipe], [], [], max(0, deadline - time.monotonic()))[0]:
                raise Failure(f"{self.name} does not listen after {START_SECONDS} s\n{self.logged()}")
            piece = os.read(pipe, 4096)
            if not piece:
                raise Failure(f"{self.name} ended before it listened\n{self.logged()}")
            line += piece
        return line.decode().splitlines()[0]

    def logged(self):
        self.log.seek(0)
        return self.log.read()[-4000:].decode(errors="replace")

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        self.log.close()

    def cpu_seconds(self):
        """Time on the CPU of all threads: to the nanosecond where the kernel keeps it, else in ticks."""
        process = pathlib.Path("/proc", str(self.process.pid))
        try:
            tasks = [(task / "schedstat").read_text() for task in (process / "task").iterdir()]
            nanoseconds = sum(int(line.split()[0]) for line in tasks)
        except OSError:
            nanoseconds = 0
        if nanoseconds:
            return nanoseconds / 1e9
        # utime and stime are fields 14 and 15; the name in field 2 may hold spaces, its end is the last ")".
        fields = (process / "stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def post(self, path, body):
        """One request by hand: status, headers as sent, body."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=60)
        try:
            connection.request("POST", path, body, {"Content-Type": CONTENT_TYPE})
            response = connection.getresponse()
            return response.status, response.getheaders(), response.read()
        except (OSError, http.client.HTTPException) as error:
            raise Failure(f"{self.name}: POST {path}: {error!r}\n{self.logged()}") from error
        finally:
            connection.close()

    def load(self, path, body_file, seconds, options, core):
        """Lets wrk post the body for so long."""
        command = [
            "taskset", "--cpu-list", str(core), "wrk", "--threads", "1",
            "--connections", str(options.connections), "--duration", f"{seconds}s", "--timeout", "30s",
            "--script", HERE / "post.lua", f"http://{self.host}:{self.port}{path}",
            "--", body_file, CONTENT_TYPE,
        ]
        before = self.cpu_seconds()
        wrk = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=seconds + 60)
        used = self.cpu_seconds() - before
        results = [line for line in wrk.stdout.splitlines() if line.startswith("result ")]
        if wrk.returncode != 0 or len(results) != 1:
            raise Failure(f"wrk: {wrk.stdout}{wrk.stderr}")
        result = json.loads(results[0].removeprefix("result "))
        if result["failures"] or not result["requests"]:
            raise Failure(f"{self.name}: {path}: {result}\n{self.logged()}")
        return Round(result["requests"], result["microseconds"] / 1e6, used)


@dataclasses.dataclass
class Result:
    """One workload measured. Medians, since on a shared machine single rounds may be far off."""

    workload: Workload
    answer_bytes: int
    ours: list
    reference: list

    def ratio(self, figure):
        """The median over pairs of rounds that stood side by side, reference to ours."""
        pairs = zip(self.reference, self.ours)
        return statistics.median(getattr(its, figure) / getattr(our, figure) for its, our in pairs)

    @property
    def spread(self):
        """How far the rounds of one server lay apart in CPU time a request, as a share of their median."""
        costs = [[each.cpu_microseconds for each in rounds] for rounds in (self.ours, self.reference)]
        return max((max(cost) - min(cost)) / statistics.median(cost) for cost in costs)

    def cells(self):
        def median(rounds, figure):
            return statistics.median(getattr(each, figure) for each in rounds)

        requests = median(self.ours, "requests_a_second")
        return [
            self.workload.name,
            f"{self.ratio('cpu_microseconds'):.2f}",
            f"{1 / self.ratio('requests_a_second'):.2f}",
            f"{median(self.ours, 'cpu_microseconds'):.1f}",
            f"{median(self.reference, 'cpu_microseconds'):.1f}",
            f"{requests:,.0f}",
            f"{median(self.reference, 'requests_a_second'):,.0f}",
            f"{requests * self.workload.rows:,.0f}",
            f"{self.workload.rows:,}",
            f"{len(self.workload.body):,}",
            f"{self.answer_bytes:,}",
            f"{self.spread:.0%}",
        ]


def comparable(headers):
    """Headers as a sorted list, without those that differ by nature."""
    left_out = OWN_HEADERS | CHANGING_HEADERS
    return sorted((name.lower(), value) for name, value in headers if name.lower() not in left_out)


def measure(workload, ours, reference_binary, folder, options, cores):
    path = "/cells/" + urllib.parse.quote(workload.kind)
    status, headers, answer = ours.post(path, workload.body)
    if status != 200:
        raise Failure(f"{path}: {status}: {answer[:500].decode(errors='replace')}")
    body_file = folder / f"{workload.name}.json"
    answer_file = folder / f"{workload.name}.answer"
    body_file.write_bytes(workload.body)
    answer_file.write_bytes(answer)
    command = [reference_binary, answer_file]
    for name, value in headers:
        if name.lower() not in OWN_HEADERS:
            command += ["--header", f"{name}: {value}"]

    rounds = [[], []]
    with Server("the reference", command, cores[0]) as reference:
        its_status, its_headers, its_answer = reference.post(path, workload.body)
        if (its_status, its_answer, comparable(its_headers)) != (status, answer, comparable(headers)):
            raise Failure(f"{path}: the reference answers otherwise: {its_status} {its_headers}")
        servers = [ours, reference]
        for server in servers:
            server.load(path, body_file, 1, options, cores[1])
        for turn in range(options.rounds):
            # A B, B A, A B: a machine that grows slower or faster does so for both.
            for which in (0, 1) if turn % 2 == 0 else (1, 0):
                rounds[which].append(servers[which].load(path, body_file, options.seconds, options, cores[1]))
    return Result(workload, len(answer), *rounds)


HEADINGS = [
    "workload", "CPU, reference / ours", "requests/s, ours / reference", "CPU µs/request, ours", "reference",
    "requests/s, ours", "reference", "rows/s, ours", "rows", "body, bytes", "answer, bytes", "spread",
]


def markdown(lines):
    """A table with pipes that is also readable as it stands; all columns but the first are numbers."""
    widths = [max(map(len, column)) for column in zip(HEADINGS, *lines)]
    rule = ["-" * widths[0]] + ["-" * (width - 1) + ":" for width in widths[1:]]
    shown = [HEADINGS, rule, *lines]
    return "\n".join(
        "| " + " | ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths))) + " |"
        for row in shown)


def machine():
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f"{names[0] if names else platform.machine()}, {os.cpu_count()} cores, Linux {platform.release()}"


def build_reference(folder):
    binary = folder / "reference"
    source = HERE / "reference" / "reference.c"
    command = ["cc", "-O2", "-o", binary, source, "-lmicrohttpd"]
    if subprocess.run(list(map(str, command))).returncode != 0:
        raise Failure("the reference does not compile: is libmicrohttpd-dev installed?")
    return binary


def positive(text):
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("at least 1")
    return number


def arguments():
    names = [workload.name for workload in workloads()]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", type=pathlib.Path, default=".build/release/cellfactory",
                        help="the server (default: %(default)s)")
    parser.add_argument("--templates", type=pathlib.Path, default=HERE.parent / "templates",
                        help="its templates (default: those of this repository)")
    parser.add_argument("--reference", type=pathlib.Path,
                        help="reference.c, compiled (default: compiled for this run)")
    parser.add_argument("--only", action="append", choices=names, metavar="NAME",
                        help=f"this workload, may be repeated: {', '.join(names)}")
    parser.add_argument("--seconds", type=positive, default=2, metavar="N",
                        help="of load in a round (default: %(default)s)")
    parser.add_argument("--rounds", type=positive, default=7, metavar="N",
                        help="for each server (default: %(default)s)")
    parser.add_argument("--connections", type=positive, default=8, metavar="N",
                        help="(default: %(default)s)")
    return parser.parse_args()


def run(options):
    cores = sorted(os.sched_getaffinity(0))[:2]
    if len(cores) < 2:
        raise Failure("two cores are needed: one for the server, one for wrk")
    chosen = [workload for workload in workloads() if not options.only or workload.name in options.only]
    command = [
        options.binary, "serve", "--templates", options.templates, "--workers", 1,
        "--host", "127.0.0.1", "--port", 0,
    ]
    lines = []
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        reference = options.reference or build_reference(folder)
        ours = stack.enter_context(Server("cellfactory", command, cores[0]))
        for workload in chosen:
            print(f"{workload.name} …", file=sys.stderr, flush=True)
            lines.append(measure(workload, ours, reference, folder, options, cores).cells())
    print(f"{machine()}; {time.strftime('%Y-%m-%d')}; wrk with {options.connections} connections, "
          f"{options.rounds} rounds of {options.seconds} s for each server, medians\n")
    print(markdown(lines))


def end_on_signal(number, _):
    sys.exit(128 + number)  # An exception, so that every `with` block ends what it started.


def main():
    signal.signal(signal.SIGTERM, end_on_signal)
    try:
        run(arguments())
    except Failure as failure:
        sys.exit(f"load.py: {failure}")
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
