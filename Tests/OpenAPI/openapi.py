#!/usr/bin/env python3
"""Checks that the document at /openapi.json is valid and correct: schemathesis finds no problems with it.

Starts the real server on a free port of loopback. openapi-spec-validator validates the document. schemathesis sends
valid and invalid requests to every operation, alone and along its links, and validates every answer with all checks.
Prints the problems; status 1 if there are any.
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
    arguments.add_argument("--seconds", type=int, default=12, help="for schemathesis")
    arguments.add_argument("--seed", type=int, help="as a failed run printed it")
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
    operations = sum(len(set(path) - {"parameters"}) for path in json.loads(document)["paths"].values())
    print(f"openapi: {len(document)} bytes, {operations} operations", flush=True)
    (folder / "schemathesis.toml").write_text(CONFIGURATION)
    environment = os.environ | {
        "SCHEMATHESIS_HOOKS": "generating", "PYTHONPATH": str(HERE), "PYTHONDONTWRITEBYTECODE": "1",
        "OPENAPI_DOCUMENT": str(folder / "openapi.json"), "NO_COLOR": "1",
    }
    command = [
        tools / "schemathesis", "--config-file", folder / "schemathesis.toml", "run", f"{url}/openapi.json",
        "--max-time", str(options.seconds), "--continue-on-failure", "--checks", "all",
        "--exclude-checks", "negative_data_rejection",
    ] + (["--seed", str(options.seed)] if options.seed is not None else [])
    for path in options.exclude:
        command += ["--exclude-path", path]
    # In the folder: it leaves the examples it found where it runs.
    run = subprocess.run(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        timeout=3 * options.seconds + 120)
    text = run.stdout
    if run.returncode:
        print(text[:20_000])
    summary = text.find("Test cases:")
    print(text[summary:].strip() if summary >= 0 else text[-2000:])
    return 1 if run.returncode else 0


if __name__ == "__main__":
    main()
