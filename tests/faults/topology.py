"""KFD's nodes as data, for faults that take nodes or links away."""

from machine import NODES

XGMI, PCIE = 11, 2


class Topology:
    """Each node's files but its links, and its links as (folder, rows of a properties file)."""

    def __init__(self, machine):
        self.machine = machine
        self.nodes = []
        for number in machine.node_numbers():
            self.nodes.append(self._read(f"{NODES}/{number}/"))

    def _read(self, folder):
        files, links = {}, []
        for path in sorted(self.machine.below(folder[:-1]), key=_by_number):
            name = path[len(folder) :]
            text = self.machine.text(path)
            if name.startswith(("io_links/", "p2p_links/")):
                links.append((name.split("/")[0], dict(row.split() for row in text.splitlines())))
            else:
                files[name] = text
        return files, links

    def remove(self, number):
        """A node was never there: those after it have other numbers."""
        del self.nodes[number]
        for _, links in self.nodes:
            links[:] = [link for link in links if int(link[1]["node_to"]) != number]
            for _, rows in links:
                for key in ("node_from", "node_to"):
                    rows[key] = str(int(rows[key]) - (int(rows[key]) > number))

    def unlink(self, start, end):
        links = self.nodes[start][1]
        links[:] = [link for link in links if int(link[1]["node_to"]) != end]

    def over_pcie(self, start, end):
        """What was an xGMI link goes through the sockets."""
        links = self.nodes[start][1]
        rows = next(rows for _, rows in links if int(rows["node_to"]) == end)
        self.unlink(start, end)
        links.append(("p2p_links", {**rows, "type": str(PCIE), "weight": "40"}))

    def split(self, number, parts):
        """A whole GPU becomes so many partitions; the new nodes come last and have no links."""
        files, _ = self.nodes[number]
        whole = files["properties"]
        for part in range(parts):
            text = _divided(whole, parts, part)
            if part:
                self.nodes.append(({**files, "properties": text}, []))
            else:
                files["properties"] = text

    def save(self):
        old, new = set(self.machine.below(NODES)), {}
        for number, (files, links) in enumerate(self.nodes):
            new.update(self._texts(f"{NODES}/{number}", files, links))
        for path in old - set(new):
            del self.machine.entries[path]
        for path, text in new.items():
            self.machine.put(path, text)

    @staticmethod
    def _texts(folder, files, links):
        for name, text in files.items():
            if name == "properties":
                for kind in ("io_links", "p2p_links"):
                    text = _with(text, f"{kind}_count", sum(one == kind for one, _ in links))
            yield f"{folder}/{name}", text
        for kind in ("io_links", "p2p_links"):
            for at, rows in enumerate(rows for one, rows in links if one == kind):
                yield f"{folder}/{kind}/{at}/properties", "".join(f"{key} {value}\n" for key, value in rows.items())


def _by_number(path):
    return [int(part) if part.isdigit() else part for part in path.split("/")[1:]]


def _with(text, key, value):
    rows = [row.split() for row in text.splitlines()]
    return "".join(f"{name} {value if name == key else old}\n" for name, old in rows)


def _divided(text, parts, part):
    values = dict(row.split() for row in text.splitlines())
    for key in ("simd_count", "array_count", "num_xcc"):
        text = _with(text, key, int(values[key]) // parts)
    text = _with(text, "location_id", int(values["location_id"]) + part)
    return _with(text, "drm_render_minor", int(values["drm_render_minor"]) + part)
