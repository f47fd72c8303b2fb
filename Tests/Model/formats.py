"""What formats print, as the contract says it. The words are ICU's: values are read, rounded and counted here."""

import calendar
import dataclasses
import datetime
import pathlib
import re
import sys
import zoneinfo

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "Formats"))

import icu  # noqa: E402

import engine  # noqa: E402
import oracle  # noqa: E402
from values import JSON_NUMBER, Number, is_scalar, printed  # noqa: E402

# A number of more digits, written out, fits nothing.
DIGITS_LIMIT = 300
# So many digits a double keeps.
EXACT_DIGITS = 15
LENGTHS = {"short": engine.SHORT, "medium": engine.MEDIUM, "long": engine.LONG, "full": engine.FULL}
FIELDS = {"month-day": engine.MONTH_DAY, "year-month": engine.YEAR_MONTH, "weekday": engine.WEEKDAY,
          "month-day-weekday": engine.MONTH_DAY_WEEKDAY, "year": engine.YEAR}
NUMBERS = {"number": engine.NUMBER, "integer": engine.NUMBER, "percent": engine.PERCENT, "currency": engine.CURRENCY}
DATES = {"date": engine.DATE, "time": engine.TIME, "datetime": engine.DATETIME}
SYMBOLS = {"standard": engine.STANDARD, "narrow": engine.NARROW, "code": engine.CODE}
DATE = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?(?:([Zz])|([+-])(\d\d)(?::?(\d\d))?)?)?"
    r"(?:\[[A-Za-z0-9/_+.:-]{1,64}\])?", re.ASCII)
EPOCH = datetime.datetime(1970, 1, 1)
WHITE_SPACE = set("\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000") | {chr(code) for code in range(0x2000, 0x200B)}
ITEM = "\ue010"
WEEK = 7


@dataclasses.dataclass
class Clock:
    """Where and when a reader is: a tag, a zone's name, and the seconds since 1970."""
    locale: str
    zone: str
    now: int

    def wall(self, seconds):
        """What a clock shows at an instant."""
        utc = (EPOCH + datetime.timedelta(seconds=seconds)).replace(tzinfo=datetime.timezone.utc)
        return utc.astimezone(zoneinfo.ZoneInfo(self.zone)).replace(tzinfo=None)

    def instant(self, wall):
        return int(wall.replace(tzinfo=zoneinfo.ZoneInfo(self.zone)).timestamp())


@dataclasses.dataclass
class Moment:
    """A date. `form` is `day`, `wall` or `instant`; `offset` are seconds east, as written."""
    form: str
    written: datetime.datetime
    fraction: str = ""
    offset: int = 0

    @property
    def seconds(self):
        return int((self.written - EPOCH).total_seconds()) - self.offset

    def machine(self):
        """As RFC 3339 has it."""
        if self.form == "day":
            return f"{self.written:%Y-%m-%d}"
        text = f"{self.written:%Y-%m-%dT%H:%M:%S}" + (f".{self.fraction}" if self.fraction else "")
        if self.form == "wall":
            return text
        minutes = abs(self.offset) // 60
        return text + ("Z" if not self.offset else f"{'-' if self.offset < 0 else '+'}{minutes // 60:02}:{minutes % 60:02}")


def words_of(format):
    """The options of a format: words, and values by their keys."""
    words = format.options.split()
    return [word for word in words if "=" not in word], dict(word.split("=") for word in words if "=" in word)


# Reading values


def written_out(text):
    """A number's digits before and behind the point; null if it is none, or too long."""
    match = JSON_NUMBER.match(text)
    if not match:
        return None
    _, whole, fraction, exponent = match.groups()
    digits, point = whole + (fraction or ""), len(whole) + int(exponent or 0)
    before, behind = max(1, point), max(0, len(digits) - point)
    return None if before + behind > DIGITS_LIMIT else (before, behind)


def read_moment(text, epoch=None):
    if epoch:
        if written_out(text) is None:
            return None
        sign, whole, fraction, exponent = JSON_NUMBER.match(text).groups()
        point = len(whole) + int(exponent or 0)
        digits = (whole + (fraction or ""))
        cut = int((digits + "0" * max(0, point - len(digits)))[:max(0, point)] or "0")
        number = -cut if sign else cut
        seconds, rest = (number, 0) if epoch == "s" else divmod(number, 1000)
        try:
            return Moment("instant", EPOCH + datetime.timedelta(seconds=seconds), f"{rest:03}" if rest else "")
        except OverflowError:
            return None
    match = DATE.fullmatch(text)
    if not match:
        return None
    year, month, day, hour, minute, second, fraction, utc, sign, hours, minutes = match.groups()
    if int(hour or 0) > 23 or int(minute or 0) > 59 or int(second or 0) > 60 or int(hours or 0) > 23 or int(minutes or 0) > 59:
        return None
    try:
        written = datetime.datetime(
            int(year), int(month), int(day), int(hour or 0), int(minute or 0), min(59, int(second or 0)))
    except ValueError:
        return None
    if hour is None:
        return Moment("day", written)
    offset = (-60 if sign == "-" else 60) * (60 * int(hours or 0) + int(minutes or 0))
    return Moment("instant" if utc or sign else "wall", written, fraction or "", offset)


# Printing


