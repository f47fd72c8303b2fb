"""Hooks for schemathesis: how to generate NDJSON, which valid rows may be refused and which invalid requests may be served,
and why, and how to check NDJSON in answers.

Loaded by schemathesis itself through SCHEMATHESIS_HOOKS; openapi.py passes the document in the environment.
"""

import atexit
import collections
import json
import os
import pathlib
import urllib.parse

import jsonschema
import schemathesis
from hypothesis import strategies as st
from schemathesis.core import NOT_SET
from schemathesis.core.parameters import ParameterLocation
from schemathesis.specs.openapi.checks import negative_data_rejection

DOCUMENT = json.loads(open(os.environ["OPENAPI_DOCUMENT"]).read())
KINDS = DOCUMENT["components"]["schemas"]["Kind"]["enum"]
ROW = jsonschema.Draft202012Validator(
    {"$ref": "#/components/schemas/AnswerRow", "components": {"schemas": DOCUMENT["components"]["schemas"]}})

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4), max_leaves=8)
items = st.fixed_dictionaries({"kind": st.sampled_from(KINDS)}, optional={"id": scalars, "data": values, "etag": st.text()})


def lines(rows):
    return st.lists(rows.map(json.dumps) | st.just(""), max_size=5).map(lambda each: "\n".join(each).encode())


# In OpenAPI 3.1 lines of JSON are no more than a string. An item is a good row, too, so both paths take these.
for media_type in ("application/x-ndjson", "application/jsonl"):
    schemathesis.openapi.media_type(media_type, lines(items))


@schemathesis.deserializer("application/x-ndjson")
def lines_as_text(ctx, response):
    """The document describes NDJSON as a string; `answered_lines_are_rows` checks the rows in it."""
    return response.text


@schemathesis.deserializer("text/html", "text/css", "text/javascript", "text/vnd.turbo-stream.html")
def as_text(ctx, response):
    return response.text


# How many requests of each operation were answered in each phase; openapi.py reads it.
asked = collections.defaultdict(collections.Counter)
atexit.register(lambda: pathlib.Path(os.environ["OPENAPI_ASKED"]).write_text(json.dumps(asked)))


@schemathesis.hook
def after_call(ctx, case, response):
    if case.meta is not None:
        asked[case.meta.phase.name.value][case.operation.label] += 1


@schemathesis.hook
def before_call(ctx, case, kwargs):
    """No schema tells which texts are selectors or time zones, nor which parameters of Turbo Streams go together.

    A GET with the body of a POST is bad in two ways, and told of the body, so that it is sent without one.
    """
    if case.method in ("GET", "HEAD") and case.operation.method.upper() not in ("GET", "HEAD"):
        case.body = NOT_SET
    if case.meta is not None and case.meta.generation.mode.is_positive:
        name_known_times(case.query, "time_zone")
        name_known_times(case.body, "timeZone")
        for item in case.body if isinstance(case.body, list) else (case.body.get("rows") if isinstance(case.body, dict) else None) or []:
            name_known_times(item, "timeZone")
    query = case.query
    if not query:
        return
    if isinstance(query.get("scope"), str) and 1 <= len(query["scope"]) <= 1024:
        query["scope"] = ".a > b"
    if query.get("format") == "turbo-stream" and case.meta is not None and case.meta.generation.mode.is_positive:
        query.setdefault("action", "append")
        query.setdefault("target", "a")
        for name in ("targets", "method"):
            query.pop(name, None)
        if takes_action_as_data(case):
            del query["format"]


def takes_action_as_data(case):
    """On GET, to a kind that reads an action."""
    return case.method in ("GET", "HEAD") and str((case.path_parameters or {}).get("kind")).startswith("notification")


def name_known_times(members, zone):
    """Replaces texts that are described as zones and times by some that are known."""
    for name, value in ((zone, "Europe/Berlin"), ("now", "2025-10-09T12:00:00Z")):
        if isinstance(members, dict) and isinstance(members.get(name), str):
            members[name] = value


@schemathesis.check
def answered_lines_are_rows(ctx, response, case):
    if response.status_code == 200 and "".join(response.headers.get("content-type", [])) == "application/x-ndjson":
        for line in response.text.splitlines():
            ROW.validate(json.loads(line))


@schemathesis.check
def valid_requests_are_refused_for_a_reason(ctx, response, case):
    """What the document allows is 406 or 422 only for what no schema can tell.

    A format that the kind has not; rows judged by the templates, with missing=error or unknown=error; a nib and class that select
    nothing; a text cell in an HTML batch, or the reverse; a value that is no row of the kind, as its own schema tells.
    """
    if response.status_code not in (406, 422) or case.meta is None or not case.meta.generation.mode.is_positive:
        return
    query = case.query or {}
    if response.status_code == 406:
        assert query.get("format") in ("html", "text", "turbo-stream"), "406, though the format is one that every kind has"
    elif query.get("missing") != "error" and query.get("unknown") != "error" and case.method != "HEAD":
        errors = response.json().get("errors", [])
        assert errors, f"422, though nothing is bad: {response.text[:500]}"
        types = {entry["type"] for entry in errors if not is_no_row(entry)}
        allowed = {"urn:cellfactory:unknown-kind", "urn:cellfactory:not-acceptable"}
        assert types <= allowed, f"422, though the rows are good: {response.text[:500]}"


@schemathesis.check
def invalid_requests_are_refused_but_for_a_reason(ctx, response, case):
    """What the document does not allow is served only where it came out valid, or was told to be bad.

    In place of schemathesis's own check, which it asks about everything else.
    """
    if case.meta is None or told_bad_rows(response) or only_fields_are_spoilt(response, case):
        return None
    return negative_data_rejection(ctx, response, case)


def is_no_row(entry):
    """Only /schemas/{kind} tells which values are rows of a kind, and only the format which members an item has."""
    reasons = (
        "a row of this kind must be an object, ", "this is an item: ", "data is one row; ", 'an item has no member "action"',
        'an item has no member "target"', "there is no id for {id}", "there is no time zone ")
    return entry["type"] == "urn:cellfactory:invalid-row" and entry["detail"].startswith(reasons)


def told_bad_rows(response):
    """With on_error=skip, a bad item is left out and counted."""
    return response.status_code == 200 and "cellfactory-errors" in response.headers


def only_fields_are_spoilt(response, case):
    """The fields of a query say less than a server takes, and a query has no types.

    A name with a dot is as good as one without where no other contradicts it, a number is text when it is sent, and what
    is no object at all is sent as a field named data. What else is spoilt counts if it is sent: an empty array is not.
    """
    spoilt = getattr(case.meta.phase.data, "mutations", None) or [case.meta.phase.data]
    sent = urllib.parse.parse_qs(urllib.parse.urlsplit(response.request.url).query, keep_blank_values=True)
    names = {each.parameter for each in spoilt if each.parameter in sent or each.parameter in (None, "data")}
    fields = {"data", "action"} if takes_action_as_data(case) else {"data"}
    return names and names <= fields and all(each.parameter_location == ParameterLocation.QUERY for each in spoilt)
