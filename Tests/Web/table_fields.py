"""What `<cell-table>` does with the fields of a cell that has changed: what somebody has typed or chosen stays, all others show what the cell says."""

from preview import expect
from server import until


def options(shown):
    """Options by their letters, with ids by their places. Those with a star after them are selected: "ab*c"."""
    letters = [(letter, shown[place + 1:place + 2] == "*") for place, letter in enumerate(shown) if letter != "*"]
    return [{"text": letter, "value": letter, "selected": is_selected, "id": f"s{place}", "item": f"item-{letter}"} for place, (letter, is_selected) in enumerate(letters)]


# Kind, row, row after it, what its field shows then.
UNTOUCHED = [
    ("pick", {"sizes": options("sm")}, {"sizes": options("sm*")}, "m"),
    ("pick", {"sizes": options("s*m")}, {"sizes": options("sm*")}, "m"),
    ("range", {}, {"v": 70}, "70"),
    ("range", {"v": 20}, {"v": 70}, "70"),
    ("range", {"v": 150}, {"v": 70}, "70"),
    ("color", {}, {"v": "#ff0000"}, "#ff0000"),
    ("color", {"v": "#FF0000"}, {"v": "#00ff00"}, "#00ff00"),
    ("text", {"v": "a\nb"}, {"v": "new"}, "new"),
    ("email", {"v": " a@example.org"}, {"v": "b@example.org"}, "b@example.org"),
    ("date", {"v": "2026-11-26T10:00:00Z"}, {"v": "2026-11-27"}, "2026-11-27"),
    ("number", {"v": "n/a"}, {"v": 5}, "5"),
    ("area", {"v": "a\r\nb"}, {"v": "new"}, "new"),
    ("area", {"v": "\nabc"}, {"v": "new"}, "new"),
    ("area", {"v": "abc"}, {"v": "\nnew"}, "\nnew"),
]
FIELD = "document.querySelector('article select, article input, article textarea')"


def shows_new_values_in_untouched_fields(page):
    """Where a browser shows another value than a cell says, nobody has typed it: the next value is shown."""
    page.open()
    for kind, before, after, wanted in UNTOUCHED:
        for is_rendered in (False, True):
            page.server.tables["rows"] = rows = [{"id": 1, "title": "one", **before}]
            if is_rendered:
                # As a server renders it, before the module is there.
                html = page.wait("return (await cells.render(arguments[0], arguments[1]))[0].html", kind, rows)
                rows[0] = {"id": 1, "title": "two", **after}
                page.run("""
                  const made = document.createElement("cell-table"), row = made.appendChild(document.createElement("div"));
                  row.dataset.id = 1;
                  row.innerHTML = trusted.createHTML(arguments[1]);
                  made.setAttribute("kind", arguments[0]);
                  made.setAttribute("src", "/rows/rows");
                  document.getElementById("place").replaceChildren(made);
                  window.table = made;""", kind, html)
            else:
                page.show(["cell-table", {"kind": kind, "src": "/rows/rows"}])
                expect(until(lambda: page.texts("article b") == ["one"]), kind, page.texts("article b"))
                rows[0] = {"id": 1, "title": "two", **after}
                expect(page.wait("return table.update(arguments[0])", rows) is True, "update fails")
            expect(until(lambda: page.texts("article b") == ["two"]), kind, page.texts("article b"))
            expect(page.wait("return table.reload()") is True, "reload fails")
            shown = page.run(f"return {FIELD}.value")
            expect(shown == wanted, kind, before, "has become", shown, "not", wanted)
    # What was typed and taken back is no longer typed.
    page.server.tables["rows"] = rows = [{"id": 1, "title": "one", "v": "old"}]
    page.show(["cell-table", {"kind": "text", "src": "/rows/rows"}])
    expect(until(lambda: page.texts("article b") == ["one"]), page.texts("article b"))
    page.run(f"{FIELD}.value = 'typed'; {FIELD}.value = 'old'")
    rows[0] = {"id": 1, "title": "two", "v": "new"}
    expect(page.wait("return table.reload()") is True, "reload fails")
    expect(page.run(f"return {FIELD}.value") == "new", page.run(f"return {FIELD}.value"))


