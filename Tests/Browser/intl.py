#!/usr/bin/env python3
"""Compares formats with what readers see elsewhere: `Intl` of Chromium, in four locales.

Numbers, percent, money, dates, times, relative dates, lists and plural categories. Spaces before `AM` are taken for the same:
V8 prints a plain one, CLDR has a narrow one, which is kept here. Needs chromium and Swift's clang; bounded in time; stops what it
starts.
"""

import argparse
import datetime
import json
import pathlib
import queue
import random
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(ROOT / "Tests"), str(ROOT / "Tests/Formats")]

import engine  # noqa: E402
from chromium import chromium  # noqa: E402
from pages import Page, PageServer  # noqa: E402
from skipping import skip  # noqa: E402

LOCALES = ("en-GB", "de-DE", "ar-EG", "ja-JP")
LENGTHS = {"short": engine.SHORT, "medium": engine.MEDIUM, "long": engine.LONG, "full": engine.FULL}
SYMBOLS = {"symbol": engine.STANDARD, "narrowSymbol": engine.NARROW, "code": engine.CODE}
UNITS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400, "week": 604800}
WORDS = ("Ada", "Grace", "Edsger", "Barbara", "Alan")
NOW = datetime.datetime(2025, 10, 9, 12, tzinfo=datetime.timezone.utc)
NARROW_SPACE = "\u202f"
PAGE = """<!doctype html><meta charset=utf-8><script>
const draw = {
  number: (locale, value, options) => new Intl.NumberFormat(locale, options).format(value),
  date: (locale, value, options) =>
    new Intl.DateTimeFormat(locale, { calendar: 'gregory', timeZone: 'Europe/Berlin', ...options }).format(new Date(value)),
  relative: (locale, [count, unit], options) => new Intl.RelativeTimeFormat(locale, options).format(count, unit),
  list: (locale, value, options) => new Intl.ListFormat(locale, options).format(value),
  plural: (locale, value, options) => new Intl.PluralRules(locale, options).select(value),
}
fetch('/cases').then(answer => answer.json()).then(cases => fetch('/seen', { method: 'POST', body: JSON.stringify(
  cases.map(([kind, locale, value, options]) => draw[kind](locale, value, options))) }))
</script>"""


class Cases:
    """What is asked of the browser, and what is drawn here."""

    def __init__(self, ours, zones):
        self.ours, self.zones = ours, zones
        self.asked, self.drawn = [], []

    def add(self, kind, locale, value, options, drawn):
        self.asked.append((kind, locale, value, options))
        self.drawn.append(drawn)

    def numbers(self, locale, source):
        for style, kind in (("decimal", engine.NUMBER), ("percent", engine.PERCENT), ("currency", engine.CURRENCY)):
            for _ in range(60):
                # V8 reads a string exactly.
                digits = source.randrange(5)
                value = f"{'-' * (source.random() < 0.3)}{source.randrange(10**source.randrange(1, 12))}" + (
                    "." + str(source.randrange(10**digits)).rjust(digits, "0") if digits else "")
                least = source.randrange(3)
                most = least + source.randrange(3)
                options = {"style": style, "minimumFractionDigits": least, "maximumFractionDigits": most}
                extra = {"digits": (least, most)}
                if source.random() < 0.3:
                    options["signDisplay"], extra["sign"] = "always", True
                if kind == engine.CURRENCY:
                    options["currency"] = extra["currency"] = source.choice(("EUR", "USD", "JPY", "KWD", "CHF", "GBP", "CNY"))
                    options["currencyDisplay"], extra["symbol"] = source.choice(list(SYMBOLS.items()))
                self.add("number", locale, value, options, self.ours.formatter(locale, kind, **extra).print(value))

    def dates(self, locale, source):
        for _ in range(120):
            when = datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=source.randrange(2_150_000_000))
            value = when.isoformat() + "Z"
            name, length = source.choice(list(LENGTHS.items()))
            kind = source.choice((engine.DATE, engine.TIME, engine.DATETIME))
            if kind == engine.TIME and name not in ("short", "medium"):
                continue
            options = {}
            if kind != engine.TIME:
                options["dateStyle"] = name
            if kind != engine.DATE:
                options["timeStyle"] = name if kind == engine.TIME else "short"
            clock = self.ours.clock(self.zones, "Europe/Berlin", 0)
            drawn = self.ours.formatter(locale, kind, length=length).print(value, clock)
            self.add("date", locale, value, options, drawn.replace(NARROW_SPACE, " "))

    def others(self, locale, source):
        clock = self.ours.clock(None, "UTC", int(NOW.timestamp()))
        for style, length in (("long", engine.LONG), ("short", engine.SHORT)):
            formatter = self.ours.formatter(locale, engine.RELATIVE, length=length)
            for unit, seconds in UNITS.items():
                for count in (-3, -2, -1, 1, 2, 3):
                    value = (NOW + datetime.timedelta(seconds=count * seconds)).isoformat()
                    self.add("relative", locale, [count, unit], {"style": style, "numeric": "always"}, formatter.print(value, clock))
        for kind, word in (("conjunction", 0), ("disjunction", 1)):
            formatter = self.ours.formatter(locale, engine.LIST, variant=word)
            for count in range(6):
                items = [source.choice(WORDS) for _ in range(count)]
                self.add("list", locale, items, {"type": kind, "style": "long"}, formatter.join(items))
        for kind, ordinal in (("cardinal", 0), ("ordinal", 1)):
            formatter = self.ours.formatter(locale, engine.PLURAL, variant=ordinal)
            for number in range(130):
                self.add("plural", locale, number, {"type": kind}, formatter.plural(str(number)))


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--seconds", type=float, default=60, help="give up after that long")
    arguments.add_argument("--seed", type=int, default=1)
    options = arguments.parse_args()
    if not shutil.which("chromium"):
        return skip("Tests/Browser/intl.py", "there is no chromium")
    ours, source = engine.Engine(), random.Random(options.seed)
    zones = ours.zones_load(b"/usr/share/zoneinfo")
    if not zones:
        return skip("Tests/Browser/intl.py", "there are no time zones: Debian's package tzdata")
    cases = Cases(ours, zones)
    for locale in LOCALES:
        cases.numbers(locale, source)
        cases.dates(locale, source)
        cases.others(locale, source)
    pages = {"/": Page("text/html", PAGE.encode()), "/cases": Page("application/json", json.dumps(cases.asked).encode())}
    with PageServer(pages.get) as server, chromium(server.url + "/"):
        try:
            _, seen = server.reports.get(timeout=options.seconds)
        except queue.Empty:
            sys.exit(f"nothing was seen in {options.seconds:.0f} seconds")
    different = [
        (asked, drawn, found) for asked, drawn, found in zip(cases.asked, cases.drawn, seen, strict=True)
        if drawn != found.replace(NARROW_SPACE, " ")]
    for difference in different[:40]:
        print(*difference)
    print(f"Intl: {len(cases.asked)} values in {len(LOCALES)} locales, {len(different)} differ")
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
