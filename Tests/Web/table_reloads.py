"""What `<cell-table>` does while reloads are on their way or fail: nothing of what people do is lost, and no source is asked in vain."""

import email.utils
import json
import re
import threading
import time

from preview import expect
from server import until
from table_places import answer

SOURCE = "/rows/rows?from={from}&count={count}"


def fields(count):
    return [{"id": number, "title": f"Row {number}", "v": f"Value {number}"} for number in range(count)]


def keeps_what_comes_beside_a_reload(page):
    """Rows that somebody scrolls to while a reload is on its way stay when it ends, and are not asked for again."""
    page.open()
    rows = fields(2000)
    asked, held = threading.Event(), threading.Event()
    page.server.disturbances["/rows/rows"] = lambda handler: answer(handler, rows)
    page.show(["cell-table", {"kind": "text", "src": SOURCE}])
    expect(until(lambda: page.texts("article")), "no rows")
    time.sleep(0.4)

    def hold(handler):
        if "from=0&" in handler.path:
            asked.set()
            held.wait(10)
        return answer(handler, rows)
    page.server.disturbances["/rows/rows"] = hold
    page.run("window.isDone = table.reload()")
    expect(asked.wait(5), "the reload does not ask")
    page.run("scrollTo(0, document.documentElement.scrollHeight / 2)")
    inputs = "[...document.querySelectorAll('article input')].filter((field) => { const { top } = field.getBoundingClientRect(); return top > 0 && top < innerHeight; })"
    expect(until(lambda: page.run(f"return {inputs}.length") > 5), "no rows are loaded beside the reload")
    time.sleep(0.4)
    page.run(f"window.field = {inputs}[3]; field.focus(); field.value += ', typed'")
    rows[0]["title"] = "Changed"
    held.set()
    expect(page.wait("return isDone") is True, "reload fails")
    time.sleep(0.6)
    state = page.run("return [field.isConnected, document.activeElement === field, field.value.endsWith(', typed')]")
    expect(state == [True, True, True], "of the field that somebody types into stays", state)
    starts = [int(re.search(r"from=(\d+)", request[1])[1]) for request in page.server.asked("/rows/rows?from=")]
    far = [start for start in starts if start > 500]
    expect(far and len(set(far)) == len(far), "pages asked for:", starts)
    page.run("scrollTo(0, 0)")
    expect(until(lambda: "Changed" in page.texts("article b"), 3), "the reload changes nothing")


def changes_places_of_what_came_beside_a_reload(page):
    """If the source has changed before the reload ends, rows of before and after it are not left side by side."""
    page.open()
    rows = fields(2000)
    asked, held = threading.Event(), threading.Event()
    page.server.disturbances["/rows/rows"] = lambda handler: answer(handler, rows)
    page.show(["cell-table", {"kind": "line", "src": SOURCE}])
    expect(until(lambda: page.texts("article")), "no rows")
    time.sleep(0.4)

    def hold(handler):
        if "from=0&" in handler.path:
            asked.set()
            held.wait(10)
        return answer(handler, rows)
    page.server.disturbances["/rows/rows"] = hold
    page.run("window.isDone = table.reload()")
    expect(asked.wait(5), "the reload does not ask")
    page.run("scrollTo(0, document.documentElement.scrollHeight / 2)")
    shown = "return [...document.querySelectorAll('[role=listitem]')].filter((row) => row.textContent.trim()).map((row) => [row.textContent.trim(), Number(row.ariaPosInSet)])"
    expect(until(lambda: len(page.run(shown)) > 9 and page.run(shown)[0][1] > 100), "no rows are loaded beside the reload")
    time.sleep(0.4)
    del rows[10]
    held.set()
    expect(page.wait("return isDone") is True, "reload fails")
    expect(until(lambda: page.run(shown) and all(rows[number - 1]["title"] == text for text, number in page.run(shown)), 4), "rows are out of place:", page.run(shown)[:3])


