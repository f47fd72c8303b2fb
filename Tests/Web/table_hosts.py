"""What `<cell-table>` does in the elements and pages that it may be in, and as an element that scripts and frameworks use."""

import pathlib
import time

from application import POLICY
from preview import expect
from server import until

HERE = pathlib.Path(__file__).resolve().parent


def offers_no_messages(page):
    """In a `select`, what goes wrong is shown, but nobody can choose it, and no form sends it. A row that is good again can be chosen."""
    page.open()
    page.server.tables["rows"] = rows = [{"id": 1, "value": 1}, {"id": 2, "value": "b", "label": "B"}]
    sent = "const form = document.querySelector('form'); return [new FormData(form).get('x'), [...form.querySelector('select').options].map((option) => option.disabled)]"

    def show(kind):
        page.show(["form", {}, ["select", {"name": "x", "aria-label": "Choice"}]])
        page.run(f"window.made?.disconnect(); window.made = cells.cellTable(document.querySelector('select'), {{ kind: {kind}, src: '/rows/rows' }})")
    show("(row) => row.value === 1 ? 'nothing' : 'choice'")
    expect(until(lambda: page.run(sent) == ["b", [True, False]], 3), page.run(sent))
    rows[0]["value"] = "a"
    expect(page.wait("return made.reload()") is True and page.run(sent) == ["b", [False, False]], page.run(sent))
    page.server.disturbances["/rows/rows"] = lambda handler: handler.send("{}", status=500) or True
    show("'choice'")
    expect(until(lambda: page.run(sent) == [None, [True]], 3), page.run(sent))
    page.server.disturbances.clear()
    expect(until(lambda: page.run(sent) == ["a", [False, False]], 4), page.run(sent))
    page.run("made.disconnect()")


def stays_when_its_owner_changes(page):
    """A new owner reloads the rows, and nothing else. What is set again as it was does nothing, as where a framework sets all at each change."""
    page.open()
    page.server.tables["rows"] = [{"id": number, "title": f"Row {number}"} for number in range(400)]
    page.show(["cell-table", {"kind": "owned", "src": "/rows/rows?from={from}&count={count}"}], owner={"title": "Ada"})
    expect(until(lambda: page.texts("article")[:1] == ["Ada: Row 0"]), page.texts("article")[:1])
    expect(page.run("return [table.owner, table.dataSource === undefined]") == [{"title": "Ada"}, True], page.run("return table.owner"))
    page.run("scrollTo(0, 5000)")
    in_view = "[...document.querySelectorAll('article')].filter((cell) => cell.getBoundingClientRect().top > 0)"
    expect(until(lambda: page.run(f"return scrollY === 5000 && {in_view}.length > 5")), "it does not scroll")
    time.sleep(0.5)
    page.run(f"window.cell = {in_view}[2]; window.began = cell.getBoundingClientRect().top; window.text = cell.textContent")
    page.server.forget()
    page.run("table.owner = { title: 'Ada' }; table.owner = table.owner; table.setAttribute('kind', 'owned'); table.dataSource = table.dataSource")
    time.sleep(0.5)
    expect(not page.server.asked("/rows/"), "what has not changed asks", len(page.server.asked("/rows/")), "times")
    for change, name in (("table.owner = { title: 'Bo' }", "Bo"), ("table.owner.title = 'Cy'; table.owner = table.owner", "Cy"), ("table.owner = { ...table.owner, x: 1 }", "Cy")):
        page.server.forget()
        page.run(change)
        expect(page.run("return cell.isConnected"), change, "takes all rows away")
        expect(until(lambda: page.run("return cell.textContent") == page.run("return text").replace("Ada", name) and page.server.asked("/rows/"), 3), change, page.run("return cell.textContent"))
        time.sleep(0.3)
        state = page.run("return [cell.isConnected, scrollY, Math.abs(cell.getBoundingClientRect().top - began) <= 1]")
        expect(state == [True, 5000, True], change, state)
    page.run("table.setAttribute('kind', 'line')")
    expect(until(lambda: page.texts("article")[:1] == ["Row 0"], 3), "another kind is not shown")
    page.run("window.source = { count: 1, rows: () => [{ id: 1, title: 'One' }] }; table.dataSource = source")
    expect(until(lambda: page.texts("article") == ["One"] and page.run("return table.dataSource === source"), 3), page.texts("article")[:2])


