# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""bench/triton_scripts.py on scripts whose kernels' times are known: a Triton of a few
lines stands in for the real one, so no GPU is needed."""

import json
import os
import subprocess
import sys
import tempfile
import textwrap
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# A kernel takes as many milliseconds as it is told, and half as many with heddle.
STAND_INS = {
    "triton/__init__.py": "from . import testing",
    "triton/testing.py": """
        import types

        def do_bench(function, warmup=25, rep=100, quantiles=None, return_mode="mean"):
            taken = function()
            return [taken] * len(quantiles) if quantiles else taken

        def do_bench_cudagraph(function, rep=100, quantiles=None, return_mode="mean"):
            return do_bench(function, quantiles=quantiles)

        class Benchmark(types.SimpleNamespace):
            pass

        class Mark:
            def __init__(self, fn, benchmarks):
                self.fn, self.benchmarks = fn, benchmarks

            def run(self, **_):
                raise RuntimeError("this would time, and plot")

        def perf_report(benchmarks):
            return lambda fn: Mark(fn, benchmarks)
    """,
    "triton/runtime/__init__.py": "",
    "triton/runtime/jit.py": """
        class JITFunction:
            factor = 1

            def run(self, ms):
                return ms * JITFunction.factor
    """,
    "torch/__init__.py": """
        import types

        class Event:
            now = 0

            def __init__(self, enable_timing):
                pass

            def record(self):
                self.at = Event.now

            def synchronize(self):
                pass

            def elapsed_time(self, end):
                return end.at - self.at

        cuda = types.SimpleNamespace(Event=Event)
    """,
    "heddle/__init__.py": "",
    "heddle/torch.py": """
        def enable():
            pass

        def kernels():
            return [("a", "heddle", ""), ("b", "triton", "too wide"), ("c", None, "")]
    """,
    "heddle/triton.py": """
        from triton.runtime.jit import JITFunction

        def enable():
            JITFunction.factor = 0.5

        def declined():
            return {"odd": "it is odd"}
    """,
}

REPORT = """
    import triton.testing
    from triton.runtime.jit import JITFunction

    kernel = JITFunction()

    @triton.testing.perf_report([triton.testing.Benchmark(
        x_names=["n"], x_vals=[1, 2, 3, 4, 5], line_arg="provider", line_vals=["triton", "torch", "slower"],
        plot_name="times", args={"scale": 10})])
    def measure(n, scale, provider):
        if provider == "torch":
            return triton.testing.do_bench(lambda: n)
        if provider == "slower" and n == 5 and JITFunction.factor < 1:
            return triton.testing.do_bench(lambda: kernel.run(n * 400), quantiles=[0.5, 0.2, 0.8])[0]
        return triton.testing.do_bench(lambda: kernel.run(n * scale), quantiles=[0.5, 0.2, 0.8])[0]

    if __name__ == "__main__":
        measure.run(print_data=True)
"""

SECTIONS = """
    import sys
    import torch
    import triton.profiler as profiler
    from triton.runtime.jit import JITFunction

    profiler.start("name", hook="triton")
    for ms in map(int, sys.argv[1:]):
        profiler.activate(0)
        with profiler.scope("a name"):
            torch.cuda.Event.now += JITFunction().run(ms)
        profiler.deactivate(0)
    profiler.finalize()
"""

WRONG = """
    from triton.runtime.jit import JITFunction
    assert JITFunction().run(2) == 2, "results differ"
"""


class TritonScripts(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        for name, text in STAND_INS.items():
            self.write(name, text)

    def write(self, name, text):
        path = os.path.join(self.folder.name, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as out:
            out.write(textwrap.dedent(text))
        return path

    def run_tool(self, *arguments):
        result = os.path.join(self.folder.name, "result.json")
        done = subprocess.run(
            [sys.executable, os.path.join(ROOT, "bench", "triton_scripts.py"), *arguments, "--json", result],
            env=dict(os.environ, PYTHONPATH=self.folder.name), capture_output=True, text=True, check=False,
        )  # fmt: skip
        if not os.path.exists(result):
            return done, None
        with open(result) as text:
            return done, json.load(text)

    def test_points_of_both_systems(self):
        done, result = self.run_tool(self.write("report.py", REPORT), "--points", "2", "--rounds", "3")
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = {(row["line"], row["point"]): row for row in result[0]["rows"]}
        self.assertEqual(set(rows), {("triton", 1), ("triton", 5), ("slower", 1), ("slower", 5)})
        self.assertEqual(rows["triton", 5]["triton"], [50, 50, 50])
        self.assertEqual(rows["triton", 5]["heddle"], [25, 25, 25])
        self.assertEqual(rows["slower", 5]["speed"], 0.05)
        self.assertIn("4 points, 0.795, least 0.050", done.stdout)
        self.assertIn("odd is Triton's: it is odd", done.stdout)
        self.assertIn("b is Triton's: too wide", done.stdout)
        self.assertIn("kernels of torch.compile, by Inductor's choice: heddle 1, several 1, triton 1", done.stdout)

    def test_caches_are_filled_before(self):
        done, result = self.run_tool(self.write("report.py", REPORT), "--points", "2", "--rounds", "1", "--jobs", "2")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(result[0]["rows"]), 4)

    def test_sections_of_a_script_with_arguments(self):
        script = self.write("sections.py", SECTIONS)
        done, result = self.run_tool(script + " 4 8", "--rounds", "2")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([row["triton"] for row in result[0]["rows"]], [[4, 4], [8, 8]])
        self.assertEqual([row["speed"] for row in result[0]["rows"]], [2, 2])

    def test_a_script_that_objects(self):
        done, result = self.run_tool(self.write("wrong.py", WRONG))
        self.assertEqual(done.returncode, 1)
        self.assertEqual(result[0]["errors"], ["heddle: AssertionError: results differ"])

    def test_no_script(self):
        done, _ = self.run_tool("nowhere.py")
        self.assertEqual(done.returncode, 3)
        self.assertEqual(done.stderr, "there is no script nowhere.py\n")


if __name__ == "__main__":
    unittest.main()
