# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One script with one system, for triton_scripts.py: executes it, then answers lines
of JSON with times of the points of its benchmarks. The script's own output goes to
the standard error stream."""

import json
import os
import runpy
import sys
import tempfile
import traceback
import types


class Recorder:
    """Stands in for what a script times with: triton.testing and triton.profiler."""

    def __init__(self, tune_ms):
        self.tune_ms = tune_ms
        self.marks, self.sections = [], []
        self.last = None  # milliseconds of the last do_bench of the script
        self.launches = 0
        self.quick = False

    def install(self):
        import torch
        import triton.testing
        from triton.runtime.jit import JITFunction

        triton.testing.Mark.run = lambda mark, *_, **__: self.marks.append(mark)
        for name in ("do_bench", "do_bench_cudagraph"):
            setattr(triton.testing, name, self.wrapped(getattr(triton.testing, name)))
        self.count_launches(JITFunction)
        try:
            from torch._inductor.runtime.triton_heuristics import CachingAutotuner
        except ImportError:
            pass
        else:  # kernels of torch.compile
            self.count_launches(CachingAutotuner)
            tell_candidates(CachingAutotuner)
        sys.modules["triton.profiler"] = triton.profiler = self.profiler(torch)

    def count_launches(self, kind):
        run = kind.run

        def counted(kernel, *arguments, **keywords):
            self.launches += 1
            return run(kernel, *arguments, **keywords)

        kind.run = counted

    def wrapped(self, measure):
        def do_bench(function, *arguments, **keywords):
            graph = measure.__name__ == "do_bench_cudagraph"
            if "autotuner" in sys._getframe(1).f_code.co_filename:
                keywords.update({"rep": self.tune_ms} if graph else {"rep": self.tune_ms, "warmup": self.tune_ms // 4})
                return measure(function, *arguments, **keywords)
            wanted = keywords.pop("quantiles", None)
            keywords.pop("return_mode", None)
            if self.quick:
                keywords.update({"rep": 1} if graph else {"rep": 1, "warmup": 1})
            self.last = measure(function, *arguments, **keywords, quantiles=[0.5])
            if isinstance(self.last, (list, tuple)):
                self.last = self.last[0]
            return [self.last] * len(wanted) if wanted else self.last

        return do_bench

    def profiler(self, torch):
        """Times what is between activate and deactivate; what else is asked of it is done by nobody."""
        import contextlib

        module = types.ModuleType("triton.profiler")
        events = []

        def activate(*_):
            events.append(torch.cuda.Event(enable_timing=True))
            events[-1].record()

        def deactivate(*_):
            if not events:
                return
            end = torch.cuda.Event(enable_timing=True)
            end.record()
            end.synchronize()
            self.sections.append(events.pop().elapsed_time(end))

        module.activate, module.deactivate = activate, deactivate
        module.start = module.finalize = lambda *_, **__: None
        module.scope = lambda *_, **__: contextlib.nullcontext()
        viewer = types.ModuleType("triton.profiler.viewer")
        viewer.parse = lambda *_, **__: (None, None)
        viewer.print_tree = lambda *_, **__: None
        module.viewer = sys.modules["triton.profiler.viewer"] = viewer
        return module

    def benchmarks(self):
        """[(function, benchmark)] of all that the script wanted to run."""
        found = []
        for mark in self.marks:
            several = mark.benchmarks if isinstance(mark.benchmarks, (list, tuple)) else [mark.benchmarks]
            found += [(mark.fn, one) for one in several]
        return found


def tell_candidates(autotuner):
    """Prints the time of each candidate of each of Inductor's kernels."""
    benchmark = autotuner.benchmark_all_configs

    def told(tuner, *arguments, **keywords):
        timings = benchmark(tuner, *arguments, **keywords)
        for launcher, ms in timings.items():
            whose = "heddle" if getattr(launcher, "by_heddle", False) else "triton"
            print(tuner.inductor_meta.get("kernel_name"), whose, launcher.config, ms, "ms", flush=True)
        return timings

    autotuner.benchmark_all_configs = told


def arguments_of(benchmark, point, line):
    x = benchmark.x_vals[point]
    values = x if isinstance(x, (list, tuple)) else [x] * len(benchmark.x_names)
    return {**dict(zip(benchmark.x_names, values)), benchmark.line_arg: benchmark.line_vals[line], **benchmark.args}


def heddles():
    """What heddle declined, and of the kernels of torch.compile how many are whose."""
    import heddle.torch
    import heddle.triton

    declined, count = heddle.triton.declined(), {}
    for name, chosen, reason in heddle.torch.kernels():
        if reason:
            declined[name] = reason
        count[chosen or "several"] = count.get(chosen or "several", 0) + 1
    return {"declined": declined, "inductor": count}


def last_line(error):
    return "%s: %s" % (type(error).__name__, str(error).strip().splitlines()[0][:300] if str(error).strip() else "")


def main():
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    system, tune_ms, *script = sys.argv[1:]

    def answer(**said):
        answers.write(json.dumps(said) + "\n")
        answers.flush()

    # The systems share no compiled graphs.
    cache = os.environ.get("TORCHINDUCTOR_CACHE_DIR") or os.path.join(tempfile.gettempdir(), "torchinductor")
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = os.path.join(cache, system)
    if system == "heddle":
        import heddle.torch
        import heddle.triton

        heddle.triton.enable()
        heddle.torch.enable()
    recorder = Recorder(int(tune_ms))
    recorder.install()
    sys.argv = script
    sys.path.insert(0, os.path.dirname(os.path.abspath(script[0])))
    try:
        runpy.run_path(script[0], run_name="__main__")
    except (Exception, SystemExit) as error:
        if not isinstance(error, SystemExit) or error.code:
            traceback.print_exc()
            answer(error=last_line(error))
            return
    benchmarks = recorder.benchmarks()
    answer(
        benchmarks=[
            {"name": one.plot_name, "points": list(one.x_vals), "lines": list(one.line_vals)} for _, one in benchmarks
        ],
        sections=recorder.sections,
    )
    for question in map(json.loads, sys.stdin):
        if "point" not in question:
            answer(**heddles() if system == "heddle" else {})
            continue
        index, point, line = question["point"]
        function, benchmark = benchmarks[index]
        recorder.launches, recorder.last, recorder.quick = 0, None, question.get("quick", False)
        try:
            function(**arguments_of(benchmark, point, line))
            print(system, benchmark.plot_name, arguments_of(benchmark, point, line), recorder.last, "ms", flush=True)
            answer(ms=recorder.last, launches=recorder.launches)
        except Exception as error:
            traceback.print_exc()
            answer(error=last_line(error))


if __name__ == "__main__":
    main()
