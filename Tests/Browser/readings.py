#!/usr/bin/env python3
"""Checks that no value leaves its attribute, wherever a page puts the cell: in templates, SVG, MathML or a table.

HTML is parsed depending on its context: the same text is markup in one place and text in another. Renders cells with
the real command, and lets Chromium parse them in each of these places. No element may have an attribute named by a
value; in deliberately unescaped markup, such attributes must be detected. Needs chromium; bounded in time; stops what it
starts.
"""

import argparse
import json
import pathlib
import queue
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "Tests"))

from chromium import chromium  # noqa: E402
from pages import Page, PageServer  # noqa: E402
from skipping import skip  # noqa: E402

# Without quotes around it, it is attributes.
VALUE = " onx=1 evil "
BEHIND = "<p title=\"{{v}}\">{{v}}</p><svg><g id=\"{{v}}\"></g></svg>"
# What stands before a value. Each is a cell that is accepted.
ACCEPTED = [
    "", "<noscript><img src=\"/a\" alt=\"b\"><p>c</p></noscript>", "<noembed><b title=\"a\">c</b></noembed>",
    "<title><img src=\"x></title>", "<textarea><img src=\"x></textarea>", "<title></titl<b a=\"</title>",
    "<style>@media (width < 9px) { a > b { content: \"x\" } }</style>", "<script>if (1 < 2) \"a\"</script>",
    "<div><style>/*<a title=\"*/</style></div>", "<div><script>\"<a title=\"</script></div>",
    "<svg><title><b>a</b></title><![CDATA[ \"<a title=' ]]></svg>", "<g><title>a < \"b</title></g>",
    "<math><mi>\"a</mi></math>", "<template><b title=\"a\">c</b></template>", "<!-- <a title=\" --><b>c</b>",
]
# The same, refused: a parser reads the value outside of its quotes.
REFUSED = [
    "<noscript><img src=\"/a></noscript>", "<noembed><img src=\"/a></noembed>", "<style>/*<a title=\"*/</style>",
    "<script>\"<a title=\"</script>", "<xmp><a title=\"</xmp>", "<noframes><a title=\"</noframes>",
    "<iframe><a title=\"</iframe>", "<g><![CDATA[ > <a title=\" ]]></g>", "<g><title><a alt=\"</title><b a=\"></a></title></g>",
]
PAGE = """<!doctype html><meta charset=utf-8><script>
const names = /^(onx|evil)/, svg = 'http://www.w3.org/2000/svg', math = 'http://www.w3.org/1998/Math/MathML'
function evil(root) {
  return [...root.querySelectorAll('*')].flatMap(each =>
    [...each.attributes].filter(a => names.test(a.name)).map(a => each.localName + '@' + a.name)
      .concat(each.content ? evil(each.content) : []))
}
const inside = (element, text) => { element.innerHTML = text; return evil(element.content ?? element) }
const places = {
  'template': text => inside(document.createElement('template'), text),
  'div': text => inside(document.createElement('div'), text),
  'svg': text => inside(document.createElementNS(svg, 'svg'), text),
  'g': text => inside(document.createElementNS(svg, 'g'), text),
  'foreignObject': text => inside(document.createElementNS(svg, 'foreignObject'), text),
  'math': text => inside(document.createElementNS(math, 'math'), text),
  'drawing': text => inside(document.createElement('div'), `<svg><g>${text}</g></svg>`),
  'table': text => inside(document.createElement('table'), text),
  'document': text => evil(new DOMParser().parseFromString(text, 'text/html')),
}
fetch('/cells').then(answer => answer.json()).then(cells => fetch('/seen', { method: 'POST', body: JSON.stringify(
  cells.map(text => Object.entries(places).flatMap(([name, read]) => read(text).map(found => `${name}: ${found}`)))) }))
</script>"""


def rendered(binary, template):
    """Returns the cell's output, or None if the template is refused."""
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "cell.mustache").write_text(template, encoding="utf-8")
        run = subprocess.run(
            [binary, "render", "cell", "--templates", folder, "--format", "html"], capture_output=True, timeout=60,
            input=json.dumps({"v": VALUE}).encode())
        return run.stdout.decode() if run.returncode == 0 else None


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--binary", default=str(ROOT / ".build/debug/cellfactory"))
    arguments.add_argument("--seconds", type=float, default=60, help="give up after that long")
    options = arguments.parse_args()
    if not shutil.which("chromium"):
        return skip("Tests/Browser/readings.py", "there is no chromium")
    failures = []
    for start in REFUSED:
        if rendered(options.binary, start + BEHIND) is not None:
            failures.append(f"{start} is accepted")
    cells = [(start, rendered(options.binary, start + BEHIND)) for start in ACCEPTED]
    failures += [f"{start} is refused" for start, output in cells if output is None]
    cells = [(start, output) for start, output in cells if output is not None]
    # As they would be printed: the browser must see what is wrong with each.
    controls = [(start, start + BEHIND.replace("{{v}}", VALUE)) for start in REFUSED]
    pages = {
        "/": Page("text/html", PAGE.encode()),
        "/cells": Page("application/json", json.dumps([output for _, output in cells + controls]).encode()),
    }
    with PageServer(pages.get) as server, chromium(server.url + "/"):
        try:
            _, seen = server.reports.get(timeout=options.seconds)
        except queue.Empty:
            seen = []
            failures.append(f"nothing was seen in {options.seconds:.0f} seconds")
    for (start, output), found in zip(cells, seen):
        if found:
            failures.append(f"{start}: {found}, in {output!r}")
    for (start, _), found in zip(controls, seen[len(cells):]):
        if not found:
            failures.append(f"{start}: nothing is seen where it is not refused: this test would see nothing")
    for failure in failures:
        print(failure)
    print(f"readings: {len(cells)} cells and {len(controls)} controls")
    print(f"{len(ACCEPTED) + len(REFUSED) - len(failures)} passed, {len(failures)} failed")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
