# SPDX-License-Identifier: MIT
"""Since which release a reader reads a name and until when, from the tags of its repository."""
import re
from dataclasses import replace


def releases_of(tree, reader):
    """Version and revision of each release, oldest first, and the commit at hand as a branch behind them unless a tag names it."""
    tags = tree.tags(reader.get("tags"))
    if not tags:
        return []
    _, date = tree.commit()
    head = tree.git("rev-parse", "HEAD").decode().strip()
    version, newest = tags[-1]
    if tree.git("rev-parse", f"{newest}^{{commit}}").decode().strip() == head:
        return tags
    return [*tags, (f"{after(version)}~{reader.get('branch', 'main')} of {date[:7]}", "HEAD")]


def after(version):
    """The version that follows VERSION at the earliest, post releases aside: 1.2.3 after 1.2.2 and after 1.2.2.post1."""
    numbers = [int(each) for each in re.match(r"[\d.]*\d", version)[0].split(".")]
    return ".".join(str(each) for each in [*numbers[:-1], numbers[-1] + 1])


def as_written(version):
    return version.partition("~")[0] + ("~" if "~" in version else "")


def with_defaults(reads):
    """The newest variable of READS (release and variable, oldest first), with the releases from which its default changed. No default holds
    before a release whose default is not known."""
    newest = reads[-1][1]
    if not newest.declared or newest.default is None:
        return newest
    changes = []
    for release, found in reads:
        default = found.default if found.parser == newest.parser else None
        if not changes or changes[-1][1] != default:
            changes.append((release, default))
    while any(default is None for _, default in changes[1:]):
        changes.pop(0)
    return replace(newest, default=changes[0][1], defaults=changes[1:])


def follow(scanner, releases):
    """Each name of any release: its newest variable, since and until (empty: from the first on, still)."""
    reads, seen = {}, {}
    for index, (version, revision) in enumerate(releases):
        for name, found in scanner.variables(revision).items():
            reads.setdefault(name, []).append((as_written(version), found))
            seen.setdefault(name, []).append(index)
    dates_defaults = scanner.reader.get("dates_defaults", False)
    out = {}
    for name, indexes in sorted(seen.items()):
        since = as_written(releases[indexes[0]][0]) if indexes[0] > 0 else ""
        until = as_written(releases[indexes[-1] + 1][0]) if indexes[-1] + 1 < len(releases) else ""
        newest = with_defaults(reads[name]) if dates_defaults else reads[name][-1][1]
        out[name] = (newest, since, until)
    return out
