"""Rows: one among 100,000 costs what one among 10 does.

A request has a cost of its own, so a row's cost is the growth: from 10 rows to 20, and from no rows to 100,000. The
many are the ten again and again, so that the mean row is the same.
"""

from instructions import without_debug_information
from scaling.check import within
from scaling.counting import request_count, stage_count
from scaling.server import TEMPLATES
from workloads import encoded, news, table

MANY = 100_000
TOLERANCE = 0.05
STAGES = ["parse", "populate", "render"]
KINDS = {"news": ("news", news), "table": ("table-row", table)}
FEW_TURNS = (50, 250)
MANY_TURNS = (1, 3)
FEW_REQUESTS = (100, 400)
MANY_REQUESTS = (1, 2)
# Larger than a body of many rows and what it takes; no client is slow here, the server is under callgrind.
LIMITS = [
    "--body-limit-bytes", 1 << 30, "--output-limit-bytes", 1 << 30, "--in-flight-limit-bytes", 1 << 36,
    "--body-seconds", 600, "--idle-seconds", 600,
]


def checks(options, folder):
    stages, server = (without_debug_information(folder, binary) for binary in (options.stages, options.server))
    found = []
    for name, (kind, make) in KINDS.items():
        counts = {}
        for rows in (10, 20, MANY):
            (folder / f"{name}.json").write_bytes(encoded(make(10) * (rows // 10)))
            for stage in STAGES:
                turns = MANY_TURNS if rows == MANY else FEW_TURNS
                counts[rows, stage] = stage_count(folder, stages, name, stage, turns, "--templates", TEMPLATES)
            requests = MANY_REQUESTS if rows == MANY else FEW_REQUESTS
            body = (folder / f"{name}.json").read_bytes()
            counts[rows, "request"] = request_count(
                folder, server, f"/cells/{kind}", body, requests, "--templates", TEMPLATES, *LIMITS)
        for stage in [*STAGES, "request"]:
            few, twice, many = (counts[rows, stage] for rows in (10, 20, MANY))
            fixed = 2 * few - twice
            label = "whole request" if stage == "request" else stage
            found.append(within(
                f"{name}, {label}: instructions a row, among 10 and among {MANY:,}",
                (many - fixed) / MANY, (twice - few) / 10, TOLERANCE))
    return found

