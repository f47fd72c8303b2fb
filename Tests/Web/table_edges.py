"""What few pages do to `<cell-table>`: each check took it down, or lost something, once."""

import json
import pathlib
import re
import threading
import time

from preview import expect
from server import until

SCROLLING = (pathlib.Path(__file__).parent / "scrolling.js").read_text()


def goes_on_inside_a_form(page):
    """A value that names a field hides a member of the form around the table: the table finds its scroller all the same."""
    page.open()
    # Where the form does not scroll, the search for what does goes beyond it.
    for member, form in (("parentElement", {}), *((member, {"class": "scrolls"}) for member in ("getBoundingClientRect", "scrollTop", "scrollTo"))):
        page.server.tables["rows"] = [{"id": 1, "name": "a"}, {"id": 2, "name": member}]
        page.show(["form", form, ["div", {}, ["cell-table", {"kind": "named-field", "src": "/rows/rows"}]]])
        expect(until(lambda: page.texts("article") == ["Field"] * 2), member, page.texts("article"))
        expect(page.run("return typeof table[arguments[0]]", member) == "object", member, "is not hidden")
        page.server.tables["rows"][0]["name"] = "new"
        expect(page.wait("return document.querySelector('cell-table').reload()") is True, member, "reload fails")
        expect(page.run("return document.querySelector('cell-table input').name") == "new", member, "the row does not change")


def stays_in_place_where_only_widths_scroll(page):
    """An element with `overflow-x: auto` around the table has nothing to scroll upwards: the page scrolls, and no row jumps."""
    page.open()
    page.server.tables["rows"] = [{"id": index, "title": f"Row {index}", "body": "word " * (index * 7919 % 60)} for index in range(3000)]
    page.show(["div", {}, ["cell-table", {"kind": "note", "src": "/rows/rows?from={from}&count={count}"}]])
    page.run("table.style.overflowX = 'auto'")
    expect(until(lambda: page.texts("article")), "no rows")
    page.run("scrollTo(0, 60_000)")
    time.sleep(0.6)
    for _ in range(4):
        result = page.wait(SCROLLING + "return scrollBySteps(arguments[0])", {"steps": 6, "step": -120, "wait": 0, "selector": "[role=listitem]"})
        expect(result["frames"] == 6 and not result["jumps"], result)
        first = "return [...document.querySelectorAll('article')].filter((cell) => cell.getBoundingClientRect().top > 0).map((cell) => [cell.textContent, cell.getBoundingClientRect().top])[0]"
        row, top = page.run(first)
        # After a pause, the space above is put right.
        time.sleep(0.4)
        now = page.run(first)
        expect(now[0] == row and abs(now[1] - top) <= 1, [row, top], "has become", now)


def changes_what_templates_hold(page):
    """A `template` in a cell belongs to the row, whether its element was used before or its row has changed."""
    page.open()
    page.server.tables["rows"] = rows = [{"id": index, "title": f"Row {index}"} for index in range(400)]
    page.show(["cell-table", {"kind": "templated", "src": "/rows/rows"}])
    expect(until(lambda: page.texts("article")), "no rows")

    def judge(when):
        wrong = page.run("""
          return [...document.querySelectorAll("article")].map((cell) => [cell.querySelector("b").textContent, cell.querySelector("template").content.textContent])
            .filter(([shown, held]) => shown !== held)""")
        expect(not wrong, when, wrong[:3])

    for top in range(0, 6000, 150):
        page.run("scrollTo(0, arguments[0])", top)
        time.sleep(0.02)
    expect(until(lambda: page.texts("article")[0] != "Row 0"), "it does not scroll")
    judge("after scrolling")
    for row in rows:
        row["title"] += ", changed"
    expect(page.wait("return table.reload()") is True, "reload fails")
    expect("changed" in page.texts("article")[0], page.texts("article")[0])
    judge("after a change")


