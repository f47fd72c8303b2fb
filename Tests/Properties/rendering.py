"""Renders cells with the real command."""

import json
import pathlib
import subprocess
import tempfile


def rendered(binary, context, values):
    """The cell's output for each value, in order."""
    with tempfile.TemporaryDirectory() as folder:
        templates = pathlib.Path(folder, "templates")
        templates.mkdir()
        (templates / context.file).write_text(context.template, encoding="utf-8")
        rows = pathlib.Path(folder, "rows.json")
        rows.write_text(json.dumps([row(value) for value in values]), encoding="utf-8")
        run = subprocess.run(
            [binary, "render", "context", "--templates", str(templates), "--format", "ndjson", str(rows)],
            capture_output=True, timeout=60)
        if run.returncode != 0:
            raise RuntimeError(run.stderr.decode("utf-8", "replace")[:1000])
        return [content(json.loads(line)) for line in run.stdout.decode("utf-8").split("\n") if line]


def row(value):
    """A row that holds the value for names and tags, and for outlets that take objects, with text of their own or not."""
    names = [
        "href", "src", "srcset", "title", "alt", "value", "id", "style", "action", "cite", "ping", "hx-get", "data-note",
        "data-src", "aria-label",
    ]
    return {
        "v": value, "7": value, "o": dict.fromkeys(names, value) | {"class": [value]}, "classes": {"class": ["a", value, "b"]},
        "t": {"text": value}, "list": [{"text": value}],
    }


def content(row):
    """A text cell's content has a name of its own."""
    return row["html"] if "html" in row else row["text"]
