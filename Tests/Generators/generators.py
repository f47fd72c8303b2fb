#!/usr/bin/env python3
"""Checks that generators of code, which nobody here wrote, understand what the service says of itself.

datamodel-code-generator makes models from the strict schema of each kind of templates/: they must accept every sample row
and refuse rows with a member of a wrong type. openapi-python-client reads the API description without a warning, and its
client must render cells of a running server.
"""

import argparse
import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE.parent / "Declarations"), str(ROOT / "Tests/Preview")]

from declarations import wrong_rows  # noqa: E402
from server import preview  # noqa: E402

TOOLS = pathlib.Path(sys.executable).parent
DATE = re.compile(r"\d{4}-\d\d-\d\d")


def run(*command, folder):
    """Runs a tool of the environment. Returns what it printed."""
    environment = os.environ | {"PATH": f"{TOOLS}:{os.environ['PATH']}"}
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, env=environment)
    if ended.returncode:
        sys.exit(f"generators: {command[0]} fails: {ended.stdout}{ended.stderr}")
    return ended.stdout + ended.stderr


def imported(path, name):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def judge_models(server, folder):
    """Models of every kind: faults, and how many rows were judged."""
    import jsonschema
    import pydantic

    faults, rights, refused = [], 0, 0
    kinds = [described["kind"] for described in json.loads(server.get("/kinds"))["kinds"]]
    for number, kind in enumerate(kinds):
        sample = ROOT / "templates" / f"{kind}.sample.json"
        if not sample.exists():
            continue
        schema = server.get(f"/schemas/{urllib.parse.quote(kind)}?strict=true")
        (folder / f"schema{number}.json").write_text(schema)
        run(
            "datamodel-codegen", "--input", f"schema{number}.json", "--input-file-type", "jsonschema", "--output",
            f"model{number}.py", "--output-model-type", "pydantic_v2.BaseModel", "--class-name", "TheRow",
            "--strict-types", "str", "int", "float", "bool", "--formatters", "builtin", folder=folder)
        model = imported(folder / f"model{number}.py", f"model{number}").TheRow
        judge = jsonschema.Draft202012Validator(json.loads(schema))
        rows = json.loads(sample.read_text())
        for row in rows:
            rights += 1
            try:
                model.model_validate(row)
            except pydantic.ValidationError as error:
                faults.append(f"the model of {kind} refuses {row}: {error}")
        for row, wrong, _ in wrong_rows(rows[0], judge, judge):
            # What is null is left out, in Python.
            if wrong == "null":
                continue
            # Pydantic takes numbers for times.
            if wrong == "number" and any(row[name] == 7 and DATE.match(str(value)) for name, value in rows[0].items()):
                continue
            refused += 1
            try:
                model.model_validate(row)
                faults.append(f"the model of {kind} takes {row}")
            except pydantic.ValidationError:
                pass
    return faults, rights, refused


# The generator knows no lines of JSON. To it, such bodies are bytes.
OVERRIDES = {"application/x-ndjson": "application/octet-stream", "application/jsonl": "application/octet-stream"}


def json_alone(description):
    """The description with one type of body for each request. With several, the generator's code asks whether a body is an
    instance of `list[Any]`, which Python refuses."""
    for path in description["paths"].values():
        for operation in path.values():
            if isinstance(operation, dict) and "requestBody" in operation:
                content = operation["requestBody"]["content"]
                for name in [name for name in content if name != "application/json"]:
                    del content[name]
    return description


def generate(folder, name, description):
    """Generates a client into a package. Returns what the generator complains of."""
    (folder / f"{name}.json").write_text(json.dumps(description))
    (folder / "config.json").write_text(json.dumps({"content_type_overrides": OVERRIDES}))
    told = run("openapi-python-client", "generate", "--path", f"{name}.json", "--output-path", name, "--meta", "none",
               "--config", "config.json", folder=folder)
    return [line for line in told.splitlines() if line.strip() and not line.startswith("Generating ")]


def judge_client(server, folder):
    """Clients made of the API description: faults."""
    description = json.loads(server.get("/openapi.json"))
    faults = [f"openapi-python-client says: {line}" for line in generate(folder, "whole", description)]
    faults += [f"openapi-python-client says: {line}" for line in generate(folder, "client", json_alone(description))]
    sys.path.insert(0, str(folder))
    from client import Client
    from client.api.cells import post_cells
    from client.api.kinds import get_kinds
    from client.models.kind import Kind

    with Client(base_url=server.url) as client:
        text = post_cells.sync(Kind("news"), client=client, body=[{"title": "Made by a generator"}])
        if not isinstance(text, str) or "<a>Made by a generator</a>" not in text:
            faults.append(f"the client renders {text!r}")
        found = get_kinds.sync(client=client)
        if len(found.kinds) < 10:
            faults.append(f"the client lists {found}")
        refusal = post_cells.sync_detailed(Kind("news"), client=client, body=[3])
        if refusal.status_code != 422 or refusal.parsed.errors[0].pointer != "/0":
            faults.append(f"the client reads a refusal as {refusal}")
    return faults


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--binary", default=str(ROOT / ".build/debug/cellfactory"))
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as name, preview(options.binary, ROOT / "templates") as server:
        folder = pathlib.Path(name)
        faults, rights, refused = judge_models(server, folder)
        faults += judge_client(server, folder)
    if not rights or not refused:
        faults.append(f"{rights} sample rows and {refused} others were judged: there have to be both")
    for fault in faults:
        print(f"generators: {fault}")
    if not faults:
        print(f"generators: models take {rights} sample rows and refuse {refused} others; a client renders cells")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
