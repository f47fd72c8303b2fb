#!/usr/bin/env python3
"""Runs the tests in steps, two at a time, each as soon as what it needs is built. Beside two, one more runs that mostly waits.

  python3 Tests/steps.py [--lanes 2] test|browser …
  python3 Tests/steps.py soak BINARY        what takes minutes, one after another

Prints the output of each step whole, in the order of the list below. At the end prints how long each step took, also in
processor time, which counts on a busy machine; the end of the output of those that failed, and the closing lines of the Swift
tests; status 1 if a step failed. A step that takes far longer than it may is ended, and has failed: the end of its output
shows where it hangs.
"""

import argparse
import dataclasses
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "Tests"))

from skipping import told  # noqa: E402

# Tests run in two builds: a debug build with assertions, and an optimized one like the program that users run. Each has a folder
# of its own, and flags that save processor time: no information for debuggers, no module interfaces ahead of the code, and whole
# modules in debug. To debug a crash, build into `.build`, which has all of that.
WITHOUT_EXTRAS = "-Xswiftc -gnone -Xswiftc -no-emit-module-separately-wmo"
DEBUG_FOLDER = ".build-tests-debug"
RELEASE_FOLDER = ".build-tests"
DEBUG = f"--scratch-path {DEBUG_FOLDER} {WITHOUT_EXTRAS} -Xswiftc -wmo -Xswiftc -num-threads -Xswiftc 2"
RELEASE = f"--scratch-path {RELEASE_FOLDER} {WITHOUT_EXTRAS} -Xswiftc -enable-testing"
RELEASED = f"{RELEASE_FOLDER}/release/cellfactory"
# An index is for editors, which make their own.
BUILD = "swift build --disable-index-store"
PYTHON = "Tests/Properties/run.sh .build-python"
WEB = "Tests/Properties/run.sh .build-python-web"
FORMATS = "Tests/Properties/run.sh .build-python-formats Tests/Formats"
# Two runs use one build at the same time.
SWIFT_TEST = "Tests/run.sh --skip-build --ignore-lock --no-parallel"
# The suites that use no sockets and start no processes.
MODULES = "'^(CellTemplatesTests|CellsTests)[.]'"
SERVER = "'^(CellServerTests|CellPreviewTests)[.]'"
# Tests of inputs that are so large that a debug build takes many seconds for each. The release has them.
LARGE = ("'longTextsOfTemplatesPause|textIsCountedInEachContext|aFolderThatIsTooLargeEndsWithItsFile|aSheetHasABound|costGrowsWithSize"
         "|abandonedSectionsAreReportedAnywhere|partsTogetherEqualTheWhole|streamedAnswersEqualWholeOnes|slicesChangeNothing'")
# Steps that wait for deadlines or for a browser for much of their time: one of them runs beside two others.
WAITING = {
    "Swift tests of the server, debug", "Swift tests of the command, release", "Swift tests, release", "attacks in a browser",
    "cells on a page", "examples in a browser", "tutorial in a browser", "preview in a browser", "Python client", "metrics",
}
CLOSING_LINE = re.compile(r"^.*Test run with \d+ tests.*$", re.MULTILINE)
SHOWN_LINES = 30
# How long a step may take. Steps take minutes; those of `soak` also run alone for as long as they are told.
LIMIT_SECONDS, SOAK_LIMIT_SECONDS = 40 * 60, 3 * 3600
# Between being asked to end and being killed.
GRACE_SECONDS = 10


@dataclasses.dataclass
class Step:
    name: str
    command: str
    after: tuple = ()
    log: pathlib.Path = None
    process: subprocess.Popen = None
    status: int = None
    began: float = 0
    seconds: float = 0
    processor_seconds: float = 0
    is_late: bool = False


