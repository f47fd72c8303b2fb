#!/usr/bin/env python3
"""Runs public data of Unicode: samples of plural rules, permutations of number formats, dates.

  Tests/Properties/run.sh .build-python-formats Tests/Formats/public.py

The files lie beside the project, in ../shared/unicode-conformance, or where CELLFACTORY_UNICODE_DATA says; without them
this is skipped. Of the file of numbers those are run that the language can ask for, of the dates the Gregorian ones.
"""

import importlib.resources
import json
import os
import pathlib
import re
import sys
import xml.etree.ElementTree

import engine

sys.path.append(str(engine.ROOT / "Tests"))

from skipping import pass_over  # noqa: E402

FOLDER = pathlib.Path(os.environ.get("CELLFACTORY_UNICODE_DATA", engine.ROOT.parent / "shared/unicode-conformance"))
VALUES = ("0", "91827.3645", "-0.22222")
# The file rounds ties to even; the language away from zero.
TIE = ("91827.3645", ".000")
LOCALES = ("es-MX", "zh-TW", "bn-BD")
LENGTHS = {"short": engine.SHORT, "medium": engine.MEDIUM, "long": engine.LONG, "full": engine.FULL}
problems = []


def expect(printed, expected, *words):
    if printed != expected:
        problems.append(" ".join(map(str, [*words, ascii(printed), "not", ascii(expected)])))


def samples(text):
    """The numbers of a list: ranges whole, without those in compact form, which no value has."""
    for item in re.split(r",\s*", re.sub(r"@\w+", ",", text)):
        first, _, last = item.strip().partition("~")
        if not first or first == "…" or "c" in first or "e" in first:
            continue
        digits = len(first.partition(".")[2])
        scale = 10**digits
        for number in range(round(float(first) * scale), round(float(last or first) * scale) + 1):
            yield f"{number // scale}.{number % scale:0{digits}}" if digits else str(number)


def run_plurals(ours, name, ordinal):
    count = 0
    for rules in xml.etree.ElementTree.parse(FOLDER / name).iter("pluralRules"):
        for locale in rules.get("locales").split():
            tag = ours.tag(locale.replace("_", "-"))
            index = 0 if locale == "root" else ours.locale(tag.text.decode())
            # Languages without data but plural rules.
            if index < 0:
                continue
            formatter = ours.formatter(index, engine.PLURAL, variant=ordinal)
            for rule in rules.iter("pluralRule"):
                for value in samples(rule.text.partition("@")[2].join(("@", ""))):
                    expect(formatter.plural(value), rule.get("count"), name, locale, value)
                    count += 1
    return count


def number_options(words):
    """The options of a skeleton; null if the language cannot ask for it."""
    options, kind, digits = {"latin": False}, engine.NUMBER, None
    for word in words:
        if word == "percent":
            kind = engine.PERCENT
        elif word == "currency/EUR":
            kind = engine.CURRENCY
            options["currency"] = "EUR"
        elif word == "unit-width-narrow":
            options["symbol"] = engine.NARROW
        elif word == "latin":
            options["latin"] = True
        elif word in ("precision-integer", ".000"):
            digits = (0, 0) if word == "precision-integer" else (3, 3)
        else:
            return None
    if kind != engine.CURRENCY:
        options.pop("symbol", None)
    return kind, options | {"digits": digits}


def run_numbers(ours):
    count, words, locale = 0, [], ""
    for line in (FOLDER / "numberpermutationtest.txt").read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if not line.startswith(" "):
            words = line.split()
        elif not line.startswith("    "):
            locale, values = line.strip(), iter(VALUES)
        else:
            value, wanted = next(values), number_options(words)
            if wanted is None or (value in TIE and ".000" in words):
                continue
            kind, options = wanted
            sent = f"{value}e-2" if kind == engine.PERCENT else value
            expect(ours.formatter(locale, kind, **options).print(sent), line[4:], *words, locale, value)
            count += 1
    return count


def run_dates(ours, zones):
    count = 0
    for case in json.loads((FOLDER / "datetime-icu76.json").read_text(encoding="utf-8")):
        lengths = case.get("dateLength"), case.get("timeLength"), case.get("dateTimeFormatType")
        if case["calendar"] != "gregorian" or lengths[0] is None or lengths[1:] not in ((None, None), ("short", "atTime")):
            continue
        kind = engine.DATE if lengths[1] is None else engine.DATETIME
        zone = re.search(r"\[(.*)\]", case["input"])[1]
        formatter = ours.formatter(case["locale"], kind, length=LENGTHS[lengths[0]])
        printed = formatter.print(case["input"], ours.clock(zones, zone, 0))
        expect(printed, case["expected"], case["locale"], lengths, case["input"])
        count += 1
    return count


def main():
    if not FOLDER.is_dir():
        pass_over("Formats/public.py", f"there is no {FOLDER.name}")
        return
    ours = engine.Engine()
    zones = ours.zones_load(str(importlib.resources.files("tzdata").joinpath("zoneinfo")).encode())
    cardinals, ordinals = run_plurals(ours, "plurals.xml", 0), run_plurals(ours, "ordinals.xml", 1)
    numbers = run_numbers(ours)
    dates = run_dates(ours, zones)
    if 0 in (cardinals, ordinals, numbers, dates):
        problems.append("nothing was read of one of the files")
    print(f"public data: {cardinals:,} cardinals, {ordinals:,} ordinals, {numbers} numbers, {dates:,} dates;"
          f" {len(problems)} problems")
    for problem in problems[:40]:
        print(problem)
    sys.exit(1 if problems else 0)


main()
