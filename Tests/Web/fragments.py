#!/usr/bin/env python3
"""Puts what the server sends for pages into pages, in Chromium by remote control: style sheets with their scopes and files,
fragments for htmx as the cookbook has them, and Turbo Streams. The pages live under a strict policy with Trusted Types; htmx and
Turbo have the default policies of their examples.

htmx and Turbo are read from the folder that CELLFACTORY_WEB_LIBRARIES names, else from ../shared/web. Without them, what needs
them is skipped. Needs chromium and chromedriver; bounded in time; ends what it starts.
"""

import argparse
import functools
import http.client
import http.server
import json
import os
import pathlib
import re
import sys
import tempfile
import threading
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "Preview")]

from application import Factory  # noqa: E402
from policy import TOLD, expect_strict, expect_told, log, settle, watch  # noqa: E402
from preview import attempt, driver_of, expect  # noqa: E402
from server import until  # noqa: E402
from skipping import is_skipped_without, pass_over  # noqa: E402

# Of every page. The factory's address takes the place of its name; the nonce is for the style of Turbo's progress bar.
POLICY = (
    "default-src 'none'; script-src 'self' FACTORY; style-src 'self' FACTORY 'nonce-own'; img-src FACTORY; font-src FACTORY; connect-src 'self' FACTORY; "
    "base-uri 'none'; form-action 'self'; require-trusted-types-for 'script'; trusted-types default cellfactory")
LIBRARIES = pathlib.Path(os.environ.get("CELLFACTORY_WEB_LIBRARIES") or ROOT / "../shared/web")
SECONDS = 30
# Ids and texts that run something, or choose other elements, where they are not escaped.
HOSTILE = [
    "1", "-1", "a b", "a.b:c", "a\"]", "a'", "a,*", "<script>ran=1</script>", "\"><img src=x onerror=ran=1>", "a\\", "a\\31 ",
    "{id}", "\n", "é😀", "&quot;", "]", ")", "</template></turbo-stream><script>ran=1</script>",
]


def recipe():
    """The nib of the cookbook's recipe for rows of tables."""
    found = re.search(r"```html lines\.html\n(.*?)```", (ROOT / "docs/cookbook.md").read_text(), re.S)
    return found[1]


NIBS = {
    "lines.html": recipe(),
    "shop/feed.html": """
      <link rel="stylesheet" href="css/feed.css"><link rel="stylesheet" href="design.css" data-design>
      <style>@import "css/more.css"; .card { color: rgb(1, 2, 3); background: url(dot.svg) } } .leak { color: red }</style>
      <style media="print">.card { color: rgb(9, 9, 9) }</style>
      <style>@keyframes turn { to { opacity: 0.5 } } @font-face { font-family: own; src: url(css/none.woff2) }
        .card b { animation: turn 1s forwards paused; font-family: own } .open { color: red</style>
      <style>.last { color: rgb(4, 5, 6) }</style>
      <div class="card" data-cell="card"><b data-outlet="title">Title</b></div>""",
    "shop/css/feed.css": ".linked { background-image: url(../dot.svg); color: rgb(7, 8, 9) }",
    "shop/css/more.css": ".imported { color: rgb(10, 11, 12) }",
    "shop/dot.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>',
}

PAGE = """<!doctype html><html><head><meta charset="utf-8"><title>t</title>{head}</head><body>
<table><tbody id="lines">{rows}</tbody></table><div id="place"><i id="first">first</i></div>
{body}</body></html>"""


