"""What `<cell-table>` does where pages of rows come from before and after a change: all rows are in their places when the call is done."""

import json
import re
import threading
import time

from preview import expect
from server import until

SHOWN = "return [...table.querySelectorAll('[role=listitem]')].filter((row) => row.ariaPosInSet && row.textContent.trim()).map((row) => [Number(row.ariaPosInSet), row.textContent.trim(), row.ariaSetSize])"


def title(number):
    return {"id": number, "title": f"Row {number}"}


def judge(page, rows, when, size=None):
    """All that is shown is in its place, without gaps."""
    shown = page.run(SHOWN)
    wrong = [(number, text) for number, text, _ in shown if number > len(rows) or rows[number - 1]["title"] != text]
    numbers = [number for number, _, _ in shown]
    expect(shown and not wrong and numbers == list(range(numbers[0], numbers[-1] + 1)), when, "rows are out of place or missing:", wrong[:3], numbers[:1], numbers[-1:])
    expect({told for _, _, told in shown} == {str(len(rows) if size is None else size)}, when, "size:", {told for _, _, told in shown})


def answer(handler, rows, is_counted=True, claimed=None):
    start, count = map(int, re.search(r"from=(\d+)&count=(\d+)", handler.path).groups())
    chosen = rows[start:start + count]
    return handler.send(json.dumps({"rows": chosen, "total": claimed or len(rows)} if is_counted else chosen)) or True


def load_by_scrolling(page):
    page.server.forget()

    def scroll():
        page.run("scrollBy(0, 400)")
        time.sleep(0.05)
        return page.server.asked("/rows/")
    expect(until(scroll), "no page is loaded")
    time.sleep(0.3)


CALLS = {
    "remove": (lambda rows: rows.pop(10), "table.remove([10])"),
    "insert": (lambda rows: rows.insert(10, {"id": "new", "title": "New"}), "table.insert([{ id: 'new', title: 'New' }], 10)"),
}


def changes_places_beside_a_reload(page):
    """Rows go out or come in while the pages of a reload are on their way: some are of before the change, some of after it."""
    for change, call in CALLS.values():
        for window in ("all", ""):
            page.open()
            rows = [title(number) for number in range(120)]
            asked, held = threading.Event(), threading.Event()
            page.server.disturbances["/rows/rows"] = lambda handler: answer(handler, rows)
            page.show(["cell-table", {"kind": "line", "src": "/rows/rows?from={from}&count={count}", "window": window}])
            expect(until(lambda: page.texts("article")), "no rows")
            page.run("scrollTo(0, document.documentElement.scrollHeight * 0.42)")
            expect(until(lambda: "Row 60" in page.texts("article")), page.texts("article")[-1:])
            time.sleep(0.4)

            def hold(handler):
                if "from=50&" in handler.path:
                    asked.set()
                    held.wait(10)
                return answer(handler, rows)
            page.server.disturbances["/rows/rows"] = hold
            page.server.forget()
            page.run("void table.reload()")
            expect(asked.wait(5) and until(lambda: page.server.asked("/rows/rows?from=0&")), "the reload does not ask for both pages")
            change(rows)
            page.run(f"window.isDone = {call}; window.more = table.update([{{ id: 60, title: 'Row 60' }}])")
            held.set()
            expect(page.wait("return isDone") is True and page.wait("return more") is True, call, "fails")
            judge(page, rows, f"{call}, window={window}:")


def changes_places_of_what_came_meanwhile(page):
    """A page is loaded after the source has changed, and before the table is told so: by its total, or because it says none, the table knows."""
    for change, call in CALLS.values():
        for is_counted in (True, False):
            page.open()
            rows = [title(number) for number in range(400)]
            page.server.disturbances["/rows/rows"] = lambda handler: answer(handler, rows, is_counted)
            page.show(["cell-table", {"kind": "line", "src": "/rows/rows?from={from}&count={count}"}])
            expect(until(lambda: page.texts("article")), "no rows")
            time.sleep(0.4)
            change(rows)
            load_by_scrolling(page)
            expect(page.wait(f"return {call}") is True, call, "fails")
            for _ in range(4):
                judge(page, rows, f"{call}, counted: {is_counted}:", None if is_counted else -1)
                page.run("scrollBy(0, 800)")
                time.sleep(0.3)


