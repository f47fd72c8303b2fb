#!/usr/bin/env python3
"""Checks that GET /schemas/KIND returns a JSON Schema, the same one that `check` uses for samples.

Requests the schema of every kind from the real server, for the package's templates and for some difficult ones. Each
must be valid under its metaschema. For every sample, unchanged and changed at random, `jsonschema` and
`cellfactory check` must refuse the same values, and for some kinds nothing that the server takes. Of samples that lack names,
the schemas of some kinds must refuse just what the server refuses. What a schema refuses for its format alone, `check` must
name as a misfit. The strict schema must accept every sample, random ones included, nothing that the plain one refuses, and no
row with another type or name. Prints errors; status 1 if there are any.
"""

import argparse
import contextlib
import copy
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import urllib.request

import jsonschema

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "Tests"))

from ending import end  # noqa: E402

# Recursion in all its forms, names that a pointer or URI takes for its own, blocks, lists, outlets.
DIFFICULT = {
    "tree.mustache": "<i>{{label.text}}{{#kids}}{{>tree}}{{/kids}}</i>",
    "ping.mustache": "{{x.a}}{{#p}}{{>pong}}{{/p}}{{^end}}{{>pong}}{{/end}}",
    "pong.mustache": "{{y.a}}{{#p}}{{>ping}}{{/p}}{{^end}}{{>ping}}{{/end}}",
    "odd.mustache": "{{a~b/c.d}}{{%25.#}}{{\"\\.é}}{{#x/y}}{{z~.w}}{{/x/y}}",
    "base.mustache": "<p>{{$t}}{{title.text}}{{/t}}{{sub.title}}</p>",
    "deep/page.mustache": "{{<base}}{{$t}}{{title}}{{>tree}}{{/t}}{{/base}}",
    "lists.mustache": "<p>{{a.0.b}}{{#l}}{{#.}}{{c.d}}{{/.}}{{e.f}}{{/l}}{{#.}}{{g.h}}{{/.}}</p>",
    "nib.html": "<div data-cell=nib><h2 data-outlet=o.t>t</h2><ul data-outlet=list><li data-outlet=item.name"
                " data-bind='title class'>d</li></ul><b data-tag=7>7</b><i data-outlet=.>{{q.r}}</i></div>",
    "strict.html": "<div data-cell=strict><h2 data-outlet=title data-missing=error>t</h2>{{>stricter}}</div>"
                   "<p data-cell=stricter data-missing=error><b data-outlet=x.y>b</b></p>",
    "line.txt.mustache": "{{{a.b}}}{{#c}}{{{a.b}}}{{/c}}",
    "numbers.mustache": "<p>{{a | number}} {{x.y | percent}} {{b | integer}}</p>",
    "amounts.html": "<div data-cell=amounts><b data-outlet=a data-format=number>1</b><i data-outlet=list>"
                    "<u data-outlet=item data-format='number digits=2'>1</u></i></div>",
    "cards.html": "<div data-cell=cards><h2 data-outlet=a data-missing=error>t</h2><div data-outlet=o><b data-outlet=t"
                  " data-missing=error>b</b><i data-bind='title:d' data-missing=error>i</i></div>"
                  "<i data-outlet=l data-include=carded>c</i>{{^end}}{{>seldom}}{{/end}}</div>"
                  "<div data-cell=carded data-missing=error><b data-outlet=b>b</b><img data-bind='src:x; alt:y' src=a>"
                  "<i data-outlet=kids data-include=carded data-missing=drop>c</i></div>"
                  "<p data-cell=said data-missing=error>{{a}}<i title=\"{{b.c}}\" hidden=\"{{d}}\">{{#e}}{{f}}{{/e}}</i>"
                  "<i data-bind=\"title:'{g} {h.x}'; class+:'{p}'\">i</i><u data-outlet=o data-missing=drop>"
                  "<i data-bind=\"title:'{q}'\" data-missing=error></i>{{y}}</u>"
                  "<i data-outlet=l data-include=saying data-missing=drop>c</i>{{w | number}}</p>"
                  "<b data-cell=saying data-missing=error>{{x}}<i data-missing=drop>{{y}}</i></b>"
                  "<p data-cell=seldom><b data-outlet=o><i data-outlet=q data-missing=error>i</i></b></p>",
    "cards.sample.json": '[{"a": "A", "o": {"t": 1, "d": "D"}, "l": [{"b": 2, "x": "/x", "y": "Y"}], "end": 1}]',
    "said.sample.json": '[{"a": "A", "b": {"c": 1}, "g": 1, "h": {"x": 2}, "p": "P", "o": {"q": 1, "y": 2},'
                        ' "l": [{"x": 3}], "w": 1, "y": 4}]',
    "carded.sample.json": '[{"b": 2, "x": "/x", "y": "Y", "kids": [{"b": {"text": 1}, "x": null}]}]',
    "owner.mustache": "<b>{{owner.name.first}}{{#owner}}{{x.y}}{{>tree}}{{/owner}}</b>",
}
NAMES = ["label", "text", "kids", "x", "y", "a", "p", "end", "a~b/c", "d", "%25", "#", '"\\', "é", "x/y", "z~", "w",
         "title", "sub", "l", "b", "c", "e", "f", "g", "h", "0", "o", "t", "list", "item", "name", "7", "q", "r", "."]


