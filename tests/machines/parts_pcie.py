"""What the kernel tells of the health of GPU and NIC paths: AER counters, power states.

Names: linux drivers/pci/pcie/aer.c, which prints the short ones.
"""

from parts_config import AER, ROOT_PORT, is_end

CORRECTABLE = ("RxErr", "BadTLP", "BadDLLP", "Rollover", "Timeout", "NonFatalErr", "CorrIntErr",
               "HeaderOF")
UNCORRECTABLE = ("Undefined", "DLP", "SDES", "TLP", "FCP", "CmpltTO", "CmpltAbrt", "UnxCmplt",
                 "RxOF", "MalfTLP", "ECRC", "UnsupReq", "ACSViol", "UncorrIntErr", "BlockedTLP",
                 "AtomicOpBlocked", "TLPBlockedErr", "PoisonTLPBlocked")
COUNTERS = {
    "aer_dev_correctable": (*CORRECTABLE, "TOTAL_ERR_COR"),
    "aer_dev_fatal": (*UNCORRECTABLE, "TOTAL_ERR_FATAL"),
    "aer_dev_nonfatal": (*UNCORRECTABLE, "TOTAL_ERR_NONFATAL"),
}
AER_SINCE, POWER_STATE_SINCE = (4, 19), (5, 11)


def path_functions(functions):
    """GPUs, RDMA NICs, and the bridges above them."""
    out = set()
    for fn in filter(is_end, functions):
        while fn and fn.bdf not in out:
            out.add(fn.bdf)
            fn = fn.parent
    return out


def add_health(tree, folder, fn, kernel):
    """Files of one function on such a path, in a kernel of this version."""
    if kernel >= AER_SINCE and fn.size == 4096 and AER in [ident for _, ident in fn.layout[1]]:
        for name, words in COUNTERS.items():
            tree.raw(f"{folder}/{name}", "".join(f"{word} 0\n" for word in words))
        if fn.port == ROOT_PORT:
            totals = ("cor", "fatal", "nonfatal")
            tree.texts(folder, {f"aer_rootport_total_err_{kind}": 0 for kind in totals})
    tree.text(f"{folder}/broken_parity_status", 0)
    if kernel >= POWER_STATE_SINCE:
        tree.text(f"{folder}/power_state", "D0")
