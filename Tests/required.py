#!/usr/bin/env python3
"""Checks that nothing is skipped by accident: each test that needs something optional fails without it in CI.

Runs tests without anything they need: they are skipped, and fail with CI=true or REQUIRE_ALL=1. Swift tests may be
skipped only if a public suite is missing. Takes some seconds.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PYTHON = [sys.executable]
NEEDY = [
    ("Browser/design.py", "--binary", "none"),
    ("Browser/intl.py",),
    ("Browser/origins.py", "--binary", "none"),
    ("Browser/readings.py", "--binary", "none"),
    ("Container/image.py",),
    ("Metrics/prometheus.py", "--binary", "none"),
]
# Those that read a suite that lies beside the project.
PUBLIC_SUITES = {"JSONTestSuiteTests.swift", "MustacheSpecTests.swift"}
problems = []


def expect(condition, *words):
    if not condition:
        problems.append(" ".join(map(str, words)))


def run(command, environment):
    kept = {key: value for key, value in os.environ.items() if key not in ("CI", "REQUIRE_ALL")}
    return subprocess.run(command, env=kept | environment, capture_output=True, text=True)


def check(name, command, empty):
    listed = pathlib.Path(empty, "skipped")
    for required in ({}, {"CI": "false", "REQUIRE_ALL": "0"}, {"CI": "true"}, {"CI": "1"}, {"REQUIRE_ALL": "1"}):
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
        for script, *arguments in NEEDY:
            check(script, [*PYTHON, HERE / script, *arguments], empty)
        check_packages(empty)
    conditional = {
        path.name for path in HERE.rglob("*.swift") if re.search(r"\.(enabled|disabled)\(", path.read_text())}
    expect(conditional == PUBLIC_SUITES, "Swift tests that may be skipped:", conditional)
    for path in HERE.rglob("*.py"):
        text = path.read_text()
        expect(path.name == "skipping.py" or not re.search(r"print\(.*SKIPPED", text), path, "skips by itself")
        for name in re.findall(r"^ *(\w+) = shutil\.which\(", text, re.M):
            silent = re.search(rf"^ *if not {name}:\n +(return|pass|continue)$", text, re.M)
            expect(not silent, path, "skips without a word where there is no", name)
    for problem in problems:
        print(problem)
    print(f"tests that cannot be skipped in CI: {len(NEEDY) + 1} checked, {len(problems)} problems")
    sys.exit(1 if problems else 0)


main()
