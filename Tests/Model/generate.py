"""Random cells and rows. Every cell is one that the contract accepts."""

import random

from language import Condition, Element, Entry, Format, Hole, Literal, Partial, Section, Text, TextCell, joined
from values import Number

NAMES = "abcd"
DEPTH = 4
PHRASES = ["b", "i", "span", "em", "u"]
PIECES = ["x", "word", " ", "  ", "\n", " y ", "\n  ", "\t", "1", "&amp;", "ü", ", ", " z"]
STRINGS = ["", "t", "a < b", "Tom & Jerry", "\"q\" 'r'", "</textarea>", "ü€😀", "\r\n", "\0", " s ", "true", "5", "null",
           "5.0", "-3", "1e1", "low", "on sale", "it's", "false", "k0", "k1", "\u2028", "%41%zz", "\\", "{{a}}", "<!--"]
URLS = ["/a", "https://example.org/a b?c=d&e#f", "javascript:alert(1)", " java\nscript:f", "JAVASCRIPT:x", "mailto:a@b.c",
        "//evil.example/x", "\\\\evil", "/\\evil", "data:text/html,x", "http:x", "HTTPS://a/", "tel:1", "ftp://a", "a:b",
        "a/b:c", "?q=a:b", "#x:y", "1:2", "\x01javascript:f", "vbscript\t:x", "é/ü", "a'b(c)", "%2e%zz%", "[x]|^`{}", ":x",
        "java&#115;cript:f", "&colon;", "h\tttp://x", "\u00a0javascript:x", "/a\u2028b", "../x", "about:blank"]
NUMBERS = ["0", "-0", "0.00", "0e5", "1", "1.0", "10e-1", "5", "4.99", "-3", "-3.0", "1e400", "1.50", "100000000000000000001",
           "1E+2", "100", "0.1", "1e-1", "12", "-0.0e-3", "1e-400"]
WORDS = ["t", "5", "5.0", "1", "low", "true", "false", "null", "-3", "0", "1e1", "10", "0.1", "1e400", "100"]
LIMITS = ["0", "5", "4.99", "-3", "1e400", "1.0", "0.1", "10", "100", "1e-400", "100000000000000000000"]
DATES = ["2025-10-09", "2025-10-08", "2025-10-09T12:00:00Z", "2025-10-09T22:30:00Z", "2025-10-09T23:30:15.250+02:00", "2025-09-30",
         "2025-10-01 09:30", "2024-02-29T09:00", "2025-02-30", "2026-01-31T08:00:00-0500", "1999-12-31T23:59:60Z", "2025-10-09T12:00",
         "2025-03-30T12:00:00+02[Europe/Berlin]", "2025-10-09T11:59:30Z", "1125-01-01", "2899-12-30", "2025-11-30", "2025-1-1"]
NUMBERS_IN_WORDS = ["19.90", "1,234.50", "n/a", "-0", "1234567.5", "0.125", "+1", "1759968000", "1e3", " 1"]
CODES = ["EUR", "USD", "JPY", "KWD", "INR", "XQX", "eur"]
TEXTS = ["Bread and roses", "e\u0301clair e\u0301clat", "👨‍👩‍👧 family 🇩🇪🇫🇷", "a  b", "   ", "Inés", "oro", "hielo", "אבא", "x y z w v u"]
FORMATS = ["number", "number digits=2", "number digits=0-3 sign=always", "integer", "percent", "percent digits=1", "currency EUR",
           "currency USD symbol=narrow", "currency JPY symbol=code digits=2", "currency NAME", "date", "date long", "date full",
           "date short", "date month-day", "date year-month", "date weekday", "date month-day-weekday", "date year", "date epoch=s",
           "time", "time medium", "time epoch=ms", "datetime", "datetime short", "datetime full", "relative", "relative short", "list", "list or",
           "truncate 1", "truncate 4", "truncate 9"]
READABLE = {"title", "alt", "aria-label", "data-x", "data-y"}
# Elements whose content is a text that an outlet may fill.
STAYING = {"td", "th", "dd", "textarea"}
TEXTUAL = {"div", "p", "h2", "pre", "li", "dt", "dd", "td", "th", "a", "time", "data", "b", "i", "span", "em", "u"}
CASES = ["zero", "one", "two", "few", "many", "one two", "few many", "=0", "=1", "=5"]
MODES = ["drop", "keep", "blank", "error"]


