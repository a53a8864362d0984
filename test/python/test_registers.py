# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""bench/machine/registers.py with a compiler and an assembler that are scripts: what is
read and searched does not depend on the real ones."""

import contextlib
import copy
import io
import json
import os
import stat
import sys
import tempfile
import unittest
from unittest import mock

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(ROOT, "bench", "machine"))

import registers

PTX = """.version 8.6
.visible .entry k(
\tsetmaxnreg.dec.sync.aligned.u32 \t24;
\tsetmaxnreg.inc.sync.aligned.u32 \t240;
\tsetmaxnreg.inc.sync.aligned.u32 \t240;
}
.visible .entry k_general(
\tsetmaxnreg.dec.sync.aligned.u32 \t128;
\tsetmaxnreg.inc.sync.aligned.u32 \t184;
\tsetmaxnreg.inc.sync.aligned.u32 \t192;
}
"""
SCHED = """
  tile.store %23, %c[%18, %19] {sched.op = "store_c.0", sched.sub = 0 : i64} : tensor<64x256xf16>, !tile.view<?x?xf16>
  tile.store %24, %d[%18] {sched.op = "store_d"} : tensor<64x128xf32>, !tile.view<?x?xf32>
  sched.entry "store_c.0" on "store" start 0 latency 0 in "mma.0" late loc(#loc25)
  sched.entry "store_d" on "store" start 0 latency 0 in "mma.0" loc(#loc25)
"""
MANIFEST = {
    "variants": [
        {"entry": name, "processes": [{"name": p} for p in ("load", "mma.0", "mma.1")]} for name in ("k", "k_general")
    ]
}

HEDDLE = r"""#!/bin/sh
case "$*" in
  *attention*) echo "no schedule" >&2; exit 1;;
  explain*) echo "  Registers held at the most: mma.0 160 of 240 and mma.1 160 of 240.";;
  *emit=sched*) cat FOLDER/sched;;
  *) while [ "$1" != -o ]; do shift; done
     cp FOLDER/ptx "$2"; cp FOLDER/json "${2%.ptx}.json";;
esac
"""
# The second process needs 205 registers, and 90 bytes are spilled below; a loader that
# copies needs 80 and is serialised below.
PTXAS = r"""#!/bin/sh
[ "$1" = --version ] && { echo "Cuda compilation tools, release 13.0, V13.0.88"; exit; }
file=$4
set -- $(sed -n 's/.*setmaxnreg[^0-9]*u32[^0-9]*\([0-9]*\);/\1/p' "$file")
echo "ptxas info    : (C7519) warpgroup.arrive is injected in around line 8 in function 'k'"
grep -q k_general "$file" && [ "$1" -lt 80 ] && echo "ptxas info    : (C7512) Potential Performance Loss"
[ "$2" -lt 205 ] && echo "    32 bytes stack frame, 90 bytes spill stores, 0 bytes spill loads" \
                 || echo "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads"
