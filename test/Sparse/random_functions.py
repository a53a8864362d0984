# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random functions, numbers and masks for the random einsums beside this file.

In: a generator of random numbers, a semiring's text, and whether a tensor is
dense or below a mask. Out: pieces of a statement's text that the rung takes: a
function that makes something else of an element that is not stored is only drawn
where that is allowed. Functions are chained so that numbers stay moderate, since
the oracle computes in double and kernels may in f32.
"""

# Those that leave the zero of the semiring as it is, and the rest.
KEEPING = {
    "plus-times": (["neg"], ["abs"], ["relu"], ["tanh"], ["square"], ["erf"], ["gelu"], ["silu"],
                   ["abs", "sqrt"], ["neg", "relu"]),
    "min-plus": (["abs"], ["relu"], ["abs", "square"], ["abs", "sqrt"]),
    "max-plus": (),
    "max-times": (),
}
CHANGING = (["abs", "neg", "exp"], ["sigmoid"], ["tanh", "exp", "reciprocal"], ["tanh", "exp", "log"],
            ["tanh", "sigmoid", "rsqrt"], ["relu", "neg", "exp"])


def semiring_of(text):
    """The name in ` over "NAME"`, or that of none."""
    return text.split('"')[1] if text else "plus-times"


def draw(rng, semiring, is_free, share):
    """Functions in the order of their computation, with the given probability."""
    known = KEEPING[semiring] + (CHANGING if is_free else ())
    return rng.choice(known) if known and rng.random() < share else []


def around(functions, access):
    """The text of a factor: the last function outermost."""
    for name in functions:
        access = f"{name}({access})"
    return access


def terms_text(rng, semiring, terms, has_mask, share):
    """`terms` has (access text, is dense) by term and factor. Terms, joined."""
    text = ""
    for number, factors in enumerate(terms):
        coefficient = rng.choice((1, 1, 1, -1, 0.5, -2.0)) if semiring == "plus-times" and share else 1
        sign = "-" if coefficient < 0 else "+" if number else ""
        text += f" {sign} " if sign else " "
        if abs(coefficient) != 1:
            text += f"{abs(coefficient)} * "
        text += " * ".join(around(draw(rng, semiring, is_dense or has_mask, share), access)
                           for access, is_dense in factors)
    return text.strip()


def then_text(rng, semiring, is_free, share):
    functions = draw(rng, semiring, is_free, share)
    return " then " + ", ".join(functions) if functions else ""
