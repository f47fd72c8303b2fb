#!/usr/bin/env python3
"""Whether the server scales: rows, kinds, idle connections and workers, each held against its target.

  python3 Benchmarks/scale.py --stages CELLS-BENCHMARK --server CELLFACTORY [--only rows|kinds|connections|workers]

Prints what was measured, the target and a verdict; status 1 if a target was missed. Rows and kinds are counted in
instructions, which a busy machine does not change; connections and workers are the server's CPU time, as medians of
interleaved rounds, and want a machine with little else to do: the standard error beside them tells. Takes about ten
minutes. Needs valgrind, strip, wrk and taskset (Debian: valgrind, binutils, wrk, util-linux). Loopback only.
"""

import argparse
import pathlib
import signal
import sys
import tempfile

sys.dont_write_bytecode = True
from scaling import connections, kinds, rows, workers  # noqa: E402 (the line above has to stand before it)
from scaling.check import Failure, markdown  # noqa: E402

PARTS = {"rows": rows.checks, "kinds": kinds.checks, "connections": connections.checks, "workers": workers.checks}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--stages", type=pathlib.Path, default=".build/release/cells-benchmark",
                        help="cells-benchmark, built as a release (default: %(default)s)")
    parser.add_argument("--server", type=pathlib.Path, default=".build/release/cellfactory",
                        help="cellfactory, built as a release (default: %(default)s)")
    parser.add_argument("--only", action="append", choices=PARTS, help="this part, may be repeated")
    parser.add_argument("--rounds", type=int, default=31, metavar="N",
                        help="of load for each server (default: %(default)s)")
    return parser.parse_args()


def run(options):
    found = []
    for name in options.only or PARTS:
        print(f"{name} …", file=sys.stderr, flush=True)
        with tempfile.TemporaryDirectory() as folder:
            found += PARTS[name](options, pathlib.Path(folder))
    print(markdown(found))
    missed = [check for check in found if check.holds is False]
    if missed:
        sys.exit(f"{len(missed)} of {sum(check.holds is not None for check in found)} targets missed")


def end_on_signal(number, _):
    sys.exit(128 + number)  # An exception, so that every `with` block ends what it started.


def main():
    signal.signal(signal.SIGTERM, end_on_signal)
    try:
        run(arguments())
    except Failure as failure:
        sys.exit(f"scale.py: {failure}")
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
