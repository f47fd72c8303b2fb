#!/usr/bin/env python3
"""Compares the choice among offered languages, and likely subtags, with ICU 77.1.

  Tests/Properties/run.sh .build-python-formats Tests/Formats/matching.py [--values 3000000] [--seed 1]

Also the names of tags, the nearest locale of each, and packs of a few locales. Some seconds.
"""

import argparse
import ctypes
import random
import sys

import icu

import engine
import oracle

LANGUAGES = (
    "en", "de", "fr", "es", "pt", "zh", "sr", "ar", "nb", "no", "nn", "da", "sv", "gsw", "lb", "ca", "gl", "eu", "uk", "ru", "kk",
    "ja", "ko", "yue", "hr", "bs", "sl", "hi", "ur", "fa", "he", "iw", "id", "in", "ms", "tl", "fil", "el", "it", "rm", "cy", "br",
    "und", "xx", "tlh", "az", "uz", "pa", "mn", "ta",
)
SCRIPTS = ("",) * 6 + ("Latn", "Cyrl", "Arab", "Hans", "Hant", "Deva", "Hebr", "Grek")
REGIONS = ("",) * 3 + (
    "US", "GB", "AU", "IN", "DE", "AT", "CH", "FR", "CA", "MX", "AR", "ES", "BR", "PT", "AO", "CN", "TW", "HK", "MO", "SG", "RS",
    "BA", "ME", "EG", "SA", "MA", "419", "001", "150", "NO", "DK", "KZ", "RU", "IL", "JP", "KR", "ZZ",
)
MALFORMED = (
    "", "-", "de-", "-de", "de--AT", "d", "deutschland", "de_AT", "de-AT-", "de AT", "de-u", "de-u-", "de-a-b", "de-x", "x", "i-de",
    "de-u-nu-latn-u-co-phonebk", "dé", "de-AT-u-nu-latnlatnx", "123", "de-\0", "e",
)
CANONICAL = {
    "DE-at": "de-AT", "zh-hant-tw": "zh-Hant-TW", "iw": "he", "in-ID": "id-ID", "en-US-u-va-posix": "en-US", "x-mine": "und",
    "de-AT-u-nu-latn": "de-AT", "ca-es-VALENCIA": "ca-ES-valencia", "de-a-foo-u-nu-latn-x-y": "de", "zh-yue-HK": "zh-HK",
    "es-419": "es-419", "de-1996": "de-1996", "DE-LATN-DE": "de-Latn-DE",
}
LATIN = ("ar-u-nu-latn", "ar-EG-u-ca-islamic-nu-latn", "ar-u-attr-nu-latn-co-standard", "AR-U-NU-LATN")
NOT_LATIN = ("ar", "ar-u-nu-arab", "ar-t-nu-latn", "ar-x-u-nu-latn", "ar-u-co-latn", "ar-u-nu-arab-latn")
NEAREST = {
    "de-US": "de", "en-JP": "en", "zh-TW": "zh-Hant-TW", "zh-HK": "zh-Hant-HK", "sr-RS": "sr-Cyrl-RS", "sr-Latn": "sr-Latn",
    "zh-AU": "zh-Hant", "zh-Hans": "zh-Hans", "pa-PK": "pa-Arab-PK", "xx": "und", "tlh-US": "und", "en-Cyrl": "und", "es-XX": "es",
    "de-Latn-AT": "de-AT", "nb": "nb", "und": "und", "de-AT-1996": "de-AT",
}
# CLDR's own: Norwegian is written in two ways, and Hindi in Latin letters looks to English.
OTHER_PARENTS = {("nb", "no"), ("nn", "no"), ("ht", "fr-HT"), ("hi-Latn", "en-IN")}
problems = []


def expect(condition, *words):
    if not condition:
        problems.append(" ".join(map(str, words)))


def random_tag(source):
    return "-".join(filter(None, (source.choice(LANGUAGES), source.choice(SCRIPTS), source.choice(REGIONS))))


def check_tags(ours):
    for text in MALFORMED:
        expect(ours.tag(text) is None, repr(text), "is taken")
    for text, expected in CANONICAL.items():
        tag = ours.tag(text)
        expect(tag and tag.text.decode() == expected, text, tag and tag.text, expected)
    for text in (*LATIN, *NOT_LATIN):
        tag = ours.tag(text)
        expect(tag and tag.wants_latin_digits == (text in LATIN), text, "digits")
    for text, expected in NEAREST.items():
        tag = ours.tag(text)
        found = ours.tag_of(ours.pack_nearest(ours.pack, ctypes.byref(tag)))
        expect(found == expected, text, "is nearest to", found, "not", expected)