def shown(format, value, clock, currency=None):
    """What a format prints of a string, a number or a list; null if the value does not fit. `currency` is what its name found."""
    words, options = words_of(format)
    if format.kind == "list":
        return joined(value, words, clock)
    if not is_scalar(value):
        return None
    if format.kind == "truncate":
        return truncated(value, int(words[0]))
    if format.kind in NUMBERS:
        return number(format.kind, value, words, options, clock, currency)
    moment = read_moment(value, options.get("epoch"))
    if moment is None or format.kind == "time" and moment.form == "day":
        return None
    if format.kind == "relative":
        return relative(moment, words, clock)
    wall = clock.wall(moment.seconds) if moment.form == "instant" else moment.written
    length = {**LENGTHS, **FIELDS}[words[0]] if words else engine.SHORT if format.kind == "time" else engine.MEDIUM
    kind = "date" if moment.form == "day" else format.kind
    return oracle.date(clock.locale, DATES[kind], length, int((wall - EPOCH).total_seconds()))


def machine(format, value):
    """What programs read of a value: RFC 3339, or the digits as they were sent."""
    if format.kind in NUMBERS:
        return value if fits_number(format.kind, value) else None
    moment = read_moment(value, words_of(format)[1].get("epoch"))
    return None if moment is None or format.kind == "time" and moment.form == "day" else moment.machine()


def fits_number(kind, value):
    return written_out(value + ("" if kind != "percent" else "")) is not None


def number(kind, value, words, options, clock, currency):
    if not fits_number(kind, value):
        return None
    if kind == "currency":
        currency = words[0] if re.fullmatch("[A-Z]{3}", words[0]) else currency
        if not (isinstance(currency, str) and re.fullmatch("[A-Z]{3}", currency)):
            return None
    digits = options.get("digits", "auto")
    least, _, most = digits.partition("-")
    fraction = None if digits == "auto" else (int(least), int(most or least))
    if kind == "integer":
        fraction = (0, 0)
    return oracle.number(
        clock.locale, NUMBERS[kind], str(value), sign="sign" in options, digits=fraction, currency=currency,
        symbol=SYMBOLS[options.get("symbol", "standard")])


def relative(moment, words, clock):
    length = engine.SHORT if "short" in words else engine.LONG
    now = clock.wall(clock.now)
    if moment.form == "day":
        then, now = moment.written, now.replace(hour=0, minute=0, second=0)
        days = (then - now).days
        if days == 0:
            return oracle.relative(clock.locale, length, "today", 0)
        return distance(clock, length, now, then, abs(days) * 86400, days > 0)
    instant = moment.seconds if moment.form == "instant" else clock.instant(moment.written)
    then = clock.wall(instant) if moment.form == "instant" else moment.written
    seconds = instant - clock.now
    if seconds == 0:
        return oracle.relative(clock.locale, length, "now", 0)
    return distance(clock, length, now, then, abs(seconds), seconds > 0)


def distance(clock, length, now, then, seconds, is_future):
    """The largest unit of which one has passed, or is to come."""
    first, last = (now, then) if is_future else (then, now)
    months = (last.year - first.year) * 12 + last.month - first.month
    # From the end of a month they end with the last day of a shorter one.
    day = min(now.day, calendar.monthrange(then.year, then.month)[1])
    here, there = (day, now.time()), (then.day, then.time())
    if months > 0 and (here > there if is_future else there > here):
        months -= 1
    days = seconds // 86400
    unit, count = next((unit, count) for unit, count in [
        ("YEAR", months // 12), ("MONTH", months), ("WEEK", days // WEEK), ("DAY", days), ("HOUR", seconds // 3600),
        ("MINUTE", seconds // 60), ("SECOND", seconds)] if count > 0)
    # A plain zero has no sign: units that have passed are negative.
    return oracle.relative(clock.locale, length, unit, count if is_future else -count)


def joined(value, words, clock):
    if not isinstance(value, list):
        return None
    items = [item for item in value if item is not None and item is not False]
    if any(isinstance(item, (dict, list)) for item in items):
        return None
    return icu_list(clock.locale, "or" in words, [printed(item) for item in items])


def icu_list(locale, is_or, items):
    return oracle.list_formatter(locale, is_or).format(items) if items else ""


def list_words(locale, is_or, items):
    """The words between elements, and behind the last. `items` are texts, or null where an element has none."""
    count = len(items)
    if count < 2:
        return [""] * count
    plain = icu_list(locale, is_or, [ITEM] * count).split(ITEM)
    between = plain[1:]
    if items[-1] is not None:
        # The next item may change the words before the last alone.
        text = icu_list(locale, is_or, [ITEM] * (count - 1) + [items[-1]])
        rest = text.split(ITEM)[-1]
        between[-2] = rest[:len(rest) - len(items[-1]) - len(between[-1])]
    return between


def truncated(value, most):
    breaks = icu.BreakIterator.createCharacterInstance(icu.Locale("en"))
    text = icu.UnicodeString(str(value))
    breaks.setText(text)
    places = [0, *breaks]
    clusters = [str(text[start:end]) for start, end in zip(places, places[1:])]
    if len(clusters) <= most:
        return str(value)
    kept = clusters[:most]
    for place in range(most, 0, -1):
        if 3 * place > 2 * most and set(kept[place - 1]) <= WHITE_SPACE:
            kept = kept[:place]
            break
    text = "".join(kept)
    while text and text[-1] in WHITE_SPACE:
        text = text[:-1]
    return text + "…"


# Plurals


def category(value, is_ordinal, clock):
    """CLDR's category of a number, by the digits that are shown; of an array, of the number of its items."""
    if isinstance(value, list):
        value = Number(len(value))
    if not is_scalar(value) or written_out(value) is None:
        return None
    text = str(value)
    if len(text) > EXACT_DIGITS and text.isdigit():
        # ICU loses digits of longer numbers; no rule looks at more than the last of them.
        text = "1" + text[-(EXACT_DIGITS - 1):]
    return oracle.plural(clock.locale, is_ordinal, text)
