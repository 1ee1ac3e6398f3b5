"""Makes a release in the current folder, commits and tags it, and pushes nothing: `python -m tools.release 1.0.0`."""

import argparse
import sys
from pathlib import Path

from tools.release.kept import keep_document, keep_installation, keep_logs
from tools.release.packages import check_packages
from tools.release.repository import NotReleased, check_tree, check_version, commit_and_tag
from tools.release.versions import date_changelog, set_versions, write_document


def main(arguments: list[str]) -> int:
    """Makes a release; returns 1 and says why if there is none."""
    parser = argparse.ArgumentParser(prog="make release", description="Make a release, without publishing it.")
    parser.add_argument("version", metavar="VERSION", help="such as 1.0.0")
    parser.add_argument("--no-packages", action="store_true", help="do not build the packages, for a rehearsal")
    options = parser.parse_args(arguments)
    root, version = Path.cwd(), options.version
    try:
        check_version(root, version)
        check_tree(root)
        date_changelog(root, version)
        set_versions(root, version)
        write_document(root)
        if not options.no_packages:
            check_packages(root)
        keep_document(root, version)
        keep_logs(root, version)
        keep_installation(root)
        commit_and_tag(root, version)
    except NotReleased as error:
        print(f"not released: {error}", file=sys.stderr)
        return 1
    print(f"Billet {version} is committed and tagged. Nothing is pushed or uploaded.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
