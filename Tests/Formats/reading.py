#!/usr/bin/env python3
"""Checks what is taken for a number or a date, and what is printed for programs, against patterns and Python's calendar.

  Tests/Properties/run.sh .build-python-formats Tests/Formats/reading.py [--values 1000000] [--seed 1]

Values are forms of the language and near misses of them. Also what truncation keeps, against ICU's grapheme clusters.
"""

import argparse
import ctypes
import datetime
import random
import re
import sys

import icu

import engine

NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
DATE = re.compile(
    r"(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?(Z|z|[+-]\d{2}(?::?\d{2})?)?)?"
    r"(?:\[[A-Za-z0-9/_+.:-]{1,64}\])?", re.ASCII)
DIGITS_LIMIT, BYTES_LIMIT, DATE_BYTES = 300, 330, 128
EPOCH = datetime.datetime(1970, 1, 1)
MISFITS = (
    "", " ", "n/a", "1,234.50", "1.", ".5", "+1", "01", "-", "--1", "1e", "1e+", "0x10", "1 ", " 1", "1_000", "Infinity", "NaN",
    "٣", "1.5.2", "1e5.0", "-01", "00", "1\0",
)
BAD_DATES = (
    "2025-02-30", "2025-13-01", "2025-00-10", "2025-01-00", "0000-01-01", "2023-02-29", "2025-1-1", "20251009", "2025-10-09T",
    "2025-10-09T24:00", "2025-10-09T23:60", "2025-10-09T23:59:61", "2025-10-09T22:30:00.", "2025-10-09T22:30:00+2",
    "2025-10-09T22:30:00+24:00", "2025-10-09T22:30:00+02:60", "2025-10-09Z", "2025-10-09+02:00", "2025-10-09T22",
    "2025-10-09T22:30:00 Z", "2025-10-09 22:30:00  ", " 2025-10-09", "2025-W41-4", "2025-282", "-2025-10-09", "+12025-10-09", "1760000000",
    "2025-10-09T22:30:00[", "2025-10-09T22:30:00[]", "2025-10-09T22:30:00[a]b", "2025-10-09T22:30:00[a b]", "22:30", "tomorrow",
    "2025-10-09T22:30:00+0200[Europe/Berlin][u-ca=x]", "2025-10-09T22:30:00,5",
)
TEXTS = (
    "a", "b", " ", "  ", "é", "e\u0301", "\u00a0", "\u3000", "👩‍👩‍👧‍👦", "🇩🇪", "🇩", "क्षि", "한", "\u1112\u1161\u11ab", "ก็", "\r\n", "\n", "👍🏽", "漢",
    "\u200d", "\u0600", "न्\u200dत", "x\u0300\u0301\u0302", "✊🏿", "❤️", "ഹ്ന", "ൺ", "-", ".", "\u0301",
    # A consonant, what links it to the next, and both alone.
    "\u0915", "\u094d", "\u0924", "\u0d15", "\u0d4d", "\u093c",
)
problems = []


def expect(condition, *words):
    if not condition and len(problems) < 30:
        problems.append(" ".join(map(str, words)))


def mutated(source, text):
    """A text with a letter dropped, doubled or replaced."""
    if not text or source.random() < 0.5:
        return text
    at = source.randrange(len(text))
    return text[:at] + source.choice(("", text[at] * 2, source.choice("0123456789-+.eETZ:[] /a"))) + text[at + 1:]


def random_number(source):
    text = source.choice(("", "-")) + str(source.choice((0, source.randrange(100), source.randrange(10**20))))
    if source.random() < 0.5:
        text += "." + "0" * source.choice((0, 0, 3, 297)) + str(source.randrange(1000))
    if source.random() < 0.4:
        text += source.choice("eE") + source.choice(("", "+", "-")) + str(source.choice((0, 2, 20, 279, 299, 300, 301, 10**12)))
    return mutated(source, text)


