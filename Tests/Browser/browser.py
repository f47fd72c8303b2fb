#!/usr/bin/env python3
"""Checks in a real browser that no value is executed: every payload in every context, opened in Chromium.

Renders the contexts and payloads of Tests/Properties into pages with the real command, serves them on loopback, and
lets a headless Chromium open each, touch every element, click every link and submit every form. No script may run, no
URL may have a scheme that is not allowed, and no page may have elements that it lacks with harmless values. Scripts on
deliberately unescaped pages must be detected. Needs chromium; bounded in time; stops what it starts.
"""

import argparse
import concurrent.futures
import json
import pathlib
import queue
import shutil
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "Properties")]

import contexts  # noqa: E402
import payloads  # noqa: E402
import rendering  # noqa: E402
from chromium import chromium  # noqa: E402
from pages import Page, PageServer  # noqa: E402
from skipping import skip  # noqa: E402

HARMLESS = "x"
# Report every script but ours, and let it run; load no images, which would only take time.
POLICIES = {
    "Content-Security-Policy": "img-src 'none'; media-src 'none'",
    "Content-Security-Policy-Report-Only": "script-src 'nonce-ours' 'report-sample'",
}
FRAME = (
    "<!doctype html><html><head><meta charset=utf-8><title>cells</title>"
    "<script nonce=ours src=/trap.js></script></head><body><div id=cells>{}</div></body></html>"
)
# What is done wrong on purpose: nothing escaped at all, and a link escaped as if it were text.
CONTROLS = [
    contexts.CONTROL,
    contexts.Context("control link", "<a href=\"{{v}}\">x</a>", "a@href", None, is_text=True),
    contexts.Context("control attribute", "<p title=\"{{{v}}}\">x</p>", "p@title", None, is_text=True),
]


def page_of(pages, path):
    """Returns the Page of a path: the driver, its scripts, or a page of cells."""
    if path == "/":
        return Page("text/html", b"<!doctype html><title>driver</title><body><script src=/driver.js></script>")
    if path in ("/trap.js", "/driver.js"):
        return Page("text/javascript", (HERE / path[1:]).read_bytes())
    if path == "/pages":
        return Page("application/json", json.dumps(list(pages)).encode())
    cells = pages.get(path.removeprefix("/page/"))
    return Page("text/html; charset=utf-8", cells.encode(), POLICIES) if cells else None


def build(binary, context, values, rows_a_page):
    """Returns pages by name, each with its number of cells. The page named `.harmless` has one harmless cell."""
    outputs = rendering.rendered(binary, context, [HARMLESS] + values)
    name = context.name.replace(" ", "-").replace(",", "")
    pages = {f"{name}.harmless": (FRAME.format(outputs[0]), 1)}
    for number, start in enumerate(range(1, len(outputs), rows_a_page)):
        rows = outputs[start:start + rows_a_page]
        pages[f"{name}.{number}"] = (FRAME.format("".join(rows)), len(rows))
    return pages


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--binary", default=str(payloads.ROOT / ".build/debug/cellfactory"))
    arguments.add_argument("--only", help="contexts whose names contain this")
    arguments.add_argument("--seconds", type=float, default=300, help="give up after that long")
    options = arguments.parse_args()
    if not shutil.which("chromium"):
        return skip("Tests/Browser/browser.py", "there is no chromium")
    deadline = time.monotonic() + options.seconds
    start = time.monotonic()
    values = payloads.base()
    chosen = [each for each in contexts.ALL if options.only is None or options.only in each.name]
    if not chosen:
        sys.exit(f"browser: no context has {options.only!r} in its name")
    failures, pages, rows, strings = [], {}, {}, 0
    with concurrent.futures.ThreadPoolExecutor(2) as workers:
        tasks = [
            (each, workers.submit(build, options.binary, each, values + payloads.some_edged(values, 400, number), 1000))
            for number, each in enumerate(chosen)
        ]
        harmful = payloads.SCRIPTS + payloads.schemes()
        tasks += [(each, workers.submit(build, options.binary, each, harmful, 25)) for each in CONTROLS]
        for context, task in tasks:
            try:
                for name, (page, count) in task.result().items():
                    pages[name], rows[name] = page, (context, count)
                    strings += count
            except RuntimeError as error:
                failures.append(f"{context.name}: {error}")

    harmless, fired, opened = {}, {}, 0
    with PageServer(lambda path: page_of(pages, path)) as server, chromium(server.url + "/"):
        try:
            while True:
                path, seen = server.reports.get(timeout=max(deadline - time.monotonic(), 0.1))
                if path == "/done":
                    break
                opened += 1
                context, count = rows[seen["page"]]
                if context in CONTROLS:
                    fired.setdefault(context.name, []).extend(seen["fired"])
                    continue
                if seen["count"]:
                    failures.append(f"{seen['page']}: {seen['count']} times, {seen['fired'][:3]}")
                if seen["page"].endswith(".harmless"):
                    harmless[context.name] = seen["elements"]
                elif seen["elements"] != count * harmless[context.name]:
                    failures.append(f"{seen['page']}: {seen['elements']} elements instead of {count * harmless[context.name]}")
        except queue.Empty:
            failures.append(f"only {opened} of {len(rows)} pages were opened in {options.seconds:.0f} seconds")

    for context in CONTROLS:
        calls = sum(what.startswith("alert(") for what in fired.get(context.name, []))
        reports = sum(what.startswith("script-src") for what in fired.get(context.name, []))
        if calls < 5 or reports < 5:
            failures.append(f"{context.name}: it ran {calls} times, reported {reports} times: this test would see nothing")
    for failure in failures:
        print(failure)
    print(f"browser: {opened} pages, {len(chosen)} contexts, {strings} values, {time.monotonic() - start:.0f} s")
    print(f"{max(len(rows) - len(failures), 0)} passed, {len(failures)} failed")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
