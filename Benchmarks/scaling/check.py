"""One figure beside its target."""

import dataclasses


class Failure(Exception):
    """Something that makes the figures worthless; its text is all a reader needs."""


@dataclasses.dataclass
class Check:
    """`holds`: whether the target is met; None: a figure without one."""

    what: str
    figure: str
    target: str = ""
    holds: bool | None = None

    @property
    def verdict(self):
        return {True: "ok", False: "MISSED", None: ""}[self.holds]


def within(what, value, base, tolerance):
    """`value` is that of `base`, give or take `tolerance`."""
    change = value / base - 1
    return Check(what, f"{base:,.0f} -> {value:,.0f}, {change:+.2%}", f"±{tolerance:.0%}", abs(change) <= tolerance)


def at_most(what, ratio, limit, words):
    return Check(what, f"{ratio:.3f} {words}", f"≤ {limit}", ratio <= limit)


def markdown(checks):
    """A table with pipes that is also readable as it stands."""
    lines = [["what", "measured", "target", "verdict"]]
    lines += [[check.what, check.figure, check.target, check.verdict] for check in checks]
    widths = [max(map(len, column)) for column in zip(*lines)]
    lines.insert(1, ["-" * width for width in widths])
    return "\n".join(
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths)) + " |" for line in lines)
