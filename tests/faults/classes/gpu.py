"""Faults and healthy variants: gpu."""

from edits import files_of_all, memory_limited, stack_lost, vfs_left
from machine import NODES
from topology import XGMI, Topology

from .row import Healthy, R, Row, i, r

ACCEPTANCE = {"acceptance": R}
LOWER = {"acceptance": r}
INFO = {"acceptance": i}
GATES = {"acceptance": R, "ci-preflight": R, "auto": R}


def on_all(edit):
    """The same edit on every GPU."""

    def whole(machine, _gpu):
        for gpu in machine.gpus():
            edit(machine, gpu)

    return whole


def together(*edits):
    def whole(machine, gpu):
        for edit in edits:
            edit(machine, gpu)

    return whole


def gpu_line(name, value):
    return lambda machine, gpu: machine.pci_line(gpu, name, value)


def without(*names):
    """The driver offers no such files, of any GPU."""

    def edit(machine, gpu):
        for path in files_of_all(*names)(machine, gpu):
            machine.drop(path)

    return edit


# -- power caps ---------------------------------------------------------------


def watts(cap, usual=None):
    """A cap, and a default if one is given; 0 and no default is a second die."""

    def edit(machine, gpu):
        for path in machine.below(f"{machine.folder(gpu)}/hwmon"):
            if path.endswith("/power1_cap"):
                machine.line(path, cap * 1000000)
            elif path.endswith("/power1_cap_default") and usual is not None:
                machine.line(path, usual * 1000000)

    return edit


def caps_in_turn(machine, _gpu):
    """As rocm-smi shows modules: the first die has the cap of both."""
    for gpu in machine.gpus()[1::2]:
        watts(0, 0)(machine, gpu)


# -- words of config space ----------------------------------------------------


def short_tags(machine, gpu):
    machine.change(gpu, machine.capability(gpu) + 0x28, 0x1000, 0)


def no_requester(machine, gpu):
    """A GPU that cannot ask with ten bits, and does not."""
    short_tags(machine, gpu)
    machine.change(gpu, machine.capability(gpu) + 0x26, 0x0002, 0)


def no_completer(machine, gpu):
    """The root port does not answer to ten-bit tags."""
    short_tags(machine, gpu)
    root = machine.ports(gpu)[-1]
    machine.change(root, machine.capability(root) + 0x26, 0x0001, 0)


def payloads(code):
    """128 << code on all functions with a PCI Express capability."""

    def edit(machine, _gpu):
        for bdf in machine.functions():
            at = machine.capability(bdf)
            if at:
                machine.change(bdf, at + 8, 0x00E0, code << 5)

    return edit


def least_is_all(machine, gpu):
    """No function can do more than 128 bytes."""
    payloads(0)(machine, gpu)
    for bdf in machine.functions():
        at = machine.capability(bdf)
        if at:
            machine.change(bdf, at + 4, 0x0007, 0)


def refused(bits, port=-1):
    """KFD made no node for the GPU, and one of the ports above cannot do AtomicOps."""

    def edit(machine, gpu):
        bdf = machine.ports(gpu)[port]
        machine.change(bdf, machine.capability(bdf) + 0x24, bits, 0)
        no_node(machine, gpu)

    return edit


def at(address, edit):
    """The edit on this GPU."""
    return lambda machine, _gpu: edit(machine, address)


def blocking(machine, gpu):
    """The switch blocks them on the way up."""
    bdf = machine.ports(gpu)[-2]
    machine.change(bdf, machine.capability(bdf) + 0x28, 0, 0x0080)
    no_node(machine, gpu)


def ports_without(machine, gpu):
    for bdf in machine.ports(gpu):
        machine.change(bdf, machine.capability(bdf) + 0x24, 0x03C0, 0)


def downstream_blocks(machine, gpu):
    bdf = machine.ports(gpu)[0]
    machine.change(bdf, machine.capability(bdf) + 0x28, 0, 0x0080)


def no_node(machine, gpu):
    topology = Topology(machine)
    topology.remove(machine.node_of(gpu))
    topology.save()


# -- parts of a whole ---------------------------------------------------------


def leave_hive(machine, gpu):
    """What firmware told the other members of it."""
    hive = machine.properties(machine.node_of(gpu))["hive_id"]
    members = [one for one in machine.gpus() if machine.properties(machine.node_of(one))["hive_id"] == hive]
    position = members.index(gpu)
    for other in members:
        for name in ("xgmi_num_hops", "xgmi_num_links"):
            path = f"{machine.folder(other)}/{name}"
            row = machine.text(path).split()
            machine.line(path, " ".join(row[:position] + row[position + 1 :]) + " ")


