"""Where the program differs from ICU 77.1 on purpose: by format, locale and reason."""

import decimal

# CLDR asks for no separator in a number of four digits here. ICU's relative dates have one all the same, of 1,000 years and
# more; its numbers have none.
RELATIVE_IGNORES_LEAST_DIGITS = "ICU's relative dates ignore the least digits before the first separator"
# CLDR's `yMMM` is `LLL Y` in Scottish Gaelic, with the year of weeks, which is another around New Year.
WEEK_YEAR = "the pattern has the year of weeks for the year"
# ICU chooses plural categories by doubles; here no digit is lost.
PLURAL_OF_MANY_DIGITS = "ICU's plural rules lose digits of numbers with more than 15"
DOUBLE_DIGITS = 15


def reason(format_name, locale, ours, theirs, detail):
    """Why a difference is known; null if it is not."""
    language = locale.partition("-")[0]
    if format_name == "date" and language == "gd" and detail["length"] == "yMMM":
        return WEEK_YEAR
    if format_name == "relative" and detail["count"] >= 1000 and len(str(detail["count"])) == 4:
        if "".join(filter(str.isalnum, ours)) == "".join(filter(str.isalnum, theirs)):
            return RELATIVE_IGNORES_LEAST_DIGITS
    if format_name == "plural":
        number = decimal.Decimal(detail["value"])
        if len(number.as_tuple().digits) > DOUBLE_DIGITS or number.adjusted() >= DOUBLE_DIGITS:
            return PLURAL_OF_MANY_DIGITS
    return None
