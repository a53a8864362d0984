# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""corpus/matmul.py with sizes and meaning."""

import dataclasses

import numpy as np
from case import SPECIALISED, Buffer, Case, Descriptor, Scalar, ceil_div, normal_cdf

GROUP = 8


def tiles(bm=128, bn=256, bk=64):
    return {"BM": bm, "BN": bn, "BK": bk}


def product_arguments(m, n, k):
    """Of C = A B, each with both of its strides."""
    return {
        "a_ptr": Buffer((m, k), "f16"),
        "b_ptr": Buffer((k, n), "f16"),
        "c_ptr": Buffer((m, n), "f16", "poison"),
        "m": Scalar(m),
        "n": Scalar(n),
        "k": Scalar(k),
        "stride_am": Scalar(k),
        "stride_ak": Scalar(1),
        "stride_bk": Scalar(n),
        "stride_bn": Scalar(1),
        "stride_cm": Scalar(n),
        "stride_cn": Scalar(1),
    }


def matmul_pointers(m=200, n=272, k=208, tile=tiles()):
    return Case(
        name="matmul_pointers",
        kernel="matmul.matmul_pointers",
        grid=(ceil_div(m, tile["BM"]) * ceil_div(n, tile["BN"]),),
        arguments=product_arguments(m, n, k),
        constants={**tile, "GROUP": GROUP},
        expected=lambda inputs: {"c_ptr": inputs["a_ptr"] @ inputs["b_ptr"]},
        tolerance=2**-10,
        warps=8,
        outcome=SPECIALISED,
    )


def matmul_short_tiles(m=136, n=144, k=200):
    """Seven iterations of 32, of which the last is ragged."""
    case = matmul_pointers(m, n, k, tiles(64, 64, 32))
    return dataclasses.replace(case, name="matmul_short_tiles", warps=4)


def matmul_descriptors(m=200, n=272, k=208, tile=tiles()):
    return Case(
        name="matmul_descriptors",
        kernel="matmul.matmul_descriptors",
        grid=(ceil_div(m, tile["BM"]) * ceil_div(n, tile["BN"]),),
        arguments={
            "a_desc": Descriptor(Buffer((m, k), "f16"), (tile["BM"], tile["BK"])),
            "b_desc": Descriptor(Buffer((n, k), "f16"), (tile["BN"], tile["BK"])),
            "c_desc": Descriptor(Buffer((m, n), "f16", "poison"), (tile["BM"], tile["BN"])),
            "m": Scalar(m),
            "n": Scalar(n),
            "k": Scalar(k),
        },
        constants={**tile, "GROUP": GROUP},
        expected=lambda inputs: {"c_desc": inputs["a_desc"] @ inputs["b_desc"].T},
        tolerance=2**-10,
        warps=8,
        outcome=SPECIALISED,
    )


def matmul_persistent(m=200, n=272, k=208, tile=tiles(), programs=4):
    return Case(
        name="matmul_persistent",
        kernel="matmul.matmul_persistent",
        grid=(programs,),
        arguments={
            "a_ptr": Buffer((m, k), "f16"),
            "b_ptr": Buffer((n, k), "f16"),
            "c_ptr": Buffer((m, n), "f16", "poison"),
            "m": Scalar(m),
            "n": Scalar(n),
            "k": Scalar(k),
        },
        constants={**tile, "GROUP": GROUP, "PROGRAMS": programs},
        expected=lambda inputs: {"c_ptr": inputs["a_ptr"] @ inputs["b_ptr"].T},
        tolerance=2**-10,
        warps=8,
        outcome=SPECIALISED,
    )


