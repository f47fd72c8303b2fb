#!/usr/bin/env python3
"""Uses `<cell-table>` and `cellTable` in Chromium by remote control, as pages and people do.

Every page lives under a policy that allows nothing inline and demands Trusted Types. Needs chromium and chromedriver;
bounded in time; ends what it starts.
"""

import argparse
import functools
import json
import pathlib
import random
import re
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "Preview")]

from application import POLICY, application  # noqa: E402
from policy import BREAKS, expect_strict, settle  # noqa: E402
from preview import PAYLOADS, attempt, driver_of, expect  # noqa: E402
from server import until  # noqa: E402
from skipping import is_skipped_without  # noqa: E402
import table_edges  # noqa: E402
import table_fields  # noqa: E402
import table_hosts  # noqa: E402
import table_places  # noqa: E402
import table_reloads  # noqa: E402


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


def keeps_digits(page):
    """Numbers have the digits that the source sent, however many; in a text that looks like one, NUL becomes U+FFFD."""
    page.open()
    sent = '[{"id":1,"title":79.80},{"id":2,"title":12345678901234567890.10},{"id":3,"title":"\\u00001"},{"id":4,"title":-1E+2}]'
    for text, content_type in ((sent, "application/json"), (f'{{"a":{{"rows":[1]}},"rows":{sent},"total":4}}', "application/json"),
                               (sent[1:-1].replace("},{", "}\n\n{") + "\n", "application/x-ndjson")):
        page.server.disturbances["/rows/x"] = lambda handler: handler.send(text, content_type) or True
        page.show(["cell-table", {"kind": "line", "src": "/rows/x"}])
        shown = until(lambda: page.texts("article"))
        expect(shown == ["79.80", "12345678901234567890.10", "\ufffd1", "-1E+2"], content_type, "shows", shown)


def fills_containers(page):
    """Rows of a table, a list and a select stay what they are, and say how many they are."""
    page.open()
    page.server.tables["orders"] = [{"id": n, "customer": f"C{n}", "amount": n, "text": f"T{n}", "label": f"L{n}", "value": n} for n in range(300)]
    head = ["thead", {}, ["tr", {}, *[["th", {"scope": "col"}, name] for name in ("No.", "Customer", "Amount", "Do")]]]
    source = "/rows/orders?from={from}&count={count}"
    page.show(["cell-table", {"kind": "order", "src": source}, ["table", {}, head, ["tbody", {"data-rows": ""}]]])
    expect(until(lambda: page.texts("tbody td")), "no rows")
    expect(page.run("return document.querySelector('table').ariaRowCount") == "301", "aria-rowcount")
    expect(page.run("return [...document.querySelectorAll('tbody > tr')].every((row) => row.ariaHidden || row.cells.length === 4)"), "cells are lost")
    expect(page.run("return document.querySelector('tbody > tr:nth-child(2)').ariaRowIndex") == "2", "aria-rowindex")
    passes_axe(page)

    page.show(["cell-table", {"kind": "order", "src": source}])
    expect(until(lambda: len(page.texts("cell-table > table > tbody > tr > th")) > 9), "rows of a table got no table", page.texts("th"))
    expect(page.texts("th")[:10] == [str(n) for n in range(10)], page.texts("th")[:10])
    expect(page.run("return document.querySelector('table').ariaRowCount") == "300", "aria-rowcount of its own table")
    expect(page.run("return table.role") is None and not page.events(), "it is a list still")

    # What has no rows, or none yet, is no list; with rows it is one.
    page.server.tables["none"] = []
    page.show(["cell-table", {"kind": "line", "src": "/rows/none?from={from}&count={count}"}])
    passes_axe(page)
    expect(until(lambda: page.run("return table.ariaBusy === null")), "it does not load")
    passes_axe(page)
    expect(page.wait("return table.insert([{ id: 1, title: 'One' }])") is True and page.run("return table.role") == "list", "it is no list")
    passes_axe(page)
    expect(page.wait("return table.remove([1])") is True, "remove fails")
    passes_axe(page)

    page.run("window.list = document.createElement('ul'); document.getElementById('place').replaceChildren(list); "
             "window.made = cells.cellTable(list, {kind: 'item', src: arguments[0]})", source)
    expect(until(lambda: page.texts("ul > li > span")), "no items")
    expect(page.run("return [...list.children].every((item) => item.localName === 'li')"), "what is no item is in the list")
    expect(page.run("const item = list.querySelector('li:not([aria-hidden])'); return [item.ariaPosInSet, item.ariaSetSize]") == ["1", "300"], "aria-setsize")

    page.run("made.disconnect(); document.getElementById('place').replaceChildren(); window.field = document.createElement('select'); "
             "field.ariaLabel = 'Choice'; document.getElementById('place').append(field); "
             "window.made = cells.cellTable(field, {kind: 'choice', src: '/rows/orders'})")
    expect(until(lambda: page.run("return field.options.length === 300")), "options", page.run("return field.innerHTML.slice(0, 200)"))
    expect(page.run("return [field.value, field.options[299].textContent]") == ["0", "L299"], "options have other values")
    passes_axe(page)


def passes_axe(page):
    from axe_selenium_python import Axe
    import axe_selenium_python
    page.driver.execute_cdp_cmd("Runtime.evaluate", {"expression": (pathlib.Path(axe_selenium_python.__file__).parent / "node_modules/axe-core/axe.min.js").read_text()})
    found = page.wait("return (await axe.run()).violations.map(({ id, nodes }) => [id, nodes.slice(0, 3).map((node) => node.html)])")
    expect(found == [], "axe:", found)


