# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""same_entries.py FEWER.ptx MORE.ptx: says how many entries the first has, if each is in
the second with the same text."""
import re
import sys


def entries(path):
    with open(path, encoding="utf-8") as file:
        parts = re.split(r"(?m)^(?=\.visible \.entry )", file.read())[1:]
    # Labels, files and what stands behind the last entry are numbered by module.
    number = re.compile(r"(\$L__\w+?)\d+(_\d+)?|^\s*\.(loc|section|file).*", re.M)
    found = {}
    for part in parts:
        body = part[: part.index("\n}\n")]
        found[re.match(r"\.visible \.entry (\w+)", part)[1]] = number.sub(r"\1", body)
    return found


fewer, more = (entries(path) for path in sys.argv[1:])
other = [name for name, text in fewer.items() if more.get(name) != text]
print("not the same: %s" % ", ".join(other) if other else "%d entries are the same" % len(fewer))
