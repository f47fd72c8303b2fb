#!/usr/bin/env python3
"""Scrolls through 100,000 rows of mixed kinds and heights in Chromium, and measures what a person would see; some minutes.

`<cell-table>` beside a plain loop that puts the same cells into the page at once, and beside a list that many know: DataTables with
its Scroller (Debian: libjs-jquery-datatables, libjs-jquery-datatables-extensions), whose rows are text of one height. Frames are
counted while the browser itself scrolls, as by a wheel; elements and memory after 200 screens. Jumps and growing memory fail;
times are only told, for machines differ.
"""

import argparse
import pathlib
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "Preview")]

from application import application  # noqa: E402
from preview import Failure, driver_of, expect  # noqa: E402
from server import until  # noqa: E402
from skipping import is_skipped_without, skip  # noqa: E402
from table import SCROLLING, Page, Rows, mixed  # noqa: E402

COUNT = 100_000
SCREENS = 200
SLOW_MILLISECONDS = 20
# Pixels, and pixels a second.
GESTURES = ((10_000, 2000), (40_000, 8000), (-20_000, 4000))
# More than what caches, pools and the browser itself keep.
GROWTH_BYTES = 8 << 20

WATCH = """
  window.frames_ = []; window.isWatching = true;
  const begin = performance.now(); let last;
  requestAnimationFrame(function frame(now) {
    if (last !== undefined) frames_.push(now - last);
    last = now;
    if (isWatching) requestAnimationFrame(frame);
  });"""


def memory(page):
    page.driver.execute_cdp_cmd("HeapProfiler.collectGarbage", {})
    metrics = page.driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
    found = {metric["name"]: metric["value"] for metric in metrics}
    return int(found["JSHeapUsedSize"]), int(found["Nodes"])


def gesture(page, distance, speed):
    """Scrolls as a wheel or a finger does, and tells how long frames took, in milliseconds."""
    page.run(WATCH)
    page.driver.execute_cdp_cmd("Input.synthesizeScrollGesture", {
        "x": 400, "y": 400, "yDistance": -distance, "speed": speed, "gestureSourceType": "mouse", "preventFling": True})
    frames = page.run("isWatching = false; return frames_")
    return {"frames": len(frames), "slow": sum(frame > SLOW_MILLISECONDS for frame in frames), "longest": round(max(frames, default=0))}


def show_table(page):
    page.run("""
      window.table = document.createElement("cell-table");
      document.getElementById("place").replaceChildren(table);
      table.dataSource = { count: arguments[0], kind: (row) => row.kind,
        rows: async (from, count, signal) => (await (await fetch(`/rows/mixed?from=${from}&count=${count}`, { signal })).json()).rows };""", COUNT)
    expect(until(lambda: page.texts("article")), "no rows")


def show_all(page):
    """The same cells by a plain loop."""
    return page.wait("""
      const begin = performance.now(), place = document.getElementById("place");
      for (let from = 0; from < arguments[0]; from += 5000) {
        const { rows } = await (await fetch(`/rows/mixed?from=${from}&count=5000`)).json();
        const made = await cells.render((row) => row.kind, rows, { factory: location.origin + "/factory/" });
        const holder = document.createElement("template");
        holder.innerHTML = trusted.createHTML(made.map(({ html }) => html).join(""));
        place.append(holder.content);
      }
      document.body.getBoundingClientRect();
      return Math.round(performance.now() - begin);""", COUNT)


KNOWN = [pathlib.Path("/usr/share/javascript", path) for path in (
    "jquery/jquery.min.js", "jquery-datatables/jquery.dataTables.min.js", "jquery-datatables-extensions/Scroller/js/dataTables.scroller.min.js")]


