"""ROCm as people install it besides the release in /opt: names and links only, every file is empty but those read."""

SITE = "/opt/venv/lib/python3.12/site-packages"
# MIOpen's names tell the number of CUs.
DATABASES = {"gfx90a": "gfx90a6e", "gfx942": "gfx942130", "gfx950": "gfx950100", "gfx1100": "gfx1100_48"}


def remove_rocm(tree):
    for path in [one for one in tree.entries if one == "/opt" or one.startswith("/opt/")]:
        del tree.entries[path]


def add_libraries(tree, libraries, share, gfx):
    """rocBLAS, hipBLASLt and MIOpen with files for some architectures."""
    for name in ("librocblas.so.5", "libhipblaslt.so.1", "libMIOpen.so.1"):
        tree.text(f"{libraries}/{name}", "")
    for one in gfx:
        for library in ("rocblas", "hipblaslt"):
            tree.text(f"{libraries}/{library}/library/TensileLibrary_lazy_{one}.dat", "")
            tree.text(f"{libraries}/{library}/library/Kernels.so-000-{one}.hsaco", "")
        tree.text(f"{share}/miopen/db/{DATABASES[one]}.HIP.fdb.txt", "")


def add_rocm_10(tree):
    """As the packages' scripts leave it: a folder of links by way of /etc/alternatives."""
    core = "/opt/rocm/core-10.0"
    tree.text(f"{core}/.info/version", "10.0.0")
    for name in ("libhsa-runtime64.so.1", "libamdhip64.so.7", "librocm-debug-agent.so.2"):
        tree.text(f"{core}/lib/{name}", "")
    add_libraries(tree, f"{core}/lib", f"{core}/share", ("gfx90a", "gfx942", "gfx950"))
    links = {"core": core, "core-10": core}
    links |= {f"rocm-{name}": f"{core}/{name}" for name in ("bin", "include", "lib", "share")}
    for name, target in links.items():
        tree.link(f"/etc/alternatives/{name}", target)
        tree.link(f"/opt/rocm/{name.removeprefix('rocm-')}", f"/etc/alternatives/{name}")


def add_wheels(tree):
    """AMD's wheels, and PyTorch of another source that brings its own."""
    tree.text(f"{SITE}/_rocm_sdk_core/.info/version", "10.0.0")
    tree.text(f"{SITE}/_rocm_sdk_core/lib/libamdhip64.so.7", "")
    tree.text(f"{SITE}/rocm_sdk_core-10.0.0.dist-info/METADATA", "")
    add_libraries(tree, f"{SITE}/_rocm_sdk_libraries/lib", f"{SITE}/_rocm_sdk_libraries/share", ("gfx942",))
    torch = "/usr/local/lib/python3.12/dist-packages/torch"
    tree.text(f"{torch}/version.py", "__version__ = '2.9.0+rocm6.4'")
    tree.text(f"{torch}/lib/libamdhip64.so", "")
    add_libraries(tree, f"{torch}/lib", f"{torch}/share", ("gfx90a", "gfx1100"))


def add_distribution(tree):
    """What Debian's libamdhip64-5 and libhsa-runtime64-1 (5.2.3) hold."""
    folder = "/usr/lib/x86_64-linux-gnu"
    for soname, file in (("libamdhip64.so.5", "libamdhip64.so.5.2.21153"), ("libhsa-runtime64.so.1", "libhsa-runtime64.so.1.5.0")):
        tree.text(f"{folder}/{file}", "")
        tree.link(f"{folder}/{soname}", file)
