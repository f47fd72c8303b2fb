"""The servers beside CellFactory, built for a run.

The reference is the ceiling: libmicrohttpd, answering fixed bytes. The peers are what people would write instead,
each a small program in `peers/` with the same cells in its own template language.
"""

import dataclasses
import pathlib
import subprocess
import sys
from collections.abc import Callable

from servers import Failure

HERE = pathlib.Path(__file__).resolve().parent


@dataclasses.dataclass
class Peer:
    """A server that renders the same cells."""

    name: str
    build: Callable[[pathlib.Path], pathlib.Path]  # Given a folder for what it makes, returns the program.
    environment: dict = dataclasses.field(default_factory=dict)

    def built(self, folder):
        """Returns its program. If it cannot be built here, returns None and says why on standard error."""
        try:
            return self.build(folder)
        except (OSError, subprocess.CalledProcessError) as error:
            print(f"{self.name}: not built: {error}", file=sys.stderr, flush=True)
            return None


def build_hummingbird(_):
    package = HERE / "peers" / "hummingbird-mustache"
    build = ["swift", "build", "--configuration", "release", "--static-swift-stdlib", "--package-path", package]
    run(build)
    shown = subprocess.run([*build, "--show-bin-path"], check=True, stdout=subprocess.PIPE, text=True)
    return pathlib.Path(shown.stdout.strip(), "hummingbird-peer")


def build_go(folder):
    program = folder / "go-peer"
    run(["go", "build", "-buildvcs=false", "-o", program, "."], HERE / "peers" / "go")
    return program


def build_reference(folder):
    program = folder / "reference"
    try:
        run(["cc", "-O2", "-o", program, HERE / "reference" / "reference.c", "-lmicrohttpd"])
    except (OSError, subprocess.CalledProcessError) as error:
        raise Failure(f"the reference does not compile: is libmicrohttpd-dev installed?\n{error}") from error
    return program


def run(command, folder=None):
    """Runs a compiler with its output on standard error: standard output is for the table."""
    subprocess.run(command, cwd=folder, check=True, stdout=sys.stderr)


PEERS = [
    Peer("Hummingbird", build_hummingbird),
    Peer("Go", build_go, {"GOMAXPROCS": "1"}),
]
