"""What ICU 77.1 prints: an interface like the engine's, for the tests to compare with."""

import ctypes
import functools
import pathlib
import re
import sys

import icu

import engine

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent.parent / "Tools/locales"))

import resources  # noqa: E402

HALF_AWAY_FROM_ZERO = 6
NUMBER = re.compile(r"(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?")
WIDTHS = {
    engine.STANDARD: icu.UNumberUnitWidth.SHORT, engine.NARROW: icu.UNumberUnitWidth.NARROW,
    engine.CODE: icu.UNumberUnitWidth.ISO_CODE,
}
STYLES = {
    engine.SHORT: icu.DateFormat.SHORT, engine.MEDIUM: icu.DateFormat.MEDIUM, engine.LONG: icu.DateFormat.LONG,
    engine.FULL: icu.DateFormat.FULL,
}
SKELETONS = {
    engine.MONTH_DAY: "MMMd", engine.YEAR_MONTH: "yMMM", engine.WEEKDAY: "EEEE", engine.MONTH_DAY_WEEKDAY: "MMMEd",
    engine.YEAR: "y",
}
UNITS = ("SECOND", "MINUTE", "HOUR", "DAY", "WEEK", "MONTH", "YEAR")
UTC = icu.TimeZone.createTimeZone("UTC")
# Before any date: the calendar is the Gregorian one throughout.
NO_CHANGE = -8.64e12


def place(locale, keywords=""):
    return icu.Locale(locale.replace("-", "_") + (f"@{keywords}" if keywords else ""))


def locales():
    """The tags of all locales."""
    names = sorted(name for name in icu.Locale.getAvailableLocales() if name != "en_US_POSIX")
    return ["-".join(part.lower() if len(part) > 4 else part for part in name.split("_")) for name in names]


def fraction_digits(value):
    """How many digits a number has behind its point, written out."""
    _, _, fraction, exponent = NUMBER.fullmatch(value).groups()
    return max(0, len(fraction or "") - int(exponent or 0))


def precision(digits):
    least, most = digits
    return icu.Precision.minMaxFraction(least, most)


@functools.lru_cache(maxsize=64)
def number_formatter(locale, style, latin, sign, digits, currency, symbol):
    made = icu.NumberFormatter.withLocale(place(locale, "numbers=latn" if latin else ""))
    made = made.roundingMode(HALF_AWAY_FROM_ZERO)
    if sign:
        made = made.sign(icu.UNumberSignDisplay.ALWAYS)
    if style == engine.PERCENT:
        made = made.unit(icu.NoUnit.percent()).scale(icu.Scale.powerOfTen(2))
    if style == engine.CURRENCY:
        made = made.unit(icu.CurrencyUnit(currency)).unitWidth(WIDTHS[symbol])
    return made.precision(precision(digits)) if digits else made


def number(locale, style, value, latin=False, sign=False, digits=None, currency=None, symbol=engine.STANDARD):
    if digits is None and style != engine.CURRENCY:
        count = max(0, fraction_digits(value) - (2 if style == engine.PERCENT else 0))
        digits = (count, count)
    return number_formatter(locale, style, latin, sign, digits, currency, symbol).formatDecimal(value.encode())


@functools.lru_cache(maxsize=64)
def date_formatter(locale, kind, length, latin):
    keywords = "calendar=gregorian" + (";numbers=latn" if latin else "")
    where = place(locale, keywords)
    if kind == engine.TIME:
        made = icu.DateFormat.createTimeInstance(STYLES[length], where)
    elif kind == engine.DATETIME:
        made = icu.DateFormat.createDateTimeInstance(STYLES[length], icu.DateFormat.SHORT, where)
    elif length in STYLES:
        made = icu.DateFormat.createDateInstance(STYLES[length], where)
    else:
        pattern = icu.DateTimePatternGenerator.createInstance(where).getBestPattern(SKELETONS[length])
        made = icu.SimpleDateFormat(pattern, where)
    calendar = icu.GregorianCalendar(UTC, where)
    calendar.setGregorianChange(NO_CHANGE)
    made.setCalendar(calendar)
    return made


