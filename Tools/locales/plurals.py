"""Plural rules, as CLDR has them in ICU's tables, in a form that is quick to read.

    n % 10 = 1 and n % 100 != 11..19 or v = 2    becomes    n%10=1&n%100!11-19|v=2
"""

import re

import resources

CATEGORIES = ("zero", "one", "two", "few", "many")
RELATION = re.compile(r"^([nivwftce])(?: ?% ?(\d+))? (=|!=) (\d+(?:\.\.\d+)?(?:,\d+(?:\.\.\d+)?)*)$")
RULES = resources.bundle("plurals")


def compiled(rule):
    condition = rule.partition("@")[0].strip()
    if not condition:
        return ""
    choices = []
    for choice in condition.split(" or "):
        relations = []
        for relation in choice.split(" and "):
            operand, modulus, sign, ranges = RELATION.match(relation.strip()).groups()
            relations.append(
                operand + (f"%{modulus}" if modulus else "") + sign.replace("!=", "!") + ranges.replace("..", "-"))
        choices.append("&".join(relations))
    return "|".join(choices)


def rules(locale, parents, table):
    """The rules of a locale, one for each category but `other`; empty where it has none."""
    for name in (locale, *parents):
        if name in RULES[table]:
            found = RULES["rules"].get(RULES[table][name], {}) if RULES[table][name] else {}
            return [compiled(found.get(category, "")) for category in CATEGORIES]
    return [""] * len(CATEGORIES)