def keeps_fields_when_others_come_and_go(page):
    """A named field that comes or goes before another takes nothing from it: text, focus, caret."""
    page.open()
    page.server.tables["rows"] = rows = [{"id": 1, "a": True}]
    page.show(["cell-table", {"kind": "two-fields", "src": "/rows/rows"}])
    expect(until(lambda: page.texts("article")), "no rows")
    page.run("window.field = document.querySelector('[name=b]'); field.focus(); field.value = 'typed'; field.setSelectionRange(2, 4)")
    for is_there in (False, True, False):
        rows[0]["a"] = is_there
        expect(page.wait("return table.reload()") is True, "reload fails")
        state = page.run("return [document.activeElement === field, field.isConnected, field.value, field.selectionStart, field.selectionEnd, document.querySelectorAll('input').length]")
        expect(state == [True, True, "typed", 2, 4, 1 + is_there], is_there, state)


def changes_attributes_with_programs(page):
    """What Trusted Types guard is not set on an element, but made anew with its HTML: the table goes on."""
    page.open()
    page.server.tables["rows"] = rows = [{"id": index, "title": "Old"} for index in range(3)]
    page.show(["cell-table", {"kind": "frames", "src": "/rows/rows"}])
    expect(until(lambda: page.texts("article") == ["Old"] * 3), page.texts("article"))
    for is_there in (True, False):
        rows[0]["a"] = is_there
        rows[2]["title"] = f"New {is_there}"
        expect(page.wait("return table.reload()") is True, "reload fails")
        expect(page.texts("article") == ["Old", "Old", f"New {is_there}"], page.texts("article"))
        expect(page.run("return document.querySelectorAll('iframe[srcdoc]').length") == is_there, "frames with a document")


def takes_back_what_cells_drew(page):
    """Attributes that an element has set itself stay. Those that the last cell gave it go."""
    page.open()
    page.server.tables["rows"] = rows = [{"id": 1, "title": "One", "n": "old", "a": True}]
    page.show(["cell-table", {"kind": "drawn", "src": "/rows/rows"}])
    elements = "const [more, plain] = document.querySelectorAll('article details, article x-plain');"
    seen = elements + " return [more.title, more.hidden, more.open, plain.title, plain.textContent, plain.getAttribute('own')]"
    expect(until(lambda: page.texts("article")), "no rows")
    page.run(elements + " window.kept = [more, plain]; more.open = true; plain.setAttribute('own', '1')")
    expect(page.run(seen) == ["old", True, True, "old", "old", "1"], page.run(seen))
    for row, wanted in (({"title": "Two"}, ["", False, True, "", "", "1"]), ({"title": "Three", "n": "new"}, ["new", False, True, "new", "new", "1"]),
                        ({"title": "Four"}, ["", False, True, "", "", "1"])):
        rows[0] = {"id": 1, **row}
        expect(page.wait("return table.reload()") is True, "reload fails")
        expect(page.run(seen) == wanted, row, page.run(seen))
        expect(page.run(elements + " return kept[0] === more && kept[1] === plain"), "the elements are others")


def makes_what_it_did_not_draw_anew(page):
    """What a server drew of elements with a state is not known from what they have of themselves, so they are made anew when they change."""
    page.open()
    page.server.tables["rows"] = [{"id": 1, "title": "One"}]
    drawn = ["article", {}, ["details", {"title": "old", "data-x": "1"}, ["summary", {}, "More"]], ["x-plain", {"title": "old"}, "old"], ["b", {}, "Old"]]
    page.show(["cell-table", {"kind": "drawn", "src": "/rows/rows"}, ["div", {"data-id": "1", "data-etag": "0" * 32}, drawn]])
    expect(until(lambda: page.texts("article b") == ["One"]), page.texts("article"))
    seen = page.run("return [...document.querySelectorAll('article details, article x-plain')].map((node) => node.outerHTML)")
    expect(seen == ["<details><summary>More</summary></details>", "<x-plain></x-plain>"], seen)


def leads_nowhere_while_it_patches(page):
    """An element that becomes one which loads a page does so with its own attributes, and not with those of the row before."""
    page.open()
    page.server.tables["rows"] = rows = [{"id": 1, "title": "One", "n": "0;url=/elsewhere"}]
    page.show(["cell-table", {"kind": "refreshing", "src": "/rows/rows"}])
    expect(until(lambda: page.texts("article")), "no rows")
    rows[0] = {"id": 1, "title": "Two", "a": True}
    expect(page.wait("return table.reload()") is True and page.texts("article") == ["Two"], page.texts("article"))
    time.sleep(0.5)
    expect(page.run("return location.pathname") == "/table.html", page.run("return location.pathname"))
    page.server.tables["rows"] = rows = [{"id": 1, "title": "One", "n": "/old.css"}]
    page.show(["cell-table", {"kind": "linked", "src": "/rows/rows"}])
    expect(until(lambda: page.texts("article")), "no rows")
    page.server.forget()
    rows[0] = {"id": 1, "title": "Two", "a": True}
    expect(page.wait("return table.reload()") is True and page.texts("article") == ["Two"], page.texts("article"))
    expect(until(lambda: page.server.asked("/new.css")) and not page.server.asked("/old.css"), "it loads what the row before said")