def uses_elements_again(page):
    """Elements are used for other rows of their kind, but not those that hold what somebody did."""
    page.open()
    page.server.tables["mixed"] = Rows(3000, mixed)
    page.show(["cell-table", {"kind": "line", "src": "/rows/mixed?from={from}&count={count}"}])
    until(lambda: page.texts("article"))
    seen = page.wait(SCROLLING + """
      const seen = new Set(), watch = () => document.querySelectorAll("article").forEach((element) => seen.add(element));
      const titles = new Set(), result = { jumps: 0 };
      for (let turn = 0; turn < 12; turn += 1) {
        const part = await scrollBySteps({ steps: 10, step: 90, selector: "[role=listitem]", wait: 10 });
        watch();
        document.querySelectorAll("article b").forEach(({ textContent }) => titles.add(textContent));
      }
      return [seen.size, titles.size];""")
    expect(seen[1] > 150 and seen[0] < seen[1] / 1.5, "elements for rows:", seen)

    page.server.tables["forms"] = Rows(400, lambda n: {"id": n, "title": f"Form {n}", "name": "", "sizes": [{"text": "S", "value": "s"}]})
    page.show(["cell-table", {"kind": "form", "src": "/rows/forms?from={from}&count={count}"}])
    until(lambda: page.texts("article"))
    page.run("document.querySelector('[aria-posinset=\"2\"] input').value = 'typed'; document.querySelector('[aria-posinset=\"2\"] details').open = true;"
             "document.querySelector('[aria-posinset=\"2\"] x-counter button').click()")
    for _ in range(12):
        page.run("window.scrollBy(0, 300)")
        time.sleep(0.05)
        typed = page.run("return [...document.querySelectorAll('article')].filter((form) => form.querySelector('input').value === 'typed' && "
                         "form.querySelector('p').textContent !== 'Form 1').length")
        expect(typed == 0, "typing appears in another row")
    page.run("window.scrollTo(0, 0)")
    kept = lambda: page.run("const row = document.querySelector('[aria-posinset=\"2\"]'); return row && [row.querySelector('input').value, "
                            "row.querySelector('details').open, row.querySelector('x-counter').textContent]")
    expect(until(lambda: kept() == ["typed", True, "1"], 3), "what somebody did is", kept())


    # A custom element may be written as another one that is it.
    page.server.tables["own"] = Rows(400, lambda n: {"id": n, "title": f"Own {n}"})
    page.show(["cell-table", {"kind": "own", "src": "/rows/own?from={from}&count={count}"}])
    until(lambda: page.texts("article"))
    page.run("document.querySelector('[is=x-own]').state = 'set'")
    for _ in range(12):
        page.run("window.scrollBy(0, 300)")
        time.sleep(0.05)
        others = page.run("return [...document.querySelectorAll('[is=x-own]')].filter((own) => own.state === 'set' && own.textContent !== 'Own 0').length")
        expect(others == 0, "the state of a custom element appears in another row")


SCROLLING = (HERE / "scrolling.js").read_text()


def never_jumps(page):
    """100,000 rows of mixed heights: at most three screens of elements, and no row moves but by scrolling."""
    page.open()
    page.server.tables["mixed"] = Rows(100_000, mixed)
    page.show(["cell-table", {"src": "/rows/mixed?from={from}&count={count}"}])
    page.run("""
      table.dataSource = { count: 100_000, kind: (row) => row.kind,
        rows: async (from, count, signal) => (await (await fetch(`/rows/mixed?from=${from}&count=${count}`, { signal })).json()).rows };""")
    until(lambda: page.texts("article"))
    total = 0
    for step, steps, wait in ((150, 60, 0), (-150, 40, 0), (900, 20, 60), (-700, 15, 60), (40_000, 8, 200), (-333, 40, 20), (-40, 40, 0)):
        result = page.wait(SCROLLING + "return scrollBySteps(arguments[0])", {"steps": steps, "step": step, "wait": wait, "selector": "[role=listitem]"})
        expect(isinstance(result, dict), result)
        expect(result["frames"] == steps and result["jumps"] == [], step, "jumps:", result)
        expect(result["mostScreens"] <= 3, step, "has", result["mostScreens"], "screens of elements")
        expect(result["mostElements"] < 400, step, "has", result["mostElements"], "elements in the page")
        total += result["frames"]
        time.sleep(0.4)
    expect(not page.events(), page.events()[:3])
    print(f"table: 100,000 rows: {total} frames without a jump")


def reloads_what_changed(page):
    """Of 1,000 rows 10 have changed: one request, their cells alone are sent, and their elements alone are touched."""
    page.open()
    page.server.tables["lines"] = rows = [{"id": n, "title": f"Row {n}"} for n in range(1000)]
    page.show(["cell-table", {"kind": "line", "src": "/rows/lines", "window": "all"}])
    expect(until(lambda: len(page.texts("article")) == 1000), len(page.texts("article")), "rows")
    first = page.server.asked("/factory/cells?")
    page.run("""
      window.changed = new Set(); window.records = 0;
      window.watch = new MutationObserver((list) => { for (const { target } of list) {
        records += 1; changed.add((target.closest ? target : target.parentElement).closest("[role=listitem]")); } });
      watch.observe(document.querySelector("cell-table"), { subtree: true, childList: true, attributes: true, characterData: true });""")
    for n in range(0, 1000, 100):
        rows[n]["title"] = f"Changed {n}"
    page.server.forget()
    expect(page.wait("return table.reload()") is True, "reload fails", page.events())
    expect(page.run("return changed.size") == 10 and page.run("return records") == 10, "elements touched:", page.run("return [changed.size, records]"))
    asked = page.server.asked("/factory/cells?")
    expect(len(asked) == 1, len(asked), "requests to the factory")
    expect(page.texts("article")[100] == "Changed 100", "the change is not shown")
    print(f"table: reload of 1,000 rows, 10 changed: 1 request, {asked[0][2]} bytes there, {asked[0][3]} back (first: {first[0][3]}), 10 DOM changes")


def shows_what_is_rendered(page):
    """Whatever an element showed before, it shows what the factory renders of its row: of parts that come and go, too."""
    page.open()
    words = random.Random(7)

    def row(n):
        parts = {"a": words.random() < 0.5, "b": words.random() < 0.5, "c": words.random() < 0.3}
        return {"id": n, "title": f"Row {n}", **parts, "list": [{"text": words.choice("xyz")} for _ in range(words.randrange(4))]}
    page.server.tables["parts"] = rows = [row(n) for n in range(400)]
    page.show(["cell-table", {"kind": "parts", "src": "/rows/parts?from={from}&count={count}"}])
    until(lambda: page.texts("article"))

    def compare(when):
        time.sleep(0.3)
        shown = page.run("return [...document.querySelectorAll('[role=listitem]')].map((row) => [row.ariaPosInSet - 1, row.innerHTML])")
        expect(len(shown) > 5, when, "shows", len(shown))
        rendered = page.wait("return cells.render('parts', arguments[0])", [rows[index] for index, _ in shown])
        for (index, html), cell in zip(shown, rendered):
            same = page.run("const [one, two] = [...arguments].map((html) => { const made = document.createElement('template'); made.innerHTML = trusted.createHTML(html);"
                            "return made; }); return one.content.isEqualNode(two.content)", html, cell["html"])
            expect(same, when, "row", index, "is", html, "but should be", cell["html"])
    compare("at first")
    for turn, by in enumerate((300, 700, 1500, -900, 2500, -2500, 400)):
        page.run("window.scrollBy(0, arguments[0])", by)
        compare(f"after scrolling by {by}")
        for n in range(turn, 400, 3):
            rows[n] = row(n)
        expect(page.wait("return table.reload()") is True, "reload fails")
        compare("after a reload")


