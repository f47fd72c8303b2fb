#!/usr/bin/env python3
"""Checks that the image is as documented in docs/operations.md. Builds it with buildah, and runs it without an engine.

Each container is its own process 1, as user 65532, without capabilities, on a read-only root. Checks serving, health,
signals, own cells as a folder, as an archive and as an image, and that backtraces name functions and contain no rows.
Prints the size of the image. Needs root, buildah, util-linux, an x86-64 machine and, if the base image does not exist,
debootstrap and Swift 6.3 to build one. Passes with a message if they are missing. Takes some minutes; loopback only.
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
import socket
import subprocess
import sys
import tempfile
import threading
import time
import traceback

import bases
import container
import crash
from container import Container, Image

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "Tests"))

from skipping import skip  # noqa: E402
SECRET = "TOPSECRETROW"
PROGRAM = "/usr/local/bin/cellfactory"
BACKTRACER = "/usr/libexec/swift/linux/swift-backtrace-static"
ARCHIVE = "/usr/local/share/cellfactory/cells.archive"
# Of all files. They are some 50 MB; with ICU, which nothing may bring in, they would be 85.
WHOLE_BYTES = 60_000_000


class Serving(Container):
    """The image's server on a free port of loopback."""

    def __init__(self, image, *command, **options):
        super().__init__(image, *command, CELLFACTORY_PORT="0", **({"CELLFACTORY_HOST": "127.0.0.1"} | options))
        line = self.wait_for_line()
        port = re.search(r":(\d+)$", line)
        if not port:
            errors = self.errors
            self.__exit__()
            raise AssertionError(f"{line!r} {errors}")
        self.port = int(port[1])

    def ask(self, method, target, body=None, content_type="application/json"):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.request(method, target, body, {"Content-Type": content_type} if body else {})
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, text

    def health(self, image):
        """Returns the status of the image's own health check."""
        check = image.config["Healthcheck"]["Test"]
        assert check[:2] == ["CMD", PROGRAM], check
        return container.run(image, *check[2:], CELLFACTORY_PORT=str(self.port))[0]


def has_only_its_own(image):
    """Checks that only the server and the backtracer can be run, and that the root lists its packages."""
    root = pathlib.Path(image.root)
    programs = {f"/{path.relative_to(root)}" for path in root.rglob("*")
                if path.is_file() and not path.is_symlink() and path.stat().st_mode & 0o111 and ".so" not in path.name}
    assert programs == {PROGRAM, BACKTRACER}, programs
    packages = sorted(path.name for path in (root / "var/lib/dpkg/status.d").iterdir())
    assert {"libc6", "libmicrohttpd12", "libsimdjson14", "tzdata"} <= set(packages), packages
    for name in [*packages, "cellfactory", "swift", "unicode-cldr"]:
        assert (root / "usr/share/doc" / name / "copyright").stat().st_size > 0, name
    writable = [path for path in root.rglob("*") if not path.is_symlink() and path.stat().st_mode & 0o002]
    assert not writable, writable
    return f"{len(packages)} packages of Debian"


def weighs(image):
    """Checks the size of the files, and tells that of the layer as a registry stores it."""
    root = pathlib.Path(image.root)
    size = lambda path: path.lstat().st_size
    whole = sum(size(path) for path in root.rglob("*") if path.is_file() and not path.is_symlink())
    libraries = sum(size(path) for path in (root / "usr/lib").rglob("*.so*") if not path.is_symlink())
    assert whole < WHOLE_BYTES, whole
    archive = subprocess.Popen(["tar", "--create", "--directory", root, "."], stdout=subprocess.PIPE)
    packed = int(subprocess.run("gzip -6 | wc -c", shell=True, stdin=archive.stdout, capture_output=True).stdout)
    mega = lambda count: f"{count / 1e6:.1f} MB"
    return (f"{mega(whole)}, packed {mega(packed)}: the server {mega(size(root / PROGRAM[1:]))}, the backtracer "
            f"{mega(size(root / BACKTRACER[1:]))}, Debian's libraries {mega(libraries)}")


def serves_without_rights(image):
    assert image.config["User"] == "65532:65532", image.config["User"]
    assert image.config["Env"] and "CELLFACTORY_HOST=0.0.0.0" in image.config["Env"], image.config["Env"]
    with Serving(image) as server:
        status = pathlib.Path(f"/proc/{server.pid}/status").read_text()
        fields = dict(line.split(":\t", 1) for line in status.splitlines())
        assert fields["NSpid"].split()[-1] == "1" and set(fields["Uid"].split()) == {"65532"}, fields
        assert fields["NoNewPrivs"] == "1" and int(fields["CapEff"], 16) == int(fields["CapBnd"], 16) == 0, fields
        status, text = server.ask("POST", "/cells/notification", '{"text":"Hi <there>"}')
        assert status == 200 and "Hi &lt;there&gt;" in text, (status, text)
        # Connections may be closed meanwhile.
        open_files = os.listdir(f"/proc/{server.pid}/fd")
        assert server.ask("GET", "/kinds")[0] == 200
        return f"{len(open_files)} open files"