class Application(http.server.ThreadingHTTPServer):
    """Pages, the libraries, and an application that asks the factory for fragments."""

    daemon_threads = True

    def __init__(self, factory):
        super().__init__(("127.0.0.1", 0), Handler)
        self.factory = factory
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        self.page = ""
        # What /change and /new send to the factory: a path and a body.
        self.change, self.new = ("", ""), ("", "")

    def ask(self, method, path, body=None, headers=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.factory.port, timeout=SECONDS)
        try:
            connection.request(method, path, body, headers or {"Content-Type": "application/json"})
            answer = connection.getresponse()
            return answer.status, answer.headers["Content-Type"], answer.read()
        finally:
            connection.close()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        path = self.path.partition("?")[0]
        if path in ("/htmx.js", "/turbo.js"):
            file = {"/htmx.js": "htmx-2.0.10.min.js", "/turbo.js": "turbo.min.js"}[path]
            return self.send(200, "text/javascript", (LIBRARIES / file).read_bytes())
        if path == "/change":
            return self.send(*self.server.ask("POST", *self.server.change))
        if path == "/new":
            return self.send(*self.server.ask("POST", *self.server.new))
        if path == "/form":
            # As an application passes on a form, with what the browser accepts.
            return self.send(*self.server.ask(
                "POST", "/cells/line?action=append&target=lines", body,
                {"Content-Type": self.headers["Content-Type"], "Accept": self.headers["Accept"]}))
        if path in ("/htmx-page.js", "/turbo-page.js"):
            return self.send(200, "text/javascript", (ROOT / "examples" / path[1:].replace("-", "/")).read_bytes())
        if path == "/":
            return self.send(200, "text/html; charset=utf-8", self.server.page.encode())
        self.send(404, "text/plain", b"")

    do_GET = do_POST = answer

    def send(self, status, content_type, body):
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("Content-Security-Policy", POLICY.replace("FACTORY", self.server.factory.url))
        self.end_headers()
        self.wfile.write(body)


class Page:
    def __init__(self, driver, server):
        self.driver, self.server = driver, server
        self.factory = server.factory

    def open(self, head="", body="", rows=""):
        self.server.page = PAGE.format(head=head, body=body, rows=rows)
        self.driver.get(self.server.url + "/")

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def rows(self, rows):
        """Rows of the recipe's table, as HTML."""
        status, _, body = self.server.ask("POST", "/cells/line", json.dumps(rows))
        expect(status == 200, body)
        return body.decode()

    def lines(self):
        """The rows of the table as it is: their ids and texts."""
        return self.run("""return [...document.querySelectorAll('#lines > tr')].map((row) =>
            [row.id, row.children.length === 1 && row.children[0].localName === 'td' ? row.textContent : 'broken'])""")

    def colour(self, selector, property="color"):
        return self.run("return getComputedStyle(document.querySelector(arguments[0]))[arguments[1]]", selector, property)

    def loads(self, value):
        """The width of the image in a value of CSS, as a page of another origin may read it; 0 if it does not load."""
        return self.driver.execute_async_script("""
          const image = new Image();
          image.crossOrigin = 'anonymous';
          image.onload = () => arguments[1](image.naturalWidth);
          image.onerror = () => arguments[1](0);
          image.src = arguments[0].slice(5, -2);""", value)

    def expect_nothing_ran(self):
        expect(not self.run("return window.ran"), "data has run a script")

    # MARK: Turbo

    def stream(self, path, rows):
        """Renders rows as Turbo Streams, and lets Turbo do what they say."""
        status, content_type, body = self.server.ask("POST", path, json.dumps(rows))
        expect(status == 200 and content_type.startswith("text/vnd.turbo-stream.html"), status, body)
        self.run("window.done = false; Turbo.renderStreamMessage(arguments[0]);"
                 "requestAnimationFrame(() => requestAnimationFrame(() => window.done = true))", body.decode())
        expect(until(lambda: self.run("return window.done")), "Turbo does not render")


# MARK: Styles

def sheets_have_scopes_and_files(page):
    body = """<div class="card" id="out"></div><div class="linked"></div><div class="imported"></div><div class="open" id="o"></div>
      <div class="scope"><div class="card" id="in"><b>x</b></div><div class="last"></div><div class="leak"></div></div>
      <div class="last" id="lastout"></div><div class="leak" id="leakout"></div>"""
    page.open(f'<link rel="stylesheet" href="{page.factory.url}/styles/shop/feed.css?scope=.scope">', body)
    expect(until(lambda: page.colour("#in") == "rgb(1, 2, 3)"), "the rules do not hold in the scope:", page.colour("#in"))
    expect(page.colour("#out") == "rgb(0, 0, 0)", "the rules hold outside of the scope")
    for selector in ("#lastout", "#leakout", "#o"):
        expect(page.colour(selector) == "rgb(0, 0, 0)", "a rule leaves the scope:", selector)
    expect(page.colour(".scope .last") == "rgb(4, 5, 6)", "a style that is open swallows the next")
    expect(until(lambda: page.colour(".linked") == "rgb(7, 8, 9)"), "a linked sheet is missing")
    expect(page.colour(".imported") == "rgb(10, 11, 12)", "an imported sheet is missing")
    expect(page.colour("#in b", "animationName") == "turn" and page.colour("#in b", "opacity") == "1", "keyframes are missing")
    expect(page.run("return document.querySelector('#in b').getAnimations().length") == 1, "the animation is unknown")
    for selector in ("#in", ".linked"):
        expect(page.loads(page.colour(selector, "backgroundImage")) == 4, "the image of", selector, "does not load")
    names = page.run("return performance.getEntriesByType('resource').map((entry) => entry.name)")
    expect(not any("design" in name for name in names), "a design's sheet is loaded")

    page.open(f'<link rel="stylesheet" href="{page.factory.url}/styles.css?kinds=card">', body)
    expect(until(lambda: page.colour("#out") == "rgb(1, 2, 3)"), "/styles.css does not import")
    expect(page.colour("#lastout") == "rgb(4, 5, 6)", "a rule is missing")
    # The address with a version is not asked for again.
    kinds = json.loads(page.server.ask("GET", "/kinds")[2])
    page.open(f'<link rel="stylesheet" href="{page.factory.url}{kinds["stylesheet"]}">', body)
    expect(until(lambda: page.colour("#out") == "rgb(1, 2, 3)"), "the sheet of all nibs is missing")


