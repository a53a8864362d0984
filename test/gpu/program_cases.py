# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What programs_correctness.py runs: for each program its shapes, operands,
references in float64 and a peer whose error sets the yardstick.

The shapes of a family are its last argument, so that random_cases.py can draw others.
A case gives its arguments by the kernel's argument names. `outputs` are the
tensors as the kernel shall find them, None for poison. `expected` has the result
in float64 (or integers, which must be equal); `peer` what PyTorch computes in the
same types; `magnitude` what an error is measured against, 1 without it.
"""

import dataclasses
import math

import torch
import torch.nn.functional as functional
from attention_problem import exact_attention, math_attention, sees

LARGE_TILE = 4096  # the longest row tile that bench/compile.py makes


@dataclasses.dataclass
class Case:
    kernel: str
    name: str
    inputs: dict
    outputs: dict  # name -> (shape, dtype, what is there before or None)
    expected: dict
    peer: dict = dataclasses.field(default_factory=dict)
    magnitude: dict = dataclasses.field(default_factory=dict)
    # name -> size of terms in f32 that cancel, which leaves their roundings
    terms: dict = dataclasses.field(default_factory=dict)
    # name -> the exact result of operands that any fused kernel rounds between products
    rounded: dict = dataclasses.field(default_factory=dict)


class Maker:
    """Operands of one seed on one device."""

    def __init__(self, device, seed):
        self.device = device
        self.generator = torch.Generator(device=device).manual_seed(seed)

    def normal(self, *shape, dtype=torch.float16):
        return torch.randn(shape, generator=self.generator, device=self.device).to(dtype)

    def integers(self, low, high, *shape):
        return torch.randint(
            low, high, shape, generator=self.generator, device=self.device, dtype=torch.int32
        )


ATTENTION_SHAPES = (
    # heads, queries, keys
    (1, 1, 1), (2, 64, 64), (3, 17, 129), (2, 128, 128), (2, 127, 255), (2, 129, 1),
    (1, 192, 320), (1, 193, 640), (2, 1000, 1000), (1, 300, 0), (4, 4096, 4096), (16, 512, 2048),
)  # fmt: skip


def attention(make, depth, causal, shapes, group=1, window=None):
    """`group` heads of queries share one of keys; with a window a query sees the last
    `window` keys of those that a causal one sees."""
    scale = 1 / math.sqrt(depth)
    program = "attention_causal" if causal else "attention"
    program = "attention_gqa" if group > 1 else "attention_window" if window else program
    scalars = {"scale": scale, "window": window} if window else {"scale": scale}
    for shared, queries, keys in shapes:
        heads = shared * group
        q = make.normal(heads, queries, depth)
        k, v = make.normal(shared, keys, depth), make.normal(shared, keys, depth)
        mask = sees(queries, keys, causal, make.device, window)
        peer = {"o": math_attention(q, k, v, scale, mask)} if keys else {}
        name = "%dx%dx%d" % (heads, queries, keys)
        yield Case(
            "%s_d%d" % (program, depth), name + (" window %d" % window if window else ""),
            {"q": q, "k": k, "v": v, **scalars},
            {"o": ((heads, queries, depth), torch.float16, None)},
            {"o": exact_attention(q, k, v, scale, mask)}, peer,
        )  # fmt: skip


BACKWARD_SHAPES = ((1, 1, 1), (2, 70, 90), (2, 128, 128), (2, 1000, 777))


def attention_backward(make, depth, shapes=BACKWARD_SHAPES, tile=""):
    scale = 1 / math.sqrt(depth)
    for heads, queries, keys in shapes:
        q, k, v = (make.normal(heads, n, depth) for n in (queries, keys, keys))
        d_o = make.normal(heads, queries, depth)
        mask = sees(queries, keys, False, make.device)

        def gradients(compute, dtype):
            leaves = [x.to(dtype).requires_grad_() for x in (q, k, v)]
            result = compute(*leaves, scale, mask)
            return torch.autograd.grad(result, leaves, d_o.to(result.dtype)), result.detach()

        exact, o = gradients(exact_attention, torch.float64)
        peer, _ = gradients(math_attention, torch.float16)
        scores = (q.double() @ k.double().transpose(1, 2)) * scale
        names = ("dq", "dk", "dv")
        # dS = P (dP - delta): for one key the two are equal, and dQ and dK exactly 0.
        delta = (d_o.double() * o).sum(-1)
        d_p = d_o.double() @ v.double().transpose(1, 2)
        p = torch.softmax(scores, dim=-1)
        d_s = p * (d_p.abs() + delta.abs().unsqueeze(-1)) * scale
        terms = {"dq": d_s @ k.double().abs(), "dk": d_s.transpose(1, 2) @ q.double().abs()}
        p_in = p.half().double()
        d_s_in = (p * (d_p - delta.unsqueeze(-1))).half().double()
        rounded = {
            "dq": d_s_in @ k.double() * scale,
            "dk": (d_s_in.transpose(1, 2) @ q.double() * scale).half(),
            "dv": (p_in.transpose(1, 2) @ d_o.double()).half(),
        }
        yield Case(
            "attention_backward_d%d%s" % (depth, tile), "%dx%dx%d" % (heads, queries, keys),
            {"q": q, "k": k, "v": v, "d_o": d_o, "scale": scale,
             "lse": torch.logsumexp(scores, dim=-1).float(),
             "delta": delta.float()},
            {"dq": (q.shape, torch.float32, torch.zeros_like(q, dtype=torch.float32)),
             "dk": (k.shape, torch.float16, None), "dv": (v.shape, torch.float16, None)},
            dict(zip(names, exact)), dict(zip(names, peer)),
            terms={name: size.max().item() for name, size in terms.items()}, rounded=rounded,
        )  # fmt: skip


def special_rows(x):
    """Rows with -inf, of -inf, with NaN, and far below 0."""
    x[0, 0] = -math.inf
    if len(x) > 4:
        x[1] = -math.inf
        x[2, -1] = math.nan
        x[3] -= 1000
    return x


def row_shapes(tile):
    return (1, 1), (7, 100), (300, 1000), (64, tile), (33, tile - 1)


def softmax(make, tile, shapes=None):
    for rows, columns in shapes or row_shapes(tile):
        for special in (False, True):
            x = make.normal(rows, min(columns, tile))
            x = special_rows(x) if special else x
            yield Case(
                "softmax_%d" % tile, "%dx%d%s" % (*x.shape, " special" if special else ""),
                {"x": x}, {"y": (x.shape, torch.float16, None)},
                {"y": torch.softmax(x.double(), dim=1)}, {"y": torch.softmax(x, dim=1)},
            )  # fmt: skip


def layer_norm(make, tile, shapes=None):
    eps = 1e-5
    for rows, columns in shapes or row_shapes(tile):
        for offset in (0, 30):
            x = make.normal(rows, min(columns, tile)) + offset
            columns = x.shape[1]
            weight, bias = make.normal(columns), make.normal(columns)
            wide = x.double()
            mean = wide.mean(1)
            rstd = 1 / torch.sqrt(wide.var(1, unbiased=False) + eps)
            normal = (wide - mean[:, None]) * rstd[:, None]
            yield Case(
                "layer_norm_%d" % tile, "%dx%d offset %d" % (rows, columns, offset),
                {"x": x, "weight": weight, "bias": bias, "eps": eps},
                {"y": (x.shape, torch.float16, None), "mean": ((rows,), torch.float32, None),
                 "rstd": ((rows,), torch.float32, None)},
                {"y": normal * weight.double() + bias.double(), "mean": mean, "rstd": rstd},
                {"y": functional.layer_norm(x, (columns,), weight, bias, eps)},
                # Sums of as many rounded terms; rstd's error is that of the variance.
                {"mean": wide.abs().mean(1) * 8, "rstd": rstd * 64},
            )  # fmt: skip


TRANSPOSE_SHAPES = ((1, 1), (64, 64), (300, 200), (1000, 777), (1, 129))


def transpose(make, shapes=TRANSPOSE_SHAPES):
    for rows, columns in shapes:
        x = make.normal(rows, columns)
        yield Case(
            "transpose", "%dx%d" % (rows, columns), {"x": x},
            {"y": ((columns, rows), torch.float16, None)}, {"y": x.t().double()},
            magnitude={"y": torch.zeros((), device=make.device)},
        )  # fmt: skip


COLUMN_SUM_SHAPES = ((0, 100), (1, 1), (300, 200), (4097, 129))


def column_sum(make, shapes=COLUMN_SUM_SHAPES):
    for rows, columns in shapes:
        x = make.normal(rows, columns)
        yield Case(
            "column_sum", "%dx%d" % (rows, columns), {"x": x},
            {"y": ((columns,), torch.float32, None)}, {"y": x.double().sum(0)},
            magnitude={"y": x.double().abs().sum(0) * 8},
        )  # fmt: skip


CUMSUM_SHAPES = ((7, 0), (1, 1), (300, 1000), (33, 129))


def cumsum(make, shapes=CUMSUM_SHAPES):
    for rows, columns in shapes:
        x = make.normal(rows, columns, dtype=torch.float32)
        yield Case(
            "cumsum", "%dx%d" % (rows, columns), {"x": x},
            {"y": (x.shape, torch.float32, None)}, {"y": x.double().cumsum(1)},
            magnitude={"y": x.double().abs().cumsum(1) * 16},
        )  # fmt: skip


SILU_MUL_SHAPES = (1, 1024, 10000, 1000001)


def silu_mul(make, shapes=SILU_MUL_SHAPES):
    for length in shapes:
        a, b = make.normal(length) * 4, make.normal(length)
        yield Case(
            "silu_mul", "%d" % length, {"a": a, "b": b},
            {"y": ((length,), torch.float16, None)},
            {"y": functional.silu(a.double()) * b.double()},
            {"y": (functional.silu(a.float()) * b.float()).half()},
        )  # fmt: skip


REDUCE_MAX_INDEX_SHAPES = ((1, 1), (7, 100), (300, 1000), (65, 4097))


def reduce_max_index(make, shapes=REDUCE_MAX_INDEX_SHAPES):
    for rows, columns in shapes:
        # Few different values, so that ties are common.
        x = make.integers(-3, 4, rows, columns).float()
        if rows > 4:
            x[1, columns // 2] = math.nan
            x[2] = -math.inf
        largest = x.max(1).values
        is_largest = (x == largest[:, None]) | (x.isnan() & largest.isnan()[:, None])
        yield Case(
            "reduce_max_index", "%dx%d" % (rows, columns), {"x": x},
            {"largest": ((rows,), torch.float32, None), "place": ((rows,), torch.int32, None)},
            {"largest": largest.double(), "place": is_largest.int().argmax(1).int()},
            magnitude={"largest": torch.zeros((), device=make.device)},
        )  # fmt: skip


GATHER_ROWS_SHAPES = ((1, 1, 1, 1), (37, 20, 50, 45), (1000, 300, 2000, 128))


def gather_rows(make, shapes=GATHER_ROWS_SHAPES):
    for listed, x_rows, y_rows, columns in shapes:
        x = make.normal(x_rows, columns)
        source = make.integers(-2, x_rows + 2, listed)
        target = torch.randperm(y_rows + 4, generator=make.generator, device=make.device)
        target = (target[:listed] - 2).int()  # each once: the order is free
        before = make.normal(y_rows, columns)
        expected = before.clone()
        rows = x[source.long().clamp(0, x_rows - 1)]
        rows[(source < 0) | (source >= x_rows)] = 0
        kept = (target >= 0) & (target < y_rows)
        expected[target[kept].long()] = rows[: len(target)][kept]
        yield Case(
            "gather_rows", "%d of %d to %d, %d columns" % (len(target), x_rows, y_rows, columns),
            {"x": x, "from": source[: len(target)], "to": target, "x_rows": x_rows,
             "y_rows": y_rows, "columns": columns},
            {"y": (before.shape, torch.float16, before)}, {"y": expected.double()},
            magnitude={"y": torch.zeros((), device=make.device)},
        )  # fmt: skip


HISTOGRAM_ATOMIC_SHAPES = ((0, 5), (1, 1), (1000, 10), (1000001, 256))


def histogram_atomic(make, shapes=HISTOGRAM_ATOMIC_SHAPES):
    for length, bins in shapes:
        x = make.integers(-1, bins + 1, length)
        before = make.integers(0, 100, bins)
        counted = x[(x >= 0) & (x < bins)].long()
        yield Case(
            "histogram_atomic", "%d in %d" % (length, bins), {"x": x, "bins": bins},
            {"counts": ((bins,), torch.int32, before)},
            {"counts": (before + torch.bincount(counted, minlength=bins)).int()},
        )  # fmt: skip


WRIGHT_OMEGA_SHAPES = (1, 512, 10000)


def wright_omega(make, shapes=WRIGHT_OMEGA_SHAPES):
    for length in shapes:
        x = make.normal(length, dtype=torch.float32) * 20
        if length > 3:
            x[1], x[2], x[3] = math.nan, math.inf, -math.inf
        y = torch.where(x > 1, x.double().clamp_min(1).log(), x.double())
        for _ in range(60):
            e = y.exp()
            step = (y + e - x.double()) / (1 + e)
            y = torch.where(step.isfinite(), y - step, y)
        yield Case(
            "wright_omega", "%d" % length, {"x": x, "tolerance": 1e-5},
            {"y": ((length,), torch.float32, None)}, {"y": y},
            magnitude={"y": 8 * (1 + y.abs())},
        )  # fmt: skip


GEMM_SOFTMAX_SHAPES = ((1, 1, 1), (128, 128, 64), (300, 100, 200), (257, 65, 1000))


def gemm_softmax(make, shapes=GEMM_SOFTMAX_SHAPES):
    for m, n, k in shapes:
        a, b = make.normal(m, k), make.normal(n, k).t()
        product = a.double() @ b.double()
        yield Case(
            "gemm_softmax", "%dx%dx%d" % (m, n, k), {"a": a, "b": b},
            {"c": ((m, n), torch.float16, None)}, {"c": torch.softmax(product, 1)},
            {"c": torch.softmax((a.float() @ b.float()), 1).half()},
        )  # fmt: skip


PRODUCT_SHAPES = ((1, 1, 1), (128, 256, 64), (300, 520, 200), (129, 257, 1000), (64, 64, 0))


def gemm_reduction(make, shapes=PRODUCT_SHAPES):
    for m, n, k in shapes:
        a, b = make.normal(m, k), make.normal(n, k).t()
        yield Case(
            "gemm_reduction", "%dx%dx%d" % (m, n, k), {"a": a, "b": b},
            {"c": ((m, n), torch.float16, None), "y": ((m,), torch.float32, None)},
            {"c": a.double() @ b.double(), "y": a.double().sum(1)},
            {"c": (a.float() @ b.float()).half()},
            {"y": a.double().abs().sum(1) * 8},
        )  # fmt: skip


def weights(make, n, k):
    """Columns whose products with N(0, 1) rows are N(0, 1) again."""
    return (make.normal(n, k, dtype=torch.float32) * max(k, 1) ** -0.5).half().t()


def dual_gemm(make, shapes=PRODUCT_SHAPES):
    for m, n, k in shapes:
        a, b1, b2 = make.normal(m, k), weights(make, n, k), weights(make, n, k)

        def compute(dtype):
            return (a.to(dtype) @ b1.to(dtype)) * functional.silu(a.to(dtype) @ b2.to(dtype))

        yield Case(
            "dual_gemm", "%dx%dx%d" % (m, n, k), {"a": a, "b1": b1, "b2": b2},
            {"c": ((m, n), torch.float16, None)}, {"c": compute(torch.float64)},
            {"c": compute(torch.float32).half()},
        )  # fmt: skip


def gemm_bias_gelu(make, shapes=PRODUCT_SHAPES):
    for m, n, k in shapes:
        a, b, bias = make.normal(m, k), weights(make, n, k), make.normal(n, dtype=torch.float32)

        def compute(dtype):
            sums = a.to(dtype) @ b.to(dtype) + bias.to(dtype)
            return functional.gelu(sums, approximate="tanh")

        yield Case(
            "gemm_bias_gelu", "%dx%dx%d" % (m, n, k), {"a": a, "b": b, "bias": bias},
            {"c": ((m, n), torch.float16, None)}, {"c": compute(torch.float64)},
            {"c": compute(torch.float32).half()},
        )  # fmt: skip


FAMILIES = {
    "attention": lambda make: (
        case for depth in (64, 96, 128, 256) for causal in (False, True)
        for case in attention(make, depth, causal, ATTENTION_SHAPES)
    ),
    "attention_gqa": lambda make: (
        case for group in (2, 5) for case in attention(make, 128, True, ATTENTION_SHAPES, group)
    ),
    "attention_window": lambda make: (
        case for window in (1, 100, 128, 700, 1 << 30)
        for case in attention(make, 128, True, ATTENTION_SHAPES, window=window)
    ),
    "attention_backward": lambda make: (
        case for depth, tile in ((64, ""), (64, "_bn128"), (128, "_bn128"))
        for case in attention_backward(make, depth, tile=tile)
    ),
    "softmax": lambda make: (c for tile in (1024, LARGE_TILE) for c in softmax(make, tile)),
    "layer_norm": lambda make: (c for tile in (1024, LARGE_TILE) for c in layer_norm(make, tile)),
    "transpose": transpose,
    "column_sum": column_sum,
    "cumsum": cumsum,
    "silu_mul": silu_mul,
    "reduce_max_index": reduce_max_index,
    "gather_rows": gather_rows,
    "histogram_atomic": histogram_atomic,
    "wright_omega": wright_omega,
    "gemm_softmax": gemm_softmax,
    "gemm_reduction": gemm_reduction,
    "dual_gemm": dual_gemm,
    "gemm_bias_gelu": gemm_bias_gelu,
}  # fmt: skip
