"""Asks ICU how a locale writes dates, relative dates, lists."""

import re

import icu

# Fields of patterns, as single bytes in the tables: see `cf_field`. Week years are drawn as years.
FIELDS = {
    "y": 1, "yy": 2, "yyyy": 3, "M": 4, "MM": 5, "d": 6, "dd": 7, "h": 8, "hh": 9, "H": 10, "HH": 11, "m": 16, "mm": 17,
    "s": 18, "ss": 19, "a": 20, "B": 21, "G": 22, "MMM": 23, "MMMM": 24, "LLL": 25, "LLLL": 26, "EEE": 27, "EEEE": 28,
    "ccc": 29, "cccc": 30, "Y": 1,
}
STYLES = (icu.DateFormat.SHORT, icu.DateFormat.MEDIUM, icu.DateFormat.LONG, icu.DateFormat.FULL)
SKELETONS = ("MMMd", "yMMM", "EEEE", "MMMEd", "y")
UTC = icu.TimeZone.createTimeZone("UTC")
MONTHS = ("MMM", "MMMM", "LLL", "LLLL")
WEEKDAYS = ("EEE", "EEEE", "ccc", "cccc")
UNITS = ("SECOND", "MINUTE", "HOUR", "DAY", "WEEK", "MONTH", "YEAR")
CATEGORIES = ("zero", "one", "two", "few", "many", "other")
# The field of months in numerals: no pattern of a locale that has any uses it otherwise.
NUMERALS = "LLLL"
# Stands for the number.
NUMBER = "\x01"
DAY_MS = 86_400_000


def gregorian(locale):
    name, _, keywords = locale.partition("@")
    return icu.Locale(name + "@calendar=gregorian" + (";" + keywords if keywords else ""))


def compiled(pattern):
    """A pattern as text, with its fields as single bytes."""
    text = ""
    for quoted, field, literal in re.findall(r"'((?:[^']|'')*)'|([a-zA-Z]+)|(.)", pattern, re.DOTALL):
        for run in re.finditer(r"(.)\1*", field):
            text += chr(FIELDS[run[0]])
        assert field or all(ord(letter) >= 32 for letter in quoted + literal), pattern
        # Two quotes are one; nothing but quotes matches with nothing inside.
        text += literal or quoted.replace("''", "'") or ("" if field else "'")
    return text


def patterns(locale):
    """Dates by length, times by length, both by length, dates by fields."""
    place = gregorian(locale)
    generator = icu.DateTimePatternGenerator.createInstance(place)
    made = [icu.DateFormat.createDateInstance(style, place) for style in STYLES]
    made += [icu.DateFormat.createTimeInstance(style, place) for style in STYLES[:2]]
    made += [icu.DateFormat.createDateTimeInstance(style, icu.DateFormat.SHORT, place) for style in STYLES]
    return [compiled(numeral_months(one, place)) for one in made] + [
        compiled(generator.getBestPattern(skeleton)) for skeleton in SKELETONS]


def numeral_months(made, place):
    """A pattern; where its months are in numerals of another system, they are taken for names that stand alone."""
    pattern = made.toPattern()
    made.setTimeZone(UTC)
    plain = icu.SimpleDateFormat(pattern, place)
    plain.setTimeZone(UTC)
    if made.format(0.0) == plain.format(0.0):
        return pattern
    # Hawaiian: 9/x/25.
    assert re.findall("[A-Za-z]+", pattern)[1] == "M" and pattern.count("M") == 1, (place, pattern)
    return pattern.replace("M", NUMERALS)


def numerals(locale, times):
    """The months of a pattern that has them in numerals."""
    made = icu.DateFormat.createDateInstance(icu.DateFormat.SHORT, gregorian(locale))
    made.setTimeZone(UTC)
    return [re.fullmatch(r"\d+/(\D+)/\d+", made.format(time / 1000))[1] for time in times]


def drawn(locale, pattern, times):
    """A pattern at some milliseconds since 1970."""
    made = icu.SimpleDateFormat(pattern, gregorian(locale))
    made.setTimeZone(UTC)
    return [made.format(time / 1000) for time in times]


