#!/usr/bin/env python3
"""Checks `cellfactory types` by compilers: right rows pass, wrong ones do not.

Writes the types of the kinds of templates/ and of kinds with nasty names, and beside them every sample row, and rows with
one member of a wrong type or one that is unknown, as the strict schema says. tsc and mypy judge the rows as literals; Swift
decodes them and must encode what it has read. Needs tsc, swiftc and mypy.
"""

import argparse
import concurrent.futures
import json
import pathlib
import subprocess
import sys
import tempfile
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE.parent), str(ROOT / "Tests/Preview")]

from server import preview  # noqa: E402
from skipping import is_skipped_without  # noqa: E402

VALUES = {"string": "wrong", "number": 7, "boolean": True, "null": None, "object": {"zz": 1}, "list": [{"zz": 1}]}
SECONDS = 300

# Names that are words of a language, that are no names there, or that become the same name.
NASTY = {
    "class.mustache": "{{class}} {{for}} {{self}} {{init}} {{Type}} {{hash}} {{__slots}} {{True}} {{constructor}} {{CodingKeys}}",
    "class.sample.json": [{"class": "a", "for": 1, "self": True, "init": "b", "Type": "c", "hash": "d", "__slots": "e",
                           "True": "f", "constructor": "g", "CodingKeys": "h"}],
    "a-b.mustache": "{{a-b}} {{a_b}} {{1x}} {{_}} {{__}} {{schl\u00fcssel}} {{\U0001f600}}",
    "a-b.sample.json": [{"a-b": "x", "a_b": 1, "1x": 2.5, "_": "y", "__": "z", "schl\u00fcssel": True, "\U0001f600": "w"}],
    "a/b.mustache": "{{#list}}{{x}}{{/list}}", "a/b.sample.json": [{"list": [{"x": "1"}]}, {"list": []}],
    "A/B.mustache": "<p>{{x}}</p>", "A/B.sample.json": [{"x": 1}, {"x": 2.5}],
    "tree.mustache": "<div>{{name}}{{#child}}{{>tree}}{{/child}}{{#more}}{{>tree}}{{/more}}</div>",
    "tree.sample.json": [{"name": "a", "child": {"name": "b", "child": {"name": "c"}}, "more": [{"name": "d"}]}],
    # What the written files name, and names that become that of the items of a list.
    **{f"{kind}.mustache": "{{x}}" for kind in (
        "dictionary", "hashable", "decoding-error", "encoding-error", "expressible-by-string-literal", "any-object", "keyed")},
    **{f"{kind}.sample.json": [{"x": 1}, {"x": "a"}, {"x": [1]}] for kind in (
        "dictionary", "hashable", "decoding-error", "encoding-error", "expressible-by-string-literal", "any-object", "keyed")},
    "decoding.mustache": "{{#error}}{{a}}{{/error}}", "decoding.sample.json": [{"error": {"a": 1}}, {"error": {"a": "x"}}],
    "menu.mustache": "{{#list}}{{.}}{{/list}}{{listItem}}",
    "menu.sample.json": [{"list": ["a", 1], "listItem": 1}, {"listItem": "b"}],
    "menu-list-item.mustache": "{{x}}", "menu-list-item.sample.json": [{"x": 1}],
    "union.html": """<div data-cell="union"><p data-outlet="price">1</p><p data-outlet="body"><b data-outlet="text">x</b></p>
      <p data-outlet="needed" data-missing="error">x</p></div>""",
    "union.sample.json": [{"price": 1, "body": "text", "needed": "a"}, {"price": "free", "body": {"text": "t"}, "needed": "b"},
                          {"price": 2.5, "body": [{"text": "u"}], "needed": "c"}, {"price": None, "body": False, "needed": "d"}],
    "nested.html": """<div data-cell="nested"><p data-outlet="o"><b data-outlet="n" data-missing="error">x</b></p>
      <i data-outlet="rows" data-include="union">x</i></div>""",
    "nested.sample.json": [{"o": {"n": "a"}, "rows": [{"price": 1, "body": "text", "needed": "a"}]}],
    "Value.mustache": "{{String}} {{Any}}", "Value.sample.json": [{"String": "a", "Any": 1}],
    # What ends a line in JavaScript.
    "lines.mustache": "{{a}}", "lines.sample.json": [{"a": 1, "\u2028x": 1, "\u2029": "b"}],
    "plain.mustache": "<p>{{never.sampled}}</p>", "empty.mustache": "<p>nothing</p>",
}


