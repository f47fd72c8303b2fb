"""Renders cells as the contract says it: a plain interpreter, slow and short."""

import dataclasses
import re

import escaping

try:
    import formats
except ImportError:
    # Without ICU nothing is formatted.
    formats = None
from language import BOOLEAN, VOID, Element, Hole, Literal, Partial, Section, Text, TextCell, holds_judged, holds_names, holds_ours, trimmed
from values import MISSING, Number, comparison, decimal, is_scalar, is_truthy, parsed, printed, written

STAYING = {"td", "th", "dd", "textarea"}
EATING = {"textarea", "pre"}
TEXTLESS = {"table", "tbody", "tr"}

SPACE = " \t\n\r\f"
TOKEN_LISTS = {"class", "part", "headers", "itemprop", "itemtype", "ping", "aria-controls", "aria-describedby",
               "aria-labelledby", "aria-owns"}


class BadRow(Exception):
    """A row that a cell refuses, or a value that an included cell refuses as one; with its pointer."""


@dataclasses.dataclass
class Loop:
    index: int
    count: int

    def value(self, name):
        return {
            "@index": Number(self.index), "@number": Number(self.index + 1), "@first": self.index == 0,
            "@last": self.index == self.count - 1, "@odd": self.index % 2 == 1, "@even": self.index % 2 == 0,
        }[name]


@dataclasses.dataclass
class Scope:
    """What names see at a place. `frames` are pairs of a value and its pointer, the innermost last."""
    frames: list
    loop: Loop
    mode: str
    # The pointer of the outlet around that found nothing.
    blind: str = None
    # The names of all such outlets.
    blind_names: tuple = ()
    is_in_pre: bool = False
    is_in_text: bool = False

    def inside(self, value, pointer, **changes):
        return dataclasses.replace(self, frames=[*self.frames, (value, pointer)], **changes)


def stepped(value, names):
    for name in names:
        if isinstance(value, dict) and name in value:
            value = value[name]
        elif isinstance(value, list) and re.fullmatch("0|[1-9][0-9]*", name) and int(name) < len(value):
            value = value[int(name)]
        else:
            return MISSING
    return value


def flattened(items, pointer):
    """The items of an array and of the arrays in it, with their pointers."""
    for index, item in enumerate(items):
        if isinstance(item, list):
            yield from flattened(item, f"{pointer}/{index}")
        else:
            yield item, f"{pointer}/{index}"


def pointed(pointer, names):
    return pointer + "".join("/" + name.replace("~", "~0").replace("/", "~1") for name in names)


