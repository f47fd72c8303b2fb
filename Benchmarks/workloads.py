#!/usr/bin/env python3
"""The request bodies of the benchmarks: the same bytes in every run, on every machine.

  python3 Benchmarks/workloads.py --output DIR    writes DIR/NAME.json, for callgrind or curl
"""

import argparse
import collections
import json
import pathlib

# The cells of the benchmarks. They are not the samples, which change, and the peers have the same ones.
TEMPLATES = pathlib.Path(__file__).resolve().parent / "templates"
Workload = collections.namedtuple("Workload", "name kind rows body")  # rows: how many; body: bytes


class Numbers:
    """A linear congruential generator: Python's own may return other numbers in another version."""

    def __init__(self, seed):
        self.state = seed

    def below(self, bound):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % bound

    def of(self, choices):
        return choices[self.below(len(choices))]


def amount(cents):
    """A number with two decimals in the body, 19.90 and not 19.9: see `encoded`."""
    return f"\x7f{cents // 100}.{cents % 100:02}\x7f"


def workloads():
    made = [
        ("tiny", "notification", tiny()),
        ("news", "news", news(10)),
        ("products", "product", products(100)),
        ("table", "table-row", table(1000)),
        ("comments", "comment", comments(50)),
        # The rows of the table again, with formats in three columns, and with a plural.
        ("formats", "formatted-row", table(1000)),
        ("plurals", "plural-row", table(1000)),
    ]
    return [Workload(name, kind, len(rows), encoded(rows)) for name, kind, rows in made]


def encoded(rows):
    text = json.dumps(rows, ensure_ascii=False, separators=(",", ":"))
    return text.replace('"\x7f', "").replace('\x7f"', "").encode()


def tiny():
    return [{
        "text": "Your export is ready.",
        "level": "success",
        "unread": True,
        "url": "/exports/77",
        "sent": {"iso": "2025-11-21T10:41:00Z", "label": "just now"},
    }]


WORDS = """the harbour opens early and nobody asks why because bread roses winter letters of a slow
election were counted twice in towns where trains stop on request while rivers rise below old
bridges that engineers trust more than maps""".split()
AUTHORS = ["Ada Brenner", "Tomás Ruiz", "Siobhán O'Neill", "Jonas Lind", "Mei Chen", "Amara Diallo"]
TAGS = ["history", "work & pay", "cities", "rivers", "culture", "science", "food"]


def sentence(numbers, count):
    words = [numbers.of(WORDS) for _ in range(count)]
    return " ".join(words).capitalize()


def news(count):
    numbers = Numbers(1)
    rows = []
    for index in range(count):
        author = numbers.below(len(AUTHORS))
        row = {
            "title": sentence(numbers, 7),
            "url": f"https://news.example.org/2025/{index + 4100}?title={numbers.of(WORDS)}&pos={index}",
            "summary": sentence(numbers, 24) + ".",
            "author": {"name": AUTHORS[author], "url": f"https://news.example.org/authors/{author}"},
            "published": {"iso": f"2025-11-{index + 10}T08:30:00Z", "label": f"{index + 10} November 2025"},
            "tags": [numbers.of(TAGS) for _ in range(2 + index % 3)],
        }
        if index % 5 != 4:
            row["image"] = {
                "src": f"https://images.example.org/{index + 4100}.jpg",
                "alt": sentence(numbers, 5),
            }
        if index % 4 == 3:
            del row["author"]["url"]
        rows.append(row)
    return rows


# Each: words, currency, rating, stock labels.
SHOPS = [
    ("чайник медный самовар чашка стеклянная поднос скатерть льняная ложка серебряная ваза".split(),
     "₽", "из 5", "В наличии", "Осталось мало"),
    ("βραστήρας χάλκινος φλιτζάνι γυάλινο δίσκος τραπεζομάντηλο λινό κουτάλι ασημένιο βάζο".split(),
     "EUR", "από 5", "Σε απόθεμα", "Λίγα τεμάχια"),
    ("南部鉄器 急須 湯呑み 漆器 木製トレイ 麻のクロス 銀の匙 花瓶 手作り 限定".split(),
     "円", "／5", "在庫あり", "残りわずか"),
    ("إبريق نحاسي فنجان زجاجي صينية مفرش كتان ملعقة فضية مزهرية".split(),
     "د.إ", "من 5", "متوفر", "كمية محدودة"),
]


