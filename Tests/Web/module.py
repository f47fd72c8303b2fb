#!/usr/bin/env python3
"""Checks the module `cells.js` without a browser: its size, its types, `render` and the reading of rows on Node.

What is sent of it may be 8 kB at most when gzipped, and is the same program. tsc checks it with all its strictness, and a
program that uses it. Needs tsc and node; ends what it starts.
"""

import argparse
import gzip
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WEB = ROOT / "Sources/CellServer/Web"
sys.path[:0] = [str(HERE), str(HERE.parent)]

from application import application  # noqa: E402
from skipping import is_skipped_without  # noqa: E402

BYTES = 8192
SECONDS = 120
COMPILER = ["tsc", "--allowJs", "--checkJs", "--noEmit", "--strict", "--target", "es2022", "--module", "es2022",
            "--moduleResolution", "node", "--lib", "es2022,dom,dom.iterable"]

PROGRAM = """
import { cellTable, render, CellTable, DataSource, RenderedRow } from "./cells.js";

interface Order { id: number; customer: string }
const source: DataSource<Order> = {
  count: Promise.resolve(3),
  rows: async (from, count) => [{ id: from, customer: String(count) }],
  kind: (row) => row.customer,
};
const table = cellTable(document.createElement("tbody"), { dataSource: source, owner: { name: "Ada" } });
const isDone: Promise<boolean> = table.update([{ id: 1, customer: "x" }]);
const rows: Promise<RenderedRow[]> = render("order", [{ id: 1 }], { factory: "http://127.0.0.1:1/", id: (row) => row.id });
const element: CellTable = document.createElement("cell-table");
element.dataSource = source;
element.owner = { ...element.owner, name: "Ada" };
const name: string | undefined = element.owner?.name;
element.remove();
element.addEventListener("cell-action", ({ detail }) => detail.action.length + detail.index);
// @ts-expect-error
cellTable("tbody", {});
// @ts-expect-error
table.update("x");
// @ts-expect-error
render("order");
"""

# What Node prints: cells, a bad row, an etag that is known, digits, an owner that is refused, a factory that is away.
NODE = """
import { render } from "%(module)s";
const factory = process.argv[1];
const rows = await render("line", [{ title: "A & B" }, { title: 2 }], { factory, id: (row, index) => `n${index}`, texts: [undefined, '{"title":2.50}'] });
const known = await render("line", [{ title: "A & B" }], { factory, etag: () => rows[0].etag });
const mixed = await render((row) => row.kind, [{ kind: "line", title: "x" }, { kind: "nothing" }], { factory });
const failures = [];
for (const options of [{ factory, owner: 7 }, { factory: "http://127.0.0.1:9/" }]) {
  await render("line", [{}], options).catch((error) => failures.push([error.constructor.name, error.status ?? 0, error.message.length > 5]));
}
console.log(JSON.stringify([rows, known, mixed, failures]));
"""

# Reads answers with the function of the module that no other module sees. Prints the texts of their rows, or what failed.
READER = """
import { readRows } from "./reader.mjs";
import { readFileSync } from "node:fs";
const results = [];
for (const { type, text } of JSON.parse(readFileSync("answers.json", "utf8"))) {
  globalThis.fetch = async () => new Response(text, { headers: { "Content-Type": type } });
  results.push(await readRows("", {}).catch((error) => error.message));
}
console.log(JSON.stringify(results));
"""
NUMBERS = ["0", "-0", "1", "-7", "1.50", "0.10", "1e5", "1E+2", "-2.5e-3", "12345678901234567890", "1.000000000000000000001"]
# What strings are made of: what looks like the ends of strings, like numbers, or like marks for them.
PIECES = ['"', "\\", "\0", "\0" + "5", "1", "-1.50", "e", ",", ":", "[", "]", "{", "}", "\n", "\u2028", "\ud800", "\U0001F600", "u0000", "x", " "]


class Number(str):
    """A number as it is written."""


