# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled kernels on disk, by what they were made from.

An entry is one file, written whole, and processes may write the same one at once. Its name is a hash of everything
that the kernel depends on, so that nothing in it can be stale. A folder that
cannot be written, or an entry that is damaged, costs only the time to compile.
"""

import hashlib
import json
import os
import sys

from . import _files

# Raised when the files change.
FORMAT = "heddle-kernels-2"

_warned = set()


def folder():
    """HEDDLE_CACHE_DIR or the user's cache folder; None if it is set empty."""
    given = os.environ.get("HEDDLE_CACHE_DIR")
    if given is not None:
        return os.path.join(given, "kernels") if given else None
    root = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(root, "heddle", "kernels")


def key_of(*parts):
    """A name for what depends on these texts and nothing else."""
    digest = hashlib.sha256()
    for part in (FORMAT, *parts):
        data = part if isinstance(part, bytes) else part.encode()
        digest.update(b"%d:" % len(data))
        digest.update(data)
    return digest.hexdigest()


def load(key):
    """What was stored, or None."""
    where = folder()
    if not where:
        return None
    try:
        with open(os.path.join(where, key + ".json"), encoding="utf-8") as file:
            entry = json.load(file)
    except (OSError, ValueError):
        return None
    # Guards against an entry that somebody renamed or cut at a lucky place.
    return entry["value"] if isinstance(entry, dict) and entry.get("key") == key else None


def store(key, value):
    """Keeps a value of JSON; says once, on stderr, where that does not work."""
    where = folder()
    if not where:
        return
    try:
        os.makedirs(where, exist_ok=True)
        text = json.dumps({"key": key, "value": value})
        _files.write_whole(os.path.join(where, key + ".json"), text)
    except OSError as error:
        if where not in _warned:
            _warned.add(where)
            print(
                "heddle: kernels are not kept, because %s cannot be written: %s"
                % (where, error.strerror or error),
                file=sys.stderr,
            )
