# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""corpus/rowwise.py with sizes and meaning."""

import numpy as np
from case import NO_DOT, Buffer, Case, Scalar, ceil_div, next_power_of_two

EPSILON = 1e-5


def softmax(rows=7, cols=781, programs=4):
    def expected(inputs):
        x = inputs["in_ptr"]
        e = np.exp(x - x.max(axis=1, keepdims=True))
        return {"out_ptr": e / e.sum(axis=1, keepdims=True)}

    return Case(
        name="softmax",
        kernel="rowwise.softmax",
        grid=(min(programs, rows),),
        arguments={
            "out_ptr": Buffer((rows, cols), fill="poison"),
            "in_ptr": Buffer((rows, cols)),
            "in_row_stride": Scalar(cols),
            "out_row_stride": Scalar(cols),
            "n_rows": Scalar(rows),
            "n_cols": Scalar(cols),
        },
        constants={"BLOCK": next_power_of_two(cols), "STAGES": 4},
        expected=expected,
        tolerance=2**-18,
        outcome=NO_DOT,
    )


def layer_norm_forward(rows=5, cols=2500, block=1024):
    def expected(inputs):
        x = inputs["x_ptr"]
        mean = x.mean(axis=1, keepdims=True)
        rstd = 1 / np.sqrt(((x - mean) ** 2).mean(axis=1, keepdims=True) + EPSILON)
        out = (x - mean) * rstd * inputs["weight_ptr"] + inputs["bias_ptr"]
        return {"out_ptr": out, "mean_ptr": mean[:, 0], "rstd_ptr": rstd[:, 0]}

    return Case(
        name="layer_norm_forward",
        kernel="rowwise.layer_norm_forward",
        grid=(rows,),
        arguments={
            "x_ptr": Buffer((rows, cols), "f16"),
            "out_ptr": Buffer((rows, cols), "f16", "poison"),
            "weight_ptr": Buffer((cols,)),
            "bias_ptr": Buffer((cols,)),
            "mean_ptr": Buffer((rows,), fill="poison"),
            "rstd_ptr": Buffer((rows,), fill="poison"),
            "row_stride": Scalar(cols),
            "n_cols": Scalar(cols),
            "eps": Scalar(EPSILON, "f32"),
        },
        constants={"BLOCK": block},
        expected=expected,
        tolerance=2**-10,
        outcome=NO_DOT,
    )


def layer_norm_backward(rows=13, cols=1000, programs=4):
    share = ceil_div(rows, programs)

    def expected(inputs):
        dy = inputs["dy_ptr"]
        mean, rstd = inputs["mean_ptr"][:, None], inputs["rstd_ptr"][:, None]
        x_hat = (inputs["x_ptr"] - mean) * rstd
        wdy = inputs["weight_ptr"] * dy
        c1 = (x_hat * wdy).mean(axis=1, keepdims=True)
        c2 = wdy.mean(axis=1, keepdims=True)
        shares = [slice(i * share, min((i + 1) * share, rows)) for i in range(programs)]
        return {
            "dx_ptr": (wdy - x_hat * c1 - c2) * rstd,
            "dw_ptr": np.stack([(dy * x_hat)[rows].sum(axis=0) for rows in shares]),
            "db_ptr": np.stack([dy[rows].sum(axis=0) for rows in shares]),
        }

    return Case(
        name="layer_norm_backward",
        kernel="rowwise.layer_norm_backward",
        grid=(programs,),
        arguments={
            "x_ptr": Buffer((rows, cols), "f16"),
            "weight_ptr": Buffer((cols,)),
            "mean_ptr": Buffer((rows,)),
            "rstd_ptr": Buffer((rows,)),
            "dy_ptr": Buffer((rows, cols), "f16"),
            "dx_ptr": Buffer((rows, cols), "f16", "poison"),
            "dw_ptr": Buffer((programs, cols), fill="poison"),
            "db_ptr": Buffer((programs, cols), fill="poison"),
            "row_stride": Scalar(cols),
            "n_rows": Scalar(rows),
            "n_cols": Scalar(cols),
            "rows_per_program": Scalar(share),
        },
        constants={"BLOCK": next_power_of_two(cols)},
        expected=expected,
        tolerance=2**-10,
        outcome=NO_DOT,
    )


def rms_norm(rows=5, cols=1000):
    def expected(inputs):
        x = inputs["x_ptr"] + inputs["residual_ptr"]
        rstd = 1 / np.sqrt((x**2).mean(axis=1, keepdims=True) + EPSILON)
        return {"residual_ptr": x, "out_ptr": x * rstd * inputs["weight_ptr"]}

    return Case(
        name="rms_norm",
        kernel="rowwise.rms_norm",
        grid=(rows,),
        arguments={
            "x_ptr": Buffer((rows, cols), "bf16"),
            "residual_ptr": Buffer((rows, cols), "bf16"),
            "weight_ptr": Buffer((cols,), "bf16"),
            "out_ptr": Buffer((rows, cols), "bf16", "poison"),
            "row_stride": Scalar(cols),
            "n_cols": Scalar(cols),
            "eps": Scalar(EPSILON, "f32"),
        },
        constants={"BLOCK": next_power_of_two(cols)},
        expected=expected,
        # The sum, the normalised row and the product are rounded to bf16.
        tolerance=2**-6,
        outcome=NO_DOT,
    )