def keeps_what_people_do(page):
    """A changed row keeps focus, caret, selection, typing, scroll, and what custom elements and details hold."""
    page.open()
    row = {"id": 1, "title": "One", "name": "Ada", "done": False, "sizes": [{"text": "S", "value": "s"}, {"text": "M", "value": "m"}], "more": "x", "long": "long " * 200}
    page.server.tables["forms"] = [row, {**row, "id": 2, "title": "Two"}]
    page.show(["cell-table", {"kind": "form", "src": "/rows/forms"}])
    until(lambda: page.texts("article"))
    page.run("""
      const form = document.querySelector("article"), [name, tick] = form.querySelectorAll("input");
      window.nodes = [...form.querySelectorAll("*")];
      name.focus(); name.value = "Ada Lovelace"; name.setSelectionRange(2, 5);
      form.querySelector("select").value = "m"; form.querySelector("details").open = true;
      form.querySelector("x-counter button").click(); form.querySelector(".scrolls").scrollTop = 30;""")
    page.server.tables["forms"][0] = {**row, "title": "One, changed", "done": True, "name": "Grace", "more": "y"}
    expect(page.wait("return table.reload()") is True, "reload fails")
    state = page.run("""
      const form = document.querySelector("article"), [name, tick] = form.querySelectorAll("input");
      return [form.querySelector("p").textContent, document.activeElement === name, name.value, name.selectionStart, name.selectionEnd, tick.checked,
        form.querySelector("select").value, form.querySelector("details").open, form.querySelector("x-counter").textContent,
        form.querySelector("x-counter").getAttribute("count"), form.querySelector("x-counter").title, form.querySelector(".scrolls").scrollTop,
        nodes.every((node) => node.isConnected)];""")
    expect(state == ["One, changed", True, "Ada Lovelace", 2, 5, True, "m", True, "1", "1", "One, changed", 30, True], "after a change:", state)


def keeps_what_custom_elements_say(page):
    """A custom element keeps attributes that it has given itself, also one that is written as another element."""
    page.open()
    page.server.tables["own"] = [{"id": 1, "title": "Old"}]
    page.show(["cell-table", {"kind": "own", "src": "/rows/own"}])
    expect(until(lambda: page.texts("article") == ["Old"]), page.texts("article"))
    page.run("document.querySelector('[is=x-own]').setAttribute('count', '1')")
    expect(page.wait("return table.update([{ id: 1, title: 'New' }])") is True, "update fails")
    state = page.run("const own = document.querySelector('[is=x-own]'); return [own.textContent, own.getAttribute('count')]")
    expect(state == ["New", "1"], state)


def keeps_media_playing(page):
    """What plays in a row that has changed plays on."""
    page.open()
    page.server.tables["sounds"] = rows = [{"id": 1, "title": "Old", "sound": "/silence.wav"}]
    page.show(["cell-table", {"kind": "sound", "src": "/rows/sounds"}])
    expect(until(lambda: page.texts("h2") == ["Old"]), page.texts("h2"))
    # A page may play after somebody has clicked.
    page.driver.find_element("css selector", "h2").click()
    page.wait("window.sound = document.querySelector('audio'); sound.muted = true; await sound.play(); return true")
    expect(until(lambda: page.run("return sound.currentTime > 0.1")), "nothing plays")
    rows[0]["title"] = "New"
    expect(page.wait("return table.reload()") is True, "reload fails")
    state = page.run("return [document.querySelector('h2').textContent, document.querySelector('audio') === sound, sound.paused, sound.currentTime > 0.1]")
    expect(state == ["New", True, False, True], state)
    at = page.run("return sound.currentTime")
    expect(until(lambda: page.run("return sound.currentTime > arguments[0] + 0.1", at)), "it plays no more")


def changes_by_id(page):
    """Rows are updated, let in and let out by their ids, and what is in view stays where it is."""
    page.open()
    page.server.tables["lines"] = rows = [{"id": f"r{n}", "title": f"Row {n}"} for n in range(400)]
    page.show(["cell-table", {"kind": "line", "src": "/rows/lines?from={from}&count={count}"}])
    until(lambda: page.texts("article"))
    page.run("window.scrollTo(0, 3000)")
    where = ("return [...document.querySelectorAll('[role=listitem]')].map((row) => [row.textContent.trim(), row.getBoundingClientRect().top])"
             ".find(([text, top]) => text && top > 50)")
    until(lambda: page.run(where))
    time.sleep(0.4)
    text, top = page.run(where)
    number = int(text.split()[1])
    new = [{"id": f"n{n}", "title": f"New {n}"} for n in range(7)]
    rows[number - 5:number - 5] = new
    expect(page.wait("return table.insert(arguments[0], arguments[1])", new, f"r{number - 5}") is True, "insert fails")
    expect(abs(page.run(where)[1] - top) <= 1 and page.run(where)[0] == text, "rows let in above move what is in view:", page.run(where), text, top)
    time.sleep(0.4)
    expect(abs(page.run(where)[1] - top) <= 1 and page.run(where)[0] == text, "it moves later")
    del rows[number - 5:number - 2]
    expect(page.wait("return table.remove(['n0', 'n1', 'n2'])") is True, "remove fails")
    expect(page.run(where)[0] == text and abs(page.run(where)[1] - top) <= 1, "rows let out above move what is in view")
    expect(page.wait("return table.update([{id: arguments[0], title: 'Updated'}, {id: 'nobody', title: 'x'}])", f"r{number}") is True, "update fails")
    expect("Updated" in page.texts("article"), "the update is not shown")
    expect(page.run("return document.querySelector('[role=listitem]').ariaSetSize") == "404", "the count is wrong")
    rows[:0] = [{"id": f"t{n}", "title": f"Top {n}"} for n in range(90)]
    text, top = page.run(where)
    expect(page.wait("return table.reload()") is True, "reload fails")
    found = page.run("return [...document.querySelectorAll('[role=listitem]')].find((row) => row.textContent.trim() === arguments[0])?.getBoundingClientRect().top", text)
    expect(text == "Updated" or (found is not None and abs(found - top) <= 1), "rows above from the source move what is in view:", text, top, found)
    page.wait("return table.remove()")
    expect(page.run("return document.querySelector('cell-table')") is None, "remove() without ids does not remove the element")