def date(locale, kind, length, seconds, latin=False):
    """Prints what a clock in UTC shows so many seconds after 1970."""
    return date_formatter(locale, kind, length, latin).format(float(seconds))


@functools.lru_cache(maxsize=16)
def relative_formatter(locale, length, latin):
    style = icu.UDateRelativeDateTimeFormatterStyle
    return icu.RelativeDateTimeFormatter(
        place(locale), icu.NumberFormat.createInstance(place(locale, "numbers=latn" if latin else "")),
        style.SHORT if length == engine.SHORT else style.LONG, icu.UDisplayContext.CAPITALIZATION_NONE)


def relative(locale, length, unit, count, latin=False):
    """Prints so many units from now; unit `now` or `today` the words."""
    made = relative_formatter(locale, length, latin)
    if unit == "now":
        return made.format(icu.UDateDirection.PLAIN, icu.UDateAbsoluteUnit.NOW)
    if unit == "today":
        return made.format(icu.UDateDirection.THIS, icu.UDateAbsoluteUnit.DAY)
    return made.formatNumeric(float(count), getattr(icu.URelativeDateTimeUnit, unit))


@functools.lru_cache(maxsize=16)
def list_formatter(locale, word):
    kind = icu.UListFormatterType.OR if word else icu.UListFormatterType.AND
    return icu.ListFormatter.createInstance(place(locale), kind, icu.UListFormatterWidth.WIDE)


# Rules of ordinals, and of numbers with the digits that are shown: by ICU's C interface, since PyICU has but a part.
OPEN_NUMBER = resources.function(
    resources.INTERNATIONAL, "unumf_openForSkeletonAndLocale", resources.POINTER, resources.UNITS, resources.NUMBER,
    ctypes.c_char_p, resources.NUMBERS)
OPEN_RESULT = resources.function(resources.INTERNATIONAL, "unumf_openResult", resources.POINTER, resources.NUMBERS)
FORMAT = resources.function(
    resources.INTERNATIONAL, "unumf_formatDecimal", None, resources.POINTER, ctypes.c_char_p, resources.NUMBER,
    resources.POINTER, resources.NUMBERS)
OPEN_RULES = resources.function(
    resources.INTERNATIONAL, "uplrules_openForType", resources.POINTER, ctypes.c_char_p, ctypes.c_int, resources.NUMBERS)
SELECT = resources.function(
    resources.INTERNATIONAL, "uplrules_selectFormatted", resources.NUMBER, resources.POINTER, resources.POINTER,
    resources.UNITS, resources.NUMBER, resources.NUMBERS)


def called(function, *arguments):
    error = resources.NUMBER(0)
    result = function(*arguments, ctypes.byref(error))
    resources.check(error)
    return result


@functools.lru_cache(maxsize=None)
def plural_rules(locale, is_ordinal):
    return called(OPEN_RULES, locale.replace("-", "_").encode(), int(is_ordinal))


@functools.lru_cache(maxsize=None)
def plain_formatter(digits):
    skeleton = ("." + "0" * digits if digits else "precision-integer").encode("utf-16-le")
    units = (ctypes.c_uint16 * (len(skeleton) // 2)).from_buffer_copy(skeleton)
    return called(OPEN_NUMBER, units, len(units), b"en")


RESULT = called(OPEN_RESULT)


def plural(locale, is_ordinal, value):
    called(FORMAT, plain_formatter(fraction_digits(value)), value.encode(), len(value), RESULT)
    keyword = (ctypes.c_uint16 * 16)()
    count = called(SELECT, plural_rules(locale, is_ordinal), RESULT, keyword, 16)
    return bytes(keyword[:count]).decode()