def cross_entropy(rows=5, cols=3000, block=1024):
    ignored = -100
    targets = np.array([(977 * row) % cols if row != 2 else ignored for row in range(rows)])
    kept = int((targets != ignored).sum())

    def expected(inputs):
        x = inputs["logits_ptr"]
        exps = np.exp(x - x.max(axis=1, keepdims=True))
        total = exps.sum(axis=1)
        gradient = exps / total[:, None]
        at = np.where(targets == ignored, 0, targets)
        gradient[np.arange(rows), at] -= 1
        loss = np.log(total) + x.max(axis=1) - x[np.arange(rows), at]
        keep = targets != ignored
        return {
            "logits_ptr": np.where(keep[:, None], gradient / kept, 0),
            "loss_ptr": np.where(keep, loss / kept, 0),
        }

    return Case(
        name="cross_entropy",
        kernel="rowwise.cross_entropy",
        grid=(rows,),
        arguments={
            "logits_ptr": Buffer((rows, cols), "bf16"),
            "logits_stride": Scalar(cols),
            "target_ptr": Buffer((rows,), "i64", targets),
            "loss_ptr": Buffer((rows,), fill="poison"),
            "n_cols": Scalar(cols),
            "n_non_ignored": Scalar(kept),
            "ignore_index": Scalar(ignored),
        },
        constants={"BLOCK": block},
        expected=expected,
        tolerance=2**-8,
        outcome=NO_DOT,
    )


def group_norm(images=2, groups=3, channels=4, size=50, block=64):
    eps = 1e-5

    def expected(inputs):
        x = inputs["x_ptr"].reshape(images, groups, channels, size)
        mean, variance = x.mean((2, 3)), x.var((2, 3))
        rstd = 1 / np.sqrt(variance + eps)
        weight, bias = (inputs[name].reshape(groups, channels, 1) for name in ("weight_ptr", "bias_ptr"))
        out = (x - mean[..., None, None]) * rstd[..., None, None] * weight + bias
        return {"out_ptr": out.reshape(inputs["x_ptr"].shape), "mean_ptr": mean, "rstd_ptr": rstd}

    return Case(
        name="group_norm",
        kernel="rowwise.group_norm",
        grid=(images, groups),
        arguments={
            "x_ptr": Buffer((images, groups * channels, size)),
            "weight_ptr": Buffer((groups * channels,)),
            "bias_ptr": Buffer((groups * channels,)),
            "out_ptr": Buffer((images, groups * channels, size), fill="poison"),
            "mean_ptr": Buffer((images, groups), fill="poison"),
            "rstd_ptr": Buffer((images, groups), fill="poison"),
            "size": Scalar(size),
            "channels": Scalar(channels),
            "eps": Scalar(eps, "f32"),
        },
        constants={"BLOCK": block},
        expected=expected,
        tolerance=2**-18,
        outcome=NO_DOT,
    )


def column_sums(matrices=3, rows=50, columns=96, xblock=32, rblock=16):
    count = matrices * columns
    return Case(
        name="column_sums",
        kernel="rowwise.column_sums",
        grid=(-(-count // xblock),),
        arguments={
            "x_ptr": Buffer((matrices, rows, columns), "bf16"),
            "out_ptr": Buffer((matrices, columns), fill="poison"),
            "count": Scalar(count),
        },
        constants={"ROWS": rows, "COLUMNS": columns, "XBLOCK": xblock, "RBLOCK": rblock},
        expected=lambda inputs: {"out_ptr": inputs["x_ptr"].sum(1)},
        tolerance=2**-18,
        outcome=NO_DOT,
    )


def column_sums_across(matrices=3, rows=50, columns=96, xblock=128, rblock=16):
    count = matrices * columns
    return Case(
        name="column_sums_across",
        kernel="rowwise.column_sums_across",
        grid=(ceil_div(count, xblock),),
        arguments={
            "x_ptr": Buffer((matrices, rows, columns), "bf16"),
            "out_ptr": Buffer((matrices, columns), fill="poison"),
            "count": Scalar(count),
            "rows": Scalar(rows),
        },
        constants={"COLUMNS": columns, "XBLOCK": xblock, "RBLOCK": rblock},
        expected=lambda inputs: {"out_ptr": inputs["x_ptr"].sum(1)},
        tolerance=2**-18,
        outcome=NO_DOT,
    )


CORPUS = [
    softmax,
    layer_norm_forward,
    layer_norm_backward,
    rms_norm,
    cross_entropy,
    group_norm,
    column_sums,
    column_sums_across,
]