def steps_of(groups):
    """The steps of some groups, in the order in which they are shown, and started when they can be: those that take long come
    first, so that no lane ends long before the other."""
    steps = [Step("packages", "swift package resolve")]
    if "test" in groups:
        steps += [
            Step("what may be skipped", "python3 Tests/required.py"),
            Step("layers", "python3 Tools/layers/layers.py"),
            Step("debug build", f"{BUILD} --build-tests {DEBUG}", ("packages",)),
            Step("release build", f"{BUILD} -c release --build-tests {RELEASE}", ("packages",)),
        ]
    else:
        steps.append(Step("debug build", f"{BUILD} --product cellfactory {DEBUG}", ("packages",)))
    # What talks to live servers and waits for deadlines does not run beside a build.
    built = tuple(step.name for step in steps if step.name.endswith(" build"))
    # What is tested from outside is what users run.
    binary = f"--binary {RELEASED if 'test' in groups else f'{DEBUG_FOLDER}/debug/cellfactory'}"
    if "test" in groups:
        steps += [
            Step("Swift tests of the server, debug", f"{SWIFT_TEST} {DEBUG} --filter {SERVER} --skip {LARGE}", built),
            Step("Swift tests of the command, release",
                 f"{SWIFT_TEST} -c release {RELEASE} --skip {MODULES} --skip {SERVER}", built),
            # That cost is linear is measured in the debug build alone: a release takes milliseconds, which caches decide.
            Step("Swift tests, release",
                 f"{SWIFT_TEST} -c release {RELEASE} --filter '^(CellTemplatesTests|CellsTests|CellServerTests|CellPreviewTests)[.]'"
                 " --skip 'ScalingTests|Linear'", built),
            # Processors differ: `make soak` has the limit that is promised.
            Step("turns", f"python3 Tests/Turns/turns.py {binary} --limit 8", built),
            Step("memory", f"python3 Tests/Memory/limit.py {binary}", built),
        ]
    if "browser" in groups:
        steps += [
            Step("attacks in a browser", f"{PYTHON} Tests/Browser/browser.py {binary}", built),
            Step("designs in a browser", f"python3 Tests/Browser/design.py {binary}", built),
            Step("origins in a browser", f"python3 Tests/Browser/origins.py {binary}", built),
            Step("fragments in a browser", f"{WEB} Tests/Web/fragments.py {binary}", built),
            Step("formats as a browser has them", "python3 Tests/Browser/intl.py", ("packages",)),
            Step("readings in a browser", f"python3 Tests/Browser/readings.py {binary}", built),
            Step("cells on a page", f"{WEB} Tests/Web/table.py {binary}", built),
            Step("examples in a browser", f"{WEB} Tests/Web/examples.py {binary}", built),
            Step("tutorial in a browser", f"{WEB} Tests/Web/tutorial.py {binary}", built),
            Step("preview in a browser",
                 f"Tests/Properties/run.sh .build-python-preview Tests/Preview/preview.py --output .build-preview {binary}", built),
        ]
    if "test" in groups:
        steps += [
            Step("properties", f"{PYTHON} Tests/Properties/properties.py {binary}", built),
            Step("model", f"python3 Tests/Model/compare.py {binary} --seconds 10", built),
            Step("model with formats",
                 f"Tests/Properties/run.sh .build-python-formats Tests/Model/compare.py {binary} --formats --seconds 10 --seed 2", built),
            Step("schemas", f"{PYTHON} Tests/Properties/schemas.py {binary}", built),
            Step("OpenAPI", f"{PYTHON} Tests/OpenAPI/openapi.py {binary}", built),
            Step("Swift tests of the modules, debug", f"{SWIFT_TEST} {DEBUG} --filter {MODULES} --skip {LARGE}", ("debug build",)),
            Step("allocations",
                 f"python3 Tests/Allocations/allocations.py --release {binary} --stages {RELEASE_FOLDER}/release/cells-benchmark", built),
            Step("declarations in three languages",
                 f"Tests/Properties/run.sh .build-python-declarations Tests/Declarations/declarations.py {binary}", built),
            Step("cells.js", f"python3 Tests/Web/module.py {binary}", built),
            Step("Python client", f"{WEB} Tests/Web/client.py {binary}", built),
            Step("generators of code",
                 f"Tests/Properties/run.sh .build-python-generators Tests/Generators/generators.py {binary}", built),
            Step("metrics", f"python3 Tests/Metrics/prometheus.py {binary} --programs .build-prometheus/usr/bin", built),
            Step("tables of locales", "python3 Tests/Formats/tables.py"),
            Step("formats as ICU has them", f"{FORMATS}/compare.py"),
            Step("languages as ICU chooses them", f"{FORMATS}/matching.py"),
            Step("time zones as Python has them", f"{FORMATS}/zones.py"),
            Step("values that fit formats", f"{FORMATS}/reading.py"),
            Step("public data of Unicode", f"{FORMATS}/public.py"),
            Step("damaged values and tables", f"{FORMATS}/robustness.py"),
            Step("manifests", f"Tests/Properties/run.sh .build-python-deploy Tests/Deploy/manifests.py {binary}", built),
            Step("proxy", f"python3 Tests/Deploy/proxy.py {binary}", built),
            Step("open pages", f"python3 Tests/Preview/streams.py {binary}", built),
        ]
    return steps