def show_known(driver):
    """The same number of rows in DataTables, on a page of its own: it needs what our policy forbids."""
    driver.get("about:blank")
    for path in KNOWN:
        driver.execute_script(path.read_text())
    return driver.execute_async_script("""
      const [count, done] = arguments, begin = performance.now();
      document.body.innerHTML = "<table id=known style='width: 100%'></table>";
      $("#known").DataTable({
        data: Array.from({ length: count }, (_, index) => [index, `Row ${index}`, `${(index * 7919) % 1000}.50`, "open"]),
        columns: ["Number", "Title", "Price", "State"].map((title) => ({ title })), deferRender: true, ordering: false, searching: false,
        dom: "t", scrollY: 800, scroller: true,
        initComplete: () => requestAnimationFrame(() => done(Math.round(performance.now() - begin))),
      });""", COUNT)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--binary", default=str(ROOT / ".build/release/cellfactory"))
    options = arguments.parse_args()
    if is_skipped_without("Tests/Web/long.py", "chromium", "chromedriver"):
        return 0
    with application(options.binary) as server:
        driver = driver_of(1200, 900)
        driver.set_script_timeout(300)
        try:
            page = Page(driver, server)
            driver.execute_cdp_cmd("Performance.enable", {})
            page.open()
            # One image for all: the plain loop would ask for tens of thousands at once.
            server.tables["mixed"] = Rows(COUNT, lambda index: {**mixed(index), "image": "/blank.svg"})
            begin = time.monotonic()
            show_table(page)
            print(f"long: <cell-table>: first rows after {time.monotonic() - begin:.2f} s", flush=True)
            page.wait(SCROLLING + "return scrollBySteps({ steps: 20, step: 900, wait: 20, selector: '[role=listitem]' })")
            before = memory(page)
            result = page.wait(SCROLLING + f"return scrollBySteps({{ steps: {SCREENS}, step: 770, wait: 20, selector: '[role=listitem]' }})")
            back = page.wait(SCROLLING + f"return scrollBySteps({{ steps: {SCREENS}, step: -770, wait: 20, selector: '[role=listitem]' }})")
            after = memory(page)
            expect(isinstance(result, dict) and isinstance(back, dict), result, back)
            print(f"long: <cell-table>: {SCREENS} screens down and up: {len(result['jumps']) + len(back['jumps'])} jumps; at most {result['mostElements']} elements, "
                  f"{result['mostScreens']:.2f} screens; heap {before[0] >> 10} kB, then {after[0] >> 10} kB; nodes {before[1]}, then {after[1]}", flush=True)
            expect(result["jumps"] == [] and back["jumps"] == [], result["jumps"][:3], back["jumps"][:3])
            expect(result["mostScreens"] <= 3, result["mostScreens"], "screens of elements")
            expect(after[0] - before[0] < GROWTH_BYTES, "memory grows")
            table = [gesture(page, distance, speed) for distance, speed in GESTURES]
            page.run("window.table.remove()")
            took = show_all(page)
            expect(isinstance(took, int), took)
            whole = memory(page)
            plain = [gesture(page, distance, speed) for distance, speed in GESTURES]
            print(f"long: a plain loop: {took / 1000:.1f} s until all is there; {page.run('return document.querySelectorAll(`body *`).length')} elements; heap {whole[0] >> 10} kB, nodes {whole[1]}")
            for speed, ours, theirs in zip(("2,000 px/s", "8,000 px/s", "4,000 px/s upwards"), table, plain):
                print(f"long: {speed}: frames over {SLOW_MILLISECONDS} ms: <cell-table> {ours['slow']} of {ours['frames']} (longest {ours['longest']} ms), "
                      f"plain loop {theirs['slow']} of {theirs['frames']} (longest {theirs['longest']} ms)")
            if not all(path.exists() for path in KNOWN):
                return skip("Tests/Web/long.py", "there is no DataTables")
            took = show_known(driver)
            for speed, (distance, pace) in zip(("2,000 px/s", "8,000 px/s", "4,000 px/s upwards"), GESTURES):
                theirs = gesture(page, distance, pace)
                print(f"long: {speed}: DataTables {theirs['slow']} of {theirs['frames']} (longest {theirs['longest']} ms)")
            shown = driver.execute_script("return [document.querySelectorAll('#known tbody tr').length, document.querySelector('.dataTables_scrollBody').scrollTop]")
            print(f"long: DataTables with Scroller: rows of one height, {took / 1000:.1f} s until they are there; {shown[0]} rows in the page")
            expect(shown[1] > 0, "DataTables did not scroll")
        except Failure as failure:
            print(f"long: FAILED, {failure}")
            return 1
        finally:
            driver.quit()
    return 0


if __name__ == "__main__":
    sys.exit(main())
