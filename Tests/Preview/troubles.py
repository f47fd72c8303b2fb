"""The preview where answers come late or fail, and where much happens at once."""

import json
import time

from browser import CELLS, expect
from server import until

# Makes frames whose address has a part begin to load later, by so many milliseconds.
SLOW_FRAMES = """
const [milliseconds, part] = arguments, source = Object.getOwnPropertyDescriptor(HTMLIFrameElement.prototype, "src");
Object.defineProperty(HTMLIFrameElement.prototype, "src", {
  ...source, set(address) { setTimeout(() => source.set.call(this, address), address.includes(part) ? milliseconds : 0); },
});"""
# Holds the answers to requests with a path and a text until `answer` is called. Counts them.
SLOW_ANSWERS = """
const [path, text] = arguments, ask = window.fetch;
window.waiting = 0;
const go = new Promise((resolve) => { window.answer = resolve; });
window.fetch = async (address, options) => {
  const answer = await ask(address, options);
  if (address.includes(path) && `${options?.body}`.includes(text)) {
    window.waiting += 1;
    await go;
  }
  return answer;
};"""
# Types a text and resolves with the milliseconds of the longest task that it causes.
LONGEST_TASK = """
const [text, done] = arguments, field = document.getElementById("json"), tasks = [0];
const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries().map((task) => Math.round(task.duration))));
observer.observe({ type: "longtask" });
field.value = text;
field.setSelectionRange(text.length, text.length);
setTimeout(() => field.dispatchEvent(new Event("input")));
setTimeout(() => done(Math.max(...tasks)), 1500);"""
LONG_MILLISECONDS = 200
# Whether a frame is on its way.
ARRIVING = "return document.querySelector('#canvas iframe.arriving') !== null"


def keeps_what_is_typed_meanwhile(browser):
    """What is typed while a saved sample is on its way stays, in the editor and in the cell."""
    server = browser.server
    browser.open("/preview/news")
    expect(until(lambda: "Bread & roses" in (browser.shown() or "")), browser.shown())
    browser.run(SLOW_FRAMES, 800, "")
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


def ignores_links(browser):
    """Links and areas of cells and of their scenery lead nowhere, so that the cell stays; a frame that leads elsewhere comes back."""
    server = browser.server
    server.write("links.html", """<main><a id="around" href="/">x</a><map><area id="area" href="/"></map>
      <p data-cell="links"><b data-outlet="x">1</b> <a id="inside" href="/somewhere"><i id="part">x</i></a>
      <a id="fragment" href="#x">x</a> <a id="elsewhere" href="https://example.org/">x</a>
      <svg><a id="drawn" xlink:href="/"><text>x</text></a></svg></p></main>""")
    expect(until(lambda: "/preview/links" in server.get("/")), "the cell is not loaded")
    browser.open("/preview/links")
    expect(until(lambda: browser.shown() is not None), "the cell is not drawn")
    frame = "document.querySelector('#canvas iframe')"
    browser.run(f"{frame}.contentWindow.here = true")
    for name in ("around", "area", "inside", "part", "fragment", "elsewhere", "drawn"):
        for event in ("click", "auxclick"):
            browser.run(f"{frame}.contentDocument?.getElementById(arguments[0])"
                        "?.dispatchEvent(new MouseEvent(arguments[1], { bubbles: true, cancelable: true, composed: true }))", name, event)
        time.sleep(0.2)
        browser.type(f'{{"x": "after {name}"}}')
        expect(until(lambda: f"after {name}" in (browser.shown() or ""), 5), name, "is followed, so that the cell shows", browser.shown())
        expect(browser.run(f"return {frame}.contentWindow.here === true"), name, "is followed")
    for address in ("/somewhere", "https://example.org/"):
        browser.run(f"{frame}.contentWindow.location = arguments[0]", address)
        time.sleep(0.2)
        browser.type('{"x": "back again"}')
        expect(until(lambda: "back again" in (browser.shown() or "")), "the cell does not come back, but", browser.shown())
    (server.folder / "links.html").unlink()
    # What was not found is told on the console.
    browser.driver.get_log("browser")


def stresses_what_is_typed(browser):
    """What is typed is drawn in the cards of stress, too, and a late answer does not come over a newer one."""
    browser.open("/preview/news")
    until(lambda: browser.shown())
    browser.find("stress").click()
    first = "return document.querySelector('.stress iframe')?.contentDocument?.body?.textContent ?? ''"
    expect(until(lambda: "Bread & roses" in browser.run(first)), "the sample is not drawn:", browser.run(first))
    browser.type('{"title": "Typed"}')
    expect(until(lambda: "Typed" in browser.run(first), 5), "what is typed is not drawn, but", browser.run(first))
    browser.type('{"title": "Typ')
    expect(until(lambda: browser.text("fault")), "an error is not told")
    time.sleep(0.3)
    expect("Typed" in browser.run(first), "while an error is typed, there is", browser.run(first))
    # The answers to the first are late.
    browser.run(SLOW_ANSWERS, "/cells/", "Late")
    browser.type('{"title": "Late"}')
    expect(until(lambda: browser.run("return window.waiting") == 2), "the cards are not drawn anew")
    browser.type('{"title": "Newest"}')
    expect(until(lambda: "Newest" in browser.run(first)), "what is typed is not drawn, but", browser.run(first))
    browser.run("answer()")
    time.sleep(0.5)
    expect("Newest" in browser.run(first), "a late answer is drawn over a newer one:", browser.run(first))


