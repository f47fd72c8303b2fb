#!/usr/bin/env python3
"""Uses the preview as designers and programmers do, in Chromium by remote control.

Finds kinds, edits data, saves, breaks and mends nibs, works by keyboard alone, tries to run scripts by data and by
scenery, and lets axe judge every page. Prints how long a saved file takes until its cell is redrawn. --output keeps
pictures of the pages at three widths, light and dark. Needs chromium and chromedriver; bounded in time; stops what it
starts.
"""

import argparse
import json
import pathlib
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import traceback

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "Properties")]

import troubles  # noqa: E402
from browser import CELLS, Browser, Failure, expect  # noqa: E402
from payloads import SCRIPTS  # noqa: E402
from server import preview, until  # noqa: E402
from skipping import is_skipped_without  # noqa: E402

SAVES = 20
SAVE_MILLISECONDS = 300
TYPING_MILLISECONDS = 100
# Most of it is the browser's, which drops the frames of the kinds that go.
FIND_MILLISECONDS = 400
WIDTHS = {"phone": 500, "tablet": 900, "desk": 1440}
KINDS = 1000

# Where nothing is loaded from. A test that counts who tries puts a server of its own in its place.
STRANGE = "127.0.0.1:1/"
# A designer who writes anything, and a cell that prints anything.
HOSTILE_NIB = """<!doctype html><html><head><title>h</title>
<script>parent.ran = "scenery"</script><link rel="stylesheet" href="javascript:parent.ran=1"><link rel="stylesheet" href="http://127.0.0.1:1/x.css"></head>
<body onload="parent.ran = 'onload'"><img src="x" onerror="parent.ran = 'onerror'"><svg onload="parent.ran = 'svg'"></svg>
<iframe srcdoc="<script>parent.parent.ran = 'srcdoc'</script>"></iframe>
<form action="javascript:parent.ran=1"><button>x</button></form>
<div data-cell="hostile" data-raw="allow"><a data-outlet="link" data-bind="href:url" href="#">x</a>{{{html}}}</div>
</body></html>
"""
# What runs where it can, and says so to the page around.
PAYLOADS = [
    "<script>parent.ran=1</script>", "<img src=x onerror=parent.ran=1>", "<svg onload=parent.ran=1>",
    "<iframe srcdoc='<script>parent.parent.ran=1</script>'></iframe>", "<details open ontoggle=parent.ran=1>x</details>",
    "<input autofocus onfocus=parent.ran=1>", "<video><source onerror=parent.ran=1></video>",
    "<a href=javascript:parent.ran=1 id=click>x</a>", "<meta http-equiv=refresh content='0;url=javascript:parent.ran=1'>",
    "<base href=//127.0.0.1:1/>", "<link rel=stylesheet href=//127.0.0.1:1/x.css>", "<object data=javascript:parent.ran=1>",
    "</div></body></html><script>parent.ran=1</script>", "<template><script>parent.ran=1</script></template>",
    "<!--/cells--><script>parent.ran=1</script><!--cells-->", "<form action=javascript:parent.ran=1><button id=click>x</button></form>",
    "<style>@import '//127.0.0.1:1/x'</style>", "<math><mi xlink:href=javascript:parent.ran=1 id=click>x</mi></math>",
]
# Data made to break designs, and what a cell shows of a text, a number and a list then.
STRESSES = {
    "As in the sample": "short 1 1 2", "Texts 10 times as long": "short( short){9} 1 1 2", "One long word": "Donau[a-zä]{60,} 1 1 2",
    "Empty texts": " 1 1 2", "Everything missing": "", "Everything null": "", "No items": "short 1", "One item": "short 1 1",
    "200 items": "short 1( 1 2){100}", "Right-to-left text": "[\u0600-\u06ff ]{10,} 1 1 2", "Combining characters": "s[\u0300-\u036f]{5}.* 1 1 2",
    "Emoji": ".*\N{ADULT}.* 1 1 2", "Markup": "<script>alert.* 1 1 2", "Huge numbers": "short 123456789012345680000 .*",
    "Negative numbers": "short -987654\\.321 .*",
}