def matmul_grouped(experts=3, blocks=3, n=272, k=208, tile=tiles()):
    m = blocks * tile["BM"] - 20
    # Sorted; no token chose the expert before the last.
    expert_of = np.sort(np.where(np.arange(blocks) * experts // blocks == experts - 2, 0,
                                 np.arange(blocks) * experts // blocks))  # fmt: skip

    def expected(inputs):
        of_row = np.repeat(expert_of, tile["BM"])[:m]
        out = np.empty((m, n))
        for expert in range(experts):
            rows = of_row == expert
            out[rows] = inputs["a_ptr"][rows] @ inputs["b_ptr"][expert].T
        return {"c_ptr": out}

    return Case(
        name="matmul_grouped",
        kernel="matmul.matmul_grouped",
        grid=(ceil_div(n, tile["BN"]), blocks),
        arguments={
            "a_ptr": Buffer((m, k), "bf16"),
            "b_ptr": Buffer((experts, n, k), "bf16"),
            "c_ptr": Buffer((m, n), "bf16", "poison"),
            "expert_ptr": Buffer((blocks,), "i32", expert_of),
            "m": Scalar(m),
            "n": Scalar(n),
            "k": Scalar(k),
            "stride_be": Scalar(n * k),
        },
        constants=dict(tile),
        expected=expected,
        tolerance=2**-8,
        warps=8,
        outcome=SPECIALISED,
    )


def matmul_split_k(m=150, n=144, k=720, split=3, tile=tiles(128, 128, 64)):
    return Case(
        name="matmul_split_k",
        kernel="matmul.matmul_split_k",
        grid=(ceil_div(m, tile["BM"]), ceil_div(n, tile["BN"]), split),
        arguments={
            "a_ptr": Buffer((m, k), "f16"),
            "b_ptr": Buffer((k, n), "f16"),
            "c_ptr": Buffer((m, n), fill="zeros"),
            "m": Scalar(m),
            "n": Scalar(n),
            "k": Scalar(k),
            "stride_am": Scalar(k),
            "stride_bk": Scalar(n),
            "stride_cm": Scalar(n),
        },
        constants={**tile, "SPLIT": split},
        expected=lambda inputs: {"c_ptr": inputs["a_ptr"] @ inputs["b_ptr"]},
        tolerance=2**-16,
        warps=8,
        outcome=SPECIALISED,
    )


def matmul_epilogue(m=200, n=272, k=208, tile=tiles()):
    def expected(inputs):
        x = inputs["a_ptr"] @ inputs["b_ptr"] + inputs["bias_ptr"]
        return {"c_ptr": x * normal_cdf(x) + inputs["residual_ptr"]}

    return Case(
        name="matmul_epilogue",
        kernel="matmul.matmul_epilogue",
        grid=(ceil_div(m, tile["BM"]), ceil_div(n, tile["BN"])),
        arguments={
            "a_ptr": Buffer((m, k), "f16"),
            "b_ptr": Buffer((k, n), "f16"),
            "bias_ptr": Buffer((n,), "f16"),
            "residual_ptr": Buffer((m, n), "f16"),
            "c_ptr": Buffer((m, n), "f16", "poison"),
            "m": Scalar(m),
            "n": Scalar(n),
            "k": Scalar(k),
            "stride_am": Scalar(k),
            "stride_bk": Scalar(n),
            "stride_cm": Scalar(n),
        },
        constants=dict(tile),
        expected=expected,
        tolerance=2**-10,
        warps=8,
        outcome=SPECIALISED,
    )


def matmul_fp8(m=200, n=272, k=272, tile=tiles(128, 256, 128)):
    def expected(inputs):
        product = inputs["a_ptr"] @ inputs["b_ptr"].T
        return {"c_ptr": product * inputs["a_scale_ptr"][:, None] * inputs["b_scale_ptr"]}

    return Case(
        name="matmul_fp8",
        kernel="matmul.matmul_fp8",
        grid=(ceil_div(m, tile["BM"]), ceil_div(n, tile["BN"])),
        arguments={
            "a_ptr": Buffer((m, k), "e4m3"),
            "b_ptr": Buffer((n, k), "e4m3"),
            "c_ptr": Buffer((m, n), "bf16", "poison"),
            "a_scale_ptr": Buffer((m,)),
            "b_scale_ptr": Buffer((n,)),
            "m": Scalar(m),
            "n": Scalar(n),
            "k": Scalar(k),
        },
        constants=dict(tile),
        expected=expected,
        tolerance=2**-8,
        warps=8,
        outcome=SPECIALISED,
    )


def cut_to_tf32(values):
    """As the tensor core reads f32: without the low 13 bits."""
    bits = np.asarray(values, np.float32).view(np.uint32) & np.uint32(0xFFFFE000)
    return bits.view(np.float32).astype(np.float64)


def matmul_tf32(m=200, n=144, k=108, tile=tiles(128, 128, 32)):
    return Case(
        name="matmul_tf32",
        kernel="matmul.matmul_tf32",
        grid=(ceil_div(m, tile["BM"]), ceil_div(n, tile["BN"])),
        arguments={
            "a_ptr": Buffer((m, k)),
            "b_ptr": Buffer((n, k)),
            "c_ptr": Buffer((m, n), fill="poison"),
            "m": Scalar(m),
            "n": Scalar(n),
            "k": Scalar(k),
            "stride_am": Scalar(k),
            "stride_bn": Scalar(k),
            "stride_cm": Scalar(n),
        },
        constants=dict(tile),
        expected=lambda inputs: {
            "c_ptr": cut_to_tf32(inputs["a_ptr"]) @ cut_to_tf32(inputs["b_ptr"]).T
        },
        tolerance=2**-16,
        warps=8,
        outcome=SPECIALISED,
    )


def matmul_weights(m=200, n=272, k=304, tile=tiles(), quantised=128):
    def expected(inputs):
        scale = np.repeat(inputs["scale_ptr"], quantised, axis=0)[:k]
        weights = (inputs["w_ptr"].T * scale).astype(np.float16).astype(np.float64)
        return {"c_ptr": inputs["a_ptr"] @ weights}

    return Case(
        name="matmul_weights",
        kernel="matmul.matmul_weights",
        grid=(ceil_div(m, tile["BM"]) * ceil_div(n, tile["BN"]),),
        arguments={
            "a_ptr": Buffer((m, k), "f16"),
            "w_ptr": Buffer((n, k), "i8", "small"),
            "scale_ptr": Buffer((ceil_div(k, quantised), n), "f16"),
            "c_ptr": Buffer((m, n), "f16", "poison"),
            "m": Scalar(m),
            "n": Scalar(n),
            "k": Scalar(k),
            "stride_am": Scalar(k),
            "stride_wn": Scalar(k),
            "stride_sg": Scalar(n),
            "stride_cm": Scalar(n),
        },
        constants={**tile, "QUANTISED": quantised, "GROUP": GROUP},
        expected=expected,
        tolerance=2**-10,
        warps=8,
        outcome=SPECIALISED,
    )


CORPUS = [
    matmul_pointers, matmul_short_tiles, matmul_descriptors, matmul_persistent, matmul_grouped, matmul_split_k,
    matmul_epilogue, matmul_fp8, matmul_tf32, matmul_weights,
]  # fmt: skip