def draws_long_texts(browser):
    """What is typed is coloured, and names are offered, in time that grows with the text alone."""
    browser.open("/preview/news")
    until(lambda: browser.shown())
    for name, letters in (("a word", "語" * 40_000), ("attributes", "a=1 " * 10_000), ("a list", None)):
        # The caret is where a name begins, after a list.
        text = json.dumps({"title": letters}, ensure_ascii=False) if letters else '{"title": "x", "list": [' + "1," * 16_000 + '1], "a'
        # The shortest of some: other programs run beside it.
        longest = min(browser.driver.execute_async_script(LONGEST_TASK, text) for _ in range(3))
        expect(not letters or letters in browser.text("html"), name, "is not drawn")
        expect(longest < LONG_MILLISECONDS, name, "of", len(text), "characters blocks the page for", longest, "ms")
        print(f"preview: {name} of {len(text)} characters blocks the page for {longest} ms")


def asks_for_its_page_again(browser):
    """A page that cannot have itself after a save asks again, and does not say that the kind is gone."""
    server = browser.server
    nib = server.read("feed.html")
    # No answer, then one without the page.
    script = """
      const ask = window.fetch, failures = [() => Promise.reject(new TypeError("none")), () => new Response("{}", { status: 503 })];
      window.left = () => failures.length;
      window.fetch = (address, options) => (address === location.href && failures.length ? failures.shift()() : ask(address, options));"""
    title = '<h2 class="news-title">'
    for path, shown in (
        ("/preview/news", CELLS + "return cells()?.[0]?.textContent ?? ''"),
        ("/", "return document.querySelector('[data-kind=news] iframe')?.contentDocument?.body?.textContent ?? ''"),
    ):
        browser.open(path)
        expect(until(lambda: "Bread & roses" in browser.run(shown)), path, "shows", browser.run(shown))
        browser.run(script)
        server.write("feed.html", nib.replace(title, f"{title}Saved: "))
        expect(until(lambda: browser.run("return left()") == 0, 5), path, "does not ask again")
        expect(not browser.find("diagnostics").is_displayed(), path, "says", browser.text("diagnostics"))
        expect(until(lambda: "Saved: " in browser.run(shown), 10), path, "still shows", browser.run(shown))
        server.write("feed.html", nib)
        expect(until(lambda: "Saved: " not in browser.run(shown), 10), path, "still shows", browser.run(shown))


def loads_frames_one_over_another(browser):
    """Of frames and answers that come late, the newest are shown, and no frame is left over."""
    server = browser.server
    state = ("""const frames = [...document.querySelectorAll("#canvas iframe")].map((frame) => frame.title).join(", ");
      return `${find("designed")} ${document.getElementById("canvas").classList.contains("compared")} ${frames}`;
      function find(id) { return document.getElementById(id).getAttribute("aria-pressed") }""")
    for clicks, wanted in ((2, "false false The cell news"), (3, "true true The cell news, The cell news as designed")):
        browser.open("/preview/news")
        until(lambda: browser.shown())
        browser.run(SLOW_FRAMES, 1500, "as=designed")
        browser.find("designed").click()
        expect(until(lambda: browser.run("return document.querySelector('.arriving')?.title") == "The cell news as designed"), "does not come")
        for _ in range(clicks - 1):
            browser.find("designed").click()
        time.sleep(4)
        expect(browser.run(state) == wanted, clicks, "clicks on As designed lead to", browser.run(state))
    browser.open("/preview/news")
    until(lambda: browser.shown())
    browser.run("""
      const ask = window.fetch;
      window.isHeld = false;
      window.fetch = async (address, options) => {
        if (isHeld || !address.startsWith("/cells")) return ask(address, options);
        isHeld = true;
        await new Promise((resolve) => { window.answer = resolve; });
        return new Response('{"rows": [{"index": 0, "kind": "news", "html": "<p>Stale</p>"}], "errors": 0}');
      };""")
    nib = server.read("feed.html")
    server.write("feed.html", nib.replace("<title>", "<title>1 "))
    expect(until(lambda: browser.run("return isHeld")), "a save is not drawn")
    title = '<h2 class="news-title">'
    server.write("feed.html", nib.replace(title, f"{title}Saved: "))
    expect(until(lambda: "Saved: " in (browser.shown() or "")), "the next save is not drawn")
    browser.run("answer()")
    time.sleep(0.5)
    expect("Saved: " in browser.shown() and "Saved: " in browser.text("html"), "a late answer is shown:", browser.shown(), browser.text("html"))
    expect(browser.run("return document.querySelectorAll('#canvas iframe').length") == 1, "a frame is left over")
    server.write("feed.html", nib)