def driver_of(width=1440, height=900):
    """A headless Chromium that reaches nothing but loopback."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for argument in (
        "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage",
        "--disable-background-networking", "--proxy-server=127.0.0.1:9", "--proxy-bypass-list=127.0.0.1",
        f"--window-size={width},{height}",
    ):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))


def finds_a_kind(browser):
    """Typing finds a kind, and Enter opens it."""
    from selenium.webdriver.common.keys import Keys

    browser.open("/")
    browser.keys("prod")
    names = browser.run("return [...document.querySelectorAll('.card:not([hidden]) a')].map((a) => a.textContent)")
    expect(names == ["product"], "typing prod shows", names)
    expect(browser.text("found") == "1 kind", browser.text("found"))
    browser.keys(Keys.ENTER)
    expect(until(lambda: browser.driver.current_url.endswith("/preview/product")), "Enter does not open the kind")
    browser.open("/")
    browser.keys("zzz")
    expect(browser.find("nothing").is_displayed(), "nothing is said where no kind is found")


def edits_data(browser):
    """Typing redraws the cell, and an error is shown at its line."""
    browser.open("/preview/news")
    expect(until(lambda: browser.shows("Bread & roses")), "the first sample is not drawn", browser.shown())
    # The shortest of some: other programs run beside it.
    milliseconds = min(browser.driver.execute_async_script(CELLS + """
      const done = arguments[1], text = arguments[0], field = document.getElementById("json");
      field.value = `{\\n"title": "${text}"\\n}`;
      const start = performance.now();
      field.dispatchEvent(new Event("input"));
      const look = () => cells()?.[0]?.textContent.includes(text) ? done(performance.now() - start) : setTimeout(look, 2);
      look();""", text) for text in ("Typing 1", "Typing 2", "Typing 3", "Typing 4", "Typed"))
    expect(milliseconds < TYPING_MILLISECONDS, "typing takes", milliseconds, "ms")
    expect(until(lambda: "Typed" in browser.text("html")), "the output does not show what was typed")
    browser.type('{\n"title": "Typed",\n"tags": [1,}\n}')
    expect(until(lambda: browser.text("fault").startswith("Line 3, column 12: ")), browser.text("fault"))
    lines = browser.run("return [...document.getElementById('lines').children].findIndex((e) => e.className === 'wrong')")
    expect(lines == 2, "the line that is marked is", lines)
    expect(browser.shows("Typed"), "the cell is gone because of an error in the data")
    browser.type('{\n"title": 1')
    expect(until(lambda: browser.text("fault").startswith("Line 2, column 11: ")), browser.text("fault"))
    browser.type("3")
    expect(until(lambda: browser.text("fault")), "a row that is a number is not refused")
    browser.type('{"title": "Right again"}')
    expect(until(lambda: browser.text("fault") == ""), browser.text("fault"))
    expect(browser.shows("Right again"), browser.shown())
    print(f"preview: what is typed is drawn after {milliseconds:.0f} ms")


def chooses_variants(browser):
    """Each sample row is a variant; policies, widths, themes and directions change the frame."""
    browser.open("/preview/news")
    browser.await_cells()
    options = browser.run("return document.getElementById('row').length")
    browser.run("const row = document.getElementById('row'); row.selectedIndex = 2; row.dispatchEvent(new Event('change'))")
    expect(until(lambda: browser.shows("海の上の図書館")), browser.shown())
    browser.find("all").click()
    expect(until(lambda: len((browser.shown() or "").split("|")) == options), "all rows are not shown")
    browser.find("all").click()
    browser.type("{}")
    expect(until(lambda: (text := browser.shown()) is not None and not text.strip()), browser.shown())
    browser.run("const field = document.getElementById('missing'); field.value = 'keep'; field.dispatchEvent(new Event('change'))")
    expect(until(lambda: browser.shows("The harbour opens early")), browser.shown())
    frame = "document.querySelector('#canvas iframe')"
    for width in ("390", "820", "1280"):
        browser.run(f"document.querySelector('[name=width][value=\"{width}\"]').click()")
        expect(browser.run(f"return {frame}.contentWindow.innerWidth") == int(width), "the frame is not so wide:", width)
    browser.find("dark").click()
    expect(browser.run(f"return getComputedStyle({frame}.contentDocument.documentElement).colorScheme") == "dark", "not dark")
    browser.find("rtl").click()
    expect(browser.run(f"return {frame}.contentDocument.documentElement.dir") == "rtl", "not right to left")
    browser.find("designed").click()
    # Beside the filled cell stands the file as designed.
    drawn = ("return [...document.querySelectorAll('#canvas iframe:not(.arriving)')].map((frame) =>"
             " frame.contentDocument?.querySelector('.news-title')?.textContent)")
    browser.type('{"title": "Filled"}')
    found = until(lambda: browser.run(drawn) == ["Filled", "The harbour opens early, and nobody asks why"])
    expect(found, "the file is not shown as designed:", browser.run(drawn))
    browser.find("designed").click()
    expect(until(lambda: browser.run(drawn) == ["Filled"]), "the file as designed does not go:", browser.run(drawn))


def draws_without_samples(browser):
    """What is typed for a kind without sample rows is drawn, by itself and as all rows."""
    server = browser.server
    server.write("bare.html", '<p data-cell="bare"><b data-outlet="x">1</b></p>')
    expect(until(lambda: "/preview/bare" in server.get("/")), "the cell is not loaded")
    browser.open("/preview/bare")
    browser.type('{"x": "alone"}')
    expect(until(lambda: browser.shown() == "alone"), browser.shown())
    browser.find("all").click()
    browser.type('{"x": "among all"}')
    expect(until(lambda: browser.shown() == "among all", 5), "all rows of none:", browser.shown())
    (server.folder / "bare.html").unlink()


def chooses_locales(browser):
    """Locale, time zone and time are switches of cells with formats; the page gets the language."""
    server = browser.server
    server.write("dates.html", """<html lang="en"><p data-cell="dates"><b data-outlet="n" data-format="number">1</b> <time
      data-outlet="d" data-format="datetime short">x</time> <i data-outlet="d" data-format="relative">x</i></p></html>""")
    server.write("dates.sample.json", '[{"n": 1234.5, "d": "2025-10-06T22:30:00Z"}]')
    expect(until(lambda: "/preview/dates" in server.get("/")), "the cell is not loaded")
    browser.open("/preview/dates")
    expect(until(lambda: browser.shows("1,234.5")), browser.shown())
    choose = ("for (const [id, value] of Object.entries(arguments[0])) { const field = document.getElementById(id);"
              " field.value = value; field.dispatchEvent(new Event('input')) }")
    root = "document.querySelector('#canvas iframe:not(.arriving)').contentDocument.documentElement"
    for chosen, shown, language in (
        ({"locale": "de", "zone": "Europe/Berlin", "now": "2025-10-09T12:00"}, "1.234,5 07.10.25, 00:30 vor 2 Tagen", "de "),
        ({"locale": "ar-EG", "zone": "", "now": "2025-10-07T22:30"}, "١٬٢٣٤٫٥", "ar-EG rtl"),
        ({"locale": "", "zone": "", "now": "2025-10-07T22:30"}, "1 day ago", "en "),
    ):
        browser.run(choose, chosen)
        expect(until(lambda: shown in (browser.shown() or "").replace("\u202f", " ")), chosen, "shows", browser.shown())
        expect(until(lambda: browser.run(f"return `${{{root}.lang}} ${{{root}.dir}}`") == language), chosen, "has another language")
    expect("now=2025-10-07T22%3A30%3A00Z" in browser.text("request-curl"), browser.text("request-curl"))
    browser.run(choose, {"locale": "x--"})
    expect(until(lambda: "not a language tag" in browser.text("fault")), "a wrong tag is not told:", browser.text("fault"))
    expect(browser.find("locale").get_attribute("aria-invalid") == "true", "the field is not marked")
    browser.open("/preview/news")
    expect(browser.run("return document.querySelector('.reading')") is None, "a cell without formats has the switches")
    for name in ("dates.html", "dates.sample.json"):
        (server.folder / name).unlink()
    # A refused tag is told on the console, too.
    browser.driver.get_log("browser")


def keeps_columns(browser):
    """A table row stands in its table: its columns are those of the head."""
    browser.open("/preview/table-row")
    browser.await_cells()
    lefts = browser.run(CELLS + """
      const row = cells()[0], left = (item) => Math.round(item.getBoundingClientRect().left);
      return [row.parentNode.localName, [...row.cells].map(left), [...row.closest("table").tHead.rows[0].cells].map(left)];""")
    expect(lefts[0] == "tbody" and lefts[1] == lefts[2] and len(lefts[1]) == 8, lefts)


def follows_files(browser):
    """A saved nib is redrawn, without losing what was typed. Prints the time."""
    server = browser.server
    browser.open("/preview/news")
    browser.await_cells()
    browser.type('{"title": "Typed before the save"}')
    expect(until(lambda: browser.shows("Typed before")), "what is typed is not drawn")
    nib = server.read("feed.html")
    times = []
    for number in range(SAVES):
        begin = time.monotonic()
        server.write("feed.html", nib.replace('<h2 class="news-title">', f'<h2 class="news-title">Save {number}: '))
        wanted = f"Save {number}: Typed before the save"
        expect(until(lambda: browser.shows(wanted), 10), "a save is not drawn:", browser.shown())
        times.append((time.monotonic() - begin) * 1000)
    median = statistics.median(times)
    print(f"preview: a saved file is redrawn after {median:.0f} ms (median of {SAVES}; longest {max(times):.0f} ms)")
    expect(median < SAVE_MILLISECONDS, "a save takes too long:", median, "ms")
    expect(browser.value("json") == '{"title": "Typed before the save"}', "what was typed is lost")
    server.write("feed.html", nib.replace("<style>", '<link rel="stylesheet" href="more.css"><style>'))
    server.write("more.css", ".news { outline: 3px solid rgb(1, 2, 3) }")
    colour = CELLS + "return cells()?.[0] && getComputedStyle(cells()[0]).outlineColor"
    expect(until(lambda: browser.run(colour) == "rgb(1, 2, 3)"), "a style sheet is not loaded", browser.run(colour))
    server.write("more.css", ".news { outline: 3px solid rgb(4, 5, 6) }")
    expect(until(lambda: browser.run(colour) == "rgb(4, 5, 6)"), "a changed style sheet is not noticed")
    server.write("feed.html", nib)
    expect(until(lambda: browser.run(colour) != "rgb(4, 5, 6)"), "the nib as it was is not drawn")


def shows_diagnostics(browser):
    """Errors lie over the page with their line, and go when they are mended; nothing that was typed is lost."""
    server = browser.server
    nib = server.read("feed.html")
    for path in ("/preview/news", "/"):
        browser.open(path)
        if path != "/":
            browser.await_cells()
            browser.type('{"title": "Kept"}')
            expect(until(lambda: browser.shows("Kept")), "what is typed is not drawn")
        server.write("feed.html", nib.replace('data-outlet="title"', 'data-outlet="ti tle"', 1))
        expect(until(lambda: browser.find("diagnostics").is_displayed()), path, "shows no diagnostics")
        told = browser.text("diagnostics")
        line = nib[:nib.index('data-outlet="title"')].count("\n") + 1
        for part in (f"feed.html:{line}:", "1 error", 'data-outlet="ti tle"', "not reloaded"):
            expect(part in told + browser.text("status"), path, "does not tell", part, "but", told)
        if path != "/":
            expect(browser.shows("Kept"), "the cell is gone")
            # The others still open at the state of failure.
            other = browser.driver.current_window_handle
            browser.driver.switch_to.new_window("tab")
            browser.driver.get(server.url + "/preview/product")
            expect(until(lambda: browser.find("diagnostics").is_displayed()), "a new page does not tell of the errors")
            browser.driver.close()
            browser.driver.switch_to.window(other)
        server.write("feed.html", nib)
        expect(until(lambda: not browser.find("diagnostics").is_displayed()), path, "keeps diagnostics that are mended")
        if path != "/":
            expect(browser.value("json") == '{"title": "Kept"}', "what was typed is lost")
    browser.open("/preview/news")
    server.write("news.sample.json", server.read("news.sample.json").replace('"title"', '"titel"', 1))
    expect(until(lambda: browser.text("warnings") == "1 warning"), "warnings are not counted:", browser.text("warnings"))
    browser.find("warnings").click()
    expect("titel" in browser.text("diagnostics"), browser.text("diagnostics"))
    # Who reads them may save a file meanwhile.
    server.write("feed.html", nib.replace('<h2 class="news-title">', '<h2 class="news-title">Saved: '))
    expect(until(lambda: "Saved:" in (browser.shown() or "")), "a save is not drawn:", browser.shown())
    expect("titel" in browser.text("diagnostics"), "the warnings go when a file is saved")
    server.write("news.sample.json", server.read("news.sample.json").replace('"titel"', '"titles"', 1))
    expect(until(lambda: "titles" in browser.text("diagnostics")), "other warnings are not shown:", browser.text("diagnostics"))
    server.write("feed.html", nib)
    shutil.copy(ROOT / "templates/news.sample.json", server.folder)
    expect(until(lambda: not browser.find("warnings").is_displayed()), "a warning that is mended stays")
    expect(not browser.find("diagnostics").is_displayed(), "the list of warnings that are mended stays")


def follows_new_kinds(browser):
    """A new kind appears, what is said of it changes, a removed one goes, and its open page says so."""
    server = browser.server
    browser.open("/")
    server.write("fresh.html", '<p data-cell="fresh"><b data-outlet="x">new</b></p>')
    cards = "return [...document.querySelectorAll('.card')].map((card) => card.dataset.kind)"
    expect(until(lambda: "fresh" in browser.run(cards)), "a new kind does not appear")
    label = """const card = document.querySelector(".card[data-kind=fresh]");
      return card && `${card.closest(".nib").querySelector("h2").textContent.split("/").at(-1)}: ${card.querySelector(".count").textContent}`"""
    for name, count in (("fresh", 2), ("fresh", 3), ("fresher", 3)):
        server.write("fresh.sample.json", json.dumps([{"x": number} for number in range(count)]))
        if name != "fresh":
            (server.folder / "fresh.html").rename(server.folder / f"{name}.html")
        told = f"{name}.html: {count} sample rows"
        expect(until(lambda: browser.run(label) == told, 10), "the page does not say", told, "but", browser.run(label))
    browser.open("/preview/fresh")
    expect(until(lambda: browser.shown() is not None), "the new kind is not drawn")
    for path in server.folder.glob("fresh*"):
        path.unlink()
    expect(until(lambda: "is gone" in browser.text("diagnostics")), "the page of a removed kind does not say so")


def stresses(browser):
    """Data made to break designs is drawn side by side; what overflows is marked."""
    server = browser.server
    server.write("narrow.html", """<style>.narrow { width: 120px; border: 1px solid } .wide { overflow-wrap: anywhere }</style>
      <p class="narrow" data-cell="narrow"><b data-outlet="text">short</b> <i data-outlet="n">1</i> <u data-outlet="list">1</u></p>
      <p class="wide" data-cell="wide"><b data-outlet="text">short</b> <i data-outlet="n">1</i> <u data-outlet="list">1</u></p>""")
    for kind in ("narrow", "wide"):
        server.write(f"{kind}.sample.json", '[{"text": "short", "n": 1, "list": [1, 2]}]')
    for kind, overflowing in (("narrow", ["One long word", "Markup", "Huge numbers"]), ("wide", [])):
        expect(until(lambda: f"/preview/{kind}" in server.get("/")), kind, "is not loaded")
        browser.open(f"/preview/{kind}")
        browser.await_cells()
        browser.find("stress").click()
        expect(until(lambda: browser.stressed() == len(STRESSES)), "not all variants are drawn", browser.stressed())
        names = "return [...document.querySelectorAll('.stress%s h2')].map((e) => e.textContent)"
        marked = browser.run(names % ".overflows")
        expect(marked == overflowing, kind, "overflows with", marked)
        expect(browser.run(names % "") == list(STRESSES), browser.run(names % ""))
        texts = browser.run("return [...document.querySelectorAll('.stress iframe')].map((frame) =>"
                            " frame.contentDocument.querySelector(arguments[0])?.textContent ?? '')", "." + kind)
        for (name, shown), text in zip(STRESSES.items(), texts, strict=True):
            expect(re.fullmatch(shown, text), kind, name, "shows", repr(text))
    for name in ("narrow.html", "narrow.sample.json", "wide.sample.json"):
        (server.folder / name).unlink()


def completes_names(browser):
    """Names that the kind reads are offered while a name is typed."""
    from selenium.webdriver.common.keys import Keys

    browser.open("/preview/news")
    browser.await_cells()
    expect(until(lambda: browser.run("return [...document.querySelectorAll('.type')].some((cell) => cell.textContent)")), "no types are shown")
    field = browser.find("json")
    field.clear()
    field.send_keys('{"ti')
    expect(browser.find("names").is_displayed(), "no names are offered")
    field.send_keys(Keys.ENTER, '"x", "author": {"')
    offered = browser.run("return [...document.querySelectorAll('#names li')].map((item) => item.dataset.name)")
    expect(offered == ["name", "url"], "in author are offered", offered)
    field.send_keys(Keys.ARROW_DOWN, Keys.TAB, '"/a"}}')
    expect(json.loads(browser.value("json")) == {"title": "x", "author": {"url": "/a"}}, browser.value("json"))
    rows = browser.run("return [...document.querySelectorAll('#name-table tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent))")
    expect(any(row[0] == "published.label" and row[1] == "string" and "outlet time" in row[2] for row in rows), rows)


def draws_kinds_that_read_rows(browser):
    """A kind that reads a name `rows` takes an object with them for a row: it is drawn as it is sent, and so are its requests."""
    server = browser.server
    nib = '<table><tbody data-cell="grid"><tr%s><td data-outlet="name">name</td><td data-outlet="owner.x"></td></tr></tbody></table>'
    server.write("grid.html", nib % "")
    server.write("grid.sample.json", '[{"name": "One", "rows": [{"name": "Ada"}, {"name": "Bo"}]}]')
    expect(until(lambda: "/preview/grid" in server.get("/")), "is not loaded")
    browser.open("/preview/grid")
    # The page that is open notices that the kind reads them.
    server.write("grid.html", nib % ' data-outlet="rows"')
    shown = CELLS + "return cells()?.flatMap((cell) => [...cell.querySelectorAll('tr')].map((row) => row.cells[0].textContent)).join('|') ?? null"
    time.sleep(0.3)
    expect(until(lambda: browser.run(shown) == "Ada|Bo"), "the sample is drawn as", browser.run(shown))
    browser.type('{"rows": [{"name": "Typed"}]}')
    expect(until(lambda: browser.run(shown) == "Typed"), "what is typed is drawn as", browser.run(shown))
    browser.type('{"rows": [\n{"name": Typed}]}')
    expect(until(lambda: browser.text("fault").startswith("Line 2, column 10")), browser.text("fault"))
    browser.type('{"rows": [{"name": "Typed"}]}')
    browser.run("document.getElementById('owner').value = '{\"x\": \"Mine\"}'; document.getElementById('owner').dispatchEvent(new Event('input'))")
    expect(until(lambda: "Mine" in browser.text("html")), browser.text("html"))
    for owner in ('{"x": "Mine"}', ""):
        browser.run("document.getElementById('owner').value = arguments[0]; document.getElementById('owner').dispatchEvent(new Event('input'))", owner)
        expect(until(lambda: ("Mine" in browser.text("html")) == bool(owner)), browser.text("html"))
        done = subprocess.run(["bash", "-c", browser.text("request-curl")], capture_output=True, text=True, timeout=30)
        expect("Typed" in done.stdout and ("Mine" in done.stdout) == bool(owner), "curl prints", done.stdout, done.stderr)
    server.write("lines.txt.mustache", "{{#rows}}{{n}};{{/rows}}{{owner.x}}")
    expect(until(lambda: "/preview/lines" in server.get("/")), "is not loaded")
    browser.open("/preview/lines")
    browser.type('{"rows": [{"n": 1}, {"n": 2}]}')
    browser.run("document.getElementById('owner').value = '{\"x\": \"Mine\"}'; document.getElementById('owner').dispatchEvent(new Event('input'))")
    expect(until(lambda: browser.text("html") == "1;2;Mine"), browser.text("html"))
    done = subprocess.run(["bash", "-c", browser.text("request-curl")], capture_output=True, text=True, timeout=30)
    expect(done.stdout == "1;2;Mine", "curl prints", done.stdout, done.stderr)
    for name in ("grid.html", "grid.sample.json", "lines.txt.mustache"):
        (server.folder / name).unlink()


def copies_requests(browser):
    """The requests of the last tab work as they are, and give what the page shows."""
    server = browser.server
    server.write("request.html", '<p data-cell="request"><b data-outlet="text">x</b> <i data-outlet="number">1</i> {{owner.number}}</p>')
    expect(until(lambda: "/preview/request" in server.get("/")), "the cell is not loaded")
    browser.open("/preview/request")
    browser.await_cells()
    browser.run("document.getElementById('owner').value = '{\"number\": 1.50}'")
    text = json.dumps("It's \"quoted\" \\\\ $HOME ${HOME} `x` \n\u2028 é", ensure_ascii=False)
    browser.type(f'{{"text": {text},\n"number": 39.90, "list": ["", "\\"", "\\u00e9"]}}')
    expect(until(lambda: "39.90" in browser.text("html") and "1.50" in browser.text("html")), browser.text("html"))
    wanted = browser.text("html")
    for name, command in (("curl", ["bash", "-c"]), ("python", [sys.executable, "-c"])):
        done = subprocess.run([*command, browser.text(f"request-{name}")], capture_output=True, text=True, timeout=30)
        expect(done.stdout.rstrip("\n") == wanted, name, "prints", done.stdout, done.stderr)
    fetched = browser.driver.execute_async_script(
        "const done = arguments[0]; (async () => {" + browser.text("request-fetch") + " return html; })().then(done, done);")
    expect(fetched == wanted, "fetch gives", fetched)
    browser.run("Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { window.copied = text; } } })")
    browser.find("tab-request").click()
    # The second click comes while the first is still told.
    told = browser.driver.execute_async_script("""
      const button = document.querySelector("[value=request-curl]"), told = [], done = arguments[0];
      button.click();
      setTimeout(() => { told.push(button.textContent); button.click(); }, 400);
      setTimeout(() => { told.push(button.textContent); done(told); }, 2400);""")
    expect(told == ["Copied", "Copy curl"], "after each click, the button says", told)
    expect(browser.run("return copied") == browser.text("request-curl"), "there is copied", browser.run("return copied"))
    # Only what the server does not do of itself is said.
    choose = ("const field = document.getElementById('missing');"
              " [...field.options].forEach((option) => { option.defaultSelected = option.value === arguments[1] });"
              " field.value = arguments[0]; field.dispatchEvent(new Event('change'))")
    for missing, default in (("keep", "drop"), ("drop", "keep"), ("keep", "keep"), ("drop", "drop")):
        browser.run(choose, missing, default)
        expect(until(lambda: (f"missing={missing}" in browser.text("request-curl")) == (missing != default), 5),
               missing, "where", default, "is the default, asks", browser.text("request-curl"))
    (server.folder / "request.html").unlink()


def works_by_keyboard(browser):
    """From the first page to a copied request without a pointer."""
    from selenium.webdriver.common.keys import Keys

    browser.open("/")
    expect(browser.focused() == "find", "the field is not focused, but", browser.focused())
    browser.keys("tab", Keys.ARROW_DOWN)
    expect(browser.focused() == "table-row", browser.focused())
    browser.keys(Keys.ENTER)
    expect(until(lambda: browser.driver.current_url.endswith("/preview/table-row")), "a kind is not opened")
    browser.await_cells()
    browser.driver.find_element("tag name", "body").send_keys("/")
    expect(browser.focused() == "find", "/ does not go to the field, but to", browser.focused())
    reached = []
    for _ in range(60):
        browser.keys(Keys.TAB)
        reached.append(browser.focused())
        if reached[-1] == "tab-html":
            break
    for stop in ("row", "missing", "all", "dark", "rtl", "designed", "stress", "canvas", "json", "tab-html"):
        expect(stop in reached, stop, "is not reached by Tab:", reached)
    for panel in ("panel-row", "panel-names", "panel-schema", "panel-request"):
        browser.keys(Keys.ARROW_RIGHT)
        expect(browser.find(panel).is_displayed(), panel, "is not shown")
    expect("/cells/table-row" in browser.text("request-curl") and "fetch(" in browser.text("request-fetch"), "no requests")
    browser.find("stress").send_keys(Keys.SPACE)
    expect(browser.find("stress").get_attribute("aria-pressed") == "true", "a button is not pressed by the space bar")


class Stranger:
    """A server that pages are told to load from, and must not. It counts who comes."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self.listener.getsockname()[1]}/"
        self.visits = 0
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            visitor, _ = self.listener.accept()
            self.visits += 1
            visitor.close()