def scripts_may_load_the_module(page):
    """From another origin, which a module script must be allowed."""
    page.open(f'<script type="module" src="{page.factory.url}/cells.js"></script>')
    expect(until(lambda: page.run("return !!customElements.get('cell-table')")), "the module does not define <cell-table>")
    status, content_type, types = page.server.ask("GET", "/cells.d.ts")
    expect(status == 200 and b"export" in types, content_type)


# MARK: htmx

HTMX = ('<meta name="htmx-config" content=\'{"includeIndicatorStyles":false,"allowEval":false,"selfRequestsOnly":false}\'>'
        '<script src="/htmx-page.js"></script><script src="/htmx.js"></script>')


def htmx_swaps_rows_of_tables(page):
    rows = page.rows([{"id": 7, "name": "Tea"}, {"id": 8, "name": "Milk"}, {"id": 9, "name": "Bread"}])
    owner = {"oob": "true"}
    page.server.change = ("/cells/line-change", json.dumps(
        {"owner": owner, "rows": [{"id": 8, "name": "<script>ran=1</script>"}, {"id": 7, "name": "Green tea"}]}))
    page.server.new = ("/cells/line-new", json.dumps([{"id": 10, "name": "Honey"}]))
    page.open(HTMX, '<button id="change" hx-get="/change" hx-swap="none">c</button><button id="new" hx-post="/new" hx-swap="none">n</button>', rows)
    page.run("window.kept = document.getElementById('line-9'); document.getElementById('change').click()")
    changed = [["line-7", "Green tea"], ["line-8", "<script>ran=1</script>"], ["line-9", "Bread"]]
    expect(until(lambda: page.lines() == changed), "htmx makes", page.lines())
    expect(page.run("return window.kept === document.getElementById('line-9')"), "an unchanged row is a new element")
    page.run("document.getElementById('new').click()")
    expect(until(lambda: page.lines() == changed + [["line-10", "Honey"]]), "htmx makes", page.lines())
    page.expect_nothing_ran()


def htmx_asks_the_factory_itself(page):
    """From the page's origin, which the server allows."""
    page.open(HTMX, f'<button hx-get="{page.factory.url}/cells/card?title=Hi" hx-target="#place" hx-swap="beforeend">g</button>')
    page.run("document.querySelector('button').click()")
    expect(until(lambda: page.run("return document.querySelector('#place .card b')?.textContent") == "Hi"), "no cell comes")


# MARK: Turbo

TURBO = ('<meta name="csp-nonce" content="own"><script type="module" src="/turbo-page.js"></script>'
         '<script type="module" src="/turbo.js"></script>')


def open_turbo(page, rows="", body=""):
    page.open(TURBO, body, rows)
    expect(until(lambda: page.run("return !!window.Turbo")), "Turbo is not loaded")


