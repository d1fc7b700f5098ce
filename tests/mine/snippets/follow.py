import os
import sys
from typing import Literal, Optional
NAME: str = "DEMO_ANNOTATED"
ON_WORDS = ["1", "on", "yes", "true"]
setting: str | None = os.environ.get("DEMO_SETTING")
mode: Literal["a", "b"] = os.environ.get("DEMO_LITERAL", "a")
rank = int(os.environ[NAME])
meta = os.environ.get("DEMO_META", "0" if is_fbcode() else "1") == "1"
unset_on = os.environ.get("DEMO_UNSET_ON") in (None, "1")
named_words = os.environ.get("DEMO_NAMED_WORDS", "0").lower() in ON_WORDS
strict = str_to_bool(os.environ.get("DEMO_STRICT_FLAG", "False")) == 1
plain_flag = parse_flag("DEMO_PLAIN_FLAG")
limit = None if (text := os.getenv("DEMO_WALRUS")) is None else int(text)
sys.path.append(os.environ.get("DEMO_SYS_PATH", "."))
joined = os.environ.get("DEMO_JOINED", "/tmp") + "/x"
same = current == os.environ.get("DEMO_SAME")
if fast and (slow and os.environ.get("DEMO_NESTED")):
    unpadded = not int(os.environ.get("DEMO_NOT_INT", 0))


def _scale(text):
    return float(text)


scale = _scale(os.environ.get("DEMO_ARGUMENT", "2"))


def folder() -> Optional[str]:
    return os.environ.get("DEMO_RETURNED")


def _level():
    return os.environ.get("DEMO_PRIVATE", "3")


level = int(_level())


class Plugin:
    kind: Optional[str] = None

    def __post_init__(self, tag: Optional[str] = None):
        prefix = "DEMO_PLUGIN_"
        self.size = os.environ.get(prefix + "SIZE", "4")
        self.size = int(self.size)
        self.kind = os.environ.get(prefix + "KIND", "x")
        self.other = os.environ.get(f"{prefix}OTHER")
        log.setLevel(os.environ.get(prefix + "LEVEL", "INFO").upper())
        tag = os.environ.get(prefix + "TAG", tag)
        start = os.environ.get("DEMO_GIVEN_TWICE", "1")
        if start == "1":
            print(f"starts with {start}")
        start = os.environ.get("DEMO_GIVEN_AGAIN")
        return self.kind, tag, int(start)


def unclear():
    path = os.environ.get("DEMO_EMPTY_IS_UNSET")
    if path:
        return f"{path}/x"
    return publish(os.environ.get("DEMO_PUBLISHED"))


def on_unless_set():
    if "DEMO_UNSET_IS_A_CASE" in os.environ:
        return os.environ.get("DEMO_UNSET_IS_A_CASE") == "1"
    return True


if os.environ.get("DEMO_GUARDED") is not None:
    guarded = int(os.environ.get("DEMO_GUARDED", 0))

backend = os.environ.get("DEMO_TABLE_NAME", "plain")
counters[backend] += 1