def write(folder, files):
    for name, content in files.items():
        path = pathlib.Path(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content))


def type_of(value):
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, (int, float)):
        return "number"
    return {str: "string", type(None): "null", dict: "object", list: "list"}[type(value)]


def open_schema(node):
    """The schema with unknown names allowed everywhere."""
    if isinstance(node, dict):
        return {name: open_schema(value) for name, value in node.items() if name != "additionalProperties"}
    return [open_schema(item) for item in node] if isinstance(node, list) else node


def without_patterns(node):
    """The schema with all texts allowed where some are: types know no patterns."""
    if isinstance(node, dict):
        return {name: without_patterns(value) for name, value in node.items() if name not in ("pattern", "format")}
    return [without_patterns(item) for item in node] if isinstance(node, list) else node


def lacking(value):
    """Copies of a value, each without one member of an object in it."""
    if isinstance(value, list):
        for place, item in enumerate(value):
            yield from ([*value[:place], other, *value[place + 1:]] for other in lacking(item))
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield {other: kept for other, kept in value.items() if other != name}
            yield from ({**value, name: other} for other in lacking(inner))


def wrong_rows(row, judge, lenient):
    """Rows with one member that the schema refuses, or without one: (row, type of the wrong value, whether only a name is unknown)."""
    for changed in lacking(row):
        if not judge.is_valid(changed):
            yield changed, "missing", False
    for name, value in row.items():
        for kind, other in VALUES.items():
            changed = {**row, name: other}
            if kind != type_of(value) and not judge.is_valid(changed):
                yield changed, kind, lenient.is_valid(changed)
    changed = {**row, "zz_unknown": 1}
    if not judge.is_valid(changed):
        yield changed, "unknown", True


def cases_of(folder, binary):
    """Right and wrong rows by kind: {kind: (rights, wrongs)}."""
    import jsonschema

    cases = {}
    with preview(binary, folder) as server:
        for described in json.loads(server.get("/kinds"))["kinds"]:
            kind = described["kind"]
            sample = pathlib.Path(folder, f"{kind}.sample.json")
            if not sample.exists():
                continue
            rows = json.loads(sample.read_text())
            schema = json.loads(server.get(f"/schemas/{urllib.parse.quote(kind)}?strict=true"))
            judge = jsonschema.Draft202012Validator(schema)
            for row in rows:
                judge.validate(row)
            types = jsonschema.Draft202012Validator(without_patterns(schema))
            lenient = jsonschema.Draft202012Validator(without_patterns(open_schema(schema)))
            cases[kind] = (rows, list(wrong_rows(rows[0], types, lenient)) if isinstance(rows[0], dict) else [])
    return cases


def types_of(binary, folder, language):
    run = subprocess.run(
        [binary, "types", "--templates", str(folder), "--language", language], capture_output=True, text=True, timeout=60)
    if run.returncode:
        sys.exit(f"types --language {language}: {run.stderr}")
    return run.stdout


def names_of(typescript):
    """The name of each kind's type, as the TypeScript file lists them."""
    lines = typescript.split("export interface Kinds {", 1)[1].splitlines()[1:]
    found = {}
    for line in lines:
        if line == "}":
            break
        kind, name = line.strip().rstrip(";").split(": ")
        found[json.loads(kind)] = name
    return found


def run(command, folder):
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=SECONDS)
    return ended.returncode, ended.stdout + ended.stderr


def judge_typescript(folder, types, names, cases):
    """Every wrong row must be an error: tsc reports an expected error that is none."""
    text = types
    for number, (kind, (rights, wrongs)) in enumerate(cases.items()):
        text += f"const rights{number}: {names[kind]}[] = {json.dumps(rights)};\n"
        text += f"const same{number}: Kinds[{json.dumps(kind)}][] = rights{number};\n"
        for place, (row, wrong, _) in enumerate(wrongs):
            # An optional property takes undefined, not null.
            text += f"// @ts-expect-error {wrong}\nconst wrong{number}_{place}: {names[kind]} = {json.dumps(row)};\n"
    pathlib.Path(folder, "rows.ts").write_text(text)
    status, told = run(["tsc", "--strict", "--noEmit", "--target", "es2020", "rows.ts"], folder)
    return [] if status == 0 else [f"tsc: {told[:3000]}"]


