"""Comments with Turbo: answers are Turbo Streams, as the factory writes them."""

import os
import pathlib
import secrets

import httpx
from fastapi import FastAPI, Form, HTTPException, Response
from fastapi.responses import FileResponse, HTMLResponse

HERE = pathlib.Path(__file__).parent
FACTORY = os.environ.get("FACTORY", "http://127.0.0.1:8080")
# Turbo's progress bar is a style of its own, which needs the nonce. page.js has the policy that it needs for strings of HTML.
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self' {} 'nonce-{}'; connect-src 'self'; base-uri 'none'; form-action 'self'; "
          "require-trusted-types-for 'script'; trusted-types default")

# An empty one replaces the form that was sent.
FORM = (HERE / "form.html").read_text()

app = FastAPI()
factory = httpx.AsyncClient(base_url=FACTORY)
comments = [{"id": 0, "author": "Ada Brenner", "text": "Well baked & warm.", "likes": 3}, {"id": 1, "author": "山田", "text": "Is it <brown>?", "likes": 1}]


async def render(rows, **parameters):
    """Cells of comments; with a target, in elements that put them there."""
    answer = await factory.post("/cells/comment", json=rows, params=parameters)
    answer.raise_for_status()
    return answer.text


async def stream(row, action, target):
    body = await render([row], format="turbo-stream", action=action, target=target)
    fresh = f'<turbo-stream action="replace" target="form"><template>{FORM}</template></turbo-stream>'
    return Response(body + fresh, media_type="text/vnd.turbo-stream.html")


@app.get("/")
async def page():
    nonce = secrets.token_urlsafe(16)
    html = (HERE / "index.html").read_text().replace("http://127.0.0.1:8080", FACTORY).replace("NONCE", nonce).replace("<!-- form -->", FORM)
    return HTMLResponse(
        html.replace("<!-- comments -->", await render(comments)), headers={"Content-Security-Policy": POLICY.format(FACTORY, nonce)})


@app.post("/comments")
async def add(author: str = Form(max_length=80), text: str = Form(max_length=500)):
    comments.append({"id": len(comments), "author": author, "text": text, "likes": 0})
    return await stream(comments[-1], "append", "comments")


@app.post("/comments/{number}/like")
async def like(number: int):
    if not 0 <= number < len(comments):
        raise HTTPException(404)
    comments[number]["likes"] += 1
    return await stream(comments[number], "replace", "comment-{id}")


@app.get("/turbo.js")
def library():
    return FileResponse(pathlib.Path(os.environ["CELLFACTORY_WEB_LIBRARIES"], "turbo.min.js"), media_type="text/javascript")


@app.get("/page.css")
def style():
    return FileResponse(HERE / "page.css")


@app.get("/page.js")
def script():
    return FileResponse(HERE / "page.js")
