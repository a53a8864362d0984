# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""corpus/gradients.py with sizes and meaning."""

import numpy as np
from case import NO_DOT, Buffer, Case, Scalar, ceil_div, next_power_of_two


def make(name, grid, arguments, constants, expected, tolerance=2**-18):
    return Case(name, f"gradients.{name}", grid, arguments, constants, expected, tolerance, outcome=NO_DOT)


def rms_norm_backward(rows=10, n=200, programs=4):
    each = ceil_div(rows, programs)

    def expected(inputs):
        dy, x, w = (inputs[name] for name in ("dy_ptr", "x_ptr", "w_ptr"))
        rstd = inputs["rstd_ptr"][:, None]
        scaled, product = x * rstd, dy * w
        dx = (product - scaled * (product * scaled).mean(1, keepdims=True)) * rstd
        parts = [(dy * scaled)[i * each : (i + 1) * each].sum(0) for i in range(programs)]
        return {"dx_ptr": dx, "dw_ptr": np.stack(parts)}

    arguments = {
        "dy_ptr": Buffer((rows, n), "f16"),
        "x_ptr": Buffer((rows, n), "f16"),
        "w_ptr": Buffer((n,), "f16"),
        "rstd_ptr": Buffer((rows,), "f32", np.linspace(0.5, 1.5, rows).astype(np.float32)),
        "dx_ptr": Buffer((rows, n), "f16", "poison"),
        "dw_ptr": Buffer((programs, n), "f32", "poison"),
        "rows": Scalar(rows),
        "n": Scalar(n),
        "rows_each": Scalar(each),
    }
    constants = {"BLOCK": next_power_of_two(n)}
    return make("rms_norm_backward", (programs,), arguments, constants, expected, 2**-11)


def softmax_backward(rows=5, n=1100, block=512):
    def expected(inputs):
        y, dy = inputs["y_ptr"], inputs["dy_ptr"]
        return {"dx_ptr": y * (dy - (y * dy).sum(1, keepdims=True))}

    arguments = {
        "y_ptr": Buffer((rows, n)),
        "dy_ptr": Buffer((rows, n)),
        "dx_ptr": Buffer((rows, n), fill="poison"),
        "n": Scalar(n),
    }
    return make("softmax_backward", (rows,), arguments, {"BLOCK": block}, expected)


def cross_entropy_in_place(rows=6, n=700, block=256, smoothing=0.125, ignored=-100):
    targets = np.array([3, 699, ignored, 255, 256, 0])[:rows]

    def expected(inputs):
        x = inputs["x_ptr"]
        lse = np.log(np.exp(x).sum(1))
        hot = np.zeros((rows, n))
        hot[np.arange(rows), np.maximum(targets, 0)] = 1 - smoothing
        gradient = np.exp(x - lse[:, None]) - smoothing / n - hot
        loss = lse - (hot * x).sum(1) - smoothing / n * x.sum(1)
        kept = targets != ignored
        return {"x_ptr": gradient * kept[:, None], "loss_ptr": loss * kept}

    arguments = {
        "x_ptr": Buffer((rows, n)),
        "targets_ptr": Buffer((rows,), "i64", targets),
        "loss_ptr": Buffer((rows,), fill="poison"),
        "n": Scalar(n),
        "smoothing": Scalar(smoothing, "f32"),
        "ignored": Scalar(ignored),
    }
    return make("cross_entropy_in_place", (rows,), arguments, {"BLOCK": block}, expected)


def divergence(rows=4, n=900, block=512, is_reversed=False):
    def expected(inputs):
        p, q = inputs["p_ptr"], inputs["q_ptr"]
        p, q = (q, p) if is_reversed else (p, q)
        return {"out_ptr": (np.exp(p) * (p - q)).sum(1)}

    arguments = {
        "p_ptr": Buffer((rows, n)),
        "q_ptr": Buffer((rows, n)),
        "out_ptr": Buffer((rows,), fill="poison"),
        "n": Scalar(n),
    }
    constants = {"BLOCK": block, "REVERSED": is_reversed}
    return make("divergence", (rows,), arguments, constants, expected)


def adam_step(n=1500, block=512):
    numbers = {"rate": 0.0625, "beta1": 0.875, "beta2": 0.96875, "eps": 2**-20, "decay": 0.125}

    def expected(inputs):
        rate, beta1, beta2, eps, decay = numbers.values()
        g = inputs["g_ptr"]
        m = beta1 * inputs["m_ptr"] + (1 - beta1) * g
        v = beta2 * inputs["v_ptr"] + (1 - beta2) * g * g
        step = m / (1 - beta1**3) / (np.sqrt(v / (1 - beta2**3)) + eps)
        return {"p_ptr": inputs["p_ptr"] * (1 - rate * decay) - rate * step, "m_ptr": m, "v_ptr": v}

    second = np.random.default_rng(4).random(n).astype(np.float32)
    arguments = {
        "p_ptr": Buffer((n,)),
        "g_ptr": Buffer((n,), "bf16"),
        "m_ptr": Buffer((n,)),
        "v_ptr": Buffer((n,), "f32", second),
        "n": Scalar(n),
        **{name: Scalar(value, "f32") for name, value in numbers.items()},
        "step": Scalar(3),
    }
    return make("adam_step", (ceil_div(n, block),), arguments, {"BLOCK": block}, expected, 2**-16)


def selective_scan(length=150, channels=40, bt=64, bc=32):
    factors = np.random.default_rng(6).random((length, channels)).astype(np.float32)

    def expected(inputs):
        h, found = np.zeros(channels), np.zeros((length, channels))
        for t in range(length):
            found[t] = h = inputs["a_ptr"][t] * h + inputs["x_ptr"][t]
        return {"h_ptr": found}

    arguments = {
        "a_ptr": Buffer((length, channels), "f32", factors),
        "x_ptr": Buffer((length, channels)),
        "h_ptr": Buffer((length, channels), fill="poison"),
        "length": Scalar(length),
        "channels": Scalar(channels),
    }
    constants = {"BT": bt, "BC": bc}
    return make("selective_scan", (ceil_div(channels, bc),), arguments, constants, expected)


def embedding_backward(rows=40, words=9, n=300, block=256):
    tokens = np.random.default_rng(8).integers(0, words, rows)

    def expected(inputs):
        out = inputs["dw_ptr"].copy()
        np.add.at(out, tokens, inputs["dy_ptr"])
        return {"dw_ptr": out}

    arguments = {
        "dy_ptr": Buffer((rows, n)),
        "tokens_ptr": Buffer((rows,), "i64", tokens),
        "dw_ptr": Buffer((words, n)),
        "n": Scalar(n),
    }
    return make("embedding_backward", (rows, ceil_div(n, block)), arguments, {"BLOCK": block}, expected)


CORPUS = [
    rms_norm_backward, softmax_backward, cross_entropy_in_place, divergence, adam_step, selective_scan,
    embedding_backward,
]  # fmt: skip
