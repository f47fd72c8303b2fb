#!/usr/bin/env python3
"""Follows the tutorial of docs/web.md in an empty folder, step by step, as it is written, and uses what comes of it in Chromium.

Ports differ from those on the page, so that nothing else is disturbed. Needs chromium and chromedriver; ends what it starts.
"""

import argparse
import contextlib
import pathlib
import re
import shlex
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "Preview"), str(ROOT / "examples")]

from examples import PHONE_WIDTH, Page  # noqa: E402
from policy import watch  # noqa: E402
from preview import Failure, driver_of, expect  # noqa: E402
from run import free_port  # noqa: E402
from server import until  # noqa: E402
from skipping import is_skipped_without  # noqa: E402

BLOCK = re.compile(r"^```\w+ (file|step|change|append)=(\S+)\n(.*?)^```$", re.M | re.S)


class Reader:
    """One who does what the page says: writes files, changes them, and runs commands."""

    def __init__(self, folder, binary):
        self.folder, self.binary = pathlib.Path(folder), binary
        self.blocks = BLOCK.findall((ROOT / "docs/web.md").read_text())
        self.ports = {"8000": str(free_port()), "8080": str(free_port())}
        self.processes = []

    def follow(self, kind, name):
        """Does what the next block says, which must be of this kind and name."""
        found = self.blocks.pop(0)
        expect(found[:2] == (kind, name), "the page goes on with", found[:2], "and not", (kind, name))
        text = re.sub(r"(?<=127\.0\.0\.1:)\d+|(?<=--port )\d+", lambda port: self.ports[port[0]], found[2])
        path = self.folder / name
        if kind == "file":
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        elif kind == "change":
            # The line that begins as the new one does.
            lines = path.read_text().splitlines()
            places = [place for place, line in enumerate(lines) if line.startswith(text.split()[0])]
            expect(len(places) == 1, "it is not clear what is to be changed")
            lines[places[0]] = text.rstrip("\n")
            path.write_text("\n".join(lines) + "\n")
        elif kind == "append":
            path.write_text(path.read_text().replace("</html>", text + "</html>"))
        else:
            for line in text.splitlines():
                self.start(shlex.split(line))

    def start(self, command):
        # The packages are there already.
        if command[0] in ("python3", ".", "pip"):
            return
        program = {"cellfactory": [self.binary], "uvicorn": [sys.executable, "-m", "uvicorn"]}[command[0]]
        self.processes.append(subprocess.Popen([*program, *command[1:]], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))

    def end(self):
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            process.wait(timeout=15)


def follow(reader, page):
    reader.follow("file", "cells/orders.html")
    reader.follow("step", "factory")
    reader.follow("file", "app.py")
    reader.follow("step", "application")
    reader.follow("file", "index.html")
    url = f"http://127.0.0.1:{reader.ports['8000']}/"

    def answers(path):
        with contextlib.suppress(OSError), urllib.request.urlopen(path, timeout=10) as answer:
            return answer.status == 200
    expect(until(lambda: answers(url) and answers(f"http://127.0.0.1:{reader.ports['8080']}/readyz")), "nothing answers")
    page.open(url)
    expect(until(lambda: page.texts("tbody tr th")[:1] == ["10000"]), "step 3 shows", page.texts("tbody tr th")[:3])
    expect(len(page.texts("tbody tr")) < 150, "all rows are in the page")
    expect(page.run("return document.querySelector('table').ariaRowCount") == "10001", "the table does not know how many there are")
    page.passes_axe()
    page.fits(PHONE_WIDTH)
    page.run("window.scrollTo(0, document.documentElement.scrollHeight)")
    expect(until(lambda: "1" in page.texts("tbody tr th")), "the last order cannot be scrolled to")

    reader.follow("change", "index.html")
    page.open(url)
    expect(until(lambda: page.texts("tbody tr th")), "step 4 shows nothing")
    with sqlite3.connect(reader.folder / "orders.sqlite", timeout=10) as database:
        database.execute("UPDATE orders SET customer = 'Ada & Söhne' WHERE id = 9999")
    database.close()
    expect(until(lambda: "Ada & Söhne" in page.texts("tbody td"), 8), "step 4 does not refresh")

    reader.follow("file", "page.js")
    reader.follow("append", "index.html")
    page.open(url)
    expect(until(lambda: page.texts("tbody button")), "there is no button")
    row = page.run("return document.querySelector('tbody button').closest('tr').ariaRowIndex")
    page.click("tbody button")
    status = lambda: page.run("return document.querySelector(`tr[aria-rowindex='${arguments[0]}']`).lastElementChild.textContent.trim()", row)
    expect(until(lambda: status() == "paid", 4), "step 5: the status is", status())
    expect(not reader.blocks, "the page goes on with", reader.blocks[:1])


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--binary", default=str(ROOT / ".build/debug/cellfactory"))
    options = arguments.parse_args()
    if is_skipped_without("Tests/Web/tutorial.py", "chromium", "chromedriver"):
        return 0
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        reader = Reader(folder, str(pathlib.Path(options.binary).resolve()))
        driver = driver_of(1200, 900)
        watch(driver)
        try:
            page = Page(driver)
            follow(reader, page)
            page.stays_quiet()
        except Failure as failure:
            print(f"tutorial: FAILED, {failure}")
            return 1
        finally:
            driver.quit()
            reader.end()
    print(f"tutorial: each step works, {time.monotonic() - begin:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
