"""One figure beside its target."""

import dataclasses


class Failure(Exception):
    """An error that makes the figures worthless. Its message says everything."""


@dataclasses.dataclass
class Check:
    """A figure. `holds` says whether its target is met, or is None without a target."""

    what: str
    figure: str
    target: str = ""
    holds: bool | None = None

    @property
    def verdict(self):
        return {True: "ok", False: "MISSED", None: ""}[self.holds]


def within(what, value, base, tolerance):
    """Checks that `value` equals `base` within `tolerance`."""
    change = value / base - 1
    return Check(what, f"{base:,.0f} -> {value:,.0f}, {change:+.2%}", f"±{tolerance:.0%}", abs(change) <= tolerance)


def at_most(what, ratio, limit, words):
    return Check(what, f"{ratio:.3f} {words}", f"≤ {limit}", ratio <= limit)


def markdown(checks):
    """Returns a Markdown table with aligned columns."""
    lines = [["what", "measured", "target", "verdict"]]
    lines += [[check.what, check.figure, check.target, check.verdict] for check in checks]
    widths = [max(map(len, column)) for column in zip(*lines)]
    lines.insert(1, ["-" * width for width in widths])
    return "\n".join(
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths)) + " |" for line in lines)
