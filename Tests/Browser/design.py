#!/usr/bin/env python3
"""Checks that a nib opens in a browser as designed, and that its filled cells differ only where data is bound.

Opens every nib of the templates in Chromium twice: unchanged, and with each cell replaced by its sample rows, rendered
by the real command. Before the replacement, the page compares each row with the designed cell, element by element. It
repeats this with deliberately damaged rows, which must be detected. A screenshot of both pages is taken; --output keeps
them.
"""

import argparse
import contextlib
import json
import pathlib
import queue
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from chromium import chromium  # noqa: E402
from pages import Page, PageServer  # noqa: E402
from skipping import skip  # noqa: E402

SECONDS = 60
WINDOW = "1000,1800"
TYPES = {".html": "text/html; charset=utf-8", ".svg": "image/svg+xml", ".js": "text/javascript"}


def page_of(files, rows, target):
    """The Page of a file of the templates. A nib that is asked for with `?filled` fills itself, and reports what it saw."""
    path, _, query = target[1:].partition("?")
    if path == "design.js":
        return Page(TYPES[".js"], (HERE / "design.js").read_bytes())
    if path not in files:
        return None
    body = files[path].read_bytes()
    if query == "filled":
        values = json.dumps(rows).replace("<", "\\u003c")
        body += f"<script>const ROWS = {values};</script><script src=/design.js></script>".encode()
    return Page(TYPES.get(pathlib.PurePath(path).suffix, "application/octet-stream"), body)


def drawn(binary, templates, kind, sample):
    """Renders each row of a sample as one kind."""
    command = [binary, "render", kind, "--templates", str(templates), "--format", "ndjson", str(sample)]
    run = subprocess.run(command, capture_output=True, timeout=60, check=True)
    return [json.loads(line)["html"] for line in run.stdout.decode("utf-8").split("\n") if line]


def rows_of(binary, templates, kind, partials):
    """Renders the sample rows of a kind, and each row also as the kinds that it calls."""
    sample = templates / f"{kind}.sample.json"
    if not sample.exists():
        return []
    calls = {name: drawn(binary, templates, name, sample) for name in partials}
    return [
        {"html": html, "calls": {name: each[place] for name, each in calls.items()}}
        for place, html in enumerate(drawn(binary, templates, kind, sample))
    ]


def photograph(address, picture):
    """Opens a page and takes its picture."""
    options = (f"--screenshot={picture}", f"--window-size={WINDOW}", "--hide-scrollbars")
    with chromium(address, *options) as browser, contextlib.suppress(subprocess.TimeoutExpired):
        browser.wait(timeout=SECONDS)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--binary", default=str(ROOT / ".build/debug/cellfactory"))
    arguments.add_argument("--templates", type=pathlib.Path, default=ROOT / "templates")
    arguments.add_argument("--output", type=pathlib.Path, help="where the pictures are kept")
    options = arguments.parse_args()
    if not shutil.which("chromium"):
        return skip("Tests/Browser/design.py", "there is no chromium")
    with tempfile.TemporaryDirectory() as folder:
        output = options.output or pathlib.Path(folder)
        output.mkdir(parents=True, exist_ok=True)
        sys.exit(1 if compare(options, output) else 0)


def compare(options, output):
    """Compares every nib with its filled cells. Prints and returns the differences."""
    templates = options.templates
    files = {path.relative_to(templates).as_posix(): path for path in templates.rglob("*") if path.is_file()}
    listed = subprocess.run(
        [options.binary, "kinds", "--json", "--templates", str(templates)], capture_output=True, check=True)
    cells = [each for each in json.loads(listed.stdout)["kinds"] if "nib" in each]
    kinds = {each["kind"]: each["nib"] for each in cells}
    samples = {each["kind"]: rows_of(options.binary, templates, each["kind"], each["partials"]) for each in cells}

    failures, rows, spoilt, nibs = [], 0, 0, sorted(set(kinds.values()))
    with PageServer(lambda target: page_of(files, samples, target)) as server:
        for nib in nibs:
            address, name = f"{server.url}/{nib}.html", nib.replace("/", "-")
            photograph(address, output / f"{name}.designed.png")
            photograph(address + "?filled", output / f"{name}.filled.png")
            for picture in (f"{name}.designed.png", f"{name}.filled.png"):
                if not (output / picture).exists():
                    failures.append(f"{nib}: no {picture}")
            try:
                _, seen = server.reports.get(timeout=1)
            except queue.Empty:
                failures.append(f"{nib}: the page reported nothing before it was photographed")
                continue
            failures += [f"{nib}: {each}" for each in seen["failures"]]
            rows, spoilt = rows + seen["rows"], spoilt + seen["spoilt"]
            found = sorted(kind for kind, of in kinds.items() if of == nib)
            if sorted(seen["kinds"]) != found:
                failures.append(f"{nib}: the page has the cells {sorted(seen['kinds'])}, not {found}")
    if not rows or not spoilt:
        failures.append("nothing was compared")
    for failure in failures:
        print(failure)
    print(f"design: {len(nibs)} nibs, {rows} rows and {spoilt} spoilt ones compared, {len(failures)} failed")
    return failures


if __name__ == "__main__":
    main()
