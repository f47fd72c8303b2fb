#!/usr/bin/env python3
"""Compares what formats print with ICU 77.1, in all locales: random values of each format, none of which may differ.

  Tests/Properties/run.sh .build-python-formats Tests/Formats/compare.py [--values 1000000] [--only date] [--seed 1]

`known.py` lists what differs on purpose. The same seed gives the same values. Builds the engine with Swift's clang.
Some seconds for a few values a locale; a million values of a format take a minute or two.
"""

import argparse
import collections
import datetime
import random
import sys
import time

import calendars
import engine
import known
import oracle

WORDS = (
    "Ada", "Grace", "Italia", "iglesia", "hielo", "hiato", "Higinio", "historia", "oro", "Hormiga", "8", "11", "11 de", "110",
    "ocho", "uno", "yate", "אבא", "Dan", "דן", "é", "1", "", "Œuvre", "\u05d0", "\u0590", "\u05ff", "\ufb1d", "\ufb50",
)
USED = ["USD", "EUR", "GBP", "JPY", "INR", "CNY", "BRL", "CHF", "KWD", "DKK", "SEK", "NOK", "TRY", "CVE"]
FIRST = datetime.datetime(1, 1, 1)
SECONDS = int((datetime.datetime(9999, 12, 31) - FIRST).total_seconds())


def random_number(source):
    """A JSON number: most of them short, some with exponents, some long."""
    whole = str(source.choice((0, source.randrange(10), source.randrange(10_000), source.randrange(10**9), source.randrange(10**40))))
    text = ("-" if source.random() < 0.3 else "") + whole
    if source.random() < 0.6:
        text += "." + "".join(source.choice("0123456789059") for _ in range(source.choice((1, 1, 2, 2, 3, 5, 12))))
    if source.random() < 0.1:
        text += source.choice("eE") + source.choice(("", "+", "-")) + str(source.randrange(12))
    return text


def random_digits(source):
    if source.random() < 0.4:
        return None
    least = source.randrange(5)
    return least, least + source.choice((0, 0, 1, 3))


class Comparison:
    def __init__(self, name, ours):
        self.name, self.engine = name, ours
        self.count, self.differences, self.known = 0, [], collections.Counter()

    def check(self, locale, printed, expected, **detail):
        self.count += 1
        if printed == expected:
            return
        reason = known.reason(self.name, locale, printed or "", expected, detail)
        if reason:
            self.known[locale.partition("-")[0], reason] += 1
        else:
            self.differences.append((locale, printed, expected, detail))

    def show(self, seconds):
        print(f"{self.name}: {self.count:,} values, {len(self.differences)} differ, {sum(self.known.values())} are known to,"
              f" {seconds:.0f} s", flush=True)
        for difference in self.differences[:20]:
            print("  ", *difference)
        for (language, reason), count in sorted(self.known.items()):
            print(f"   {count} in {language}: {reason}")


