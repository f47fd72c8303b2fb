#!/usr/bin/env python3
"""Checks in a real browser that no value is executed: every payload in every context, opened in Chromium.

Renders the contexts and payloads of Tests/Properties into pages with the real command, serves them on loopback, and
lets a headless Chromium open each, touch every element, click every link and submit every form. No script may run, no
URL may have a scheme that is not allowed, and no page may have elements that it lacks with harmless values. Scripts on
deliberately unescaped pages must be detected. Needs chromium; bounded in time; stops what it starts.
"""

import argparse
import concurrent.futures
import http.server
import json
import pathlib
import queue
import shutil
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "Properties")]

import contexts  # noqa: E402
import payloads  # noqa: E402
import rendering  # noqa: E402
from chromium import chromium, end  # noqa: E402
from skipping import skip  # noqa: E402

HARMLESS = "x"
# Reports every script but ours, and lets it run; loads no images, which would only take time.
POLICY = "script-src 'nonce-ours' 'report-sample'"
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


class Pages(http.server.BaseHTTPRequestHandler):
    """Pages of cells, the scripts around them, and a place to report to."""

    pages = {}
    seen = queue.Queue()
    protocol_version = "HTTP/1.1"
    # Heads and bodies go out at once.
    disable_nagle_algorithm = True
    wbufsize = 1 << 16

    def do_GET(self):
        if self.path == "/":
            self.answer("text/html", b"<!doctype html><title>driver</title><body><script src=/driver.js></script>")
        elif self.path in ("/trap.js", "/driver.js"):
            self.answer("text/javascript", (HERE / self.path[1:]).read_bytes())
        elif self.path == "/pages":
            self.answer("application/json", json.dumps(list(self.pages)).encode())
        elif self.path.startswith("/page/") and self.path[6:] in self.pages:
            self.answer("text/html; charset=utf-8", self.pages[self.path[6:]].encode(), isolated=True)
        else:
            self.answer("text/plain", b"", status=404)

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.path == "/seen":
            self.seen.put(json.loads(body))
        if self.path == "/done":
            self.seen.put(None)
        self.answer("text/plain", b"")

    def answer(self, kind, body, status=200, isolated=False):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        if isolated:
            self.send_header("Content-Security-Policy", "img-src 'none'; media-src 'none'")
            self.send_header("Content-Security-Policy-Report-Only", POLICY)
        self.end_headers()
        self.wfile.write(body)

    def handle(self):
        try:
            super().handle()
        except ConnectionError:
            pass  # a page that is left does not wait for its answers

    def log_message(self, *_):
        pass


def build(binary, context, values, rows_a_page):
    """Pages by name, each with the number of its cells, and the elements of one harmless cell's page."""
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
    failures, rows, strings = [], {}, 0
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
                    Pages.pages[name], rows[name] = page, (context, count)
                    strings += count
            except RuntimeError as error:
                failures.append(f"{context.name}: {error}")

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    harmless, fired, opened = {}, {}, 0
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        browser = chromium(f"http://127.0.0.1:{server.server_port}/", folder)
        try:
            while (seen := Pages.seen.get(timeout=max(deadline - time.monotonic(), 0.1))) is not None:
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
        finally:
            end(browser)
            server.shutdown()

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
