# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The 32 graphs of the Sparse Abstract Machine's own suite as einsum programs, with operands. Expressions and formats are
written as that suite writes them: `X:ss:1,0` is compressed on both levels, axis 1 outermost; d is a dense level."""

import pathlib
import random
import re

INPUTS = pathlib.Path(__file__).resolve().parent.parent / "test/Sparse/Inputs"
MATMUL = "X(i,j)=B(i,k)*C(k,j)"
# With the cycles that its simulator takes for the operands below, FIFOs endless (sam_reference.py runs it).
GRAPHS = {
    "matmul_kij": (MATMUL, "X:ss B:ss:1,0 C:ss", 2114),
    "matmul_kji": (MATMUL, "X:ss:1,0 B:ss:1,0 C:ss", 2114),
    "matmul_ikj": (MATMUL, "X:ss B:ss C:ss", 1406),
    "matmul_jki": (MATMUL, "X:ss:1,0 B:ss:1,0 C:ss:1,0", 1406),
    "matmul_ijk": (MATMUL, "X:ss B:ss C:ss:1,0", 10566),
    "matmul_jik": (MATMUL, "X:ss:1,0 B:ss C:ss:1,0", 10566),
    "mat_elemmul": ("X(i,j)=B(i,j)*C(i,j)", "X:ss B:ss C:ss", 199),
    "mat_elemadd": ("X(i,j)=B(i,j)+C(i,j)", "X:ss B:ss C:ss", 199),
    "mat_identity": ("X(i,j)=B(i,j)", "X:ss B:ss", 194),
    "mat_identity_dense": ("X(i,j)=B(i,j)", "X:dd B:dd", 1194),
    "mat_vecmul_ij": ("x(i)=B(i,j)*c(j)", "x:s B:ss c:s", 983),
    "mat_vecmul_ji": ("x(i)=B(i,j)*c(j)", "x:s B:ss:1,0 c:s", 209),
    "vec_elemmul": ("x(i)=b(i)*c(i)", "x:s b:s c:s", 261),
    "vec_identity": ("x(i)=b(i)", "x:s b:s", 191),
    "vec_elemadd": ("x(i)=b(i)+c(i)", "x:s b:s c:s", 261),
    "vec_scalar_mul": ("x(i)=b*c(i)", "x:s c:s", 194),
    "tensor3_elemmul": ("X(i,j,k)=B(i,j,k)*C(i,j,k)", "X:sss B:sss C:sss", 570),
    "tensor3_identity": ("X(i,j,k)=B(i,j,k)", "X:sss B:sss", 447),
    "tensor3_identity_dense": ("X(i,j,k)=B(i,j,k)", "X:ddd B:ddd", 2885),
    "tensor3_elemadd": ("X(i,j,k)=B(i,j,k)+C(i,j,k)", "X:sss B:sss C:sss", 798),
    "tensor3_innerprod": ("x=B(i,j,k)*C(i,j,k)", "B:sss C:sss", 575),
    "tensor3_ttv": ("X(i,j)=B(i,j,k)*c(k)", "X:ss B:sss c:s", 1808),
    "tensor3_ttm": ("X(i,j,k)=B(i,j,l)*C(k,l)", "X:sss B:sss C:ss", 21444),
    "mat_sddmm": ("X(i,j)=B(i,j)*C(i,k)*D(k,j)", "X:ss B:ss C:dd D:dd:1,0", 40140),
    "mat_mattransmul": ("x(i)=b*C(j,i)*d(j)+e*f(i)", "x:s C:ss:1,0 d:s f:s", 994),
    "mat_residual": ("x(i)=b(i)-C(i,j)*d(j)", "x:s C:ss b:s d:s", 838),
    "mat_elemadd3": ("X(i,j)=B(i,j)+C(i,j)+D(i,j)", "X:ss B:ss C:ss D:ss", 297),
    "tensor3_mttkrp": ("X(i,j)=B(i,k,l)*C(j,k)*D(j,l)", "X:ss B:sss C:ss D:ss", 8691),
    "vec_spacc_simple": ("x(j)=B(i,j)", "x:s B:ss", 232),
    "mat_spacc_simple": ("X(j,k)=B(i,j,k)", "X:ss B:sss", 602),
    "vec_sd_compression": ("x(i)=b(i)", "x:d b:s", 191),
    "vec_ds_compression": ("x(i)=b(i)", "x:s b:d", 304),
}
COLUMNS = 256  # of the sampled product
# SAM writes more elements than the result has: 604 of 545, 59 of them zeros, and 249 of 156.
LONGER = {"tensor3_elemadd", "mat_elemadd3"}


def accesses(text):
    return [(name, indices.split(",") if indices else [])
            for name, indices in re.findall(r"(\w+)(?:\(([\w,]*)\))?", text)]


def tensor_type(name, indices, formats):
    levels, _, axes = formats.get(name, "").partition(":")
    order = [int(axis) for axis in axes.split(",")] if axes else range(len(indices))
    if "s" not in levels:
        order = list(order)
        if order == sorted(order):
            return f"tensor<{'?x' * len(indices)}f64>"
    places = ", ".join(f"{indices[axis]} : {'compressed' if kind == 's' else 'dense'}"
                       for axis, kind in zip(order, levels))
    return (f"tensor<{'?x' * len(indices)}f64, #sparse_tensor.encoding<{{ map = ({', '.join(indices)}) -> "
            f"({places}) }}>>")


def program(graph):
    """The program's text."""
    expression, formats, _ = GRAPHS[graph]
    formats = dict(text.split(":", 1) for text in formats.split())
    left, right = expression.split("=")
    (result, output), = accesses(left)
    types = {name: tensor_type(name, indices, formats) for name, indices in accesses(right)}
    made = tensor_type(result, output, formats)
    terms = re.sub(r"(\w+)(\([\w,]*\))?", lambda match: f"%{match[1]}{match[2] or '()'}", right)
    terms = re.sub(r"([*+-])", r" \1 ", terms).replace(",", ", ")
    arguments = ", ".join(f"%{name}: {kind}" for name, kind in types.items())
    return (f"einsum.program @{graph}({arguments}) {{\n"
            f"  %{result} = einsum.statement ({', '.join(output)}) += {terms}\n"
            f"    : {', '.join(types[name] for name, _ in accesses(right))} -> {made}\n"
            f"  einsum.return %{result} : {made}\n}}\n")


