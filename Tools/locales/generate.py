#!/usr/bin/env python3
"""Writes the tables of all locales of CLDR, as ICU has them, into one file.

  Tests/Properties/run.sh .build-python-locales Tools/locales/generate.py

The file is committed, with its SHA-256 beside it: a new version of CLDR changes what is drawn, so it is generated anew
on purpose only. Takes a minute.
"""

import argparse
import concurrent.futures
import ctypes
import hashlib
import pathlib

import icu

import dates
import languages
import numbering
import packing
import plurals
import resources

VERSION = "77.1"
TARGET = pathlib.Path(__file__).resolve().parent.parent.parent / "Sources/CFormats/locales.bin"
RIGHT_TO_LEFT = resources.function(resources.COMMON, "uloc_isRightToLeft", ctypes.c_int8, ctypes.c_char_p)
ROOT = "und"


def tag(locale):
    language, *others = locale.split("_")
    return "-".join([language] + [other.lower() if len(other) > 4 else other for other in others])


def cut(locale):
    """A locale and those it is a part of by its name."""
    while "_" in locale:
        locale = locale.rpartition("_")[0]
        yield locale


def ancestors_of(locale, others):
    """The locales of the list that a locale inherits from, the nearest first."""
    found = []
    while locale not in ("root", ""):
        given = (resources.bundle(locale) or {}).get("%%Parent")
        locale = given or (locale.rpartition("_")[0] if "_" in locale else "root")
        if locale in others:
            found.append(locale)
    return found


def read_directly(locales):
    """The ancestors of all locales, and the currencies that they write in ways of their own."""
    ancestors = {locale: ancestors_of(locale, set(locales)) for locale in locales}
    return ancestors, {locale: numbering.own_patterns(locale, ancestors[locale]) for locale in locales}


def groups(locale, symbols, codes, own_patterns):
    """The tables of a locale."""
    standard = numbering.numbers(locale)
    patterns = dates.patterns(locale)
    assert patterns == dates.patterns(locale + "@numbers=latn"), locale
    latin = numbering.numbers(locale + "@numbers=latn")
    samples = dates.plural_samples(locale)
    found = {
        "numbers": standard,
        "latin numbers": latin if latin != standard else (),
        "symbols": [text for code in codes if symbols[code] for text in (code, *map(numbering.symbol, symbols[code]))],
        "own patterns": [text for code, entry in sorted(own_patterns.items())
                         for text in numbering.own_pattern(code, entry, standard)],
        "patterns": patterns,
        "months": dates.months(locale, patterns),
        "weekdays": dates.weekdays(locale, patterns),
        "day periods": dates.day_periods(locale, patterns),
        "relative long": dates.relative(locale, icu.UDateRelativeDateTimeFormatterStyle.LONG, samples),
        "relative short": dates.relative(locale, icu.UDateRelativeDateTimeFormatterStyle.SHORT, samples),
        "and": dates.lists(locale, icu.UListFormatterType.AND),
        "or": dates.lists(locale, icu.UListFormatterType.OR),
        "cardinal": plurals.rules(locale, list(cut(locale)), "locales"),
        "ordinal": plurals.rules(locale, list(cut(locale)), "locales_ordinals"),
    }
    return found


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--output", type=pathlib.Path, default=TARGET)
    options = arguments.parse_args()
    if icu.ICU_VERSION != VERSION:
        raise SystemExit(f"ICU {icu.ICU_VERSION} is installed, the tables are those of {VERSION}")
    locales = sorted((name for name in icu.Locale.getAvailableLocales() if name != "en_US_POSIX"), key=tag)
    codes = resources.currencies()
    general = numbering.symbols("root")
    pack = packing.Pack(resources.bundle("supplementalData")["cldrVersion"])
    own = {code: pair if pair != (code, code) else None for code, pair in general.items()}
    digits = [code + str(resources.currency_digits(code)) for code in codes if resources.currency_digits(code) != 2]
    pack.add(ROOT, ROOT, 0, groups("root", own, codes, {}) | {"codes": digits})
    # ICU keeps what is read directly, without what it inherits, and takes it for the whole later: so in another process.
    with concurrent.futures.ProcessPoolExecutor(1) as other:
        ancestors, own_patterns = other.submit(read_directly, locales).result()
    for locale in locales:
        found = numbering.symbols(locale)
        own = {code: pair if pair != general[code] else None for code, pair in found.items()}
        flags = packing.RIGHT_TO_LEFT if RIGHT_TO_LEFT(locale.encode()) else 0
        parent = tag(ancestors[locale][0]) if ancestors[locale] else ROOT
        pack.add(tag(locale), parent, flags, groups(locale, own, codes, own_patterns[locale]))
    written = pack.bytes()
    written += bytes(-len(written) % 4) + languages.section()
    options.output.write_bytes(written)
    sum_file = options.output.with_suffix(".sha256")
    sum_file.write_text(f"{hashlib.sha256(written).hexdigest()}  {options.output.name}\n")
    print(f"{len(locales)} locales, {len(pack.strings)} strings, {len(pack.groups)} groups: {len(written)} bytes")


if __name__ == "__main__":
    main()
