# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `...` and an index that an operand has twice mean, said without them."""

import functools
import string


@functools.lru_cache(maxsize=4096)
def is_plain(subscripts):
    """Whether no operand has `...`, nor an index twice."""
    if not isinstance(subscripts, str):
        raise TypeError(f"subscripts are a text, not {subscripts!r}")
    inputs = subscripts.partition("->")[0].replace(" ", "").split(",")
    return "." not in subscripts and all(len(set(indices)) == len(indices) for indices in inputs)


def spell_out(subscripts, shapes):
    """The same with letters in the place of `...`; the last axes that it stands for are alike."""
    left, arrow, right = subscripts.replace(" ", "").partition("->")
    inputs = left.split(",")
    if "..." not in left or len(inputs) != len(shapes):
        return subscripts
    counts = [len(shape) - len(indices) + 3 if "..." in indices else 0 for indices, shape in zip(inputs, shapes)]
    for place, count in enumerate(counts):
        if inputs[place].count("...") > 1:
            raise ValueError(f"operand T{place} has `...` more than once in {inputs[place]!r}")
        if count < 0:
            raise ValueError(f"operand T{place} has {len(shapes[place])} axes, fewer than {inputs[place]!r} has indices")
    free = [letter for letter in string.ascii_uppercase + string.ascii_lowercase if letter not in subscripts]
    if max(counts) > len(free):
        raise ValueError(f"{subscripts!r} stands for more indices than there are letters")
    letters = "".join(free[:max(counts)])
    spelled = [indices.replace("...", letters[len(letters) - count:], 1) for indices, count in zip(inputs, counts)]
    if not arrow:
        once = sorted(index for index in set(left) - set(",.") if left.count(index) == 1)
        return ",".join(spelled) + "->" + letters + "".join(once)
    return ",".join(spelled) + "->" + right.replace("...", letters, 1)


def _is_dense(value):
    return getattr(value, "format", None) is None and str(getattr(value, "layout", "torch.strided")) == "torch.strided"


def _take_diagonals(indices, value, place):
    """(indices, each once; the part of the value where those that stood twice are equal)."""
    for index in indices:
        while indices.count(index) > 1:
            if not _is_dense(value):
                raise NotImplementedError(
                    f"operand T{place} is sparse and has the index {index} twice; give its diagonal as a vector")
            first = indices.index(index)
            second = indices.index(index, first + 1)
            if value.shape[first] != value.shape[second]:
                raise ValueError(f"{index} is {value.shape[first]} and {value.shape[second]} in T{place}")
            value = value.diagonal(0, first, second)  # which is the last axis
            indices = "".join(other for at, other in enumerate(indices) if at not in (first, second)) + index
    return indices, value


def simplify(subscripts, operands):
    """(subscripts, operands) of the same einsum, where is_plain holds."""
    import numpy

    operands = [value if hasattr(value, "shape") else numpy.asarray(value) for value in operands]
    subscripts = spell_out(subscripts, [value.shape for value in operands])
    left, arrow, right = subscripts.replace(" ", "").partition("->")
    inputs = left.split(",")
    if len(inputs) != len(operands) or any(
            len(indices) != len(value.shape) for indices, value in zip(inputs, operands)):
        return subscripts, operands  # refused behind
    if not arrow:
        right = "".join(index for index in sorted(set(left) - {","}) if left.count(index) == 1)
    found = [_take_diagonals(indices, value, place) for place, (indices, value) in enumerate(zip(inputs, operands))]
    return ",".join(indices for indices, _ in found) + "->" + right, [value for _, value in found]
