"""The figures of all servers as one table, ratios first."""

import dataclasses
import os
import pathlib
import platform
import statistics

from workloads import Workload

OURS = "ours"
REFERENCE = "reference"
NOT_BUILT = "not built"


@dataclasses.dataclass
class Result:
    """The result of one workload, as medians: on a shared machine single rounds may be far off."""

    workload: Workload
    answer_bytes: int
    rounds: dict  # The rounds of each server by its name, in the order of turns; a peer not built has none.

    def median(self, name, figure):
        return statistics.median(getattr(each, figure) for each in self.rounds[name])

    def ratio(self, name):
        """Returns another server's CPU time for a request divided by ours, as the median over pairs of rounds."""
        pairs = zip(self.rounds[name], self.rounds[OURS])
        return statistics.median(its.cpu_microseconds / our.cpu_microseconds for its, our in pairs)

    @property
    def spread(self):
        """Returns the interquartile range of CPU time for a request, divided by the median."""
        def of_middle(rounds):
            costs = [each.cpu_microseconds for each in rounds]
            low, middle, high = statistics.quantiles(costs, n=4, method="inclusive")
            return (high - low) / middle

        return max((of_middle(rounds) for rounds in self.rounds.values() if len(rounds) > 1), default=0)

    def cells(self, names):
        def shown(name, text):
            return text(name) if self.rounds[name] else NOT_BUILT

        requests = self.median(OURS, "requests_a_second")
        return [
            self.workload.name,
            *(shown(name, lambda name: f"{self.ratio(name):.2f}") for name in names if name != OURS),
            *(shown(name, lambda name: f"{self.median(name, 'requests_a_second'):,.0f}") for name in names),
            *(shown(name, lambda name: f"{self.median(name, 'cpu_microseconds'):,.1f}") for name in names),
            f"{requests * self.workload.rows:,.0f}",
            f"{self.workload.rows:,}",
            f"{len(self.workload.body):,}",
            f"{self.answer_bytes:,}",
            f"{self.spread:.0%}",
        ]


def table(results):
    """Returns the results as Markdown. All have rounds of the same servers, ours first."""
    names = list(results[0].rounds)
    _, *others = names
    headings = [
        "workload", *(f"CPU, {name} / ours" for name in others), f"requests/s, {OURS}", *others,
        f"CPU µs/request, {OURS}", *others, f"rows/s, {OURS}", "rows", "body, bytes", "answer, bytes", "spread",
    ]
    return markdown(headings, [result.cells(names) for result in results])


def markdown(headings, lines):
    """Returns a Markdown table with aligned columns; all but the first hold numbers."""
    widths = [max(map(len, column)) for column in zip(headings, *lines)]
    rule = ["-" * widths[0]] + ["-" * (width - 1) + ":" for width in widths[1:]]
    shown = [headings, rule, *lines]
    return "\n".join(
        "| " + " | ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths))) + " |"
        for row in shown)


def machine():
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f"{names[0] if names else platform.machine()}, {os.cpu_count()} cores, Linux {platform.release()}"