class Generator:
    """`features` are words: mustache, urls, conditions, bindings, includes, formats."""

    def __init__(self, seed, features):
        self.random = random.Random(seed)
        self.features = features
        self.kinds = []
        self.is_in_link = False

    def chance(self, share):
        return self.random.random() < share

    def has(self, feature, share):
        return feature in self.features and self.chance(share)

    # Cells

    def cell(self):
        self.budget = self.random.choice([3, 6, 12, 25])
        # A tag that is alone on its line takes the line: a cell has either tags of Mustache or line ends.
        self.is_mustache = self.has("mustache", 0.5)
        if self.has("formats", 0.1):
            return self.text_cell()
        if self.chance(0.3):
            root = Element("template", content=self.stripped(self.blocks(DEPTH, 0)))
            root.missing = self.random.choice(MODES) if self.chance(0.1) else None
            return root
        if self.chance(0.3):
            return self.phrase_cell()
        root = self.random.choice([self.block, self.block, self.list, self.table])(DEPTH, 0)
        root.is_design = False
        return root

    def text_cell(self):
        """A cell of plain text."""
        def part():
            if self.chance(0.3):
                return Text(self.random.choice(["x", "a < b ", "& ", "y, "]))
            hole = self.hole(0)
            hole.is_raw = self.chance(0.5)
            return hole
        content = self.many(part, 5)
        if self.chance(0.4):
            content.append(self.section(1, lambda: [part()]))
        return TextCell("", content=[Text("-"), *content, Text("-")])

    def format(self, may_be_list=True):
        """A format, or none."""
        if not self.has("formats", 0.6):
            return None
        kind, _, options = self.random.choice(FORMATS).partition(" ")
        if kind == "list" and not may_be_list:
            return None
        return Format(kind, options.replace("NAME", self.path(0, may_loop=False)))

    def hole(self, loops):
        return Hole(self.path(loops), self.format())

    def section(self, loops, content):
        if self.has("formats", 0.3):
            words = self.random.choice([*CASES, "other", "other =0"]) + self.random.choice(["", "", " ordinal"])
            return Section(self.path(loops), self.chance(0.3), content(), words)
        return Section(self.path(loops), self.chance(0.3), content())

    def plural(self, depth, loops):
        """An element with a plural."""
        cases = [*self.random.sample(CASES, self.random.randint(0, 3)), "other"]
        def case(words):
            made = Element(self.random.choice(PHRASES), content=self.phrases(depth - 1, loops), case=words)
            made.outlet = self.path(loops) if self.chance(0.3) else None
            return made
        element = Element(self.random.choice(PHRASES), content=[case(words) for words in cases])
        element.plural = self.path(loops, may_loop=False) + self.random.choice(["", "", " ordinal"])
        if self.chance(0.2):
            element.missing = self.random.choice(MODES)
        return element

    def phrase_cell(self):
        """A cell of phrases, without links, that may be called anywhere in text."""
        self.is_in_link = True
        root = Element("span", content=self.phrases(DEPTH - 1, 0))
        self.is_in_link = False
        root.outlet = self.path(0) if self.chance(0.2) else None
        root.missing = self.random.choice(MODES) if self.chance(0.1) else None
        if self.has("conditions", 0.2):
            root.when = self.conditions(0, root)
        return root

    def stripped(self, content):
        if content and isinstance(content[0], Text):
            content[0].text = content[0].text.lstrip(" \t\n\r")
        if content and isinstance(content[-1], Text):
            content[-1].text = content[-1].text.rstrip(" \t\n\r")
        content = [node for node in content if not isinstance(node, Text) or node.text] or [Text("x")]
        return content

    def text(self):
        pieces = "".join(self.random.choice(PIECES) for _ in range(self.random.randint(1, 3)))
        return Text(pieces.replace("\n", " ") if self.is_mustache else pieces)

    def many(self, make, most=4):
        return joined(make() for _ in range(self.random.randint(1, most)))

    def spaced(self, make):
        """Elements with white space alone between them, as tables have it."""
        nodes = []
        for _ in range(self.random.randint(1, 3)):
            if self.chance(0.5):
                nodes.append(Text(" " if self.is_mustache or self.chance(0.5) else "\n  "))
            nodes.append(make())
        if self.chance(0.3):
            nodes.append(Text(" "))
        return nodes

    def blocks(self, depth, loops):
        return self.many(lambda: self.random.choice([self.block, self.block, self.list, self.table, self.phrase])(depth - 1, loops))

    def block(self, depth, loops):
        return self.dressed(self.random.choice(["div", "p", "p", "h2", "pre"]), lambda inner: self.phrases(depth - 1, inner), loops)

    def list(self, depth, loops):
        tags = self.random.choice([("ul", ["li"]), ("ol", ["li"]), ("dl", ["dt", "dd"])])
        item = lambda inner: self.dressed(self.random.choice(tags[1]), lambda last: self.phrases(depth - 1, last), inner)  # noqa: E731
        return self.dressed(tags[0], lambda inner: self.spaced(lambda: item(inner)), loops, 0.2)

    def table(self, depth, loops):
        cell = lambda inner: self.dressed(self.random.choice(["td", "th"]), lambda last: self.phrases(depth - 1, last), inner)  # noqa: E731
        row = lambda inner: self.dressed("tr", lambda last: self.spaced(lambda: cell(last)), inner, 0.4)  # noqa: E731
        body = lambda inner: self.dressed("tbody", lambda last: self.spaced(lambda: row(last)), inner, 0.2)  # noqa: E731
        return self.dressed("table", lambda inner: self.spaced(lambda: body(inner)), loops, 0.2)

    def phrases(self, depth, loops):
        return self.many(lambda: self.phrase(depth, loops))

    def phrase(self, depth, loops):
        self.budget -= 1
        if depth <= 0 or self.budget <= 0 or self.chance(0.35):
            return self.text()
        if self.is_mustache and self.chance(0.5):
            return self.mustache(depth, loops)
        choice = self.random.random()
        if choice < 0.12:
            return self.control(loops)
        if choice < 0.2:
            return self.dressed("img", None, loops)
        if choice < 0.28:
            return self.select(loops)
        if self.has("formats", 0.08):
            return self.plural(depth, loops)
        if self.kinds and self.has("includes", 0.12):
            return self.include(loops)
        if choice < 0.36 and not self.is_in_link:
            self.is_in_link = True
            link = self.dressed("a", lambda inner: self.phrases(depth - 1, inner), loops)
            self.is_in_link = False
            return link
        tags = [*PHRASES, "time", "data"] if "formats" in self.features else PHRASES
        return self.dressed(self.random.choice(tags), lambda inner: self.phrases(depth - 1, inner), loops)

    def mustache(self, depth, loops):
        choice = self.random.random()
        if choice < 0.5:
            return self.hole(loops)
        if choice < 0.6 and self.kinds:
            return Partial(self.random.choice(self.kinds)) if self.chance(0.7) else Partial(self.path(loops), True)
        return self.section(loops, lambda: self.phrases(depth - 1, loops))

    def control(self, loops):
        kind = self.random.choice(["text", "checkbox", "radio", "hidden", None, "textarea"])
        if kind == "textarea":
            return self.dressed("textarea", lambda _: [Text(self.random.choice(["drawn", " x "]))], loops)
        control = self.dressed("input", None, loops)
        control.attributes = {**({"type": [kind]} if kind else {}), **control.attributes}
        bound = {entry.target for entry in control.bindings}
        if kind in ("checkbox", "radio") and self.chance(0.5) and "checked" not in bound:
            control.attributes["checked"] = None
        elif self.chance(0.6) and "value" not in control.attributes:
            control.attributes["value"] = ["drawn"]
        return control

    def select(self, loops):
        def option():
            made = self.dressed("option", lambda _: [Text("drawn")], loops)
            if self.chance(0.3) and "selected" not in {entry.target for entry in made.bindings}:
                made.attributes["selected"] = None
            return made
        return Element("select", content=self.spaced(option))

    def include(self, loops):
        element = Element(self.random.choice(PHRASES), content=[Text("drawn")])
        element.include = Partial(self.random.choice(self.kinds)) if self.chance(0.8) else Partial(self.path(loops, may_loop=False), True)
        element.outlet = self.path(loops, may_loop=False) if self.chance(0.7) else None
        if self.has("conditions", 0.2):
            element.when = self.conditions(loops, element)
        element.missing = self.random.choice(MODES) if self.chance(0.1) else None
        return element

    def dressed(self, tag, content, loops, share=0.45):
        """An element with some of our attributes."""
        element = Element(tag)
        if tag not in ("option",) and self.chance(0.08):
            element.is_design = True
        if self.chance(share):
            element.outlet = self.path(loops)
            if tag in TEXTUAL:
                element.format = self.format(tag not in ("td", "th"))
        if self.chance(0.12):
            element.missing = self.random.choice(MODES)
        if tag in STAYING and self.chance(0.2):
            # It stays, and its value is null, wherever nothing is found.
            element.missing = "drop"
        if self.has("conditions", 0.2):
            element.when = self.conditions(loops, element)
        if tag == "img":
            element.attributes["src"] = ["drawn.png"]
            element.attributes["alt"] = [""]
        self.attribute(element, loops)
        if self.has("bindings", 0.3):
            self.bind(element, loops)
        if content:
            element.content = content(loops + 1)
        return element

    def attribute(self, element, loops):
        if self.chance(0.25):
            element.attributes["class"] = [self.random.choice(["c", "low c", "c d e"])]
        if self.chance(0.15):
            element.attributes["title"] = [self.random.choice(["drawn", "", "a & b"])]
        if self.chance(0.1):
            element.attributes["style"] = [self.random.choice(["width: 1px", "color: red; width: 1px", "background: url(/drawn.png); top: 0"])]
        if element.tag == "a":
            element.attributes["href"] = ["/drawn"]
        if not self.is_mustache or not self.chance(0.4):
            return
        name = self.random.choice(["title", "id", "data-x", "hidden", "style"])
        if name == "hidden":
            element.attributes[name] = [Hole(self.path(loops))]
        elif name == "style":
            element.attributes[name] = ["top: 1px; background: ", *self.style_parts(loops)]
        else:
            element.attributes[name] = self.parts(loops, name)
        if element.tag == "a" and "urls" in self.features:
            element.attributes["href"] = self.url_parts(loops)

    def parts(self, loops, name):
        def hole():
            return self.hole(loops) if name in READABLE else Hole(self.path(loops))
        before = self.random.choice([[], ["is-"], ["a "]])
        behind = self.random.choice([[], [" b"], ["-", hole()]])
        return [*before, hole(), *behind]

    def url_parts(self, loops):
        hole = Hole(self.path(loops))
        return self.random.choice([[hole], [hole], ["/i/", hole], ["/", hole], ["/f?q=", hole], ["https://example.org/", hole],
                                   ["mailto:", hole], ["#", hole], [hole, "/x"], ["/i/", hole, "?a=", Hole(self.path(loops))]])

    def bind(self, element, loops):
        taken = {name for name, parts in element.attributes.items() if parts and any(isinstance(part, Hole) for part in parts)}
        for _ in range(self.random.randint(1, 3)):
            choice = self.random.random()
            name = self.random.choice(["title", "id", "aria-label", "data-y", "class", "lang"])
            if element.tag == "a" and self.chance(0.5):
                name = "href"
            if element.tag == "img" and self.chance(0.5):
                name = self.random.choice(["src", "alt"])
            if choice < 0.2:
                name = self.random.choice(["hidden", "inert"])
                entry = Entry(name, condition=self.bound_condition(element, loops))
            elif choice < 0.35:
                entry = Entry(f"class.{self.random.choice(['low', 'new', 'c'])}", condition=self.bound_condition(element, loops))
                if "class" in taken or entry.target in taken:
                    continue
                taken |= {entry.target, "class="}
                element.bindings.append(entry)
                continue
            elif choice < 0.45:
                name = "class"
                entry = Entry("class+", path=self.path(loops)) if self.chance(0.5) else Entry("class+", parts=self.words(loops))
                if "class" in taken or "class+" in taken:
                    continue
                taken |= {"class+", "class="}
                element.bindings.append(entry)
                continue
            elif choice < 0.55:
                entry = self.declaration(loops)
                if "style" in taken or entry.target in taken:
                    continue
                taken |= {entry.target, "style="}
                element.bindings.append(entry)
                continue
            elif choice < 0.7 and name not in ("src",):
                parts = self.url_parts(loops) if name == "href" else self.parts(loops, name)
                entry = Entry(name, parts=parts)
            else:
                entry = Entry(name, path=self.path(loops), format=self.format() if name in READABLE else None)
            if name in taken or name == "class" and "class=" in taken:
                continue
            taken.add(name)
            if name == "class":
                taken |= {"class+", "class.low", "class.new", "class.c"}
            element.bindings.append(entry)

    def words(self, loops):
        """A text of tokens."""
        parts = [self.random.choice([Hole(self.path(loops)), Hole(self.path(loops)), "is-", " ", "  ", "x y", "-"])
                 for _ in range(self.random.randint(1, 4))]
        merged = []
        for part in [*parts, Hole(self.path(loops))] if all(isinstance(part, str) for part in parts) else parts:
            if merged and isinstance(part, str) and isinstance(merged[-1], str):
                merged[-1] += part
            else:
                merged.append(part)
        return merged

    def style_parts(self, loops):
        hole = Hole(self.path(loops))
        return self.random.choice([[hole, "%"], ["calc(1px + ", hole, "px)"], ["url(", hole, ")"], ["url(/i/", hole, ".png) ", Hole(self.path(loops))],
                                   ["url(/", hole, ")"], ["url(#", hole, ")"], ["url(/s.png) ", hole], ["url( /f?q=", hole, " )"]])

    def declaration(self, loops):
        """An entry of one property of a style."""
        target = f"style.{self.random.choice(['width', 'color', 'background'])}"
        if self.chance(0.5):
            return Entry(target, path=self.path(loops))
        return Entry(target, parts=self.style_parts(loops))

    def conditions(self, loops, element):
        return [self.condition(loops, element.outlet is not None) for _ in range(self.random.choice([1, 1, 2]))]

    def bound_condition(self, element, loops):
        """A condition of an attribute: beside an outlet, `.` is its value, whatever other names find."""
        if not element.outlet or not self.chance(0.4):
            return self.condition(loops)
        form, text = self.random.choice([("word", "null"), ("path", "."), ("path", self.random.choice(NAMES))])
        return Condition(".", self.random.choice(["=", "!="]), [Literal(form, text)])

    def condition(self, loops, is_beside_outlet=False):
        path = self.path(loops, not is_beside_outlet)
        operator = self.random.choice(["", "", "!", "=", "=", "!=", "<", "<=", ">", ">="])
        if operator in ("", "!"):
            return Condition(path, operator, [])
        if operator in ("=", "!="):
            return Condition(path, operator, [self.literal(loops) for _ in range(self.random.choice([1, 1, 2, 3]))])
        limit = Literal("path", self.path(loops, False)) if self.chance(0.3) else Literal("word", self.random.choice(LIMITS))
        return Condition(path, operator, [limit])

    def literal(self, loops):
        choice = self.random.random()
        if choice < 0.6:
            return Literal("word", self.random.choice(WORDS))
        if choice < 0.8:
            return Literal("quotes", self.random.choice(["t", "5", "on sale", "it's", "", "true", "null"]))
        return Literal("path", self.path(loops, False))

    def path(self, loops, may_loop=True):
        choice = self.random.random()
        if choice < 0.55:
            return self.random.choice(NAMES)
        if choice < 0.68:
            return f"{self.random.choice(NAMES)}.{self.random.choice(NAMES)}"
        if choice < 0.74:
            return f"{self.random.choice(NAMES)}.{self.random.randint(0, 2)}"
        if choice < 0.8 and "owner" in self.features:
            return f"owner.{self.random.choice('ae')}"
        if "paths" in self.features and choice < 0.84:
            return f"@row.{self.random.choice(NAMES)}"
        if "paths" in self.features and choice < 0.9 and may_loop:
            return self.random.choice(["@index", "@number", "@first", "@last", "@odd", "@even"])
        return "." if loops > 0 else self.random.choice(NAMES)

    # Rows

    def value(self, depth):
        choice = self.random.random()
        if depth <= 0 or choice < 0.45:
            return self.scalar()
        if choice < 0.75:
            return self.object(depth - 1)
        return [self.value(depth - 1) if self.chance(0.5) else self.scalar() for _ in range(self.random.choice([0, 1, 2, 3]))]

    def scalar(self):
        choice = self.random.random()
        if self.has("formats", 0.5):
            return self.random.choice(self.random.choice([DATES, NUMBERS_IN_WORDS, CODES, TEXTS]))
        if choice < 0.25:
            return self.random.choice([None, False, True])
        if choice < 0.5:
            return Number(self.random.choice(NUMBERS))
        return self.random.choice(URLS if "urls" in self.features and self.chance(0.4) else STRINGS)

    def object(self, depth):
        names = [*NAMES, "text"]
        share = self.random.choice([0.3, 0.6, 0.9])
        return {name: self.value(depth) for name in names if self.chance(share)}
