"""A project as a user of the package has one: the packed package is installed in it, and programs are compiled on it.

The programs are those in `programs/`, the example bot, and every block of TypeScript in the package's README.
"""

import json
import os
import re
import shutil
import subprocess
import tarfile
from pathlib import Path

ROOT = Path(__file__).parents[3]
PACKAGE = ROOT / "clients" / "typescript"
PROGRAMS = Path(__file__).with_name("programs")
EXAMPLE = ROOT / "examples" / "bots" / "bot.mts"
README = PACKAGE / "README.md"
DOCUMENT = ROOT / "openapi" / "openapi.json"
BASE = "http://127.0.0.1:8000"
"""Where the README has the server."""

BROUGHT = ("eventsource-parser", "openapi-fetch", "openapi-typescript-helpers")
"""What comes along when the package is installed."""
TYPES = ("@types/node", "undici-types")
"""What somebody who writes for Node.js has beside it."""
STRICT = {
    "target": "ES2022",
    "module": "NodeNext",
    "strict": True,
    "exactOptionalPropertyTypes": True,
    "noUncheckedIndexedAccess": True,
    "skipDefaultLibCheck": True,
    "rootDir": ".",
    "outDir": "built",
}


def blocks(language):
    """The blocks of the README in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def unchecked(source, copied):
    """Copies a file, which the compiler will not check if it has declarations: only the package's own are looked at."""
    text = Path(source).read_text(encoding="utf-8")
    Path(copied).write_text(f"// @ts-nocheck\n{text}" if source.endswith(".d.ts") else text, encoding="utf-8")


class Project:
    """A folder with the package installed."""

    def __init__(self, folder):
        self.folder = folder
        self.built = folder / "built"
        self.modules = folder / "node_modules"

    def make(self):
        """Packs and installs the package, and compiles the programs."""
        run("npm", "run", "--silent", "build", cwd=PACKAGE)
        run("npm", "pack", "--loglevel", "error", "--ignore-scripts", "--pack-destination", self.folder, cwd=PACKAGE)
        self._install()
        shutil.copytree(PROGRAMS, self.folder / "programs")
        shutil.copy(EXAMPLE, self.folder / "programs")
        (self.folder / "readme").mkdir()
        for number, block in enumerate(blocks("ts"), 1):
            (self.folder / "readme" / f"block{number}.ts").write_text(block, encoding="utf-8")
        (self.folder / "package.json").write_text('{"type": "module"}')
        options = {"compilerOptions": STRICT, "include": ["programs", "readme"]}
        (self.folder / "tsconfig.json").write_text(json.dumps(options))
        run("node", PACKAGE / "node_modules" / "typescript" / "bin" / "tsc", cwd=self.folder)

    def _install(self):
        """Does what `npm install` of the packed file does, with what is here already."""
        (packed,) = self.folder.glob("billet-client-*.tgz")
        with tarfile.open(packed) as archive:
            archive.extractall(self.folder / "unpacked", filter="data")
        self.modules.mkdir()
        (self.folder / "unpacked" / "package").rename(self.modules / "billet-client")
        (self.modules / "@types").mkdir()
        for name in BROUGHT:
            (self.modules / name).symlink_to(PACKAGE / "node_modules" / name)
        for name in TYPES:
            shutil.copytree(PACKAGE / "node_modules" / name, self.modules / name, copy_function=unchecked)

    def node(self, program, *arguments, timeout=500, **environment):
        """Runs a compiled program and returns what it printed; it must end well."""
        return run("node", program, *arguments, cwd=self.built, timeout=timeout, **environment)


def run(*command, cwd, timeout=500, **environment):
    """Runs a command that must end well, and returns what it printed."""
    done = subprocess.run(
        command,
        cwd=cwd,
        env=os.environ | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=timeout,
        check=False,
    )
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}"
    return done.stdout


def results(printed):
    """What `whole_games.ts` says of each game; whatever network and service do, this holds."""
    games = [json.loads(line) for line in printed.splitlines()]
    for game in games:
        assert game["status"] == "finished"
        assert game["winners"]
        assert game["acted"] == game["chosen"] > 0
        assert game["complete"], "a client missed an event, or got one twice"
        assert game["agreed"]
    return games
