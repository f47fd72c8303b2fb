"""Starts the preview of a folder, and measures it."""

import contextlib
import pathlib
import re
import subprocess
import sys
import time
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from ending import end  # noqa: E402

SECONDS = 30


class Preview:
    """A running `cellfactory preview` of a folder."""

    def __init__(self, binary, folder, *options):
        self.folder = pathlib.Path(folder)
        self.process = subprocess.Popen(
            [binary, "preview", str(folder), "--port", "0", *options], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)
        self.process.stdout.readline()
        line = self.process.stdout.readline()
        found = re.fullmatch(r"preview at (http://127\.0\.0\.1:(\d+))/\n", line)
        if not found:
            self.process.kill()
            raise SystemExit(f"the preview does not start: {line!r}")
        self.url, self.port = found[1], int(found[2])

    def get(self, path):
        with urllib.request.urlopen(self.url + path, timeout=SECONDS) as answer:
            return answer.read().decode("utf-8")

    def metric(self, name):
        """The sum of a metric over its labels."""
        lines = [line for line in self.get("/metrics").splitlines() if re.match(rf"{name}[ {{]", line)]
        if not lines:
            raise SystemExit(f"there is no metric {name}")
        return sum(float(line.split()[-1]) for line in lines)

    def resident_bytes(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+) kB", status)[1]) * 1024

    def write(self, path, text):
        (self.folder / path).write_text(text)

    def read(self, path):
        return (self.folder / path).read_text()


@contextlib.contextmanager
def preview(binary, folder, *options):
    server = Preview(binary, folder, *options)
    try:
        yield server
    finally:
        end(server.process, 10)


def until(holds, seconds=SECONDS):
    """Waits until something holds, and returns it; what it returned last if the time is over.

    A page changes between two looks: a list that is empty at the second one does not hold yet.
    """
    end = time.monotonic() + seconds
    while True:
        try:
            found = holds()
        except IndexError:
            found = None
        if found or time.monotonic() > end:
            return found
        time.sleep(0.01)