def products(count):
    numbers = Numbers(2)
    rows = []
    for index in range(count):
        words, currency, of_five, in_stock, few_left = SHOPS[index % len(SHOPS)]
        name = " ".join(numbers.of(words) for _ in range(4))
        price = 500 + numbers.below(20000)
        row = {
            "name": name,
            "url": f"https://shop.example.com/p/{index + 10000}?ref=list&pos={index}",
            "image": {
                "src": f"https://cdn.example.com/p/{index + 10000}.jpg",
                "alt": f"{name}, " + " ".join(numbers.of(words) for _ in range(3)),
            },
            "price": amount(price),
            "currency": currency,
            "rating": {"value": (30 + numbers.below(20)) / 10, "count": numbers.below(900)},
            "stock": {"level": "in", "label": in_stock},
        }
        row["rating"]["label"] = f"{row['rating']['value']} {of_five}"
        if index % 3 == 0:
            row["oldPrice"] = amount(price * 5 // 4)
            row["badge"] = "-20 %"
        if index % 7 == 6:
            row["stock"] = {"level": "low", "label": few_left}
        rows.append(row)
    return rows


CUSTOMERS = [
    "Brenner & Söhne", "Lindqvist AB", "Acme Tools Ltd", "Ruiz y Hijos", "O'Neill's Corner", "Nordlys AS",
]
ITEMS = ["Oak shelf", "Steel kettle", "Linen cloth", "Desk lamp", "Brass hook", "Wool blanket", "Tea tray"]


def table(count):
    numbers = Numbers(3)
    return [{
        "id": 100001 + index,
        "date": f"2025-{numbers.below(12) + 1:02}-{numbers.below(28) + 1:02}",
        "customer": numbers.of(CUSTOMERS),
        "country": numbers.of(["DE", "SE", "GB", "ES", "IE", "NO", "JP"]),
        "item": numbers.of(ITEMS),
        "quantity": numbers.below(50) + 1,
        "amount": amount(100 + numbers.below(100000)),
        "status": numbers.of(["open", "paid", "shipped", "returned"]),
    } for index in range(count)]


def comments(count):
    numbers = Numbers(4)
    rows = []
    for index in range(count):
        author = numbers.below(len(AUTHORS))
        rows.append({"comment": {
            "id": 4100 + index,
            "author": {"name": AUTHORS[author], "url": f"https://example.org/people/{author}"},
            "published": {"iso": f"2025-11-21T09:{index:02}:00Z", "label": f"{index} minutes ago"},
            "text": code_talk(numbers, 1000),
        }})
    return rows


def code_talk(numbers, length):
    """Returns text with 8 characters to escape in every 100, at random places."""
    text = list(" ".join(numbers.of(WORDS) for _ in range(length // 2))[:length])
    for start in range(0, length, 100):
        places = set()
        while len(places) < min(8, length - start):
            places.add(start + numbers.below(min(100, length - start)))
        for place in sorted(places):
            text[place] = numbers.of("&<>\"'")
    return "".join(text)


def main():
    parser = argparse.ArgumentParser(description="Writes the benchmarks' request bodies, each as NAME.json.")
    parser.add_argument("--output", type=pathlib.Path, required=True, metavar="DIR")
    folder = parser.parse_args().output
    folder.mkdir(parents=True, exist_ok=True)
    for workload in workloads():
        (folder / f"{workload.name}.json").write_bytes(workload.body)
        print(f"{workload.name}: {workload.rows} x {workload.kind}, {len(workload.body):,} bytes")


if __name__ == "__main__":
    main()
