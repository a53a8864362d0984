# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the benchmarks on a GPU share around bench/protocol.py: options, the report's
environment, systems as launches over buffer sets, and the rounds with the monitor."""

import argparse
import datetime
import faulthandler
import json
import os
import sys

import protocol

DEVICE = "cuda"


class Timed:
    """A system for the protocol: launches that rotate over the buffer sets."""

    def __init__(self, launches):
        import torch

        self.launches = launches
        self.next = 0
        self.start = torch.cuda.Event(enable_timing=True)
        self.end = torch.cuda.Event(enable_timing=True)

    def run(self, count):
        launches, sets = self.launches, len(self.launches)
        self.start.record()
        for i in range(self.next, self.next + count):
            launches[i % sets]()
        self.end.record()
        self.end.synchronize()
        self.next = (self.next + count) % sets
        return self.start.elapsed_time(self.end)


class Graph(Timed):
    """A system whose launches over all buffer sets are one graph. `run` launches whole
    graphs, and scales the time to the launches that were asked for."""

    def __init__(self, capture, sets):
        import torch

        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            capture()  # algorithms are searched and kernels loaded outside of the graph
        torch.cuda.current_stream().wait_stream(stream)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, stream=stream):
            capture()
        super().__init__([graph.replay])
        self.graph, self.sets = graph, sets
        self.capture = capture  # holds the arrays that the graph reads and writes

    def run(self, count):
        turns = -(-count // self.sets)
        return super().run(turns) * count / (turns * self.sets)


def all_of(launches):
    """What a graph captures: each of the launches, once."""

    def capture():
        for launch in launches:
            launch()

    return capture


def add_options(parser, systems):
    parser.add_argument("--kernel-dir", default="build/kernels")
    parser.add_argument(
        "--variant",
        action="append",
        default=[],
        metavar="NAME=DIR",
        help="time heddle's kernels from DIR beside the others, as NAME",
    )
    parser.add_argument(
        "--loads",
        type=int,
        default=1,
        help="load each of heddle's kernels so often and take the mean: where loops have several "
        "rhythms, loads of the same code differ by 1 to 2 %%",
    )
    parser.add_argument("--library", help="libheddle_runtime.so, if not in build/lib")
    parser.add_argument("--systems", default=",".join(systems))
    parser.add_argument("--rounds", type=int, default=protocol.MIN_ROUNDS)
    parser.add_argument("--round-ms", type=float, default=protocol.ROUND_MS)
    parser.add_argument("--warm-up", type=float, default=protocol.WARM_UP_S)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", help="write every round here")


def check_options(options, systems):
    """What is wrong with the options of add_options, or None."""
    options.systems = options.systems.split(",")
    if set(options.systems) - set(systems) or options.rounds < protocol.MIN_ROUNDS:
        return "systems are %s; rounds are at least %d" % (", ".join(systems), protocol.MIN_ROUNDS)
    pairs = [text.partition("=") for text in options.variant]
    if not all(name and directory for name, _, directory in pairs):
        return "a variant is NAME=DIR"
    options.variants = {name: directory for name, _, directory in pairs}
    options.systems += list(options.variants)
    if options.loads < 1:
        return "a kernel is loaded once or more often, not %d times" % options.loads
    loaded = [name for name in options.systems if name == "heddle" or name in options.variants]
    options.systems += [name + suffix for suffix in further_loads(options) for name in loaded]
    return None


def further_loads(options):
    """What tells the loads of a system behind its first apart."""
    return ["#%d" % number for number in range(2, options.loads + 1)]


def variant_makers(options, heddle_launches, case):
    """Makers of the kernels in other directories, which are ablations or another version, and
    of further loads of all."""
    folders = dict(options.variants)
    for suffix in further_loads(options):
        folders.update({name + suffix: directory for name, directory in options.variants.items()})
        folders["heddle" + suffix] = options.kernel_dir
    return {
        name: lambda directory=directory: heddle_launches(
            argparse.Namespace(**dict(vars(options), kernel_dir=directory)), case
        )
        for name, directory in folders.items()
    }


def bad_input(message):
    print("%s: error: %s" % (os.path.basename(sys.argv[0]), message), file=sys.stderr)
    sys.exit(3)


def start(options):
    """Whether there is a GPU; makes torch's context current for heddle."""
    import torch

    if not torch.cuda.is_available():
        print("%s: there is no GPU here" % os.path.basename(sys.argv[0]), file=sys.stderr)
        return False
    # A signal in a driver says where it came from, and what was printed before stays.
    faulthandler.enable()
    sys.stdout.reconfigure(line_buffering=True)
    torch.cuda.init()
    torch.zeros(1, device=DEVICE)
    if options.library:
        import heddle.runtime

        heddle.runtime.use_library(options.library)
    options.gpu = gpu_id()
    return True


def gpu_id():
    """nvidia-smi's name for torch's device 0, which may not be its own."""
    import torch

    uuid = str(getattr(torch.cuda.get_device_properties(0), "uuid", ""))
    return "GPU-" + uuid if uuid and not uuid.startswith("GPU-") else uuid or None


def environment(options):
    import torch

    properties = torch.cuda.get_device_properties(0)
    versions = {"torch": torch.__version__, "cuda": torch.version.cuda}
    versions["cudnn"] = torch.backends.cudnn.version()
    try:
        import triton

        versions["triton"] = triton.__version__
    except ImportError:
        pass
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "gpu": properties.name,
        "sms": properties.multi_processor_count,
        "versions": versions,
        "protocol": {
            "rounds": options.rounds,
            "round_ms": options.round_ms,
            "warm_up_s": options.warm_up,
            "operand_bytes": protocol.OPERAND_BYTES,
        },
        "command": [os.path.basename(sys.argv[0])] + sys.argv[1:],
    }


