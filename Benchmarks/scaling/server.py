"""The server as a child process, for as long as a `with` block lasts."""

import http.client
import os
import pathlib
import select
import signal
import subprocess
import tempfile
import urllib.parse

from scaling.check import Failure

TEMPLATES = pathlib.Path(__file__).resolve().parent.parent / "templates"
JSON = {"Content-Type": "application/json"}


class Server:
    """Started with the options given, on a port of its own choice; ended with the `with` block.

    `before`: a command that it runs under.
    """

    start_seconds = 300
    stop_seconds = 300

    def __init__(self, binary, *options, before=(), environment=None):
        self.log = tempfile.TemporaryFile()
        command = [*before, binary, "serve", "--port", 0, *options]
        try:
            self.process = subprocess.Popen(
                list(map(str, command)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.log,
                env=environment)
        except OSError as error:
            raise Failure(f"{binary}: {error}") from error
        self.pid = self.process.pid

    def __enter__(self):
        try:
            pipe = self.process.stdout
            if not select.select([pipe], [], [], self.start_seconds)[0]:
                raise Failure(f"the server does not listen after {self.start_seconds} s\n{self.logged()}")
            self.url = pipe.readline().decode().removeprefix("listening on ").strip()
            address = urllib.parse.urlsplit(self.url)
            if not address.port:
                raise Failure(f"the server does not say where it listens\n{self.logged()}")
            self.host, self.port = address.hostname, address.port
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        """Ends the server and returns its log."""
        if self.log.closed:
            return ""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(self.stop_seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        logged = self.logged()
        self.log.close()
        return logged

    def logged(self):
        self.log.seek(0)
        return self.log.read()[-4000:].decode(errors="replace")

    def post(self, path, body, times=1):
        """Posts the body several times on one connection."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=300)
        try:
            for _ in range(times):
                connection.request("POST", path, body, JSON)
                answer = connection.getresponse()
                text = answer.read()
                if answer.status != 200:
                    raise Failure(f"POST {path}: {answer.status}: {text[:500].decode(errors='replace')}")
        except (OSError, http.client.HTTPException) as error:
            raise Failure(f"POST {path}: {error!r}\n{self.logged()}") from error
        finally:
            connection.close()

    def cpu_seconds(self):
        """Returns the CPU time of all threads, in seconds with nanosecond precision."""
        tasks = pathlib.Path(f"/proc/{self.pid}/task").iterdir()
        return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9

    def resident_bytes(self):
        pages = pathlib.Path(f"/proc/{self.pid}/statm").read_text().split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")

