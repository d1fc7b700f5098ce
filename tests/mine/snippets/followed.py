import os

TRUTHY = frozenset({"1", "true", "yes", "on"})
stripped = os.environ.get("DEMO_STRIPPED", "0").strip().lower() in TRUTHY
not_off = os.environ.get("DEMO_NOT_OFF", "1").strip().lower() not in ("0", "false", "no", "off")
odd = os.environ.get("DEMO_ODD_WORDS", "0") in ("1", "enable")
or_number = int(os.environ.get("DEMO_OR_NUMBER") or 8)
second = os.environ.get("DEMO_FIRST_PATH") or os.environ.get("DEMO_SECOND_PATH") or "/opt/demo"
given = function(path=os.environ.get("DEMO_PASSED", "here"))
counted = parse_count(os.environ.get("DEMO_PARSED"))
flag = os.environ.get("DEMO_NEXT_LINE", "0")
flag_is_on = flag == "1"
told = wrapper("DEMO_WITHOUT_DEFAULT")


def env_flag(name, default="0"):
    return str(os.environ.get(name, default)).strip().lower() in ("1", "true", "yes", "on")


def lazy_number(name, default):
    def getter():
        value = os.getenv(name)
        return int(default) if value is None else int(value)
    return getter


helped = env_flag("DEMO_HELPED", "1")
table = {"DEMO_LATER": lazy_number("DEMO_LATER", 5)}


def limit(size):
    text = os.environ.get("DEMO_LIMIT_TEXT")
    if text is None:
        return size
    try:
        return max(int(text), 0)
    except ValueError:
        return size


def saved():
    before = os.environ.get("DEMO_PUT_BACK")
    os.environ["DEMO_PUT_BACK"] = "1"
    work()
    os.environ["DEMO_PUT_BACK"] = before


def overridden(name, value):
    before = os.environ.get(name)
    os.environ[name] = value
    return before


def lazy_path(name, default_of):
    def getter():
        value = os.getenv(name)
        if value is None:
            value = default_of()
        return os.path.expanduser(value)
    return getter


kept = overridden("DEMO_OVERRIDDEN", "1")
place = lazy_path("DEMO_PLACE", lambda: os.path.join(os.path.expanduser("~"), "demo"))


def lazy_truth(name, default="false"):
    return lambda: wrapper(name, default)


truth = lazy_truth("DEMO_LATER_TRUTH", "true")


def count():
    if value := os.environ.get("DEMO_COUNT_IF_SET"):
        return 4 > int(value)
    return True


class Lengths:
    def fill(self):
        self.length = os.environ.get("DEMO_LENGTH")
        self.length = None if self.length == "None" else int(self.length)


def shape():
    if os.environ.get("DEMO_EITHER") == "1":
        return True
    if os.environ.get("DEMO_EITHER") == "0":
        return False
    return None


def stripped_number():
    text = os.environ.get("DEMO_STRIPPED_NUMBER", "").strip()
    if text:
        return 4 > int(text)
    return True


def strict_digit():
    text = os.environ.get("DEMO_STRICT_DIGIT")
    text = text.strip()
    if text not in ("0", "1"):
        raise ValueError(text)
    return int(text)


def printed():
    print("started with", os.environ.get("DEMO_PRINTED", "[unset]"))
    return os.environ.get("DEMO_BY_ANOTHER", os.environ.get("DEMO_ANOTHER", "0")) == "1"


if os.environ.get("DEMO_TESTED_FIRST", None) is not None:
    tested_first = os.path.join(os.environ.get("DEMO_TESTED_FIRST"), "x")
