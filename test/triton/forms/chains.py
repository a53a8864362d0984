# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The grammar of kernels with several products in a loop: attention, linear attention, delta rules.

Axes and forms are as in products.py. Rows q, k and v of width D and E go through a loop in blocks of
BN; what becomes of q k^T and of the state are axes of their own.
"""

import numpy as np
from case import Buffer, Case, Scalar, ceil_div

WRITTEN = ("o_ptr", "s_ptr")
TOLERANCES = {"f16": 2**-6, "bf16": 2**-3}

# Of the scores s = q k^T, which are f32; p multiplies v.
WEIGHTS = {
    "online softmax": [
        "s = tl.where(offs_n[None, :] < length, s * scale, float('-inf'))",
        "m_new = tl.maximum(m_i, tl.max(s, 1))", "p = tl.exp2(s - m_new[:, None])",
        "alpha = tl.exp2(m_i - m_new)", "l_i = l_i * alpha + tl.sum(p, 1)", "acc = acc * alpha[:, None]",
        "m_i = m_new",
    ],
    "causal softmax": [
        "s = tl.where((offs_n[None, :] <= offs_m[:, None]) & (offs_n[None, :] < length), s * scale, -1.0e6)",
        "m_new = tl.maximum(m_i, tl.max(s, 1))", "p = tl.exp2(s - m_new[:, None])",
        "alpha = tl.exp2(m_i - m_new)", "l_i = l_i * alpha + tl.sum(p, 1)", "acc = acc * alpha[:, None]",
        "m_i = m_new",
    ],
    "bias softmax": [
        "s = s * scale + tl.load(g_ptr + offs_n, mask=offs_n < length, other=float('-inf'))[None, :]",
        "m_new = tl.maximum(m_i, tl.max(s, 1))", "p = tl.exp2(s - m_new[:, None])",
        "alpha = tl.exp2(m_i - m_new)", "l_i = l_i * alpha + tl.sum(p, 1)", "acc = acc * alpha[:, None]",
        "m_i = m_new",
    ],
    "relu squared": ["p = tl.where(s > 0, s * s, 0.0) * scale"],
    "linear": ["p = s * scale"],
    "causal linear": ["p = tl.where(offs_n[None, :] <= offs_m[:, None], s, 0.0)"],
    "gated linear": [
        "g = tl.load(g_ptr + offs_n, mask=offs_n < length, other=0.0)",
        "p = s * tl.exp2(-tl.abs(g))[None, :]",
    ],
    "sigmoid": ["p = tl.sigmoid(s * scale)", "p = tl.where(offs_n[None, :] < length, p, 0.0)"],
    "exponential of a stored maximum": [
        "p = tl.exp2(s * scale - tl.load(g_ptr + offs_m, mask=offs_m < length, other=0.0)[:, None])",
        "p = tl.where(offs_n[None, :] < length, p, 0.0)",
    ],
}  # fmt: skip

# The state h of D x E that chunks carry on, with the chunk's q, k, v.
STATES = {
    "sum": ["h += tl.dot(tl.trans(k), v)"],
    "decay": ["h = h * 0.5 + tl.dot(tl.trans(k), v)"],
    "decay from memory": ["h = h * tl.load(g_ptr + start // BN) + tl.dot(tl.trans(k), v)"],
    "keys scaled": [
        "w = tl.exp2(-tl.abs(tl.load(g_ptr + offs_n, mask=offs_n < length, other=0.0)))",
        "h = h * 0.5 + tl.dot(tl.trans((k * w[:, None]).to(KIND)), v)",
    ],
    "values scaled": [
        "w = tl.exp2(-tl.abs(tl.load(g_ptr + offs_n, mask=offs_n < length, other=0.0)))",
        "h = h * 0.5 + tl.dot(tl.trans(k), (v * w[:, None]).to(KIND))",
    ],
    "delta": [
        "u = (v - tl.dot(k, h.to(KIND)) * 0.0625).to(KIND)", "h = h * 0.5 + tl.dot(tl.trans(k), u)",
    ],
    "stored": [
        "tl.store(s_ptr + (start // BN) * D * E + offs_d[:, None] * E + offs_e[None, :], h)",
        "h = h * 0.5 + tl.dot(tl.trans(k), v)",
    ],
}  # fmt: skip
AXES = {
    "kind": ["attention", "chunks of a state"],
    "elements": list(TOLERANCES),
    "weights": list(WEIGHTS),
    "state": list(STATES),
    "loop": ["length", "constant", "from memory", "up to the diagonal", "two loops", "pointers"],
    "keys": ["masked", "transposed in memory", "paged", "descriptor", "by heads"],
    "queries": ["before the loop", "in the loop"],
    "control": ["plain", "early return"],
    "BM": [128, 64, 32, 16],
    "BN": [64, 32, 128, 16],
    "D": [64, 128, 32, 16],
    "E": [64, 128, 32],
    "sizes": ["ragged", "whole", "short"],
}

# An axis that counts for another kind than the plain one.
NEEDED = {"state": {"kind": "chunks of a state"}}


def is_program(forms):
    if forms["kind"] == "attention":
        return forms["state"] == AXES["state"][0] and (forms["queries"] == "before the loop" or forms["loop"] != "pointers")
    plain = ("weights", "BM", "queries")
    return all(forms[axis] == AXES[axis][0] for axis in plain) and forms["loop"] not in ("up to the diagonal", "two loops")


KEYS = {
    "masked": ["k = tl.load(k_ptr + offs_n[:, None] * D + offs_d[None, :], mask=offs_n[:, None] < length, other=0.0)"],
    "transposed in memory": ["k = tl.trans(tl.load(k_ptr + offs_d[:, None] * t + offs_n[None, :], mask=offs_n[None, :] < length, other=0.0))"],
    "paged": [
        "page = tl.load(p_ptr + start // BN)",
        "k = tl.load(k_ptr + (page * BN + tl.arange(0, BN))[:, None] * D + offs_d[None, :], mask=(offs_n[:, None] < length) & ((page * BN + tl.arange(0, BN))[:, None] < t), other=0.0)",
    ],
    "descriptor": [
        "k_desc = tl.make_tensor_descriptor(k_ptr, [length, D], [D, 1], [BN, D])", "k = k_desc.load([start, 0])",
    ],
    "by heads": ["k = tl.load(k_ptr + tl.program_id(1) * stride_h + offs_n[:, None] * D + offs_d[None, :], mask=offs_n[:, None] < length, other=0.0)"],
}  # fmt: skip
LOADS_Q = "q = tl.load(q_ptr + offs_m[:, None] * D + offs_d[None, :], mask=offs_m[:, None] < t, other=0.0)"
LOADS_V = "v = tl.load(v_ptr + offs_n[:, None] * E + offs_e[None, :], mask=offs_n[:, None] < length, other=0.0)"


def body_of(forms):
    kind = {"f16": "tl.float16", "bf16": "tl.bfloat16"}[forms["elements"]]
    lines = ["offs_n = start + tl.arange(0, BN)"]
    if forms["loop"] == "pointers":
        lines += ["k = tl.load(k_ptrs, mask=offs_n[:, None] < length, other=0.0)", "k_ptrs += BN * D"]
    else:
        lines += KEYS[forms["keys"]]
    lines += [LOADS_V]
    if forms["kind"] == "attention":
        lines += [LOADS_Q] if forms["queries"] == "in the loop" else []
        lines += ["s = tl.dot(q, tl.trans(k))", *WEIGHTS[forms["weights"]], f"acc += tl.dot(p.to({kind}), v)"]
    else:
        lines += [
            "q = tl.load(q_ptr + offs_n[:, None] * D + offs_d[None, :], mask=offs_n[:, None] < length, other=0.0)",
            "s = tl.dot(q, tl.trans(k))", "s = tl.where(offs_n[:, None] >= offs_n[None, :], s, 0.0)",
            f"o = tl.dot(q, h.to({kind})) + tl.dot(s.to({kind}), v)",
            "tl.store(o_ptr + offs_n[:, None] * E + offs_e[None, :], o, mask=offs_n[:, None] < length)",
            *(line.replace("KIND", kind) for line in STATES[forms["state"]]),
        ]  # fmt: skip
    return lines


HEADERS = {
    "length": [("0", "length")], "constant": [("0", "STEPS * BN")], "from memory": [("tl.load(w_ptr)", "length")],
    "up to the diagonal": [("0", "tl.minimum((tl.program_id(0) + 1) * BM, length)")],
    "two loops": [("0", "length // BN * BN"), ("length // BN * BN", "length")], "pointers": [("0", "length")],
}  # fmt: skip


def text_of(forms):
    lines = ["length = tl.load(w_ptr + 1)"]
    if forms["control"] == "early return":
        lines += ["if length <= tl.program_id(1):", "    return"]
    lines += ["offs_d = tl.arange(0, D)", "offs_e = tl.arange(0, E)"]
    if forms["loop"] == "pointers":
        lines += ["k_ptrs = k_ptr + tl.arange(0, BN)[:, None] * D + offs_d[None, :]"]
    if forms["kind"] == "attention":
        lines += ["offs_m = tl.program_id(0) * BM + tl.arange(0, BM)", "acc = tl.zeros((BM, E), dtype=tl.float32)"]
        lines += [LOADS_Q] if forms["queries"] == "before the loop" else []
        if "softmax" in forms["weights"]:
            lines += ["m_i = tl.full((BM,), -1.0e30, dtype=tl.float32)", "l_i = tl.zeros((BM,), dtype=tl.float32)"]
    else:
        lines += ["h = tl.zeros((D, E), dtype=tl.float32)"]
    for first, last in HEADERS[forms["loop"]]:
        lines += [f"for start in range({first}, {last}, BN):", *("    " + line for line in body_of(forms))]
    if forms["kind"] == "attention":
        lines += ["acc = acc / l_i[:, None]"] if "softmax" in forms["weights"] else []
        lines += ["tl.store(o_ptr + offs_m[:, None] * E + offs_e[None, :], acc, mask=offs_m[:, None] < t)"]
    elif forms["state"] != "stored":
        lines += ["tl.store(s_ptr + offs_d[:, None] * E + offs_e[None, :], h)"]
    header = (
        "import triton\nimport triton.language as tl\n\n\n@triton.jit\n"
        "def kernel(q_ptr, k_ptr, v_ptr, g_ptr, p_ptr, w_ptr, o_ptr, s_ptr, t, stride_h, scale, STEPS: tl.constexpr, "
        "BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr, E: tl.constexpr):\n"
    )
    return header + "".join(f"    {line}\n" for line in lines)


def case_of(forms, random):
    bm, bn, d, e = (forms[axis] for axis in ("BM", "BN", "D", "E"))
    t = {"ragged": 2 * max(bm, bn) + bn // 2 + 8, "whole": 2 * max(bm, bn), "short": max(bn // 2, 8)}[forms["sizes"]]
    steps, rows = ceil_div(t, bn), ceil_div(t, bm) if forms["kind"] == "attention" else 1
    small = np.round(random.standard_normal((steps + 1) * max(bm, bn) + t + 128) * 8) / 16
    pages = random.permutation(max(t // bn, 1))
    arguments = {
        **{f"{x}_ptr": Buffer((t * (e if x == "v" else d),), forms["elements"]) for x in "qkv"},
        "g_ptr": Buffer(small.shape, "f32", small),
        "p_ptr": Buffer((max(steps, len(pages)),), "i32", np.resize(pages, max(steps, len(pages)))),
        "w_ptr": Buffer((2,), "i32", np.array([0, t])),
        "o_ptr": Buffer((t * e,), "f32", np.full(t * e, 7.0)),
        "s_ptr": Buffer((steps * d * e,), "f32", np.full(steps * d * e, 7.0)),
        "t": Scalar(t), "stride_h": Scalar(0), "scale": Scalar(0.125, "f32"),
    }  # fmt: skip
    return Case(
        name="chain", kernel=text_of(forms), grid=(rows, 1), arguments=arguments,
        constants={"STEPS": steps, "BM": bm, "BN": bn, "D": d, "E": e}, expected=None,
        tolerance=TOLERANCES[forms["elements"]], warps=8 if bm * max(bn, e) > 8192 else 4,
    )  # fmt: skip