def refreshes_by_no_odd_number(page):
    """What is no number of seconds, or too large for a timer, makes no requests without a pause. A server's Retry-After counts."""
    page.open()
    page.server.tables["rows"] = [{"id": 1, "title": "One"}]
    for refresh in ("30s", "never", "Infinity", "3000000", "1e9"):
        page.show(["cell-table", {"kind": "line", "src": "/rows/rows", "refresh": refresh}])
        expect(until(lambda: page.texts("article") == ["One"]), refresh, page.texts("article"))
        page.server.forget()
        time.sleep(0.5)
        expect(not page.server.asked("/rows/"), refresh, "asks", len(page.server.asked("/rows/")), "times")
    page.server.disturbances["/rows/rows"] = lambda handler: handler.send("{}", status=503, Retry_After="60") or True
    page.show(["cell-table", {"kind": "line", "src": "/rows/rows", "refresh": "1"}])
    expect(until(lambda: page.texts("[role=alert]") == ["Rows cannot be loaded: the server answered 503. Trying again in 60 s."]), page.texts("[role=alert]"))
    page.server.forget()
    time.sleep(2.5)
    expect(not page.server.asked("/rows/"), "it refreshes before Retry-After")


def shows_rows_beside_odd_ids(page):
    """An id that is no text, and a row that is nothing, are bad rows among good ones."""
    page.open()
    for odd in ({"toString": 1}, {"a": 1}, [{"toString": 1, "valueOf": 2}]):
        page.server.tables["rows"] = [{"id": 1, "title": "One"}, {"id": odd, "title": "Two"}, {"id": 3, "title": "Three"}]
        page.show(["cell-table", {"kind": "line", "src": "/rows/rows"}])
        expect(until(lambda: page.texts("article") == ["One", "Three"]), odd, page.texts("article"))
        expect(len(page.texts(".cell-error")) == 1, odd, page.texts(".cell-error"))
    page.server.tables["rows"] = rows = [{"id": index, "html": f"<article>{index}</article>"} for index in range(3)]
    page.show(["cell-table", {"kind": "line", "src": "/rows/rows", "render": "src"}])
    expect(until(lambda: page.texts("article") == ["0", "1", "2"]), page.texts("article"))
    rows[1] = None
    expect(page.wait("return table.reload()") is True, "reload fails")
    expect(page.texts("article") == ["0", "2"] and len(page.texts(".cell-error")) == 1, page.texts("cell-table"))


def forgets_odd_etags(page):
    """What no factory says as an etag is not sent back: it would have every later reload refused."""
    page.open()
    page.server.tables["rows"] = [{"id": index, "title": f"Row {index}"} for index in range(3)]

    def lie(handler):
        handler.server.disturbances.clear()
        lines = [{"index": index, "html": "<article>lie</article>", "etag": "\ud800" if index else "e"} for index in range(3)]
        return handler.send("\n".join(map(json.dumps, lines)), "application/x-ndjson") or True

    page.server.disturbances["/factory/cells?"] = lie
    page.show(["cell-table", {"kind": "line", "src": "/rows/rows"}])
    expect(until(lambda: page.texts("article") == ["lie"] * 3), page.texts("article"))
    expect(page.wait("return table.reload()") is True, "reload fails")
    expect(page.texts("article") == ["Row 0", "Row 1", "Row 2"], page.texts("article"))


def clears_what_else_is_there(page):
    """Texts between the elements go with them."""
    page.open()
    page.server.tables["rows"] = [{"id": 1, "title": "One"}]
    page.show(["cell-table", {"kind": "line", "src": "/rows/rows"}, "Loading ", ["b", {}, "rows"], " ..."])
    expect(until(lambda: page.texts("article")), "no rows")
    expect(page.texts("cell-table") == ["One"], page.texts("cell-table"))