def operands(graph, columns=COLUMNS):
    """Elements by tensor, and their sizes: Zachary's karate club in every place of a matrix; vectors and tensors of
    order three from a seed."""
    expression, _, _ = GRAPHS[graph]
    source = random.Random(7)
    karate = {tuple(int(word) for word in line.split()[:2]): 1.0
              for line in (INPUTS / "karate-club.txt").read_text(encoding="utf-8").splitlines()
              if line and not line.startswith("#")}
    extents = dict.fromkeys("ijkl", 34)
    if graph.startswith("vec_") and "spacc" not in graph:
        extents["i"] = 300
    if graph.startswith("tensor3") or graph == "mat_spacc_simple":
        extents = {"i": 16, "j": 12, "k": 14, "l": 18}
    if graph == "mat_sddmm":
        extents["k"] = columns
    elements, sizes = {}, {}
    for name, indices in accesses(expression.split("=")[1]):
        shape = [extents[index] for index in indices]
        places = [()]
        for extent in shape:
            places = [place + (at,) for place in places for at in range(extent)]
        share = {0: 1, 1: 0.6, 2: 0.4, 3: 0.1}[len(shape)]
        is_dense = graph.endswith("_dense") or graph == "vec_ds_compression" or (
            graph == "mat_sddmm" and name != "B")
        sizes[name] = shape
        if shape == [34, 34] and not is_dense:
            elements[name] = karate
            continue
        elements[name] = {place: 2.0 if not place else float(source.randint(1, 9)) for place in places
                          if is_dense or source.random() < share}
    return elements, sizes


def options(elements, sizes, folder):
    """Of `heddle simulate`, with the elements in files."""
    found = []
    for name, of in elements.items():
        path = pathlib.Path(folder) / f"{name}.txt"
        path.write_text("".join(" ".join(map(str, (*place, value))) + "\n" for place, value in of.items()),
                        encoding="utf-8")
        found += [f"--elements={name}={path}"]
        if sizes[name]:
            found += [f"--view={name}={'x'.join(map(str, sizes[name]))}"]
    return found


def expected(graph, elements):
    """The result's elements, by loops over those of the operands."""
    expression, _, _ = GRAPHS[graph]
    left, right = expression.split("=")
    (_, output), = accesses(left)
    found = {}
    for sign, term in re.findall(r"([+-]?)([^+-]+)", right):
        products = [({}, -1.0 if sign == "-" else 1.0)]
        for name, indices in accesses(term):
            of = {}
            for place, value in elements[name].items():
                # Those that agree with the indices that are known are found by them.
                known = tuple(at for index, at in zip(indices, place) if index in products[0][0]) if products else ()
                of.setdefault(known, []).append((place, value))
            grown = []
            for bound, product in products:
                key = tuple(bound[index] for index in indices if index in bound)
                grown += [(bound | dict(zip(indices, place)), product * value) for place, value in of.get(key, ())]
            products = grown
        for bound, product in products:
            place = tuple(bound[index] for index in output)
            found[place] = found.get(place, 0.0) + product
    return found
