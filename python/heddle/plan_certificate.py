# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks what the planner of sparse einsums claims of its choice.

    heddle explain FILE.mlir --view A=3000x4000 --certificate=plans.json
    python -m heddle.plan_certificate plans.json

A certificate has a term of a statement, the sizes, a processor's figures, all legal nests with
their iterations and cycles, and the orders that have none. This file shares no code with the
planner. It finds the legal nests by itself and misses none; adds up every nest's cycles again;
holds what is claimed for all sizes against random sizes; and, where the operands' arrays are
there, walks each nest over them and counts. The first nest must be the one of least cycles.
Nothing but the standard library is needed.
"""

import itertools
import json
import math
import random
import sys

__all__ = ["faults", "main"]

_MOST_STEPS = 300000  # of a walk over real arrays
_FACTOR = 1e-6        # how far cycles may differ, from the order of additions


class _Broken(Exception):
    pass


def _need(holds, text):
    if not holds:
        raise _Broken(text)


class _Access:
    """A tensor with an index for each level of its storage."""

    def __init__(self, entry):
        self.tensor = entry["tensor"]
        self.levels = entry["levels"]
        self.axes = entry["axes"]
        self.bits = entry["bits"]
        _need(sorted(self.axes) == list(range(len(self.levels))) and len(entry["indices"]) == len(self.levels),
              f"{self.tensor} has not one axis a level")
        _need(set(self.levels) <= {"dense", "compressed", "list", "singleton"},
              f"{self.tensor} has a level of no kind")
        self.stored = [entry["indices"][axis] for axis in self.axes]
        self.indices = set(self.stored)

    def kind(self, index):
        return self.levels[self.stored.index(index)] if index in self.indices else None

    def is_sparse_at(self, index):
        return self.kind(index) not in (None, "dense")

    def is_dense(self):
        return set(self.levels) <= {"dense"}


_ZEROS = {"plus-times": 0.0, "min-plus": math.inf, "max-plus": -math.inf, "max-times": -math.inf}

_FUNCTIONS = {
    "neg": lambda x: -x,
    "abs": abs,
    "square": lambda x: x * x,
    "relu": lambda x: max(x, 0.0),
    "exp": math.exp,
    "log": lambda x: math.log(x) if x else -math.inf,
    "sqrt": math.sqrt,
    "rsqrt": lambda x: 1 / math.sqrt(x) if x else math.inf,
    "reciprocal": lambda x: 1 / x if x else math.inf,
    "tanh": math.tanh,
    "erf": math.erf,
    "sigmoid": lambda x: 1 / (1 + math.exp(-x)),
    "gelu": lambda x: x / 2 * (1 + math.erf(x / math.sqrt(2))),
    "silu": lambda x: x / (1 + math.exp(-x)),
}


def _keeps_zero(functions, zero):
    """Whether these functions, one after the other, leave the zero as it is."""
    value = zero
    for name in functions:
        _need(name in _FUNCTIONS, "an unknown function")
        try:
            value = _FUNCTIONS[name](value)
        except ValueError:  # not a number, which no function makes one again
            return False
        except OverflowError:
            value = math.inf
    return value == zero


class _Term:
    """What a certificate says of the problem, apart from the solution."""

    def __init__(self, root):
        statement = root["statement"]
        self.names = statement["indices"]
        self.result = _Access(statement["result"])
        terms = [[_Access(entry) for entry in term] for term in statement["terms"]]
        self.number, self.count = root["term"], len(terms)
        _need(0 <= self.number < self.count, "there is no such term")
        self.factors = terms[self.number]
        for number, factor in enumerate(self.factors):
            factor.number = number
        self.is_fused = statement["semiring"] == "plus-times"
        _need(statement["semiring"] in _ZEROS, "an unknown semiring")
        self.mask = _Access(statement["mask"]) if statement["mask"] else None
        # A later statement tells a zero that no product reached from what is missing.
        self.is_exact = statement["exact"]
        _need(self.is_exact in (True, False), "whether elements are exact is yes or no")
        self.keeps_zero = _keeps_zero(statement["then"], _ZEROS[statement["semiring"]])
        self.has_mask_alone = self.mask is not None and not any(map(self.is_everywhere, terms))
        self.bytes = {"f16": 2, "bf16": 2, "f32": 4, "f64": 8}[statement["element"]]
        self.sum_bytes = max(self.bytes, 4)
        self.extents, self.given = root["extents"], root["counts"]
        self.machine, self.workers = root["machine"], root["workers"]
        used = set(self.result.indices).union(*(factor.indices for factor in self.factors))
        self.indices = [index for index in self.names if index in used]
        _need(set(self.extents) == set(self.names), "an index has no extent")
        # By number of an element type: elements in a register file's half, and in 32 bytes.
        self.most = 256 // self.sum_bytes

    def is_mask(self, factor):
        return (self.mask is not None and factor.tensor == self.mask.tensor
                and factor.stored == self.mask.stored)

    def is_everywhere(self, factors):
        """Whether a term of these has a product wherever the mask has an element."""
        return all(factor.indices <= self.result.indices
                   and (factor.is_dense() or self.is_mask(factor)) for factor in factors)

    def sums(self, order):
        return [index for index in order if index not in self.result.indices]

    def positions(self, access, level):
        """How many positions a level has; one at the root."""
        if level < 0:
            return 1
        if access.tensor in self.given:
            return self.given[access.tensor][level]
        above = self.positions(access, level - 1)
        kind = access.levels[level]
        if kind == "dense":
            return above * self.extents[access.stored[level]]
        return above if kind == "singleton" else above * 8

    def walkers(self, index):
        return [factor for factor in self.factors if factor.is_sparse_at(index)]


# --- Legality ----------------------------------------------------------------


def _loops_of(term, order):
    """The words of each loop, or None if the storage cannot be walked so."""
    place = {index: at for at, index in enumerate(order)}
    loops = []
    for index in order:
        walked = term.walkers(index)
        for factor in walked:
            level = factor.stored.index(index)
            if any(place[above] > place[index] for above in factor.stored[:level]):
                return None
        if len(walked) > 1 and any(factor.kind(index) != "compressed" for factor in walked):
            return None
        loops.append("dense" if not walked else
                     " ".join(["merge" if len(walked) > 1 else "walk"] + [factor.tensor for factor in walked]))
    return loops


def _repeats(term):
    """A list names the same coordinates of the result more than once."""
    for factor in term.factors:
        if "list" in factor.levels:
            below = [index for index, kind in zip(factor.stored, factor.levels)][factor.levels.index("list"):]
            kinds = factor.levels[factor.levels.index("list"):]
            if any(index not in term.result.indices for index, kind in zip(below, kinds) if kind != "dense"):
                return True
    return False


def _widths(term, index, loop):
    top, least = term.most, term.most // 8
    if index not in term.result.indices:
        top = top // 2 if loop == "dense" else least
    whole = 2
    while whole < term.extents[index]:
        whole *= 2
    width, last, found = min(least, whole), min(top, whole), []
    while width <= last:
        found.append(width)
        width *= 2
    return found


def _ways(term, order, loops):
    """Every (vector, width, into, assemble, parallel) that carries out the term in this order."""
    result, sums = term.result, set(term.sums(order))
    repeats = _repeats(term)

    def outputs_first(vector):
        rest = [index in sums for index in order if index != vector]
        return rest == sorted(rest)

    def is_walked_by(access, index, loop):
        """A loop may walk another access of the same tensor."""
        return loop == "dense" or loop == "walk " + access.tensor and access.is_sparse_at(index)

    for vector, width in [("", 1)] + [(order[-1], width) for width in _widths(term, order[-1], loops[-1])]:
        is_lanes = vector in sums
        if vector and not is_lanes and (loops[-1] != "dense" or not result.is_dense()):
            continue
        if is_lanes and any(factor.is_sparse_at(vector) and
                            (not loops[-1].startswith("walk ") or factor.kind(vector) != "compressed")
                            for factor in term.factors):
            continue
        for into in ("registers", "memory", "bitmap"):
            if is_lanes and into != "registers":
                continue
            if result.is_dense():
                assemblies = ["none"]
                if into == "bitmap" or (into == "registers" and (repeats or not outputs_first(vector))):
                    continue
                if (term.mask and not term.keeps_zero and term.number + 1 == term.count
                        and not (into == "registers" and all(
                            is_walked_by(term.mask, index, loop)
                            for index, loop in zip(order, loops) if index in result.indices))):
                    continue
            else:
                if term.count > 1 and not term.mask:
                    continue
                assemblies = []
                if into == "registers" and outputs_first(vector) and not repeats:
                    rank = len(result.levels)
                    assemblies += [
                        f"same {factor.tensor}" for factor in term.factors
                        if factor.levels[:rank] == result.levels and factor.stored[:rank] == result.stored
                        and factor.bits == result.bits and (not term.mask or term.is_mask(factor))
                        and (not term.is_exact or not sums and all(
                            is_walked_by(factor, index, loop) for index, loop in zip(order, loops)))]
                rows = result.stored[:-1]
                is_counted = set(result.levels[:-1]) <= {"dense"} and result.levels[-1] == "compressed"
                if (into == "bitmap" and not term.has_mask_alone and term.count == 1 and is_counted
                        and set(order[:len(rows)]) == set(rows)
                        and all(loop == "dense" for loop in loops[:len(rows)])):
                    assemblies.append("count-fill")
                walked = [factor for factor in term.factors if not factor.is_dense()]
                if (into == "memory" and not term.mask and term.count == 1 and is_counted
                        and len(walked) == 1 and set(order) <= walked[0].indices - sums):
                    assemblies.append("count-scatter")
            for assemble in assemblies:
                outer = order[0]
                is_parallel = (outer != vector and outer not in sums and not loops[0].startswith("merge")
                               and not repeats and assemble != "count-scatter"
                               and not (assemble == "count-fill" and outer == result.stored[-1]))
                yield vector, width, into, assemble, outer if is_parallel else ""


# --- Iterations and cycles ---------------------------------------------------


def _symbol(access, level):
    """The positions of a level as powers of names."""
    powers = {}
    while level >= 0 and access.levels[level] == "dense":
        powers[access.stored[level]] = powers.get(access.stored[level], 0) + 1
        level -= 1
    if level >= 0:
        is_last = set(access.levels[level + 1:]) <= {"dense", "singleton"}
        powers["nnz(" + access.tensor + ("" if is_last else f",{level}") + ")"] = 1
    return powers


def _spell(powers):
    above = "*".join(name for name in sorted(powers) for _ in range(max(powers[name], 0)))
    below = "*".join(name for name in sorted(powers) for _ in range(max(-powers[name], 0)))
    return (above or "1") + ("/" + below if below else "")


def _iterations(term, order):
    running, found = {}, []
    for index in order:
        running, walked = dict(running), term.walkers(index)
        if walked:
            level = walked[0].stored.index(index)
            for sign, at in ((1, level), (-1, level - 1)):
                for name, power in _symbol(walked[0], at).items():
                    running[name] = running.get(name, 0) + sign * power
        else:
            running[index] = running.get(index, 0) + 1
        running = {name: power for name, power in running.items() if power}
        found.append(running)
    return found


def _cycles(term, plan):
    """(visits of each loop's body, cycles), from the figures of the certificate."""
    cost, order, element = term.machine, plan["order"], term.bytes
    vector, width = plan["vector"], plan["width"]
    in_result = vector != "" and vector in term.result.indices
    lanes = vector != "" and not in_result
    registers, bitmap = plan["into"] == "registers", plan["into"] == "bitmap"
    vectors = math.ceil(width * term.sum_bytes / cost["vector_bytes"])
    tiles = math.ceil(term.extents[vector] / width) if in_result else 1
    tree = math.ceil(math.log2(width)) * cost["lane_step"]
    only_sums_from = len(order)
    while only_sums_from and (order[only_sums_from - 1] == vector
                              or order[only_sums_from - 1] not in term.result.indices):
        only_sums_from -= 1

    visits, control, unforeseen, now, tiled = [], 0.0, 0.0, 1.0, False
    for at, index in enumerate(order):
        if in_result and not tiled and (index == vector or (registers and at >= only_sums_from)):
            now, tiled = now * tiles, True
        walked = term.walkers(index)
        fibers = [term.positions(factor, factor.stored.index(index))
                  / max(1.0, term.positions(factor, factor.stored.index(index) - 1)) for factor in walked]
        if not walked:
            if lanes and index == vector:
                control += now * (cost["loop"] + tree)
                now *= math.ceil(term.extents[index] / width)
            elif index != vector:
                control += now * cost["loop"]
                now *= term.extents[index]
            control += now * cost["loop"]
        elif len(walked) == 1:
            if walked[0].kind(index) != "singleton":
                fiber, starts = fibers[0], now / tiles if tiled else now
                if lanes and index == vector:
                    starts *= min(1.0, fiber / width)
                    control += now * tree
                    fiber = max(1.0, fiber / width + 0.5)
                unforeseen += starts * cost["walk_start"]
                now *= fiber
                control += now * cost["walk"]
        else:
            unforeseen += now * cost["walk_start"]
            control += now * sum(fibers) * cost["merge_step"]
            matches = float(term.extents[index])
            for fiber in fibers:
                matches *= fiber / max(1.0, term.extents[index])
            now *= matches
        visits.append(now)

    def hold(size):
        return next((level for level in cost["levels"] if size <= level["bytes"]), cost["levels"][-1])

    def scattered(size, least=0.0):
        # Each byte is in the first level that has room for it behind those before it.
        if size <= 0:
            return 0.0
        edges = [min(size, level["bytes"]) for level in cost["levels"][:-1]] + [size]
        prices = [max(level["random"], least) for level in cost["levels"]]
        prices[0] = least or prices[0]
        return sum((edge - before) * price for before, edge, price in zip([0.0, *edges], edges, prices)) / size

    def depth(access):
        places = [at for at, index in enumerate(order)
                  if index in access.indices and not (in_result and index == vector)]
        return max(places, default=-1)

    def times(at):
        count = visits[at] if at >= 0 else 1.0
        return count * tiles if in_result and registers and at < only_sums_from else count

    def once(access, whole, at, lane="gather"):
        for index in order:
            if index not in access.indices:
                break
            whole /= max(1.0, term.extents[index])
        level, inner = hold(whole), access.stored[-1] if access.stored else ""
        tile = vector in access.indices
        strided = tile and inner != vector
        follows = True
        if tile and not strided and lanes:
            strided = bool(term.walkers(vector)) and access.levels[-1] == "dense"
        elif at >= 0:
            walked = term.walkers(order[at])
            own = order[at] in access.indices and access.is_sparse_at(order[at])
            wanted = len(access.stored) - (2 if tile else 1)
            follows = ((not walked or (len(walked) == 1 and own))
                       and (access.stored.index(order[at]) if order[at] in access.indices else -1) == wanted)
        if tile and strided:
            return width * scattered(whole, cost[lane]) + vectors * cost[f"{lane}_start"]
        size, count = (width * element, vectors) if tile else (element, 1)
        if follows:
            return max(size / level["bytes_per_cycle"], count / 2)
        return max(scattered(whole), count / 2 + max(0.0, size - cost["line_bytes"]) / level["bytes_per_cycle"])

    last = len(order) - 1
    total = 0.0
    for factor in term.factors:
        at = depth(factor)
        size = term.positions(factor, len(factor.levels) - 1) * element
        total += times(at if registers else last) * once(factor, size, at)
    if lanes and term.walkers(vector):
        total += times(last) * vectors
    if not bitmap:
        at = depth(term.result)
        if plan["assemble"].startswith("same "):
            pattern = [factor for factor in term.factors if factor.tensor == plan["assemble"][5:]][-1]
            size = term.positions(pattern, len(pattern.levels) - 1) * element
            total += times(at) * element / hold(size)["bytes_per_cycle"]
        elif plan["assemble"] == "count-scatter":
            total += visits[-1] * 2 * scattered(visits[-1] * element)
        else:
            size = element * math.prod(float(term.extents[index]) for index in term.result.stored)
            if registers:
                total += times(at) * once(term.result, size, at, "scatter")
            else:
                each = once(term.result, size, at) + once(term.result, size, at, "scatter")
                inner = last - 1 if in_result else last
                if inner >= 0 and order[inner] not in term.result.indices:
                    each = max(each, cost["store_forward"] / tiles)
                total += times(last) * each

    factors = max(len(term.factors), 1)
    issue = (max(factors - 1, 1) if term.is_fused else factors) * cost["vector_fma"] * vectors
    chain, inner = 0.0, last - 1 if in_result and last > 0 else last
    if registers and order[inner] not in term.result.indices:
        if visits[inner] / max(1.0, visits[inner - 1] if inner else 1.0) >= cost["window"]:
            chain = cost["fma_latency"] if term.is_fused and len(term.factors) > 1 else cost["add_latency"]
    total = unforeseen + max(control + visits[-1] * max(issue, chain - cost["loop"]), total)

    if bitmap:
        cells = math.prod(float(term.extents[index]) for index in term.result.stored)
        columns = term.extents[term.result.stored[-1]]
        rows = math.prod(float(term.extents[index]) for index in term.result.stored[:-1])
        elements = cells * -math.expm1(-visits[-1] / cells) if cells > 0 else 0.0
        total += (unforeseen + control + visits[-1] * (2 * cost["bitmap_set"] + scattered(float(columns * element)))
                  + elements * (cost["bitmap_walk"] + cost["loop"])
                  + rows * (math.ceil(columns / 262144) + 1) * cost["branch_miss"])
    if plan["assemble"] == "count-scatter":
        rows = math.prod(float(term.extents[index]) for index in term.result.stored[:-1])
        total += unforeseen + control + rows * cost["loop"] + 2 * visits[-1] * scattered(rows * 8)
    if plan["parallel"]:
        total /= min(float(max(term.workers, 1)), max(1.0, math.ceil(visits[0] / plan["chunk"])))
    return visits, total


# --- Claims for all sizes, and real arrays -----------------------------------


def _largest(iterations, sizes):
    return max(math.prod(float(sizes[name]) ** power for name, power in powers.items()) for powers in iterations)


def _draw_sizes(term, generator):
    """Extents of any size, and as many elements as fit."""
    sizes = {index: generator.choice((1, 2, 10, 1000, 10**6)) for index in term.names}
    for factor in term.factors:
        above, counts = 1, {}
        for level, (kind, index) in enumerate(zip(factor.levels, factor.stored)):
            if kind == "dense":
                above *= sizes[index]
                continue
            # Fibers may be empty.
            room = above * (math.prod(sizes[below] for below in factor.stored[level:]) if kind == "list"
                            else sizes[index])
            if kind != "singleton":
                above = generator.choice((1, min(above, room), room, generator.uniform(1, room)))
            counts.update({name: above for name in _symbol(factor, level) if name.startswith("nnz(")})
        # A level's own count is what its elements are, dense levels below it left out.
        sizes.update(counts)
    return sizes


def _walk(term, arrays, order, limit):
    """How often each loop's body runs over real arrays; None beyond `limit` steps."""
    counts, steps = [0] * len(order), [0]

    def go(at, where, bound):
        if at == len(order):
            return
        index = order[at]
        walked = term.walkers(index)
        if not walked:
            choices = [(coordinate, {}) for coordinate in range(term.extents[index])]
        else:
            found = []
            for factor in walked:
                level = factor.stored.index(index)
                above = 0
                for before in range(level):
                    above = (where[factor.number, before] if factor.levels[before] != "dense"
                             else above * term.extents[factor.stored[before]] + bound[factor.stored[before]])
                if factor.levels[level] == "singleton":
                    span = range(above, above + 1)
                else:
                    positions = arrays[factor.tensor]["positions"][level]
                    span = range(positions[above], positions[above + 1])
                coordinates = arrays[factor.tensor]["coordinates"][level]
                found.append({coordinates[at]: (at, factor.number, level) for at in span} if len(walked) > 1
                             else [(coordinates[at], (at, factor.number, level)) for at in span])
            if len(walked) == 1:
                choices = [(coordinate, {(number, level): at}) for coordinate, (at, number, level) in found[0]]
            else:
                both = sorted(set.intersection(*(set(entry) for entry in found)))
                choices = [(coordinate, {(entry[coordinate][1], entry[coordinate][2]): entry[coordinate][0]
                                         for entry in found}) for coordinate in both]
        for coordinate, places in choices:
            counts[at] += 1
            steps[0] += 1
            if steps[0] > limit:
                raise OverflowError
            go(at + 1, {**where, **places}, {**bound, index: coordinate})

    try:
        go(0, {}, {})
    except OverflowError:
        return None
    return counts


def _check_arrays(term, arrays):
    """The counts are those of the arrays."""
    for factor in term.factors:
        _need(factor.tensor in arrays, f"the arrays of {factor.tensor} are missing")
        positions, coordinates = arrays[factor.tensor]["positions"], arrays[factor.tensor]["coordinates"]
        _need(len(positions) == len(coordinates) == len(factor.levels),
              f"{factor.tensor} has not one array of positions and coordinates a level")
        above = 1
        for level, kind in enumerate(factor.levels):
            extent = term.extents[factor.stored[level]]
            if kind == "dense":
                above *= extent
                _need(not positions[level] and not coordinates[level], f"a dense level of {factor.tensor} has arrays")
            else:
                if kind != "singleton":
                    _need(len(positions[level]) == above + 1 and positions[level][0] == 0
                          and positions[level] == sorted(positions[level])
                          and positions[level][-1] == len(coordinates[level]),
                          f"level {level} of {factor.tensor} has positions that do not fit")
                else:
                    _need(not positions[level], f"level {level} of {factor.tensor} has positions that do not fit")
                above = len(coordinates[level])
                _need(all(0 <= at < extent for at in coordinates[level]),
                      f"level {level} of {factor.tensor} has a coordinate outside")
            _need(term.given[factor.tensor][level] == above,
                  f"level {level} of {factor.tensor} has {above} positions, not {term.given[factor.tensor][level]}")


def _is_close(a, b):
    return abs(a - b) <= _FACTOR * max(abs(a), abs(b))


def _check(root):
    _need(set(root) - {"operands"} == {"statement", "term", "machine", "workers", "extents", "counts", "plans",
                                       "refused"}, "the certificate has not the fields of one")
    term = _Term(root)
    plans, refused = root["plans"], root["refused"]
    _need(plans, "no nest is chosen")
    for factor in term.factors:
        if factor.tensor in term.given:
            _need(len(term.given[factor.tensor]) == len(factor.levels), f"{factor.tensor} has not a count a level")
    _need(set(term.given) <= {factor.tensor for factor in term.factors}, "counts of a tensor that is not there")
    arrays = root.get("operands")
    if arrays is not None:
        _need(set(arrays) == {factor.tensor for factor in term.factors}, "arrays of other tensors")
        _check_arrays(term, arrays)

    wanted = {}
    refused_orders = set()
    for order in itertools.permutations(term.indices):
        loops = _loops_of(term, order)
        ways = list(_ways(term, list(order), loops)) if loops else []
        if not ways:
            refused_orders.add(order)
        for vector, width, into, assemble, parallel in ways:
            wanted[order, vector, width, into, assemble] = loops, parallel
    _need({tuple(order) for order in refused} == refused_orders and len(refused) == len(refused_orders),
          "an order is refused that has a nest, or one without is not")
    seen = set()
    for plan in plans:
        key = tuple(plan["order"]), plan["vector"], plan["width"], plan["into"], plan["assemble"]
        _need(key in wanted, f"{key} is no legal nest")
        _need(key not in seen, f"{key} stands twice")
        seen.add(key)
        loops, parallel = wanted[key]
        _need(plan["loops"] == loops, f"{key} has other loops")
        _need(plan["parallel"] == parallel, f"{key} has another parallel axis")
        _need(isinstance(plan["chunk"], int) and plan["chunk"] == _chunk(term, parallel), f"{key} has another chunk")
        powers = _iterations(term, plan["order"])
        _need(plan["iterations"] == [_spell(entry) for entry in powers], f"{key} has the iterations {[_spell(entry) for entry in powers]}, not {plan['iterations']}")
        visits, cycles = _cycles(term, plan)
        _need(len(visits) == len(plan["visits"]) and all(map(_is_close, visits, plan["visits"])),
              f"{key} has other visits")
        _need(_is_close(cycles, plan["cycles"]), f"{key} takes {cycles} cycles, not {plan['cycles']}")
    _need(seen == set(wanted), f"{len(set(wanted) - seen)} legal nests are missing")
    best = plans[0]
    _need(all(plan["cycles"] >= best["cycles"] * (1 - _FACTOR) for plan in plans), "another nest takes fewer cycles")

    generator, mine = random.Random(0), _iterations(term, best["order"])
    sizes = [_draw_sizes(term, generator) for _ in range(300)]
    _need(not best["for_all_sizes"], "the chosen nest cannot be worse than itself")
    walked = {}
    for plan in plans[1:]:
        theirs = _iterations(term, plan["order"])
        worse = [_largest(theirs, one) >= _largest(mine, one) * (1 - 1e-9) for one in sizes]
        more = any(_largest(theirs, one) > _largest(mine, one) * (1 + 1e-9) for one in sizes)
        if plan["for_all_sizes"]:
            _need(all(worse) and more, f"{plan['order']} has not more iterations, and never fewer, for all sizes")
        else:
            _need(not (all(worse) and more), f"{plan['order']} has at least as many iterations for all sizes")
        if plan["for_all_sizes"]:
            if arrays is not None:
                for order in (tuple(plan["order"]), tuple(best["order"])):
                    if order not in walked:
                        walked[order] = _walk(term, arrays, order, _MOST_STEPS)
                real, least = walked[tuple(plan["order"])], walked[tuple(best["order"])]
                if real and least:
                    _need(max(real) >= max(least), f"{plan['order']} has fewer iterations on the arrays given")


def _chunk(term, parallel):
    if not parallel:
        return 1
    instances = float(term.extents[parallel])
    for factor in term.factors:
        if factor.stored[0] == parallel:
            instances = min(instances, float(term.positions(factor, 0)))
    chunk = 1
    while chunk < 1024 and chunk * 256 < instances:
        chunk *= 2
    return chunk


def faults(root):
    """The first claim of a certificate that does not hold; "" if all do.

    root: one certificate, as json.load gives it.
    """
    try:
        _check(root)
    except _Broken as broken:
        return str(broken)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, ZeroDivisionError, OverflowError) as error:
        return f"it cannot be read: {type(error).__name__} {error}"
    return ""


def main(words=None):
    words = sys.argv[1:] if words is None else words
    if not words:
        print("usage: python -m heddle.plan_certificate FILE.json ...")
        return 2
    status = 0
    for path in words:
        with open(path, encoding="utf-8") as file:
            certificates = json.load(file)
        for root in certificates:
            fault = faults(root)
            name = f"{path}: {root['statement']['result']['tensor']}, term {root['term']}"
            print(f"{name}: {fault}" if fault else f"{name}: {len(root['plans'])} nests, the first takes the least")
            status |= bool(fault)
    return status


if __name__ == "__main__":
    sys.exit(main())
