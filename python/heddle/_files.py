# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files that are written whole or not at all, whoever writes them at once."""

import os
import threading


def write_whole(path, text):
    """Text as a file. A failure, of a full disk for example, leaves what was there."""
    unfinished = "%s.%d-%d.tmp" % (os.fspath(path), os.getpid(), threading.get_ident())
    try:
        with open(unfinished, "x", encoding="utf-8") as file:
            file.write(text)
        os.replace(unfinished, path)
    except BaseException:
        if os.path.exists(unfinished):
            os.unlink(unfinished)
        raise