def changes_what_is_not_shown(page):
    """Rows far above the window change, come and go: nothing in view moves, and the changes are there when somebody scrolls back."""
    page.open()
    page.server.tables["lines"] = rows = [{"id": f"r{n}", "title": f"Row {n}"} for n in range(400)]
    page.show(["cell-table", {"kind": "line", "src": "/rows/lines?from={from}&count={count}"}])
    expect(until(lambda: page.texts("article")), "no rows")
    page.run("window.scrollTo(0, 3500)")
    shown = ("return [...document.querySelectorAll('[role=listitem]')].map((row) => [row.textContent.trim(), Math.round(row.getBoundingClientRect().top)])"
             ".filter(([text, top]) => text && top > 0 && top < innerHeight)")
    expect(until(lambda: len(page.run(shown)) > 3), "nothing is in view")
    time.sleep(0.4)
    expect(page.run("return !document.querySelector('[aria-posinset=\"6\"]')"), "the first rows are still in the page")
    before = page.run(shown)
    rows[5] = {"id": "r5", "title": "Updated"}
    expect(page.wait("return table.update([{ id: 'r5', title: 'Updated' }])") is True, "update fails")
    rows[3:3] = [{"id": "new", "title": "New"}]
    expect(page.wait("return table.insert([{ id: 'new', title: 'New' }], 'r3')") is True, "insert fails")
    del rows[0:2]
    expect(page.wait("return table.remove(['r0', 'r1'])") is True, "remove fails")
    time.sleep(0.4)
    after = page.run(shown)
    moved = [abs(dict(after).get(text, 1e9) - top) for text, top in before]
    expect(max(moved) <= 1, "what is in view moved:", before, after)
    page.run("window.scrollTo(0, 0)")
    first = ["Row 2", "New", "Row 3", "Row 4", "Updated", "Row 6"]
    expect(until(lambda: page.texts("article")[:6] == first, 3), page.texts("article")[:6])


def changes_what_is_forgotten(page):
    """Rows go out, and come in before others, that the table has forgotten or never seen: nothing in view moves, and all is in its place."""
    page.open()
    page.server.tables["lines"] = rows = [{"id": f"r{n}", "title": f"Row {n}"} for n in range(3000)]
    page.show(["cell-table", {"kind": "line", "src": "/rows/lines?from={from}&count={count}"}])
    expect(until(lambda: page.texts("article")), "no rows")
    page.run("window.scrollTo(0, document.documentElement.scrollHeight / 2)")
    shown = ("return [...document.querySelectorAll('[role=listitem]')].map((row) => [row.textContent.trim(), row.ariaPosInSet, Math.round(row.getBoundingClientRect().top)])"
             ".filter(([text, , top]) => text && top > 0 && top < innerHeight)")
    expect(until(lambda: len(page.run(shown)) > 3), "nothing is in view")
    time.sleep(0.4)

    def judge(what):
        time.sleep(0.4)
        after = {text: (number, top) for text, number, top in page.run(shown)}
        for text, _, top in before:
            number, now = after.get(text, ("none", 1e9))
            expect(abs(now - top) <= 1, what, "moves what is in view:", before, after)
            expect(number == str(1 + next(place for place, row in enumerate(rows) if row["title"] == text)), what, "leaves", text, "in place", number)
    before = page.run(shown)
    rows[3:3] = [{"id": "new", "title": "New"}]
    expect(page.wait("return table.insert([{ id: 'new', title: 'New' }], 'r3')") is True, "insert fails")
    judge("insert")
    del rows[0:2], rows[-1]
    expect(page.wait("return table.remove(['r0', 'r1', 'r2999'])") is True, "remove fails")
    judge("remove")
    expect(page.run("return document.querySelector('[role=listitem]').ariaSetSize") == "2998", "the count is wrong")
    page.run("window.scrollTo(0, 0)")
    first = ["Row 2", "New", "Row 3", "Row 4"]
    expect(until(lambda: page.texts("article")[:4] == first, 3), page.texts("article")[:4])
    # The same id twice takes one row out.
    del rows[1]
    expect(page.wait("return table.remove(['new', 'new'])") is True and page.texts("article")[:3] == ["Row 2", "Row 3", "Row 4"], page.texts("article")[:3])


def adopts_rows(page):
    """Rows that a server has rendered stay: they are asked for with their etags, and not touched."""
    page.open()
    rows = [{"id": n, "title": f"Row {n}"} for n in range(5)]
    page.server.tables["lines"] = rows
    rendered = page.wait("return cells.render('line', arguments[0])", rows)
    page.run("""
      const made = document.createElement("cell-table"), wrap = document.createElement("template");
      wrap.innerHTML = trusted.createHTML(arguments[0].map(({ html, etag }, id) => `<div data-id="${id}" data-etag="${etag}">${html}</div>`).join(""));
      made.append(wrap.content, document.createElement("progress"));
      made.setAttribute("kind", "line"); made.setAttribute("src", "/rows/lines?from={from}&count={count}");
      window.old = [...made.querySelectorAll("article")];
      document.getElementById("place").replaceChildren(made);
      window.table = made; window.records = 0;
      old.forEach((element) => new MutationObserver((list) => { records += list.length; }).observe(element, { subtree: true, childList: true, attributes: true, characterData: true }));
    """, rendered)
    expect(until(lambda: page.server.asked("/factory/cells?")[1:]), "they are not asked for")
    until(lambda: page.run("return table.ariaBusy === null"))
    expect(page.run("return records") == 0 and page.run("return old.every((element) => element.isConnected)"), "they are touched")
    expect(page.run("return document.querySelectorAll('article').length") == 5 and page.run("return document.querySelector('progress')") is None, "the rest stays")
    expect(page.server.asked("/factory/cells?")[1][3] < 600, "cells are sent again:", page.server.asked("/factory/cells?"))
    page.run("document.querySelector('article').click()")