def turbo_does_what_streams_say(page):
    open_turbo(page, page.rows([{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]))
    path = "/cells/line?format=turbo-stream"
    page.stream(f"{path}&action=append&target=lines", [{"id": 3, "name": "c"}, {"id": 4, "name": "d"}])
    page.stream(f"{path}&action=prepend&target=lines", {"id": 0, "name": "o"})
    page.stream(f"{path}&action=before&target=line-2", {"id": 15, "name": "1.5"})
    page.stream(f"{path}&action=after&targets=%23line-2", {"id": 25, "name": "2.5"})
    page.stream(f"{path}&action=replace&target=line-%7Bid%7D", [{"id": 3, "name": "C"}, {"id": 1, "name": "A"}])
    expect(page.lines() == [["line-0", "o"], ["line-1", "A"], ["line-15", "1.5"], ["line-2", "b"], ["line-25", "2.5"], ["line-3", "C"],
                            ["line-4", "d"]], page.lines())
    page.run("window.kept = document.getElementById('line-2')")
    page.stream(f"{path}&action=replace&method=morph&target=line-%7Bid%7D", {"id": 2, "name": "B"})
    expect(["line-2", "B"] in page.lines() and page.run("return window.kept === document.getElementById('line-2')"), "it is no morph")
    page.stream("/cells?format=turbo-stream&action=append&target=place", [
        {"kind": "card", "data": {"title": "x"}}, {"kind": "line", "data": {"id": 4, "name": "D"}, "action": "replace", "target": "line-4"},
        {"kind": "card", "data": {"title": "y"}}])
    expect(page.lines()[-1] == ["line-4", "D"], page.lines())
    expect(page.run("return document.getElementById('place').textContent.replace(/\\s/g, '')") == "firstxy", "cards are elsewhere")
    page.stream(f"{path}&action=update&target=lines", [])
    expect(page.lines() == [], "an update with no rows leaves", page.lines())


def turbo_finds_hostile_ids(page):
    open_turbo(page)
    for way in ("target=line-{id}", "targets=[id=\"line-{id}\"]", "targets=tr#line-{id}"):
        page.stream("/cells/line?format=turbo-stream&action=update&target=lines", [{"id": one, "name": "old"} for one in HOSTILE])
        before = page.lines()
        expect([text for _, text in before] == ["old"] * len(HOSTILE), before)
        page.stream("/cells/line?format=turbo-stream&action=replace&" + urllib.parse.quote(way, safe="="),
                    [{"id": one, "name": f"new {one}"} for one in HOSTILE])
        after = page.lines()
        expect([one for one, _ in after] == [one for one, _ in before], way, after)
        for (_, text), one in zip(after, HOSTILE):
            expect(text == f"new {one}", way, one, text)
        page.expect_nothing_ran()


def turbo_sends_forms(page):
    """A form of the page, whose answer the factory makes because Turbo accepts streams."""
    open_turbo(page, body='<form method="post" action="/form"><input name="id" value="5"><input name="name" value="Salt &amp; pepper"></form>')
    page.run("document.querySelector('form').requestSubmit()")
    expect(until(lambda: page.lines() == [["line-5", "Salt & pepper"]]), page.lines())


PLAIN = [sheets_have_scopes_and_files, scripts_may_load_the_module]
WITH_LIBRARIES = {
    "htmx-2.0.10.min.js": [htmx_swaps_rows_of_tables, htmx_asks_the_factory_itself],
    "turbo.min.js": [turbo_does_what_streams_say, turbo_finds_hostile_ids, turbo_sends_forms],
}


def under_policy(check):
    """A check, and that nothing broke the page's policy meanwhile, which would have been told."""
    @functools.wraps(check)
    def judged(page):
        log(page.driver)
        check(page)
        settle()
        broken = [line for line in log(page.driver) if TOLD in line]
        expect(not broken, broken[:3])
        expect_told(page.driver)
    return judged


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--binary", default=str(ROOT / ".build/debug/cellfactory"))
    options = arguments.parse_args()
    if is_skipped_without("Tests/Web/fragments.py", "chromium", "chromedriver"):
        return 0
    checks = list(PLAIN)
    for file, needing in WITH_LIBRARIES.items():
        if (LIBRARIES / file).is_file():
            checks += needing
        else:
            pass_over("Tests/Web/fragments.py", f"there is no {file}; name its folder by CELLFACTORY_WEB_LIBRARIES")
    with tempfile.TemporaryDirectory() as folder:
        for path, text in NIBS.items():
            file = pathlib.Path(folder, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        # The application's port must be known before the factory starts, which lists its origin.
        server = Application(None)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        factory = server.factory = Factory(options.binary, folder, "--cors-origin", server.url)
        driver = driver_of()
        watch(driver)
        try:
            expect_strict(POLICY)
            failures = sum(attempt("fragments", under_policy(check), Page(driver, server)) for check in checks)
        finally:
            driver.quit()
            server.shutdown()
            server.server_close()
            factory.end()
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