def check_parents(ours, locales):
    """Each locale's parent is one of its own language and script, or the root."""
    for locale in locales:
        parent = ours.tag_of(ours.pack_parent(ours.pack, ours.locale(locale)))
        expect(parent == "und" or parent.split("-")[0] == locale.split("-")[0] or (locale, parent) in
               OTHER_PARENTS, locale, "has the parent", parent)
    for locale, parent in {"de-AT": "de", "es-MX": "es-419", "es-419": "es", "en-AU": "en-001", "zh-Hant": "und", "pt-AO": "pt-PT",
                           "zh-Hant-MO": "zh-Hant-HK", "sr-Latn": "und", "en-GB": "en-001"}.items():
        found = ours.tag_of(ours.pack_parent(ours.pack, ours.locale(locale)))
        expect(found == parent, locale, found, parent)


def check_matches(ours, locales, source, count):
    """Random offers and wishes. Offers have a default, the first, as ICU's matcher takes it."""
    different = 0
    for _ in range(count // 20):
        offered = source.sample(locales, source.choice((1, 2, 3, 6, 12)))
        if source.random() < 0.7:
            near = [locale for locale in locales if locale.split("-")[0] in ("en", "es", "pt", "zh", "sr", "no", "nb", "de", "ar")]
            offered = source.sample(near, len(offered))
        builder = icu.LocaleMatcher.Builder()
        builder.setSupportedLocales([oracle.place(locale) for locale in offered])
        matcher = builder.build()
        indexes = (ctypes.c_uint32 * len(offered))(*map(ours.locale, offered))
        offers = (engine.Offer * len(offered))()
        ours.pack_offer(ours.pack, indexes, len(offered), offers)
        for _ in range(20):
            wanted = [random_tag(source) for _ in range(source.choice((1, 1, 2, 3)))]
            tags = (engine.Tag * len(wanted))(*map(ours.tag, wanted))
            turn = ctypes.c_size_t(0)
            found = ours.match(offers, len(offered), 0, tags, len(wanted), ctypes.byref(turn))
            expected = matcher.getBestMatchResult([icu.Locale.forLanguageTag(tag) for tag in wanted])
            theirs = (expected.getSupportedIndex(), expected.getDesiredIndex())
            mine = (found, turn.value) if found >= 0 else (-1, -1)
            if mine != theirs:
                different += 1
                expect(different > 10, "of", offered, "for", wanted, "chosen", mine, "not", theirs)
    print(f"matching: {count // 20 * 20:,} choices, {different} differ")


def check_packs(ours, source, locales):
    """A pack of some locales opens, and prints the same as the pack of all."""
    for _ in range(30):
        chosen = source.sample(locales, source.choice((1, 3, 20)))
        numbers = (ctypes.c_uint32 * len(chosen))(*map(ours.locale, chosen))
        size = ours.pack_bake(ours.pack, numbers, len(chosen), None, 0)
        target = ctypes.create_string_buffer(size)
        expect(ours.pack_bake(ours.pack, numbers, len(chosen), target, size) == size, chosen, "baked otherwise")
        baked = engine.Pack.open(ours, target)
        expect(baked is not None, chosen, "baked but not opened")
        for locale in chosen:
            for kind, options, value in (
                    (engine.NUMBER, {}, "-1234567.50"), (engine.CURRENCY, {"currency": "USD"}, "-1.5"),
                    (engine.CURRENCY, {"currency": "JPY"}, "1.5"), (engine.DATE, {"length": engine.FULL}, "2025-10-09"),
                    (engine.RELATIVE, {"length": engine.SHORT}, "2025-10-09T00:00:00Z")):
                clock = ours.clock(None, "UTC", 1_700_000_000)
                whole = ours.formatter(locale, kind, **options).print(value, clock)
                part = ours.formatter(baked.locale(locale), kind, pack=baked.memory, **options).print(value, clock)
                expect(whole == part is not None, locale, kind, whole, part)
    sizes = [ours.pack_bake(ours.pack, (ctypes.c_uint32 * 1)(ours.locale(locale)), 1, None, 0) for locale in locales]
    root = ours.pack_bake(ours.pack, (ctypes.c_uint32 * 1)(0), 1, None, 0)
    print(f"packs: the root {root:,} bytes; with one locale {min(sizes):,} to {max(sizes):,}, median {sorted(sizes)[len(sizes) // 2]:,}")


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--values", type=int, default=60_000)
    arguments.add_argument("--seed", type=int, default=1)
    options = arguments.parse_args()
    ours, locales, source = engine.Engine(), oracle.locales(), random.Random(options.seed)
    check_tags(ours)
    check_parents(ours, locales)
    check_packs(ours, source, locales)
    check_matches(ours, locales, source, options.values)
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


main()