def heddle_kernel(options, name):
    import heddle.runtime

    path = os.path.join(options.kernel_dir, name + ".ptx")
    if not os.path.exists(path):
        raise RuntimeError("no kernel %s.ptx in %s" % (name, options.kernel_dir))
    return heddle.runtime.Kernel(path)


def describe_kernel(kernel, values):
    """What a launch of these values runs, for the report."""
    variant, grid = kernel.plan(*values)
    description = {"kernel": kernel.name, "grid": grid}
    description.update(kernel.variants[variant])
    description.update(kernel.resources(variant))
    description["jit_log"] = kernel.jit_log
    return description


def returning(compute, output):
    """A launch of a function that has no output argument. Its first result is copied
    to `output`, where it is checked; timed are those after it."""
    checked = []

    def launch():
        result = compute()
        if not checked:
            checked.append(True)
            output.copy_(result.reshape(output.shape))

    return launch


def writes_all(launch, output):
    """Whether a launch writes each element of `output`, which holds no numbers before."""
    import torch

    output.fill_(float("nan"))
    launch()
    torch.cuda.synchronize()
    return not torch.isnan(output).any().item()


def prepare(names, makers, error_of):
    """Builds and runs every system once. `makers` give (launches, description,
    failures), `error_of(launch)` the result's error. Returns {name: Timed} and what
    happened."""
    systems, notes = {}, {}
    for name in names:
        try:
            launches, description, failures = makers[name]()
            error = error_of(launches[0])
        except Exception as reason:  # a missing kernel, package or feature
            notes[name] = {"skipped": "%s: %s" % (type(reason).__name__, reason)}
            continue
        notes[name] = {"description": description, "failures": failures, "error": error}
        systems[name] = Timed(launches)
    return systems, notes


def drop_wrong(systems, notes, allowed):
    """Takes out the systems whose error is above the allowed one, or no number."""
    for name in list(systems):
        if not notes[name]["error"] <= allowed:
            notes[name]["wrong"] = "error of %.3g, allowed %.3g" % (notes[name]["error"], allowed)
            del systems[name]


def time_systems(options, systems, notes, work, unit, baselines):
    """Rounds of all systems. Adds each one's speed to its note as `unit`: `work`, what
    one launch does, a second. Returns the report's rounds, gpu and comparisons."""
    if not systems:
        return {"comparisons": []}
    monitor = protocol.GpuMonitor(options.gpu)
    # The monitor covers warm-up too; only samples taken in the rounds count.
    with monitor:
        rounds = protocol.measure(
            systems,
            rounds=options.rounds,
            round_ms=options.round_ms,
            warm_up_s=options.warm_up,
            on_rounds=monitor.samples.clear,
        )
    rounds = protocol.join_loads(rounds)
    for name in rounds[0]:
        speeds = [work / entry[name]["ms_per_launch"] * 1e3 for entry in rounds]
        notes[name][unit] = protocol.median(speeds)
        notes[name][unit + "_range"] = protocol.bootstrap(speeds)
        loads = list(zip(*(entry[name].get("loads", ()) for entry in rounds)))
        if loads:
            notes[name][unit + "_loads"] = [work / protocol.median(load) * 1e3 for load in loads]
    for name in set(systems) - set(rounds[0]):
        del notes[name]  # further loads, which stand in the note of the first
    comparisons = [
        protocol.compare(rounds, "heddle", baseline)
        for baseline in [*baselines, *options.variants]
        if "heddle" in systems and baseline in systems
    ]
    return {"rounds": rounds, "gpu": monitor.summary(), "comparisons": comparisons}


def show(result, unit, spelled):
    """One case of a report, as text."""
    print(result["name"])
    for name, note in result["systems"].items():
        if unit in note:
            low, high = note[unit + "_range"]
            line = "%8.1f %s [%.1f, %.1f], error %.3g" % (note[unit], spelled, low, high, note["error"])
        else:
            line = "WRONG: " + note["wrong"] if "wrong" in note else "skipped: " + note["skipped"]
        print("  %-7s %s" % (name, line))
    for one in result["comparisons"]:
        print(
            "  %s / %s: %.4f [%.4f, %.4f] over %d rounds"
            % (one["system"], one["baseline"], one["ratio"], one["low"], one["high"], one["rounds"])
        )
    for field, value in result.get("gpu", {}).items():
        print("  %s: %g (%g to %g)" % (field, value["median"], value["min"], value["max"]))
    sys.stdout.flush()


def run_cases(options, cases, run_case, unit, spelled, summary=None):
    """Runs, shows and saves every case, and prints the `summary` of all results; the
    exit code: 0 all timed, 1 a result was wrong, 2 a system or case could not be run."""
    report = {"environment": environment(options), "results": []}
    code = 0
    for case in cases:
        result = run_case(options, case)
        report["results"].append(result)
        show(result, unit, spelled)
        notes = result["systems"].values()
        if any("skipped" in note for note in notes) and code == 0:
            code = 2
        if any("wrong" in note for note in notes):
            code = 1
        if options.json:  # after every case: a later failure loses nothing
            with open(options.json, "w") as file:
                json.dump(report, file, indent=1)
    if summary:
        print(summary(report["results"]))
    return code