def shows_bad_rows(page):
    """A bad row has its error in its place, and is told as an event; the others are shown."""
    page.open()
    page.server.tables["rows"] = [{"id": 1, "needed": "a"}, {"id": 2}, {"id": 3, "needed": "c"}]
    page.show(["cell-table", {"kind": "strict", "src": "/rows/rows"}])
    expect(until(lambda: page.texts("cell-table p")) == ["a", "c"], page.texts("cell-table p"))
    errors = page.events("cell-error")
    expect(len(errors) == 1 and errors[0]["index"] == 1 and errors[0]["id"] == 2 and "needed" in errors[0]["error"]["detail"], "the event is", errors)
    expect("needed" in page.texts(".cell-error")[0], page.texts(".cell-error"))
    page.server.tables["rows"][1]["needed"] = "b"
    page.wait("return table.reload()")
    expect(page.texts("cell-table p") == ["a", "b", "c"] and page.texts(".cell-error") == [], "it does not recover:", page.texts("cell-table p"))


def tells_actions(page):
    """Clicks, changes and submits of what has an action become events with the row."""
    page.open()
    page.server.tables["forms"] = [{"id": "x1", "title": "One", "sizes": [{"text": "S", "value": "s"}]}]
    page.show(["cell-table", {"kind": "form", "src": "/rows/forms"}])
    until(lambda: page.texts("article"))
    page.driver.find_element("css selector", "input[name=name]").send_keys("Ada\t")
    page.driver.find_element("css selector", "input[name=done]").click()
    page.driver.find_element("css selector", "form button").click()
    page.driver.find_element("css selector", "article a").click()
    told = [(event["action"], event["sender"], event["id"], event["kind"], event["index"], event["row"]["title"]) for event in page.events("cell-action")]
    rest = ("x1", "form", 0, "One")
    expect(told == [("rename", "input", *rest), ("tick", "input", *rest), ("send", "form", *rest), ("go", "a", *rest)], "told:", told)
    expect(not page.run("return location.hash"), "a canceled action still follows its link")


def survives_servers(page):
    """Whatever servers do, the page says so, keeps what it has, and recovers."""
    page.open()
    page.server.tables["lines"] = rows = [{"id": n, "title": f"Row {n}"} for n in range(120)]
    source = "/rows/lines?from={from}&count={count}"

    def cut(handler):
        handler.close_connection = True
        handler.connection.close()
        return True

    def once(status, body, content_type, **headers):
        def disturb(handler):
            handler.server.disturbances.clear()
            return handler.send(body, content_type, status, **headers) or True
        return disturb

    kinds = {
        "offline": cut,
        "a page in place of rows": lambda handler: handler.send("<!doctype html><h1>Sign in</h1><script>ran = 1</script>", "text/html") or True,
        "500": lambda handler: handler.send("{}", status=500) or True,
        "no JSON": lambda handler: handler.send("[{", "application/json") or True,
        "null": lambda handler: handler.send("null", "application/json") or True,
    }
    for prefix in ("/rows/lines", "/factory/cells?"):
        for name, disturb in kinds.items():
            page.server.disturbances.clear()
            page.show(["cell-table", {"kind": "line", "src": source}])
            expect(until(lambda: page.texts("article")), prefix, name, "no rows at first")
            rows[0]["title"] = f"{name} {prefix}"
            page.server.disturbances[prefix] = disturb
            shown = page.texts("article")
            expect(page.wait("return table.reload()") is False, prefix, name, "reload says that all is well")
            expect(page.texts("article")[:len(shown)] == shown, prefix, name, "rows are lost")
            said = page.texts("[role=alert]")
            expect(len(said) == 1 and "Trying again" in said[0], prefix, name, "the page says", said)
            page.server.disturbances.clear()
            if name != "offline":
                page.run("dispatchEvent(new Event('online'))")
            expect(until(lambda: page.texts("[role=alert]") == [] and page.texts("article")[0] == rows[0]["title"], 8), prefix, name, "it does not recover", page.texts("[role=alert]"), page.texts("article")[:1])
    # A first answer that fails, too; Retry-After counts. An earlier table's last request may arrive late, so the rows say whose it is.
    page.server.tables["busy"] = [{"id": n, "title": f"Busy {n}"} for n in range(120)]
    busy = once(503, '{"detail": "busy"}', "application/problem+json", Retry_After="3")
    page.server.disturbances["/factory/cells?"] = lambda handler: b"Busy" in handler.body and busy(handler)
    begin = time.monotonic()
    page.show(["cell-table", {"kind": "line", "src": source.replace("lines", "busy")}])
    expect(until(lambda: page.texts("[role=alert]") == ["Rows cannot be loaded: busy. Trying again in 3 s."]), page.texts("[role=alert]"))
    expect(until(lambda: page.texts("article")) and 2.9 < time.monotonic() - begin < 8, "it tries again after", time.monotonic() - begin)
    # Final refusals are not tried again.
    page.server.disturbances["/factory/cells?"] = lambda handler: handler.send('{"detail": "too large"}', "application/problem+json", 413) or True
    page.show(["cell-table", {"kind": "line", "src": source}])
    expect(until(lambda: page.texts("[role=alert]") == ["Rows cannot be loaded: too large."]), page.texts("[role=alert]"))
    page.server.forget()
    time.sleep(2.5)
    expect(not page.server.asked("/"), "a final refusal is asked again")
    page.server.disturbances.clear()
    # Slow: rows come when they come.
    page.server.disturbances["/factory/cells?"] = lambda handler: time.sleep(1)
    page.show(["cell-table", {"kind": "line", "src": source}])
    expect(page.run("return table.ariaBusy") == "true", "it does not say that it is busy")
    expect(until(lambda: page.texts("article")) and page.run("return table.ariaBusy") is None, "slow rows do not come")