def waits_beside_changes(page):
    """A source that says Retry-After is left alone, and the page says so once, whatever goes well meanwhile: changes need only the factory."""
    page.open()
    rows = fields(2000)
    page.server.disturbances["/rows/rows"] = lambda handler: answer(handler, rows)
    page.show(["cell-table", {"kind": "line", "src": SOURCE}])
    expect(until(lambda: page.texts("article")), "no rows")
    page.server.disturbances["/rows/rows"] = lambda handler: handler.send("{}", status=503, Retry_After="120") or True
    page.run("scrollTo(0, document.documentElement.scrollHeight / 2)")
    said = ["Rows cannot be loaded: the server answered 503. Trying again in 120 s."]
    expect(until(lambda: page.texts("[role=alert]") == said), page.texts("[role=alert]"))
    time.sleep(0.3)
    page.server.forget()
    page.run("window.said = 0; new MutationObserver((list) => { said += list.filter(({ addedNodes }) => [...addedNodes].some((node) => node.className === 'cell-status')).length; }).observe(table, { childList: true })")
    for change in ("update([{ id: 1, title: 'New' }])", "remove([])", "insert([])") * 2:
        expect(page.wait(f"return table.{change}") is True, change, "fails")
        time.sleep(0.2)
    asked = page.server.asked("/rows/")
    expect(not asked and page.run("return said") == 0 and page.texts("[role=alert]") == said, len(asked), "pages asked for,", page.run("return said"), "messages")
    page.server.disturbances.clear()
    page.server.tables["rows"] = rows
    page.run("dispatchEvent(new Event('online'))")
    expect(until(lambda: not page.texts("[role=alert]") and len(page.texts("article")) > 9), "it does not recover:", page.texts("[role=alert]"))


def reloads_once_for_many_calls(page):
    """Calls of reload() that come faster than one takes are one more, whether it goes well or not. What was changed before a call is shown when it is done."""
    page.open()
    rows = fields(60)
    page.server.disturbances["/rows/rows"] = lambda handler: time.sleep(0.2) or answer(handler, rows)
    page.show(["cell-table", {"kind": "line", "src": SOURCE, "page": "60"}])
    expect(until(lambda: page.texts("article")), "no rows")
    page.server.forget()
    page.run("window.first = table.reload()")
    expect(until(lambda: page.server.asked("/rows/")), "the reload does not ask")
    rows[0]["title"] = "Changed"
    done = page.wait("return Promise.all([first, ...Array.from({ length: 50 }, () => table.reload()), table.update([{ id: 1, title: 'Updated' }])])")
    expect(done == [True] * 52, done)
    expect(page.texts("article")[:2] == ["Changed", "Updated"], page.texts("article")[:2])
    expect(len(page.server.asked("/rows/")) == 2, "pages asked for:", len(page.server.asked("/rows/")))
    page.server.disturbances["/rows/rows"] = lambda handler: handler.send("{}", status=503, Retry_After="120") or True
    page.server.forget()
    done = page.wait("return Promise.all(Array.from({ length: 50 }, () => table.reload()))")
    expect(done == [False] * 50 and len(page.server.asked("/rows/")) == 1, done[:3], "pages asked for:", len(page.server.asked("/rows/")))


