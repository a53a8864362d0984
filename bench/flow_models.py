# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models with a statement for each operation, as FuseFlow (ASPLOS 2026) divides them where nothing is fused: a product, a
bias and a function are three kernels. Each model is a text, and by granularity the region of every statement."""

CSR = "#sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>"
TYPES = f"""#csr = {CSR}
!graph = tensor<?x?xf32, #csr>
!dense = tensor<?x?xf32>
!row = tensor<?xf32>
!some = tensor<?xf32, #sparse_tensor.encoding<{{ map = (i) -> (i : compressed) }}>>
"""
SOFTMAX = """  %m = einsum.statement (i) += %Z(i, k) over "max-plus" : !dense -> !row
  %E = einsum.statement (i, k) += %Z(i, k) - %m(i) then exp : !dense, !row -> !dense
  %d = einsum.statement (i) += %E(i, k) : !dense -> !row
  %Y = einsum.statement (i, k) += %E(i, k) * reciprocal(%d(i)) : !dense, !row -> !dense
"""
# Weights are sparse, as pruned ones are.
GCN = TYPES + """einsum.program @gcn(%A: !graph, %X: !graph, %V: !graph, %b: !row, %W: !graph, %c: !row) {
  %T = einsum.statement (i, f) += %A(i, j) * %X(j, f) : !graph, !graph -> !graph
  %L = einsum.statement (i, g) += %T(i, f) * %V(f, g) : !graph, !graph -> !graph
  %B = einsum.statement (i, g) += %L(i, g) + %b(g) : !graph, !row -> !dense
  %H = einsum.statement (i, g) += %B(i, g) then relu : !dense -> !dense
  %U = einsum.statement (i, g) += %A(i, j) * %H(j, g) : !graph, !dense -> !graph
  %K = einsum.statement (i, k) += %U(i, g) * %W(g, k) : !graph, !graph -> !graph
  %Z = einsum.statement (i, k) += %K(i, k) + %c(k) : !graph, !row -> !dense
""" + SOFTMAX + "  einsum.return %Y : !dense\n}\n"
GRAPHSAGE = TYPES + """einsum.program @graphsage(%A: !graph, %X: !graph, %V: !graph, %W: !graph, %b: !row,
                          %P: !graph, %Q: !graph, %c: !row) {
  %S = einsum.statement (i, g) += %X(i, f) * %V(f, g) + %b(g) : !graph, !graph, !row -> !dense
  %N = einsum.statement (i, f) += %A(i, j) * %X(j, f) : !graph, !graph -> !graph
  %T = einsum.statement (i, g) += %N(i, f) * %W(f, g) : !graph, !graph -> !graph
  %H = einsum.statement (i, g) += %S(i, g) + %T(i, g) then relu : !dense, !graph -> !dense
  %O = einsum.statement (i, k) += %H(i, g) * %P(g, k) + %c(k) : !dense, !graph, !row -> !dense
  %M = einsum.statement (i, g) += %A(i, j) * %H(j, g) : !graph, !dense -> !graph
  %R = einsum.statement (i, k) += %M(i, g) * %Q(g, k) : !graph, !graph -> !graph
  %Y = einsum.statement (i, k) += %O(i, k) + %R(i, k) : !dense, !graph -> !dense
  einsum.return %Y : !dense
}
"""
# Nothing fused, a layer each, all; the softmax is one kernel.
REGIONS = {"GCN": ("0,1,2,3,4,5,6,7,7,7,7", "0,0,0,0,1,1,1,1,1,1,1", "0,0,0,0,0,0,0,0,0,0,0"),
           "GraphSAGE": ("0,1,2,3,4,5,6,7", "0,0,0,0,1,1,1,1", "0,0,0,0,0,0,0,0")}


def norm(n, x, width):
    """Layer norm of x as %N{n}: one kernel of four statements."""
    share = 1 / width
    return [f"%u{n} = einsum.statement (i) += {share} * %{x}(i, c) : !dense -> !row",
            f"%D{n} = einsum.statement (i, c) += %{x}(i, c) - %u{n}(i) : !dense, !row -> !dense",
            f"%v{n} = einsum.statement (i) += {share} * square(%D{n}(i, c)) : !dense -> !row",
            f"%N{n} = einsum.statement (i, c) += %D{n}(i, c) * rsqrt(%v{n}(i)) * %g{n}(c) + %h{n}(c)"
            " : !dense, !row, !row, !row -> !dense"]


def linear(result, x, weights, bias):
    return [f"%{result} = einsum.statement (i, e) += %{x}(i, c) * %{weights}(c, e) + %{bias}(e)"
            " : !dense, !dense, !row -> !dense"]


def attention(n, width):
    """Scores where the mask is, their softmax as one kernel, and what it takes of the values."""
    return [[f"%S{n} = einsum.statement (i, j) += {width ** -1.5} * %q{n}(i, d) * %k{n}(j, d) where %mask(i, j)"
             " : !dense, !dense, !graph -> !graph"],
            [f"%m{n} = einsum.statement (i) += %S{n}(i, j) over \"max-plus\" : !graph -> !some",
             f"%E{n} = einsum.statement (i, j) += %S{n}(i, j) - %m{n}(i) where %S{n}(i, j) then exp"
             " : !graph, !some, !graph -> !graph",
             f"%d{n} = einsum.statement (i) += %E{n}(i, j) : !graph -> !some",
             f"%P{n} = einsum.statement (i, j) += %E{n}(i, j) * reciprocal(%d{n}(i)) where %E{n}(i, j)"
             " : !graph, !some, !graph -> !graph"],
            [f"%O{n} = einsum.statement (i, c) += %P{n}(i, j) * %w{n}(j, c) : !graph, !dense -> !dense"]]


def add(result, x, y):
    return [f"%{result} = einsum.statement (i, c) += %{x}(i, c) + %{y}(i, c) : !dense, !dense -> !dense"]


def decoders(count, width, inner):
    """GPT-3's decoders below a mask, one after the other, each with one head as wide as the model: (text, regions,
    options of the weights). A decoder is norm and projections, attention, and the rest; `full` joins the rest of
    one with the beginning of the next, since keys and values are needed by all queries."""
    parts, sizes = [], {}
    x = "X"
    for n in range(count):
        second = f"{n}b"
        parts += [[norm(n, x, width)] + [linear(f"{name}{n}", f"N{n}", f"{name.upper()}w{n}", f"{name}b{n}")
                                         for name in "qkw"],
                  attention(n, width),
                  [linear(f"A{n}", f"O{n}", f"Ow{n}", f"ob{n}"), add(f"R{n}", f"A{n}", x),
                   norm(second, f"R{n}", width), linear(f"F{n}", f"N{second}", f"Fw{n}", f"fb{n}"),
                   [f"%G{n} = einsum.statement (i, c) += %F{n}(i, c) then gelu : !dense -> !dense"],
                   linear(f"I{n}", f"G{n}", f"Iw{n}", f"ib{n}"), add(f"Y{n}", f"I{n}", f"R{n}")]]
        for weights, bias, rows, columns in ((f"Qw{n}", f"qb{n}", width, width), (f"Kw{n}", f"kb{n}", width, width),
                                             (f"Ww{n}", f"wb{n}", width, width), (f"Ow{n}", f"ob{n}", width, width),
                                             (f"Fw{n}", f"fb{n}", width, inner), (f"Iw{n}", f"ib{n}", inner, width)):
            sizes[weights], sizes[bias] = f"{rows}x{columns}", columns
        for name in (n, second):
            sizes[f"g{name}"] = sizes[f"h{name}"] = width
        x = f"Y{n}"
    regions = {"unfused": [], "partial": [], "full": []}
    kernel = 0
    for number, part in enumerate(parts):
        for statements in part:
            regions["unfused"] += [kernel] * len(statements)
            regions["partial"] += [number] * len(statements)
            # Norm and projections of a decoder go with the rest of the one before it.
            regions["full"] += [number - number // 3] * len(statements)
            kernel += 1
    lines = "".join(f"  {line}\n" for part in parts for statements in part for line in statements)
    types = {name: "!dense" if "x" in str(size) else "!row" for name, size in sizes.items()}
    arguments = ", ".join(f"%{name}: {kind}" for name, kind in ({"X": "!dense", "mask": "!graph"} | types).items())
    text = f"{TYPES}einsum.program @decoders({arguments}) {{\n{lines}  einsum.return %{x} : !dense\n}}\n"
    return text, tuple(",".join(map(str, regions[kind])) for kind in ("unfused", "partial", "full")), [
        word for name, size in sizes.items() for word in ("--view", f"{name}={size}")]
