"""The parts of a cell, and how they are written in a nib."""

import dataclasses

VOID = {"img", "input", "br"}
BOOLEAN = {"hidden", "checked", "selected", "disabled", "readonly", "required", "open", "inert", "autofocus"}


@dataclasses.dataclass
class Text:
    text: str


@dataclasses.dataclass
class Format:
    """How a value is shown: a name and its options, as they are written."""
    kind: str
    options: str = ""

    @property
    def source(self):
        return f"{self.kind} {self.options}".strip()


@dataclasses.dataclass
class Hole:
    name: str
    format: Format = None
    # Without escapes: in text cells alone.
    is_raw: bool = False


@dataclasses.dataclass
class Section:
    name: str
    is_inverted: bool
    content: list
    # The cases of a plural for which it is drawn.
    plural: str = None


@dataclasses.dataclass
class Partial:
    """A call of a kind; with `is_dynamic` the name of what names it."""
    kind: str
    is_dynamic: bool = False


@dataclasses.dataclass
class Literal:
    """What a condition compares with: a `word`, a text in `quotes`, or the value of a `path`."""
    form: str
    text: str


@dataclasses.dataclass
class Condition:
    path: str
    operator: str  # "", "!", "=", "!=", "<", "<=", ">", ">="
    literals: list


@dataclasses.dataclass
class Entry:
    """An entry of data-bind. One of `path`, `parts` (texts and Holes) and `condition` stands."""
    target: str  # ATTR, ATTR+, class.TOKEN, style.PROPERTY
    path: str = None
    parts: list = None
    condition: Condition = None
    is_short: bool = False
    format: Format = None


@dataclasses.dataclass
class Element:
    tag: str
    attributes: dict = dataclasses.field(default_factory=dict)  # a name, and texts and Holes; None without a value
    content: list = dataclasses.field(default_factory=list)
    outlet: str = None
    missing: str = None
    when: list = dataclasses.field(default_factory=list)
    bindings: list = dataclasses.field(default_factory=list)
    include: Partial = None
    is_design: bool = False
    format: Format = None
    # The name of a count, perhaps with `ordinal`; its content are elements with a case.
    plural: str = None
    case: str = None

    @property
    def is_list(self):
        """Whether words stand between its elements."""
        return self.format is not None and self.format.kind == "list"

    @property
    def owns_space(self):
        return self.is_design or not self.is_list and bool(self.outlet or self.when or self.include)


class TextCell(Element):
    """A cell of plain text: its content are texts, holes and sections."""


def joined(nodes):
    """Nodes without two texts side by side: what is written is read as one."""
    result = []
    for node in nodes:
        if isinstance(node, Text) and result and isinstance(result[-1], Text):
            result[-1] = Text(result[-1].text + node.text)
        else:
            result.append(node)
    return result


def holds_names(content):
    """Whether content holds an outlet, a Mustache tag, or another of our attributes that names data."""
    for node in content:
        if isinstance(node, (Hole, Section, Partial)):
            return True
        if isinstance(node, Element) and not node.is_design:
            if node.outlet or node.when or node.bindings or node.include or node.plural:
                return True
            if any(isinstance(part, Hole) for parts in node.attributes.values() for part in parts or ()):
                return True
            if holds_names(node.content):
                return True
    return False


def holds_ours(content):
    """Whether content holds an outlet, or another of our attributes that names data. Mustache tags do not count."""
    return any(
        not node.is_design and bool(node.outlet or node.when or node.bindings or node.include or node.plural or holds_ours(node.content))
        if isinstance(node, Element) else isinstance(node, Section) and holds_ours(node.content) for node in content)


def holds_judged(content):
    """Whether content holds what is judged under `error` in its place: outlets, includes, and values of attributes."""
    return any(
        not node.is_design and bool(node.outlet or node.include or node.plural or any(entry.condition is None for entry in node.bindings))
        or not node.is_design and holds_judged(node.content)
        if isinstance(node, Element) else isinstance(node, Section) and holds_judged(node.content) for node in content)


def trimmed(content):
    """The content of a template, without white space at its ends."""
    content = list(content)
    for place, trim in ((0, str.lstrip), (-1, str.rstrip)):
        while content and isinstance(content[place], Text):
            content[place] = Text(trim(content[place].text, " \t\n\r\f"))
            if content[place].text:
                break
            content.pop(place)
    return content


def escaped(text):
    return text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")


def literal_source(literal):
    if literal.form == "word":
        return literal.text
    return "'" + literal.text.replace("'", "''") + "'" if literal.form == "quotes" else "{" + literal.text + "}"


def condition_source(condition):
    if condition.operator in ("", "!"):
        return condition.operator + condition.path
    return condition.path + condition.operator + ",".join(map(literal_source, condition.literals))


def named_source(name, format):
    return f"{name} | {format.source}" if format else name


def entry_source(entry):
    if entry.is_short:
        return entry.target
    if entry.condition:
        return f"{entry.target}:{condition_source(entry.condition)}"
    if entry.path is not None:
        return f"{entry.target}:{named_source(entry.path, entry.format)}"
    composed = "".join("{" + named_source(part.name, part.format) + "}" if isinstance(part, Hole) else part.replace("'", "''") for part in entry.parts)
    return f"{entry.target}:'{composed}'"


def attributes_source(element):
    for name, parts in element.attributes.items():
        if parts is None:
            yield name
        else:
            yield name + '="' + "".join(
                source(part) if isinstance(part, Hole) else escaped(part) for part in parts) + '"'
    if element.is_design:
        yield "data-design"
    ours = {
        "outlet": element.outlet,
        "missing": element.missing,
        "when": " ".join(map(condition_source, element.when)),
        "bind": "; ".join(map(entry_source, element.bindings)),
        "format": element.format and element.format.source,
        "plural": element.plural,
        "case": element.case,
        "include": element.include and ("*" if element.include.is_dynamic else "") + element.include.kind,
    }
    for name, value in ours.items():
        if value:
            yield f'data-{name}="{escaped(value)}"'


def source(node, kind=None):
    """A node, or a list of them, as it is written; `kind` makes an element a cell."""
    if isinstance(node, TextCell):
        return source(node.content)
    if isinstance(node, list):
        return "".join(map(source, node))
    if isinstance(node, Text):
        return node.text
    if isinstance(node, Hole):
        text = named_source(node.name, node.format)
        return "{{{" + text + "}}}" if node.is_raw else "{{" + text + "}}"
    if isinstance(node, Section):
        name = node.name + (f" | plural {node.plural}" if node.plural else "")
        return f"{{{{{'^' if node.is_inverted else '#'}{name}}}}}{source(node.content)}{{{{/{node.name}}}}}"
    if isinstance(node, Partial):
        return "{{>" + ("*" if node.is_dynamic else "") + node.kind + "}}"
    words = [node.tag, *([f'data-cell="{kind}"'] if kind else []), *attributes_source(node)]
    head = f"<{' '.join(words)}>"
    return head if node.tag in VOID else f"{head}{source(node.content)}</{node.tag}>"
