"""A server under load: a process on one core, and what a round of requests costs it."""

import ctypes
import dataclasses
import http.client
import json
import os
import pathlib
import select
import subprocess
import tempfile
import time
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
START_SECONDS = 30
STOP_SECONDS = 15
SETTLE_SECONDS = 10
CONTENT_TYPE = "application/json"


class Failure(Exception):
    """An error that makes the figures worthless. Its message says everything."""


@dataclasses.dataclass
class Round:
    """One server's answers under one workload for some seconds, and their cost."""

    requests: int
    seconds: float
    cpu_seconds: float

    @property
    def requests_a_second(self):
        return self.requests / self.seconds

    @property
    def cpu_microseconds(self):
        return self.cpu_seconds * 1e6 / self.requests


@dataclasses.dataclass
class Answer:
    """A server's answer to one request, with its headers as sent."""

    status: int
    headers: list
    body: bytes

    def header(self, wanted):
        return next((value for name, value in self.headers if name.lower() == wanted), None)


class Server:
    """A child process pinned to one core that prints where it listens. It ends with the `with` block."""

    def __init__(self, name, command, core, environment=None):
        self.name = name
        self.log = tempfile.TemporaryFile()
        try:
            self.process = subprocess.Popen(
                ["taskset", "--cpu-list", str(core), *map(str, command)],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.log,
                env={**os.environ, **(environment or {})})
        except OSError as error:
            raise Failure(f"{name}: {error}") from error

    def __enter__(self):
        try:
            url = urllib.parse.urlsplit(self.listening_line().removeprefix("listening on "))
            self.host, self.port = url.hostname, url.port
            if not self.host or not self.port:
                raise Failure(f"{self.name} does not say where it listens\n{self.logged()}")
            self.cpu_clock = cpu_clock(self.process.pid)
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
        waiting = select.poll()
        waiting.register(pipe, select.POLLIN)
        while not line.endswith(b"\n"):
            if not waiting.poll(max(0, deadline - time.monotonic()) * 1000):
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

    def post(self, path, body):
        """Sends one request."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=60)
        try:
            connection.request("POST", path, body, {"Content-Type": CONTENT_TYPE})
            response = connection.getresponse()
            return Answer(response.status, response.getheaders(), response.read())
        except (OSError, http.client.HTTPException) as error:
            raise Failure(f"{self.name}: POST {path}: {error!r}\n{self.logged()}") from error
        finally:
            connection.close()

    def load(self, path, body_file, seconds, connections, core):
        """Runs wrk with the body for some seconds."""
        command = [
            "taskset", "--cpu-list", str(core), "wrk", "--threads", "1",
            "--connections", str(connections), "--duration", f"{seconds}s", "--timeout", "30s",
            "--script", HERE / "post.lua", f"http://{self.host}:{self.port}{path}",
            "--", body_file, CONTENT_TYPE,
        ]
        before = time.clock_gettime(self.cpu_clock)
        wrk = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=seconds + 60)
        used = time.clock_gettime(self.cpu_clock) - before
        self.settle()
        results = [line for line in wrk.stdout.splitlines() if line.startswith("result ")]
        if wrk.returncode != 0 or len(results) != 1:
            raise Failure(f"wrk: {wrk.stdout}{wrk.stderr}")
        result = json.loads(results[0].removeprefix("result "))
        if result["failures"] or not result["requests"]:
            raise Failure(f"{self.name}: {path}: {result}\n{self.logged()}")
        return Round(result["requests"], result["microseconds"] / 1e6, used)

    def settle(self):
        """Waits until work that the client left is done, so that it does not run during the next server's round."""
        deadline = time.monotonic() + SETTLE_SECONDS
        used, before = time.clock_gettime(self.cpu_clock), 0
        while used - before > 0.001 and time.monotonic() < deadline:
            time.sleep(0.05)
            used, before = time.clock_gettime(self.cpu_clock), used


def cpu_clock(process):
    """Returns the CPU-time clock of a process, which includes threads that have ended."""
    clock = ctypes.c_int()
    error = ctypes.CDLL(None).clock_getcpuclockid(process, ctypes.byref(clock))
    if error:
        raise Failure(f"no CPU clock of process {process}: {os.strerror(error)}")
    return clock.value
