"""The service's part of the reference: every address with the keys of its body and its answer, and every code of an error, from its
OpenAPI description; and every metric, from the help text beside it in the sources."""

import json
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[2] / "src/tarry"
METRIC = re.compile(r'(?:one|head|add)\((?:page, facts, )?"(tarry_\w+)",\s*(?:"(?:counter|gauge|histogram)",\s*)?((?:"[^"]*"\s*)+)')
JSON = "application/json"


def cell(text):
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


def metrics():
    """{name: what it is} of all that /metrics can have."""
    texts = [path.read_text() for folder in ("service", "gateway") for path in sorted((SOURCES / folder).rglob("*metrics.cpp"))]
    return {name: "".join(re.findall(r'"([^"]*)"', help)) for text in texts for name, help in METRIC.findall(text)}


def description(program):
    """What a service of its own says at /openapi.json."""
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        port = asked.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        service = subprocess.Popen([program, "serve", "--data", f"{folder}/data", "--listen", f"127.0.0.1:{port}", "--without-tokens"],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            for _ in range(600):
                try:
                    with urllib.request.urlopen(f"http://127.0.0.1:{port}/openapi.json") as answer:
                        return json.load(answer)
                except OSError:
                    time.sleep(0.1)
            raise RuntimeError("the service does not answer")
        finally:
            service.terminate()
            service.wait(60)


def keys(whole, schema, before=""):
    """(name, what it is) of a schema's keys, those of objects in it after theirs."""
    if "$ref" in schema:
        schema = whole["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
    for part in (*schema.get("allOf", ()), *schema.get("oneOf", ()), *schema.get("anyOf", ())):
        yield from keys(whole, part, before)
    for name, one in schema.get("properties", {}).items():
        yield before + name, one.get("description", "")
        inner = one.get("items", one)
        if "$ref" not in inner and name != "results":  # those of one answer
            yield from keys(whole, inner, f"{before}{name}.")


def table(title, rows):
    rows = list(dict(rows).items())
    return [f"| {title} | |", "|---|---|", *(f"| `{name}` | {cell(text)} |" for name, text in rows), ""] if rows else []


def operation(whole, method, path, one):
    lines = [f"### {method.upper()} {path}", "", f"{one['summary']}. {one.get('description', '')}".strip(), ""]
    lines += table("in the query", ((asked["name"], asked.get("description", "")) for asked in one.get("parameters", ()) if "name" in asked))
    body = one.get("requestBody", {}).get("content", {}).get(JSON, {}).get("schema")
    lines += table("in the body", keys(whole, body)) if body else []
    for status, answer in one["responses"].items():
        schema = answer.get("content", {}).get(JSON, {}).get("schema")
        if status.startswith("2") and schema and (found := table(f"in the answer, {status}", keys(whole, schema))):
            return lines + found
    return lines


def service_page(program):
    whole = description(program)
    lines = ["# The service, key by key", "", "Every address and error, as `/openapi.json` describes them, and every metric. Made when this site was built. "
             "[HTTP](http.md) explains them.", "", "## Addresses", ""]
    for path, methods in whole["paths"].items():
        for method, one in methods.items():
            if method != "parameters" and "preview" not in path:
                lines += operation(whole, method, path, one)
    codes = whole["components"]["schemas"]["Error"]["properties"]["error"]["properties"]["code"]["x-codes"]
    lines += ["## Errors", "", *table("code", codes.items()), "## Metrics", "", *table("metric", metrics().items())]
    return "\n".join(lines)


if __name__ == "__main__":
    print(service_page(sys.argv[1]))