def value(rng, depth=0):
    """Returns a random JSON value with the names that the templates use."""
    choice = rng.randrange(10 if depth < 4 else 5)
    if choice < 5:
        return rng.choice([None, True, False, 0, 1.5, "", "text"])
    if choice < 7:
        return [value(rng, depth + 1) for _ in range(rng.randrange(4))]
    return {name: value(rng, depth + 1) for name in rng.sample(NAMES, rng.randrange(6))}


def changed(rng, row):
    """Returns the row with one value replaced."""
    row = copy.deepcopy(row)
    places = []

    def walk(holder):
        for key in holder if isinstance(holder, dict) else range(len(holder)):
            places.append((holder, key))
            if isinstance(holder[key], (dict, list)):
                walk(holder[key])

    if isinstance(row, (dict, list)):
        walk(row)
    if not places:
        return value(rng)
    holder, key = rng.choice(places)
    holder[key] = value(rng)
    return row


def lacking(rng, row):
    """Returns the row without one or two of its names."""
    row = copy.deepcopy(row)
    for _ in range(rng.randint(1, 2)):
        places = []

        def walk(holder):
            if isinstance(holder, dict):
                places.extend((holder, key) for key in holder)
            for part in holder.values() if isinstance(holder, dict) else holder:
                if isinstance(part, (dict, list)):
                    walk(part)

        walk(row)
        if places:
            holder, key = rng.choice(places)
            del holder[key]
    return row


