"""Judges logs by `web/verify/verify.mjs`: as a command, and as a module in a Node that stays."""

import atexit
import json
import os
import select
import subprocess
from functools import cache
from pathlib import Path

from games.records.portable import as_json, as_ndjson

FOLDER = Path(__file__).parents[2] / "web" / "verify"
SCRIPT = FOLDER / "verify.mjs"
SECONDS = 120


def run(*words):
    """Runs the verifier, and returns how it ended and what it said."""
    words = ["node", SCRIPT, *words]
    return subprocess.run(words, capture_output=True, text=True, timeout=SECONDS, check=False)


JUDGE = f"""
import {{ createInterface }} from "node:readline";
import {{ verify }} from {json.dumps(SCRIPT.as_uri())};
for await (const line of createInterface({{ input: process.stdin }})) {{
  console.log(JSON.stringify(await verify(JSON.parse(line))));
}}
"""


@cache
def judge(pid):
    """Returns the Node of a process of the tests."""
    words = ["node", "--input-type=module", "-e", JUDGE]
    made = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def end():
        made.stdin.close()
        made.wait(SECONDS)
        made.stdout.close()

    atexit.register(end)
    return made


def judged(logs):
    """Returns the verdicts on logs, in order, without a process for each call: half of them in lines."""
    node, said = judge(os.getpid()), []
    for number, log in enumerate(logs):
        text = (as_ndjson if number % 2 else as_json)(log).decode()
        node.stdin.write(json.dumps(text) + "\n")
        node.stdin.flush()
        assert select.select([node.stdout], [], [], SECONDS)[0], "there is no verdict"
        said.append(json.loads(node.stdout.readline()))
    return said