def leaves_nothing_behind(page):
    """A table that has ended is seen by no observer, and waits for no timer: it may be collected."""
    page.open()
    page.server.tables["rows"] = [{"id": 1, "title": "One"}]
    page.run("""
      window.held = new Set();
      for (const name of ["IntersectionObserver", "ResizeObserver"]) {
        const Original = window[name];
        window[name] = class extends Original {
          constructor(work) { super(work); held.add(this); }
          disconnect() { held.delete(this); super.disconnect(); }
        };
      }
      const { setTimeout: start, clearTimeout: end } = window;
      window.setTimeout = (work, time) => { const timer = start(work, time); if (time > 5000) held.add(timer); return timer; };
      window.clearTimeout = (timer) => { held.delete(timer); end(timer); };""")
    page.show(["cell-table", {"kind": "line", "src": "/rows/rows", "refresh": "600"}])
    expect(until(lambda: page.texts("article") == ["One"]), page.texts("article"))
    expect(until(lambda: page.run("return held.size") == 3), "a table holds", page.run("return held.size"))
    for count in range(3):
        page.run("table.setAttribute('src', '/rows/rows?' + arguments[0])", count)
        expect(until(lambda: page.texts("article") == ["One"] and page.run("return held.size") == 3), "tables hold", page.run("return held.size"))
    page.run("table.remove()")
    expect(page.run("return held.size") == 0, "a table that is gone holds", page.run("return held.size"))


def keeps_elements_of_every_name(page):
    """What a custom element holds belongs to its row, whatever valid name it has."""
    page.open()
    page.server.tables["rows"] = [{"id": index, "title": f"Row {index}"} for index in range(400)]
    page.show(["cell-table", {"kind": "dotted", "src": "/rows/rows"}])
    expect(until(lambda: page.texts("article")), "no rows")
    page.run("for (const cell of document.querySelectorAll('article')) cell.firstElementChild.mine = cell.textContent")
    for top in range(0, 6000, 150):
        page.run("scrollTo(0, arguments[0])", top)
        time.sleep(0.02)
    expect(until(lambda: page.texts("article")[0] != "Row 0"), "it does not scroll")
    wrong = page.run("return [...document.querySelectorAll('article')].filter((cell) => (cell.firstElementChild.mine ?? cell.textContent) !== cell.textContent).map((cell) => cell.textContent)")
    expect(not wrong, "others' elements are in", wrong)


def learns_how_many_there_are_again(page):
    """A source that says no total has more rows at the next reload, or fewer: the first of them, too."""
    page.open()
    for source in ("/rows/rows?plain=1&from={from}&count={count}", "/rows/rows?plain=1"):
        for before, after in ((5, 8), (0, 3), (50, 60), (130, 30), (130, 0)):
            page.server.tables["rows"] = [{"id": index, "title": f"Row {index}"} for index in range(before)]
            page.show(["cell-table", {"kind": "line", "src": source, "window": "all"}])
            expect(until(lambda: len(page.texts("article")) == before), before, "rows:", len(page.texts("article")))
            page.server.tables["rows"] = [{"id": index, "title": f"Row {index}"} for index in range(after)]
            expect(page.wait("return table.reload()") is True, "reload fails")
            expect(until(lambda: len(page.texts("article")) == after), source, before, "rows have become", len(page.texts("article")), "not", after)


SOURCE = """
  window.rows = Array.from({ length: arguments[0] }, (_, index) => ({ id: index, title: `Row ${index}` }));
  window.calls = 0;
  window.wait = (seconds) => new Promise((done) => setTimeout(done, seconds * 1000));
  window.table = document.createElement("cell-table");
  table.setAttribute("kind", "line");
  table.dataSource = %s;
  document.getElementById("place").replaceChildren(table);"""


