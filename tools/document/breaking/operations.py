"""Compares two documents operation by operation."""

from collections.abc import Mapping
from typing import Any, Final

from tools.document.breaking.shapes import Shape, Shapes, Way, listed, resolve

METHODS: Final = ("get", "put", "post", "delete", "patch", "head", "options", "trace")
READ_BY_PEOPLE: Final = frozenset({"summary", "description", "example", "examples", "deprecated", "externalDocs"})
OF_DOCUMENT: Final = frozenset({"info", "tags", "paths", "components", "security", "externalDocs"})
"""What is compared elsewhere, or holds words for people alone."""
OF_OPERATION: Final = frozenset({"tags", "security", "parameters", "requestBody", "responses"})
NAME_OF_BODY: Final = "x-codegen-request-body-name"
"""The name of an argument in generated clients. One that may be left out follows the others, and changes no call."""
OF_PARAMETER: Final = frozenset({"required", "schema", "name"})


def breaking(old: Shape, new: Shape) -> list[str]:
    """Returns a sentence for each thing in a new document that breaks clients of the old one."""
    return Comparison(old, new).run()


class Comparison:
    """The comparison of one document with another."""

    def __init__(self, old: Shape, new: Shape) -> None:
        self.old, self.new = old, new
        self.found: dict[str, None] = {}
        self.shapes = Shapes(old, new, self.say)

    def say(self, where: str, what: str) -> None:
        """Notes a break, once."""
        self.found[f"{where}: {what}"] = None

    def run(self) -> list[str]:
        """Returns everything that breaks."""
        self.unknown("the document", self.old, self.new, OF_DOCUMENT)
        for path, item in self.old["paths"].items():
            now = self.new["paths"].get(path, {})
            self.unknown(path, item, now, frozenset({"parameters", *METHODS}))
            for method in METHODS:
                if method not in item:
                    continue
                where = f"{method.upper()} {path}"
                if method in now:
                    self.operation(where, with_path(item, method), with_path(now, method))
                else:
                    self.say(where, "is gone")
        before, after = self.old.get("components", {}), self.new.get("components", {})
        for name in sorted(before.get("schemas", {}).keys() - after.get("schemas", {}).keys()):
            self.say(name, "is gone, and with it a class of generated clients")
        for name, scheme in before.get("securitySchemes", {}).items():
            self.unknown(f"security scheme {name}", scheme, after.get("securitySchemes", {}).get(name, {}), frozenset())
        return list(self.found)

    def unknown(self, where: str, old: Mapping[str, Any], new: Mapping[str, Any], known: frozenset[str]) -> None:
        """Notes differences in all members that nothing else compares."""
        for name in sorted((old.keys() | new.keys()) - known - READ_BY_PEOPLE):
            matters = not name.startswith("x-") or name == NAME_OF_BODY  # no other extension means anything
            if matters and old.get(name) != new.get(name):
                self.say(where, f"`{name}` was {old.get(name)!r} and is {new.get(name)!r}")

    def operation(self, where: str, old: Shape, new: Shape) -> None:
        """Compares an operation of both documents."""
        self.unknown(where, old, new, OF_OPERATION if "requestBody" in old else OF_OPERATION | {NAME_OF_BODY})
        if old.get("tags", [])[:1] != new.get("tags", [])[:1]:
            self.say(where, f"is under {new.get('tags')} and was under {old.get('tags')}")
        ways, kept = ways_in(self.old, old), ways_in(self.new, new)
        if any(not any(way <= known for way in kept) for known in ways):
            self.say(where, f"needs {security(kept)} and needed {security(ways)}")
        self.parameters(where, old, new)
        before, after = resolve(self.old, old.get("requestBody", {})), resolve(self.new, new.get("requestBody", {}))
        if after.get("required", False) and not before.get("required", False):
            self.say(where, "the body is required now")
        self.content(f"{where} body", before.get("content", {}), after.get("content", {}), Way.SENT)
        self.responses(where, old["responses"], new["responses"])

    def parameters(self, where: str, old: Shape, new: Shape) -> None:
        """Compares the parameters of an operation."""
        before, after = self.by_place(self.old, old), self.by_place(self.new, new)
        for place, parameter in before.items():
            own = f"{where} {' '.join(place)}"
            now = after.get(place)
            if now is None:
                self.say(own, "is gone")
                continue
            if now.get("required", False) and not parameter.get("required", False):
                self.say(own, "is required now")
            self.unknown(own, parameter, now, OF_PARAMETER)
            self.shapes.compare(own, parameter.get("schema", {}), now.get("schema", {}), Way.SENT)
        for place in after.keys() - before.keys():
            if after[place].get("required", False):
                self.say(f"{where} {' '.join(place)}", "is new and required")

    @staticmethod
    def by_place(document: Shape, operation: Shape) -> dict[tuple[str, str], Shape]:
        """Returns the parameters of an operation by where they are and what they are called."""
        found = {}
        for reference in operation.get("parameters", []):
            parameter = resolve(document, reference)
            # Names of headers ignore case.
            name = parameter["name"].lower() if parameter["in"] == "header" else parameter["name"]
            found[parameter["in"], name] = parameter
        return found

    def responses(self, where: str, old: Shape, new: Shape) -> None:
        """Compares the responses of an operation."""
        for status, reference in old.items():
            own = f"{where} {status}"
            if status not in new:
                self.say(own, "is gone")
                continue
            before, after = resolve(self.old, reference), resolve(self.new, new[status])
            self.unknown(own, before, after, frozenset({"content", "headers", "links"}))
            self.content(own, before.get("content", {}), after.get("content", {}), Way.READ)
            headers = {name.lower(): resolve(self.new, header) for name, header in after.get("headers", {}).items()}
            for name, header in before.get("headers", {}).items():
                if name.lower() not in headers:
                    self.say(own, f"header {name} is gone")
                    continue
                was, now = resolve(self.old, header), headers[name.lower()]
                self.unknown(f"{own} {name}", was, now, frozenset({"schema"}))
                self.shapes.compare(f"{own} {name}", was.get("schema", {}), now.get("schema", {}), Way.READ)
        for status in sorted(new.keys() - old.keys()):
            # Clients must expect unknown refusals, but no success of another form.
            if not status.startswith(("4", "5")):
                self.say(f"{where} {status}", "is new, and no refusal")

    def content(self, where: str, old: Shape, new: Shape, way: Way) -> None:
        """Compares the media types of a body."""
        for media_type, before in old.items():
            if media_type not in new:
                self.say(where, f"no longer comes as {media_type}")
                continue
            after = new[media_type]
            self.unknown(f"{where} {media_type}", before, after, frozenset({"schema"}))
            self.shapes.compare(f"{where} {media_type}", before.get("schema", {}), after.get("schema", {}), way)
        if way is Way.READ and (more := new.keys() - old.keys()):
            self.say(where, f"may come as {listed(more)}")


def with_path(item: Shape, method: str) -> Shape:
    """Returns an operation with the parameters of its path added."""
    operation = item[method]
    return {**operation, "parameters": [*item.get("parameters", []), *operation.get("parameters", [])]}


def ways_in(document: Shape, operation: Shape) -> set[frozenset[str]]:
    """Returns the sets of credentials that an operation accepts; an empty one if it needs none."""
    required: Any = operation.get("security", document.get("security", []))
    return {frozenset(way) for way in required} or {frozenset()}


def security(ways: set[frozenset[str]]) -> str:
    """Returns the credentials that an operation accepts, in words."""
    return " or ".join(sorted(" and ".join(sorted(way)) or "nothing" for way in ways))