def runs_nothing(browser):
    """Neither data nor scenery runs a script, navigates the page or loads from a server that the page's policy forbids."""
    stranger = Stranger()
    # What the payloads do where they can: the test would notice.
    browser.driver.get("data:text/html,<iframe srcdoc=\"<img src=x onerror='parent.ran=1'>\"></iframe>")
    expect(until(lambda: browser.run("return window.ran === 1")), "the test does not notice scripts that run")
    browser.driver.get(f"data:text/html,<link rel=stylesheet href=http://{stranger.address}>")
    expect(until(lambda: stranger.visits), "the test does not notice what is loaded")
    server = browser.server
    browser.driver.get(server.url)
    stranger.visits = 0
    server.write("hostile.html", HOSTILE_NIB.replace(STRANGE, stranger.address))
    expect(until(lambda: "/preview/hostile" in server.get("/")), "the hostile nib is not loaded")
    for path in ("/", "/preview/hostile"):
        browser.open(path)
        time.sleep(0.5)
        expect(browser.run("return window.ran ?? null") is None, path, "ran", browser.run("return window.ran"))
    number = 0
    click = CELLS + """
      for (const item of document.querySelector("#canvas iframe").contentDocument.querySelectorAll("a, button, #click")) {
        item.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
      }"""
    for payload in PAYLOADS + [script.replace("alert(1)", "parent.ran=1") for script in SCRIPTS]:
        number += 1
        browser.type(json.dumps({"html": payload.replace(STRANGE, stranger.address), "link": f"payload {number}", "url": "javascript:parent.ran=1"}))
        expect(until(lambda: f"payload {number}<" in browser.text("html")), "a payload is not drawn:", payload)
        expect(f"payload {number}" in (browser.shown() or ""), payload, "is not in the frame, but", browser.shown())
        browser.run(click)
        time.sleep(0.02)
        expect(browser.run("return window.ran ?? null") is None, payload, "ran")
        expect(browser.driver.current_url.endswith("/preview/hostile"), payload, "navigated to", browser.driver.current_url)
    # Opened by itself, without the sandbox of the page around.
    browser.driver.get(server.url + "/preview/frame/hostile?as=designed")
    time.sleep(0.3)
    expect(browser.run("return window.ran ?? null") is None, "a frame by itself ran", browser.run("return window.ran"))
    expect(not stranger.visits, "another server was asked", stranger.visits, "times")
    (server.folder / "hostile.html").unlink()