def random_json(source, depth=0):
    """A JSON text with strings of `PIECES` and numbers in every way to write them."""
    def string():
        text = "".join(source.choices(PIECES, k=source.randrange(6)))
        return json.dumps(text, ensure_ascii=source.random() < 0.5 or "\ud800" in text)
    space = source.choice(["", "", " "])
    what = source.randrange(4 if depth > 3 else 8)
    if what < 2:
        return string()
    if what == 2:
        return source.choice(NUMBERS)
    if what == 3:
        return source.choice(["true", "false", "null"])
    inside = [random_json(source, depth + 1) for _ in range(source.randrange(4))]
    if what == 4:
        return f"[{space}" + f"{space},".join(inside) + "]"
    return "{" + f",{space}".join(f"{string()}:{space}{value}" for value in inside) + f"{space}}}"


def whole(value):
    """Replaces lone surrogates in a value."""
    if isinstance(value, (list, tuple)):
        return [whole(item) for item in value]
    return type(value)(re.sub("[\ud800-\udfff]", "\ufffd", value)) if isinstance(value, str) else value


def read_exactly(text):
    # As text again, since Python holds 1 and 1.0, and true and 1, for equal.
    return repr(whole(json.loads(text, parse_int=Number, parse_float=Number, object_pairs_hook=lambda pairs: sorted(dict(pairs).items()))))