def tells_of_answers_that_broke_off(page):
    """An answer of the factory that says at its end that it broke off is a failure, from the factory and from a server that passes it on. Rows may have errors of their own."""
    page.open()
    rendered = page.wait("return cells.render('line', arguments[0], { id: (row) => row.id })", fields(20))
    error = {"error": {"type": "urn:cellfactory:output-too-large", "title": "Too large", "status": 422, "detail": "too large"}}
    ending = "\n".join(map(json.dumps, [*rendered, error])), "application/x-ndjson"
    whole = json.dumps({"rows": rendered}), "application/json"
    for prefix, answers in (("/rows/", [ending, (json.dumps({"rows": rendered, **error}), "application/json"), (json.dumps({"rows": rendered, **error, "total": 20}), "application/json")]),
                            ("/factory/cells?", [ending])):
        for broken in answers:
            page.server.disturbances.clear()
            page.server.disturbances["/rows/"] = lambda handler: handler.send(*whole) or True
            page.server.disturbances[prefix] = lambda handler: handler.send(*broken) or True
            page.show(["cell-table", {"kind": "line", "src": "/rows/rows", **({"render": "src"} if prefix == "/rows/" else {})}])
            expect(until(lambda: page.texts("[role=alert]") == ["Rows cannot be loaded: too large. Trying again in 1 s."]), prefix, broken[1], page.texts("cell-table"))
            expect(not page.texts("article"), prefix, broken[1], "shows rows all the same")
            page.server.disturbances.clear()
            page.server.disturbances["/rows/"] = lambda handler: handler.send(*whole) or True
            expect(until(lambda: len(page.texts("article")) == 20, 4), prefix, broken[1], "it does not recover", page.texts("cell-table"))
    # What is a row and not an end.
    page.server.disturbances.clear()
    for row in ({"error": "Disk full"}, {"title": "One", **error}, {"id": 1, **error}):
        for text, content_type in ((json.dumps(row), "application/x-ndjson"), (json.dumps([row]), "application/json"), (json.dumps({"rows": [row], "error": None}), "application/json")):
            page.server.disturbances["/rows/"] = lambda handler: handler.send(text, content_type) or True
            page.show(["cell-table", {"kind": "line", "src": "/rows/rows"}])
            expect(until(lambda: len(page.texts("article")) == 1), text, page.texts("cell-table"))


def waits_as_servers_and_proxies_say(page):
    """Retry-After may be a date. What proxies answer for a while, 408 and 425, is tried again, as by the Python client; what is wrong for good is not."""
    page.open()
    tries = "Rows cannot be loaded: the server answered %d. Trying again in %s s."
    soon, past = (email.utils.formatdate(time.time() + seconds, usegmt=True) for seconds in (90, -90))
    for status, header, said in ((503, soon, tries % (503, "(8\\d|90)")), (503, past, tries % (503, "2")), (503, "soon", tries % (503, "2")), (408, "", tries % (408, "1")),
                                 (425, "7", tries % (425, "7")), (429, "7", tries % (429, "7")), (404, "7", "Rows cannot be loaded: the server answered 404.")):
        page.server.disturbances["/rows/rows"] = lambda handler: handler.send("{}", status=status, Retry_After=header) or True
        page.show(["cell-table", {"kind": "line", "src": SOURCE}])
        expect(until(lambda: re.fullmatch(said, "".join(page.texts("[role=alert]"))), 4), status, header, page.texts("[role=alert]"))


def takes_odd_sizes_of_pages(page):
    """What is no number of rows, or less than one, is as if it was not there. Parts of rows are not asked for."""
    page.open()
    rows = fields(200)
    page.server.disturbances["/rows/rows"] = lambda handler: answer(handler, rows)
    for size, wanted in (("-5", 50), ("0", 50), ("some", 50), ("", 50), ("2.5", 2), ("20", 20)):
        # What an earlier table asks for may come late.
        page.show(["cell-table", {"kind": "line", "src": SOURCE.replace("?", f"?size={size}&"), "page": size}])
        expect(until(lambda: len(page.texts("article")) > 9), repr(size), page.texts("cell-table"))
        time.sleep(0.4)
        asked = [int(re.search(r"count=(.*)", request[1])[1]) for request in page.server.asked(f"/rows/rows?size={size}&")]
        expect(set(asked) == {wanted} and len(asked) < 100, repr(size), "asks", len(asked), "times for", set(asked), "rows")
        expect(not page.events(), repr(size), page.events()[:3])


CHECKS = [keeps_what_comes_beside_a_reload, changes_places_of_what_came_beside_a_reload, waits_beside_changes, reloads_once_for_many_calls, tells_of_answers_that_broke_off, waits_as_servers_and_proxies_say, takes_odd_sizes_of_pages]
