#!/usr/bin/env python3
"""Checks that the document at /openapi.json is valid and correct: schemathesis finds no problems with it.

Starts the real server on a free port of loopback. openapi-spec-validator validates the document. schemathesis sends
valid and invalid requests to every operation, alone and along its links, and validates every answer with all checks.
How many does not depend on the machine, unless a time is given: then as many as fit into it, by a random seed. Prints the
problems; status 1 if there are any, or if an operation was not asked.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "Tests"))

from ending import end  # noqa: E402

# A valid request may be 406 or 422, and an invalid one 200, for what no schema can tell: generating.py says for what, and
# holds them to it.
CONFIGURATION = """
[checks.positive_data_acceptance]
expected-statuses = ["2xx", "3xx", 404, 406, 422]
"""


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--binary", default=str(ROOT / ".build/debug/cellfactory"))
    arguments.add_argument("--examples", type=int, default=15, help="for each operation, and along its links")
    arguments.add_argument("--seconds", type=int, help="for schemathesis, in place of a number of examples")
    arguments.add_argument("--seed", type=int, help="as a failed run printed it; 1 without --seconds")
    arguments.add_argument("--exclude", action="append", default=[], help="a path that is not asked")
    arguments.add_argument("serve", nargs="*", help="options of serve")
    options = arguments.parse_args()
    server = subprocess.Popen(
        [options.binary, "serve", "--templates", str(ROOT / "templates"), "--port", "0", "--workers", "1", *options.serve],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        url = server.stdout.readline().removeprefix("listening on ").strip()
        if not url:
            sys.exit("the server does not listen")
        with tempfile.TemporaryDirectory() as folder:
            status = run(url, pathlib.Path(folder), options)
        if server.poll() is not None:
            sys.exit(f"the server ended, with status {server.returncode}")
    finally:
        end(server)
    sys.exit(status)


def run(url, folder, options):
    with urllib.request.urlopen(f"{url}/openapi.json") as answer:
        document = answer.read()
    (folder / "openapi.json").write_bytes(document)
    tools = pathlib.Path(sys.executable).parent
    if subprocess.run([tools / "openapi-spec-validator", folder / "openapi.json"]).returncode:
        return 1
    operations = operations_of(json.loads(document), options.exclude)
    print(f"openapi: {len(document)} bytes, {len(operations)} operations", flush=True)
    (folder / "schemathesis.toml").write_text(CONFIGURATION)
    environment = os.environ | {
        "SCHEMATHESIS_HOOKS": "generating", "PYTHONPATH": str(HERE), "PYTHONDONTWRITEBYTECODE": "1",
        "OPENAPI_DOCUMENT": str(folder / "openapi.json"), "OPENAPI_ASKED": str(folder / "asked.json"), "NO_COLOR": "1",
    }
    command = [
        tools / "schemathesis", "--config-file", folder / "schemathesis.toml", "run", f"{url}/openapi.json",
        "--continue-on-failure", "--checks", "all", "--exclude-checks", "negative_data_rejection",
        # A busy machine is slow.
        "--suppress-health-check", "too_slow",
    ]
    if options.seconds:
        command += ["--max-time", str(options.seconds)]
    else:
        command += ["--max-examples", str(options.examples)]
    if options.seed is not None or not options.seconds:
        command += ["--seed", str(options.seed or 1)]
    for path in options.exclude:
        command += ["--exclude-path", path]
    # In the folder: it leaves the examples it found where it runs.
    run = subprocess.run(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        timeout=3 * (options.seconds or 0) + 600)
    text = run.stdout
    if run.returncode:
        print(text[:20_000])
    summary = text.find("Test cases:")
    print(text[summary:].strip() if summary >= 0 else text[-2000:])
    missing = not_asked(operations, folder / "asked.json")
    for phase, labels in missing.items():
        print(f"openapi: {phase} asks nothing of {', '.join(labels)}")
    return 1 if run.returncode or missing else 0


def operations_of(document, excluded):
    """The operations by their labels, each with the labels of those that its links lead to. The document itself is where schemathesis reads it."""
    by_label = {
        f"{method.upper()} {path}": operation for path, operations in document["paths"].items() if path not in excluded
        for method, operation in operations.items() if method != "parameters" and (method, path) != ("get", "/openapi.json")}
    by_id = {operation.get("operationId"): label for label, operation in by_label.items()}
    return {
        label: {by_id[link["operationId"]] for answer in operation["responses"].values() for link in answer.get("links", {}).values()
                if link["operationId"] in by_id}
        for label, operation in by_label.items()}


def not_asked(operations, path):
    """The operations that a phase sent no request to, by phase."""
    asked = json.loads(path.read_text()) if path.exists() else {}
    linked = {label for label, targets in operations.items() if targets}.union(*operations.values())
    wanted = {"coverage": set(operations), "fuzzing": set(operations), "stateful": linked}
    missing = {phase: sorted(labels - set(asked.get(phase, {}))) for phase, labels in wanted.items()}
    for phase, counts in asked.items():
        print(f"openapi: {phase}: {sum(counts.values())} requests to {len(counts)} operations")
    return {phase: labels for phase, labels in missing.items() if labels}


if __name__ == "__main__":
    main()