def passes_axe(browser):
    """axe finds nothing on any page, light and dark."""
    from axe_selenium_python import Axe

    server = browser.server

    def judge(name):
        axe = Axe(browser.driver)
        axe.inject()
        found = axe.run(options='{"iframes": false}')["violations"]
        lines = [f"{item['id']}: {node['target']} {node.get('failureSummary', '')}" for item in found for node in item["nodes"]]
        expect(not found, name, "violates", "\n  ".join(lines))

    # What axe brings into a page is a script of its own, which the policy of the page refuses.
    browser.driver.execute_cdp_cmd("Page.setBypassCSP", {"enabled": True})
    for scheme in ("light", "dark"):
        browser.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
        browser.open("/")
        judge(f"the first page, {scheme}")
        browser.open("/preview/news")
        browser.await_cells()
        for tab in ("html", "row", "names", "schema", "request"):
            browser.find(f"tab-{tab}").click()
            judge(f"the tab {tab}, {scheme}")
        browser.type('{"title": ]}')
        expect(until(lambda: browser.text("fault")), "an error in the data is not shown")
        judge(f"an error in the data, {scheme}")
        browser.find("stress").click()
        expect(until(lambda: browser.stressed() == len(STRESSES)), "not all variants are drawn", browser.stressed())
        judge(f"stress, {scheme}")
        nib = server.read("feed.html")
        server.write("feed.html", nib.replace('data-outlet="title"', 'data-outlet="ti tle"', 1))
        expect(until(lambda: browser.find("diagnostics").is_displayed()), "no diagnostics are shown")
        judge(f"diagnostics, {scheme}")
        server.write("feed.html", nib)
        expect(until(lambda: not browser.find("diagnostics").is_displayed()), "diagnostics that are mended stay")
    browser.driver.execute_cdp_cmd("Page.setBypassCSP", {"enabled": False})
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def shares_one_stream(browser):
    """Many pages of one browser have one stream, and each of them is told."""
    server, driver = browser.server, browser.driver
    first = driver.current_window_handle
    browser.open("/preview/news")
    others = []
    for _ in range(7):
        driver.switch_to.new_window("tab")
        others.append(driver.current_window_handle)
        browser.open("/preview/product")
    nib = server.read("feed.html")
    server.write("feed.html", nib.replace('data-outlet="title"', 'data-outlet="ti tle"', 1))
    for handle in [first, *others]:
        driver.switch_to.window(handle)
        expect(until(lambda: browser.find("diagnostics").is_displayed()), "a page of several is not told")
    # What a page has closed stays closed when another page opens.
    browser.run("document.querySelector('#diagnostics button').click()")
    driver.switch_to.new_window("tab")
    driver.get(server.url + "/preview/product")
    expect(until(lambda: browser.find("diagnostics").is_displayed()), "a new page is not told")
    driver.close()
    driver.switch_to.window(others[-1])
    expect(not browser.find("diagnostics").is_displayed(), "diagnostics that were closed are shown again")
    # The page with the stream goes; another takes it over.
    driver.switch_to.window(first)
    driver.get("about:blank")
    server.write("feed.html", nib)
    for handle in others:
        driver.switch_to.window(handle)
        expect(until(lambda: not browser.find("diagnostics").is_displayed()), "nobody took the stream over")
        driver.close()
    driver.switch_to.window(first)