def check_reading():
    """Rows come with the JSON that was sent: each string, with lone surrogates replaced, and each number with its digits."""
    source = random.Random(7)
    answers = [[r'{"a":"say \"\u00001"}', r'{"a":"\u00005","b\"\u00002":1.50}'], [json.dumps({"a": '\\"1' * 3_000_000, "b": "\\" * 5_000_000})]]
    answers += [[random_json(source) for _ in range(source.randrange(5))] for _ in range(3000)]
    asked = []
    for place, rows in enumerate(answers):
        forms = {"application/json": "[" + ",\n".join(rows) + "]", "application/x-ndjson": "\r\n".join([*rows, "", ""]),
                 "application/json; a=b": f'{{"rows":[{",".join(rows)}],"total":{place}}}'}
        asked += [{"type": type, "text": text} for type, text in forms.items()]
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "reader.mjs").write_text((WEB / "cells.js").read_text() + "export { readRows };\n")
        pathlib.Path(folder, "main.mjs").write_text(READER)
        pathlib.Path(folder, "answers.json").write_text(json.dumps(asked))
        ended = subprocess.run(["node", "main.mjs"], cwd=folder, capture_output=True, text=True, timeout=SECONDS)
    if ended.returncode != 0:
        print("cells.js: reading of rows fails:", ended.stderr)
        return False
    wrong = []
    for place, result in enumerate(json.loads(ended.stdout)):
        sent = answers[place // 3]
        try:
            kept = [read_exactly(text) for text in result["texts"]] == [read_exactly(text) for text in sent]
        except (TypeError, ValueError):
            kept = False
        if not kept or len(result["rows"]) != len(sent) or result.get("total") != (place // 3 if place % 3 == 2 else None):
            wrong.append(f"{asked[place]['text'][:200]} is read as {str(result)[:200]}")
    print(f"cells.js: {len(asked)} answers " + ("keep their strings and numbers" if not wrong else f"({len(wrong)} wrong): {wrong[0]}"))
    return not wrong


def check_page(binary):
    """The example for Node in docs/web.md, with the cells of `templates/`."""
    found = re.search(r'```js\n(import \{ render \}.*?)```', (ROOT / "docs/web.md").read_text(), re.S)
    with application(binary, ROOT / "templates") as server, tempfile.TemporaryDirectory() as folder:
        module = pathlib.Path(folder, "cells.mjs")
        module.write_bytes(sent(server))
        program = found[1].replace("./cells.mjs", module.as_uri()).replace("http://127.0.0.1:8080", server.factory.url)
        ended = subprocess.run(["node", "--input-type=module", "-e", program], capture_output=True, text=True, timeout=SECONDS)
    right = "Bread &amp; roses" in ended.stdout
    print(f"cells.js: the example of the page {'works' if right else 'fails: ' + ended.stdout + ended.stderr}")
    return right


def check_size(binary):
    with application(binary) as server:
        packed = len(gzip.compress(sent(server), 9, mtime=0))
    print(f"cells.js: {packed} bytes gzipped, of {BYTES}")
    return packed <= BYTES


def sent(server):
    """The module as pages get it: without indentation and comments."""
    with urllib.request.urlopen(server.factory.url + "/cells.js", timeout=SECONDS) as answer:
        return answer.read()


# The syntax tree of each of two files, as the compiler reads it: the kind of each node, what is in it, and the text of what has nothing in it.
TREES = """
const [compiler, ...paths] = process.argv.slice(1), ts = require(compiler), fs = require("fs");
const [source, sent] = paths.map((path) => {
  const file = ts.createSourceFile(path, fs.readFileSync(path, "utf8"), ts.ScriptTarget.ES2022, false, ts.ScriptKind.JS);
  if (file.parseDiagnostics.length) throw new Error(path + " is no script");
  // Long names are one letter where they are sent, which is no other name.
  const nameOf = (text) => path === paths[1] ? text : { __proto__: null, table: "t", t: "another t", element: "e", e: "another e" }[text] ?? text;
  const tree = (node) => {
    const inner = [];
    ts.forEachChild(node, (child) => void inner.push(tree(child)));
    return [ts.SyntaxKind[node.kind], node.operator, node.flags & ts.NodeFlags.BlockScoped, inner.length ? inner : nameOf(file.text.slice(node.getStart(file), node.end).replace(/;$/, ""))];
  };
  return JSON.stringify(tree(file));
});
if (source.length < 10_000) throw new Error("the tree is empty");
if (source !== sent) throw new Error("they differ");
"""


def check_sent(binary):
    """What is sent without spaces, line ends and comments, and with shorter names, is the same program."""
    with application(binary) as server, tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "sent.js")
        path.write_bytes(sent(server))
        compiler = pathlib.Path(shutil.which("tsc")).resolve().parent.parent
        ended = subprocess.run(["node", "-e", TREES, compiler, WEB / "cells.js", path], capture_output=True, text=True, timeout=SECONDS)
    same = ended.returncode == 0
    print(f"cells.js: what is sent is {'the same program' if same else 'another program: ' + ended.stderr}")
    return same


def check_types():
    with tempfile.TemporaryDirectory() as folder:
        for name in ("cells.js", "cells.d.ts", "table.d.ts"):
            shutil.copy(WEB / name, folder)
        pathlib.Path(folder, "program.ts").write_text(PROGRAM)
        ended = subprocess.run([*COMPILER, "cells.js", "cells.d.ts", "table.d.ts", "program.ts"], cwd=folder, capture_output=True, text=True, timeout=SECONDS)
    print(f"cells.js: types {'are right' if ended.returncode == 0 else 'are wrong: ' + ended.stdout}")
    return ended.returncode == 0


def check_node(binary):
    with application(binary) as server, tempfile.TemporaryDirectory() as folder:
        module = pathlib.Path(folder, "cells.mjs")
        module.write_bytes(sent(server))
        program = NODE % {"module": module.as_uri()}
        ended = subprocess.run(["node", "--input-type=module", "-e", program, server.factory.url + "/"], capture_output=True, text=True, timeout=SECONDS)
    if ended.returncode != 0:
        print("cells.js: Node fails:", ended.stderr)
        return False
    rows, known, mixed, failures = json.loads(ended.stdout)
    html = [re.sub(r"\s+", " ", row["html"]) for row in rows]
    right = (
        html == ["<article><b>A &amp; B</b></article>", "<article><b>2.50</b></article>"] and [row["id"] for row in rows] == ["n0", "n1"]
        and known == [{"index": 0, "kind": "line", "etag": rows[0]["etag"], "unchanged": True}]
        and "html" in mixed[0] and mixed[1]["error"]["status"] == 404
        and failures == [["Error", 400, True], ["TypeError", 0, True]])
    print(f"cells.js: render on Node {'is right' if right else 'is wrong: ' + ended.stdout}")
    return right


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--binary", default=str(ROOT / ".build/debug/cellfactory"))
    options = arguments.parse_args()
    if is_skipped_without("Tests/Web/module.py", "tsc", "node"):
        return 0
    return 0 if all([check_size(options.binary), check_sent(options.binary), check_types(), check_reading(), check_node(options.binary), check_page(options.binary)]) else 1


if __name__ == "__main__":
    sys.exit(main())
