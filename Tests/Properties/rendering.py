"""Renders cells with the real command."""

import json
import pathlib
import subprocess
import tempfile


def rendered(binary, context, values):
    """Renders the cell for each value, and returns the outputs in order."""
    with tempfile.TemporaryDirectory() as folder:
        templates = pathlib.Path(folder, "templates")
        templates.mkdir()
        (templates / context.file).write_text(context.template, encoding="utf-8")
        if context.custom:
            attributes = [{"name": name, "type": {"text": text}} for name, text in context.custom]
            declaration = {"tagName": "x-card", "attributes": attributes}
            (templates / "custom-elements.json").write_text(json.dumps({"modules": [{"declarations": [declaration]}]}))
        rows = pathlib.Path(folder, "rows.json")
        rows.write_text(json.dumps([row(value) for value in values]), encoding="utf-8")
        run = subprocess.run(
            [binary, "render", "context", "--templates", str(templates), "--format", "ndjson", str(rows)],
            capture_output=True, timeout=60)
        if run.returncode != 0:
            raise RuntimeError(run.stderr.decode("utf-8", "replace")[:1000])
        return [content(json.loads(line)) for line in run.stdout.decode("utf-8").split("\n") if line]


def row(value):
    """Returns a row with the value for names and tags, and for outlets that take objects, with or without a text."""
    names = [
        "href", "src", "srcset", "title", "alt", "value", "id", "style", "action", "cite", "ping", "hx-get", "data-note",
        "data-src", "aria-label",
    ]
    return {
        "v": value, "7": value, "o": dict.fromkeys(names, value) | {"class": [value]}, "classes": {"class": ["a", value, "b"]},
        "t": {"text": value}, "list": [{"text": value}],
    }


def content(row):
    """Returns the content of a JSON row: that of a text cell has another name."""
    return row["html"] if "html" in row else row["text"]
