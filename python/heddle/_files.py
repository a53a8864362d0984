# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files that are read within bounds, and written whole or not at all, whoever writes them at once."""

import errno
import os
import re
import secrets
import stat

MOST_BYTES = 64 << 20  # as the compiler takes them
_OWN = re.compile(r"/dev/(stdin|fd/[0-9]+)|/proc/self/fd/[0-9]+")


def read_bytes(path, most=MOST_BYTES):
    """The bytes of a regular file. Of a device or a FIFO reading need not end: these are refused, unless
    they are descriptors of this process."""
    is_own = _OWN.fullmatch(os.fsdecode(path))
    more = 0 if is_own else os.O_NONBLOCK | os.O_NOCTTY
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | more)) as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode) and not is_own:
            raise OSError(errno.EINVAL, "it is no regular file", os.fsdecode(path))
        data = file.read(most + 1) if status.st_size <= most else None
    if data is None or len(data) > most:
        raise OSError(errno.EFBIG, "it has more than %d bytes" % most, os.fsdecode(path))
    return data


def read_text(path):
    """The text of a regular file, in UTF-8."""
    try:
        return read_bytes(path).decode()
    except UnicodeDecodeError as error:
        raise ValueError("%s: byte %d is no UTF-8" % (os.fsdecode(path), error.start)) from None


def write_whole(path, text):
    """Text as a file. A failure, of a full disk for example, leaves what was there. Others may write in the same
    folder, of other machines and with the same number of a process: the unfinished file has a name that is drawn."""
    unfinished = "%s.%s.tmp" % (os.fspath(path), secrets.token_hex(8))
    file = open(unfinished, "x", encoding="utf-8")
    try:
        with file:
            file.write(text)
        os.replace(unfinished, path)
    except BaseException:
        if os.path.exists(unfinished):
            os.unlink(unfinished)
        raise
