# SPDX-License-Identifier: MIT
"""Which parser of the catalogue equals the answers that code gives to texts."""
from found import INTS

UNSET, FAILS = object(), object()  # the answer is the one without the variable; the code raises
TEXTS = ["", "0", "1", "2", "7", "42", "-1", "01", "1.5", "true", "True", "TRUE", "false", "False", "FALSE", "t", "f", "y", "n", "yes", "Yes", "YES",
         "no", "NO", "on", "On", "ON", "off", "OFF", "enable", "enabled", "disable", "disabled", "none", "None", "auto", "x", "X", " ", " 1", "1 ", "0 ",
         " true", "on ", "off ", " false ", " no", "yes ", "10", "a,b"]


def whole(text):
    try:
        return int(text)
    except ValueError:
        return FAILS


def fraction(text):
    try:
        return float(text)
    except ValueError:
        return FAILS


def lower_in(*words):
    return lambda text: text.lower() in words


def or_unset(read):
    return lambda text: UNSET if read(text) is FAILS else read(text)


def known(on, off):
    return lambda text: True if text.lower() in on else False if text.lower() in off else UNSET


def strict(on, off):
    return lambda text: True if text.lower() in on else False if text.lower() in off else FAILS


MODELS = {
    "eq1": lambda text: text == "1",
    "ne0": lambda text: text != "0",
    "nonempty": lambda text: text != "",
    "eq-capital-true": lambda text: text == "TRUE",
    "py-lower-true": lower_in("true"),
    "py-lower-true1": lower_in("true", "1"),
    "py-lower-true1-yes": lower_in("true", "1", "yes"),
    "py-lower-yes": lower_in("1", "y", "yes", "true"),
    "triton-bool": lower_in("1", "true", "on"),
    "accelerate-flag": strict(("1", "y", "yes", "t", "true", "on"), ("0", "n", "no", "f", "false", "off")),
    "hf-bool": lower_in("1", "on", "yes", "true"),
    "triton-knob": lower_in("1", "y", "on", "yes", "true"),
    "py-strip-true1": lambda text: text.strip().lower() in ("1", "true"),
    "py-strip-on": lambda text: text.strip().lower() in ("1", "on", "yes", "true"),
    "py-strip-yes": lambda text: text.strip().lower() in ("1", "on", "t", "true", "y", "yes"),
    "py-strip-not-off": lambda text: text.strip().lower() not in ("0", "false", "no", "off"),
    "mori-flag": lambda text: text.lower() not in ("", "0", "false", "off", "no"),
    "not-off-word": lambda text: text.lower() not in ("", "off", "false", "f", "no", "n", "0"),
    "first1": lambda text: text[:1] == "1",
    "first-not-0": lambda text: text[:1] != "0",
    "sglang-bool": known(("true", "1", "yes", "y"), ("false", "0", "no", "n")),
    "01-else-default": lambda text: {"0": False, "1": True}.get(text, UNSET),
    "py-int-bool": lambda text: FAILS if whole(text) is FAILS else whole(text) != 0,
    "py-int": whole,
    "sglang-int": or_unset(whole),
    "py-int-or-empty": lambda text: UNSET if text == "" else whole(text),
    "py-digits": lambda text: int(text) if text.isdigit() else UNSET,
    "py-float": fraction,
    "sglang-float": or_unset(fraction),
    "string": lambda text: text,
    "string-upper": lambda text: text.upper(),
    "comma-list": lambda text: text.split(","),
}
NUMBERS = ("py-float", "sglang-float", *INTS)


def agrees(parser, answers, without):
    """Whether ANSWERS (text to value or FAILS) are those of PARSER, WITHOUT being the answer to no variable. Numbers may be limited to a
    range, which the texts 2, 7 and 42 are in; an empty text may count as unset where a text is used as it is."""
    model = MODELS[parser]
    for text, got in answers.items():
        expected = model(text)
        expected = without if expected is UNSET else expected
        if same(got, expected):
            continue
        if parser in ("string", "string-upper") and (got == without and not text.strip() or got == expected.strip()):
            continue
        if parser == "string-upper" and isinstance(got, str) and got.strip() == expected.strip().lower():
            continue
        is_number = parser in NUMBERS and isinstance(got, (int, float)) and not isinstance(got, bool) and expected is not FAILS
        if is_number and isinstance(model(text), (int, float)) and whole(text) not in (2, 7, 42, 10):
            continue
        return False
    return True


def same(got, expected):
    return got == expected and isinstance(got, bool) == isinstance(expected, bool)


def parser_of(answers):
    """The parser that agrees with all ANSWERS (the one to None is without the variable) or with their opposites, and its value without the
    variable; None if there is none."""
    answers = dict(answers)
    without = answers.pop(None)
    if len({repr(each) for each in answers.values()}) < 2:
        return None
    found = next((parser for parser in MODELS if agrees(parser, answers, without)), None)
    if found:
        return found, without
    if all(each is FAILS or isinstance(each, bool) for each in answers.values()):
        opposite = {text: each if each is FAILS else not each for text, each in answers.items()}
        without = not without if isinstance(without, bool) else without
        found = next((parser for parser in MODELS if agrees(parser, opposite, without)), None)
    return (found, without) if found else None