def scrolls_in_shadow_trees(page):
    """A table in a shadow tree scrolls with the nearest element around it, in that tree or beyond it. In quirks mode, html and body may both scroll."""
    page.open()
    page.server.tables["rows"] = [{"id": number, "title": f"Row {number}"} for number in range(3000)]
    shown = """
      const around = scroller.getBoundingClientRect();
      return [...root.querySelectorAll("article")].filter((cell) => {
        const { top, bottom } = cell.getBoundingClientRect();
        return bottom > Math.max(0, around.top) && top < Math.min(innerHeight, around.bottom);
      }).map((cell) => cell.textContent);"""
    for place in ("inside", "outside"):
        page.run("""
          const host = document.createElement("div"), frame = document.createElement("div"), body = document.createElement("div"), isInside = arguments[0] === "inside";
          window.root = host.attachShadow({ mode: "open" });
          window.scroller = frame;
          frame.style.cssText = "height: 300px; overflow: auto";
          document.getElementById("place").replaceChildren(isInside ? host : frame);
          if (isInside) root.append(frame);
          else frame.append(host);
          (isInside ? frame : root).append(body);
          window.made?.disconnect();
          window.made = cells.cellTable(body, { kind: "line", src: "/rows/rows?from={from}&count={count}" });""", place)
        expect(until(lambda: page.run(shown)[:1] == ["Row 0"]), place, page.run(shown))
        for top in (2000, 20_000, 300):
            time.sleep(0.3)
            page.run("scroller.scrollTop = arguments[0]", top)
            expect(until(lambda: len(page.run(shown)) > 5, 3), place, "at", top, "shows", page.run(shown))
            numbers = [int(text.split()[1]) for text in page.run(shown)]
            expect(numbers == list(range(numbers[0], numbers[0] + len(numbers))) and (numbers[0] > 100) == (top > 10_000), place, "at", top, "shows", numbers)
        expect(page.run("return root.querySelectorAll('article').length") < 60, place, "all rows are in the page")
    page.run("made.disconnect()")
    page.open("/quirks.html")
    page.server.tables["rows"] = [{"id": number, "title": f"Row {number}"} for number in range(3000)]
    page.run("for (const element of [document.documentElement, document.body]) element.style.cssText = 'height: 100%; overflow: auto'")
    expect(page.run("return document.scrollingElement") is None, "the page has an element that scrolls")
    page.show(["cell-table", {"kind": "line", "src": "/rows/rows?from={from}&count={count}"}])
    expect(until(lambda: page.texts("article")[:1] == ["Row 0"], 3), page.texts("article")[:1])
    page.run("document.body.scrollTop = 20_000")
    expect(until(lambda: page.texts("article") and int(page.texts("article")[0].split()[1]) > 100, 3), "in quirks mode it stays at", page.texts("article")[:1])


def works_beside_the_module_of_another_factory(page):
    """Two copies of the module are in one page, if its policy lets each have a policy of that name, as docs/web.md says."""
    page.open()
    html = (HERE / "pages/table.html").read_text()
    page.server.disturbances["/two.html"] = lambda handler: handler.send(html, "text/html; charset=utf-8", Content_Security_Policy=f"{POLICY} 'allow-duplicates'") or True
    page.server.tables["rows"] = [{"id": 1, "text": "One", "title": "One"}]
    page.driver.get(page.server.url + "/two.html")
    expect(until(lambda: page.run("return window.isReady")), "the page does not load its module")
    page.show(["div", {}, ["ul", {}], ["cell-table", {"kind": "line", "src": "/rows/rows"}]])
    page.wait("const { cellTable } = await import('/factory/cells.js#another'); cellTable(document.querySelector('ul'), { kind: 'item', src: '/rows/rows' })")
    expect(until(lambda: page.texts("ul span, article") == ["One", "One"], 3), page.texts("ul, cell-table"))


CHECKS = [offers_no_messages, stays_when_its_owner_changes, scrolls_in_shadow_trees, works_beside_the_module_of_another_factory]