def learns_that_the_source_has_changed(page):
    """A page that says another total than the table knows is of another time than the rows before it: these are asked for again, once."""
    page.open()
    rows = [title(number) for number in range(400)]
    page.server.disturbances["/rows/rows"] = lambda handler: answer(handler, rows)
    page.show(["cell-table", {"kind": "line", "src": "/rows/rows?from={from}&count={count}"}])
    expect(until(lambda: page.texts("article")), "no rows")
    time.sleep(0.4)
    del rows[10]
    load_by_scrolling(page)
    time.sleep(1.5)
    page.run("scrollTo(0, 0)")
    time.sleep(0.4)
    judge(page, rows, "a second later:")
    page.server.forget()
    time.sleep(1.5)
    expect(not page.server.asked("/rows/"), "it asks again and again")


def asks_once_for_many_changes(page):
    """Changes that come faster than a reload takes need one more, not one each."""
    page.open()
    rows = [title(number) for number in range(120)]
    page.server.disturbances["/rows/rows"] = lambda handler: time.sleep(0.2) or answer(handler, rows)
    page.show(["cell-table", {"kind": "line", "src": "/rows/rows?from={from}&count={count}", "window": "all"}])
    expect(until(lambda: len(page.texts("article")) == 120), "no rows")
    page.server.forget()
    del rows[10:30]
    done = page.wait("table.reload(); await new Promise((done) => setTimeout(done, 100));"
                     "return Promise.all(Array.from({ length: 20 }, (_, place) => table.remove([10 + place])))")
    expect(done == [True] * 20, done)
    judge(page, rows, "20 times remove:")
    expect(len(page.server.asked("/rows/")) <= 6, "pages asked for:", len(page.server.asked("/rows/")))


def removes_many_rows_at_once(page):
    """Rows from all over the table go out in one step, however many they are; the others keep their places, elements and what is typed into them."""
    page.open()
    rows = [title(number) for number in range(3000)]
    page.server.disturbances["/rows/rows"] = lambda handler: answer(handler, rows)
    page.show(["cell-table", {"kind": "text", "src": "/rows/rows?from={from}&count={count}", "window": "all", "page": "3000"}])
    expect(until(lambda: len(page.texts("article")) == 3000), "no rows")
    page.run("""
      window.elements = [...document.querySelectorAll("article")];
      elements[1999].querySelector("input").value = "typed";
      window.steps = 0;
      window.Float64Array = class extends Float64Array { constructor(size) { super(size); steps += 1; } };""")
    gone = [number for number in range(3000) if number % 3 == 0]
    rows[:] = [row for row in rows if row["id"] % 3]
    page.server.forget()
    expect(page.wait("return table.remove(arguments[0])", gone[::-1]) is True, "remove fails")
    judge(page, rows, "1,000 rows of 3,000:")
    expect(page.run("return steps") == 1 and not page.server.asked("/rows/"), page.run("return steps"), "steps")
    kept = page.run("return [elements.filter((element) => element.isConnected).length, elements[1999].isConnected, elements[1999].querySelector('input').value]")
    expect(kept == [2000, True, "typed"], kept)


def rests_beside_a_total_that_is_too_large(page):
    """A source that counts rows which it does not give is not asked again and again. One that changes to and fro is asked each time."""
    page.open()
    rows = [title(number) for number in range(50)]
    claim = lambda handler: answer(handler, rows, claimed=100)
    page.server.disturbances["/rows/rows"] = claim
    page.show(["cell-table", {"kind": "line", "src": "/rows/rows?from={from}&count={count}"}])
    expect(until(lambda: page.texts("article")), "no rows")
    time.sleep(2.5)
    page.server.forget()
    time.sleep(3)
    expect(not page.server.asked("/rows/"), "at rest it asks", len(page.server.asked("/rows/")), "times")
    judge(page, rows, "at rest:")
    rows = [title(number) for number in range(400)]
    page.server.disturbances["/rows/rows"] = lambda handler: answer(handler, rows)
    page.show(["cell-table", {"kind": "line", "src": "/rows/rows?from={from}&count={count}"}])
    expect(until(lambda: page.texts("article")), "no rows")
    for _ in range(2):
        time.sleep(0.4)
        del rows[10]
        load_by_scrolling(page)
        time.sleep(1.5)
        page.run("scrollTo(0, 0)")
        time.sleep(0.4)
        judge(page, rows, "a second later:")
        rows.insert(10, title(10))
        expect(page.wait("return table.reload()") is True, "reload fails")
        judge(page, rows, "after a reload:")


CHECKS = [rests_beside_a_total_that_is_too_large, removes_many_rows_at_once, changes_places_beside_a_reload, changes_places_of_what_came_meanwhile, learns_that_the_source_has_changed, asks_once_for_many_changes]
