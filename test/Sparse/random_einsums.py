# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random einsums over random formats and patterns, half of them with functions, numbers in front of terms
and masks, for certificates.py. `heddle-fuzz --flavour=sparse` draws more kinds, and runs them."""

import random

import random_functions

PATTERNS = ("uniform", "uniform", "skewed", "empty", "full", "one")
EXTENTS = (0, 1, 2, 3, 5, 8, 9, 17, 31, 70)


def encoding(rng, rank):
    """The text of a random format; None for a dense tensor."""
    kind = rng.choice(("dense", "levels", "levels", "levels", "list"))
    if kind == "dense":
        return None
    axes = list(range(rank))
    if rng.random() < 0.4:
        rng.shuffle(axes)
    if kind == "list":
        levels = ["compressed(nonunique)"] + ["singleton(nonunique)"] * (rank - 2) + ["singleton"]
        if rank == 1:
            levels = ["compressed"]
    else:
        levels = [rng.choice(("dense", "compressed")) for _ in axes]
        if "compressed" not in levels:
            levels[-1] = "compressed"
    dims = ", ".join(f"d{axis}" for axis in range(rank))
    places = ", ".join(f"d{axis} : {level}" for axis, level in zip(axes, levels))
    width = rng.choice((0, 32, 64))
    widths = f", posWidth = {width}, crdWidth = {width}" if width else ""
    return f"#sparse_tensor.encoding<{{ map = ({dims}) -> ({places}){widths} }}>"


def tensor_type(rank, element, layout):
    return f"tensor<{'?x' * rank}{element}{', ' + layout if layout else ''}>"


class Case:
    """A program, and the options that say what its operands hold."""

    def __init__(self, seed):
        rng = random.Random(seed)
        indices = "ijkl"[:rng.choice((1, 2, 2, 3, 3, 4))]
        sizes = {index: rng.choice(EXTENTS) for index in indices}
        if rng.random() < 0.8:
            sizes = {index: max(size, 2) for index, size in sizes.items()}
        element = rng.choice(("f32", "f64", "f16", "bf16"))
        operands, terms = [], []
        for _ in range(rng.choice((1, 1, 1, 2))):
            factors = []
            for _ in range(rng.choice((1, 2, 2, 3))):
                rank = rng.randint(1, min(3, len(indices)))
                chosen = rng.sample(indices, rank)
                layout = encoding(rng, rank)
                factors.append((len(operands), chosen))
                operands.append((f"T{len(operands)}", chosen, layout))
            terms.append(factors)
        used = [index for index in indices
                if any(index in chosen for _, chosen, _ in operands)]
        output = rng.sample(used, rng.randint(1, min(3, len(used))))
        result = None
        sort = rng.random()
        if len(operands) == 1 and operands[0][2] and rng.random() < 0.7:  # the same in another order
            output, sort = rng.sample(operands[0][1], len(operands[0][1])), 0
        if sort < 0.25:  # counted rows
            places = [f"d{axis} : dense" for axis in range(len(output) - 1)]
            dims = ", ".join(f"d{axis}" for axis in range(len(output)))
            places.append(f"d{len(output) - 1} : compressed")
            result = f"#sparse_tensor.encoding<{{ map = ({dims}) -> ({', '.join(places)}) }}>"
        elif sort < 0.4:  # the positions of an operand
            _, output, result = rng.choice(operands)
        elif sort < 0.5:  # a sum of all
            output = []
        semiring = rng.choice(("", "", "", ' over "min-plus"', ' over "max-plus"'))
        share = rng.choice((0, 0.4))
        masked = ""
        if share and rng.random() < 0.15:
            semiring = ' over "max-times"'
        if output and share and rng.random() < 0.4:
            chosen = list(output) if rng.random() < 0.8 else rng.sample(output, rng.randint(1, len(output)))
            layout = encoding(rng, len(chosen))
            while layout is None:
                layout = encoding(rng, len(chosen))
            masked = f" where %M({', '.join(chosen)})"
            operands.append(("M", chosen, layout))
            if rng.random() < 0.7:
                output, result = chosen, layout
        name = random_functions.semiring_of(semiring)
        text = random_functions.terms_text(
            rng, name, [[(f"%{operands[number][0]}({', '.join(chosen)})", operands[number][2] is None)
                         for number, chosen in factors] for factors in terms], bool(masked), share)
        text += masked + semiring + random_functions.then_text(rng, name, result is None or masked, share)
        types = [tensor_type(len(chosen), element, layout) for _, chosen, layout in operands]
        made = tensor_type(len(output), element, result)
        arguments = ", ".join(f"%{name}: {kind}"
                              for (name, _, _), kind in zip(operands, types))
        self.text = (f"einsum.program @p({arguments}) {{\n"
                     f"  %R = einsum.statement ({', '.join(output)}) += {text}\n"
                     f"    : {', '.join(types)} -> {made}\n"
                     f"  einsum.return %R : {made}\n}}\n")
        self.options = []
        for name, chosen, layout in operands:
            self.options.append(f"--view={name}=" + "x".join(str(sizes[i]) for i in chosen))
            if layout:
                self.options.append(f"--pattern={name}={rng.choice(PATTERNS)}")
                self.options.append(f"--density={name}={rng.choice((0.02, 0.1, 0.3, 0.7))}")
