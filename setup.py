"""Adds the pages of `docs/` to the package that serves them; everything else is in pyproject.toml."""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py


class WithPages(build_py):
    """Builds the packages, with the documentation beside the templates of `api`."""

    def run(self):
        """Copies the pages after everything else; an editable installation reads them where they are."""
        super().run()
        if not self.editable_mode:
            pages = {page: page for page in Path("docs").rglob("*.md")}
            pages |= {Path(name): Path("docs", name) for name in ("CHANGELOG.md", "CONTRIBUTING.md")}
            for page, place in pages.items():
                target = Path(self.build_lib, "api", "pages", place)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(page, target)


setup(cmdclass={"build_py": WithPages})
