# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The 32 graphs of the Sparse Abstract Machine's own suite as einsum programs, with operands. Expressions and formats are
written as that suite writes them: `X:ss:1,0` is compressed on both levels, axis 1 outermost; d is a dense level. Its sum of
three adds two first, so it is two statements here, in one region."""

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
    "tensor3_elemadd": ("X(i,j,k)=B(i,j,k)+C(i,j,k)", "X:sss B:sss C:sss", 568),
    "tensor3_innerprod": ("x=B(i,j,k)*C(i,j,k)", "B:sss C:sss", 575),
    "tensor3_ttv": ("X(i,j)=B(i,j,k)*c(k)", "X:ss B:sss c:s", 1808),
    "tensor3_ttm": ("X(i,j,k)=B(i,j,l)*C(k,l)", "X:sss B:sss C:ss", 21444),
    "mat_sddmm": ("X(i,j)=B(i,j)*C(i,k)*D(k,j)", "X:ss B:ss C:dd D:dd:1,0", 40140),
    "mat_mattransmul": ("x(i)=b*C(j,i)*d(j)+e*f(i)", "x:s C:ss:1,0 d:s f:s", 994),
    "mat_residual": ("x(i)=b(i)-C(i,j)*d(j)", "x:s C:ss b:s d:s", 838),
    "mat_elemadd3": ("T(i,j)=B(i,j)+C(i,j);X(i,j)=T(i,j)+D(i,j)", "X:ss T:ss B:ss C:ss D:ss", 297),
    "tensor3_mttkrp": ("X(i,j)=B(i,k,l)*C(j,k)*D(j,l)", "X:ss B:sss C:ss D:ss", 8691),
    "vec_spacc_simple": ("x(j)=B(i,j)", "x:s B:ss", 232),
    "mat_spacc_simple": ("X(j,k)=B(i,j,k)", "X:ss B:sss", 602),
    "vec_sd_compression": ("x(i)=b(i)", "x:d b:s", 191),
    "vec_ds_compression": ("x(i)=b(i)", "x:s b:d", 304),
}
COLUMNS = 256  # of the sampled product


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


def statements(graph):
    """The result, its indices, and the right side of each."""
    for text in GRAPHS[graph][0].split(";"):
        left, right = text.split("=")
        (result, output), = accesses(left)
        yield result, output, right


def program(graph):
    """The program's text."""
    formats = dict(text.split(":", 1) for text in GRAPHS[graph][1].split())
    made, types, lines, plan = set(), {}, "", ""
    for result, output, right in statements(graph):
        types |= {name: tensor_type(name, indices, formats) for name, indices in accesses(right)}
        types[result] = tensor_type(result, output, formats)
        made.add(result)
        terms = re.sub(r"(\w+)(\([\w,]*\))?", lambda match: f"%{match[1]}{match[2] or '()'}", right)
        terms = re.sub(r"([*+-])", r" \1 ", terms).replace(",", ", ")
        lines += (f"  %{result} = einsum.statement ({', '.join(output)}) += {terms}\n"
                  f"    : {', '.join(types[name] for name, _ in accesses(right))} -> {types[result]}\n")
        names = ", ".join(f'"{index}"' for index in output)
        plan += f'  einsum.streams "{result}" order [{names}] region 0\n'
    arguments = ", ".join(f"%{name}: {kind}" for name, kind in types.items() if name not in made)
    return (f"einsum.program @{graph}({arguments}) {{\n{lines}  einsum.return %{result} : {types[result]}\n}}\n"
            + (f"einsum.plan @{graph} {{\n{plan}}}\n" if len(made) > 1 else ""))


def operands(graph, columns=COLUMNS):
    """Elements by tensor, and their sizes: Zachary's karate club in every place of a matrix; vectors and tensors of
    order three from a seed."""
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
    made = {result for result, _, _ in statements(graph)}
    for name, indices in [access for _, _, right in statements(graph) for access in accesses(right)]:
        if name in made:
            continue
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
    if graph == "mat_elemadd3":
        # SAM's test moves D by one column.
        elements["D"] = {(i, (j + 1) % 34): value for (i, j), value in karate.items()}
    if graph == "tensor3_elemadd":
        # Of a fiber that one operand lacks, SAM writes a zero more than the sum has.
        of_both = set.intersection(*({place[:2] for place in of} for of in elements.values()))
        elements = {name: {place: value for place, value in of.items() if place[:2] in of_both}
                    for name, of in elements.items()}
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
