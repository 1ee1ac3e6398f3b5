"""Finds which modules of the service write a key, by reading their code and that of the scripts in Lua."""

import ast
import re
from collections import defaultdict
from pathlib import Path

from service.store import scripts

ROOT = Path(__file__).parents[2]
COMMANDS = {
    *("SET", "DEL", "UNLINK", "EXPIRE", "PEXPIRE", "PEXPIREAT", "INCRBY"),
    *("HSET", "HSETNX", "HDEL", "HINCRBY", "HINCRBYFLOAT", "LPUSH", "LPOP", "LREM", "LTRIM", "RPUSH"),
    *("XADD", "ZADD", "ZPOPMIN", "ZREM", "ZREMRANGEBYSCORE"),
}
METHODS = {"set", "delete", "unlink", "expire", "hset", "hdel", "zadd", "zrem"}
"""Those of the Redis client that write."""
UNKNOWN = "?"
OF_LISTS = {"lobby", "active", "opened", "opened_from", "playing", "played", "invited"}
OF_DUE_LISTS = {"DUE", "PENDING_NOTICES", "EXPIRING", "IDLE"}
NAMED_ELSEWHERE = {
    ("store/feeds/stored_notices.py", "add"): {"player", "notices", "notified_of", "approaches"},
    ("store/feeds/stored_notices.py", "notified"): {"meta"},
    ("store/feeds/stored_tickets.py", "add"): {"ticket", "own_ticket"},
    ("store/feeds/stored_tickets.py", "use_up"): {"ticket", "own_ticket"},
    ("store/lists/by_time.py", "take_off"): {"playing", "invited"},
    ("store/lists/due.py", "claim"): OF_DUE_LISTS | {"ENDED"},
    ("store/lists/due.py", "remove"): {"EXPIRING", "PENDING_NOTICES"},
    ("store/lists/due.py", "reschedule"): OF_DUE_LISTS,
    ("store/lists/due.py", "set"): {"DUE", "IDLE"},
    ("store/lists/ended.py", "take_off"): {"ENDED"},
    ("store/lists/indexes.py", "entering"): OF_LISTS | {"with_join_code"},
    ("store/lists/listing.py", "_leaving"): {"lobby", "active", "DUE", "opened", "opened_from", "playing"},
    ("store/lists/recovery.py", "step"): {"DUE", "PENDING_NOTICES"},
    ("store/exchange/condition.py", "_of_writes"): {"probe"},
    ("store/damaged.py", "note"): {"DAMAGED", "DAMAGED_FILES"},
    ("store/log/event_log.py", "_run_append"): {"log", "meta", "answer"},
    ("store/players/stored_players.py", "_still_open"): {"opened", "opened_from"},
    ("store/upkeep/inventory.py", "leave_whatever_lists"): set(),  # whatever list there is
    ("store/upkeep/inventory.py", "remove_all"): set(),  # whatever a game has
    ("store/upkeep/inventory.py", "remove_rest"): {"answer", "noop_calls", "ticket", "code_shown"},
    ("store/log/kept_names.py", "remove_name"): {"answer"},
    ("store/upkeep/rebuilding.py", "_parts_of"): OF_LISTS | {"with_join_code", "DUE", "EXPIRING", "ENDED"},
    ("store/upkeep/rebuilding.py", "take_off"): OF_LISTS | {"with_join_code", "ENDED"},
    ("store/upkeep/copies.py", "begin_restoring"): set(),  # whatever an interrupted restore has left
    ("store/upkeep/copies.py", "_restoring_commands"): set(),  # whatever a backup holds, as the page says
}
"""By module and function: the keys whose names are handed to it, so that its own code does not tell them."""
BY_PREFIX = {"store/jobs/lines.py": {"line_turns", "line_places", "line_prefix"}}
"""By module: the keys that its scripts build themselves."""


def written_by(script):
    """Returns which of its keys a script writes, from 0 on."""
    calls = re.findall(r"redis\.call\('(\w+)', ((?:KEYS\[\d+\](?:, )?)+)", script.text)
    return {int(at) - 1 for command, named in calls if command in COMMANDS for at in re.findall(r"\d+", named)}


SCRIPTS = {name: written_by(value) for name, value in vars(scripts).items() if isinstance(value, scripts.Script)}