def draws_what_is_typed_without_a_server(browser):
    """What is typed and pressed while the server is away is drawn when it is there again."""
    # Without a network requests get no answer. The open stream of events goes on, so another page tells of its state.
    tell = "new BroadcastChannel('cellfactory-preview').postMessage({ state: arguments[0] })"
    network = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    frames = """return [...document.querySelectorAll("#canvas iframe:not(.arriving)")].map((frame) =>
      frame.contentDocument?.querySelector(".news-title")?.textContent)"""
    stressed = "return document.querySelector('.stress iframe')?.contentDocument?.querySelector('.news-title')?.textContent"
    browser.driver.execute_cdp_cmd("Network.enable", {})
    try:
        for button, shown, wanted in ((None, frames, ["Typed"]), ("stress", stressed, "Typed"),
                                      ("designed", frames, ["Typed", "The harbour opens early, and nobody asks why"])):
            browser.open("/preview/news")
            expect(until(lambda: browser.shown()), "the sample is not drawn")
            browser.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {**network, "offline": True})
            browser.run(tell, "away")
            expect(until(lambda: browser.text("status") == "the server is away"), "the page does not say that the server is away")
            browser.type('{"title": "Typed"}')
            if button:
                browser.find(button).click()
            time.sleep(0.5)
            browser.driver.execute_cdp_cmd("Network.emulateNetworkConditions", network)
            browser.run(tell, "live")
            expect(until(lambda: browser.run(shown) == wanted, 5), button, "shows", browser.run(shown))
    finally:
        browser.driver.execute_cdp_cmd("Network.disable", {})
    # Requests without an answer are told on the console.
    browser.driver.get_log("browser")


def tells_errors_where_they_are(browser):
    """An error is told at its field and line; what is no JSON in itself is none within other JSON, either."""
    browser.open("/preview/news")
    until(lambda: browser.shown())
    marked = """return [["json", "owner"].filter((id) => document.getElementById(id).getAttribute("aria-invalid")).join(),
      [...document.getElementById("lines").children].findIndex((line) => line.className === "wrong") + 1]"""
    row = '{\n"title": "Typed"\n}'
    for is_all in (False, True):
        if is_all:
            browser.find("all").click()
        for data, owner, fault, field, line in (
            (row + ',{"title": "b"}', "", "Line 3, column 2: ", "json", 3),
            ('\n\n{"title": 1', "", "Line 3, column 12: ", "json", 3),
            ('{"title": 1}]}', '{"x": ', "Line 1, column 13: ", "json", 1),
            (row, '{\n"x": ', "Owner, line 2, column 6: ", "owner", 0),
            (row, '{}, "rows": [{}]', "Owner, line 1, column 3: ", "owner", 0),
            (row, "5", "Owner: ", "owner", 0),
            (row, "{}", "", "", 0),
        ):
            browser.type(data)
            browser.type(owner, "owner")
            told = (lambda: browser.text("fault").startswith(fault)) if fault else (lambda: "Typed" in browser.text("html"))
            expect(until(told, 5), data, owner, "has the error", browser.text("fault"))
            expect(browser.run(marked) == [field, line], data, owner, "marks", browser.run(marked))
            expect(owner or "Typed" not in browser.text("html"), data, "is drawn")
            browser.type("{}")
            browser.type("", "owner")
            expect(until(lambda: not browser.text("fault"), 5), "an error that is mended stays")
    browser.type('{"title": 1}')
    browser.find("all").click()
    # What browsers take for JSON and the server does not.
    for data, owner, fault in (('{"title": "\\ud800"}', "", "Line 1, column 12: "), ("{}", '{"x": "\\ud800"}', "Owner: ")):
        browser.type(data)
        browser.type(owner, "owner")
        expect(until(lambda: browser.text("fault").startswith(fault), 5), data, owner, "has the error", browser.text("fault"))


def keeps_its_place_in_lists(browser):
    """After a save, lists of kinds are still narrowed to what is typed, and the focus stays on its kind."""
    server = browser.server
    shown = "return [...document.querySelectorAll('li[data-kind]:not([hidden]) a')].map((link) => link.textContent).join()"
    for number, path in enumerate(("/preview/news", "/")):
        browser.open(path)
        until(lambda: path == "/" or browser.shown())
        browser.type("table-row", "find")
        browser.run("document.querySelector('li[data-kind=table-row] a').focus()")
        expect(browser.run(shown) == "table-row", "the list shows", browser.run(shown))
        server.write(f"more{number}.html", f'<p data-cell="more{number}">x</p>')
        more = f"return document.querySelector('li[data-kind=more{number}]') !== null"
        expect(until(lambda: browser.run(more)), path, "has no new kind")
        expect(browser.run(shown) == "table-row", path, "shows after a save", browser.run(shown))
        expect(browser.focused() == "table-row", path, "has the focus on", browser.focused())
    for number in range(2):
        (server.folder / f"more{number}.html").unlink()


CHECKS = [
    keeps_what_is_typed_meanwhile, draws_comments_like_its_own, ignores_links, stresses_what_is_typed, draws_long_texts,
    asks_for_its_page_again, loads_frames_one_over_another, draws_what_is_typed_without_a_server, tells_errors_where_they_are,
    keeps_its_place_in_lists,
]
