# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Triton's language on numpy: the meaning of a kernel, for one program at a time.

`run(text, name, grid, memory, values)` executes the same text that Triton compiles, with this
module in the place of triton.language. Floats are float64, integers int64; only what is cast or stored is
rounded to its element. So the results are those of exact arithmetic, not those of any compiler.
"""

import itertools
import math

import numpy as np
from values import load as load_bits
from values import round_to
from values import store as store_bits

ELEMENTS = {
    "float16": "f16", "bfloat16": "bf16", "float32": "f32", "float64": "f64", "float8e4nv": "e4m3",
    "float8e5": "e5m2", "int1": "i1", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64",
}  # fmt: skip
LARGEST = {"e4m3": 448.0, "e5m2": 57344.0}


class Element(str):
    @property
    def is_integer(self):
        return self.startswith("i")


globals().update({name: Element(element) for name, element in ELEMENTS.items()})


class constexpr:
    """Only the annotation; arguments are passed as they are."""


class Unknown:
    """The element of what was computed, whose type nothing here keeps: a cast to it changes nothing."""


class Tile(np.ndarray):
    """Numbers; a scalar has no axes."""

    element = Unknown

    def to(self, element, bitcast=False, fp_downcast_rounding=None):
        return bits_as(self, element) if bitcast else cast(self, element)

    @property
    def dtype(self):
        return self.element

    @property
    def T(self):
        return trans(self)

    # In Triton `a += b` makes a new tile, whoever else holds the old one.
    def __iadd__(self, other):
        return self + other

    def __isub__(self, other):
        return self - other

    def __imul__(self, other):
        return self * other

    def __itruediv__(self, other):
        return self / other


def tile(values):
    array = np.asarray(values)
    kind = np.bool_ if array.dtype == np.bool_ else np.int64 if array.dtype.kind in "iu" else np.float64
    return array.astype(kind).view(Tile)


def bits_as(values, element):
    """The same bits as another element of the same width."""
    return of_element(load_bits(store_bits(np.asarray(values), values.element), element), element)


def of_element(values, element):
    """A tile of numbers that are already rounded to the element."""
    found = tile(values)
    found.element = element
    return found


def cast(values, element):
    return values if element is Unknown else of_element(rounded(values, element), element)


def rounded(values, element):
    array = np.asarray(values)
    if element == "i1":
        return tile(array != 0)
    if element.is_integer:
        bits = int(element[1:])
        # Triton leaves open what becomes of numbers that do not fit; heddle's are the nearest.
        if array.dtype.kind == "f" and bits < 64:
            array = np.clip(array, -(1 << (bits - 1)), (1 << (bits - 1)) - 1)
        whole = np.trunc(array).astype(np.int64)
        return tile(((whole + (1 << (bits - 1))) & ((1 << bits) - 1)) - (1 << (bits - 1)) if bits < 64 else whole)
    exact = array.astype(np.float64)
    if element in LARGEST:
        exact = np.clip(exact, -LARGEST[element], LARGEST[element])
    return tile(exact if element == "f64" else round_to(exact, element))


class Pointer:
    """Places in an array; `element` is that of the array."""

    def __init__(self, array, element, places=0):
        self.array, self.element, self.places = array, element, np.asarray(places)

    @property
    def dtype(self):
        return self

    type = dtype

    @property
    def element_ty(self):
        return self.element

    def __add__(self, places):
        return Pointer(self.array, self.element, self.places + np.asarray(places))

    __radd__ = __add__

    def __sub__(self, places):
        return self + -np.asarray(places)

    def __getitem__(self, index):
        return Pointer(self.array, self.element, self.places[index])


def chosen(pointer, mask):
    """Places and mask in one shape; each place that counts lies in the array."""
    mask = True if mask is None else np.asarray(mask)
    places, mask = np.broadcast_arrays(pointer.places, mask)
    if (mask & ((places < 0) | (places >= pointer.array.size))).any():
        raise IndexError("a place outside of the memory of an argument")
    return np.where(mask, places, 0), mask


def load(pointer, mask=None, other=None, **_):
    if isinstance(pointer, BlockPointer):
        pointer, mask = pointer.access()
    places, mask = chosen(pointer, mask)
    if not pointer.array.size:
        return of_element(np.zeros(places.shape), pointer.element)
    found = pointer.array[places]
    # Without `other` what a masked element holds is anything; a kernel must not depend on it.
    values = np.where(mask, found, 0 if other is None else np.asarray(other)).astype(found.dtype)
    return of_element(values, pointer.element)


def store(pointer, values, mask=None, **_):
    if isinstance(pointer, BlockPointer):
        pointer, mask = pointer.access()
    places, mask = chosen(pointer, mask)
    values = np.broadcast_to(np.asarray(cast(values, pointer.element)), places.shape)
    pointer.array[places[mask]] = values[mask]


def _atomic(combine):
    def update(pointer, values, mask=None, **_):
        places, mask = chosen(pointer, mask)
        values = np.broadcast_to(np.asarray(values), places.shape)
        old = pointer.array[places]
        combine.at(pointer.array, places[mask], values[mask])
        return tile(np.where(mask, old, 0))

    return update


atomic_add, atomic_max, atomic_min = (_atomic(f) for f in (np.add, np.maximum, np.minimum))
atomic_and, atomic_or, atomic_xor = (_atomic(f) for f in (np.bitwise_and, np.bitwise_or, np.bitwise_xor))


def atomic_xchg(pointer, values, mask=None, **_):
    old = load(pointer, mask)
    store(pointer, values, mask)
    return old


def atomic_cas(pointer, compared, values, **_):
    old = load(pointer)
    store(pointer, where(np.asarray(old) == np.asarray(compared), values, old))
    return old


class Descriptor:
    def __init__(self, pointer, shape, strides, block):
        self.pointer, self.shape, self.strides, self.block = pointer, shape, strides, block

    @property
    def dtype(self):
        return self.pointer.element

    def access(self, offsets):
        places, mask = 0, True
        for axis, extent in enumerate(self.block):
            at = int(offsets[axis]) + np.arange(extent)
            at = at.reshape([-1 if other == axis else 1 for other in range(len(self.block))])
            places = places + at * int(self.strides[axis])
            mask = mask & (at >= 0) & (at < int(self.shape[axis]))
        return self.pointer + places, mask

    def load(self, offsets):
        pointer, mask = self.access(offsets)
        return load(pointer, mask)

    def store(self, offsets, values):
        pointer, mask = self.access(offsets)
        store(pointer, values, mask)


def make_tensor_descriptor(pointer, shape, strides, block_shape):
    return Descriptor(pointer, shape, strides, block_shape)


class BlockPointer(Descriptor):
    """A descriptor with a place. Every axis is checked, which is what a kernel that leaves out an axis needs, too."""

    def __init__(self, pointer, shape, strides, offsets, block):
        super().__init__(pointer, shape, strides, block)
        self.offsets = offsets

    @property
    def dtype(self):
        return self.pointer

    def access(self):
        return super().access(self.offsets)


def make_block_ptr(base, shape, strides, offsets, block_shape, order):
    return BlockPointer(base, shape, strides, offsets, block_shape)


def advance(block, steps):
    moved = [at + step for at, step in zip(block.offsets, steps)]
    return BlockPointer(block.pointer, block.shape, block.strides, moved, block.block)


PLACE = [0, 0, 0]
GRID = [1, 1, 1]


def program_id(axis):
    return tile(PLACE[axis])


def num_programs(axis):
    return tile(GRID[axis])


def range(start, stop=None, step=1, **_):
    bounds = (0, start) if stop is None else (start, stop)
    return (tile(i) for i in np.arange(int(bounds[0]), int(bounds[1]), int(step)))


def static_range(*bounds):
    return (int(i) for i in np.arange(*(int(bound) for bound in bounds)))


def arange(first, last):
    return tile(np.arange(first, last))


def full(shape, value, dtype):
    return tile(np.full(shape, float(value) if not dtype.is_integer else int(value)))


def zeros(shape, dtype):
    return full(shape, 0, dtype)


def dot(a, b, acc=None, out_dtype=None, **_):
    found = np.matmul(np.asarray(a), np.asarray(b))
    return tile(found if acc is None else np.asarray(acc) + found)


def where(condition, a, b):
    return tile(np.where(condition, a, b))


def moved(function):
    """Elements in other places keep their type."""
    return lambda a, *rest, **named: of_element(function(np.asarray(a), *rest, **named), getattr(a, "element", Unknown))


@moved
def trans(a, *order):
    if order and isinstance(order[0], (tuple, list)):
        order = order[0]
    axes = order or (*builtin_range(a.ndim - 2), a.ndim - 1, a.ndim - 2)
    return np.transpose(a, axes)


permute = trans


@moved
def reshape(a, *shape, can_reorder=False):
    return np.reshape(a, shape[0] if isinstance(shape[0], (tuple, list)) else shape)


view = reshape


def ravel(a):
    return reshape(a, a.size)


def split(a):
    return tuple(of_element(np.asarray(a)[..., i], a.element) for i in (0, 1))


def join(a, b):
    return of_element(np.stack([np.asarray(a), np.asarray(b)], -1), getattr(a, "element", Unknown))


def cat(a, b, can_reorder=False, dim=0):
    return of_element(np.concatenate([np.asarray(a), np.asarray(b)], dim), a.element)


def interleave(a, b):
    joined = join(a, b)
    return reshape(joined, (*joined.shape[:-2], -1))


@moved
def broadcast_to(a, *shape):
    return np.broadcast_to(a, shape[0] if isinstance(shape[0], (tuple, list)) else shape)


expand_dims = moved(np.expand_dims)


def cumsum(a, axis=0, reverse=False):
    array = np.asarray(a)
    return tile(np.flip(np.cumsum(np.flip(array, axis), axis), axis) if reverse else np.cumsum(array, axis))


def associative_scan(operands, axis, combine, reverse=False):
    """In order; of one operand or of several."""
    several = isinstance(operands, tuple)
    arrays = [np.moveaxis(np.array(one), axis, 0) for one in (operands if several else (operands,))]
    order = builtin_range(len(arrays[0]))
    last = None
    for i in reversed(order) if reverse else order:
        here = [array[i].copy() for array in arrays]
        if last is not None:
            found = combine(*map(tile, last), *map(tile, here))
            here = list(found) if several else [found]
        for array, values in zip(arrays, here):
            array[i] = values
        last = here
    found = tuple(tile(np.moveaxis(array, 0, axis)) for array in arrays)
    return found if several else found[0]


def reduce(operands, axis, combine, keep_dims=False):
    several = isinstance(operands, tuple)
    found = associative_scan(operands if several else (operands,), axis, combine if several else lambda a, b: (combine(a, b),))
    last = tuple(tile(np.take(np.asarray(one), [-1] if keep_dims else -1, axis)) for one in found)
    return last if several else last[0]


def gather(source, index, axis):
    return tile(np.take_along_axis(np.asarray(source), np.asarray(index), axis))


def sort(a, dim=None, descending=False):
    found = np.sort(np.asarray(a), -1)
    return tile(np.flip(found, -1) if descending else found)


def topk(a, k, dim=None):
    return tile(np.flip(np.sort(np.asarray(a), -1), -1)[..., :k])


def flip(a, dim=None):
    return tile(np.flip(np.asarray(a), -1 if dim is None else dim))


def histogram(a, bins, mask=None):
    array = np.asarray(a)[np.asarray(True if mask is None else mask) & (np.asarray(a) >= 0) & (np.asarray(a) < bins)]
    return tile(np.bincount(array, minlength=bins))


def sum(a, axis=None, keep_dims=False):
    return tile(np.sum(np.asarray(a), axis, keepdims=keep_dims))


def max(a, axis=None, keep_dims=False):
    return tile(np.max(np.asarray(a), axis, keepdims=keep_dims))


def min(a, axis=None, keep_dims=False):
    return tile(np.min(np.asarray(a), axis, keepdims=keep_dims))


def xor_sum(a, axis=None, keep_dims=False):
    return tile(np.bitwise_xor.reduce(np.asarray(a), axis, keepdims=keep_dims))


def argmax(a, axis, tie_break_left=True):
    return tile(np.argmax(np.asarray(a), axis))


def softmax(a, dim=None):
    powers = np.exp(np.asarray(a) - np.max(np.asarray(a), dim, keepdims=True))
    return tile(powers / np.sum(powers, dim, keepdims=True))


def _by_elements(function):
    return lambda *operands, **_: tile(function(*(np.asarray(one) for one in operands)))


abs, exp, exp2, log, log2 = (_by_elements(f) for f in (np.abs, np.exp, np.exp2, np.log, np.log2))
sqrt, sin, cos, floor, ceil = (_by_elements(f) for f in (np.sqrt, np.sin, np.cos, np.floor, np.ceil))
rsqrt = _by_elements(lambda a: 1 / np.sqrt(a))
sigmoid = _by_elements(lambda a: 1 / (1 + np.exp(-a)))
erf = _by_elements(np.vectorize(math.erf))
fma = _by_elements(lambda a, b, c: a * b + c)
maximum, minimum = _by_elements(np.maximum), _by_elements(np.minimum)
clamp = _by_elements(np.clip)
cdiv = _by_elements(lambda a, b: -(-a // b))


def multiple_of(a, _):
    return a


max_contiguous = max_constancy = multiple_of


def _nothing(*_, **__):
    pass


assume = debug_barrier = static_assert = static_print = device_assert = device_print = _nothing


builtin_range = __builtins__["range"] if isinstance(__builtins__, dict) else __builtins__.range


class _Triton:
    """What stands in the place of the module `triton`."""

    @staticmethod
    def jit(function):
        return function


def function_of(text, name):
    """The kernel of a module's text, behind its imports."""
    import types

    language = types.SimpleNamespace(**globals())
    language.math = language.extra = language
    scope = {"triton": _Triton, "tl": language, "range": range}
    code = "\n".join("" if line.startswith("import ") else line for line in text.splitlines())
    exec(compile(code, name, "exec"), scope)
    return scope[name]


def run(text, name, grid, memory, values):
    """`memory` has (array, element) by argument; the arrays, flat, are written in place."""
    kernel = function_of(text, name)
    pointers = {one: Pointer(array, Element(element)) for one, (array, element) in memory.items()}
    scalars = {one: value if isinstance(value, (bool, str)) else tile(value) for one, value in values.items()}
    GRID[:] = [*grid, 1, 1][:3]
    with np.errstate(all="ignore"):
        for place in itertools.product(*(builtin_range(extent) for extent in reversed(GRID))):
            PLACE[:] = reversed(place)
            kernel(**pointers, **scalars)