def die_gone(machine, gpu):
    """One die of a module was never enumerated; its port is left."""
    leave_hive(machine, gpu)
    no_node(machine, gpu)
    machine.drop(machine.folder(gpu))


def module_gone(machine, gpu):
    """Both dies of a module, and their ports."""
    for one in (partner(machine, gpu), gpu):
        port = machine.ports(one)[0]
        die_gone(machine, one)
        machine.drop(machine.folder(port))


def gone_with_port(machine, gpu):
    """A card and the root port that it was in."""
    leave_hive(machine, gpu)
    no_node(machine, gpu)
    machine.drop(machine.folder(machine.ports(gpu)[0]))


def partitions_of(machine, gpu):
    """Numbers of its KFD nodes."""
    bus, domain = int(gpu.split(":")[1], 16), int(gpu[:4], 16)
    nodes = {number: machine.properties(number) for number in machine.node_numbers()}
    return [number for number, node in nodes.items()
            if node.get("simd_count") and node["location_id"] >> 8 & 0xFF == bus and node["domain"] == domain]


def two_partitions_lost(machine, gpu):
    topology = Topology(machine)
    for number in reversed(partitions_of(machine, gpu)[-2:]):
        topology.remove(number)
    topology.save()


def partition_lost(machine, gpu):
    topology = Topology(machine)
    topology.remove(partitions_of(machine, gpu)[-1])
    topology.save()


def split_only_in_kfd(machine, gpu):
    """KFD has eight nodes, the driver says SPX."""
    topology = Topology(machine)
    topology.split(machine.node_of(gpu), 8)
    topology.save()


def divided(mode, parts):
    """All GPUs in this mode, and KFD with it."""

    def edit(machine, _gpu):
        topology = Topology(machine)
        for gpu in machine.gpus():
            topology.split(machine.node_of(gpu), parts)
        topology.save()
        for gpu in machine.gpus():
            machine.pci_line(gpu, "current_compute_partition", mode)

    return edit


def mode_only(mode):
    return gpu_line("current_compute_partition", mode)