def written_digits(text):
    """How many digits a number has as it is sent, and written out."""
    mantissa, _, exponent = text.lower().lstrip("-").partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits, point = whole + fraction, len(whole) + max(-10**6, min(10**6, int(exponent or 0)))
    if point < 1:
        return len(digits), len(digits) - point + 1
    significant = digits.lstrip("0")
    dropped = min(len(digits) - len(significant), point - 1)
    digits, point = digits[dropped:], point - dropped
    if not significant and point > len(digits):
        return len(whole + fraction), 1
    return len(whole + fraction), max(len(digits), point)


def check_number(formatter, text):
    fits = bool(NUMBER.fullmatch(text)) and len(text.encode()) <= BYTES_LIMIT and max(written_digits(text)) <= DIGITS_LIMIT
    printed = formatter.print(text)
    expect((printed is not None) == fits, "number", repr(text), "is printed as", printed)
    expect(formatter.machine(text) == (text if fits else None), "number", repr(text), "for programs", formatter.machine(text))
    return fits


def random_date(source):
    number = lambda width, most: str(source.randrange(most)).rjust(width, "0")  # noqa: E731
    text = f"{source.choice((number(4, 10000), '2024', '2025', '0001'))}-{number(2, 14)}-{number(2, 33)}"
    if source.random() < 0.8:
        text += f"{source.choice('TT t')}{number(2, 26)}:{number(2, 62)}"
        if source.random() < 0.7:
            text += ":" + number(2, 62) + source.choice(("", ".1", ".123", ".123456789"))
        text += source.choice(("", "Z", "z", "+02:00", "-0330", "+02", "-00:00", f"+{number(2, 26)}:{number(2, 62)}", "+5"))
    return mutated(source, text + source.choice(("", "", "", "[Europe/Berlin]", "[]", "[+02:00]")))


def read_date(text):
    """Day and time as written, and the offset: `none` for a day alone, `local` for a time without one. Null for a misfit."""
    match = DATE.fullmatch(text)
    if not match or len(text.encode()) > DATE_BYTES:
        return None
    year, month, day, hour, minute, second, fraction, offset = match.groups()
    seconds = min(int(second or 0), 59) if int(second or 0) <= 60 else 99
    try:
        when = datetime.datetime(int(year), int(month), int(day), int(hour or 0), int(minute or 0), seconds)
    except ValueError:
        return None
    if hour is None:
        return when, "none", ""
    if offset is None:
        return when, "local", fraction or ""
    minutes = 0
    if offset not in "Zz":
        digits = offset[1:].replace(":", "").ljust(4, "0")
        if int(digits[:2]) > 23 or int(digits[2:]) > 59:
            return None
        minutes = (int(digits[:2]) * 60 + int(digits[2:])) * (-1 if offset[0] == "-" else 1)
    return when, minutes, fraction or ""


def machine_date(when, offset, fraction):
    if offset == "none":
        return f"{when:%Y-%m-%d}".rjust(10, "0")
    text = when.isoformat(timespec="seconds") + (f".{fraction[:3]}" if fraction else "")
    if offset == "local":
        return text
    if offset == 0:
        return text + "Z"
    return text + ("-" if offset < 0 else "+") + f"{abs(offset) // 60:02}:{abs(offset) % 60:02}"


def check_date(formatters, clock, text):
    date, time, both = formatters
    read = read_date(text)
    if read is None:
        printed = date.print(text, clock), time.print(text, clock), both.print(text, clock), date.machine(text)
        expect(printed == (None,) * 4, "date", repr(text), "is printed as", printed)
        return
    when, offset, _ = read
    shown = when
    if isinstance(offset, int):
        try:
            shown = when - datetime.timedelta(minutes=offset)
        except OverflowError:
            expect(date.print(text, clock) is None, "date", repr(text), "is printed in a year that is none")
            return
    month = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")[shown.month - 1]
    expected = f"{month} {shown.day}, {shown.year}"
    expect(date.print(text, clock) == expected, "date", repr(text), "is printed as", date.print(text, clock))
    hour = f"{shown.hour % 12 or 12}:{shown.minute:02}:{shown.second:02}\u202f{'PM' if shown.hour > 11 else 'AM'}"
    expect(time.print(text, clock) == (None if offset == "none" else hour), "time", repr(text), time.print(text, clock))
    printed = both.print(text, clock)
    expect((printed == expected) == (offset == "none") and printed.startswith(expected), "datetime", repr(text), printed)
    expect(date.machine(text) == machine_date(*read), "date", repr(text), "for programs", date.machine(text))