def shows_rows_while_updates_come(page):
    """Updates that come faster than the source answers keep no rows away, and no old ones stay."""
    page.open()
    page.run(SOURCE % """{ rows: async (from, count) => {
      calls += 1;
      const page = JSON.parse(JSON.stringify(rows.slice(from, from + count)));
      await wait(0.5);
      return { rows: page, total: rows.length };
    } }""", 1000)
    expect(until(lambda: len(page.texts("article")) > 5), "no rows")
    page.run("window.updates = setInterval(() => table.update([{ id: 3, title: `Row 3, ${calls}` }]), 200); scrollTo(0, 8000)")
    time.sleep(0.3)
    page.run("for (const row of rows) row.title += ', new'; table.update(rows.slice(100))")
    shown = "return [...document.querySelectorAll('article')].filter((cell) => { const { top } = cell.getBoundingClientRect(); return top > 0 && top < innerHeight; }).map((cell) => cell.textContent.trim())"
    expect(until(lambda: len(page.run(shown)) > 3, 5), "no rows are shown beside updates, after", page.run("return calls"), "requests")
    page.run("clearInterval(updates)")
    expect(until(lambda: page.run(shown) and all(text.endswith(", new") for text in page.run(shown)), 5), "old rows stay:", page.run(shown))


def inserts_what_is_there_once(page):
    """A row that a reload has brought already, when its insertion begins, is there once."""
    page.open()
    page.run(SOURCE % "{ rows: async (from, count) => { await wait(0.3); return { rows: rows.slice(from, from + count), total: rows.length }; } }", 8)
    expect(until(lambda: len(page.texts("article")) == 8), page.texts("article"))
    done = page.wait("table.reload(); await wait(0.1); rows.unshift({ id: 'new', title: 'New' }); return table.insert([rows[0]], 0)")
    expect(done is True, "insert fails")
    expect(page.texts("article") == ["New", *(f"Row {index}" for index in range(8))], page.texts("article"))


def tries_changes_again(page):
    """A change that fails is tried again, as a reload, because the source has it; so is a source whose count fails."""
    page.open()
    page.run(SOURCE % "{ rows: (from, count) => rows.slice(from, from + count) }", 3)
    expect(until(lambda: len(page.texts("article")) == 3), page.texts("article"))
    for change, wanted in (("rows[1] = { id: 1, title: 'Changed' }; return table.update([rows[1]])", ["Row 0", "Changed", "Row 2"]),
                           ("rows.unshift({ id: 'new', title: 'New' }); return table.insert([rows[0]], 0)", ["New", "Row 0", "Changed", "Row 2"])):
        page.server.disturbances["/factory/cells?"] = lambda handler: handler.send("{}", status=503) or True
        expect(page.wait(change) is False, "the change does not fail")
        page.server.disturbances.clear()
        expect(until(lambda: page.texts("article") == wanted, 6), page.texts("cell-table"))
        expect(until(lambda: not page.texts(".cell-status")), page.texts(".cell-status"))
    page.run(SOURCE % "{ get count() { return calls++ ? Promise.resolve(2) : Promise.reject(new Error('away')); }, rows: (from, count) => rows.slice(from, from + count) }", 2)
    expect(until(lambda: page.texts("article") == ["Row 0", "Row 1"], 6), page.texts("cell-table"))


def takes_what_was_set_before_the_module(page):
    """A script that is no module runs before the module, so an element may have its source and its owner before it is defined."""
    page.open()
    page.run("""
      const early = document.implementation.createHTMLDocument().createElement("cell-table");
      early.setAttribute("kind", "owned");
      early.dataSource = { count: 1, rows: () => [{ id: 1, title: "One" }] };
      early.owner = { title: "Ada" };
      document.getElementById("place").replaceChildren(early);
      window.table = early;""")
    expect(until(lambda: page.texts("article") == ["Ada: One"]), page.texts("cell-table"))
    page.run("table.dataSource = { count: 1, rows: () => [{ id: 2, title: 'Two' }] }")
    expect(until(lambda: page.texts("article") == ["Ada: Two"]), page.texts("cell-table"))


def takes_odd_totals(page):
    """A null total counts as unknown. A source with a count may return fewer rows than asked for. One whose URL has no `{from}` is asked once."""
    page.open()
    page.run(SOURCE % "{ rows: (from, count) => ({ rows: rows.slice(from, from + count), total: null }) }", 60)
    expect(until(lambda: page.texts("article")[:1] == ["Row 0"]), page.texts("cell-table"))
    page.run(SOURCE % "{ count: 130, rows: (from, count) => rows.slice(from, from + Math.min(count, 20)) }; table.setAttribute('window', 'all')", 130)
    expect(until(lambda: page.texts("article") == [f"Row {index}" for index in range(130)]), len(page.texts("article")))
    page.server.disturbances["/rows/paged"] = lambda handler: handler.send(json.dumps({"rows": [{"id": 1, "title": "One"}], "total": 1000})) or True
    page.server.forget()
    page.show(["cell-table", {"kind": "line", "src": "/rows/paged"}])
    expect(until(lambda: page.texts("article") == ["One"]), page.texts("cell-table"))
    time.sleep(0.3)
    expect(len(page.server.asked("/rows/")) == 1, "it asks", len(page.server.asked("/rows/")), "times")