def survives_lies(page):
    """Wrong counts, the same id again and again, rows that are none: the table shows what there is and asks in bounds."""
    page.open()
    line = {"title": "x"}
    lies = {
        "more than there are": {"rows": [{**line, "id": n} for n in range(20)], "total": 1000},
        "fewer than there are": {"rows": [{**line, "id": n} for n in range(50)], "total": 3},
        "a huge count": {"rows": [{**line, "id": n} for n in range(50)], "total": 1e300},
        "no number": {"rows": [{**line, "id": n} for n in range(50)], "total": "many"},
        "below zero": {"rows": [{**line, "id": n} for n in range(50)], "total": -5},
        "one id for all": {"rows": [{**line, "id": "same"} for _ in range(50)], "total": 200},
        "more rows than asked for": {"rows": [{**line, "id": n} for n in range(5000)], "total": 60},
        "nothing": {"rows": [], "total": 500},
        "scalars": {"rows": [1, "two", None, True, [], {}], "total": 6},
    }
    for name, answer in lies.items():
        page.server.disturbances["/rows/lie"] = lambda handler: handler.send(json.dumps(answer)) or True
        page.server.forget()
        page.show(["cell-table", {"kind": "line", "src": "/rows/lie?from={from}&count={count}"}])
        until(lambda: page.run("return table.ariaBusy === null"))
        for _ in range(6):
            page.run("window.scrollBy(0, 400)")
            time.sleep(0.05)
        expect(len(page.server.asked("/rows/lie")) < 40, name, "is asked", len(page.server.asked("/rows/lie")), "times")
        expect(page.run("return document.querySelectorAll('body *').length") < 500, name, "fills the page")
        expect(not [event for event in page.events() if event["type"] != "cell-error"], name, page.events())
        def is_quiet():
            before = asked()
            time.sleep(0.5)
            return asked() == before
        def asked():
            return len(page.server.asked("/rows/")) + len(page.server.asked("/factory/cells?"))
        # On a busy machine, what was asked for while scrolling comes late.
        expect(until(is_quiet), name, "is asked without end")
    # Pauses that are none.
    for pause in ("-1", "0.000001", "-1e9", "x"):
        page.server.disturbances["/rows/lie"] = lambda handler: handler.send("{}", status=503, Retry_After=pause) or True
        page.server.forget()
        page.show(["cell-table", {"kind": "line", "src": "/rows/lie"}])
        time.sleep(1.5)
        expect(1 <= len(page.server.asked("/rows/lie")) <= 3, pause, "is asked", len(page.server.asked("/rows/lie")), "times")
    page.server.disturbances.clear()
    # A factory that lies.
    page.server.tables["lines"] = [{"id": n, "title": f"Row {n}"} for n in range(3)]
    for name, lines in {"too few": '{"index":0,"html":"<b>a</b>"}', "others": '{"index":7,"html":"<b>a</b>"}\n{"index":"x"}', "unchanged": '{"index":0,"unchanged":true}\n{"index":1,"html":7}\n{"index":2,"error":{}}'}.items():
        page.server.disturbances["/factory/cells?"] = lambda handler: handler.send(lines, "application/x-ndjson") or True
        page.show(["cell-table", {"kind": "line", "src": "/rows/lines"}])
        expect(until(lambda: len(page.texts(".cell-error")) >= 2), name, page.texts("cell-table"))
        expect(not [event for event in page.events() if event["type"] != "cell-error"], name, page.events())


def runs_nothing(page):
    """Hostile rows and ids run nothing, under a policy that would tell."""
    page.open()
    page.server.tables["rows"] = [{"id": payload, "title": payload, "body": payload, "image": payload} for payload in [*PAYLOADS, "__proto__", "constructor", "\0", '"></div>']]
    page.run("window.ran = undefined")
    for kind in ("note", "photo", "form"):
        page.show(["cell-table", {"kind": kind, "src": "/rows/rows", "window": "all"}])
        expect(until(lambda: len(page.texts("article")) == len(PAYLOADS) + 4), kind, len(page.texts("article")))
        expect(page.wait("return table.reload()") is True, "reload fails")
        expect(page.wait("return table.update(arguments[0])", [{"id": payload, "title": "new"} for payload in PAYLOADS]) is True, "update fails")
        expect(page.wait("return table.remove(arguments[0])", PAYLOADS[:3]) is True, "remove fails")
    expect(page.run("return window.ran") is None and page.run("return window.parent.ran") is None, "something ran")
    expect(page.run("return document.querySelectorAll('cell-table script, cell-table iframe').length") == 0, "elements of a row's text")


def shows_rows_without_height(page):
    """Rows that have no height fill neither the page nor the time, and those after them are reached."""
    page.open()
    page.server.tables["lines"] = Rows(100_000, lambda index: {"id": index, "title": "" if index < 1500 else f"Row {index}"})
    page.run("document.adoptedStyleSheets = [new CSSStyleSheet()]; document.adoptedStyleSheets[0].replaceSync('article:has(b:empty) { display: none }')")
    page.show(["cell-table", {"kind": "line", "src": "/rows/lines?from={from}&count={count}"}])
    expect(until(lambda: page.run("return table.ariaBusy === null")), "it does not load")
    for _ in range(60):
        page.run("window.scrollBy(0, 300)")
        time.sleep(0.05)
        count = page.run("return document.querySelectorAll('body *').length")
        expect(count < 4000, "elements in the page:", count)
        if [text for text in page.texts("article") if text]:
            break
    expect(until(lambda: [text for text in page.texts("article") if text]), "no row with a text is reached")
    expect(not page.events(), page.events())


