# SPDX-License-Identifier: MIT
"""Files of a reader's source: a folder, or a commit of a git repository (bare or not), whose blobs are read once."""
import fnmatch
import re
import subprocess
from pathlib import Path


class Folder:
    def __init__(self, path):
        self.path = Path(path)

    def tags(self, _pattern):
        return []

    def commit(self):
        return "", ""

    def files(self, _revision):
        for file in sorted(self.path.rglob("*")):
            if file.is_file():
                yield str(file.relative_to(self.path)), str(file)

    def texts(self, keys):
        for key in keys:
            yield key, Path(key).read_text(errors="replace")


class Repository:
    def __init__(self, path):
        self.path = str(path)

    def git(self, *arguments, data=None):
        return subprocess.run(["git", "-c", "safe.directory=*", "-C", self.path, *arguments], input=data, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, check=True).stdout

    def tags(self, pattern):
        """Version and tag of the releases whose name matches PATTERN, whose group is the version; oldest first."""
        found = {}
        for tag in self.git("tag").decode().split():
            match = re.fullmatch(pattern, tag) if pattern else None
            if match:
                found[match[1]] = f"refs/tags/{tag}"
        return sorted(found.items(), key=lambda item: version_key(item[0]))

    def commit(self):
        """The commit's short name and its date."""
        name, date = self.git("log", "-1", "--format=%h %cs", "--abbrev=10", "HEAD").decode().split()
        return name, date

    def files(self, revision):
        for row in self.git("ls-tree", "-r", "-z", revision).split(b"\0"):
            about, _, path = row.partition(b"\t")
            if path and about.split()[0] in (b"100644", b"100755"):
                yield path.decode(errors="replace"), about.split()[2].decode()

    def texts(self, keys):
        """Of each blob; one that the repository lacks is left out."""
        keys = list(keys)
        out = self.git("cat-file", "--batch", data="".join(f"{key}\n" for key in keys).encode())
        at = 0
        for key in keys:
            end = out.index(b"\n", at)
            head = out[at:end].split()
            at = end + 1
            if head[-1] == b"missing":
                continue
            size = int(head[2])
            yield key, out[at:at + size].decode(errors="replace")
            at += size + 1


def opened(path):
    """PATH as a repository if it is the top of one, else as a folder."""
    path = Path(path)
    is_top = (path / ".git").exists() or ((path / "HEAD").is_file() and (path / "objects").is_dir())
    return Repository(path) if is_top else Folder(path)


def version_key(version):
    """Orders 1.2rc1, 1.2, 1.2.post1."""
    digits = re.match(r"[\d.]*", version)[0]
    numbers = [int(each) for each in digits.split(".") if each]
    rest = version[len(digits):]
    post = re.match(r"[.-]?post(\d*)", "." + rest if rest.startswith("post") else rest)
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return numbers, 0 if rest and not post else 1, int(post[1] or 0) if post else 0, rest


def matches(path, patterns):
    """A pattern that ends in / is a folder at any depth, one with / at its front a folder or file of the top; else fnmatch on the path."""
    for pattern in patterns:
        if pattern.startswith("/"):
            if path == pattern[1:] or path.startswith(pattern[1:].rstrip("/") + "/"):
                return True
        elif pattern.endswith("/"):
            if f"/{path}".find(f"/{pattern}") >= 0:
                return True
        elif fnmatch.fnmatch(path, pattern) or fnmatch.fnmatch(path.rsplit("/", 1)[-1], pattern):
            return True
    return False
