#!/usr/bin/env python3
"""Checks cross-origin requests in a real browser: a page of an allowed origin can post rows and read the answer.

A page of another origin cannot.

Starts the real server with one allowed origin and compression, and two servers of a page on loopback, each with its own
origin. A headless Chromium opens both pages, whose scripts send requests to the service and report what they could
read. Needs chromium; bounded in time; stops what it starts.
"""

import argparse
import json
import pathlib
import queue
import re
import shutil
import subprocess
import sys
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "Tests"))

from chromium import chromium  # noqa: E402
from ending import end  # noqa: E402
from pages import Page, PageServer  # noqa: E402
from skipping import skip  # noqa: E402

PAGE = "<!doctype html><meta charset=utf-8><title>asks</title><script src=/ask.js></script>"
POLICY = "default-src 'none'; script-src 'self'; connect-src 'self' SERVICE; require-trusted-types-for 'script'; trusted-types 'none'"
SCRIPT = """const broken = [];
document.addEventListener("securitypolicyviolation", (event) => broken.push(`${event.effectiveDirective} ${event.blockedURI}`));
const service = "SERVICE", seen = {};
async function ask(name, path, options) {
  try {
    const answer = await fetch(service + path, options);
    seen[name] = {status: answer.status, body: await answer.text(), headers: Object.fromEntries(answer.headers)};
  } catch (error) { seen[name] = {error: String(error)}; }
}
const json = {"Content-Type": "application/json", "X-Request-Id": "from-a-page"};
const body = JSON.stringify([{title: "Bread & roses ".repeat(200)}]);
(async () => {
  await ask("rows", "/cells/news?format=json", {method: "POST", headers: json, body});
  await ask("bad", "/cells/news", {method: "POST", headers: json, body: "["});
  await ask("unknown", "/cells/none", {});
  await ask("tagged", "/cells/news?title=Hi", {cache: "no-store"});
  await ask("simple", "/cells/news", {method: "POST", body: "title=Hi",
    headers: {"Content-Type": "application/x-www-form-urlencoded"}});
  await ask("skipped", "/cells?on_error=skip", {method: "POST", headers: json, body: '[{"kind":"none"}]'});
  // What breaks the policy is told a while later.
  await new Promise((done) => setTimeout(done, 500));
  await fetch("/seen", {method: "POST", body: JSON.stringify({seen, broken})});
})();
"""


def reported(server, seconds):
    """Returns what the page of that origin reported. Nothing may have broken its policy."""
    with chromium(server.url + "/"):
        try:
            report = server.reports.get(timeout=seconds)[1]
        except queue.Empty:
            sys.exit(f"the page reported nothing in {seconds:.0f} seconds")
    if report["broken"]:
        sys.exit(f"the page's policy is broken: {report['broken']}")
    return report["seen"]


def requests(address):
    """How many requests the service has answered until now."""
    with urllib.request.urlopen(address + "/metrics") as answer:
        return sum(map(int, re.findall(r"^cellfactory_requests_total\S* (\d+)$", answer.read().decode(), re.MULTILINE)))


def faults_of_listed(seen):
    def check(name, holds):
        if not holds:
            yield f"listed: {name}: {json.dumps(seen.get(name))[:500]}"

    rows, bad, unknown, tagged = seen["rows"], seen["bad"], seen["unknown"], seen["tagged"]
    yield from check("rows", rows.get("status") == 200 and "Bread &amp; roses" in rows["body"]
                     and rows["headers"].get("x-request-id") == "from-a-page"
                     and len(rows["headers"].get("cellfactory-archive", "")) == 32
                     and rows["headers"].get("content-encoding") == "gzip")
    yield from check("bad", bad.get("status") == 400 and json.loads(bad["body"])["line"] == 1)
    yield from check("unknown", unknown.get("status") == 404)
    yield from check("tagged", tagged.get("status") == 200 and tagged["headers"].get("etag", "").startswith('"'))
    yield from check("simple", seen["simple"].get("status") == 200 and "Hi" in seen["simple"]["body"])
    yield from check("skipped", seen["skipped"].get("status") == 200
                     and seen["skipped"]["headers"].get("cellfactory-errors") == "1")


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--binary", default=str(ROOT / ".build/debug/cellfactory"))
    arguments.add_argument("--seconds", type=float, default=60, help="give up on a page after that long")
    options = arguments.parse_args()
    if not shutil.which("chromium"):
        return skip("Tests/Browser/origins.py", "there is no chromium")
    start = time.monotonic()
    pages = {}
    with PageServer(pages.get) as listed, PageServer(pages.get) as other:
        service = subprocess.Popen(
            [options.binary, "serve", "--templates", str(ROOT / "templates"), "--port", "0", "--workers", "1",
             "--cors-origin", listed.url, "--compression", "on"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            address = service.stdout.readline().removeprefix("listening on ").strip()
            pages["/"] = Page("text/html", PAGE.encode(), {"Content-Security-Policy": POLICY.replace("SERVICE", address)})
            pages["/ask.js"] = Page("text/javascript", SCRIPT.replace("SERVICE", address).encode())
            failures = list(faults_of_listed(reported(listed, options.seconds)))
            before = requests(address)
            seen = reported(other, options.seconds)
            # A request that the browser lets nobody read has been answered all the same, itself or its preflight.
            if (answered := requests(address) - before - 1) < len(seen):
                failures.append(f"not listed: {answered} requests were answered")
            failures += [f"not listed: {name}: {answer}" for name, answer in seen.items() if "error" not in answer]
            if len(seen) != 6:
                failures.append(f"not listed: {list(seen)}")
        finally:
            end(service)
    for failure in failures:
        print(failure)
    print(f"origins: 2 pages, 12 requests, {len(failures)} failed, {time.monotonic() - start:.0f} s")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