def judge_python(folder, types, names, cases):
    """Every wrong row must be an error: mypy reports a comment that ignores none."""
    text = types + "\nimport typing\n"
    for number, (kind, (rights, wrongs)) in enumerate(cases.items()):
        for place, row in enumerate(rights):
            text += f"right{number}_{place}: {names[kind]} = {row!r}\n"
        for place, (row, wrong, _) in enumerate(wrongs):
            # A truth value is a number in Python.
            if wrong != "boolean":
                text += f"wrong{number}_{place}: {names[kind]} = {row!r}  # type: ignore\n"
    pathlib.Path(folder, "rows.py").write_text(text)
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(pathlib.Path(folder, "cache")), "rows.py"]
    status, told = run(command, folder)
    return [] if status == 0 else [f"mypy: {told[:3000]}"]


def judge_swift(folder, types, names, cases):
    """Decodes each row: a right one gives itself when it is encoded, a wrong one fails."""
    checks = []
    for kind, (rights, wrongs) in cases.items():
        rows = [(row, True) for row in rights]
        # Swift decodes null as nothing, and skips names that it does not know.
        rows += [(row, False) for row, wrong, is_unknown in wrongs if wrong != "null" and not is_unknown]
        for row, is_right in rows:
            text = json.dumps(row)
            checks.append(f'check({names[kind]}.self, #"""\n{text}\n"""#, isRight: {str(is_right).lower()})')
    program = """
import Foundation

func same(_ left: Any, _ right: Any) -> Bool {
  switch (left, right) {
  case (let left as [String: Any], let right as [String: Any]):
    // What is null is left out.
    let names = Set(left.filter { !($0.value is NSNull) }.keys).union(right.keys)
    return names.allSatisfy { name in left[name].map { one in right[name].map { same(one, $0) } ?? false } ?? false }
  case (let left as [Any], let right as [Any]): return left.count == right.count && zip(left, right).allSatisfy(same)
  default: return (left as! NSObject) == (right as! NSObject)
  }
}

nonisolated(unsafe) var failures = 0
func check<Row: Codable>(_ type: Row.Type, _ text: String, isRight: Bool) {
  let data = Data(text.utf8)
  do {
    let row = try JSONDecoder().decode(type, from: data)
    let again = try JSONSerialization.jsonObject(with: JSONEncoder().encode(row))
    if !isRight { print("\\(type) takes \\(text)") } else if same(try JSONSerialization.jsonObject(with: data), again) { return }
    else { print("\\(type) makes \\(again) of \\(text)") }
    failures += 1
  } catch {
    if isRight { print("\\(type) refuses \\(text): \\(error)"); failures += 1 }
  }
}

""" + "\n".join(checks) + "\nexit(failures == 0 ? 0 : 1)\n"
    pathlib.Path(folder, "rows.swift").write_text(types)
    pathlib.Path(folder, "main.swift").write_text(program)
    status, told = run(["swiftc", "-swift-version", "6", "-Onone", "-module-cache-path", "cache", "rows.swift", "main.swift",
                        "-o", "rows"], folder)
    if status:
        return [f"swiftc: {told[:3000]}"]
    status, told = run([str(pathlib.Path(folder, "rows"))], folder)
    return [] if status == 0 else [f"Swift: {told[:3000]}"]


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--binary", default=str(ROOT / ".build/debug/cellfactory"))
    options = arguments.parse_args()
    if is_skipped_without("Tests/Declarations/declarations.py", "tsc", "swiftc"):
        return 0
    faults, counts = [], [0, 0]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        nasty = pathlib.Path(folder, "nasty")
        write(nasty, NASTY)
        judgements = []
        for place, templates in enumerate([ROOT / "templates", nasty]):
            cases = cases_of(templates, options.binary)
            if not cases:
                faults.append(f"there are no sample rows in {templates}")
            counts[0] += sum(len(rights) for rights, _ in cases.values())
            counts[1] += sum(len(wrongs) for _, wrongs in cases.values())
            names = names_of(types_of(options.binary, templates, "typescript"))
            judges = {"typescript": judge_typescript, "python": judge_python, "swift": judge_swift}
            for language, judge in judges.items():
                own = pathlib.Path(folder, f"{language}{place}")
                own.mkdir()
                types = types_of(options.binary, templates, language)
                judgements.append(pool.submit(judge, own, types, names, cases))
        for judgement in judgements:
            faults += judgement.result()
    if not all(counts):
        faults.append(f"{counts[0]} right rows and {counts[1]} wrong ones were judged: there have to be both")
    for fault in faults:
        print(f"types: {fault}")
    if not faults:
        print(f"types: {counts[0]} rows are right and {counts[1]} wrong in TypeScript, Python and Swift")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
