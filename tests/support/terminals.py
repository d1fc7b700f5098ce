# SPDX-License-Identifier: MIT
"""Whether this machine has pseudo terminals: a plain chroot without /dev/pts has none."""
import os


def why_none():
    """Returns why no terminal can be opened, or an empty text."""
    try:
        for each in os.openpty():
            os.close(each)
    except OSError as error:
        return f"no pseudo terminal can be opened here ({error})"
    return ""