class Rendering:
    """One row, rendered. `unfound` are pointers of what found nothing, `drawn` counts what was left as drawn, `misfits` values
    that do not fit their formats."""

    def __init__(self, cells, kind, row, pointer, loop, owner, mode, clock=None):
        self.cells, self.owner, self.mode = cells, owner, mode
        self.loop, self.pointer = loop, pointer
        self.clock, self.misfits = clock, 0
        self.bad, self.missed, self.drawn = [], 0, 0
        self.output = self.cell(kind, Scope([(row, pointer)], loop, mode))

    def cell(self, kind, scope):
        root = self.cells[kind]
        if isinstance(root, TextCell):
            return "".join(self.nodes(root.content, dataclasses.replace(scope, is_in_text=True)))
        scope = dataclasses.replace(scope, mode=root.missing or self.mode, is_in_pre=False)
        if root.tag == "template":
            return "".join(self.nodes(trimmed(root.content), scope))
        return "".join(self.nodes([root], scope))

    # Names

    def object_around(self, scope):
        return next(((value, pointer) for value, pointer in reversed(scope.frames) if isinstance(value, dict)), (MISSING, scope.frames[0][1]))

    def found(self, path, scope):
        """The value of an outlet's path, and the pointer of it."""
        if scope.blind is not None and path.split(".")[0] == "@row":
            return MISSING, pointed(scope.frames[0][1], path.split(".")[1:])
        if scope.blind is not None:
            names = path.split(".") if path != "." else []
            return MISSING, pointed(scope.blind, names)
        if path == ".":
            return scope.frames[-1]
        first, *rest = path.split(".")
        if first == "owner":
            return stepped(self.owner, rest), pointed("/owner", rest)
        if first == "@row":
            value, pointer = scope.frames[0]
            return stepped(value, rest), pointed(pointer, rest)
        if first.startswith("@"):
            return scope.loop.value(path), ""
        value, pointer = self.object_around(scope)
        return stepped(value, [first, *rest]) if value is not MISSING else MISSING, pointed(pointer, [first, *rest])

    def looked_up(self, name, scope):
        """The value of a Mustache name, and its pointer."""
        if name == ".":
            return scope.frames[-1]
        first, *rest = name.split(".")
        if first == "@row":
            return stepped(scope.frames[0][0], rest), pointed(scope.frames[0][1], rest)
        if first.startswith("@"):
            return scope.loop.value(name), ""
        for value, pointer in reversed(scope.frames):
            if isinstance(value, dict) and first in value:
                return stepped(value, [first, *rest]), pointed(self.object_around(scope)[1] if stepped(value, [first, *rest]) is MISSING else pointer, [first, *rest])
        if first == "owner":
            value = stepped(self.owner, rest)
            return value, pointed("/owner", rest)
        return MISSING, pointed(self.object_around(scope)[1], [first, *rest])

    def printed_name(self, name, scope, format=None):
        value, pointer = self.looked_up(name, scope)
        if value is MISSING and scope.mode == "error":
            self.bad.append(pointer)
        return self.formatted(format, value, pointer, scope.mode, lambda path: self.looked_up(path, scope)[0])

    # Formats

    def formatted(self, format, value, pointer, mode, found):
        """A value as its format shows it; `found` looks up the name of a currency, as the value was."""
        if format is None or value is MISSING or value is None:
            return printed(value)
        text = formats.shown(format, value, self.clock, self.currency(format, found))
        if text is not None:
            return text
        if mode == "error" and pointer:
            self.bad.append(pointer)
        else:
            self.misfits += 1
        return printed(value)

    def currency(self, format, found):
        words = format.options.split()
        return found(words[0]) if format.kind == "currency" and not re.fullmatch("[A-Z]{3}", words[0]) else None

    def is_case(self, value, cases, is_ordinal, scope):
        """Whether a number is one of a plural's cases: `=N`, or a category."""
        count = Number(len(value)) if isinstance(value, list) else value
        for word in cases.split():
            if word.startswith("="):
                # As data-when compares: a string equals the same bytes.
                if self.equals(count, Literal("word", word[1:]), scope):
                    return True
            elif word == (formats.category(count, is_ordinal, self.clock) or "other"):
                return True
        return False

    def plural(self, element, scope):
        """An element with `data-plural`: null if it goes, else the case that is drawn."""
        path, *words = element.plural.split()
        value, pointer = self.found(path, scope)
        if value is MISSING or value is None:
            self.missed += scope.mode != "error"
            if scope.mode == "drop":
                return None
            if scope.mode == "error":
                self.bad.append(pointer)
            self.drawn += 0
        cases = [node for node in element.content if isinstance(node, Element)]
        for is_exact in (True, False):
            for case in cases:
                words_of_case = [word for word in case.case.split() if word.startswith("=") == is_exact]
                if self.is_case(value, " ".join(words_of_case), words == ["ordinal"], scope):
                    return case
        return next(case for case in cases if "other" in case.case.split())

    # Conditions

    def holds(self, condition, scope):
        value = self.found(condition.path, scope)[0]
        operator = condition.operator
        if operator in ("", "!"):
            return is_truthy(value) == (operator == "")
        if operator in ("=", "!="):
            return any(self.equals(value, literal, scope) for literal in condition.literals) == (operator == "=")
        right = condition.literals[0]
        other = self.found(right.text, scope)[0] if right.form == "path" else right.text
        numbers = [decimal(side) if is_scalar(side) else None for side in (value, other)]
        if None in numbers:
            return False
        order = comparison(*numbers)
        return {"<": order < 0, "<=": order <= 0, ">": order > 0, ">=": order >= 0}[operator]

    def equals(self, value, literal, scope):
        if value is MISSING or isinstance(value, (dict, list)):
            return False
        if literal.form == "path":
            other = self.found(literal.text, scope)[0]
            if isinstance(value, Number) and isinstance(other, Number):
                return comparison(decimal(value), decimal(other)) == 0
            return type(value) is type(other) and value == other
        if isinstance(value, Number):
            other = decimal(literal.text) if literal.form == "word" else None
            return other is not None and comparison(decimal(value), other) == 0
        if isinstance(value, str):
            return value == literal.text
        return literal.form == "word" and literal.text == printed_word(value)

    # Nodes

    def nodes(self, content, scope):
        result = []
        for place, node in enumerate(content):
            if isinstance(node, Text):
                following = content[place + 1] if place + 1 < len(content) else None
                text = node.text
                if isinstance(following, Element) and following.owns_space and not scope.is_in_pre:
                    text = text.rstrip(SPACE)
                result.append(text)
            elif isinstance(node, Hole):
                text = self.printed_name(node.name, scope, node.format)
                result.append(text if node.is_raw else escaping.plain(text) if scope.is_in_text else escaping.text(text))
            elif isinstance(node, Section):
                result += self.section(node, scope)
            elif isinstance(node, Partial):
                result.append(self.partial(node, self.looked_up(node.kind, scope)[0] if node.is_dynamic else node.kind, scope))
            else:
                before = content[place - 1] if place else None
                space = ""
                if isinstance(before, Text) and not scope.is_in_pre:
                    space = before.text[len(before.text.rstrip(SPACE)):]
                parts = self.element(node, scope, space if node.owns_space else "")
                # Each is its white space, and its tag with what is inside.
                for before, tag in zip(parts[::2], parts[1::2]):
                    result += [] if tag is GONE else [before, tag]
        return result

    def can_call(self, kind):
        """Whether a value names a cell that can be called: cells of HTML call no text cell."""
        return (isinstance(kind, str) and not isinstance(kind, Number) and kind in self.cells
                and not isinstance(self.cells[kind], TextCell))

    def partial(self, node, kind, scope):
        return self.cell(kind, scope) if self.can_call(kind) else ""

    def section(self, node, scope):
        value, pointer = self.looked_up(node.name, scope)
        if node.plural:
            if value is MISSING or value is None:
                return []
            words = node.plural.split()
            is_drawn = self.is_case(value, " ".join(word for word in words if word != "ordinal"), "ordinal" in words, scope)
            return self.nodes(node.content, scope) if is_drawn != node.is_inverted else []
        if node.is_inverted:
            return [] if is_truthy(value) else self.nodes(node.content, scope)
        if not is_truthy(value):
            return []
        if not isinstance(value, list):
            return self.nodes(node.content, scope.inside(value, pointer))
        result = []
        for index, item in enumerate(value):
            result += self.nodes(node.content, scope.inside(item, f"{pointer}/{index}", loop=Loop(index, len(value))))
        return result

    # Elements

    def element(self, element, scope, space):
        if element.is_design:
            return []
        scope = dataclasses.replace(scope, mode=element.missing or scope.mode)
        if not all(self.holds(condition, scope) for condition in element.when):
            return []
        if element.outlet is None:
            if element.include:
                return [space, self.included_here(element, scope)]
            if element.plural:
                case = self.plural(element, scope)
                if case is None:
                    return []
                shown = dataclasses.replace(element, content=[case])
                return [space, self.tag(element, scope, scope, lambda: self.nodes(shown.content, self.within(element, scope)))]
            return [space, self.tag(element, scope, scope, lambda: self.nodes(element.content, self.within(element, scope)))]
        value, pointer = self.found(element.outlet, scope)
        if value is MISSING:
            return self.unfound(element, scope, pointer, space)
        return self.valued(element, scope, value, pointer, space, is_item=False)

    def within(self, element, scope):
        return dataclasses.replace(scope, is_in_pre=scope.is_in_pre or element.tag in ("pre", "textarea"))

    def unfound(self, element, scope, pointer, space):
        self.missed += 1
        mode = scope.mode
        if element.include:
            if mode == "error":
                self.bad.append(pointer)
                if element.include.is_dynamic and element.include.kind != ".":
                    kind, place = self.named(element.include.kind, scope, MISSING, pointer, False)
                    if kind is MISSING:
                        self.bad.append(place)
            return []
        if mode == "error":
            if not holds_judged(element.content) or element.missing == "error":
                self.bad.append(pointer)
            # What it holds is reached, and finds nothing.
            inner = dataclasses.replace(
                scope, blind=pointer, blind_names=(*scope.blind_names, *(element.outlet.split(".") if element.outlet != "." else [])))
            return [space, self.tag(element, scope, inner, lambda: self.nodes(element.content, self.within(element, inner)), MISSING)]
        if mode == "drop":
            if element.tag == "option":
                return []
            return self.empty(element, scope, None, space)
        # Under blank, attributes that an outlet fills are left as drawn.
        if mode == "keep" or element.tag in ("img", "input", "option"):
            self.drawn += 1
        inner = dataclasses.replace(
            scope, blind=pointer, blind_names=(*scope.blind_names, *(element.outlet.split(".") if element.outlet != "." else [])))
        is_emptied = mode == "blank" and not holds_ours(element.content)
        content = (lambda: []) if is_emptied else (lambda: self.nodes(element.content, self.within(element, inner)))
        return [space, self.tag(element, scope, inner, content, MISSING)]

    def empty(self, element, scope, value, space, pointer=""):
        """An element whose value is null or false."""
        if element.include:
            return []
        inner = scope.inside(value, pointer)
        if is_choice(element):
            return [space, self.tag(element, scope, inner, lambda: self.nodes(element.content, scope), value, chosen=False)]
        if element.tag == "input":
            return [space, self.tag(element, scope, inner, lambda: [], value, own={"value": None})]
        if element.tag in STAYING:
            return [space, self.tag(element, scope, inner, lambda: [], value)]
        return []

    def valued(self, element, scope, value, pointer, space, is_item):
        if isinstance(value, list):
            # An array in an array stands for its items, in their count too.
            items = list(flattened(value, pointer))
            result, texts = [], []
            for index, (item, place) in enumerate(items):
                result += self.valued(element, dataclasses.replace(scope, loop=Loop(index, len(items))), item, place, space, is_item=True)
                texts += [printed(item) if is_scalar(item) else None] * (len(result) // 2 - len(texts))
            if element.is_list:
                # What stands between elements takes the place of white space.
                words = formats.list_words(self.clock.locale, "or" in element.format.options, texts)
                result = [part for place, tag in enumerate(result[1::2]) for part in ("", tag + escaping.text(words[place]))]
            return result
        if value is None or value is False:
            return self.empty(element, scope, value, space, pointer) if not is_item else self.empty_item(element, scope, value, space, pointer)
        if element.include and isinstance(value, Number) and pointer == "":
            # What a loop says is no value of the data, and cannot be a row.
            return []
        if element.include:
            return [space, self.included(element, scope, value, pointer, is_item)]
        inner = scope if value is True else scope.inside(value, pointer)
        if value is True:
            content = lambda: self.nodes(element.content, self.within(element, scope))  # noqa: E731
            inner = scope.inside(value, pointer)
            return [space, self.tag(element, scope, inner, content, value, chosen=True if is_choice(element) else None, is_item=is_item)]
        if isinstance(value, dict):
            if holds_names(element.content) or element.tag in VOID | TEXTLESS:
                content = lambda: self.nodes(element.content, self.within(element, inner))  # noqa: E731
                return [space, self.tag(element, scope, inner, content, value, is_item=is_item)]
            text = value.get("text", MISSING)
            return self.with_text(element, scope, value, pointer, text, inner, space, is_item)
        own = own_value(element, value) | self.machine(element, value, inner)
        return [space, self.tag(element, scope, inner, lambda: self.text_content(element, value, pointer, inner), value,
                                own=own, is_item=is_item)]

    def machine(self, element, value, inner):
        """The attribute for programs of `<time>` and `<data>`, if it is not written."""
        if not element.format or not is_scalar(value):
            return {}
        kinds = {"time": ("datetime", [*formats.DATES, "relative"]), "data": ("value", formats.NUMBERS)}
        name, fitting = kinds.get(element.tag, (None, ()))
        if element.format.kind not in fitting or name in element.attributes:
            return {}
        text = formats.machine(element.format, value)
        fits = formats.shown(element.format, value, self.clock, self.currency(element.format, lambda path: self.found(path, inner)[0]))
        return {} if text is None or fits is None else {name: text}

    def empty_item(self, element, scope, value, space, pointer):
        if element.include or not (is_choice(element) or element.tag == "input" or element.tag in STAYING):
            return []
        inner = scope.inside(value, pointer)
        if is_choice(element):
            return [space, self.tag(element, scope, inner, lambda: self.nodes(element.content, scope), value, chosen=False, is_item=True)]
        own = {"value": None} if element.tag == "input" else {}
        return [space, self.tag(element, scope, inner, lambda: [], value, own=own, is_item=True)]

    def with_text(self, element, scope, value, pointer, text, inner, space, is_item):
        """An element without names, whose value is an object: its text is the content."""
        # If attributes read names, the object may be for these, and what is drawn is a label.
        is_label = bool(element.bindings) or holds_names([Element("i", attributes=element.attributes)])
        if text is MISSING and not is_label:
            if scope.mode == "error":
                self.bad.append(pointed(pointer, ["text"]))
            else:
                self.missed += 1
                self.drawn += scope.mode == "keep"
        if text is True or text is MISSING and (scope.mode == "keep" or is_label and scope.mode != "blank"):
            content = lambda: self.nodes(element.content, self.within(element, scope))  # noqa: E731
        elif text is MISSING:
            content = lambda: []  # noqa: E731
        elif text is None or text is False:
            content = lambda: []  # noqa: E731
        else:
            content = lambda: self.text_content(element, text, pointed(pointer, ["text"]), inner)  # noqa: E731
        own = self.machine(element, text, inner)
        return [space, self.tag(element, scope, inner, content, value, own=own, is_item=is_item)]

    def text_content(self, element, value, pointer, inner):
        if element.tag in TEXTLESS:
            return []
        is_eaten = element.tag in EATING and element.content and isinstance(element.content[0], Text)
        return ["\n" if is_eaten else "", escaping.text(self.formatted(
            None if element.is_list else element.format, value, pointer, inner.mode, lambda path: self.found(path, inner)[0]))]

    # Includes

    def included_here(self, element, scope):
        kind = element.include.kind
        if element.include.is_dynamic:
            value, pointer = self.found(kind, scope)
            if value is MISSING:
                self.missed += 1
                if scope.mode == "error":
                    self.bad.append(pointer)
                return ""
            kind = value
        if not self.can_call(kind):
            self.missed += 1
        return self.partial(None, kind, scope)

    def included(self, element, scope, value, pointer, is_item):
        kind = element.include.kind
        if element.include.is_dynamic:
            kind, place = self.named(kind, scope, value, pointer, is_item)
            if kind is MISSING:
                self.missed += 1
                if scope.mode == "error":
                    self.bad.append(place)
                return ""
        if not self.can_call(kind):
            self.missed += 1
            return ""
        if value is True:
            return self.partial(None, kind, scope)
        if not isinstance(value, dict) and needs_object(self.cells, kind):
            raise BadRow(pointer)
        # It sees nothing around: a value that is no item is a row alone.
        return self.cell(kind, Scope([(value, pointer)], scope.loop if is_item else Loop(0, 1), self.mode))

    def named(self, path, scope, value, pointer, is_item):
        """What names the kind beside an outlet, and its pointer: true is as if there were no outlet."""
        starts_in_value = path.split(".")[0] != "owner" and not path.startswith("@")
        if path == "." or isinstance(value, dict):
            return self.found(path, scope.inside(value, pointer))
        is_blind = scope.blind is not None and not path.startswith("@row")
        if value is not True and starts_in_value or is_blind:
            return MISSING, pointed(pointer, path.split("."))
        if starts_in_value and is_item:
            return MISSING, pointed(self.object_around(scope)[1], path.split("."))
        return self.found(path, scope)

    # Tags

    def tag(self, element, scope, inner, content, value=MISSING, own=None, chosen=None, is_item=False):
        """A start tag with its attributes, the content and the end tag. `own` is what the outlet itself fills.

        `scope` is around the element, `inner` is what Mustache in its attributes sees."""
        bad_before = len(self.bad)
        attributes = {name: self.static_or_mustache(name, parts, inner) for name, parts in element.attributes.items()}
        bad_behind = len(self.bad)
        attributes = {name: parts for name, parts in attributes.items() if parts is not LEFT_OUT}
        goes = self.bind(element, scope, inner, value, attributes, is_item, own or {})
        if goes:
            # The rest of it is not reached.
            del self.bad[bad_before:bad_behind]
            return GONE
        for name, text in (own or {}).items():
            if text is None:
                attributes.pop(name, None)
            else:
                attributes[name] = escaping.filled(name, [None], [text])
        if chosen is not None:
            name = "selected" if element.tag == "option" else "checked"
            attributes.pop(name, None)
            if chosen:
                attributes[name] = None
        head = "<" + " ".join([element.tag, *(name if text is None else f'{name}="{text}"' for name, text in attributes.items())]) + ">"
        if element.tag in VOID:
            return head
        # Parsers eat the first line end, so one is put before what is filled.
        if element.tag in EATING and not (element.content and isinstance(element.content[0], Text)):
            head += "\n"
        return f"{head}{''.join(content())}</{element.tag}>"

    def static_or_mustache(self, name, parts, scope):
        if parts is None:
            return None
        if name in BOOLEAN and len(parts) == 1 and isinstance(parts[0], Hole):
            return None if is_truthy(self.looked_up(parts[0].name, scope)[0]) else LEFT_OUT
        values = [self.printed_name(part.name, scope, part.format) for part in parts if isinstance(part, Hole)]
        return escaping.filled(name, [None if isinstance(part, Hole) else part for part in parts], values)

    def bind(self, element, scope, inner, value, attributes, is_item, own):
        """Sets the attributes of data-bind; true if the element goes with one."""
        # An element whose outlet finds nothing, and that stays, stays as drawn.
        if not element.bindings or element.outlet and value is MISSING:
            return False
        drawn = dict(element.attributes)
        names = NamesOfBindings(self, element, scope, value, inner.frames[-1][1], is_item)
        # What an image shows is judged first: without it, the rest is not reached. Tokens of the data come after those drawn.
        for entry in sorted(element.bindings, key=lambda entry: (
                not (element.tag == "img" and entry.target == "src"), entry.target.endswith("+"))):
            target = entry.target
            if target in own:
                continue
            if target.startswith("class."):
                tokens = attributes["class"].split() if attributes.get("class") else []
                token = target[len("class."):]
                holds = names.holds(entry.condition)
                if token in tokens and not holds:
                    tokens = [each for each in tokens if each != token]
                elif token not in tokens and holds:
                    tokens.append(token)
                else:
                    continue
                attributes["class"] = " ".join(tokens)
                if not tokens:
                    del attributes["class"]
                continue
            if target.startswith("style."):
                self.declare(entry, names, attributes)
                continue
            name = target.removesuffix("+")
            if name in BOOLEAN:
                attributes.pop(name, None)
                if names.holds(entry.condition):
                    attributes[name] = None
                continue
            if entry.parts is not None:
                texts = [names.printed_name(part.name, part.format) for part in entry.parts if isinstance(part, Hole)]
                if target.endswith("+"):
                    text = " ".join(words(entry.parts, texts))
                else:
                    text = escaping.filled(name, [None if isinstance(part, Hole) else part for part in entry.parts], texts)
            else:
                text = self.bound(entry, name, names, drawn.get(name), target.endswith("+"))
            if target.endswith("+"):
                if isinstance(text, str) and text:
                    attributes[name] = " ".join([*([attributes[name]] if attributes.get(name) else []), text])
            elif text is LEFT_OUT:
                attributes.pop(name, None)
                if element.tag == "img" and name == "src" and not names.is_bad:
                    return True
            elif text is not AS_DRAWN:
                attributes[name] = text
            elif name not in attributes and names.is_true:
                attributes[name] = ""
        return False

    def declare(self, entry, names, attributes):
        """Sets one property of a style; the others stay as drawn."""
        name = entry.target.removeprefix("style.")
        # What another entry has set keeps the spaces at its end.
        styles = [each.lstrip() for each in (attributes.get("style") or "").split(";") if each.strip()]
        place = next((place for place, each in enumerate(styles) if each.split(":")[0].strip() == name), None)
        if entry.parts is not None:
            texts = [names.printed_name(part.name, part.format) for part in entry.parts if isinstance(part, Hole)]
            text = escaping.filled("style", [None if isinstance(part, Hole) else part for part in entry.parts], texts)
        else:
            text = self.bound(entry, "style", names, None if place is None else [styles[place]], False)
        if text is LEFT_OUT:
            if place is not None:
                del styles[place]
        elif text is not AS_DRAWN and place is None:
            styles.append(f"{name}:{text}")
        elif text is not AS_DRAWN:
            styles[place] = f"{name}:{text}"
        attributes["style"] = ";".join(styles)
        if not styles:
            del attributes["style"]

    def bound(self, entry, name, names, drawn, is_added):
        """The value of an entry that is a path: text, LEFT_OUT or AS_DRAWN."""
        found, pointer = names.found(entry.path)
        names.is_true = False
        if found is MISSING:
            self.missed += 1
            if names.scope.mode == "error":
                self.bad.append(pointer)
                names.is_bad = True
            if names.scope.mode in ("keep", "blank"):
                self.drawn += drawn is not None and not is_added
                return AS_DRAWN
            return LEFT_OUT
        if isinstance(found, bool):
            is_word = "".join(drawn) in ("true", "false") if drawn else name.startswith("aria-")
            if is_word and drawn != [""]:
                return self.formatted(entry.format, found, pointer, names.scope.mode, lambda path: names.found(path)[0])
            names.is_true = found
            return AS_DRAWN if found else LEFT_OUT
        if found is None:
            return LEFT_OUT
        if isinstance(found, list) and name in TOKEN_LISTS:
            items = [item for item, _ in flattened(found, "") if isinstance(item, str) and item]
            text = " ".join(map(printed, items))
        else:
            text = self.formatted(entry.format, found, pointer, names.scope.mode, lambda path: names.found(path)[0])
        return escaping.filled(name, [None], [text])


def words(parts, texts):
    """The tokens that a text adds: its words, but for those of values alone that print nothing."""
    items, texts = [[]], iter(texts)
    for part in parts:
        if isinstance(part, Hole):
            items[-1].append(("value", next(texts)))
            continue
        for place, word in enumerate(re.split("[ \t\n\r\f]", part)):
            if place:
                items.append([])
            if word:
                items[-1].append(("text", word))
    return ["".join(escaping.attribute(text) for _, text in item) for item in items if any(
        kind == "text" or text for kind, text in item)]


class NamesOfBindings:
    """Where the names of an element's bindings are looked up."""

    def __init__(self, rendering, element, scope, value, pointer, is_item):
        self.rendering, self.scope, self.value, self.is_item = rendering, scope, value, is_item
        self.has_outlet = element.outlet is not None
        self.is_true = self.is_bad = False
        self.has_names = True
        self.pointer = pointer
        if isinstance(value, dict):
            self.inner = scope.inside(value, self.pointer)
        elif is_item:
            self.inner = scope
            self.has_names = False
        else:
            self.inner = scope

    def found(self, path):
        if path == "." and self.has_outlet:
            return self.value, self.pointer
        found, pointer = self.rendering.found(path, self.inner)
        is_name = path.split(".")[0] not in ("", "owner") and not path.startswith("@")
        if not self.has_names and is_name:
            return MISSING, pointed(self.rendering.object_around(self.scope)[1], path.split("."))
        return found, pointer

    def printed_name(self, path, format=None):
        value, pointer = self.found(path)
        if value is MISSING and self.scope.mode == "error":
            self.rendering.bad.append(pointer)
        return self.rendering.formatted(format, value, pointer, self.scope.mode, lambda path: self.found(path)[0])

    def holds(self, condition):
        return _Conditions(self).holds(condition, None)


class _Conditions:
    """Conditions, with the names of bindings."""

    def __init__(self, names):
        self.names = names

    def found(self, path, scope):
        return self.names.found(path)

    holds = Rendering.holds
    equals = Rendering.equals


LEFT_OUT, AS_DRAWN = object(), object()
# What stands for an element that goes after its white space was printed.
GONE = "\ue000"


def printed_word(value):
    return "null" if value is None else "true" if value else "false"


def is_choice(element):
    return element.tag == "option" or element.tag == "input" and element.attributes.get("type") in (["checkbox"], ["radio"])


def own_value(element, value):
    name = {"img": "src", "input": "value"}.get(element.tag)
    return {name: printed(value)} if name else {}


def needs_object(cells, kind):
    """Whether a kind reads members of its row and never the row as `.`; a cell that the data names may read anything."""
    uses = uses_of(cells, kind, set())
    return uses == {"members"}


def uses_of(cells, kind, seen):
    """What a kind reads of its row: `members`, `itself`, `anything`. In sections and outlets `.` is another value."""
    if kind in seen or kind not in cells:
        return set()
    seen = seen | {kind}
    uses = set()
    for name, is_of_row in names_of([cells[kind]], True):
        if isinstance(name, Partial):
            called = {"anything"} if name.is_dynamic else uses_of(cells, name.kind, seen)
            uses |= called if is_of_row else called - {"itself"}
        elif name in (".", "@row"):
            uses |= {"itself"} if is_of_row or name == "@row" else set()
        elif name.split(".")[0] != "owner" and (not name.startswith("@") or name.startswith("@row.")):
            uses.add("members")
    return uses


def names_of(content, is_of_row):
    """All names that a cell reads and all its calls, and whether `.` is the row there."""
    for node in content:
        if isinstance(node, Hole):
            yield node.name, is_of_row
            yield from ((name, False) for name in names_of_format(node.format))
        elif isinstance(node, Section):
            yield node.name, is_of_row
            yield from names_of(node.content, is_of_row and (node.is_inverted or bool(node.plural)))
        elif isinstance(node, Partial):
            yield node, is_of_row
        elif isinstance(node, Element) and not node.is_design:
            if node.outlet:
                yield node.outlet, is_of_row
            for condition in node.when:
                yield from ((name, is_of_row) for name in names_of_condition(condition))
            if node.plural:
                yield node.plural.split()[0], is_of_row
            if node.format:
                yield from ((name, False) for name in names_of_format(node.format))
            inner = is_of_row and not node.outlet
            if node.include:
                yield node.include, inner
                continue
            for entry in node.bindings:
                yield from ((name, inner) for name in [
                    *([entry.path] if entry.path else []),
                    *names_of_format(entry.format),
                    *(name for part in entry.parts or () if isinstance(part, Hole) for name in [part.name, *names_of_format(part.format)]),
                    *(names_of_condition(entry.condition) if entry.condition else [])])
            for parts in node.attributes.values():
                yield from ((name, inner) for part in parts or () if isinstance(part, Hole)
                            for name in [part.name, *names_of_format(part.format)])
            yield from names_of(node.content, inner)


def names_of_format(format):
    words = format.options.split() if format and format.kind == "currency" else []
    return [words[0]] if words and not re.fullmatch("[A-Z]{3}", words[0]) else []


def names_of_condition(condition):
    return [condition.path, *(literal.text for literal in condition.literals if literal.form == "path")]
