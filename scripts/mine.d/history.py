# SPDX-License-Identifier: MIT
"""Since which release a reader reads a name and until when, from the tags of its repository."""
import re


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


def follow(scanner, releases):
    """Each name of any release: its newest variable, since and until (empty: from the first on, still)."""
    newest, seen = {}, {}
    for index, (_, revision) in enumerate(releases):
        for name, found in scanner.variables(revision).items():
            newest[name] = found
            seen.setdefault(name, []).append(index)
    out = {}
    for name, indexes in sorted(seen.items()):
        since = as_written(releases[indexes[0]][0]) if indexes[0] > 0 else ""
        until = as_written(releases[indexes[-1] + 1][0]) if indexes[-1] + 1 < len(releases) else ""
        out[name] = (newest[name], since, until)
    return out
