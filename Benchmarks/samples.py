#!/usr/bin/env python3
"""Compares what the sample nibs cost with the cells that they replaced, which were Mustache in comments: instructions for
rendering a row, counted. To be run by hand; a nib should not cost more. Both print nearly the same: of `news`, the nib prints
six bytes more, the white space before an end tag.

  python3 Benchmarks/samples.py --stages CELLS-BENCHMARK

`replaced/` has those cells. The nibs are those of `templates/`, which are the samples without formats. Needs valgrind and
strip.
"""

import argparse
import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True
import instructions  # noqa: E402 (the line above has to stand before it)
from workloads import TEMPLATES, workloads  # noqa: E402

REPLACED = TEMPLATES.parent / "replaced"
KINDS = {"news", "product"}
# For the bytes that a nib prints more.
TOLERANCE = 0.01


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--stages", required=True, help="cells-benchmark, built as a release")
    stages = arguments.parse_args().stages

    dearer = []
    print("| kind | as replaced, a row | as a nib | change |")
    print("| --- | ---: | ---: | ---: |")
    with tempfile.TemporaryDirectory() as folder:
        stages = instructions.without_debug_information(folder, stages)
        for workload in workloads():
            if workload.kind not in KINDS:
                continue
            pathlib.Path(folder, f"{workload.name}.json").write_bytes(workload.body)
            before, now = (
                instructions.stage_count(folder, stages, workload, "render", templates) for templates in (REPLACED, TEMPLATES))
            print(f"| {workload.kind} | {before:,.0f} | {now:,.0f} | {now / before - 1:+.1%} |", flush=True)
            if now > before * (1 + TOLERANCE):
                dearer.append(workload.kind)
    if dearer:
        sys.exit("dearer as a nib: " + ", ".join(dearer))


if __name__ == "__main__":
    main()
