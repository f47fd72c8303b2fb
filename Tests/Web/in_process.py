#!/usr/bin/env python3
"""Builds the example with Hummingbird, which takes minutes, and uses its page in Chromium, under its policy; axe judges it.

--output keeps pictures, wide and narrow. Needs chromium and chromedriver. Ends what it starts.
"""

import argparse
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
EXAMPLE = ROOT / "examples/hummingbird-orders"
SECONDS = 30
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "Preview")]

from examples import PHONE_WIDTH, Page  # noqa: E402
from policy import watch  # noqa: E402
from preview import Failure, driver_of, expect  # noqa: E402
from server import until  # noqa: E402
from skipping import is_skipped_without  # noqa: E402


def use(page, url):
    page.open(url)
    expect(page.texts("tbody td:nth-child(2)") == ["Brenner & Söhne", "O'Neill's <Corner>"], page.texts("tbody td"))
    expect(page.run("return getComputedStyle(document.querySelector('td.amount')).textAlign") == "right", "its styles are missing")
    page.passes_axe()
    page.fits(PHONE_WIDTH)
    page.click("header button")
    expect(until(lambda: page.texts("tbody td:nth-child(2)")[:1] == ["Ada Lovelace"]), "the new order is not shown:", page.texts("tbody td"))
    for _ in range(2):
        waiting = page.texts(".status").count("open")
        page.click("tbody button")
        expect(until(lambda: page.texts(".status").count("open") == waiting - 1), "the order is not paid:", page.texts(".status"))
    expect(page.texts("tbody button") == [], "a paid order can be paid")
    page.stays_quiet()


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--output", type=pathlib.Path, help="where pictures are kept")
    options = arguments.parse_args()
    if is_skipped_without("Tests/Web/in_process.py", "chromium", "chromedriver"):
        return 0
    subprocess.run(["swift", "build"], cwd=EXAMPLE, check=True)
    shown = subprocess.run(["swift", "build", "--show-bin-path"], cwd=EXAMPLE, check=True, capture_output=True, text=True)
    program = pathlib.Path(shown.stdout.strip(), "orders")
    process = subprocess.Popen([program], cwd=EXAMPLE, stdout=subprocess.PIPE, text=True, env=os.environ | {"PORT": "0"})
    driver = driver_of(1200, 900)
    watch(driver)
    try:
        page = Page(driver)
        use(page, process.stdout.readline().split()[1])
        if options.output:
            page.photograph(options.output, "hummingbird")
    except Failure as failure:
        print(f"in process: FAILED, {failure}")
        return 1
    finally:
        driver.quit()
        process.terminate()
        process.wait(timeout=SECONDS)
    print("in process: Hummingbird renders orders")
    return 0


if __name__ == "__main__":
    sys.exit(main())