def waits_until_it_is_seen(page):
    """A table in what is hidden, such as another tab's panel, asks for its first rows alone, and shows them when it is seen."""
    page.open()
    page.server.tables["lines"] = Rows(10_000, lambda index: {"id": index, "title": f"Row {index}"})
    page.server.forget()
    page.show(["div", {"hidden": ""}, ["cell-table", {"kind": "line", "src": "/rows/lines?from={from}&count={count}"}]])
    time.sleep(1)
    asked, shown = len(page.server.asked("/rows/")), len(page.texts("article"))
    expect(asked == 1 and shown < 60, "it has", shown, "rows of", asked, "requests while nobody sees it")
    hide = "document.querySelector('#place > div').hidden = arguments[0]"
    page.run(hide, False)
    expect(until(lambda: len(page.texts("article")) > 10, 3), "it shows nothing when it is seen")
    page.run("window.scrollTo(0, document.documentElement.scrollHeight)")
    expect(until(lambda: "Row 9999" in page.texts("article"), 3), "its end is not reached")
    page.run(hide, True)
    time.sleep(0.3)
    page.server.forget()
    expect(page.wait("return document.querySelector('cell-table').update([{ id: 9999, title: 'Last' }])") is True, "update fails")
    time.sleep(0.5)
    expect(not page.server.asked("/rows/"), "it asks for rows when it is hidden again")
    page.run(hide, False)
    page.run("window.scrollTo(0, document.documentElement.scrollHeight)")
    expect(until(lambda: "Last" in page.texts("article"), 3), "what changed meanwhile is not shown")
    # Where all rows are in the page, they always are.
    page.server.tables["few"] = [{"id": n, "title": f"Row {n}", "text": n, "label": n, "value": n} for n in range(120)]
    page.show(["div", {"hidden": ""}, ["cell-table", {"kind": "line", "src": "/rows/few?from={from}&count={count}", "window": "all"}]])
    expect(until(lambda: len(page.texts("article")) == 120, 3), len(page.texts("article")), "rows of 120")
    page.show(["div", {"hidden": ""}, ["cell-table", {"kind": "choice", "src": "/rows/few"}, ["select", {"data-rows": ""}]]])
    expect(until(lambda: page.run("return document.querySelector('select').options.length === 120"), 3), "a hidden select has not all options")
    # So is an element that comes into the page later.
    page.run("window.later = document.createElement('ol'); cells.cellTable(later, { kind: 'item', src: '/rows/few?from={from}&count={count}' })")
    time.sleep(0.5)
    page.run("document.getElementById('place').replaceChildren(later)")
    expect(until(lambda: len(page.texts("ol > li > span")) > 10, 3), "a list that comes into the page later stays empty")
    expect(not page.events(), page.events())


MEMBERS = [
    "attributes", "nodeValue", "localName", "nodeName", "nodeType", "firstChild", "childNodes", "nextSibling", "parentNode", "getAttribute",
    "getAttributeNames", "setAttribute", "removeAttribute", "hasAttribute", "insertBefore", "remove", "replaceWith", "contains", "outerHTML",
    "matches", "querySelector", "closest", "dataset", "type", "options", "value", "id", "name", "elements", "action", "submit"]


def shows_forms_whose_fields_hide_members(page):
    """Fields of a form hide its members of their names: the form is patched all the same, and gets no attributes of theirs."""
    page.open()
    stand_in = [{"id": "attributes", "name": "onclick", "value": "ran = 1"}, {"id": "attributes", "name": "b"}, {"id": "getAttributeNames", "name": "c"}]
    page.server.tables["rows"] = rows = [{"id": index, "title": "Old", "fields": fields} for index, fields in enumerate(
        [stand_in, *([{"id": member, "name": member, "value": "ran = 1"}] for member in MEMBERS), [{"name": member} for member in MEMBERS]])]
    page.run("window.ran = undefined")
    page.show(["cell-table", {"kind": "named", "src": "/rows/rows", "window": "all"}])
    expect(until(lambda: page.texts("cell-table b") == ["Old"] * len(rows)), page.texts("cell-table b"))
    page.run("for (const field of document.querySelectorAll('[name=comment]')) field.value = 'typed'; document.querySelector('[name=comment]').focus()")
    page.run("window.forms = [...document.querySelectorAll('cell-table form')]")
    for row in rows:
        row["title"] = "New"
    expect(page.wait("return table.reload()") is True, "reload fails")
    expect(page.texts("cell-table b") == ["New"] * len(rows), page.texts("cell-table b"))
    expect(page.run("return [...document.querySelectorAll('cell-table form')].every((form, place) => form === forms[place])"), "forms are made anew")
    expect(page.run("return [...document.querySelectorAll('[name=comment]')].every((field) => field.value === 'typed')"), "what was typed is lost")
    expect(page.run("return document.activeElement.name") == "comment", "the focus is lost")
    page.run("document.querySelector('cell-table form b').click()")
    expect(page.run("return window.ran") is None, "a handler of a value ran")
    names = page.run("return [...document.querySelectorAll('cell-table form')].map((form) => Element.prototype.getAttributeNames.call(form).join())")
    expect(set(names) == {"data-action"}, "the forms have", set(names))
    page.run("addEventListener('submit', (event) => event.preventDefault(), { once: true }); HTMLFormElement.prototype.requestSubmit.call(document.querySelector('cell-table form'))")
    expect([event["action"] for event in page.events("cell-action")] == ["send"], page.events("cell-action"))


def shows_images_whose_names_hide_members(page):
    """Named images and forms hide the page's members of their names: the table goes on, by the page's own."""
    names = ["createElement", "activeElement", "baseURI", "scrollingElement", "hidden", "body", "contains"]
    for element in ["image", "form"]:
        page.open()
        # No value may name a form, so one cell has forms of all these names.
        page.server.tables["rows"] = rows = [{"id": name, "name": name, "title": "Old"} for name in (names if element == "image" else names[:1])]
        page.show(["cell-table", {"kind": f"named-{element}", "src": "/rows/rows", "refresh": "1"}])
        expect(until(lambda: page.texts("cell-table b") == ["Old"] * len(rows)), page.texts("cell-table b"))
        expect(page.run("return arguments[0].every((name) => document[name].localName)", names[:-1]), "names do not hide members")
        for row in rows:
            row["title"] = "New"
        rows.append({"id": "another", "name": "another", "title": "New"})
        expect(until(lambda: page.texts("cell-table b") == ["New"] * len(rows), 4), page.texts("cell-table b"))


def refreshes(page):
    """It reloads every so many seconds, but not while nobody looks."""
    page.open()
    page.server.tables["lines"] = rows = [{"id": 1, "title": "Old"}]
    page.show(["cell-table", {"kind": "line", "src": "/rows/lines", "refresh": "1"}])
    until(lambda: page.texts("article"))
    rows[0]["title"] = "New"
    expect(until(lambda: page.texts("article") == ["New"], 3), "it does not refresh")
    page.run("window.seen = Object.getOwnPropertyDescriptor(Document.prototype, 'hidden'); Object.defineProperty(Document.prototype, 'hidden', { ...seen, get: () => true }); document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))")
    time.sleep(0.3)
    page.server.forget()
    time.sleep(1.6)
    expect(not page.server.asked("/rows/"), "it refreshes while it is hidden")
    page.run("Object.defineProperty(Document.prototype, 'hidden', seen); document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))")
    expect(until(lambda: page.server.asked("/rows/"), 1), "it does not refresh when it is seen again")
    page.run("table.remove()")
    time.sleep(0.2)
    page.server.forget()
    time.sleep(1.5)
    expect(not page.server.asked("/rows/"), "it refreshes when it is gone")


