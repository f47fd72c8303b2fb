#!/usr/bin/env python3
"""Runs the examples as their readers do, by one command each, and uses them in Chromium.

Each page has a strict policy of its own, and tells of whatever breaks it. axe judges every page. --output keeps pictures, wide and
narrow. Needs chromium and chromedriver; htmx and Turbo are read from ../shared/web, or where CELLFACTORY_WEB_LIBRARIES says.
"""

import argparse
import contextlib
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "Preview")]

from policy import expect_strict, expect_told, log, settle, watch  # noqa: E402
from preview import Failure, driver_of, expect  # noqa: E402
from server import until  # noqa: E402
from skipping import is_skipped_without, pass_over  # noqa: E402

LIBRARIES = pathlib.Path(os.environ.get("CELLFACTORY_WEB_LIBRARIES", ROOT.parent / "shared/web"))
LINES = 120
# Pixels.
PHONE_WIDTH = 375


@contextlib.contextmanager
def running(name, binary):
    """The URL of an example that runs."""
    process = subprocess.Popen(
        [sys.executable, str(ROOT / "examples/run.py"), name, "--binary", binary, "--port", "0"], stdout=subprocess.PIPE, text=True,
        env=os.environ | {"CELLFACTORY_WEB_LIBRARIES": str(LIBRARIES)})
    try:
        line = process.stdout.readline()
        expect(line.startswith("open http://"), name, "does not start:", line)
        yield line.split()[1]
    finally:
        process.terminate()
        process.wait(timeout=20)


class Page:
    def __init__(self, driver):
        self.driver = driver

    def open(self, url):
        def answers():
            with contextlib.suppress(OSError), urllib.request.urlopen(url, timeout=10) as answer:
                expect_strict(answer.headers["Content-Security-Policy"])
                return answer.status == 200
        expect(until(answers), url, "does not answer")
        self.driver.get(url)

    def fits(self, width):
        """On a screen of this width, nothing that can be pressed or filled in is cut off, and the page does not scroll sideways."""
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": True})
        cut = """
          const right = (element) => Math.min(innerWidth, ...["main", "cell-table", "table"].map((name) =>
            element.closest(name)?.getBoundingClientRect().right ?? innerWidth));
          return [...document.querySelectorAll("button, input, select, a")].filter((element) => {
            const box = element.getBoundingClientRect();
            return box.width && (box.left < 0 || box.right > right(element) + 0.5);
          }).map((element) => element.outerHTML.slice(0, 80)).slice(0, 3);"""
        try:
            expect(until(lambda: self.run("return innerWidth") == width), "the page is as wide as", self.run("return innerWidth"))
            expect(until(lambda: not self.run(cut), 2), "at", width, "px this is cut off:", self.run(cut))
            expect(self.run("return document.documentElement.scrollWidth") <= width, "at", width, "px the page scrolls sideways")
        finally:
            self.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

    def photograph(self, folder, name):
        folder.mkdir(parents=True, exist_ok=True)
        self.run("window.scrollTo(0, 0)")
        for width in (1200, PHONE_WIDTH):
            self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": True})
            time.sleep(0.5)
            self.driver.save_screenshot(str(folder / f"{name}-{width}.png"))
        self.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

    def stays_quiet(self):
        """Nothing was said on the page, but would have been."""
        settle()
        said = log(self.driver)
        expect(not said, "the browser says:", said[:3])
        expect_told(self.driver)

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def texts(self, selector):
        return self.run("return [...document.querySelectorAll(arguments[0])].map((element) => element.textContent.replace(/\\s+/g, ' ').trim())", selector)

    def click(self, selector):
        self.driver.find_element("css selector", selector).click()

    def type(self, selector, text):
        self.driver.find_element("css selector", selector).send_keys(text)

    def passes_axe(self):
        import axe_selenium_python
        source = pathlib.Path(axe_selenium_python.__file__).parent / "node_modules/axe-core/axe.min.js"
        self.driver.execute_cdp_cmd("Runtime.evaluate", {"expression": source.read_text()})
        found = self.driver.execute_async_script(
            "axe.run().then((found) => arguments[0](found.violations.map(({ id, nodes }) => [id, nodes.slice(0, 3).map((node) => node.html)])))")
        expect(found == [], "axe:", found)