def asks_only_for_what_is_in_view(browser):
    """With 1,000 kinds only frames in view are loaded, and typing is quick."""
    browser.open("/")
    time.sleep(1)
    loaded = "return document.querySelectorAll('iframe[src]').length"
    first = browser.run(loaded)
    expect(0 < first < 60, first, "frames are loaded at first")
    browser.run("window.scrollTo(0, document.documentElement.scrollHeight / 2)")
    expect(until(lambda: browser.run(loaded) > first), "frames that come into view are not loaded")
    expect(browser.run(loaded) < 3 * first + 40, browser.run(loaded), "frames are loaded after one jump")
    # The shortest of some: other programs run beside it.
    milliseconds = min(browser.run("""
      const field = document.getElementById("find");
      const type = (text) => {
        field.value = text; field.dispatchEvent(new Event("input"));
        document.body.getBoundingClientRect();
      };
      type("");
      const start = performance.now();
      type("kind-77");
      return performance.now() - start;""") for _ in range(8))
    expect(milliseconds < FIND_MILLISECONDS, "finding takes", milliseconds, "ms")
    print(f"preview: {KINDS} kinds: {first} frames at first; a kind is found in {milliseconds:.0f} ms")


def photograph(server, output):
    """Pictures of the pages at three widths, light and dark."""
    output.mkdir(parents=True, exist_ok=True)
    for name, width in WIDTHS.items():
        driver = driver_of(width, 1000)
        try:
            browser = Browser(driver, server)
            for scheme in ("light", "dark"):
                driver.execute_cdp_cmd(
                    "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
                for page, path in (("index", "/"), ("news", "/preview/news"), ("table-row", "/preview/table-row")):
                    browser.open(path)
                    time.sleep(1)
                    driver.save_screenshot(str(output / f"{page}-{name}-{scheme}.png"))
                browser.open("/preview/product")
                browser.await_cells()
                browser.find("stress").click()
                time.sleep(1.5)
                driver.save_screenshot(str(output / f"stress-{name}-{scheme}.png"))
                nib = server.read("feed.html")
                server.write("feed.html", nib.replace('data-outlet="title"', 'data-outlet="ti tle"', 1))
                expect(until(lambda: browser.find("diagnostics").is_displayed()), "no diagnostics are shown")
                driver.save_screenshot(str(output / f"diagnostics-{name}-{scheme}.png"))
                server.write("feed.html", nib)
                expect(until(lambda: not browser.find("diagnostics").is_displayed()), "diagnostics that are mended stay")
        finally:
            driver.quit()


CHECKS = [
    finds_a_kind, edits_data, chooses_variants, draws_without_samples, chooses_locales, keeps_columns, follows_files, shows_diagnostics,
    follows_new_kinds, stresses, completes_names, draws_kinds_that_read_rows, copies_requests, works_by_keyboard, runs_nothing, shares_one_stream, passes_axe, *troubles.CHECKS,
]


def attempt(suite, check, page, output=None):
    """Runs one check of a page with a driver. Returns whether it has failed."""
    begin = time.monotonic()
    try:
        check(page)
    except Exception as failure:  # what a driver throws fails this check alone
        print(f"{suite}: {check.__name__}: FAILED, {failure if isinstance(failure, Failure) else traceback.format_exc()}")
        for line in page.driver.get_log("browser")[-5:]:
            print(f"  the browser says: {line['message'][:300]}")
        if output:
            page.driver.save_screenshot(str(output / f"failed-{check.__name__}.png"))
        return True
    print(f"{suite}: {check.__name__}: passed in {time.monotonic() - begin:.1f} s", flush=True)
    return False


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--binary", default=str(ROOT / ".build/debug/cellfactory"))
    arguments.add_argument("--output", type=pathlib.Path, help="where pictures are kept")
    names = [*(check.__name__ for check in CHECKS), "asks_only_for_what_is_in_view", "pictures"]
    arguments.add_argument("--only", choices=names, metavar="NAME", help="one check by its name, or `pictures`")
    options = arguments.parse_args()
    if is_skipped_without("Tests/Preview/preview.py", "chromium", "chromedriver"):
        return 0
    if options.output:
        options.output.mkdir(parents=True, exist_ok=True)
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        templates = pathlib.Path(folder, "templates")
        shutil.copytree(ROOT / "templates", templates)
        many = pathlib.Path(folder, "many")
        many.mkdir()
        cells = "\n".join(f'<p data-cell="kind-{number}"><b data-outlet="x">{number}</b></p>' for number in range(KINDS))
        (many / "many.html").write_text(cells)
        chosen = [check for check in CHECKS if options.only in (None, check.__name__)]
        if chosen:
            with preview(options.binary, templates, "--locales", "de,ar-EG,ja") as server:
                driver = driver_of()
                try:
                    for check in chosen:
                        failures += attempt("preview", check, Browser(driver, server), options.output)
                finally:
                    driver.quit()
        if options.only in (None, "asks_only_for_what_is_in_view"):
            with preview(options.binary, many) as server:
                driver = driver_of()
                try:
                    failures += attempt("preview", asks_only_for_what_is_in_view, Browser(driver, server), options.output)
                finally:
                    driver.quit()
        if options.output and options.only in (None, "pictures"):
            with preview(options.binary, templates) as server:
                photograph(server, options.output)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
