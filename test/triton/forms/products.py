# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The grammar of kernels that multiply in a loop.

Each axis of `AXES` lists forms by name; a kernel takes one form of each axis, of which the first is
the plain one. A form is lines of the kernel's text. The loop gives `kk`, where the block of columns
begins, and `end`, where they end; operand a is a tile of BM x BK, b of BK x BN, and both are read from
whichever rows, columns and elements their forms say.
"""

import numpy as np
from case import Buffer, Case, Scalar, ceil_div

# How many results an error may be of the largest one, by the operands' elements.
ELEMENTS = {
    "f16": ("float16", 2**-7, ""),
    "bf16": ("bfloat16", 2**-4, ""),
    "tf32": ("float32", 2**-7, ", input_precision='tf32'"),
    "ieee": ("float32", 2**-16, ", input_precision='ieee'"),
    "tf32x3": ("float32", 2**-14, ", input_precision='tf32x3'"),
    "i8": ("int8", 2**-7, ", out_dtype=tl.int32"),
    "e4m3": ("float8e4nv", 2**-2, ""),
    "e5m2": ("float8e5", 2**-1, ""),
}
ROUNDED = {"f16": 2**-10, "bf16": 2**-7}  # results that are
BUFFERS = {"tf32": "f32", "ieee": "f32", "tf32x3": "f32"}

WRITTEN = ("c_ptr",)
BODY = "BODY"  # the place of a loop's body
LOOPS = {
    "argument": ["end = k", "for kk in range(0, k, BK):", BODY],
    "constant": ["end = k", "for step in range(K_STEPS):", "    kk = step * BK", BODY],
    "counted": ["end = k", "for step in range(tl.cdiv(k, BK)):", "    kk = step * BK", BODY],
    "hints": [
        "end = k",
        "for step in tl.range(0, tl.cdiv(k, BK), num_stages=3, loop_unroll_factor=2):",
        "    kk = step * BK", BODY,
    ],
    "unrolled": ["end = k", "for step in tl.static_range(K_STEPS):", "    kk = step * BK", BODY],
    "while": ["end = k", "kk = 0", "while kk < k:", BODY, "    kk += BK"],
    "while, in between": [
        "end = k", "kk = tl.load(w_ptr)", "low = tl.load(w_ptr)", "while kk >= low and kk < k:", BODY, "    kk += BK",
    ],
    "while, down": ["end = k", "kk = (tl.cdiv(k, BK) - 1) * BK", "while kk >= 0:", BODY, "    kk -= BK"],
    "while, other steps": [
        "end = k", "kk = 0", "while kk < k:", BODY, "    kk = tl.minimum(kk + (BK - kk % BK), k)",
    ],
    "do-while": [
        "end = k", "kk = 0", "more = k > 0", "while more:", BODY, "    kk += BK", "    more = kk < k",
    ],
    "backward": ["end = k", "for step in range(tl.cdiv(k, BK) - 1, -1, -1):", "    kk = step * BK", BODY],
    "bounds in memory": [
        "first = tl.load(w_ptr)", "end = tl.load(w_ptr + 1)", "for kk in range(first, end, BK):", BODY,
    ],
    "bounds of the row": [
        "end = tl.minimum((pid_m + 1) * BK + 5, k)", "for kk in range(0, end, BK):", BODY,
    ],
    "64-bit bounds": [
        "end = k", "for wide in range(k.to(tl.int64) * 0, k.to(tl.int64), BK):", "    kk = wide.to(tl.int32)", BODY,
    ],
    "nested": [
        "end = k", "for turn in range(3):", "    for kk in range(0, k, BK):", BODY,
    ],
    "nested by memory": [
        "end = k", "turns = tl.load(w_ptr + 2)", "for turn in range(turns):",
        "    for kk in range(tl.load(w_ptr), k, BK):", BODY,
    ],
    "two loops": [
        "end = k", "whole = k // BK * BK", "for kk in range(0, whole, BK):", BODY,
        "for kk in range(whole, k, BK):", BODY,
    ],
    "in a conditional": ["end = k", "if k > 7:", "    for kk in range(0, k, BK):", BODY],
    "conditional inside": [
        "end = k", "for kk in range(0, k, BK):", "    if tl.load(w_ptr + 3 + kk // BK) > 0:", BODY,
    ],
    "conditional of a mask": [
        "end = k", "for kk in range(0, k, BK):",
        "    marks = tl.load(w_ptr + 3 + kk // BK + tl.arange(0, 2))[:, None] > tl.arange(0, 4)[None, :]",
        "    if tl.max(tl.max(marks.to(tl.int32), 1), 0) > 0:", BODY,
    ],
    "conditional of numbers": [
        "end = k", "for kk in range(0, k, BK):", "    if (kk == 0) | (kk + BK > k // 2):", BODY,
    ],
    "two conditionals": [
        "end = k", "for kk in range(0, k, BK):", "    if kk + BK > k // 2:", "        if tl.load(w_ptr + 3 + kk // BK) > 0:", BODY,
    ],
    "while, steps in memory": [
        "end = k", "kk = 0", "while kk < k:", BODY, "    kk += BK * (1 + tl.load(w_ptr + 3 + kk // BK))",
    ],
    "search inside": [
        "end = k", "for step in range(tl.cdiv(k, BK)):", "    kk = step * BK",
        "    while kk > 0 and tl.load(w_ptr + 3 + kk // BK) == 0:", "        kk -= BK", "    kk = tl.maximum(kk, 0)", BODY,
    ],
    "search, each multiplied": [
        "end = k", "for step in range(tl.cdiv(k, BK)):", "    kk = step * BK",
        "    while kk > 0 and tl.load(w_ptr + 3 + kk // BK) == 0:", "        kk -= BK", BODY,
    ],
    "number of a conditional": [
        "end = k", "for step in range(tl.cdiv(k, BK)):", "    if tl.load(w_ptr + 3 + step) > 0:", "        kk = step * BK",
        "    else:", "        kk = (step + tl.load(w_ptr + 4 + step)) // 2 * BK",
        "    kk = tl.maximum(kk, 0)", BODY,
    ],
}  # fmt: skip

CONTROLS = {
    "plain": ["pid = tl.program_id(0)"],
    "early return": ["pid = tl.program_id(0)", "if pid >= tl.load(w_ptr + 15):", "    return"],
    "early return of an empty loop": ["pid = tl.program_id(0)", "if k <= 1:", "    return"],
    "persistent": [
        "tiles = tl.cdiv(m, BM) * tl.cdiv(n, BN)",
        "for pid in range(tl.program_id(0), tiles, tl.num_programs(0)):",
    ],
    "persistent, flattened": [
        "tiles = tl.cdiv(m, BM) * tl.cdiv(n, BN)",
        "for pid in tl.range(tl.program_id(0), tiles, tl.num_programs(0), flatten=True):",
    ],
    "persistent by while": [
        "tiles = tl.cdiv(m, BM) * tl.cdiv(n, BN)", "pid = tl.program_id(0)", "while pid < tiles:",
    ],
    "work of several": [
        "tiles = tl.cdiv(m, BM) * tl.cdiv(n, BN)", "tile = tl.program_id(0)", "done = 0",
        "for work in range(tl.load(w_ptr), 1):", "    while tile >= done and tile < done + tiles:",
        "        pid = tile - done",
    ],
    "grouped": [
        "tile = tl.program_id(0)", "rows = tl.cdiv(m, BM)", "columns = tl.cdiv(n, BN)",
        "first = tile // (4 * columns) * 4", "size = min(rows - first, 4)",
        "pid = (first + tile % (4 * columns) % size) * columns + tile % (4 * columns) // size",
    ],
}  # fmt: skip

# Behind a program's work, in the loop around it.
ENDS = {
    "persistent by while": ["pid += tl.num_programs(0)"],
    "work of several": ["tile += tl.num_programs(0)", "    done += tiles"],
}
# Of the operand X (a or b) with the places ROW and COLUMN along its axes, of which INNER is the loop's.
PLACES = {
    "masked": ["X = tl.load(X_ptr + ROW * sX0 + COLUMN * sX1, mask=(ROW < nX0) & (COLUMN < nX1), other=0.0)"],
    "inner mask": [
        "X = tl.load(X_ptr + (OUTER % OUTERS) * sXo + INNER * sXi, mask=INNER < end, other=0.0)",
    ],
    "wrapped by where": [
        "X = tl.load(X_ptr + tl.where(OUTER < OUTERS, OUTER, 0) * sXo + INNER * sXi, mask=INNER < end, other=0.0)",
    ],
    "other 1": ["X = tl.load(X_ptr + ROW * sX0 + COLUMN * sX1, mask=(ROW < nX0) & (COLUMN < nX1), other=1.0)",
                "X = tl.where(INNER < end, X, 0.0).to(KIND)"],
    "descriptor": [
        "X_desc = tl.make_tensor_descriptor(X_ptr, [nX0, nX1], [sX0, 1], [SHAPE])",
        "X = X_desc.load([ROW0, COLUMN0])",
    ],
    "gathered": [
        "places = tl.load(i_ptr + OUTER, mask=OUTER < OUTERS, other=0)",
        "X = tl.load(X_ptr + places * sXo + INNER * sXi, mask=(OUTER < OUTERS) & (INNER < end), other=0.0)",
    ],
    "gathered along the sum": [
        "places = tl.load(j_ptr + INNER, mask=INNER < end, other=0)",
        "X = tl.load(X_ptr + OUTER * sXo + places * sXi, mask=(OUTER < OUTERS) & (INNER < end), other=0.0)",
    ],
    "paged": [
        "page = tl.load(p_ptr + kk // BK)",
        "X = tl.load(X_ptr + OUTER * sXo + (page * BK + INNER - kk) * sXi, mask=(OUTER < OUTERS) & (page * BK + INNER - kk < k), other=0.0)",
        "X = tl.where(INNER < end, X, 0.0).to(KIND)",
    ],
    "64-bit places": [
        "X = tl.load(X_ptr + ROW.to(tl.int64) * sX0 + COLUMN.to(tl.int64) * sX1, mask=(ROW < nX0) & (COLUMN < nX1), other=0.0)",
    ],
    "two loads": [
        "X = tl.load(X_ptr + ROW * sX0 + COLUMN * sX1, mask=(ROW < nX0) & (COLUMN < nX1), other=0.0)",
        "X = (X + tl.load(X_ptr + ROW * sX0 + COLUMN * sX1, mask=(ROW < nX0) & (COLUMN < nX1) & (OUTER < 9), other=0.0)).to(KIND)",
    ],
}  # fmt: skip

# What is computed of a loaded operand.
CHANGES = {
    "as loaded": [],
    "scaled by a number": ["X = (X * 0.5).to(KIND)"],
    "scaled along the outside": [
        "X = (X * tl.load(x_ptr + OUTER, mask=OUTER < OUTERS, other=0.0)).to(KIND)",
    ],
    "scaled along the sum": ["X = (X * tl.load(x_ptr + INNER, mask=INNER < end, other=0.0)).to(KIND)"],
    "exponential": ["X = tl.where(INNER < end, tl.exp2(X.to(tl.float32) * 0.25), 0.0).to(KIND)"],
    "relu": ["X = tl.where(X > 0, X, 0.0).to(KIND)"],
    "triangle": ["X = tl.where(OUTER >= INNER, X, 0.0).to(KIND)"],
    "through float32": ["X = X.to(tl.float32).to(KIND)"],
    "centred": ["X = tl.where(INNER < end, X - tl.sum(X.to(tl.float32), AXIS, keep_dims=True) / BK, 0.0).to(KIND)"],
    "transposed twice": ["X = tl.trans(tl.trans(X))"],
    "reshaped": ["X = tl.reshape(tl.reshape(X, (FLAT,)), (SHAPE))"],
}

COMBINATIONS = {
    "+=": ["acc += DOT(a, b)"],
    "dot(a, b, acc)": ["acc = tl.dot(a, b, acc PRECISION)"],
    "a sum apart": ["part = DOT(a, b)", "acc = acc + part"],
    "scaled in the loop": ["acc += DOT(a, b) * tl.load(x_ptr + kk // BK)"],
    "scaled by rows in the loop": [
        "acc += DOT(a, b) * tl.load(x_ptr + offs_m + kk // BK)[:, None]",
    ],
    "decay": ["acc = acc * 0.5 + DOT(a, b)"],
    "decay from memory": ["acc = acc * tl.load(x_ptr + kk // BK) + DOT(a, b)"],
    "maximum": ["acc = tl.maximum(acc, DOT(a, b))"],
    "swapped": ["acc += tl.trans(DOT(tl.trans(b), tl.trans(a)))"],
    "twice": ["acc += DOT(a, b)", "acc += DOT(a, b) * 0.5"],
    "two sums": ["acc += DOT(a, b)", "beside += DOT(a, (b * 2).to(KIND))"],
    "sum of a beside": ["acc += DOT(a, b)", "rows_sum += tl.sum(a.to(tl.float32), 1)"],
    "conditional": ["if kk > 0:", "    acc += DOT(a, b)", "else:", "    acc += DOT(a, b) * 2.0"],
    "load in a conditional": [
        "acc += DOT(a, b)", "if kk > BK:", "    acc += tl.load(x_ptr + offs_m)[:, None]",
    ],
    "load where memory says": [
        "acc += DOT(a, b)", "if tl.load(w_ptr + 3 + kk // BK) > 0:", "    acc *= tl.load(x_ptr + offs_m)[:, None]",
    ],
    "store in a conditional": [
        "acc += DOT(a, b)", "if kk == BK:",
        "    tl.store(c_ptr + offs_m[:, None] * sc0 + offs_n[None, :], acc, mask=(offs_m < m)[:, None] & (offs_n < n)[None, :])",
    ],
    "number of a tile": ["part = DOT(a, b)", "acc += part / (1.0 + tl.max(tl.abs(part)))"],
    "tile by a number of a tile": [
        "part = DOT(a, b)", "if tl.sum(part) > 0:", "    acc += part", "else:", "    acc = acc * 0.5 - part",
    ],
    "number of a tile handed on": ["acc += DOT(a, b) * old", "old = tl.minimum(tl.max(a.to(tl.float32)), 2.0)"],
    "number of two turns before": [
        "acc += DOT(a, b) * older", "older = old", "old = tl.load(x_ptr + kk // BK)",
    ],
    "numbers that swap": ["acc += DOT(a, b) * old", "old, older = older, old"],
    "number of the first turn": ["acc += DOT(a, b) * old", "old = 0.25"],
    "number handed on twice": [
        "acc += DOT(a, b) * old + older", "old = tl.load(x_ptr + kk // BK)", "older = old",
    ],
    "number read behind": ["acc += DOT(a, b)", "old += tl.load(x_ptr + kk // BK)"],
    "rows of two turns before": [
        "acc += DOT(a, b) * older[:, None]", "older = old", "old = tl.sum(a.to(tl.float32), 1)",
    ],
    "rows that swap": ["acc += DOT(a, b) * old[:, None]", "old, older = older, old"],
    "rows handed on twice": [
        "acc += DOT(a, b) * old[:, None] + older[:, None]", "old = tl.sum(a.to(tl.float32), 1)", "older = old",
    ],
}
NUMBERS = ["old = tl.load(x_ptr)", "older = tl.load(x_ptr + 1)"]
ROWS = ["old = tl.full((BM,), 0.5, dtype=tl.float32)", "older = tl.full((BM,), 2.0, dtype=tl.float32)"]
SUMS = {
    "two sums": ["beside = tl.zeros((BM, BN), dtype=ACC)"],
    "sum of a beside": ["rows_sum = tl.zeros((BM,), dtype=tl.float32)"],
    **{name: NUMBERS for name in COMBINATIONS if name.startswith("number")},
    **{name: ROWS for name in COMBINATIONS if name.startswith("rows")},
}
TOTALS = {
    "two sums": "acc += beside", "sum of a beside": "acc += rows_sum[:, None]", "number read behind": "acc = acc * old",
    "numbers that swap": "acc += old", "rows that swap": "acc += older[:, None]",
}  # fmt: skip

WRITE = "tl.store(c_ptr + offs_m[:, None] * sc0 + offs_n[None, :], RESULT, mask=(offs_m < m)[:, None] & (offs_n < n)[None, :])"
EPILOGUES = {
    "float32": [WRITE.replace("RESULT", "acc")],
    "cast": [WRITE.replace("RESULT", "acc.to(c_ptr.dtype.element_ty)")],
    "bias": [
        "result = acc + tl.load(x_ptr + offs_n, mask=offs_n < n, other=0.0)[None, :]",
        "result = tl.where(result > 0, result, result * 0.25)", WRITE.replace("RESULT", "result"),
    ],
    "residual": [
        "old = tl.load(c_ptr + offs_m[:, None] * sc0 + offs_n[None, :], mask=(offs_m < m)[:, None] & (offs_n < n)[None, :], other=0.0)",
        WRITE.replace("RESULT", "acc + old"),
    ],
    "atomic": [WRITE.replace("tl.store", "tl.atomic_add").replace("RESULT", "acc.to(tl.float32)")],
    "softmax": [
        "shown = tl.where(offs_n[None, :] < n, acc * 0.125, float('-inf'))",
        "shown = tl.exp(shown - tl.max(shown, 1)[:, None])", WRITE.replace("RESULT", "shown / tl.sum(shown, 1)[:, None]"),
    ],
    "row sums": [
        "tl.store(c_ptr + offs_m * sc0 + pid_n, tl.sum(tl.where(offs_n[None, :] < n, acc, 0), 1), mask=offs_m < m)",
    ],
    "halves": [
        "halves = tl.permute(tl.reshape(acc, (BM, 2, BN // 2)), (0, 2, 1))", "left, right = tl.split(halves)",
        "half = pid_n * BN + tl.arange(0, BN // 2)",
        "tl.store(c_ptr + offs_m[:, None] * sc0 + half[None, :], left, mask=(offs_m < m)[:, None] & (half < n)[None, :])",
        "half += BN // 2",
        "tl.store(c_ptr + offs_m[:, None] * sc0 + half[None, :], right, mask=(offs_m < m)[:, None] & (half < n)[None, :])",
    ],
    "transposed": [
        "tl.store(c_ptr + offs_n[:, None] * sct + offs_m[None, :], tl.trans(acc), mask=(offs_n < n)[:, None] & (offs_m < m)[None, :])",
    ],
    "descriptor": [
        "c_desc = tl.make_tensor_descriptor(c_ptr, [m, n], [sc0, 1], [BM, BN])",
        "c_desc.store([pid_m * BM, pid_n * BN], acc.to(c_ptr.dtype.element_ty))",
    ],
}  # fmt: skip

AXES = {
    "elements": list(ELEMENTS),
    "loop": list(LOOPS),
    "control": list(CONTROLS),
    "a": list(PLACES),
    "b": list(PLACES),
    "change of a": list(CHANGES),
    "change of b": list(CHANGES),
    "memory of a": ["rows", "columns"],
    "memory of b": ["rows", "columns"],
    "sum": list(COMBINATIONS),
    "epilogue": list(EPILOGUES),
    "BM": [128, 64, 32, 16],
    "BN": [128, 256, 64, 32, 16],
    "BK": [64, 32, 128, 16],
    "strides": ["arguments", "constants"],
    "sizes": ["ragged", "whole", "one step", "one", "empty"],
}
NEEDED = {}


def operand(x, forms, kind):
    """Lines that make the operand `x` in the loop."""
    row = "offs_m[:, None]" if x == "a" else "offs_k[:, None]"
    column = "offs_k[None, :]" if x == "a" else "offs_n[None, :]"
    words = {
        "ROW0": "pid_m * BM" if x == "a" else "kk", "COLUMN0": "kk" if x == "a" else "pid_n * BN",
        "ROW": row, "COLUMN": column,
        "INNER": column if x == "a" else row, "OUTERS": "m" if x == "a" else "n",
        "OUTER": row if x == "a" else column, "sXo": f"s{x}0" if x == "a" else f"s{x}1",
        "sXi": f"s{x}1" if x == "a" else f"s{x}0", "nX0": "m" if x == "a" else "end",
        "nX1": "end" if x == "a" else "n", "SHAPE": "BM, BK" if x == "a" else "BK, BN",
        "FLAT": "BM * BK" if x == "a" else "BK * BN", "AXIS": "1" if x == "a" else "0",
        "sX": f"s{x}", "X": x, "KIND": kind,
    }  # fmt: skip
    lines = PLACES[forms[x]] + CHANGES[forms[f"change of {x}"]]
    return [replaced(line, words) for line in lines]


def replaced(text, words):
    import re

    pattern = "|".join(sorted(map(re.escape, words), key=len, reverse=True))
    # X stands for a name where it begins or is one; elsewhere it is a letter of a word.
    return re.sub(rf"(?<![a-zA-Z_])({pattern})(?![a-zA-Z])", lambda found: words[found[1]], text)


def text_of(forms):
    element, _, precision = ELEMENTS[forms["elements"]]
    kind, accumulator = f"tl.{element}", "tl.int32" if forms["elements"] == "i8" else "tl.float32"
    body = ["offs_k = kk + tl.arange(0, BK)", *operand("a", forms, kind), *operand("b", forms, kind)]
    for line in COMBINATIONS[forms["sum"]]:
        line = line.replace(" PRECISION", precision).replace("KIND", kind)
        while "DOT(" in line:
            line = close_dot(line, precision)
        body.append(line)
    lines = [
        "pids_n = tl.cdiv(n, BN)", "pid_m = pid // pids_n", "pid_n = pid % pids_n",
        "offs_m = pid_m * BM + tl.arange(0, BM)", "offs_n = pid_n * BN + tl.arange(0, BN)",
        f"acc = tl.zeros((BM, BN), dtype={accumulator})",
    ]  # fmt: skip
    lines += [line.replace("ACC", accumulator) for line in SUMS.get(forms["sum"], [])]
    indent = ""
    for line in LOOPS[forms["loop"]]:
        if line == BODY:
            lines += [indent + "    " + one for one in body]
        else:
            lines.append(line)
            indent = " " * (len(line) - len(line.lstrip()))
            if not line.endswith(":"):
                indent = indent[4:]
    lines += [TOTALS[forms["sum"]]] if forms["sum"] in TOTALS else []
    lines += EPILOGUES[forms["epilogue"]]
    before = CONTROLS[forms["control"]]
    ends = ENDS.get(forms["control"], [])
    last = before[-1]
    inner = " " * (len(last) - len(last.lstrip()) + 4 * last.endswith(":"))
    lines += ends[:1]
    strides = "sa0, sa1, sb0, sb1, sc0, sct"
    if forms["strides"] == "constants":
        strides = ", ".join(one + ": tl.constexpr" for one in strides.split(", "))
    header = (
        "import triton\nimport triton.language as tl\n\n\n@triton.jit\n"
        "def kernel(a_ptr, b_ptr, c_ptr, x_ptr, i_ptr, j_ptr, p_ptr, w_ptr, m, n, k, "
        f"{strides}, K_STEPS: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):\n"
    )
    return header + "".join(f"    {line}\n" for line in [*before, *(inner + line for line in lines), *ends[1:]])


def close_dot(line, precision):
    """DOT(...) as tl.dot with the precision behind its operands."""
    start = line.index("DOT(")
    depth, at = 0, start + 3
    while True:
        depth += {"(": 1, ")": -1}.get(line[at], 0)
        if depth == 0:
            break
        at += 1
    return line[:start] + "tl.dot" + line[start + 3 : at] + precision + line[at:]


def sizes_of(forms):
    bm, bn, bk = forms["BM"], forms["BN"], forms["BK"]
    sizes = {
        "ragged": (bm + bm // 2 + 8, bn + 8, 3 * bk + 8), "whole": (2 * bm, bn, 4 * bk),
        "one step": (bm, bn, bk), "one": (1, 1, 1), "empty": (bm, bn, 0),
    }[forms["sizes"]]  # fmt: skip
    # A descriptor's rows are multiples of 16 bytes.
    if forms["sizes"] == "one":
        sizes = (1, 16, 16) if "descriptor" in (forms["a"], forms["b"], forms["epilogue"]) else sizes
    if forms["sizes"] == "ragged":
        sizes = (sizes[0], (sizes[1] + 15) // 16 * 16, (sizes[2] + 15) // 16 * 16)
    return sizes


def case_of(forms, random):
    """A Case whose kernel is the text; `expected` is for who runs it."""
    m, n, k = sizes_of(forms)
    bm, bn, bk = forms["BM"], forms["BN"], forms["BK"]
    steps, longest = ceil_div(k, bk), max(m, n, k, bm, bn, bk) + 2 * max(bm, bn, bk)
    element = BUFFERS.get(forms["elements"], forms["elements"])
    tiles = ceil_div(m, bm) * ceil_div(n, bn)
    fill = "small" if element == "i8" else "normal"
    pages = random.permutation(max(k // bk, 1))
    bounds = np.array([0, k, 2, *random.integers(0, 2, 12), tiles - 1 if tiles > 1 else 1, 0])
    strides = {
        "sa0": k if forms["memory of a"] == "rows" else 1, "sa1": 1 if forms["memory of a"] == "rows" else m,
        "sb0": n if forms["memory of b"] == "rows" else 1, "sb1": 1 if forms["memory of b"] == "rows" else k,
        "sc0": n, "sct": m,
    }  # fmt: skip
    size = {"a": m * k, "b": k * n}
    written = Buffer((m * n,), result_of(forms), np.full(m * n, 7.0))
    arguments = {
        **{f"{x}_ptr": Buffer((max(size[x], 1),), element, fill) for x in "ab"},
        "c_ptr": written,
        "x_ptr": Buffer((longest + steps,), "f32", np.round(random.standard_normal(longest + steps) * 8) / 8),
        "i_ptr": Buffer((longest,), "i32", np.resize(random.permutation(max(min(m, n), 1)), longest)),
        "j_ptr": Buffer((longest,), "i32", np.resize(random.permutation(max(k, 1)), longest)),
        "p_ptr": Buffer((max(steps, len(pages)),), "i32", np.resize(pages, max(steps, len(pages)))),
        "w_ptr": Buffer(bounds.shape, "i32", bounds),
        "m": Scalar(m), "n": Scalar(n), "k": Scalar(k),
    }  # fmt: skip
    constants = {"K_STEPS": steps, "BM": bm, "BN": bn, "BK": bk}
    if forms["strides"] == "constants":
        constants.update(strides)
    else:
        arguments.update({name: Scalar(value) for name, value in strides.items()})
    programs = max(tiles // 2, 1) if "persistent" in forms["control"] or forms["control"] in ENDS else tiles
    return Case(
        name="product", kernel=text_of(forms), grid=(programs,), arguments=arguments, constants=constants,
        expected=None, tolerance=max(ELEMENTS[forms["elements"]][1], ROUNDED.get(written.element, 0)), warps=8 if bm * bn > 8192 else 4,
    )  # fmt: skip


def result_of(forms):
    if forms["epilogue"] in ("cast", "descriptor"):
        return "f16" if forms["elements"] != "bf16" else "bf16"
    integers = forms["elements"] == "i8" and "scaled" not in forms["sum"] and "decay" not in forms["sum"]
    return "i32" if integers and forms["epilogue"] in ("float32", "residual", "halves", "transposed", "row sums") and forms["sum"] in ("+=", "dot(a, b, acc)", "a sum apart", "maximum", "swapped") else "f32"


def is_program(forms):
    """Whether Triton's language has it: sums of one type, and products of at least 16 columns and 32 of bytes."""
    if forms["elements"] in ("i8", "e4m3", "e5m2"):
        if forms["BK"] < 32:
            return False
    if forms["elements"] == "i8" and forms["sum"] in (
        "scaled in the loop", "scaled by rows in the loop", "decay", "decay from memory", "twice", "sum of a beside", "conditional",
        "load in a conditional", "load where memory says", "store in a conditional", "number of a tile",
        *(name for name in SUMS if name != "two sums"),
    ):  # fmt: skip
        return False
    if forms["elements"] in ("e4m3", "e5m2") and "two loads" in (forms["a"], forms["b"]):
        return False
    if "descriptor" in (forms["a"], forms["b"]):
        for x in "ab":
            if forms[x] == "descriptor" and (forms[f"memory of {x}"] != "rows" or forms["loop"] == "bounds of the row"):
                return False
    # A page is whole, so the pages of a ragged array would end behind it.
    return forms["sizes"] not in ("one", "empty") or forms["loop"] not in ("unrolled", "constant")
