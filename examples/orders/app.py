"""Orders in SQLite, shown by <cell-table>: paged, live, and changed in place."""

import os
import pathlib
import sqlite3

from fastapi import FastAPI, HTTPException, Path, Query
from fastapi.responses import FileResponse, HTMLResponse

HERE = pathlib.Path(__file__).parent
FACTORY = os.environ.get("FACTORY", "http://127.0.0.1:8080")
POLICY = (f"default-src 'none'; script-src 'self' {FACTORY}; style-src 'self' {FACTORY}; connect-src 'self' {FACTORY}; "
          "require-trusted-types-for 'script'; trusted-types cellfactory")

app = FastAPI()
database = sqlite3.connect(":memory:", check_same_thread=False)
database.row_factory = sqlite3.Row
database.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY, customer TEXT, amount TEXT, status TEXT)")
CUSTOMERS = ["Brenner & Söhne", "山田商店", "O'Neill's <Corner>", "Lindqvist AB", "Nordlys AS", "ООО «Ромашка»"]
with database:
    database.executemany(
        "INSERT INTO orders (customer, amount, status) VALUES (?, ?, ?)",
        [(CUSTOMERS[n % 6], f"{n * 37 % 900 + 10}.{n * 10 % 100:02}", "open" if n % 4 == 0 else "paid") for n in range(10_000)])
# The largest number that SQLite has.
LARGEST = 2**63 - 1


@app.get("/api/orders")
def orders(start: int = Query(0, alias="from", ge=0, le=LARGEST), count: int = Query(50, ge=0, le=500)):
    rows = database.execute("SELECT * FROM orders ORDER BY id DESC LIMIT ? OFFSET ?", (count, start)).fetchall()
    total = database.execute("SELECT count(*) FROM orders").fetchone()[0]
    return {"rows": [dict(row) for row in rows], "total": total}


@app.post("/api/orders", status_code=201)
def add_order():
    with database:
        made = database.execute("INSERT INTO orders (customer, amount, status) VALUES ('Ada Lovelace', '12.50', 'open')")
    return order(made.lastrowid)


@app.post("/api/orders/{number}/pay")
def pay(number: int = Path(ge=1, le=LARGEST)):
    with database:
        database.execute("UPDATE orders SET status = 'paid' WHERE id = ?", (number,))
    return order(number)


def order(number):
    row = database.execute("SELECT * FROM orders WHERE id = ?", (number,)).fetchone()
    if row is None:
        raise HTTPException(404, "there is no such order")
    return dict(row)


@app.get("/")
def page():
    html = (HERE / "index.html").read_text().replace("http://127.0.0.1:8080", FACTORY)
    return HTMLResponse(html, headers={"Content-Security-Policy": POLICY})


@app.get("/page.{ending}")
def file(ending: str):
    if ending not in ("js", "css"):
        raise HTTPException(404)
    return FileResponse(HERE / f"page.{ending}")
