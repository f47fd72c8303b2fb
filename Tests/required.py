#!/usr/bin/env python3
"""Checks that nothing is skipped by accident: each test that needs something optional fails without it if all is required.

Runs tests without anything they need: they are skipped, and fail with CI=true or REQUIRE_ALL=1. Those that CI does not run
are among them, for whoever runs them so. Each is a step or has a target of its own. Swift tests may be skipped only if a
public suite is missing. Takes some seconds.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PYTHON = [sys.executable]
# All that skip themselves, and what they are run with.
NEEDY = {
    "Browser/browser.py": ("--binary", "none"),
    "Browser/design.py": ("--binary", "none"),
    "Browser/intl.py": (),
    "Browser/origins.py": ("--binary", "none"),
    "Browser/readings.py": ("--binary", "none"),
    "Container/image.py": (),
    "Declarations/declarations.py": ("--binary", "none"),
    "Deploy/proxy.py": ("--binary", "none"),
    "Metrics/prometheus.py": ("--binary", "none"),
    "Preview/preview.py": ("--binary", "none"),
    "Web/examples.py": ("--binary", "none"),
    "Web/fragments.py": ("--binary", "none"),
    "Web/in_process.py": (),
    "Web/long.py": ("--binary", "none"),
    "Web/module.py": ("--binary", "none"),
    "Web/table.py": ("--binary", "none"),
    "Web/tutorial.py": ("--binary", "none"),
}
# Skips a part, once it has run the rest.
PARTLY_NEEDY = {"Deploy/manifests.py"}
# Those that may pass over data and libraries that lie beside the project, in CI, too.
PASSING_OVER = {"Formats/public.py", "Web/examples.py", "Web/fragments.py"}
# These look for another program. They fail without it, or their caller says whether it must be there.
CHOOSING = {
    "Allocations/allocations.py", "Browser/chromium.py", "Container/bases.py", "Formats/engine.py", "Model/model.py", "Soak/rolling_restart.py"}
OWN = {"required.py", "skipping.py", "without.py"}
# Those that read a suite that lies beside the project.
PUBLIC_SUITES = {"JSONTestSuiteTests.swift", "MustacheSpecTests.swift"}
# What the environment may say. All of it is tried with one script, and the first two with each.
WAYS = [{}, {"CI": "true"}, {"CI": "false", "REQUIRE_ALL": "0"}, {"CI": "1"}, {"REQUIRE_ALL": "1"}]
problems = []


def expect(condition, *words):
    if not condition:
        problems.append(" ".join(map(str, words)))


def run(command, environment):
    kept = {key: value for key, value in os.environ.items() if key not in ("CI", "REQUIRE_ALL")}
    return subprocess.run(command, env=kept | environment, capture_output=True, text=True)


def check(name, command, empty, ways):
    listed = pathlib.Path(empty, "skipped")
    for required in ways:
        is_required = any(value not in ("false", "0") for value in required.values())
        if not is_required:
            listed.unlink(missing_ok=True)
        ended = run(command, {"PATH": empty, "SKIPPED": str(listed)} | required)
        expect(ended.returncode == (1 if is_required else 0), name, required, ended.stdout, ended.stderr)
        expect(("SKIPPED" in ended.stdout) == (not is_required), name, required, ended.stdout)
    told = run([*PYTHON, HERE / "skipping.py", "--told"], {"SKIPPED": str(listed)}).stdout
    expect(told.startswith("skipped: ") and told.count("\n") == 1 and told.count(".py (") == 1, name, "is told as", told)


def check_packages(empty):
    # Nobody listens there.
    command = ["sh", HERE / "Properties/run.sh", empty + "/python", HERE / "Properties/properties.py"]
    ended = run(command, {"PIP_INDEX_URL": "http://127.0.0.1:9/simple", "CI": "true"})
    expect(ended.returncode == 1 and "PyPI" in ended.stderr, "Properties/run.sh", ended.stdout, ended.stderr)


def main():
    with tempfile.TemporaryDirectory() as empty:
        for script, arguments in NEEDY.items():
            ways = WAYS if script == "Browser/intl.py" else WAYS[:2]
            check(script, [*PYTHON, HERE / "without.py", HERE / script, *arguments], empty, ways)
        check_packages(empty)
    conditional = {
        path.name for path in HERE.rglob("*.swift") if re.search(r"\.(enabled|disabled)\(", path.read_text())}
    expect(conditional == PUBLIC_SUITES, "Swift tests that may be skipped:", conditional)
    texts = {str(path.relative_to(HERE)): path.read_text() for path in HERE.rglob("*.py")}

    started = texts["steps.py"] + (HERE.parent / "Makefile").read_text()
    for script in (*NEEDY, *PARTLY_NEEDY):
        expect(f"Tests/{script}" in started, script, "is started by nothing")

    def having(pattern):
        return {name for name, text in texts.items() if re.search(pattern, text)} - OWN

    expect(not having(r"print\(.*SKIPPED"), having(r"print\(.*SKIPPED"), "skip by themselves")
    skipping = having(r"\b(skip|is_skipped_without)\(")
    expect(skipping == {*NEEDY, *PARTLY_NEEDY}, "tests that skip themselves:", skipping ^ {*NEEDY, *PARTLY_NEEDY})
    passing_over = having(r"\bpass_over\(")
    expect(passing_over == PASSING_OVER, "tests that pass over something:", passing_over ^ PASSING_OVER)
    looking = having(r"\bwhich\(|except \(?(ImportError|ModuleNotFoundError)") - skipping
    expect(looking == CHOOSING, "tests that look for what may not be there, and do not skip:", looking ^ CHOOSING)
    for script, text in texts.items():
        names = "|".join([r".*\bwhich\(.*", *re.findall(r"^ *(\w+) = shutil\.which\(", text, re.M)])
        silent = re.search(rf"^ *if (not )?({names})( is None)?:\s+(return( 0| None)?|pass|continue|sys\.exit\(0?\))$", text, re.M)
        expect(not silent, script, "skips without a word:", silent and silent[0])
    for problem in problems:
        print(problem)
    print(f"tests that cannot be skipped if all is required: {len(NEEDY) + 1} checked, {len(problems)} problems")
    sys.exit(1 if problems else 0)


main()