def check_epochs(ours, clock, source):
    for unit, size in ((1, 1), (2, 1000)):
        formatter = ours.formatter("en", engine.DATE, length=engine.MEDIUM, epoch=unit)
        for text in ("2025-10-09", "", "x", "1e30", "-62135596801000" if unit == 2 else "-62135596801",
                     "253402300800000" if unit == 2 else "253402300800"):
            expect(formatter.print(text, clock) is None, "epoch", unit, text, formatter.print(text, clock))
        for _ in range(2000):
            number = source.choice((0, -1, 1, source.randrange(-62135596800 * size, 253402300800 * size)))
            text = str(number) + source.choice(("", ".9", ".0", "e0"))
            seconds = number // size
            when = EPOCH + datetime.timedelta(seconds=seconds)
            expected = machine_date(when, 0, f"{number % size:03}" if number % size else "")
            expect(formatter.machine(text) == expected, "epoch", unit, text, formatter.machine(text), expected)
        if unit == 1:
            expect(formatter.machine("1.76e9") == "2025-10-09T08:53:20Z", "epoch with an exponent")


def clusters(text, breaks):
    breaks.setText(text)
    bounds = [0, *breaks]
    return [icu.UnicodeString(text)[start:end] for start, end in zip(bounds, bounds[1:])]


def cut(parts, limit):
    """What is kept by the contract's words: behind the last white space of the last third, else all; white space goes."""
    if len(parts) <= limit:
        return "".join(parts), False
    kept = parts[:limit]
    for index in range(limit - 1, -1, -1):
        if 3 * (index + 1) <= 2 * limit:
            break
        if kept[index].isspace():
            kept = kept[:index]
            break
    while kept and kept[-1].isspace():
        kept.pop()
    return "".join(kept), True


def check_truncation(ours, source, count):
    breaks = icu.BreakIterator.createCharacterInstance(icu.Locale("root"))
    for _ in range(count):
        text = "".join(source.choice(TEXTS) if source.random() < 0.9 else chr(source.choice((
            source.randrange(0x20, 0x3000), source.randrange(0x10000, 0x20000)))) for _ in range(source.randrange(30)))
        limit = source.randrange(1, 24)
        parts = [str(part) for part in clusters(text, breaks)]
        encoded = text.encode()
        kept = ours.kept(encoded, limit)
        printed, expected = (encoded[:kept].decode(), kept < len(encoded)), cut(parts, limit)
        expect(printed == expected, "truncate", ascii(text), limit, ascii(printed), "not", ascii(expected))


def check_long_clusters(ours):
    """A letter with a million accents is not one character: what is kept is bounded."""
    text = ("a" + "\u0301" * 1_000_000).encode()
    expect(ours.kept(text, 3) == 3073, "a long cluster:", ours.kept(text, 3))


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--values", type=int, default=30_000)
    arguments.add_argument("--seed", type=int, default=1)
    options = arguments.parse_args()
    ours, source = engine.Engine(), random.Random(options.seed)
    clock = ours.clock(None, "UTC", 0)
    number = ours.formatter("en", engine.NUMBER)
    formatters = [ours.formatter("en", kind, length=engine.MEDIUM) for kind in (engine.DATE, engine.TIME, engine.DATETIME)]
    for text in MISFITS:
        expect(not NUMBER.fullmatch(text) and number.print(text) is None, "number", repr(text), number.print(text))
    for text in BAD_DATES:
        expect(read_date(text) is None, "the model takes", text)
        check_date(formatters, clock, text)
    fit = sum(check_number(number, random_number(source)) for _ in range(options.values))
    for _ in range(options.values):
        check_date(formatters, clock, random_date(source))
    check_epochs(ours, clock, source)
    check_truncation(ours, source, options.values)
    check_long_clusters(ours)
    print(f"reading: {options.values:,} numbers, of which {fit:,} fit, as many dates and texts to cut; {len(problems)} problems")
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


main()