def asks_for_libraries(binary):
    """An example whose library is not there says which, and where it is looked for, and does not start."""
    with tempfile.TemporaryDirectory() as empty:
        for name, (_, library) in EXAMPLES.items():
            if library:
                ended = subprocess.run(
                    [sys.executable, str(ROOT / "examples/run.py"), name, "--binary", binary, "--port", "0"], capture_output=True, text=True,
                    timeout=30, env=os.environ | {"CELLFACTORY_WEB_LIBRARIES": empty})
                expect(ended.returncode == 1 and library in ended.stderr and "README" in ended.stderr and not ended.stdout, name, "says", ended)


def uses_orders(page, url):
    page.open(url)
    expect(until(lambda: page.texts("tbody tr th")), "no orders")
    page.passes_axe()
    expect(page.run("return document.querySelector('table').ariaRowCount") == "10001", "the count is wrong")
    expect(page.texts("tbody td:nth-child(3)")[1].count(".") == 1, page.texts("tbody td:nth-child(3)")[:3])
    expect(page.run("return getComputedStyle(document.querySelector('.amount')).textAlign") == "right", "the nib's styles are missing")
    page.click("#add")
    expect(until(lambda: "Ada Lovelace" in page.texts("tbody tr td")[:4]), "the new order is not shown")
    for _ in range(3):
        page.click("#add")
        time.sleep(0.3)
    in_view = """const top = document.querySelector('thead').getBoundingClientRect().bottom - 1;
      return [...document.querySelectorAll('tbody tr')].find((row) => row.cells.length && row.getBoundingClientRect().top >= top).cells[0].textContent"""
    expect(until(lambda: page.run(in_view) == "10004" and page.run("return scrollY") == 0, 3), "after three more, the first in view is", page.run(in_view))
    page.click("tbody button")
    expect(until(lambda: page.texts("tbody .status")[0] == "paid"), "the order is not paid")
    expect("open" in page.texts("tbody .status") and len(page.texts("tbody button")) == page.texts("tbody .status").count("open"), "buttons are missing")
    page.run("window.scrollTo(0, document.documentElement.scrollHeight / 2)")
    expect(until(lambda: any(2000 < int(number) < 8000 for number in page.texts("tbody tr th"))), page.texts("tbody tr th"))
    page.run("window.scrollTo(0, 0)")
    # Another page makes an order: it is shown with the next refresh.
    page.run("fetch('/api/orders', { method: 'POST' })")
    expect(until(lambda: page.texts("tbody tr th")[:1] == ["10005"], 8), "it does not refresh:", page.texts("tbody tr th")[:3])
    # Numbers that SQLite does not have are refused, and nothing is lost.
    for method, path in (("POST", f"/api/orders/{10**20}/pay"), ("GET", f"/api/orders?from={10**20}")):
        try:
            urllib.request.urlopen(urllib.request.Request(url.rstrip("/") + path, method=method), timeout=10)
            expect(False, path, "is taken")
        except urllib.error.HTTPError as error:
            expect(error.code == 422, path, error.code)
    page.open(url)
    expect(until(lambda: page.texts("tbody tr th")[:1] == ["10005"]), "orders are lost:", page.texts("tbody tr th")[:3])