def shows_texts_that_are_cut(page):
    """A lone surrogate, as a script leaves where it cuts a text, is replaced; the other rows are shown."""
    page.open()
    page.run(r"""
      window.made = document.createElement("cell-table");
      made.setAttribute("kind", "line");
      made.dataSource = { count: 3, rows: () => [{ id: 1, title: "One" }, { id: 2, title: "cut \ud83d" }, { id: "\udc00", title: "\\ud83d \ud83d\ude00" }] };
      document.getElementById("place").replaceChildren(made);""")
    expect(until(lambda: page.texts("article") == ["One", "cut \ufffd", "\\ud83d \U0001f600"]), page.texts("cell-table"))
    page.server.disturbances["/rows/cut"] = lambda handler: handler.send('[{"id": 1, "title": "One", "n": 1.50}, {"id": 2, "title": "cut \\ud83d"}]') or True
    page.show(["cell-table", {"kind": "line", "src": "/rows/cut"}])
    expect(until(lambda: page.texts("article") == ["One", "cut \ufffd"]), page.texts("cell-table"))


def tells_the_number_of_rows_beside_reloads(page):
    """A reload that fails, or that finds the same rows, does not change the row count that screen readers announce."""
    page.open()
    page.server.tables["rows"] = [{"id": index, "title": f"Row {index}"} for index in range(300)]
    page.show(["cell-table", {"kind": "line", "src": "/rows/rows?from={from}&count={count}"}])
    expect(until(lambda: page.texts("article")), "no rows")
    size = "return document.querySelector('[role=listitem]').ariaSetSize"
    expect(page.run(size) == "300", page.run(size))
    page.run("window.changes = new Set(); new MutationObserver(() => changes.add(document.querySelector('[role=listitem]')?.ariaSetSize)).observe(table, { subtree: true, attributes: true, childList: true })")
    page.server.disturbances["/rows/rows"] = lambda handler: time.sleep(0.3)
    page.run("window.isDone = table.reload(); scrollTo(0, 600)")
    expect(page.wait("return isDone") is True, "reload fails")
    page.server.disturbances["/rows/rows"] = lambda handler: handler.send("{}", status=404) or True
    expect(page.wait("return table.reload()") is False, "reload does not fail")
    page.run("scrollTo(0, 1200)")
    time.sleep(0.3)
    expect(set(page.run("return [...changes]")) <= {"300"}, page.run("return [...changes]"))


def inserts_at_an_end_that_is_not_known(page):
    """A row that comes in at the end is there: after the last row of the source, not after the last one that the table knows."""
    page.open()
    page.server.tables["rows"] = rows = [{"id": index, "title": f"Row {index}"} for index in range(400)]
    page.show(["cell-table", {"kind": "line", "src": "/rows/rows?plain=1&from={from}&count={count}"}])
    expect(until(lambda: page.texts("article")), "no rows")
    rows.append({"id": "new", "title": "New"})
    expect(page.wait("return table.insert([{ id: 'new', title: 'New' }])") is True, "insert fails")
    seen = {}

    def is_at_end():
        for text, number in page.run("return [...document.querySelectorAll('[role=listitem]')].map((row) => [row.textContent.trim(), row.ariaPosInSet])"):
            if text:
                seen[int(number)] = text
        page.run("scrollBy(0, 400)")
        time.sleep(0.03)
        return seen.get(401) == "New"
    expect(until(is_at_end, 20), "the new row is not at the end:", max(seen), seen.get(max(seen)))
    wrong = [number for number in range(1, 401) if seen.get(number) != f"Row {number - 1}"]
    expect(not wrong, "rows are missing or out of place:", wrong[:5])


