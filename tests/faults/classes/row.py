"""The forms of the rows: a fault of a whole node, and a healthy variant of one."""

from dataclasses import dataclass

R, r, i = "required", "recommended", "info"
QUIET = ("auto", "benchmark", "acceptance", "ci-preflight", "container", "rccl-multinode")


@dataclass(frozen=True)
class Row:
    """One fault, and the findings that report it."""

    what: str
    edit: object  # (machine, address of a GPU)
    id: str
    levels: dict  # profile -> level of the finding; every other profile that has the id may report it, too
    base: str = "mi300x-tuned"
    more: tuple = ()  # further machines, with --every
    names: tuple = ()  # words that the texts of these findings contain; GPU stands for the address
    without: tuple = ()  # words that they do not contain
    also: tuple = ()  # other ids that report a consequence


@dataclass(frozen=True)
class Healthy:
    """A variant without a fault: no finding newly differs or is newly unknown, in any of these profiles."""

    what: str
    edit: object
    base: str = "mi300x-tuned"
    more: tuple = ()
    info: tuple = ()  # ids that may differ at the level info
    profiles: tuple = QUIET
