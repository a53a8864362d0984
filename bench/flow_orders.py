# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How many orders of its indices a whole einsum program has when it is one region: exactly, by dynamic
programming over the sets of indices that are closed towards the outside. Statements are put into
their readers: a result's indices are those of the reader, what is summed over is an index of its own
for each use with other indices. Edges are the orders in which tensors are stored."""

import re

ACCESS = re.compile(r"%(\w+)\((\w+(?:, \w+)*)\)")
STATEMENT = re.compile(r"%(\w+) = einsum\.statement \((.*?)\) \+= (.*?)\n?\s*: (.*?) -> (\S+)", re.S)


def statements_of(text):
    """(name, its indices, [(tensor, indices)]) of each statement."""
    text = re.sub(r"^\s*//.*", "", text, flags=re.M)
    for name, output, terms, _, _ in STATEMENT.findall(text):
        yield name, output.split(", "), [(tensor, of.split(", ")) for tensor, of in ACCESS.findall(terms)]


def order_graph(text):
    """The indices of the whole program, and for each those that stand outside of it."""
    made = {name: (output, accesses) for name, output, accesses in statements_of(text)}
    outside, known = {}, {}

    def inline(name, actual):
        if (name, actual) in known:
            return
        known[name, actual] = True
        output, accesses = made[name]
        names = dict(zip(output, actual))
        for tensor, of in accesses:
            for index in of:
                if index not in names:
                    names[index] = len(outside)
                    outside[names[index]] = set()
        for tensor, of in accesses:
            used = tuple(names[index] for index in of)
            for before, after in zip(used, used[1:]):
                outside[after].add(before)
            if tensor in made:
                inline(tensor, used)

    last = list(made)[-1]
    result = tuple(range(len(made[last][0])))
    outside.update((index, set()) for index in result)
    inline(last, result)
    return outside


def count_orders(outside):
    """Linear extensions; None where edges go round in a circle."""
    counts = {frozenset(): 1}
    for _ in outside:
        following = {}
        for done, orders in counts.items():
            for index, needs in outside.items():
                if index not in done and needs <= done:
                    more = done | {index}
                    following[more] = following.get(more, 0) + orders
        counts = following
    return counts.get(frozenset(outside))