def choices(source, count, most):
    """The sizes of a few parts of a locale's values: a formatter of ICU takes as long to make as some hundred to print."""
    parts = max(1, min(most, count // 8))
    return [count // parts + (index < count % parts) for index in range(parts)]


def compare_numbers(comparison, locale, source, count, kind=engine.NUMBER):
    for part in choices(source, count, 4):
        options = {"latin": source.random() < 0.2, "sign": source.random() < 0.2, "digits": random_digits(source)}
        formatter = comparison.engine.formatter(locale, kind, **options)
        for _ in range(part):
            value = random_number(source)
            expected = oracle.number(locale, kind, value, **options)
            comparison.check(locale, formatter.print(value), expected, value=value, **options)


def compare_percents(comparison, locale, source, count):
    compare_numbers(comparison, locale, source, count, engine.PERCENT)


def compare_money(comparison, locale, source, count, codes=()):
    for part in choices(source, count, 12):
        code = source.choice(codes)
        options = {"latin": source.random() < 0.1, "sign": source.random() < 0.2,
                   "symbol": source.choice((engine.STANDARD, engine.STANDARD, engine.NARROW, engine.CODE)),
                   "digits": random_digits(source) if source.random() < 0.3 else None}
        fixed = comparison.engine.formatter(locale, engine.CURRENCY, currency=code, **options)
        named = comparison.engine.formatter(locale, engine.CURRENCY, **options)
        for index in range(part):
            value = random_number(source)
            expected = oracle.number(locale, engine.CURRENCY, value, currency=code, **options)
            printed = named.print(value, code=code.encode()) if index % 2 else fixed.print(value)
            comparison.check(locale, printed, expected, value=value, code=code, named=index % 2, **options)


def compare_dates(comparison, locale, source, count, kind=engine.DATE, lengths=(*range(4), *range(4, 9))):
    clock = comparison.engine.clock(None, "UTC", 0)
    for part in choices(source, count, 9):
        length, latin = source.choice(lengths), source.random() < 0.15
        formatter = comparison.engine.formatter(locale, kind, length=length, latin=latin)
        for _ in range(part):
            when = FIRST + datetime.timedelta(seconds=source.randrange(SECONDS))
            if source.random() < 0.7:
                when = when.replace(year=source.randrange(1970, 2040), day=min(when.day, 28))
            value = when.isoformat(timespec="seconds") + source.choice(("", "Z", "+00:00"))
            expected = oracle.date(locale, kind, length, int((when - datetime.datetime(1970, 1, 1)).total_seconds()), latin)
            comparison.check(locale, formatter.print(value, clock), expected, value=value, latin=latin,
                             length=oracle.SKELETONS.get(length, length) if kind == engine.DATE else length)


def compare_times(comparison, locale, source, count):
    compare_dates(comparison, locale, source, count, engine.TIME, (engine.SHORT, engine.MEDIUM))


def compare_datetimes(comparison, locale, source, count):
    compare_dates(comparison, locale, source, count, engine.DATETIME, range(4))


def compare_relative(comparison, locale, source, count):
    epoch = datetime.datetime(1970, 1, 1)
    formatters = {
        (length, latin): comparison.engine.formatter(locale, engine.RELATIVE, length=length, latin=latin)
        for length in (engine.LONG, engine.SHORT) for latin in (False, True)}
    for _ in range(count):
        length, latin = source.choice((engine.LONG, engine.SHORT)), source.random() < 0.2
        now = FIRST + datetime.timedelta(seconds=source.randrange(SECONDS))
        if source.random() < 0.8:
            now = now.replace(year=2025, day=min(now.day, 28 if source.random() < 0.5 else now.day if now.month == 1 else 28))
        size = source.choice((1, 100, 10_000, 1_000_000, 10_000_000, 400_000_000, 10**11))
        seconds = source.randrange(-size, size + 1)
        try:
            then = now + datetime.timedelta(seconds=seconds)
        except OverflowError:
            continue
        clock = comparison.engine.clock(None, "UTC", int((now - epoch).total_seconds()))
        if source.random() < 0.2:
            value = then.date().isoformat()
            unit, number = calendars.days_apart(now.date(), then.date())
        else:
            value = then.isoformat(timespec="seconds") + source.choice(("Z", ""))
            unit, number = calendars.distance(now, then, seconds)
        expected = oracle.relative(locale, length, unit, number, latin)
        comparison.check(locale, formatters[length, latin].print(value, clock), expected, value=value, now=str(now), unit=unit,
                         count=abs(number), length=length)


def compare_lists(comparison, locale, source, count):
    formatters = [comparison.engine.formatter(locale, engine.LIST, variant=word) for word in (0, 1)]
    for _ in range(count):
        word = source.randrange(2)
        items = [source.choice(WORDS) for _ in range(source.choice((0, 1, 2, 2, 3, 3, 4, 7)))]
        comparison.check(locale, formatters[word].join(items), oracle.list_formatter(locale, word).format(items), items=items)


def compare_plurals(comparison, locale, source, count):
    formatters = [comparison.engine.formatter(locale, engine.PLURAL, variant=ordinal) for ordinal in (0, 1)]
    for _ in range(count):
        ordinal = source.randrange(2)
        value = source.choice((str(source.randrange(200)), str(source.randrange(3_000_000)), str(source.randrange(30) * 10**6),
                               random_number(source)))
        expected = oracle.plural(locale, ordinal, value)
        comparison.check(locale, formatters[ordinal].plural(value), expected, value=value, ordinal=ordinal)


FORMATS = {
    "number": compare_numbers, "percent": compare_percents, "currency": compare_money, "date": compare_dates,
    "time": compare_times, "datetime": compare_datetimes, "relative": compare_relative, "list": compare_lists,
    "plural": compare_plurals,
}


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--values", type=int, default=20_000, help="of each format, over all locales")
    arguments.add_argument("--only", choices=FORMATS, action="append")
    arguments.add_argument("--locale", action="append", help="these locales only")
    arguments.add_argument("--seed", type=int, default=1)
    options = arguments.parse_args()
    ours, locales, failed = engine.Engine(), options.locale or oracle.locales(), 0
    assert sorted(ours.tag_of(index) for index in range(1, len(oracle.locales()) + 1)) == sorted(oracle.locales())
    codes = currency_codes()
    for name, compare in FORMATS.items():
        if options.only and name not in options.only:
            continue
        comparison, start = Comparison(name, ours), time.monotonic()
        for locale in locales:
            source = random.Random(f"{options.seed} {name} {locale}")
            count = max(1, options.values // len(locales))
            extra = {"codes": codes} if name == "currency" else {}
            compare(comparison, locale, source, count, **extra)
        comparison.show(time.monotonic() - start)
        failed += len(comparison.differences)
    sys.exit(1 if failed else 0)


def currency_codes():
    """All codes that any country had, those in use most more often; and one that no country has."""
    return USED * 8 + oracle.resources.currencies() + ["QQQ"]


main()