def takes_rendered_rows(page):
    """With render="src" the application sends cells, and the factory is not asked."""
    page.open()
    rows = [{"id": n, "title": f"Row {n}"} for n in range(30)]
    rendered = page.wait("return cells.render('line', arguments[0], { id: (row) => row.id })", rows)
    page.server.tables["cells"] = rendered
    page.server.forget()
    page.show(["cell-table", {"src": "/rows/cells?from={from}&count={count}", "render": "src"}])
    expect(until(lambda: page.texts("article"))[:2] == ["Row 0", "Row 1"], page.texts("article")[:2])
    expect(not page.server.asked("/factory/"), "the factory is asked")
    expect(page.wait("return table.reload()") is True and not page.events(), page.events())


def runs_the_examples(page):
    """The scripts of docs/web.md, as they are."""
    page.open()
    text = (ROOT / "docs/web.md").read_text()
    given = re.search(r"```js\n(table\.dataSource.*?)```", text, re.S)[1].replace('"message"', '"line"')
    page.run("window.messages = [{ number: 5, title: 'Five' }, { number: 6, title: 'Six', image: '/blank.svg' }];"
             "window.table = document.createElement('cell-table'); document.getElementById('place').replaceChildren(table);" + given)
    expect(until(lambda: page.texts("article") == ["Five", "Six"]), page.texts("article"))
    expect(page.run("return document.querySelectorAll('article img').length") == 1, "its kinds are not those of the source")
    page.server.tables["messages"] = [{"id": 1, "text": "One"}]
    made = re.search(r"```js\nimport \{ cellTable \}.*?\n(.*?)```", text, re.S)[1]
    page.run("const list = document.createElement('ul'); list.id = 'messages'; document.getElementById('place').replaceChildren(list);"
             "const { cellTable } = cells;" + made.replace('"message"', '"item"').replace("/api/", "/rows/"))
    expect(until(lambda: page.texts("ul span") == ["One"]), page.texts("ul"))


def counts_later(page):
    """A source that does not say how many rows there are is read on and on, until a page is short."""
    page.open()
    page.server.tables["lines"] = [{"id": n, "title": f"Row {n}"} for n in range(130)]
    page.show(["cell-table", {"kind": "line", "src": "/rows/lines?plain=1&from={from}&count={count}"}])
    until(lambda: page.texts("article"))
    expect(page.run("return document.querySelector('[role=listitem]').ariaSetSize") == "-1", "it guesses how many there are")

    def end():
        page.run("window.scrollBy(0, 500)")
        time.sleep(0.05)
        return "Row 129" in page.texts("article")
    expect(until(end, 10), "the end is not reached:", page.texts("article")[-1:])
    expect(until(lambda: page.run("return document.querySelector('[role=listitem]').ariaSetSize") == "130"), "the count is not learnt")


def scrolls_inside(page):
    """A table in an element that scrolls fills that element's view."""
    page.open()
    page.server.tables["mixed"] = Rows(5000, mixed)
    page.show(["div", {"id": "frame", "tabindex": "0", "role": "region", "aria-label": "Rows"}, ["cell-table", {"kind": "line", "src": "/rows/mixed?from={from}&count={count}"}]])
    page.run("window.table = document.querySelector('cell-table')")
    until(lambda: page.texts("article"))
    for step, steps in ((200, 40), (-90, 40)):
        result = page.wait(SCROLLING + "return scrollBySteps(arguments[0])", {"steps": steps, "step": step, "wait": 20, "selector": "[role=listitem]", "scroller": "#frame"})
        expect(isinstance(result, dict) and result["frames"] == steps and result["jumps"] == [] and result["mostScreens"] <= 3, result)
    passes_axe(page)


def tells_what_breaks_its_policy(page):
    """The policy is strict, and the page tells of what breaks it: else the other checks would prove nothing."""
    expect_strict(POLICY)
    page.open()
    for directive, script in BREAKS.items():
        page.run(f"try {{ {script} }} catch {{}}")
        expect(until(lambda: any(directive in event["message"] for event in page.events("violation")), 3), directive, "is broken:", page.events())
    page.run("events.length = 0")


CHECKS = [
    tells_what_breaks_its_policy,
    shows_rows, keeps_digits, fills_containers, uses_elements_again, never_jumps, reloads_what_changed, shows_what_is_rendered, keeps_what_people_do, keeps_what_custom_elements_say, keeps_media_playing, changes_by_id, changes_what_is_not_shown, changes_what_is_forgotten,
    adopts_rows,
    shows_bad_rows, tells_actions, survives_servers, survives_lies, runs_nothing, shows_rows_without_height, waits_until_it_is_seen, shows_forms_whose_fields_hide_members,
    shows_images_whose_names_hide_members, refreshes, takes_rendered_rows, runs_the_examples, counts_later, scrolls_inside,
    *table_edges.CHECKS, *table_fields.CHECKS, *table_hosts.CHECKS, *table_places.CHECKS, *table_reloads.CHECKS,
]


def under_policy(check):
    """A check, and that nothing broke the page's policy meanwhile."""
    @functools.wraps(check)
    def judged(page):
        check(page)
        settle()
        broken = [event for event in page.events() if event["type"] in ("violation", "error", "rejection")]
        expect(not broken, broken)
    return judged


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--binary", default=str(ROOT / ".build/debug/cellfactory"))
    arguments.add_argument("--only", choices=[check.__name__ for check in CHECKS], metavar="NAME", help="one check by its name")
    options = arguments.parse_args()
    if is_skipped_without("Tests/Web/table.py", "chromium", "chromedriver"):
        return 0
    with application(options.binary) as server:
        driver = driver_of()
        driver.set_script_timeout(120)
        try:
            chosen = [check for check in CHECKS if options.only in (None, check.__name__)]
            failures = sum(attempt("table", under_policy(check), Page(driver, server)) for check in chosen)
        finally:
            driver.quit()
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