class Function:
    """A function, in which the names of keys are followed to the commands that write them."""

    def __init__(self, node):
        self._node = node
        self._assigned = defaultdict(list)
        """By name: each target and what it is given, in order."""
        for one in ast.walk(node):
            if isinstance(one, ast.Assign):
                self._note(one.targets[0], one.value)
            elif isinstance(one, ast.AugAssign | ast.For | ast.comprehension):
                self._note(one.target, one.value if isinstance(one, ast.AugAssign) else one.iter)

    def _note(self, target, value):
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
            for one, its in zip(target.elts, value.elts, strict=True):
                self._note(one, its)
        elif isinstance(named := target.value if isinstance(target, ast.Subscript) else target, ast.Name):
            self._assigned[named.id].append((target, value))

    def keys(self, node):
        """Returns the keys that an expression may name, with UNKNOWN for what comes from elsewhere."""
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="keys"), attr=name)):
                return {name}
            case ast.Attribute(value=ast.Name(id="keys"), attr=name):
                return {name}
            case ast.List(elts=parts) | ast.Tuple(elts=parts):
                return set().union(*map(self.keys, parts))
            case ast.IfExp(body=one, orelse=other):
                return self.keys(one) | self.keys(other)
            case ast.BinOp(left=part) | ast.Starred(value=part) | ast.Subscript(value=part) | ast.ListComp(elt=part):
                return self.keys(part)
            case ast.Name(id=name) if name in self._assigned:
                return set().union(*(self.keys(value) for _, value in self._assigned[name]))
        return {UNKNOWN}

    def in_order(self, node):
        """Returns for each place of a list of keys which may stand there."""
        match node:
            case ast.List(elts=parts) | ast.Tuple(elts=parts):
                return [self.keys(part) for part in parts]
            case ast.BinOp(left=ast.List(elts=[part]), op=ast.Mult(), right=ast.Constant(value=times)):
                return [self.keys(part) for _ in range(times)]
            case ast.Name(id=name) if name in self._assigned:
                return self._built(self._assigned[name])
        return []

    def _built(self, assigned):
        """Returns the places of a list that several statements build."""
        places = []
        for target, value in sorted(assigned, key=lambda one: one[0].lineno):
            given = self.in_order(value)
            match target:
                case ast.Subscript(slice=ast.Slice(lower=ast.Constant(value=at))):
                    places[at:] = [old | new for old, new in zip(places[at:], given, strict=True)]
                case ast.Subscript(slice=ast.Constant(value=at)):
                    places[at] |= self.keys(value)
                case _:
                    places += given
        return places

    def written(self):
        """Yields each set of keys that a command, a script or the Redis client is let write."""
        for one in ast.walk(self._node):
            match one:
                case ast.Tuple(elts=[ast.Constant(value=command), name, *_]) if command in COMMANDS:
                    yield self.keys(name)
                case ast.Call(func=ast.Attribute(attr="run"), args=[ast.Name(id=script), names, *_]) if (
                    script in SCRIPTS
                ):
                    places = self.in_order(names)
                    yield set().union(*(places[at] if at < len(places) else {UNKNOWN} for at in SCRIPTS[script]))
                case ast.Call(func=ast.Attribute(attr="run_each")):
                    yield {UNKNOWN}
                case ast.Call(func=ast.Attribute(value=ast.Name(id="client"), attr=method), args=[name, *_]):
                    if method in METHODS:
                        yield self.keys(name)


def commands_in_the_code():
    """Returns all words that may be commands of Redis."""
    sources = [*(ROOT / "service").rglob("*.py"), *(ROOT / "service").rglob("*.lua")]
    return {word for path in sources for word in re.findall(r"[\"']([A-Z]+)[\"']", path.read_text(encoding="utf-8"))}


def functions_that_write():
    """Returns by module and function which keys it writes, with UNKNOWN for those that are named elsewhere."""
    found = {}
    for path in sorted((ROOT / "service").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (
                written := set().union(*Function(node).written())
            ):
                found[path.relative_to(ROOT / "service").as_posix(), node.name] = written
    return found


def writers():
    """Returns by key, as `keys` calls it, the modules of the service that write it."""
    found = defaultdict(set)
    for place, names in [*functions_that_write().items(), *NAMED_ELSEWHERE.items()]:
        for name in names - {UNKNOWN}:
            found[name].add(place[0])
    for module, names in BY_PREFIX.items():
        for name in names:
            found[name].add(module)
    return found
