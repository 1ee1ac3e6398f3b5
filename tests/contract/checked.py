"""A client that holds every answer against the published document."""

import gzip
import json
import re
from functools import cache
from itertools import islice
from typing import Any

from jsonschema_rs import Draft202012Validator

from api.published import published_document

METHODS = ("get", "post", "put", "patch", "delete")

SOMETIMES = {"listEvents": frozenset({"Content-Language"})}
"""Headers that only some answers of an operation have: here those with texts."""


class Checked:
    """Calls an application and fails on any answer that the document does not promise.

    `seen` holds every pair of operation and status that came up, `refused` every pair of operation and code.
    """

    def __init__(self, app: Any, before: "Checked | None" = None) -> None:
        """Goes on with what another client has seen before, if one is given."""
        self.http = app.test_client()
        self.seen: set[tuple[str, int]] = set() if before is None else before.seen
        self.refused: set[tuple[str, str]] = set() if before is None else before.refused

    def call(self, method: str, path: str, token: str | None = None, **options: Any) -> Any:
        """Returns the answer to a call, after checking it."""
        headers = dict(options.pop("headers", {}))
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        answer = self.http.open(path, method=method, headers=headers, **options)
        self.check(method.lower(), path.split("?")[0], answer)
        return answer

    def get(self, path: str, token: str | None = None, **options: Any) -> Any:
        return self.call("GET", path, token, **options)

    def post(self, path: str, token: str | None = None, **options: Any) -> Any:
        return self.call("POST", path, token, **options)

    def delete(self, path: str, token: str | None = None, **options: Any) -> Any:
        return self.call("DELETE", path, token, **options)

    def check(self, method: str, path: str, answer: Any) -> None:
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        if method == "get":
            assert "Cache-Control" in answer.headers, f"a cache may keep the {answer.status_code} of {path}"
        item = path_item(path)
        if item is None:
            assert answer.status_code == 404
            check_media(answer, component("responses", "NotFound"))
            return
        if method not in item:
            assert answer.status_code == 405
            check_headers(answer, component("responses", "MethodNotAllowed"))
            there = {item[known]["operationId"] for known in METHODS if known in item}
            self.seen |= {(name, 405) for name in there}
            self.refused |= {(name, answer.json["code"]) for name in there}
            return
        operation = item[method]
        status = answer.status_code
        assert str(status) in operation["responses"], f"{operation['operationId']} does not promise {status}"
        promise = resolved(operation["responses"][str(status)])
        check_headers(answer, promise, SOMETIMES.get(operation["operationId"], frozenset()))
        check_media(answer, promise)
        self.seen.add((operation["operationId"], status))
        if status >= 400:
            code = answer.json["code"]
            assert code in operation["x-problems"], f"{operation['operationId']} does not promise {code}"
            self.refused.add((operation["operationId"], code))


def check_headers(answer: Any, promise: dict[str, Any], sometimes: frozenset[str] = frozenset()) -> None:
    sometimes |= {"Idempotent-Replayed", *(["Retry-After"] if answer.status_code == 409 else [])}
    always = {"Allow", "Content-Language", "WWW-Authenticate", "Retry-After", "ETag", "Location"} - sometimes
    promised_headers = set(promise.get("headers", {}))
    for name in always & promised_headers:
        assert name in answer.headers, f"{name} is promised with {answer.status_code}"
    for name in (always | sometimes) - promised_headers:
        assert name not in answer.headers, f"{name} is not promised with {answer.status_code}"


def check_media(answer: Any, promise: dict[str, Any]) -> None:
    content = promise.get("content")
    if content is None:
        assert answer.data == b""
        return
    media_type = answer.content_type.split(";")[0]
    assert media_type in content, f"{media_type} is not promised with {answer.status_code}"
    if re.search(r"[/+]json$", media_type):
        packed = answer.headers.get("Content-Encoding") == "gzip"
        value = json.loads(gzip.decompress(answer.data)) if packed else answer.json
        validate(value, content[media_type]["schema"])


def validate(value: Any, schema: dict[str, Any]) -> None:
    """Fails with the place and the reason if a value is not as its schema says."""
    faults = validator(json.dumps(schema)).iter_errors(value)
    said = "\n".join(f"{fault.instance_path}: {fault.message[:300]}" for fault in islice(faults, 5))
    assert not said, said


@cache
def document() -> dict[str, Any]:
    return json.loads(published_document())


@cache
def validator(schema: str) -> Draft202012Validator:
    whole = {**json.loads(schema), "components": tagged(document()["components"])}
    return Draft202012Validator(whole, validate_formats=True)


def tagged(components: dict[str, Any]) -> dict[str, Any]:
    """Turns discriminated unions into conditions: the tag chooses the variant, so a fault shows in the right one."""
    made = json.loads(json.dumps(components))
    for schema in made["schemas"].values():
        if "discriminator" in schema:
            tag, mapping = schema["discriminator"]["propertyName"], schema["discriminator"]["mapping"]
            del schema["oneOf"]
            schema["required"] = [tag]
            schema["properties"] = {tag: {"enum": list(mapping)}}
            schema["allOf"] = [
                {"if": {"properties": {tag: {"const": word}}}, "then": {"$ref": reference}}
                for word, reference in mapping.items()
            ]
    return made


@cache
def path_item(path: str) -> dict[str, Any] | None:
    # A fixed path comes before one with a parameter in the same place.
    templates = sorted(document()["paths"], key=lambda template: template.count("{"))
    for template in templates:
        if re.fullmatch(re.sub(r"\{\w+\}", "[A-Za-z0-9_-]{1,64}", template), path):
            return document()["paths"][template]
    return None


def component(section: str, name: str) -> dict[str, Any]:
    return document()["components"][section][name]


def resolved(promise: dict[str, Any]) -> dict[str, Any]:
    if "$ref" not in promise:
        return promise
    return component(*promise["$ref"].split("/")[2:])


def operations() -> list[dict[str, Any]]:
    """Returns every operation of the document."""
    return [item[method] for item in document()["paths"].values() for method in METHODS if method in item]


def promised() -> set[tuple[str, int]]:
    """Returns every pair of operation and status the document has."""
    return {(one["operationId"], int(status)) for one in operations() for status in one["responses"]}


def promised_refusals() -> set[tuple[str, str]]:
    """Returns every pair of operation and code the document has."""
    return {(one["operationId"], code) for one in operations() for code in one["x-problems"]}