def tells_its_health(image):
    with Serving(image) as server:
        up = server.health(image)
    down = server.health(image)
    assert (up, down) == (0, 1), (up, down)


def ends_on(name):
    def check(image):
        with Serving(image) as server:
            # A request is on its way when the signal comes; it is still answered.
            slow = socket.create_connection(("127.0.0.1", server.port), timeout=20)
            slow.sendall(b"POST /cells/news HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                         b"Content-Length: 13\r\n\r\n{\"tit")
            time.sleep(0.3)
            start = time.monotonic()
            server.send(getattr(signal, name))
            time.sleep(0.3)
            slow.sendall(b'le":"a"}')
            answer = b""
            while block := slow.recv(65536):
                answer += block
            status = server.wait()
            assert answer.startswith(b"HTTP/1.1 200") and b">a<" in answer, answer
            assert status == 0, (status, server.errors)
            return f"{time.monotonic() - start:.1f} s, with a request in flight"
    check.__name__ = f"ends_on_{name}"
    return check


def ends_in_time(image):
    """Checks that a request that never ends is cut before an engine would kill the process."""
    with Serving(image) as server:
        stuck = socket.create_connection(("127.0.0.1", server.port))
        stuck.sendall(b"POST /cells/news HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                      b"Content-Length: 13\r\n\r\n{\"tit")
        time.sleep(0.3)
        start = time.monotonic()
        server.send(signal.SIGTERM)
        status = server.wait()
        took = time.monotonic() - start
        assert status == 0 and took < 10, (status, took)
        return f"{took:.1f} s, with a request that is stuck"


def takes_own_cells(image):
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        cells, made = pathlib.Path(folder, "cells"), pathlib.Path(folder, "made")
        cells.mkdir()
        made.mkdir()
        made.chmod(0o777)
        (cells / "mine.mustache").write_text("<p>{{x}}</p>")
        with Serving(image, "serve", "--templates", "/templates", mounts={str(cells): "/templates"}) as server:
            status, text = server.ask("POST", "/cells/mine", '{"x":"a&b"}')
            assert (status, text.strip()) == (200, "<p>a&amp;b</p>"), (status, text)
        status, _, errors = container.run(
            image, "archive", "/templates", "--output", "/made/cells.archive", mounts={str(cells): "/templates"},
            writable={str(made): "/made"})
        assert status == 0, errors
        with Serving(image, mounts={str(made / "cells.archive"): ARCHIVE}) as server:
            status, text = server.ask("GET", "/kinds")
            assert status == 200 and '"mine"' in text and '"news"' not in text, text


def takes_new_cells(image):
    """Checks reloads on SIGHUP, and with `--watch` when files are swapped as a kubelet swaps a ConfigMap's."""
    took = []
    for words in ([], ["--watch"]):
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)

            def swap(text):
                version = f"..{text}"
                pathlib.Path(folder, version).mkdir()
                pathlib.Path(folder, version, "mine.mustache").write_text(f"<p>{text}</p>")
                os.symlink(version, f"{folder}/..data_tmp")
                os.rename(f"{folder}/..data_tmp", f"{folder}/..data")

            swap("old")
            os.symlink("..data/mine.mustache", f"{folder}/mine.mustache")
            with Serving(image, "serve", "--templates", "/templates", *words, mounts={folder: "/templates"}) as server:
                assert "<p>old</p>" in server.ask("POST", "/cells/mine", "{}")[1]
                swap("new")
                start = time.monotonic()
                if not words:
                    server.send(signal.SIGHUP)
                while "<p>new</p>" not in server.ask("POST", "/cells/mine", "{}")[1]:
                    assert time.monotonic() < start + 10, f"{words} {server.errors}"
                    time.sleep(0.01)
                took.append(time.monotonic() - start)
    return f"{took[0]:.2f} s after SIGHUP, {took[1]:.2f} s after a swap"


def refuses_bad_cells(image):
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        pathlib.Path(folder, "bad.mustache").write_text("<p>{{#x}}</p>")
        status, _, errors = container.run(
            image, "serve", "--templates", "/templates", mounts={folder: "/templates"})
        assert status == 1 and "/templates/bad.mustache:1:" in errors, (status, errors)


def writes_nothing(image):
    status, _, errors = container.run(
        image, "archive", "/templates", "--output", "/x", mounts={str(ROOT / "templates"): "/templates"})
    assert status == 1 and "Read-only file system" in errors, (status, errors)


def makes_an_image_of_ones_own(image):
    """Builds deploy/kubernetes/templates-image and runs it."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(ROOT / "deploy/kubernetes/templates-configmap/cells", pathlib.Path(folder, "cells"))
        name = f"{image.name}-own"
        bases.run(
            "buildah", "bud", "--quiet", "--pull-never", "--format", "docker", "-t", name,
            "--build-arg", f"CELLFACTORY={image.name}",
            "-f", str(ROOT / "deploy/kubernetes/templates-image/Dockerfile"), folder,
            stdout=subprocess.DEVNULL)
        own = Image(name)
        try:
            with Serving(own) as server:
                status, text = server.ask("POST", "/cells/notice", '{"title":"Open"}')
                assert status == 200 and "Open" in text, (status, text)
                assert own.config["User"] == "65532:65532"
        finally:
            own.remove()
            bases.run("buildah", "rmi", name, stdout=subprocess.DEVNULL)


def crashed(image, **environment):
    """Crashes a server while it renders rows that hold a secret. Returns its status and its output."""
    rows = json.dumps([{"title": SECRET * 5, "author": {"name": SECRET}}] * 3000)
    with Serving(image, CELLFACTORY_WORKERS="1", **environment) as server:
        def load():
            try:
                while True:
                    server.ask("POST", "/cells/news", rows)
            except (OSError, http.client.HTTPException):
                pass
        clients = [threading.Thread(target=load, daemon=True) for _ in range(2)]
        for client in clients:
            client.start()
        time.sleep(0.3)
        crash.plant_trap(server.pid, "cells-0", PROGRAM)
        status = server.wait()
        for client in clients:
            client.join()
        return status, server.process.stdout.read(), server.errors


def tells_where_it_crashed(image):
    """Crashes servers at random places. Also checks that this test would notice a row in the output."""
    registers = image.environment()["SWIFT_BACKTRACE"].replace("registers=none", "registers=crashed")
    for attempt in range(20):
        if SECRET[:6] in crashed(image, SWIFT_BACKTRACE=registers)[2]:
            break
    else:
        raise AssertionError("registers showed no row in 20 crashes: this test sees nothing")
    for _ in range(10):
        status, text, errors = crashed(image)
        assert status == -signal.SIGILL, (status, errors)
        assert "Program crashed" in errors and "requestReceived" in errors and " in cellfactory" in errors, errors
        assert "SECR" not in errors and "Registers" not in errors and text == "", errors
    return f"with registers a row was seen in crash {attempt + 1}, without in none of 10"


CHECKS = [
    weighs, has_only_its_own, serves_without_rights, tells_its_health, ends_on("SIGTERM"), ends_on("SIGINT"),
    ends_in_time, takes_own_cells, takes_new_cells, refuses_bad_cells, writes_nothing, makes_an_image_of_ones_own,
    tells_where_it_crashed,
]


def missing():
    """Returns why the image cannot be built here, or None."""
    if os.geteuid() != 0:
        return "it needs root, to build and to enter a container"
    if platform.machine() != "x86_64":
        return "it needs x86-64"
    for program in ("buildah", "unshare", "tar"):
        if not shutil.which(program):
            return f"it needs {program}"
    if not bases.is_here(bases.SWIFT) and not (shutil.which("debootstrap") and bases.toolchain()):
        return "it needs the base image, or debootstrap and Swift to make it"
    return None


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--image", help="an image of buildah's to check, instead of building one")
    arguments.add_argument("--keep", action="store_true", help="keep the images that were made")
    options = arguments.parse_args()
    if why := missing():
        return skip("Tests/Container/image.py", why)
    os.environ.setdefault("BUILDAH_ISOLATION", "chroot")
    name, made = options.image, []
    if not name:
        if not bases.is_here(bases.SWIFT):
            start = time.monotonic()
            bases.make_swift()
            made.append(bases.SWIFT)
            print(f"{bases.SWIFT}: made here, {time.monotonic() - start:.0f} s", flush=True)
        name = "localhost/cellfactory:test"
        start = time.monotonic()
        bases.run("buildah", "bud", "--quiet", "--pull-never", "--format", "docker", "-t", name, str(ROOT),
                  stdout=subprocess.DEVNULL)
        made.append(name)
        print(f"{name}: built, {time.monotonic() - start:.0f} s", flush=True)
    image, failed = Image(name), 0
    try:
        for check in CHECKS:
            try:
                print(f"{check.__name__}: {check(image) or 'yes'}", flush=True)
            except Exception:
                failed += 1
                print(f"{check.__name__}: FAILED\n{traceback.format_exc()}", flush=True)
    finally:
        image.remove()
        if not options.keep:
            for one in reversed(made):
                subprocess.run(["buildah", "rmi", one], stdout=subprocess.DEVNULL)
    print(f"{len(CHECKS) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


main()
