"""Tasks with htmx: every answer is a cell, which htmx puts into the page."""

import os
import pathlib

from cellfactory import AsyncCellFactory
from fastapi import FastAPI, Form, HTTPException
from fastapi.responses import FileResponse, HTMLResponse

HERE = pathlib.Path(__file__).parent
FACTORY = os.environ.get("FACTORY", "http://127.0.0.1:8080")
# htmx needs neither inline styles nor eval, as index.html tells it. page.js has the policy that it needs for strings of HTML.
POLICY = (f"default-src 'none'; script-src 'self'; style-src 'self' {FACTORY}; connect-src 'self'; base-uri 'none'; form-action 'none'; "
          "require-trusted-types-for 'script'; trusted-types default")

app = FastAPI()
factory = AsyncCellFactory(FACTORY)
tasks = [{"id": number, "text": text, "done": done} for number, (text, done) in enumerate(
    [("Order flour & yeast", True), ("Bake <brown> bread", False), ("Feed the starter", False)])]


@app.get("/")
async def page():
    html = (HERE / "index.html").read_text().replace("http://127.0.0.1:8080", FACTORY)
    return HTMLResponse(html.replace("<!-- tasks -->", str(await factory.render("task", tasks))), headers={"Content-Security-Policy": POLICY})


@app.post("/tasks")
async def add(text: str = Form(max_length=200)):
    tasks.append({"id": len(tasks), "text": text, "done": False})
    empty = '<input id="text" name="text" required maxlength="200" hx-swap-oob="true">'
    return HTMLResponse(f'{await factory.render("task", tasks[-1:])}{empty}')


@app.post("/tasks/{number}/done")
async def finish(number: int):
    if not 0 <= number < len(tasks):
        raise HTTPException(404)
    tasks[number]["done"] = True
    return HTMLResponse(str(await factory.render("task", [tasks[number]])))


@app.get("/htmx.js")
def library():
    return FileResponse(pathlib.Path(os.environ["CELLFACTORY_WEB_LIBRARIES"], "htmx-2.0.10.min.js"), media_type="text/javascript")


@app.get("/page.css")
def style():
    return FileResponse(HERE / "page.css")


@app.get("/page.js")
def script():
    return FileResponse(HERE / "page.js")
