# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Einsums of PyTorch's tensors on a GPU: one Hopper kernel, launched where the tensors lie.

The program's text is that of the CPU but for extents in its types, which let a row of a dense
operand be one tile. Arrays are views of the kernel, nothing is copied but what is not
contiguous. A launch goes to the runtime, on PyTorch's current stream; one of tensors in host
memory to the emulator, by which the tests reach all of it. What the compiler declines, and
PyTorch has, PyTorch computes, and a remark says so.
"""

import collections
import logging
import weakref

import torch

from . import _sparse_rows, compiler
from ._sparse_program import choose_format, encoding_of, split

_log = logging.getLogger("heddle.sparse")
ELEMENTS = {torch.float32: "f32", torch.float64: "f64", torch.float16: "f16", torch.bfloat16: "bf16"}
MOST_KEPT = 4096  # calls and matrices; all are forgotten then, and made again
declined = collections.Counter()  # (call, reason) -> how often PyTorch computed it
_calls = {}
_matrices = {}  # id of a tensor -> its Matrix
# What PyTorch has a kernel for, by subscripts with the letters in order.
_PEERS = {
    "ab,bc->ac": lambda a, b: a @ b,
    "ab,b->a": lambda a, b: a @ b,
}


class Declined(NotImplementedError):
    """Why there is no kernel."""


# --- Operands ----------------------------------------------------------------


def fault_of_rows(positions, coordinates, rows, columns):
    """The first rule that the arrays of a compressed matrix break, or "", found where they lie."""
    count = coordinates.numel()
    if positions.numel() != rows + 1 or (positions.dtype != coordinates.dtype):
        return (f"positions go from 0 to the number of elements, {count}, in {rows + 1} steps, "
                "in the type of the coordinates")
    sizes = positions.diff()
    ends = torch.stack([positions[0] == 0, positions[-1] == count, (sizes >= 0).all()])
    if not bool(ends.all()):
        return f"positions rise from 0 to the number of elements, {count}"
    if count == 0:
        return ""
    row = torch.repeat_interleave(torch.arange(rows, device=positions.device), sizes, output_size=count)
    inside = (coordinates >= 0).all() & (coordinates < columns).all()
    rises = ((row[1:] > row[:-1]) | (coordinates[1:] > coordinates[:-1])).all()
    inside, rises = torch.stack([inside, rises]).tolist()
    if not inside:
        return f"a coordinate is outside of 0 to {columns - 1}"
    return "" if rises else "coordinates of a row are not sorted, or repeated"


class Matrix:
    """A CSR or CSC matrix as an operand: checked and taken apart, until its arrays change."""

    def __init__(self, value, name):
        from ._sparse_torch import Matrix as OnCpu, index_arrays

        self.layout, (positions, coordinates), values = index_arrays(value)
        if value.dim() != 2 or values.dim() != 1:
            raise TypeError(f"operand {name} is a batch or has dense dimensions, which is not supported yet")
        rows, columns = value.shape if self.layout == "csr" else reversed(value.shape)
        self.positions, self.coordinates = positions.contiguous(), coordinates.contiguous()
        self.values = values.resolve_neg().contiguous()
        fault = fault_of_rows(self.positions, self.coordinates, rows, columns)
        if not fault and values.numel() != coordinates.numel():
            fault = f"there are {coordinates.numel()} coordinates and {values.numel()} values"
        if fault:
            raise ValueError(f"operand {name}: {fault}")
        bits = 32 if coordinates.dtype == torch.int32 else 64
        levels = "d0 : dense, d1 : compressed" if self.layout == "csr" else "d1 : dense, d0 : compressed"
        self.encoding = encoding_of(2, levels, bits)
        self.rows, self.index = rows, f"i{bits}"
        self.cuts = {}  # limit of a part -> arrays of the matrix cut there
        self.decisions = {}  # (tiles of a row, warps) -> Decision
        self.state = OnCpu.state_of(value)
        self.reference = weakref.ref(value, lambda _, key=id(value): _matrices.pop(key, None))

    def decide(self, tiles, warps):
        """Whether rows are cut. Lengths of rows are read back from the device once."""
        if (tiles, warps) not in self.decisions:
            sizes = self.positions.diff()
            turns = (sizes + _sparse_rows.TURN - 1) // _sparse_rows.TURN
            facts = torch.stack([sizes.max(), turns.sum()]).tolist() if self.rows else (0, 0)
            self.decisions[tiles, warps] = _sparse_rows.decide(facts[0], facts[1] * tiles, warps)
        return self.decisions[tiles, warps]

    def cut(self, limit):
        """(positions, targets) of the parts, and of the rows that have several, whose parts are
        written one behind the other after the result's rows."""
        if limit not in self.cuts:
            sizes, kind = self.positions.diff().long(), self.positions.dtype
            parts = ((sizes + limit - 1) // limit).clamp_min(1)
            device = sizes.device
            row = torch.repeat_interleave(torch.arange(self.rows, device=device), parts)
            number = torch.arange(row.numel(), device=device) - (parts.cumsum(0) - parts)[row]
            begins = self.positions[:-1].long()[row] + number * sizes[row] // parts[row]
            is_part = parts[row] > 1
            targets = torch.where(is_part, self.rows - 1 + is_part.cumsum(0), row)
            long = torch.nonzero(parts > 1).flatten()
            ends = torch.cat([torch.zeros(1, dtype=torch.long, device=device), parts[long].cumsum(0)])
            begins = torch.cat([begins, self.positions[-1:].long()])
            self.cuts[limit] = tuple(array.to(kind) for array in (begins, targets, ends, long))
        return self.cuts[limit]

    def arrays(self, name):
        return {f"{name}_pos1": self.positions, f"{name}_crd1": self.coordinates, f"{name}_val": self.values}


def matrix_of(value, name):
    """The Matrix of a sparse tensor, made when it is new or has changed."""
    from ._sparse_torch import make_and_keep, recall

    if value.layout not in (torch.sparse_csr, torch.sparse_csc):
        raise Declined(f"operand {name} is stored as {value.layout}; convert it by to_sparse_csr()")
    return recall(_matrices, value) or make_and_keep(_matrices, Matrix, value, name)


def _check_devices(values):
    for place, value in enumerate(values):
        if value.device != values[0].device:
            raise TypeError(f"operand T{place} is on {value.device} and T0 on {values[0].device}; "
                            "move all to one device by .to()")
        if value.dtype not in ELEMENTS:
            raise TypeError(f"operand T{place} has elements of {value.dtype}; a GPU's kernel takes "
                            "float32, float64, float16 and bfloat16")
        if value.dtype != values[0].dtype:
            raise TypeError(f"operand T{place} has elements of {value.dtype} and T0 of {values[0].dtype}")


# --- Programs ----------------------------------------------------------------


class Call:
    """An einsum compiled for operands of one kind."""

    def __init__(self, compiled, subscripts, shape, pattern):
        self.compiled, self.shape, self.pattern = compiled, shape, pattern
        self.subscripts = subscripts  # its letters in order
        self.cut = {}  # limit -> CutProduct
        self.warps = {}  # device -> how many it runs at once
        self.names = [one["name"] for one in compiled.arguments]

    def run(self, values, matrices):
        """Allocates the result, launches, and gives it."""
        decision = _decide(self, values, matrices)
        if decision and decision.limit:
            if decision.limit not in self.cut:
                self.cut[decision.limit] = CutProduct(matrices[0], values[1], decision.limit)
            return self.cut[decision.limit].run(matrices[0], values[1].resolve_neg())
        arrays = {}
        for place, (value, matrix) in enumerate(zip(values, matrices)):
            if matrix is None:
                arrays[f"T{place}"] = value.resolve_neg()
            else:
                arrays.update(matrix.arrays(f"T{place}"))
        like = values[0] if matrices[0] is None else matrices[0].values
        if self.pattern is None:
            made = arrays["R"] = torch.empty(self.shape, dtype=like.dtype, device=like.device)
        else:
            pattern = matrices[self.pattern]
            kept = arrays["R_val"] = torch.empty_like(pattern.values)
            made = torch.sparse_csr_tensor(
                pattern.positions, pattern.coordinates, kept, self.shape, check_invariants=False)
        self.compiled.run(*(arrays[name] for name in self.names))
        return made


class CutProduct:
    """A matrix by rows times a dense one, where rows are too long for one warp: two launches."""

    def __init__(self, matrix, other, limit):
        settings = _sparse_rows.settings_of(ELEMENTS[other.dtype], matrix.index, other.shape[1])
        self.limit = limit
        self.parts, self.join = (compiler.compile(text, settings=settings, path="<heddle.sparse>")
                                 for text in (_sparse_rows.PARTS, _sparse_rows.JOIN))

    def run(self, matrix, other):
        begins, targets, ends, rows = matrix.cut(self.limit)
        made = torch.empty((matrix.rows, other.shape[1]), dtype=other.dtype, device=other.device)
        sums = torch.float64 if other.dtype == torch.float64 else torch.float32
        rest = torch.empty((begins.numel() - 1 - (matrix.rows - rows.numel()), other.shape[1]), dtype=sums,
                           device=other.device)
        self.parts.run(begins, targets, matrix.coordinates, matrix.values, other, made, rest)
        self.join.run(ends, rows, rest, made)
        return made


def warps_at_once(kernel, device):
    """How many warps of a heddle.runtime.Kernel a GPU runs at once, by its registers."""
    facts = torch.cuda.get_device_properties(device)
    registers = max(kernel.resources()["registers"], 1) * facts.warp_size
    most = min(facts.max_threads_per_multi_processor // facts.warp_size, facts.regs_per_multiprocessor // registers)
    return facts.multi_processor_count * most


def _decide(call, values, matrices):
    """How rows are cut; None for einsums that this is not asked of: only sums of rows that are
    walked are."""
    if call.subscripts != "ab,bc->ac" or matrices[0] is None or matrices[1] is not None or not values[1].shape[1]:
        return None
    device = values[0].device
    if device not in call.warps:
        # The emulator, for host memory, runs one warp after the other.
        call.warps[device] = warps_at_once(call.compiled.kernel, device) if device.type == "cuda" else None
    warps = call.warps[device]
    return matrices[0].decide(_sparse_rows.tiles_of(values[1].shape[1]), warps) if warps else None


def _type_of(shape, indices, encoding, element, known):
    """An extent of a dense operand is in its type if no sparse operand has the index: then a
    row is a tile as wide as it is, and a launch is of rows of that length."""
    if encoding:
        return f"tensor<{'?x' * len(shape)}{element}{encoding}>"
    extents = "".join(f"{extent if index in known else '?'}x" for index, extent in zip(indices, shape))
    return f"tensor<{extents}{element}>"


def program_of(subscripts, values, matrices, format):
    """(text, shape of the result, number of the operand whose positions it has or None)."""
    inputs, output = split(subscripts, len(values))
    for place, (indices, value) in enumerate(zip(inputs, values)):
        if len(indices) != value.dim():
            raise ValueError(f"operand T{place} has {value.dim()} axes and {len(indices)} indices")
        if not indices:
            raise ValueError(f"operand T{place} is a scalar; multiply by it outside")
    extents = {}
    for place, (indices, value) in enumerate(zip(inputs, values)):
        for index, extent in zip(indices, value.shape):
            if extents.setdefault(index, extent) != extent:
                raise ValueError(f"{index} is {extents[index]} and, in T{place}, {extent}")
    if not output:
        raise Declined("a result without indices is no kernel of a GPU yet; sum the result of one index")
    if format is None:
        format = choose_format(inputs, output, [matrix is not None for matrix in matrices])
    if format not in ("dense", "csr"):
        raise ValueError(f"a result is 'dense' or 'csr', not {format!r}")
    pattern, sparse = None, [place for place, matrix in enumerate(matrices) if matrix is not None]
    if format == "csr":
        same = [place for place in sparse if inputs[place] == output and matrices[place].layout == "csr"]
        if not same or len(sparse) > 1:
            raise Declined("the elements of a CSR result have to be counted first, which is another "
                           "launch and an allocation")
        pattern = same[0]
    element = ELEMENTS[values[0].dtype]
    walked = set("".join(inputs[place] for place in sparse))
    rows = {indices[-1] for place, indices in enumerate(inputs) if place not in sparse}
    known = rows - walked
    types = [_type_of(value.shape, indices, matrix.encoding if matrix else "", element, known)
             for value, indices, matrix in zip(values, inputs, matrices)]
    shape = tuple(extents[index] for index in output)
    result = _type_of(shape, output, "" if pattern is None else matrices[pattern].encoding, element, known)
    arguments = ", ".join(f"%T{place}: {kind}" for place, kind in enumerate(types))
    factors = " * ".join(f"%T{place}({', '.join(indices)})" for place, indices in enumerate(inputs))
    text = (f"einsum.program @einsum({arguments}) {{\n"
            f"  %R = einsum.statement ({', '.join(output)}) += {factors}\n"
            f"    : {', '.join(types)} -> {result}\n  einsum.return %R : {result}\n}}\n")
    return text, shape, pattern


def _find(subscripts, values, format):
    _check_devices(values)
    matrices = [None if value.layout is torch.strided else matrix_of(value, f"T{place}")
                for place, value in enumerate(values)]
    readable = [value.resolve_neg().contiguous() if matrix is None else value for value, matrix in zip(values, matrices)]
    key = (subscripts, format, *((value.shape, value.dtype, matrix and matrix.encoding)
                                 for value, matrix in zip(values, matrices)))
    call = _calls.get(key)
    if call is None:
        text, shape, pattern = program_of(subscripts, values, matrices, format)
        try:
            compiled = compiler.compile(text, path="<heddle.sparse>")
        except compiler.CompileError as error:
            if error.internal:
                raise
            raise Declined(error.messages.strip()) from error
        if len(_calls) >= MOST_KEPT:
            _calls.clear()
        call = _calls[key] = Call(
            compiled, _letters_in_order(subscripts, len(values)), shape, pattern)
    return call, readable, matrices


def plan_of(subscripts, values, format):
    """The kernel's report, and whether rows are cut, and why."""
    call, readable, matrices = _find(subscripts, values, format)
    decision = _decide(call, readable, matrices)
    return call.compiled.report() + (f"\n{decision.because}\n" if decision else "")


def _letters_in_order(subscripts, count):
    inputs, output = split(subscripts, count)
    names = {}
    for index in "".join(inputs):
        names.setdefault(index, chr(ord("a") + len(names)))
    spelled = [("".join(names[index] for index in indices)) for indices in (*inputs, output)]
    return ",".join(spelled[:-1]) + "->" + spelled[-1]


def compute(subscripts, values, format):
    """The einsum of tensors on one device, without gradients."""
    try:
        call, readable, matrices = _find(subscripts, values, format)
    except Declined as reason:
        peer = _PEERS.get(_letters_in_order(subscripts, len(values)))
        if peer is None or format == "csr":
            raise
        text = str(reason)
        if not declined[subscripts, text]:
            _log.warning("%s is computed by PyTorch: %s", subscripts, text)
        declined[subscripts, text] += 1
        found = peer(*values)
        return found if found.layout is torch.strided or format != "dense" else found.to_dense()
    return call.run(readable, matrices)
