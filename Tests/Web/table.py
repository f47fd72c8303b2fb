#!/usr/bin/env python3
"""Uses `<cell-table>` and `cellTable` in Chromium by remote control, as pages and people do.

Every page lives under a policy that allows nothing inline and demands Trusted Types. Needs chromium and chromedriver;
bounded in time; ends what it starts.
"""

import argparse
import json
import pathlib
import shutil
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "Preview")]

from application import application  # noqa: E402
from preview import Failure, driver_of, expect  # noqa: E402
from server import until  # noqa: E402
from skipping import skip  # noqa: E402


class Page:
    """A page with the module of cells, as a person and a script see it."""

    def __init__(self, driver, server):
        self.driver, self.server = driver, server

    def open(self, path="/table.html"):
        self.server.reset()
        self.driver.get(self.server.url + path)
        expect(until(lambda: self.run("return window.isReady")), path, "does not load its module")

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def wait(self, script, *arguments):
        """The value that a promise resolves with."""
        return self.driver.execute_async_script(
            "const done = arguments[arguments.length - 1]; (async () => {" + script + "})().then(done, (error) => done('rejected: ' + error))",
            *arguments)

    def show(self, markup, **properties):
        """Puts elements into the page, as an application's script would: by name, attributes, children."""
        self.run("""
          function make([name, attributes = {}, ...children]) {
            const element = document.createElement(name);
            for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
            element.append(...children.map((child) => typeof child === "string" ? child : make(child)));
            return element;
          }
          window.events.length = 0;
          const made = make(arguments[0]);
          for (const [key, value] of Object.entries(arguments[1])) made[key] = value;
          document.getElementById("place").replaceChildren(made);
          window.table = made;""", markup, properties)

    def texts(self, selector):
        return self.run("return [...document.querySelectorAll(arguments[0])].map((element) => element.textContent.trim())", selector)

    def events(self, kind=None):
        return [event for event in self.run("return window.events") if kind in (None, event["type"])]


class Rows:
    """A long table of rows, made when they are asked for."""

    def __init__(self, count, make):
        self.count, self.make = count, make

    def __call__(self, index):
        return self.make(index)


def mixed(index):
    kind = ("note", "photo", "line")[index % 3]
    return {"id": index, "kind": kind, "title": f"Row {index}", "body": "word " * (index * 7919 % 60), "image": f"/blank.svg?{index}"}


def shows_rows(page):
    """A tag with a kind and a source shows rows, and only those near the view."""
    page.open()
    page.server.tables["lines"] = Rows(500, lambda index: {"id": index, "title": f"Row {index}"})
    page.show(["cell-table", {"kind": "line", "src": "/rows/lines?from={from}&count={count}"}])
    shown = until(lambda: page.texts("article"))
    expect(shown and shown[0] == "Row 0", "the first rows are", shown)
    expect(len(shown) < 500, "all rows are in the page")
    expect(not page.events(), page.events())


CHECKS = [shows_rows]


def attempt(check, page):
    """Runs one check. Returns whether it has failed."""
    begin = time.monotonic()
    try:
        check(page)
    except Failure as failure:
        print(f"table: {check.__name__}: FAILED, {failure}")
        for line in page.driver.get_log("browser")[-5:]:
            print(f"  the browser says: {line['message'][:300]}")
        return True
    print(f"table: {check.__name__}: passed in {time.monotonic() - begin:.1f} s", flush=True)
    return False


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--binary", default=str(ROOT / ".build/debug/cellfactory"))
    arguments.add_argument("--only", help="one check by its name")
    options = arguments.parse_args()
    for program in ("chromium", "chromedriver"):
        if not shutil.which(program):
            return skip("Tests/Web/table.py", f"there is no {program}")
    with application(options.binary) as server:
        driver = driver_of()
        try:
            failures = sum(attempt(check, Page(driver, server)) for check in CHECKS if options.only in (None, check.__name__))
        finally:
            driver.quit()
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
