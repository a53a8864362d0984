# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arguments as the words of heddle_kernel_launch_words: one struct.pack a launch."""

import struct

from . import _capi, _values

# struct's letters for a scalar in a word of 8 bytes.
LETTERS = {
    "i8": "b7x", "i16": "h6x", "i32": "i4x", "i64": "q", "f16": "e6x", "bf16": "H6x",
    "f32": "f4x", "f64": "d",
}  # fmt: skip


class Packer:
    """For one kernel: `packer(*values)` is bytes, or None where a value is not a
    tensor of a known type, or does not fit; then the slow way says what is wrong."""

    def __init__(self, arguments):
        letters, values, checks, parts = ["="], [], [], []
        self._known = []  # of each argument, the dtypes that the slow way accepted
        for index, info in enumerate(arguments):
            name = "v%d" % index
            self._known.append(set())
            if info.kind == _capi.SCALAR:
                element = _capi.DTYPES[info.dtype]
                letters.append(LETTERS.get(element, "8x"))
                values.append("bf16(%s)" % name if element == "bf16" else name)
                continue
            checks.append("%s.dtype in known[%d] and %s.is_cuda" % (name, index, name))
            values.append("%s.data_ptr()" % name)
            letters.append("Q")
            if info.kind == _capi.VIEW:
                # Unpacked one by one, so that a tensor of another rank raises: the
                # number of all words may be right although two ranks are exchanged.
                for letter, what in ("e", "shape"), ("s", "stride()"):
                    extents = ["%s%d_%d" % (letter, index, axis) for axis in range(info.rank)]
                    parts.append("        %s, = %s.%s\n" % (", ".join(extents), name, what))
                    values += extents
                letters.append("q" * 2 * info.rank)
        form = struct.Struct("".join(letters))
        self.count = form.size // 8
        names = ", ".join("v%d" % index for index in range(len(arguments)))
        text = "def pack(%s):\n    if %s:\n%s        return form(%s)\n" % (
            names, " and ".join(checks) or "True", "".join(parts), ", ".join(values),
        )  # fmt: skip
        scope = {"form": form.pack, "known": self._known, "bf16": _values.bf16_bits}
        exec(compile(text, "<heddle packer>", "exec"), scope)
        self._pack = scope["pack"]

    def __call__(self, *values):
        try:
            return self._pack(*values)
        except (AttributeError, TypeError, ValueError, struct.error):
            return None

    def accept(self, values):
        """These were launched the slow way."""
        for value, known in zip(values, self._known):
            if hasattr(value, "dtype") and hasattr(value, "is_cuda"):
                known.add(value.dtype)