"""


class TextTest(unittest.TestCase):
    def test_entries_and_budgets(self):
        texts = registers.entry_texts(PTX)
        self.assertEqual(list(texts), ["k", "k_general"])
        self.assertEqual(registers.budgets_of(texts["k_general"]), [128, 184, 192])
        self.assertTrue(texts["k_general"].startswith(".version 8.6\n.visible .entry k_general("))
        changed = registers.with_budgets(texts["k"], [40, 200, 208])
        self.assertEqual(registers.budgets_of(changed), [40, 200, 208])

    def test_what_the_model_counts(self):
        report = "  Registers held at the most: mma.0 160 of 240, soft.a 92 of 112 and mma.1 34 of 240.\n"
        self.assertEqual(registers.held_registers(report, 32), {"mma.0": 128, "soft.a": 60, "mma.1": 2})
        self.assertEqual(registers.held_registers("nothing", 32), {})
        self.assertEqual(registers.late_registers(SCHED), {"mma.0": 64})

    def test_logs(self):
        self.assertEqual(registers.spilled("(C7519) arrive; 0 bytes spill stores, 0 bytes spill loads"), 0)
        self.assertEqual(registers.spilled("8 bytes spill stores, 4 bytes spill loads"), 12)
        self.assertGreater(registers.spilled("(C7512) Potential Performance Loss"), 1 << 20)

    def test_the_least_budget(self):
        text = registers.entry_texts(PTX)["k"]
        for needed in (1, 24, 25, 120, 205, 255, 256):
            assemble = lambda ptx: "%d bytes spill stores" % (registers.budgets_of(ptx)[1] < needed)
            self.assertEqual(registers.least_budget(text, 1, assemble), max(24, -(-needed // 8) * 8))

    def test_what_no_budget_changes(self):
        text = registers.entry_texts(PTX)["k"]
        always = lambda ptx: "%d bytes spill stores" % (20 if registers.budgets_of(ptx)[2] >= 104 else 100)
        self.assertEqual(registers.least_budget(text, 2, always), 104)
        self.assertEqual(registers.least_budget(text, 2, lambda ptx: "(C7512) Potential"), 0)


class MarginTest(unittest.TestCase):
    def need(self, kind, held, late, least):
        return registers.Need("k", "p", kind, held, late, least)

    def values(self, *needs):
        return {name: value for name, (value, _) in registers.margins(needs).items()}

    def test_the_most_counts(self):
        needs = [
            self.need("computes", 128, 0, 152), self.need("computes", 64, 0, 96), self.need("computes", 128, 64, 232),
            self.need("loads", 0, 0, 24), self.need("copies", 0, 0, 80), self.need("copies", 0, 0, 56),
        ]  # fmt: skip
        self.assertEqual(self.values(*needs), {"overhead": 32, "spare": 8, "loader": 24, "copying": 80})

    def test_margins_come_in_eights(self):
        # 168 did not suffice: 31 or more beside 138. 136 did not: 36 or more beside 101.
        needs = [self.need("computes", 138, 0, 176), self.need("computes", 64, 37, 144)]
        self.assertEqual(self.values(*needs), {"overhead": 32, "spare": 8})

    def test_late_results_may_need_no_more(self):
        needs = [self.need("computes", 64, 0, 96), self.need("computes", 128, 64, 208)]
        self.assertEqual(self.values(*needs), {"overhead": 32, "spare": 0})

    def test_least_budgets_say_nothing_of_less(self):
        self.assertEqual(self.values(self.need("computes", 0, 0, 24), self.need("computes", 128, 0, 0)), {})


class CommandTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        for name, text in (
            ("ptx", PTX), ("json", json.dumps(MANIFEST)), ("sched", SCHED), ("heddle", HEDDLE), ("ptxas", PTXAS)
        ):  # fmt: skip
            path = os.path.join(self.folder, name)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text.replace("FOLDER", self.folder))
            os.chmod(path, stat.S_IRWXU)
        patch = mock.patch.object(registers, "FAMILY", (("gemm", {"BM": 128}), ("attention", {"D": 64})))
        patch.start()
        self.addCleanup(patch.stop)

    def run_it(self, *arguments):
        output = io.StringIO()
        tools = ["--heddle=" + os.path.join(self.folder, "heddle"), "--ptxas=" + os.path.join(self.folder, "ptxas")]
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
            code = registers.main(tools + list(arguments))
        return code, output.getvalue()

    def test_margins_are_written(self):
        with open(os.path.join(ROOT, "machines", "h200.json"), encoding="utf-8") as file:
            before = json.load(file)
        path = os.path.join(self.folder, "machine.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(before, file)
        code, text = self.run_it("--only=gemm", "--update", path)
        self.assertEqual(code, 0, text)
        with open(path, encoding="utf-8") as file:
            after = json.load(file)
        found = after["costs"]["registers"]
        self.assertEqual(found["loader"]["value"], 24)
        self.assertEqual(found["copying"]["value"], 80)
        self.assertEqual(
            found["copying"]["from"],
            "ptxas 13.0.88, bench/machine/registers.py, the most of 1 kernels: load of gemm BM=128 needs 80",
        )
        needs = after["measured"]["registers"]["needs"]
        self.assertEqual(needs["gemm BM=128, mma.0, computes"], {"held": 128, "late": 64, "least": 208})
        # Nothing else changed.
        expected = copy.deepcopy(before)
        for name in ("loader", "copying"):
            expected["costs"]["registers"][name] = found[name]
        expected["measured"]["registers"] = after["measured"]["registers"]
        self.assertEqual(after, expected)

    def test_a_kernel_that_is_not_compiled(self):
        code, text = self.run_it()
        self.assertEqual(code, 1)
        self.assertRegex(text, r"attention \{'D': 64\}: heddle .*no schedule")
        self.assertRegex(text, r"gemm BM=128 +mma.0 +128 held +64 late +208 needed")

    def test_a_missing_tool(self):
        self.assertEqual(self.run_it("--ptxas=/absent/ptxas")[0], 2)


if __name__ == "__main__":
    unittest.main()