def half_a_partition(machine, gpu):
    path = f"{NODES}/{partitions_of(machine, gpu)[3]}/properties"
    machine.put_property(path, "simd_count", machine.properties(partitions_of(machine, gpu)[3])["simd_count"] // 2)


def one_vf_lost(machine, gpu):
    """The last of the functions that vfs_left makes."""
    before = set(machine.functions())
    vfs_left(machine, gpu)
    machine.drop(machine.folder(max(set(machine.functions()) - before)))


def vfs_text(count):
    return together(vfs_left, gpu_line("sriov_numvfs", count))


# -- links --------------------------------------------------------------------


def links_between(machine, start, end):
    """Folders of KFD's links of one GPU to another."""
    node, other = machine.node_of(start), machine.node_of(end)
    for path in machine.below(f"{NODES}/{node}/io_links"):
        if path.endswith("/properties") and f"\nnode_to {other}\n" in machine.text(path):
            yield path


def set_bandwidth(machine, start, end, high, low=None):
    for path in links_between(machine, start, end):
        machine.put_property(path, "max_bandwidth", high)
        machine.put_property(path, "min_bandwidth", high if low is None else low)


def partner(machine, gpu):
    gpus = machine.gpus()
    return gpus[gpus.index(gpu) ^ 1]


def narrow_pair(ways=2):
    """Half the bandwidth between a GPU and its neighbour, seen from both ends or from one."""

    def edit(machine, gpu):
        other = partner(machine, gpu)
        for start, end in ((gpu, other), (other, gpu))[:ways]:
            set_bandwidth(machine, start, end, 25000)

    return edit


def narrow_gpu(machine, gpu):
    for other in machine.gpus():
        if other != gpu:
            set_bandwidth(machine, gpu, other, 32000)
            set_bandwidth(machine, other, gpu, 32000)


def all_bandwidths(high):
    def edit(machine, _gpu):
        for number in machine.node_numbers():
            for path in machine.below(f"{NODES}/{number}/io_links"):
                if path.endswith("/properties") and f"type {XGMI}\n" in machine.text(path):
                    machine.put_property(path, "min_bandwidth", high)
                    machine.put_property(path, "max_bandwidth", high)

    return edit


def module_bandwidth(high, modules=1):
    def edit(machine, gpu):
        gpus = machine.gpus()
        first = gpus.index(gpu) & ~1
        for at in range(first, first + 2 * modules, 2):
            start, end = gpus[at % 8], gpus[at % 8 + 1]
            set_bandwidth(machine, start, end, high, 50000)
            set_bandwidth(machine, end, start, high, 50000)

    return edit


def entry(name, value, every=False):
    """A number of a GPU's row about its neighbour, and of the neighbour's about it."""

    def edit(machine, gpu):
        gpus = machine.gpus()
        for one in gpus if every else (gpu, partner(machine, gpu)):
            path = f"{machine.folder(one)}/{name}"
            row = machine.text(path).split()
            row[gpus.index(one) ^ 1] = value
            machine.line(path, " ".join(row) + " ")

    return edit


def real_table(machine, _gpu):
    """The links of an EX235a: four in a module, two between 0 and 6 and between 2 and 4 (Frontier User Guide)."""
    gpus = machine.gpus()
    for start, end in ((0, 6), (2, 4)):
        for one, other in ((start, end), (end, start)):
            path = f"{machine.folder(gpus[one])}/xgmi_num_links"
            row = machine.text(path).split()
            row[other] = "02"
            machine.line(path, " ".join(row) + " ")
            set_bandwidth(machine, gpus[one], gpus[other], 100000, 50000)


def row_entry(machine, name, start, end, word):
    """One GPU's number about another."""
    path = f"{machine.folder(start)}/{name}"
    row = machine.text(path).split()
    row[machine.gpus().index(end)] = word
    machine.line(path, " ".join(row) + " ")


def outer_neighbour(machine, gpu):
    """A die of another module, one link away."""
    return machine.gpus()[machine.text(f"{machine.folder(gpu)}/xgmi_num_links").split().index("01")]


def both_ways(machine, gpu):
    other = outer_neighbour(machine, gpu)
    return (gpu, other), (other, gpu)


def rerouted_in_files(machine, gpu):
    """The link changed after KFD computed its weights."""
    for start, end in both_ways(machine, gpu):
        row_entry(machine, "xgmi_num_links", start, end, "00")
        row_entry(machine, "xgmi_num_hops", start, end, "02")


def rerouted(machine, gpu):
    """A link between modules is down: firmware and KFD go over a third die."""
    for start, end in both_ways(machine, gpu):
        for path in links_between(machine, start, end):
            machine.put_property(path, "weight", 30)
        set_bandwidth(machine, start, end, 0)
    rerouted_in_files(machine, gpu)


def neighbour_without_link(machine, gpu):
    for start, end in both_ways(machine, gpu):
        row_entry(machine, "xgmi_num_links", start, end, "00")


def board(*pairs):
    """Eight dies on a board with these links between modules."""

    def edit(machine, _gpu):
        gpus = machine.gpus()
        near = {at: {at ^ 1} for at in range(8)}
        for one, other in pairs:
            near[one].add(other)
            near[other].add(one)
        for start, gpu in enumerate(gpus):
            away, reached = {start: 0}, [start]
            for at in reached:
                for to in sorted(near[at] - away.keys()):
                    away[to] = away[at] + 1
                    reached.append(to)
            for end in range(8):
                if end == start:
                    continue
                links = 4 if end == start ^ 1 else int(end in near[start])
                row_entry(machine, "xgmi_num_hops", gpu, gpus[end], f"{away[end]:02x}")
                row_entry(machine, "xgmi_num_links", gpu, gpus[end], f"{links:02x}")
                set_bandwidth(machine, gpu, gpus[end], 50000 * links, 50000 if links else 0)
                for path in links_between(machine, gpu, gpus[end]):
                    machine.put_property(path, "weight", 15 * away[end])

    return edit


def links_not_stated(machine, _gpu):
    """Firmware that knows hops only."""
    for path in files_of_all("xgmi_num_links")(machine, ""):
        machine.line(path, " ".join("00" for _ in machine.text(path).split()) + " ")


# -- guests -------------------------------------------------------------------


def more_gpus(count):
    """A guest with so many GPUs: copies of the first one."""

    def edit(machine, gpu):
        old_port, old_bus = machine.ports(gpu)[0], gpu[5:7]
        whole = dict(machine.entries)
        for number in range(1, count):
            port, bus = f"0000:00:03.{number}", f"{0x10 + number:02x}"
            for path, lines in whole.items():
                if old_port in path or gpu in path:
                    new = path.replace(old_port, port).replace(gpu, f"0000:{bus}:00.0")
                    machine.entries[new] = [
                        line.replace(path, new).replace(old_port, port).replace(gpu, f"0000:{bus}:00.0") for line in lines]
            machine.poke(port, 0x19, "<B", int(bus, 16))
            machine.poke(port, 0x1A, "<B", int(bus, 16))
            machine.pci_line(f"0000:{bus}:00.0", "unique_id", f"{0x3C81D0A95E27F406 + number:016x}")
            machine.pci_line(f"0000:{bus}:00.0", "power_dpm_force_performance_level", "perf_determinism")
            clocks = f"{machine.folder(f'0000:{bus}:00.0')}/pp_od_clk_voltage"
            machine.put(clocks, machine.text(clocks).replace("2100Mhz", "1900Mhz"))
        topology = Topology(machine)
        node = machine.node_of(gpu)
        for number in range(1, count):
            files, links = topology.nodes[node]
            text = files["properties"]
            for key, value in (("location_id", (0x10 + number) << 8), ("drm_render_minor", 128 + 8 * number)):
                text = "".join(f"{name} {value if name == key else old}\n"
                               for name, old in (row.split() for row in text.splitlines()))
            new = len(topology.nodes)
            topology.nodes.append(({**files, "properties": text}, [
                (kind, {**rows, "node_from": str(new)}) for kind, rows in links]))
            topology.nodes[0][1].append(("io_links", {**topology.nodes[0][1][0][1], "node_to": str(new)}))
        for start in range(node, len(topology.nodes)):
            for end in range(node, len(topology.nodes)):
                if start != end:
                    like = dict(topology.nodes[start][1][0][1])
                    topology.nodes[start][1].append(("io_links", {
                        **like, "type": str(XGMI), "node_from": str(start), "node_to": str(end), "weight": "15",
                        "min_bandwidth": "50000", "max_bandwidth": "50000", "flags": "1"}))
        topology.save()

    return edit


def guest_die(machine, gpu):
    machine.node_property(gpu, "simd_count", 1064)
    machine.node_property(gpu, "num_xcc", 7)


def one_way(machine, gpu):
    """A link of one GPU is two hops, and its neighbour's back is one."""
    other = partner(machine, gpu)
    for path in links_between(machine, gpu, other):
        machine.put_property(path, "weight", 30)


def bad_pages(mark):
    return lambda machine, gpu: machine.put(
        f"{machine.folder(gpu)}/ras/gpu_vram_bad_pages", f"0x0001a2b3 : 0x00001000 : {mark}\n")


def kernel(release):
    """Another kernel, built as the one that was there."""

    def edit(machine, _gpu):
        old = machine.text("/proc/sys/kernel/osrelease").strip()
        if machine.kind(f"/boot/config-{old}"):
            machine.put(f"/boot/config-{release}", machine.text(f"/boot/config-{old}"))
        machine.line("/proc/sys/kernel/osrelease", release)

    return edit


OLD_FILES = ("xgmi_num_links", "xgmi_num_hops", "xgmi_physical_id", "current_compute_partition",
             "available_compute_partition", "current_memory_partition")

ROWS = {
    "1 equal is not right": (
        Row("every cap below its default", on_all(watts(400)), "gpu.power_cap", LOWER, names=("GPU", "400 W"),
            more=("mi210", "mi350x", "mi300x-cpx")),
        Row("one GPU with another cap and default", watts(600, 600), "gpu.power_cap", LOWER, names=("GPU", "600 W", "default"),
            more=("mi210", "mi350x", "mi300a", "mi300x-cpx")),
        Row("one default unlike the others, at the cap of all", watts(750, 650), "gpu.power_cap", LOWER,
            names=("GPU",), more=("mi300x-cpx",)),
        Row("every default below the model's", on_all(watts(650, 650)), "gpu.power_cap", LOWER,
            names=("system", "650 W", "--want gpu.power_cap=650"), more=("mi350x", "mi300x-cpx")),
        Row("every default unlike an unverified figure", on_all(watts(250, 250)), "gpu.power_cap", INFO, "mi210",
            names=("system", "300 W")),
        Row("ten-bit tags off on all GPUs", on_all(short_tags), "pci.tags", LOWER,
            names=("system", "ten-bit", "eight-bit", "GPU"), more=("mi210", "mi250x", "mi350x", "mi300x-cpx")),
        Row("128 bytes at once on all", payloads(0), "pci.max_payload", INFO, names=("system", "512", "GPU", "overhead"),
            more=("mi210", "mi250x", "mi350x", "mi300x-cpx")),
        Row("one GPU with a lower highest clock", lambda machine, gpu: machine.node_property(
            gpu, "max_engine_clk_fcompute", 1500), "gpu.model", {"acceptance": r, "ci-preflight": r},
            names=("GPU", "1500 MHz", "a lower highest clock slows all"), more=("mi210", "mi250x", "mi300a", "mi350x")),
        Row("memory of one GPU at a lower clock", lambda machine, gpu: machine.put_property(
            f"{NODES}/{machine.node_of(gpu)}/mem_banks/0/properties", "mem_clk_max", 900), "gpu.vram", LOWER,
            names=("GPU", "900 MHz"), more=("mi210", "mi250x", "mi300a", "mi350x", "mi300x-cpx")),
        Row("no SMU firmware on any GPU", on_all(gpu_line("fw_version/smc_fw_version", "0x00000000")), "gpu.firmware",
            LOWER, names=("smc 0x00000000",), more=("mi210", "mi250x", "mi350x", "mi300x-cpx")),
        Row("no MEC firmware on any GPU", on_all(gpu_line("fw_version/mec_fw_version", "0x00000000")), "gpu.firmware",
            LOWER, "mi300a", names=("mec 0x00000000",), more=("mi300x-tuned",)),
        Row("no xGMI application on any GPU", on_all(gpu_line("fw_version/ta_xgmi_fw_version", "0x00000000")),
            "gpu.firmware", INFO, names=("ta_xgmi 0x00000000",), more=("mi210", "mi250x", "mi350x")),
        Healthy("MI250X modules with one cap for both dies", caps_in_turn, "mi250x"),
        Healthy("MI250X nodes of a vendor with 500 W", on_all(watts(500, 500)), "mi250x"),
        Healthy("MI300A nodes of a vendor with 760 W", on_all(watts(760, 760)), "mi300a"),
        Healthy("MI210 with a vendor's cap on all", on_all(watts(250, 250)), "mi210", info=("gpu.power_cap",)),
        Healthy("GPUs that cannot ask with ten-bit tags", on_all(no_requester), more=("mi210", "mi250x", "mi350x")),
        Healthy("a root port without ten-bit tags", on_all(no_completer), more=("mi210", "mi250x", "mi350x")),
        Healthy("payloads of 512 bytes", payloads(2), more=("mi210", "mi250x")),
        Healthy("functions that carry 128 bytes at most", least_is_all, more=("mi210",)),
        Healthy("an APU without SMU firmware of the driver's", on_all(together(
            gpu_line("fw_version/smc_fw_version", "0x00000000"), gpu_line("fw_version/sos_fw_version", "0x00000000"))),
            "mi300a"),
        Healthy("a guest without the host's firmware", on_all(together(
            *(gpu_line(f"fw_version/{name}_fw_version", "0x00000000") for name in ("smc", "sos", "ta_ras", "ta_xgmi")))),
            "guest"),
        Healthy("a guest with a cap of its host's", on_all(watts(500)), "guest"),
    ),
    "4 atomics": (
        Row("a root port neither routes nor completes (case 29)", at("0000:83:00.0", refused(0x03C0)), "gpu.count", GATES,
            "mi210", names=("0000:83:00.0", "0000:80:01.1", "neither routes nor completes", "slot", "BIOS"), without=("reseat",),
            also=("gpu.atomics", "gpu.compute_units", "gpu.xgmi", "gpu.vram", "gpu.visible")),
        Row("a root port routes and does not complete", at("0000:83:00.0", refused(0x0180)), "gpu.count", ACCEPTANCE,
            "mi210", names=("0000:83:00.0", "0000:80:01.1", "does not complete"), without=("reseat",),
            also=("gpu.atomics", "gpu.compute_units", "gpu.xgmi", "gpu.vram", "gpu.visible")),
        Row("the switch above does not route", refused(0x0040, -2), "gpu.count", ACCEPTANCE,
            names=("GPU", "does not route"), without=("reseat",), more=(),
            also=("gpu.atomics", "gpu.compute_units", "gpu.xgmi", "gpu.vram", "gpu.visible")),
        Row("the switch above blocks AtomicOps", blocking, "gpu.count", ACCEPTANCE, names=("GPU", "blocks AtomicOps"),
            without=("reseat",), also=("gpu.atomics", "gpu.compute_units", "gpu.xgmi", "gpu.vram", "gpu.visible")),
        Row("atomics of such a GPU", at("0000:83:00.0", refused(0x03C0)), "gpu.atomics", ACCEPTANCE, "mi210",
            names=("0000:83:00.0", "off", "0000:80:01.1"), without=("reseat",),
            also=("gpu.count", "gpu.compute_units", "gpu.xgmi", "gpu.vram", "gpu.visible")),
        Row("a die without a node needs no AtomicOps of its port", refused(0x03C0), "gpu.count", GATES, "mi250x",
            names=("GPU",), without=("AtomicOps",), also=("gpu.atomics", "gpu.compute_units", "gpu.xgmi", "gpu.xgmi_links",
                                                          "gpu.vram", "gpu.visible")),
        Row("no node, and all ports carry AtomicOps", no_node, "gpu.count", ACCEPTANCE, "mi210", names=("GPU", "dmesg"),
            without=("AtomicOps",), also=("gpu.atomics", "gpu.compute_units", "gpu.xgmi", "gpu.vram", "gpu.visible")),
        Healthy("ports without AtomicOps where the host is reached over xGMI", on_all(ports_without), "mi250x", more=("mi300a",)),
        Healthy("a switch that blocks AtomicOps between its ports", downstream_blocks),
    ),
    "5 parts of a whole": (
        Row("7 of 8 dies", die_gone, "gpu.count", GATES, "mi250x",
            names=("0000:ce:00.0", "7 dies", "0000:c8:07.1"), also=("gpu.xgmi_links", "pci.symmetry", "gpu.visible", "gpu.nic")),
        Row("6 of 8 partitions of a GPU in KFD", two_partitions_lost, "gpu.compute_partition", GATES, "mi300x-cpx",
            names=("GPU", "CPX with 6 KFD nodes", "expected 8 in mode CPX"), also=("gpu.compute_units",)),
        Row("KFD lacks one of eight partitions", partition_lost, "gpu.compute_partition", GATES, "mi300x-cpx",
            names=("GPU", "CPX with 7 KFD nodes", "KFD has 7 nodes of", "expected 8 in mode CPX"),
            also=("gpu.compute_units", "gpu.count", "gpu.xgmi", "gpu.visible")),
        Row("units of the lost partition", partition_lost, "gpu.compute_units", GATES, "mi300x-cpx",
            names=("GPU", "266", "xcp"), without=("replace",),
            also=("gpu.compute_partition", "gpu.count", "gpu.xgmi", "gpu.visible")),
        Row("SPX with 8 KFD nodes", split_only_in_kfd, "gpu.compute_partition", GATES,
            names=("GPU", "SPX with 8 KFD nodes", "expected 1 in mode SPX"), more=("mi350x",), also=("gpu.xgmi",)),
        Row("all GPUs CPX with one KFD node each", on_all(mode_only("CPX")), "gpu.compute_partition", GATES,
            names=("GPU", "CPX with 1 KFD node"), more=("mi350x", "mi300a")),
        Row("DPX with one KFD node", mode_only("DPX"), "gpu.compute_partition", GATES, names=("GPU", "DPX with 1 KFD node"),
            more=("mi350x",)),
        Row("half of the units in one partition", half_a_partition, "gpu.compute_units", GATES, "mi300x-cpx",
            names=("GPU", "has 19 compute units, but the largest partition has 38")),
        Row("three of four virtual functions on PCI", vfs_text(4), "gpu.vfs", INFO,
            names=("GPU", "sriov_numvfs is 4", "2 virtual functions"), more=("mi350x",)),
        Row("one of two virtual functions on PCI", one_vf_lost, "gpu.vfs", INFO,
            names=("GPU", "1 virtual function of"), more=("mi350x",)),
        Row("virtual functions that SR-IOV does not know of", vfs_text(0), "gpu.vfs", INFO,
            names=("GPU", "sriov_numvfs is 0"), more=("mi350x",)),
        Row("virtual functions that were never made", gpu_line("sriov_numvfs", 8), "gpu.vfs", INFO,
            names=("GPU", "0 virtual functions"), more=("mi350x", "mi210")),
        Row("a socket with 3 cards, the other with 4", gone_with_port, "pci.symmetry", INFO, "mi210",
            names=("4 on node", "3 on node"), also=("gpu.xgmi", "gpu.xgmi_links", "gpu.visible")),
        Row("a hive with 3 cards, the other with 4", at("0000:83:00.0", gone_with_port), "gpu.xgmi", INFO, "mi210",
            names=("a hive has 3", "4"), also=("pci.symmetry", "gpu.xgmi_links", "gpu.visible")),
        Row("a module of two dies gone", module_gone, "gpu.xgmi", INFO, "mi250x", names=("6 dies", "8"),
            also=("gpu.xgmi_links", "gpu.nic", "gpu.visible")),
        Healthy("six cards: three at each socket", together(at("0000:63:00.0", gone_with_port), at("0000:e3:00.0", gone_with_port)),
                "mi210"),
        Healthy("four cards in one hive", together(*(at(f"0000:{bus}:00.0", gone_with_port) for bus in ("83", "a3", "c3", "e3"))),
                "mi210"),
        Healthy("cards without bridges", on_all(lambda machine, gpu: machine.node_property(gpu, "hive_id", 0)), "mi210"),
        Healthy("DPX on all", divided("DPX", 2), info=("gpu.compute_partition",), more=("mi350x",)),
        Healthy("CPX on all", divided("CPX", 8), "mi350x", info=("gpu.compute_partition",)),
        Healthy("a host of guests", on_all(vfs_left), info=("gpu.vfs",), more=("mi350x",)),
        Healthy("a guest with two GPUs", more_gpus(2), "guest"),
        Healthy("a guest with four GPUs", more_gpus(4), "guest"),
        Healthy("a guest with one GPU on Linux 6.17", kernel("6.17.0-5-generic"), "guest"),
        Healthy("CPX on Linux 6.17", kernel("6.17.0-5-generic"), "mi300x-cpx"),
        Healthy("a container on Linux 6.17", kernel("6.17.0-5-generic"), "container"),
        Healthy("a driver without partition files", together(kernel("5.15.0-119-generic"), without(*OLD_FILES)),
                "mi210", more=("mi250x", "mi300x-tuned", "mi300a")),
    ),
    "6 links": (
        Row("half the bandwidth between two GPUs", narrow_pair(), "gpu.xgmi_links", LOWER, names=("GPU", "25000 MB/s"),
            more=("mi210", "mi350x", "mi300a")),
        Row("half the bandwidth in one direction", narrow_pair(1), "gpu.xgmi_links", LOWER, names=("GPU", "25000 MB/s"),
            more=("mi210", "mi350x", "mi300a")),
        Row("half the bandwidth from one GPU to all others", narrow_gpu, "gpu.xgmi_links", LOWER,
            names=("GPU", "32000 MB/s"), more=("mi350x", "mi300a")),
        Row("a link lost in a module, as KFD states it", module_bandwidth(150000), "gpu.xgmi_links", LOWER, "mi250x",
            names=("GPU", "150000 MB/s", "4 links")),
        Row("two links lost in all modules, as KFD states it", module_bandwidth(100000, 4), "gpu.xgmi_links", INFO,
            "mi250x", names=("GPU", "100000 MB/s", "Linux 5.14")),
        Row("a link lost in a module", entry("xgmi_num_links", "03"), "gpu.xgmi_links", LOWER, "mi250x",
            names=("GPU", "4 links")),
        Row("two links lost in all modules", entry("xgmi_num_links", "02", True), "gpu.xgmi_links", LOWER, "mi250x",
            names=("GPU", "4 links")),
        Row("a die outside of the hive of the others", lambda machine, gpu: machine.node_property(gpu, "hive_id", 0),
            "gpu.xgmi", {"acceptance": R, "ci-preflight": R, "auto": r}, "mi250x", names=("GPU", "in no hive")),
        Row("four pairs of a full mesh two hops apart", entry("xgmi_num_hops", "02", True), "gpu.xgmi_links", LOWER,
            names=("GPU", "one hop"), more=("mi350x", "mi300a")),
        Row("four pairs of a full mesh without a link", entry("xgmi_num_links", "00", True), "gpu.xgmi_links", LOWER,
            names=("GPU", "no link"), more=("mi350x", "mi300a")),
        Row("a link between modules is rerouted", rerouted, "gpu.xgmi_links", LOWER, "mi250x",
            names=("GPU", "2 neighbours", "this die has 2 direct neighbours", "but most dies of its hive have 3")),
        Row("a link between modules is rerouted, on an EX235a", together(real_table, rerouted), "gpu.xgmi_links", LOWER,
            "mi250x", names=("GPU", "2 neighbours")),
        Row("a link between modules is rerouted, as KFD states it", together(rerouted, without(*OLD_FILES[:3])),
            "gpu.xgmi_links", LOWER, "mi250x", names=("GPU", "2 neighbours", "(KFD)"), without=("xgmi_num_hops,",)),
        Row("a link between modules was lost after KFD read it", rerouted_in_files, "gpu.xgmi_links", LOWER, "mi250x",
            names=("GPU", "the weights in KFD are hops 1 1 1")),
        Row("a neighbour without a link in the firmware", neighbour_without_link, "gpu.xgmi_links", LOWER, "mi250x",
            names=("GPU", "2 direct neighbours (xgmi_num_links)")),
        Healthy("modules in a chain", board((1, 2), (3, 4), (5, 6)), "mi250x"),
        Healthy("modules in a ring", board((1, 2), (3, 4), (5, 6), (7, 0)), "mi250x"),
        Healthy("modules in a ladder", board((0, 2), (1, 3), (2, 4), (3, 5), (4, 6), (5, 7)), "mi250x"),
        Healthy("a chain without the driver's files", together(board((1, 2), (3, 4), (5, 6)), without(*OLD_FILES[:3])), "mi250x"),
        Healthy("an EX235a's own links", real_table, "mi250x"),
        Healthy("an EX235a on Linux 5.13: nothing is stated", all_bandwidths(0), "mi250x"),
        Healthy("an EX235a's own links without the driver's files", together(real_table, without(*OLD_FILES[:3])), "mi250x"),
        Healthy("no bandwidth is stated", all_bandwidths(0), more=("mi210", "mi350x", "mi300a", "mi300x-cpx", "guest")),
        Healthy("two links a pair everywhere", all_bandwidths(128000), more=("mi210", "mi350x", "mi300a")),
        Healthy("no files of links", without(*OLD_FILES[:3]), more=("mi210", "mi250x", "mi350x", "mi300a")),
        Healthy("firmware that states no links", links_not_stated, more=("mi210", "mi250x", "mi350x", "mi300a")),
        Healthy("Linux 6.17", kernel("6.17.0-5-generic"), more=("mi210", "mi250x", "mi300a", "mi350x")),
    ),
    "11 texts": (
        Row("a guest's GPU lost a die", guest_die, "gpu.compute_units", GATES, "guest",
            names=("266", "304", "administrator of the hypervisor"), without=("reseat", "replace")),
        Row("a guest's GPU lost a stack", stack_lost, "gpu.vram", ACCEPTANCE, "guest",
            names=("administrator of the hypervisor",), without=("reseat", "replace"), also=("pci.large_bar",)),
        Row("a guest's link is two hops in one direction", together(more_gpus(4), one_way), "gpu.xgmi", GATES,
            "guest", names=("GPU", "administrator of the hypervisor"), without=("reseat", "replace"), also=("gpu.xgmi_links",)),
        Row("a page waits for a reset", bad_pages("P"), "gpu.bad_pages", {"acceptance": R, "ci-preflight": R}, "mi210",
            names=("1 page waits for a reset; 0 pages could not be retired; 0 pages are retired", "--gpureset"), more=("mi300x-tuned",)),
        Row("a page is retired", bad_pages("R"), "gpu.bad_pages", LOWER, "mi210",
            names=("0 pages wait for a reset; 0 pages could not be retired; 1 page is retired", "amd-smi bad-pages"),
            without=("gpureset",), more=("mi300x-tuned",)),
        Row("vramlimit on all is no case for new GPUs", memory_limited, "gpu.vram", ACCEPTANCE,
            names=("/etc/modprobe.d",), without=("new GPU", "replace", "reseat"), more=("mi350x",),
            also=("gpu.parameters", "pci.large_bar")),
        Row("a stack lost on one GPU may return with a reset", stack_lost, "gpu.vram", ACCEPTANCE, "mi350x",
            names=("GPU", "--gpureset"), without=("new GPU",), more=("mi300x-tuned",)),
        Row("units masked on all are no case for new GPUs", on_all(lambda machine, gpu: machine.node_property(
            gpu, "simd_count", machine.properties(machine.node_of(gpu))["simd_count"] - 128)), "gpu.compute_units", GATES,
            names=("disable_cu",), without=("new GPU", "replace"), more=("mi350x", "mi300a")),
    ),
}