def keeps_what_is_chosen(page):
    """Of a list of options or checkboxes all that somebody has chosen stay so, wherever they are then; of a group of radio buttons the one."""
    page.open()
    for kind, chosen, before, after, wanted in (
            ("picks", "ab", "abc", "abc", "ab"), ("picks", "ab", "abc", "xabc", "ab"), ("picks", "bc", "a*bc", "bca*", "bc"), ("picks", "", "a*b*c", "a*bc*", ""),
            ("picks", None, "a*b*c", "xa*b*", "ab"), ("picks", None, "a*b*c", "ab*c*", "bc"), ("picks", None, "ab", "a*b*", "ab"), ("picks", "b", "ab", "a", ""),
            ("pick", "b", "a*bc", "xa*b", "b"), ("pick", "b", "a*bc", "abc*", "b"), ("pick", "b", "a*b", "a*", ""), ("pick", None, "ab", "xab", "x"),
            ("radios", "b", "a*bc", "xa*bc", "b"), ("radios", "b", "abc", "ac", ""), ("checks", "b", "abc", "xabc", "b"), ("checks", "b", "abc", "ac", ""),
            ("checks", "ac", "abc", "cab", "ac"), ("checks", None, "a*b", "xa*b", "a"), ("checks", None, "ab", "ab*", "b"),
            ("placed-radios", "b", "a*bc", "xa*bc", "b"), ("placed-radios", "b", "abc", "xabc", "b"), ("placed-radios", None, "a*bc", "ab*c", "b"),
            ("placed-checks", "ac", "abc", "abcx", "ac"), ("placed-checks", "b", "abc", "xabc", ""), ("placed-checks", "b", "abc", "ac", ""),
            ("radios-in-rows", "b", "abc", "ac", ""), ("radios-in-rows", None, "a*bc", "xab*c", "b"),
            ("todo", "a", "abc", "bc", ""), ("todo", "b", "abc", "ac", ""), ("todo", "c", "abc", "xabc", "c"), ("todo", "ac", "abc", "cab", "ac"),
            ("named-todo", "b", "abc", "xabc", "b"), ("named-todo", "b", "abc", "bc", "b"), ("named-todo", "b", "abc", "ac", ""),
            ("radios", "b", "a*bc", "abc*", "b"), ("radios", "c", "a*bc", "ab*c", "c"), ("radios", None, "a*bc", "ab*c", "b"), ("radios", None, "abc", "abc*", "c")):
        page.server.tables["rows"] = rows = [{"id": 1, "title": "one", "sizes": options(before)}]
        page.show(["cell-table", {"kind": kind, "src": "/rows/rows"}])
        expect(until(lambda: page.texts("article b") == ["one"]), kind, page.texts("article b"))
        state = "kind.startsWith('pick') ? 'selected' : 'checked'"
        letter = "(one.closest('li, label')?.textContent ?? one.value)"
        if chosen is not None:
            page.run(f"const [kind, chosen] = arguments; for (const one of document.querySelectorAll('option, [type=radio], [type=checkbox]')) one[{state}] = chosen.includes({letter})", kind, chosen)
        rows[0] = {"id": 1, "title": "two", "sizes": options(after)}
        for change in ("update(arguments[0])", "reload()"):
            expect(page.wait(f"return table.{change}", rows) is True, change, "fails")
            shown = page.run(f"const kind = arguments[0]; return [...document.querySelectorAll('option, [type=radio], [type=checkbox]')].filter((one) => one[{state}]).map((one) => {letter}).sort().join('')", kind)
            expect(shown == wanted, kind, "chosen:", chosen, "of", before, "then", after, "shows", shown, "not", wanted)


def keeps_elements_with_names(page):
    """A custom element goes on as the one of its name, whether or not the name is a member of it, too."""
    page.open()
    page.run("""
      class Field extends HTMLElement {
        connectedCallback() { this.made = window.made = (window.made ?? 0) + 1; }
      }
      customElements.define("x-plain", class extends Field {});
      customElements.define("x-named", class extends Field {
        get name() { return this.getAttribute("name"); }
        get type() { return this.getAttribute("type"); }
        get value() { return "typed"; }
      });""")
    page.server.tables["rows"] = rows = [{"id": 1, "title": "one", "first": True}]
    page.show(["cell-table", {"kind": "elements", "src": "/rows/rows"}])
    expect(until(lambda: page.texts("article b") == ["one"]), page.texts("article b"))
    made = "return [...document.querySelectorAll('article [name]')].map((one) => one.getAttribute('name') + one.made).join(' ')"
    expect(page.run(made) == "a1 b2 c3 d4", page.run(made))
    for title, is_first, wanted in (("two", True, "a1 b2 c3 d4"), ("three", False, "b2 c3 d4")):
        rows[0] = {"id": 1, "title": title, "first": is_first}
        expect(page.wait("return table.update(arguments[0])", rows) is True, "update fails")
        expect(page.run(made) == wanted, title, page.run(made), "not", wanted)


def types_are_different_fields(page):
    """What was typed into a text field is no state of the checkbox that comes in its place."""
    page.open()
    page.server.tables["rows"] = rows = [{"id": 1, "title": "one", "check": False}]
    page.show(["cell-table", {"kind": "turned", "src": "/rows/rows"}])
    expect(until(lambda: page.texts("article b") == ["one"]), page.texts("article b"))
    page.run(f"{FIELD}.value = 'typed'")
    for title, is_check, wanted in (("two", True, ["checkbox", "on", False]), ("three", False, ["text", "", False])):
        rows[0] = {"id": 1, "title": title, "check": is_check}
        expect(page.wait("return table.update(arguments[0])", rows) is True, "update fails")
        shown = page.run(f"const field = {FIELD}; return [field.type, field.value, field.checked]")
        expect(shown == wanted, title, shown, "not", wanted)


CHECKS = [shows_new_values_in_untouched_fields, keeps_what_is_chosen, keeps_elements_with_names, types_are_different_fields]
