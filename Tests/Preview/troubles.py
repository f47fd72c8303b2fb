"""The preview where answers come late or fail, and where much happens at once."""

import json
import time

from browser import expect
from server import until

# Makes frames begin to load later, by so many milliseconds.
SLOW_FRAMES = """
const source = Object.getOwnPropertyDescriptor(HTMLIFrameElement.prototype, "src");
Object.defineProperty(HTMLIFrameElement.prototype, "src", {
  ...source, set(address) { setTimeout(() => source.set.call(this, address), arguments[0]); },
});"""
# Whether a frame is on its way.
ARRIVING = "return document.querySelector('#canvas iframe.arriving') !== null"


def slow_frames(browser, milliseconds):
    browser.run(SLOW_FRAMES.replace("arguments[0]", str(milliseconds)))


def keeps_what_is_typed_meanwhile(browser):
    """What is typed while a saved sample is on its way stays, in the editor and in the cell."""
    server = browser.server
    browser.open("/preview/news")
    expect(until(lambda: "Bread & roses" in (browser.shown() or "")), browser.shown())
    slow_frames(browser, 800)
    samples = server.read("news.sample.json")
    server.write("news.sample.json", samples.replace("Bread &", "Saved &", 1))
    expect(until(lambda: browser.run(ARRIVING)), "a saved sample is not drawn")
    browser.type('{"title": "Mine"}')
    expect(until(lambda: not browser.run(ARRIVING)), "the frame does not come")
    expect(until(lambda: "Mine" in (browser.shown() or "")), "what was typed is not drawn, but", browser.shown())
    time.sleep(0.2)
    expect(browser.value("json") == '{"title": "Mine"}', "what was typed is gone; there is", browser.value("json"))
    server.write("news.sample.json", samples)


def draws_comments_like_its_own(browser):
    """Data may hold the comments that mark the cells, inside of the cell and after it."""
    server = browser.server
    server.write("raw.html", '<div data-cell="raw" data-raw="allow">{{{html}}}</div>')
    expect(until(lambda: "/preview/raw" in server.get("/")), "the cell is not loaded")
    browser.open("/preview/raw")
    shown = "return document.querySelector('#canvas iframe:not(.arriving)')?.contentDocument?.body?.textContent"
    for text in ("<!--/cells-->{}", "</div><!--/cells-->{}<!--cells--><div>", "<!--cells-->{}<!--/cells-->", "{}"):
        for word in ("one", "two"):
            browser.type(json.dumps({"html": text.format(word)}))
            expect(until(lambda: browser.run(shown) == word, 5), text, "is shown as", browser.run(shown))
    (server.folder / "raw.html").unlink()


CHECKS = [keeps_what_is_typed_meanwhile, draws_comments_like_its_own]