def months(locale, used):
    """Names of months in four forms, those that no pattern uses empty."""
    times = [(31 * month + 14) * DAY_MS for month in range(12)]
    found = names(locale, MONTHS, times, used)
    if chr(FIELDS[NUMERALS]) in used[0] and found[-12:] == drawn(locale, NUMERALS, times):
        found[-12:] = numerals(locale, times)
    return found


def weekdays(locale, used):
    """Names of the days of the week from Sunday."""
    return names(locale, WEEKDAYS, [(day + 3) * DAY_MS for day in range(7)], used)


def names(locale, forms, times, used):
    found = []
    for form in forms:
        is_used = any(chr(FIELDS[form]) in pattern for pattern in used)
        found += drawn(locale, form, times) if is_used else [""] * len(times)
    return found


def day_periods(locale, used):
    """Before and after noon, then the period of each hour where a pattern asks for it, then the era."""
    hours = [hour * 3_600_000 for hour in range(24)]
    found = [drawn(locale, "a", hours)[0], drawn(locale, "a", hours)[12]]
    if any(chr(FIELDS["B"]) in pattern for pattern in used):
        found += drawn(locale, "B", hours)
        assert found[2:] == drawn(locale, "B", [hour + 1_800_000 for hour in hours]), locale
    else:
        found += [""] * 24
    found += drawn(locale, "G", [0]) if any(chr(FIELDS["G"]) in pattern for pattern in used) else [""]
    return found


def relative(locale, style, categories):
    """The words for now and today, then for each unit, the past and the future, the text of each plural category."""
    made = icu.RelativeDateTimeFormatter(
        icu.Locale(locale), icu.NumberFormat.createInstance(icu.Locale(locale)), style,
        icu.UDisplayContext.CAPITALIZATION_NONE)
    plain = icu.NumberFormatter.withLocale(icu.Locale(locale))
    found = [
        made.format(icu.UDateDirection.PLAIN, icu.UDateAbsoluteUnit.NOW),
        made.format(icu.UDateDirection.THIS, icu.UDateAbsoluteUnit.DAY),
    ]
    for unit in UNITS:
        for sign in (-1.0, 1.0):
            texts = {}
            for category, samples in categories.items():
                drawn = [made.formatNumeric(sign * sample, getattr(icu.URelativeDateTimeUnit, unit)) for sample in samples]
                texts[category] = drawn[0].replace(plain.formatInt(samples[0]), NUMBER, 1)
                for sample, text in zip(samples, drawn):
                    assert texts[category].replace(NUMBER, plain.formatInt(sample)) == text, (locale, unit, sample, text)
            found += [texts.get(category, texts["other"]) for category in CATEGORIES]
    return found


def plural_samples(locale):
    """Some whole numbers of each plural category that has any, without separators."""
    rules, found = icu.PluralRules.forLocale(icu.Locale(locale)), {}
    for number in range(1000):
        samples = found.setdefault(rules.select(number), [])
        if len(samples) < 3:
            samples.append(number)
    found.setdefault("other", [1000])
    return found


def lists(locale, kind):
    """The words of lists: see `cf_list_slot`."""
    made = icu.ListFormatter.createInstance(icu.Locale(locale), kind, icu.UListFormatterWidth.WIDE)

    def between(items):
        text, words = made.format(items), []
        for item in items:
            before, _, text = text.partition(item)
            words.append(before)
        return words + [text]

    two, three, four = between(["\ue001", "\ue002"]), between(["\ue001", "\ue002", "\ue003"]), between(
        ["\ue001", "\ue002", "\ue003", "\ue004"])
    # Nothing stands before the first, and behind the last the same in every longer list.
    assert two[0] == three[0] == four[0] == "" and three[3] == four[4], locale
    assert four[1] == three[1] and four[3] == three[2], locale
    rule, other_two, other_end = "", two[1], three[2]
    for name, sample in (("e", "iqxz"), ("u", "oqxz"), ("v", "\u05d0\u05d1")):
        changed_two, changed_end = between(["\ue001", sample]), between(["\ue001", "\ue002", sample])
        if (changed_two[1], changed_end[2]) != (two[1], three[2]):
            assert not rule, locale
            rule, other_two, other_end = name, changed_two[1], changed_end[2]
    return [rule, two[1], two[2], four[1], four[2], three[2], three[3], other_two, other_end]
