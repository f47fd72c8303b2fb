"""Asks ICU how a locale writes numbers and money."""

import icu

import resources

# Stands for the currency's symbol in an affix.
SYMBOL = "\x01"
# Currencies with narrow symbols of one letter almost everywhere, which no locale writes in a way of its own.
SAMPLES = ("GBP", "JPY", "KGS")
# What is no symbol and no white space is kept apart from digits: CLDR's `currencyMatch`, the same in every locale.
APART = icu.UnicodeSet("[[:^S:]&[:^Z:]]")
ALWAYS = icu.UNumberSignDisplay.ALWAYS


def formatter(locale, style=None, code=None):
    made = icu.NumberFormatter.withLocale(icu.Locale(locale))
    if style == "percent":
        made = made.unit(icu.NoUnit.percent())
    if style == "money":
        made = made.unit(icu.CurrencyUnit(code)).unitWidth(icu.UNumberUnitWidth.NARROW)
    return made.precision(icu.Precision.integer())


def split(text, digits):
    """What stands before the first digit, between the digits, and behind the last."""
    places = [index for index, letter in enumerate(text) if letter in digits]
    return text[: places[0]], text[places[0] : places[-1] + 1], text[places[-1] + 1 :]


def affixes(made, digits, sign="\0"):
    """Before and after positive numbers, negative numbers, and positive numbers that have a sign."""
    found = []
    for text in (made.formatDecimal(b"1"), made.formatDecimal(b"-1"), made.sign(ALWAYS).formatDecimal(b"1")):
        before, _, after = split(text, digits)
        found += [before.replace(sign, SYMBOL), after.replace(sign, SYMBOL)]
    return found


def grouping(made, digits):
    """The size of the last group, of the others, and the least digits before the first separator, and the separator."""
    _, text, _ = split(made.formatDecimal(b"1" * 12), digits)
    sizes = [len(list(group)) for group in _groups(text, digits)]
    separator = next((letter for letter in text if letter not in digits), "")
    if len(sizes) == 1:
        return "000", ""
    primary, secondary = sizes[-1], sizes[-2]
    least = next(count for count in range(1, 9)
                 if separator in split(made.formatDecimal(b"1" * (primary + count)), digits)[1])
    return f"{primary}{secondary}{least}", separator


def _groups(text, digits):
    group = ""
    for letter in text:
        if letter in digits:
            group += letter
        else:
            yield group
            group = ""
    yield group


def decimal(made, digits):
    _, text, _ = split(made.precision(icu.Precision.fixedFraction(1)).formatDecimal(b"1"), digits)
    return text[1:-1]


def numbers(locale):
    """The strings of a locale's numbers, in the order of the tables; see `cf_number_slot`."""
    zero = formatter(locale).formatDecimal(b"0")
    digits = [chr(ord(zero) + value) for value in range(10)]
    assert formatter(locale).grouping(icu.UNumberGroupingStrategy.OFF).formatDecimal(b"1234567890") == "".join(
        digits[1:] + digits[:1]), locale
    code, sign = next((code, sign) for code in SAMPLES for sign in (
        resources.currency_symbol(locale, code, resources.NARROW_SYMBOL),) if len(sign) == 1 and not APART.contains(sign))
    plain, percent, money = formatter(locale), formatter(locale, "percent"), formatter(locale, "money", code)
    sizes, group = grouping(plain, digits)
    percent_sizes, percent_group = grouping(percent, digits)
    money_sizes, money_group = grouping(money, digits)
    assert percent_group == group, locale
    generic = affixes(money, digits, sign)
    assert all(SYMBOL in generic[index] + generic[index + 1] for index in (0, 2, 4)), locale
    return [
        zero, decimal(plain, digits), group, *affixes(plain, digits), sizes, *affixes(percent, digits), percent_sizes,
        decimal(money, digits), money_group, *generic, money_sizes,
    ]


def symbol(text):
    """A currency's symbol behind a digit: 1 if it keeps its distance from digits before it, 2 from digits behind it."""
    return str((1 if APART.contains(text[0]) else 0) + (2 if APART.contains(text[-1]) else 0)) + text


def symbols(locale):
    """The symbols of all currencies, standard and narrow."""
    return {
        code: (resources.currency_symbol(locale, code, resources.SYMBOL),
               resources.currency_symbol(locale, code, resources.NARROW_SYMBOL))
        for code in resources.currencies()
    }


def own_patterns(locale, parents):
    """The currencies that a locale writes by a pattern of their own: code to pattern, decimal point, separator."""
    found = {}
    for name in [*reversed(parents), locale]:
        bundle = resources.bundle(name, "curr") or {}
        found.update({
            code: entry[2] for code, entry in bundle.get("Currencies", {}).items() if len(entry) > 2})
    return found


def own_pattern(code, entry, standard):
    """The strings of a currency with a pattern of its own; see `cf_own_slot`. `standard` are the locale's numbers."""
    pattern, decimal_point, separator = entry
    number = "#,##0.00"
    assert pattern.count(number) == 1 and set(pattern) <= set(number + "¤\xa0"), pattern
    before, after = (part.replace("¤", SYMBOL) for part in pattern.split(number))
    minus, plus = standard[5], standard[7]
    return [code, decimal_point, separator, before, after, minus + before, after, plus + before, after, "33" + standard[9][2]]