def soak_steps(binary):
    """What measures a program that is built already, alone on the machine. One that fails keeps none from running."""
    binary = f"--binary {binary}"
    seed = "--seed $(date +%j)"
    asking = f"{PYTHON} Tests/OpenAPI/openapi.py {binary} --seconds {os.environ.get('OPENAPI_SECONDS', 300)}"
    return [
        Step("small requests beside large ones", f"python3 Tests/Soak/mixed_batches.py {binary}"),
        Step("model with formats", f"Tests/Properties/run.sh .build-python-formats Tests/Model/compare.py {binary} --formats"),
        Step("formats as ICU has them", f"{FORMATS}/compare.py --values 1000000 {seed}"),
        Step("languages as ICU chooses them", f"{FORMATS}/matching.py --values 1000000 {seed}"),
        Step("values that fit formats", f"{FORMATS}/reading.py --values 300000 {seed}"),
        Step("damaged values and tables", f"{FORMATS}/robustness.py --seconds 120 {seed}"),
        Step("memory of a million requests", f"python3 Tests/Soak/memory.py {binary}"),
        Step("turns", f"python3 Tests/Turns/turns.py {binary}"),
        Step("memory", f"python3 Tests/Memory/limit.py {binary} --seconds 120"),
        Step("memory of one worker", f"python3 Tests/Memory/limit.py {binary} --seconds 60 --workers 1 --in-flight-limit-bytes 536870912"),
        Step("memory of each body", f"python3 Tests/Memory/limit.py {binary} --each --seconds 5"),
        Step("memory of loading", f"python3 Tests/Memory/loading.py {binary}"),
        Step("reloads", f"python3 Tests/Soak/reload.py {binary}"),
        Step("watched reloads", f"python3 Tests/Soak/reload.py {binary} --watch --seconds 30"),
        Step("rolling restarts", f"python3 Tests/Soak/rolling_restart.py {binary}"),
        Step("overload", f"python3 Tests/Soak/overload.py {binary}"),
        Step("slow clients", f"python3 Tests/Soak/slow_clients.py {binary}"),
        Step("a long page", f"{WEB} Tests/Web/long.py {binary}"),
        Step("rows rendered in process", f"{WEB} Tests/Web/in_process.py"),
        Step("OpenAPI", asking),
        Step("OpenAPI of what is off by default", f"{asking} -- --compression on --compression-min-bytes 200 --cors-origin https://app.example.org"),
    ]