@contextlib.contextmanager
def serving(binary, folder):
    """Starts a server of the folder's templates and yields its base URL."""
    command = [binary, "serve", "--templates", str(folder), "--port", "0", "--workers", "1"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        yield process.stdout.readline().split()[-1]
    finally:
        end(process)


def schemas(binary, folder, query=""):
    with serving(binary, folder) as base:
        with urllib.request.urlopen(base + "/kinds") as answer:
            kinds = [kind["kind"] for kind in json.load(answer)["kinds"]]
        found = {}
        for kind in kinds:
            with urllib.request.urlopen(f"{base}/schemas/{kind}{query}") as answer:
                found[kind] = json.load(answer)
        return found


def strict_faults(binary, folder, count, rng):
    """Returns what is wrong with the strict schemas, for the folder's samples and for random ones."""
    faults = []
    refusals = 0
    plain, samples = schemas(binary, folder), {}
    for kind, schema in plain.items():
        path = folder / f"{kind}.sample.json"
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            accepted = jsonschema.Draft202012Validator(schema)
            rows = [row for row in (value(rng) for _ in range(40)) if accepted.is_valid(row)]
            path.write_text(json.dumps(rows), encoding="utf-8")
        samples[kind] = json.loads(path.read_text(encoding="utf-8"))
    for kind, schema in schemas(binary, folder, "?strict=true").items():
        try:
            jsonschema.Draft202012Validator.check_schema(schema)
        except jsonschema.SchemaError as error:
            faults.append(f"{kind}: no strict schema: {error.message}")
        strict = jsonschema.Draft202012Validator(schema)
        accepted = jsonschema.Draft202012Validator(plain[kind])
        for place, row in enumerate(samples[kind]):
            for error in strict.iter_errors(row):
                faults.append(f"{kind}: sample row {place} is refused by the strict schema: {error.message}")
        for _ in range(count if samples[kind] else 0):
            row = changed(rng, rng.choice(samples[kind]))
            refused = not strict.is_valid(row)
            refusals += refused
            if not refused and not accepted.is_valid(row):
                faults.append(f"{kind}: the strict schema accepts what the plain one refuses: {json.dumps(row)}")
    if refusals == 0:
        faults.append("the strict schemas refused nothing")
    return faults


# The kinds whose values misfit only if the schema refuses them: it says nothing of dates, and of lists in lists.
EXACT = {"numbers"}


# The kinds whose schemas require all that every row must have: each of their names is always reached.
SAYING = {"said", "saying"}


# The kinds whose schemas refuse nothing that the server takes. Others refuse a text where names are looked up in it.
LENIENT = {"cards", "carded", "seldom", "said", "saying"}


def taken(binary, folder, samples):
    """Returns the rows that the server renders, by kind."""
    found = {}
    with serving(binary, folder) as base:
        for kind, rows in samples.items():
            request = urllib.request.Request(
                f"{base}/cells/{kind}?on_error=skip&format=json", json.dumps(rows).encode(),
                {"Content-Type": "application/json"})
            with urllib.request.urlopen(request) as answer:
                drawn = json.load(answer)["rows"]
            found[kind] = [row for row, cell in zip(rows, drawn) if "error" not in cell]
    return found


def is_fit(part):
    """Whether a part of a union says what fits a format."""
    return "pattern" in part or part.get("anyOf") == [{"format": "date-time"}, {"format": "date"}]


def relaxed(schema):
    """Returns the schema without what its formats say."""
    if isinstance(schema, list):
        return [relaxed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    union = schema.get("anyOf", [])
    if any(is_fit(part) for part in union):
        others = [part for part in union if "object" in part["type"] or part["type"] == "array"]
        union = [{"type": ["string", "number", "boolean", "null"]}] + (others or [{"type": ["object", "array"]}])
    rest = {key: relaxed(value) for key, value in schema.items() if key not in ("anyOf", "examples")}
    return rest | ({"anyOf": relaxed(union)} if union else {})


def found_by_check(binary, folder, samples):
    """Returns, for each kind, the rows that `check` refuses by the schema, and those with a misfit."""
    for kind, rows in samples.items():
        path = folder / f"{kind}.sample.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]", encoding="utf-8")
    run = subprocess.run([binary, "check", str(folder), "--json"], capture_output=True, timeout=300)
    refused = {kind: set() for kind in samples}
    misfits = {kind: set() for kind in samples}
    for found in json.loads(run.stdout):
        places = {"sample-mismatch": refused, "sample-misfit": misfits}.get(found["code"])
        if places is not None:
            kind = found["file"][len(str(folder)) + 1:-len(".sample.json")]
            places[kind].add(found["line"] - 2)
    return refused, misfits


def judge(binary, folder, count, rng):
    """Returns the faults as messages."""
    faults = []
    validators, plain = {}, {}
    for kind, schema in schemas(binary, folder).items():
        try:
            jsonschema.Draft202012Validator.check_schema(schema)
        except jsonschema.SchemaError as error:
            faults.append(f"{kind}: no schema: {error.message}")
        validators[kind] = jsonschema.Draft202012Validator(schema)
        plain[kind] = jsonschema.Draft202012Validator(relaxed(schema))
        if schema["$id"] != f"/schemas/{kind}" or schema["$schema"] != validators[kind].META_SCHEMA["$id"]:
            faults.append(f"{kind}: has another name: {schema['$id']}")

    samples, wholes = {}, {}
    for kind, validator in validators.items():
        path = folder / f"{kind}.sample.json"
        rows = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
        for place, row in enumerate(rows):
            for error in validator.iter_errors(row):
                faults.append(f"{kind}: sample row {place} is refused: {error.message}")
        wholes[kind] = rows
        rows = rows or [{}]
        made = [changed(rng, rng.choice(rows)) for _ in range(count)] + [value(rng) for _ in range(count)]
        samples[kind] = made

    rendered = taken(binary, folder, {kind: rows for kind, rows in samples.items() if kind in LENIENT})
    for kind, rows in rendered.items():
        refused = [row for row in rows if not validators[kind].is_valid(row)]
        faults += [f"{kind}: the schema refuses what the server takes: {json.dumps(row)}" for row in refused]
        if not rows or len(rows) == len(samples[kind]):
            faults.append(f"{kind}: the server took {len(rows)} of {len(samples[kind])} rows: this judges nothing")

    # Of a row that is right but for names that it lacks, both say the same.
    poor = {kind: [lacking(rng, row) for row in wholes[kind] for _ in range(count)] for kind in SAYING & set(validators)}
    for kind, rows in taken(binary, folder, poor).items():
        refusals = [row for row in poor[kind] if row not in rows]
        faults += [f"{kind}: the schema accepts what the server refuses: {json.dumps(row)}" for row in refusals
                   if validators[kind].is_valid(row)]
        faults += [f"{kind}: the schema refuses what the server takes: {json.dumps(row)}" for row in rows
                   if not validators[kind].is_valid(row)]
        if wholes[kind] and not refusals:
            faults.append(f"{kind}: the server took all rows that lack names: this judges nothing")

    # Each file tells of at most a hundred values: so few rows at a time.
    refusals = misfitting = 0
    for start in range(0, 2 * count, 20):
        part = {kind: rows[start:start + 20] for kind, rows in samples.items()}
        refused, misfits = found_by_check(binary, folder, part)
        for kind, rows in part.items():
            for place, row in enumerate(rows):
                expected = not plain[kind].is_valid(row)
                refusals += expected
                if expected != (place in refused[kind]):
                    told = "refused by jsonschema alone" if expected else "refused by check alone"
                    faults.append(f"{kind}: {told}: {json.dumps(row)}")
                fits = validators[kind].is_valid(row)
                misfitting += place in misfits[kind]
                if not expected and not fits and place not in misfits[kind]:
                    faults.append(f"{kind}: refused for its format, but no misfit: {json.dumps(row)}")
                if fits and place in misfits[kind] and kind in EXACT:
                    faults.append(f"{kind}: a misfit that the schema accepts: {json.dumps(row)}")
    if refusals == 0:
        faults.append("no row was refused: this judges nothing")
    if EXACT & set(validators) and misfitting == 0:
        faults.append("no value was a misfit: this judges nothing")
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", default=str(ROOT / ".build/debug/cellfactory"))
    parser.add_argument("--rows", type=int, default=200)
    options = parser.parse_args()
    faults = []
    with tempfile.TemporaryDirectory() as temporary:
        package = pathlib.Path(temporary, "package")
        shutil.copytree(ROOT / "templates", package)
        difficult = pathlib.Path(temporary, "difficult")
        for name, text in DIFFICULT.items():
            (difficult / name).parent.mkdir(parents=True, exist_ok=True)
            (difficult / name).write_text(text, encoding="utf-8")
        for folder in (package, difficult):
            faults += strict_faults(options.binary, folder, options.rows, random.Random(2))
            faults += judge(options.binary, folder, options.rows, random.Random(1))
    for fault in faults[:50]:
        print(fault)
    print(f"schemas: {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
