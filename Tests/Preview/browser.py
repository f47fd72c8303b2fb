"""The pages of a preview in a browser, as a person sees them."""

from server import until

# The elements between the marks of the frame that is shown.
CELLS = """
function cells() {
  const frame = document.querySelector("#canvas iframe:not(.arriving)");
  const inner = frame?.contentDocument;
  if (!inner?.body) return null;
  const walker = inner.createTreeWalker(inner, NodeFilter.SHOW_COMMENT);
  let start = null;
  while (walker.nextNode()) if (walker.currentNode.data === "cells") { start = walker.currentNode; break; }
  const found = [];
  for (let node = start?.nextSibling; node && node.data !== "/cells"; node = node.nextSibling) {
    if (node.nodeType === 1) found.push(node);
  }
  return found;
}
"""


class Failure(Exception):
    pass


def expect(condition, *words):
    if not condition:
        raise Failure(" ".join(map(str, words)))


class Browser:
    """The pages of one preview, as a person sees them."""

    def __init__(self, driver, server):
        self.driver, self.server = driver, server

    def open(self, path):
        self.driver.get(self.server.url + path)
        expect(until(lambda: self.text("status") == "live"), path, "does not become live")

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def find(self, identifier):
        return self.driver.find_element("id", identifier)

    def text(self, identifier):
        return self.run("return document.getElementById(arguments[0])?.textContent", identifier)

    def value(self, identifier):
        return self.run("return document.getElementById(arguments[0]).value", identifier)

    def shown(self):
        """The text of the filled cells in the frame; None while it is loading."""
        return self.run(CELLS + "return cells()?.map((cell) => cell.textContent).join('|') ?? null")

    def shows(self, text):
        return text in (self.shown() or "")

    def await_cells(self):
        expect(until(self.shown), "no cells are drawn")

    def type(self, text, identifier="json"):
        """Replaces the data in the editor, or what is in another field, as if it were typed."""
        self.run("const field = document.getElementById(arguments[1]); field.value = arguments[0];"
                 "field.dispatchEvent(new Event('input'))", text, identifier)

    def keys(self, *keys):
        self.driver.switch_to.active_element.send_keys(*keys)

    def focused(self):
        return self.run("const e = document.activeElement; return e.id || e.textContent.trim().slice(0, 40)")

    def stressed(self):
        """How many of the variants made to break designs have been drawn and judged."""
        return self.run("return [...document.querySelectorAll('.stress p')].filter((note) => note.textContent).length")
