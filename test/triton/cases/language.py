# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""corpus/language.py with sizes and meaning."""

import numpy as np
from case import NO_DOT, Buffer, Case, Scalar, ceil_div
from corpus_cases import load

kept = load("cases", "sequences").kept


def sort_rows(rows=6, cols=128, at_once=2):
    return Case(
        name="sort_rows",
        kernel="language.sort_rows",
        grid=(rows // at_once,),
        arguments={
            "x_ptr": Buffer((rows, cols)),
            "out_ptr": Buffer((rows, cols), fill="poison"),
            "flipped_ptr": Buffer((rows, cols), fill="poison"),
        },
        constants={"COLS": cols, "ROWS": at_once},
        expected=lambda inputs: {
            "out_ptr": -np.sort(-inputs["x_ptr"], axis=1),
            "flipped_ptr": inputs["x_ptr"][:, ::-1],
        },
        tolerance=0.0,
        outcome=NO_DOT,
    )


def route(rows=9, experts=60, best=4):
    def expected(inputs):
        logits = inputs["logits_ptr"]
        chosen = np.argsort(-logits, axis=1)[:, :best]
        weights = np.exp(np.take_along_axis(logits, chosen, axis=1))
        return {"weight_ptr": weights / weights.sum(axis=1, keepdims=True), "expert_ptr": chosen}

    return Case(
        name="route",
        kernel="language.route",
        grid=(rows,),
        arguments={
            "logits_ptr": Buffer((rows, experts)),
            "weight_ptr": Buffer((rows, best), fill="poison"),
            "expert_ptr": Buffer((rows, best), "i32", "poison"),
            "stride": Scalar(experts),
            "experts": Scalar(experts),
        },
        constants={"EXPERTS": 64, "K": best},
        expected=expected,
        tolerance=2**-18,
        outcome=NO_DOT,
    )


def select(n=1000, block=256):
    keep = np.arange(n) % 3 == 1

    def expected(inputs):
        chosen = np.where(keep, 0, inputs["x_ptr"])
        return {"out_ptr": chosen, "kept_ptr": ~keep & (chosen > 0)}

    return Case(
        name="select",
        kernel="language.select",
        grid=(ceil_div(n, block),),
        arguments={
            "x_ptr": Buffer((n,)),
            "keep_ptr": Buffer((n,), "i1", keep),
            "out_ptr": Buffer((n,), fill="poison"),
            "kept_ptr": Buffer((n,), "i1", np.ones(n)),
            "n": Scalar(n),
            "negate": Scalar(True, "i1"),
        },
        constants={"BLOCK": block},
        expected=expected,
        tolerance=0.0,
        outcome=NO_DOT,
    )


def count_and_permute(rows=16, cols=64, bins=32, n=50):
    order = np.random.default_rng(3).integers(0, bins, cols)
    return Case(
        name="count_and_permute",
        kernel="language.count_and_permute",
        grid=(1,),
        arguments={
            "x_ptr": Buffer((rows, cols), "f16"),
            "order_ptr": Buffer((cols,), "i32", order),
            "out_ptr": Buffer((rows, cols), "f16", "poison"),
            "counts_ptr": Buffer((bins,), "i32", "poison"),
            "n": Scalar(n),
        },
        constants={"ROWS": rows, "COLS": cols, "BINS": bins},
        expected=lambda inputs: {
            "out_ptr": inputs["x_ptr"][:, order],
            "counts_ptr": np.bincount(order[:n], minlength=bins),
        },
        tolerance=0.0,
        outcome=NO_DOT,
    )


def locked_sum(rows=12, cols=200, groups=3):
    def expected(inputs):
        shares = [inputs["x_ptr"][group::groups].sum(axis=0) for group in range(groups)]
        return {"sum_ptr": np.stack(shares), "count_ptr": np.full(groups, rows // groups)}

    return Case(
        name="locked_sum",
        kernel="language.locked_sum",
        grid=(rows,),
        arguments={
            "x_ptr": Buffer((rows, cols)),
            "lock_ptr": Buffer((groups,), "i32", np.zeros(groups)),
            "count_ptr": Buffer((groups,), "i32", np.zeros(groups)),
            "sum_ptr": Buffer((groups, cols), fill="poison"),
            "cols": Scalar(cols),
        },
        constants={"GROUP": groups, "BLOCK": 256},
        expected=expected,
        tolerance=2**-20,
        outcome=NO_DOT,
    )


def early_returns(block=128):
    kinds = np.array([3, 0, 1, 2, 4, 5, 1, 2, 3])
    n = len(kinds) - 1

    def expected(inputs):
        out = inputs["out_ptr"].copy()
        for row, kind in enumerate(kinds[:n]):
            if kind == 1:
                out[row] = 3
            elif kind in (2, 3, 5):
                out[row] = inputs["x_ptr"][row] * (0.5 if kind == 2 else 1)
        return {"out_ptr": out}

    return Case(
        name="early_returns",
        kernel="language.early_returns",
        grid=(len(kinds),),
        arguments={
            "x_ptr": Buffer((len(kinds), block)),
            "kind_ptr": Buffer(kinds.shape, "i32", kinds),
            "out_ptr": kept((len(kinds), block)),
            "n": Scalar(n),
        },
        constants={"BLOCK": block},
        expected=expected,
        tolerance=0.0,
        outcome=NO_DOT,
    )


CORPUS = [sort_rows, route, select, count_and_permute, locked_sum, early_returns]
