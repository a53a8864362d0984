# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""npy.py FILE TYPE SHAPE VALUE...: writes an array, with the standard library alone.

TYPE is NumPy's (f2, f4, f8, i4, u2, ...), SHAPE is 2x3; `N*V` repeats a value.
"""

import struct
import sys

FORMATS = {"f2": "e", "f4": "f", "f8": "d", "i4": "i", "u1": "B", "u2": "H"}


def main():
    path, kind, shape = sys.argv[1:4]
    values = []
    for text in sys.argv[4:]:
        count, _, value = text.rpartition("*")
        number = float(value) if kind[0] == "f" else int(value, 0)
        values += [number] * int(count or 1)
    extents = "".join(extent + "," for extent in shape.split("x"))
    header = f"{{'descr': '<{kind}', 'fortran_order': False, 'shape': ({extents}), }}"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        file.write(struct.pack(f"<{len(values)}{FORMATS[kind]}", *values))


main()
