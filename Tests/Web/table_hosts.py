"""What `<cell-table>` does in the elements and pages that it may be in, and as an element that scripts and frameworks use."""

from preview import expect
from server import until


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


CHECKS = [offers_no_messages]
