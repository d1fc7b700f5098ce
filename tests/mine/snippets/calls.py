import os
loud = os.environ.get("DEMO_CAPITAL", "FALSE") == "TRUE"
label = f"{os.getenv('DEMO_LABEL')}-1"
KEY = "DEMO_BY_CONSTANT"
rank = int(os.environ.get("DEMO_RANK", "0"))
scale = float(os.getenv("DEMO_SCALE", 1.5))
on = os.environ.get("DEMO_ON", "0") == "1"
off = os.environ.get("DEMO_OFF", "1") != "0"
word = os.getenv("DEMO_TRUE", "False").lower() in ("true", "1")
flag = bool(int(os.getenv("DEMO_INT_FLAG", "1")))
is_set = "DEMO_SET" in os.environ
names = os.environ["DEMO_NAMES"].split(",")
folder = os.path.join(os.environ.get("DEMO_FOLDER", "/tmp"), "x")
by_constant = int(os.environ[KEY])
given = wrapper("DEMO_PY_WRAPPED", True)
os.environ["DEMO_ONLY_WRITTEN"] = "1"


def later():
    size = os.environ.get("DEMO_SIZE_TEXT")
    if size is not None:
        return int(size)
    try:
        return int(os.environ["DEMO_TRIED"])
    except ValueError:
        return elsewhere(os.environ.get("DEMO_ELSEWHERE"))