def uses_htmx(page, url):
    page.open(url)
    expect(page.texts("#tasks > li > span") == ["Order flour & yeast", "Bake <brown> bread", "Feed the starter"], page.texts("#tasks > li > span"))
    page.passes_axe()
    page.type("input", "Clean & <b>dry</b>")
    page.click("form button")
    expect(until(lambda: page.texts("#tasks > li > span")[3:] == ["Clean & <b>dry</b>"]), page.texts("#tasks > li > span"))
    expect(until(lambda: page.run("return document.querySelector('#text').value") == ""), "the field is not emptied")
    page.click("#task-1 button")
    expect(until(lambda: page.run("return document.querySelector('#task-1').className") == "task done"), "the task is not done")
    expect(page.texts("#task-1 button") == [], "it still has its button")
    page.click("#task-3 button")
    expect(until(lambda: page.texts("#task-3 button") == []), "what htmx has put into the page does not work")


def uses_turbo(page, url):
    page.open(url)
    expect(page.texts("article h2") == ["Ada Brenner", "山田"], page.texts("article h2"))
    page.passes_axe()
    # The bar that Turbo shows when an answer takes long has a style of its own.
    page.run("Turbo.config.drive.progressBarDelay = -1")
    page.click("#comment-1 button")
    expect(until(lambda: page.texts("#comment-1 button") == ["♥ 2"]), page.texts("#comment-1 button"))
    expect(until(lambda: page.run("return document.head.querySelector('style')?.sheet?.cssRules.length > 0")), "Turbo's progress bar has no style")
    page.type("input[name=author]", "Eve")
    page.type("input[name=text]", "</template><img src=x onerror=alert(1)>")
    page.click("main > form button")
    expect(until(lambda: page.texts("article p")[2:] == ["</template><img src=x onerror=alert(1)>"]), page.texts("article p"))
    expect(until(lambda: page.run("return document.querySelector('input[name=text]').value") == ""), "the form is not emptied")
    page.click("#comment-2 button")
    expect(until(lambda: page.texts("#comment-2 button") == ["♥ 1"]), "what Turbo has put into the page does not work")


EXAMPLES = {"orders": (uses_orders, None), "htmx": (uses_htmx, "htmx-2.0.10.min.js"), "turbo": (uses_turbo, "turbo.min.js")}


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--binary", default=str(ROOT / ".build/debug/cellfactory"))
    arguments.add_argument("--output", type=pathlib.Path, help="where pictures are kept")
    arguments.add_argument("--only", choices=EXAMPLES)
    options = arguments.parse_args()
    if is_skipped_without("Tests/Web/examples.py", "chromium", "chromedriver"):
        return 0
    failures = 0
    for path in [*(ROOT / "examples").rglob("*.py"), *(ROOT / "examples").rglob("*.js"), *(ROOT / "examples").rglob("*.swift")]:
        if ".build" not in path.parts and (lines := len(path.read_text().splitlines())) >= LINES:
            print(f"examples: {path.relative_to(ROOT)} has {lines} lines")
            failures += 1
    try:
        asks_for_libraries(options.binary)
    except Failure as failure:
        print(f"examples: FAILED, {failure}")
        failures += 1
    driver = driver_of(1200, 900)
    watch(driver)
    try:
        for name, (use, library) in EXAMPLES.items():
            if options.only not in (None, name):
                continue
            if library and not (LIBRARIES / library).is_file():
                pass_over("Tests/Web/examples.py", f"there is no {library} for {name}; name its folder by CELLFACTORY_WEB_LIBRARIES")
                continue
            begin = time.monotonic()
            try:
                with running(name, options.binary) as url:
                    page = Page(driver)
                    # What an earlier page says whose server is gone does not count.
                    driver.get("about:blank")
                    log(driver)
                    use(page, url)
                    page.fits(PHONE_WIDTH)
                    if options.output:
                        page.photograph(options.output, name)
                    page.stays_quiet()
                print(f"examples: {name}: works, {time.monotonic() - begin:.1f} s", flush=True)
            except Failure as failure:
                print(f"examples: {name}: FAILED, {failure}")
                failures += 1
    finally:
        driver.quit()
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