def asks_on_where_a_server_gives_fewer(page):
    """A server that gives 20 rows at once, whatever it is asked for, and says that there are more, is asked for the rest."""
    page.open()
    page.server.tables["rows"] = rows = [{"id": index, "title": f"Row {index}"} for index in range(130)]

    def cap(handler):
        start = int(re.search(r"from=(\d+)", handler.path)[1])
        return handler.send(json.dumps({"rows": rows[start:start + 20], "total": len(rows)})) or True
    page.server.disturbances["/rows/rows"] = cap
    page.show(["cell-table", {"kind": "line", "src": "/rows/rows?from={from}&count={count}", "window": "all"}])
    expect(until(lambda: page.texts("article") == [row["title"] for row in rows]), len(page.texts("article")))


def changes_beside_loads(page):
    """Pages that are on their way when rows change, or come while others are rendered, leave nothing wrong."""
    page.open()
    asked, held = threading.Event(), threading.Event()
    page.server.tables["rows"] = rows = [{"id": index, "title": f"Row {index}"} for index in range(2000)]
    page.show(["cell-table", {"kind": "line", "src": "/rows/rows?from={from}&count={count}"}])
    expect(until(lambda: page.texts("article")), "no rows")

    def hold(handler):
        old = json.dumps({"rows": rows[(start := int(re.search(r"from=(\d+)", handler.path)[1])):start + 50], "total": len(rows)})
        asked.set()
        held.wait(10)
        return handler.send(old) or True
    page.server.disturbances["/rows/rows"] = hold
    page.run("scrollTo(0, 40_000)")
    expect(asked.wait(5), "nothing is loaded")
    time.sleep(0.3)
    for row in rows:
        row["title"] += ", new"
    page.run("window.isDone = table.update(arguments[0])", rows[:2000:7])
    time.sleep(0.2)
    page.server.disturbances.clear()
    held.set()
    expect(page.wait("return isDone") is True, "update fails")
    shown = "return [...document.querySelectorAll('article')].filter((cell) => { const { top } = cell.getBoundingClientRect(); return top > 0 && top < innerHeight; }).map((cell) => cell.textContent.trim())"
    expect(until(lambda: len(page.run(shown)) > 3), "no rows are in view")
    expect(until(lambda: all(text.endswith(", new") for text in page.run(shown)), 3), "the answer from before the change stays:", page.run(shown))
    # An insertion takes a while, and meanwhile pages come that have the row already.
    page.run("scrollTo(0, 0)")
    expect(until(lambda: page.texts("article")[:1] == ["Row 0, new"]), page.texts("article")[:1])

    def slow(handler):
        if b"Inserted" in handler.body:
            time.sleep(1)
    page.server.disturbances["/factory/cells?"] = slow
    rows[3:3] = [{"id": "in", "title": "Inserted"}]
    page.run("window.isDone = table.insert([{ id: 'in', title: 'Inserted' }], 3)")
    for _ in range(8):
        page.run("scrollBy(0, 1500)")
        time.sleep(0.1)
    expect(page.wait("return isDone") is True, "insert fails")
    wrong = set()

    def judge():
        for text, number in page.run("return [...document.querySelectorAll('[role=listitem]')].map((row) => [row.textContent.trim(), row.ariaPosInSet])"):
            if text and text != rows[int(number) - 1]["title"]:
                wrong.add((text, number))
    for top in range(14_000, -1, -700):
        judge()
        page.run("scrollTo(0, arguments[0])", top)
        time.sleep(0.05)
    expect(not wrong, "rows are out of place:", sorted(wrong)[:5])


CHECKS = [
    goes_on_inside_a_form, stays_in_place_where_only_widths_scroll, changes_what_templates_hold, keeps_fields_when_others_come_and_go, changes_attributes_with_programs, takes_back_what_cells_drew, makes_what_it_did_not_draw_anew, leads_nowhere_while_it_patches, refreshes_by_no_odd_number,
    shows_rows_beside_odd_ids, forgets_odd_etags, clears_what_else_is_there, leaves_nothing_behind, keeps_elements_of_every_name,
    tells_the_number_of_rows_beside_reloads, shows_rows_while_updates_come, inserts_what_is_there_once, tries_changes_again, takes_what_was_set_before_the_module, takes_odd_totals, shows_texts_that_are_cut, learns_how_many_there_are_again, inserts_at_an_end_that_is_not_known, asks_on_where_a_server_gives_fewer, changes_beside_loads,
]