class Runner:
    def __init__(self, steps, lanes, limit_seconds, folder):
        self.steps, self.lanes, self.limit_seconds = steps, lanes, limit_seconds
        for number, step in enumerate(steps):
            step.log = pathlib.Path(folder, str(number))
            step.log.touch()

    def run(self):
        """Runs all steps, and shows the output of each after that of those before it."""
        for step in self.steps:
            print(f"\n== {step.name}: {step.command}", flush=True)
            with step.log.open("rb") as log:
                while True:
                    self.advance()
                    is_over = step.status is not None
                    shutil.copyfileobj(log, sys.stdout.buffer)
                    sys.stdout.flush()
                    if is_over:
                        break
                    time.sleep(0.1)

    def advance(self):
        """Notes which steps have ended, and starts the next."""
        for step in self.running():
            ended, status, usage = os.wait4(step.process.pid, os.WNOHANG)
            if ended:
                step.status = step.process.returncode = os.waitstatus_to_exitcode(status)
                step.seconds = time.monotonic() - step.began
                # Of the processes that it has waited for, too.
                step.processor_seconds = usage.ru_utime + usage.ru_stime
                self.judge(step)
            else:
                self.end_late(step)
        named = {step.name: step for step in self.steps}
        for step in self.steps:
            if step.process or step.status is not None:
                continue
            needed = [named[name].status for name in step.after]
            if any(status not in (None, 0) for status in needed):
                step.status = 1
                step.log.write_text("not run: it needs a step that failed\n")
            elif all(status == 0 for status in needed) and self.has_room(step):
                self.start(step)

    def has_room(self, step):
        waiting = [other for other in [step, *self.running()] if other.name in WAITING]
        return len(self.running()) < self.lanes + (1 if waiting else 0)

    def end_late(self, step):
        """Ends a step that takes too long, with all that it has started."""
        late = time.monotonic() - step.began - self.limit_seconds
        if late > 0 and not step.is_late:
            step.is_late = True
            os.killpg(step.process.pid, signal.SIGTERM)
        elif late > GRACE_SECONDS:
            os.killpg(step.process.pid, signal.SIGKILL)

    def judge(self, step):
        """Fails a step that was ended, and one of Swift tests that ran none: a filter that matches nothing is no error of the
        runner."""
        if step.is_late:
            with step.log.open("a") as log:
                log.write(f"ended: it took more than {self.limit_seconds} s\n")
            step.status = 1
        if step.status == 0 and step.command.startswith(SWIFT_TEST):
            closing = CLOSING_LINE.findall(step.log.read_text(encoding="utf-8", errors="replace"))
            if not closing or "with 0 tests" in closing[-1]:
                with step.log.open("a") as log:
                    log.write("no test ran\n")
                step.status = 1

    def running(self):
        return [step for step in self.steps if step.process and step.status is None]

    def start(self, step):
        step.began = time.monotonic()
        with step.log.open("wb") as log:
            # In a session of its own, so that all of it can be ended.
            step.process = subprocess.Popen(
                step.command, shell=True, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                start_new_session=True)

    def end(self):
        """Ends the steps that are running: processes that this program has started."""
        for step in self.running():
            os.killpg(step.process.pid, signal.SIGTERM)
            step.process.wait()


def show_results(steps, seconds):
    print("\n== results")
    for step in steps:
        print(f"{step.seconds:6.0f} s  {step.processor_seconds:6.0f} s of a processor  {'passed' if step.status == 0 else 'FAILED'}  {step.name}")
    print(f"{seconds:6.0f} s  {sum(step.processor_seconds for step in steps):6.0f} s of a processor  in all")
    failed = [step for step in steps if step.status != 0]
    for step in failed:
        lines = step.log.read_text(encoding="utf-8", errors="replace").splitlines()
        # Tests/run.sh repeats there what failed.
        start = lines.index("What failed:") if "What failed:" in lines else max(len(lines) - SHOWN_LINES, 0)
        print(f"\nFAILED: {step.name}: {step.command}")
        print("\n".join("  " + line for line in lines[start:]))
    print(told())
    for step in steps:
        if closing := CLOSING_LINE.findall(step.log.read_text(encoding="utf-8", errors="replace")):
            print(closing[-1])
    return 1 if failed else 0


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("groups", nargs="+", help="test, browser or both, or soak and a program")
    arguments.add_argument("--lanes", type=int, default=min(os.cpu_count() or 1, 2), help="steps at a time")
    options = arguments.parse_args()
    is_soak = options.groups[0] == "soak" and len(options.groups) == 2
    if not is_soak and not set(options.groups) <= {"test", "browser"}:
        arguments.error("the groups are test and browser, or soak and a program")
    steps, lanes, limit_seconds = (
        (soak_steps(options.groups[1]), 1, SOAK_LIMIT_SECONDS) if is_soak
        else (steps_of(options.groups), options.lanes, LIMIT_SECONDS))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    pathlib.Path(os.environ.setdefault("SKIPPED", str(ROOT / ".build-skipped"))).unlink(missing_ok=True)
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(steps, lanes, limit_seconds, folder)
        try:
            runner.run()
        finally:
            runner.end()
        sys.exit(show_results(runner.steps, time.monotonic() - start))


if __name__ == "__main__":
    main()
