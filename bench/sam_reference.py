# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Sparse Abstract Machine's own simulator (github.com/weiya711/sam), run on given elements. Its source is not
part of heddle: a folder that holds a checkout is given. Most graphs are those of its tests, which read arrays from files
and are given them here; the rest, which it generates from TACO's graphs, are put together from its primitives.
It needs numpy, scipy and pytest."""

import contextlib
import importlib
import io
import pathlib
import re
import sys
import time
import types


def levels(elements, axes):
    """A tensor whose levels are all compressed, outermost axis first: (positions, coordinates) of each, and values."""
    fibers, found = [sorted((tuple(at[axis] for axis in axes), value) for at, value in elements.items())], []
    for _ in axes:
        positions, coordinates, below = [0], [], []
        for fiber in fibers:
            groups = {}
            for at, value in fiber:
                groups.setdefault(at[0], []).append((at[1:], value))
            coordinates += groups
            below += groups.values()
            positions.append(len(coordinates))
        found.append((positions, coordinates))
        fibers = below
    return found, [float(fiber[0][1]) for fiber in fibers]


# Of its tests: the file, and of each tensor the axes of its levels, outermost first.
APPS = {
    "matmul_kij": ("final-apps/test_matmul_kij_FINAL", {"B": (1, 0), "C": (0, 1)}),
    "matmul_kji": ("reorder-study/test_reorder_matmul_kji", {"B": (1, 0), "C": (0, 1)}),
    "matmul_ikj": ("reorder-study/test_reorder_matmul_ikj", {"B": (0, 1), "C": (0, 1)}),
    "matmul_jki": ("reorder-study/test_reorder_matmul_jki", {"B": (1, 0), "C": (1, 0)}),
    "matmul_ijk": ("reorder-study/test_reorder_matmul_ijk", {"B": (0, 1), "C": (1, 0)}),
    "matmul_jik": ("reorder-study/test_reorder_matmul_jik", {"B": (0, 1), "C": (1, 0)}),
    "mat_elemadd": ("final-apps/test_mat_elemadd_FINAL", {"B": (0, 1), "C": (0, 1)}),
    "mat_identity": ("final-apps/test_mat_identity_FINAL", {"B": (0, 1)}),
    "mat_vecmul_ji": ("final-apps/test_mat_vecmul_FINAL", {"B": (1, 0), "c": (0,)}),
    "tensor3_elemadd": ("final-apps/test_tensor3_elemadd_FINAL", {"B": (0, 1, 2), "C": (0, 1, 2)}),
    "tensor3_innerprod": ("final-apps/test_tensor3_innerprod_FINAL", {"B": (0, 1, 2), "C": (0, 1, 2)}),
    "tensor3_ttv": ("final-apps/test_tensor3_ttv_FINAL", {"B": (0, 1, 2), "c": (0,)}),
    "tensor3_ttm": ("final-apps/test_tensor3_ttm_FINAL", {"B": (0, 1, 2), "C": (0, 1)}),
    "mat_sddmm": ("final-apps/test_mat_sddmm_FINAL", {"B": (0, 1)}),
    "mat_mattransmul": ("final-apps/test_mat_mattransmul_FINAL", {"C": (1, 0), "d": (0,), "f": (0,)}),
    "mat_residual": ("final-apps/test_mat_residual_FINAL", {"b": (0,), "C": (0, 1), "d": (0,)}),
    "mat_elemadd3": ("final-apps/test_mat_elemadd3_FINAL", {"B": (0, 1), "C": (0, 1), "D": (0, 1)}),
    "tensor3_mttkrp": ("final-apps/test_tensor3_mttkrp_FINAL", {"B": (0, 1, 2), "C": (0, 1), "D": (0, 1)}),
}
# The rest: the operands, and whether levels are dense.
BY_HAND = {"mat_elemmul": "BC", "mat_identity_dense": "B", "mat_vecmul_ij": "Bc", "vec_elemmul": "bc", "vec_identity": "b",
           "vec_elemadd": "bc", "vec_scalar_mul": "c", "tensor3_elemmul": "BC", "tensor3_identity": "B",
           "tensor3_identity_dense": "B", "vec_spacc_simple": "B", "mat_spacc_simple": "B",
           "vec_sd_compression": "b", "vec_ds_compression": "b"}


class Sam:
    def __init__(self, checkout):
        self.checkout = pathlib.Path(checkout)
        if not (self.checkout / "sam/sim/src/base.py").is_file():
            raise RuntimeError(f"{checkout} holds no checkout of SAM, whose simulator is in sam/sim/src")
        sys.path.insert(0, str(self.checkout))
        # A picture of each run, and the tables that its tests look names up in.
        for name, members in (("matplotlib", {}), ("matplotlib.pyplot", {}),
                              ("sam.sim.test.gen_gantt", {"gen_gantt": lambda *_: None}),
                              ("sam.sim.test.gold", {})):
            module = types.ModuleType(name)
            module.__dict__.update(members)
            sys.modules[name] = module

    def run(self, graph, tensors, columns=None):
        """Cycles, seconds, and the values that it writes."""
        start = time.process_time()
        cycles, values = self.app(graph, tensors, columns) if graph in APPS else Wired(graph, tensors).run()
        return cycles, time.process_time() - start, values

    def app(self, graph, tensors, columns):
        name, formats = APPS[graph]
        path = self.checkout / f"sam/sim/test/{name}.py"
        module = types.ModuleType(path.stem)
        text = path.read_text(encoding="utf-8")
        # A number in the name of an array is its axis; files are named otherwise in some tests. Behind the run are tables of statistics.
        text = text[:text.index("    def bench():")]
        text = re.sub(r"(\w)_(seg|crd)(\d) = read_inputs\(\w+\)", r'\1_\2\3 = read_inputs("tensor_\1_mode_\3_\2")', text)
        # Folders of what belongs to a tensor.
        text = re.sub(r"(\w_fname) = \[f for f in os.listdir.*", r'\1 = [""]', text)
        exec(compile(text, str(path), "exec"), module.__dict__)
        built = {tensor: levels(tensors[tensor], axes) for tensor, axes in formats.items()}
        shapes = {tensor: [1 + max(at[axis] for at in tensors[tensor]) for axis in range(len(axes))]
                  for tensor, axes in formats.items()}

        def read_inputs(path, *_):
            _, tensor, _, *what = pathlib.Path(path).name.split("_")
            if what == ["shape"]:
                return shapes[tensor]
            if what == ["vals"]:
                return list(built[tensor][1])
            return list(built[tensor][0][formats[tensor].index(int(what[0]))][what[1] == "crd"])

        made = []

        class Written(module.ValsWrScan):
            """Counts the cycles."""
            def __init__(self, **options):
                super().__init__(**options)
                self.cycles = 0
                made.append(self)

            def update(self):
                self.cycles += 1
                super().update()

        module.read_inputs, module.ValsWrScan = read_inputs, Written
        test = next(value for key, value in module.__dict__.items() if key.startswith("test_") and callable(value))
        known = {"samBench": lambda *_: None, "ssname": "", "frosttname": "", "sparsity": "", "KDIM": columns,
                 "check_gold": False, "report_stats": False, "debug_sim": False, "cast": False, "backpressure": False,
                 "depth": 1}
        taken = test.__code__.co_varnames[:test.__code__.co_argcount]
        with contextlib.redirect_stdout(io.StringIO()):
            test(**{key: value for key, value in known.items() if key in taken})
        return made[0].cycles, list(made[0].get_arr())


class Wired:
    """A graph of its primitives, each updated once a cycle, behind what it reads."""

    def __init__(self, graph, tensors):
        self.parts = {name: importlib.import_module(f"sam.sim.src.{name}") for name in (
            "rd_scanner", "wr_scanner", "joiner", "compute", "crd_manager", "repeater", "accumulator", "array", "token", "base")}
        self.nodes, self.wires, self.sinks = [], [], []
        self.is_dense = graph.endswith("_dense")
        self.tensors, self.built = tensors, {}
        for name in BY_HAND[graph]:
            axes = tuple(range(len(next(iter(tensors[name])))))
            self.built[name] = levels(tensors[name], axes)
        getattr(self, "write_" + {"mat_vecmul_ij": "product", "vec_scalar_mul": "scaled", "vec_ds_compression": "dense_copy"}.get(
            graph, graph.split("_")[1]))(graph)

    def add(self, kind, **options):
        for part in self.parts.values():
            if hasattr(part, kind):
                self.nodes.append(getattr(part, kind)(debug=False, statistics=False, back_en=False, depth=1, **options))
                return self.nodes[-1]
        raise RuntimeError(f"SAM has no primitive {kind}")

    def wire(self, put, *outputs):
        """Hands on each cycle what `outputs` of a node have."""
        self.wires.append(lambda: put(*[getattr(node, "out_" + name)() for node, name in outputs], outputs[0][0]))

    def root(self, put):
        tokens = [0, "D"]
        self.wires.append(lambda: put(tokens.pop(0), "") if tokens else None)

    def scan(self, tensor, level, above=None, extent=None):
        if extent is None:
            positions, coordinates = self.built[tensor][0][level]
            node = self.add("CompressedCrdRdScan", crd_arr=coordinates, seg_arr=positions)
        else:
            node = self.add("UncompressCrdRdScan", dim=extent)
        if above:
            self.wire(node.set_in_ref, above)
        else:
            self.root(node.set_in_ref)
        return node

    def values(self, tensor, ref, array=None):
        node = self.add("Array", init_arr=array or self.built[tensor][1])
        self.wire(node.set_load, ref)
        return node, "val"

    def repeat(self, crd, ref=None):
        signal, node = self.add("RepeatSigGen"), self.add("Repeat")
        self.wire(signal.set_istream, crd)
        if ref:
            self.wire(node.set_in_ref, ref)
        else:
            self.root(node.set_in_ref)
        self.wire(node.set_in_repsig, (signal, "repsig"))
        return node, "ref"

    def combine(self, kind, a, b):
        node = self.add(kind)
        self.wire(node.set_in1, a)
        self.wire(node.set_in2, b)
        return node, "val"

    def write(self, crds, values):
        for crd in crds:
            node = self.add("CompressWrScan", seg_size=100000, size=100000, fill=0)
            self.wire(node.set_input, crd)
            self.sinks.append(node)
        self.written = self.add("ValsWrScan", size=100000, fill=0)
        self.wire(self.written.set_input, values)
        self.sinks.append(self.written)

    def extents(self, tensor):
        return [1 + max(at[axis] for at in self.tensors[tensor]) for axis in range(len(next(iter(self.tensors[tensor]))))]

    def write_elemmul(self, graph, join="Intersect2", combine="Multiply2"):
        crds, refs = [], (None, None)
        for level in range(len(self.built[BY_HAND[graph][0]][0])):
            scans = [self.scan(tensor, level, ref) for tensor, ref in zip(BY_HAND[graph], refs)]
            node = self.add(join)
            for scan, put in zip(scans, (node.set_in1, node.set_in2)):
                self.wire(put, (scan, "ref"), (scan, "crd"))
            crds.append((node, "crd"))
            refs = (node, "ref1"), (node, "ref2")
        self.write(crds, self.combine(combine, *[self.values(tensor, ref) for tensor, ref in zip(BY_HAND[graph], refs)]))

    def write_elemadd(self, graph):
        self.write_elemmul(graph, "Union2", "Add2")

    def write_identity(self, graph):
        tensor, crds, ref = BY_HAND[graph], [], None
        extents = self.extents(tensor) if self.is_dense else None
        for level in range(len(self.built[tensor][0])):
            node = self.scan(tensor, level, ref, extents and extents[level])
            crds.append((node, "crd"))
            ref = node, "ref"
        self.write([] if self.is_dense else crds, self.values(tensor, ref))

    def write_sd(self, graph):
        scan = self.scan("b", 0)
        self.write([], self.values("b", (scan, "ref")))

    def write_dense_copy(self, graph):
        scan = self.scan("b", 0, None, self.extents("b")[0])
        self.write([(scan, "crd")], self.values("b", (scan, "ref")))

    def write_scaled(self, graph):
        scan = self.scan("c", 0)
        once = self.repeat((scan, "crd"))
        self.write([(scan, "crd")], self.combine("Multiply2", self.values("", once, [2.0]), self.values("c", (scan, "ref"))))

    def write_product(self, graph):
        rows = self.scan("B", 0)
        inner = self.scan("B", 1, (rows, "ref")), self.scan("c", 0, self.repeat((rows, "crd")))
        node = self.add("Intersect2")
        for scan, put in zip(inner, (node.set_in1, node.set_in2)):
            self.wire(put, (scan, "ref"), (scan, "crd"))
        product = self.combine("Multiply2", self.values("B", (node, "ref1")), self.values("c", (node, "ref2")))
        reduce = self.add("Reduce")
        self.wire(reduce.set_in_val, product)
        self.write([(rows, "crd")], (reduce, "val"))

    def write_spacc(self, graph):
        """Sums over the outermost level in a workspace."""
        scans, ref = [], None
        for level in range(len(self.built["B"][0])):
            scans.append(self.scan("B", level, ref))
            ref = scans[-1], "ref"
        values, hold = self.values("B", ref), self.add("CrdHold")
        self.wire(hold.set_outer_crd, (scans[-2], "crd"))
        self.wire(hold.set_inner_crd, (scans[-1], "crd"))
        drops = []
        for of in ((hold, "crd_outer"), (hold, "crd_inner"), values):
            drops.append(self.add("StknDrop"))
            self.wire(drops[-1].set_in_stream, of)
        sums = self.add("SparseAccumulator1" if len(scans) == 2 else "SparseAccumulator2")
        # One key: the coordinate outside of it is the same for all.
        outer = sums.set_crd_outer if len(scans) > 2 else lambda crd, node: sums.set_crd_outer(
            0 if isinstance(crd, int) else crd, node)
        self.wire(outer, (drops[0], "val"))
        self.wire(sums.set_crd_inner, (drops[1], "val"))
        self.wire(sums.set_val, (drops[2], "val"))
        if len(scans) == 2:
            lower = self.parts["base"]
            node = self.add("CompressWrScan", seg_size=100000, size=100000, fill=0)
            self.wire(lambda crd, maker: node.set_input(
                crd if isinstance(crd, int) or crd == "D" else
                lower.decrement_stkn(crd) if lower.is_stkn(crd) else "", maker), (sums, "crd_inner"))
            self.sinks.append(node)
            self.write([], (sums, "val"))
        else:
            self.write([(sums, "crd_outer"), (sums, "crd_inner")], (sums, "val"))

    def run(self):
        cycles = 0
        with contextlib.redirect_stdout(io.StringIO()):
            while not all(node.out_done() for node in self.sinks):
                for wire in self.wires:
                    wire()
                for node in self.nodes:
                    node.update()
                cycles += 1
                if cycles > 10_000_000:
                    raise RuntimeError("SAM's graph does not end")
        self.written.autosize()
        return cycles, list(self.written.get_arr())
