# SPDX-License-Identifier: MIT
"""readers.toml and left_out.toml, and the finds of the extractors in one tree of a reader."""
import fnmatch
import tomllib
from pathlib import Path

from found import TYPES, Found, merged
from idioms import IDIOMS
from source import matches

HERE = Path(__file__).resolve().parent
SECRET = ("*TOKEN", "*_KEY", "*_PASS", "*PASSWD*", "*PASSWORD", "*SECRET*", "*ACCESS_KEY*", "*CREDENTIAL*", "*_DSN", "*_DB_URL", "REDIS_URL")


def load(folder=HERE):
    """The readers by name, and what is left out."""
    readers = tomllib.loads((folder / "readers.toml").read_text())["reader"]
    return {each["name"]: each for each in readers}, tomllib.loads((folder / "left_out.toml").read_text())


def reader_of(tree, readers):
    """The readers whose mark is a file of the tree, without those that lack one of its files."""
    files = {path for path, _ in tree.files("HEAD")}
    return [each for each in readers.values() if each["mark"] in files and each.get("lacks") not in files]


class LeftOut:
    """Which folders and names of a reader are left out, by rows that each have a reason."""

    def __init__(self, rows, reader):
        mine = [row for row in rows if row.get("reader", reader) == reader and reader not in row.get("except", [])]
        self.folders = [row["path"] for row in mine if "path" in row]
        self.names = [row["name"] for row in mine if "name" in row]

    def path(self, path):
        return matches(path, self.folders)

    def name(self, name):
        return any(fnmatch.fnmatchcase(name, each) for each in self.names)


class Scanner:
    """Reads trees of one reader; a blob at a path is read once."""

    def __init__(self, tree, reader, left_out):
        self.tree, self.reader, self.left_out = tree, reader, left_out
        self.known = {}

    def files(self, revision):
        for path, key in self.tree.files(revision):
            if matches(path, self.reader["paths"]) and not self.left_out.path(path):
                idioms = [each for each in self.reader["idioms"] if matches(path, IDIOMS[each][1])]
                if idioms:
                    yield path, key, idioms

    def reads(self, revision):
        """Name to all its reads."""
        files = list(self.files(revision))
        new = {key for path, key, _ in files if (path, key) not in self.known}
        texts = dict(self.tree.texts(sorted(new)))
        out = {}
        for path, key, idioms in files:
            if (path, key) not in self.known:
                self.known[path, key] = [self.at(path, each) for idiom in idioms if key in texts
                                         for each in IDIOMS[idiom][0](path, texts[key], self.reader)]
            for each in self.known[path, key]:
                if not self.left_out.name(each.name):
                    out.setdefault(each.name, []).append(each)
        return out

    def at(self, path, found):
        found.path = path
        return found

    def variables(self, revision="HEAD"):
        """Name to the one variable that its reads make."""
        reads = sorted(self.reads(revision).items())
        return {name: self.settled(merged(of)) for name, of in reads if not all(each.is_use for each in of)}

    def settled(self, found):
        is_text = TYPES.get(found.parser, "string") == "string"
        if is_text and any(fnmatch.fnmatchcase(found.name, each) for each in SECRET):
            return Found(found.name, found.line, "secret", path=found.path)
        return found
