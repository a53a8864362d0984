# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the fuzzers' first corpus: examples, tests and what they compile to.

    corpus.py --tools build/bin OUT

OUT/TARGET gets the seeds of each target: programs of the tests (split at
`// -----`) and of the examples on every rung, TTIR of Triton's kernels, PTX and
manifests, problems, schedules, certificates and machines, files with elements of
tensors, passes in front of programs, options of the library in front of others,
and the command lines of the tests, an argument a line. OUT/files gets the small files
that command lines name; HEDDLE_FUZZ_FILES tells the target `command` where they
are.
"""

import argparse
import pathlib
import re
import shlex
import struct
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
RUNGS = ["tile", "sched", "aref", "hopper", "nvvm"]
LONGEST = 1 << 16  # of a text that a target looks at
SMALL = ["--set", "BM=64", "--set", "BN=64"]
TARGETS = ["program", "ttir", "aref", "hopper", "plan", "task", "einsum", "flow", "passes", "ptx",
           "manifest", "json", "problem", "solution", "certificate", "machine", "scenario", "record",
           "npy", "elements", "interface", "command"]
COMMANDS = ["check", "compile", "emulate", "explain", "predict", "run", "simulate", "solve", "tune"]
FOLDERS = TARGETS + [f"command-{command}" for command in COMMANDS] + ["files"]
PLAN = "\n// -----\n"


class Corpus:
    def __init__(self, out, tools):
        self.out, self.tools = out, tools
        self.work = pathlib.Path(tempfile.mkdtemp())
        for target in FOLDERS:
            (out / target).mkdir(parents=True, exist_ok=True)

    def add(self, target, name, content):
        if not content or len(content) > LONGEST:
            return
        data = content if isinstance(content, bytes) else content.encode()
        (self.out / target / name).write_bytes(data)

    def run(self, *command):
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True,
                              check=False)
        return done.stdout if done.returncode == 0 else None

    def heddle(self, *arguments):
        return self.run(self.tools / "heddle", *arguments)

    def tasks(self):
        """Programs of tasks, and kernels, each with the mapping that is its plan."""
        for path in sorted((ROOT / "examples" / "task").glob("*.mlir")) + [ROOT / "examples" / "gemm.mlir"]:
            text = path.read_text()
            found = self.heddle("compile", path, "--schedule=heuristic", "--emit=mapping")
            if found:
                self.add("task", path.stem, text + PLAN + found)
            own = re.search(r"^task\.mapping.*?^}", text, re.S | re.M)
            if own:
                self.add("task", f"{path.stem}-own", text + PLAN + own[0] + "\n")

    def tests(self):
        for path in sorted((ROOT / "test").rglob("*.mlir")):
            for number, text in enumerate(path.read_text().split("// -----")):
                name = "-".join(path.relative_to(ROOT / "test").with_suffix("").parts)
                self.add("program", f"{name}-{number}", text)
                for rung in ("aref", "hopper", "einsum", "flow"):
                    if f"{rung}." in text:
                        self.add(rung, f"{name}-{number}", text)
                passes = re.search(r"RUN: heddle-opt %s (--[^|>\n]*)", path.read_text())
                if passes:
                    self.passes(f"{name}-{number}", passes[1], text)

    def passes(self, name, options, text):
        """A pipeline for `passes`, of the options of heddle-opt."""
        names = []
        for option in shlex.split(options):
            word, _, values = option.lstrip("-").partition("=")
            if option.startswith("--") and word not in ("split-input-file", "verify-diagnostics") \
                    and not word.startswith("mlir-"):
                names.append(f"{word}{{{values}}}" if values else word)
        if names:
            self.add("passes", name, ",".join(names) + "\n" + text)

    def einsums(self):
        for path in sorted((ROOT / "examples" / "sparse").glob("*.mlir")):
            self.add("einsum", path.stem, path.read_text())
            self.add("einsum", f"{path.stem}-planned", self.heddle("compile", path, "--emit=einsum", "-o", "-"))
            self.add("flow", path.stem, path.read_text())
            self.add("flow", f"{path.stem}-graph", self.heddle("compile", path, "--emit=flow", "-o", "-"))
            self.add("interface", f"sparse-{path.stem}", "5 5 1 5 9\n" + path.read_text())
        for path in sorted((ROOT / "test/Sparse/Inputs").iterdir()):
            if path.suffix in (".mtx", ".txt"):
                self.add("elements", path.name, path.read_bytes())

    def interface(self):
        """Options of libheddle in front of small programs."""
        options = ('{"schedule": "heuristic"}', '{"settings": ["BM=64"], "path": "p.mlir", "assume": "either"}',
                   '{"or_tile": [["BM=64"]], "machine": "h200", "debug_waits": true, "schedule": "heuristic"}',
                   '{"order": "adversarial", "seed": 3, "sms": 2, "races": false}')
        for path in sorted((ROOT / "examples").glob("*.mlir")):
            text = path.read_text()
            if len(text) < 2500:
                for number, line in enumerate(options):
                    self.add("interface", f"{path.stem}-{number}", f"{line}\n{text}")

    def examples(self):
        for path in sorted((ROOT / "examples").glob("*.mlir")):
            for rung in RUNGS:
                text = self.heddle("compile", path, *SMALL, f"--emit={rung}", "-o", "-")
                self.add("program", f"{path.stem}-{rung}", text)
                if rung in ("aref", "hopper"):
                    self.add(rung, path.stem, text)
                if rung == "sched" and text:
                    plan = re.search(r"^sched\.plan.*?^}", text.replace("\n  sched.plan", "\nsched.plan")
                                     .replace("\n  }", "\n}"), re.S | re.M)
                    if plan:
                        self.add("plan", path.stem, path.read_text() + PLAN + plan[0] + "\n")
            ptx, cert = self.work / "k.ptx", self.work / "cert"
            cert.mkdir(exist_ok=True)
            if self.heddle("compile", path, *SMALL, "-o", ptx, f"--certificates={cert}") is None:
                continue
            self.add("ptx", path.stem, ptx.read_bytes())
            self.add("manifest", path.stem, ptx.with_suffix(".json").read_bytes())
            for file in cert.glob("*.json"):
                self.add("certificate", path.stem, file.read_bytes())
                self.add("json", f"certificate-{path.stem}", file.read_bytes())
                file.unlink()
        for path in sorted((ROOT / "examples/aref").glob("*.mlir")):
            self.add("aref", path.stem, path.read_text())

    def problems(self):
        for path in sorted((ROOT / "examples").glob("*.mlir")):
            for way in ("heuristic", "exact"):
                problem = self.work / "problem.json"
                if self.heddle("explain", path, *SMALL, f"--schedule={way}",
                               f"--problem={problem}") is None or not problem.exists():
                    continue
                text = problem.read_text()
                self.add("problem", f"{path.stem}-{way}", text)
                answer = self.work / "answer.json"
                if self.heddle("solve", problem, "--steps=100000", f"--json={answer}") is None:
                    continue
                solution = re.search(r'"solution": (\{.*\n    \})', answer.read_text(), re.S)
                if solution:
                    self.add("solution", f"{path.stem}-{way}", text.strip() + "\n\n" + solution[1])

    def data(self):
        for folder in ("examples/task", "test/error/task"):
            for path in sorted((ROOT / folder).glob("*.mlir")):
                self.add("program", f"task-{path.stem}", path.read_text())
        for path in sorted((ROOT / "machines").glob("*.json")):
            self.add("machine", path.stem, path.read_text())
            self.add("json", path.stem, path.read_text())
        for path in sorted((ROOT / "bench/tuner/spaces").glob("*.json")):
            self.add("scenario", path.stem, path.read_text())
        scenarios = re.findall(r"```json\n(.*?)```", (ROOT / "docs/tuning.md").read_text(), re.S)
        scenarios += re.findall(r"^# RUN: echo '(.*)' > ", "".join(
            path.read_text() for path in sorted((ROOT / "test/error").glob("tuner-*.test"))), re.M)
        for number, text in enumerate(scenarios):
            self.add("scenario", f"page-{number}", text)
        point = '{"point": {"a": 4, "l": "x", "d": 3, "p": [2, 0, 1], "r": 0.5}, '
        end = '{"end": "bounds", "points": 48, "refused": 7, "slower": 30, "open": 9, "least": 0.75}\n'
        verdict = ('{"confirmed": {"a": 4, "l": "x", "d": 3, "p": [2, 0, 1], "r": 0.5}, "win": true, "share": 0.5, '
                   '"low": 0.25, "high": 0.625, "noise": 0.125, "rounds": 12}\n')
        self.add("record", "record", '{"heddle_tune": 2, "space": "0", "key": ""}\n{"input_parameters": {"a": '
                 '{"parameter_type": "ordinal", "values": [1, 2]}}, "log_transform_output": false}\n' + point
                 + '"value": 1.5, "code": "00ff"}\n' + point + '"invalid": "registers"}\n' + end + verdict)
        self.add("record", "answer", '{"valid": false, "reason": "registers"}\n')
        self.add("record", "reply", "a,l,d,p,r,value,Valid\n4,x,3,(2,0,1),0.5,1.5,true\n")
        for path in sorted((ROOT / "test/triton/ttir").rglob("*")):
            if path.is_file() and path.suffix in (".ttir", ".mlir"):
                self.add("ttir", "-".join(path.parts[-2:]), path.read_text())
        for path in sorted((ROOT / "test/Frontend/Ttir").rglob("*.mlir")):
            self.add("ttir", path.stem, path.read_text())
        for folder in (ROOT / "test", self.tools.parent / "triton"):
            for path in sorted(folder.rglob("*.ptx")):
                self.add("ptx", path.name, path.read_bytes())
        for dtype in ("<f2", "<f4", "<f8", "|i1", "<i8", "|u1", "|b1"):
            header = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': (4, 8), }}"
            header += " " * (53 - len(header) + 64) + "\n"
            content = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()
            self.add("npy", dtype[1:], content + bytes(32 * int(dtype[2])))

    def files(self):
        """What command lines name: small, so that a run takes no time."""
        kernel = ROOT / "examples/softmax.mlir"
        (self.out / "files/a.mlir").write_text((ROOT / "examples/transpose.mlir").read_text())
        (self.out / "files/g.mlir").write_text((ROOT / "examples/gemm.mlir").read_text())
        for rung in RUNGS:
            text = self.heddle("compile", ROOT / "examples/gemm.mlir", *SMALL, f"--emit={rung}", "-o", "-")
            (self.out / f"files/{rung}.mlir").write_text(text or "")
        ptx = self.work / "f.ptx"
        if self.heddle("compile", ROOT / "examples/transpose.mlir", "-o", ptx) is not None:
            (self.out / "files/k.ptx").write_bytes(ptx.read_bytes())
            (self.out / "files/k.json").write_bytes(ptx.with_suffix(".json").read_bytes())
        for target, name in (("certificate", "c.json"), ("problem", "p.json"), ("npy", "n.npy"),
                             ("machine", "m.json"), ("ttir", "t.ttir"), ("einsum", "e.mlir"),
                             ("elements", "e.mtx")):
            seeds = sorted((self.out / target).iterdir(), key=lambda path: path.stat().st_size)
            if seeds:
                (self.out / "files" / name).write_bytes(seeds[0].read_bytes())
        (self.out / "files/s.mlir").write_text(kernel.read_text())
        (self.out / "files/w.json").write_text((ROOT / "test/error/Inputs/tuner-space.json").read_text())
        (self.out / "files/r.jsonl").write_bytes((self.out / "record/record").read_bytes())
        (self.out / "files/v.mlir").write_text((ROOT / "examples/sparse/spmv.mlir").read_text())
        (self.out / "files/q.mlir").write_text((ROOT / "examples/task/gemm.mlir").read_text())
        mapping = self.heddle("compile", ROOT / "examples/task/gemm.mlir", "--schedule=heuristic", "--emit=mapping")
        (self.out / "files/q.plan.mlir").write_text(mapping or "")

    def command(self, name, text):
        """A line for all commands, and its arguments for the target of its own."""
        self.add("command", name, text)
        word, _, arguments = text.partition("\n")
        if word in COMMANDS:
            self.add(f"command-{word}", name, arguments)

    def commands(self):
        """RUN lines of the tests, with the files of `files` in place of theirs."""
        stands = {".mlir": "a.mlir", ".ptx": "k.ptx", ".json": "k.json", ".npy": "n.npy", ".ttir": "t.ttir"}
        seen = set()
        for path in sorted((ROOT / "test").rglob("*")):
            if path.suffix not in (".mlir", ".test") or not path.is_file():
                continue
            for line in re.findall(r"RUN:.*?\b(heddle [a-z]+ .*)", path.read_text(errors="replace")):
                try:
                    words = shlex.split(re.split(r"[|>&;]|2>", line)[0])
                except ValueError:
                    continue
                arguments = []
                for word in words[1:]:
                    head, equals, tail = word.rpartition("=") if word.startswith("--") else ("", "", word)
                    if "%" in tail or "/" in tail:
                        tail = stands.get(pathlib.PurePath(tail).suffix, "a.mlir")
                    arguments.append(head + equals + tail)
                text = "\n".join(arguments)
                if text not in seen:
                    seen.add(text)
                    self.command(f"run-{len(seen)}", text)
        for number, text in enumerate((
                "run\na.mlir\n--view\nx=8x8\n--view\ny=8x8", "simulate\na.mlir\n--view\nx=8x8",
                "emulate\nk.ptx\n--manifest=k.json\n--view\nx=8x8\n--view\ny=8x8",
                "emulate\nk.ptx\n--arg=x=64xf32\n--arg=n=i32:7\n--grid=2,1,1\n--block=32\n--shared=4096",
                "check\nhopper.mlir", "check\n--certificate=c.json", "solve\np.json\n--ii=100",
                "explain\naref.mlir", "compile\nt.ttir\n--emit=hopper\n-o\n-",
                "run\nv.mlir\n--view\nA=9x7\n--view\nx=7\n--interpret",
                "run\nv.mlir\n--elements\nA=e.mtx\n--view\nx=3\n--plan=random\n--interpret\n--workers=2",
                "explain\nv.mlir\n--view\nA=9x7\n--view\nx=7\n--certificate=-",
                "simulate\nv.mlir\n--view\nA=9x7\n--view\nx=7", "compile\nv.mlir\n--emit=flow\n-o\n-",
                "compile\nq.mlir\n--mapping=q.plan.mlir\n-o\n-", "explain\nq.mlir\n--mapping=q.plan.mlir",
                "predict\ng.mlir\n--view\na=128x64\n--view\nb=64x64\n--view\nc=128x64",
                "tune\nw.json\n--replay=r.jsonl", "tune\nw.json\n--count\n--parts", "tune\nw.json\n--serve",
                "tune\ng.mlir\n--choose=tiles\n--view\na=128x64\n--view\nb=64x64\n--view\nc=128x64\n-o\nx.mlir",
                "compile\ng.mlir\n--set\nBM=64\n--machine=m.json\n-o\n@full", "check\n@zero")):
            self.command(f"own-{number}", text)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tools", type=pathlib.Path, default=ROOT / "build/bin")
    parser.add_argument("out", type=pathlib.Path)
    options = parser.parse_args()
    corpus = Corpus(options.out, options.tools.resolve())
    corpus.tests()
    corpus.tasks()
    corpus.einsums()
    corpus.interface()
    corpus.examples()
    corpus.problems()
    corpus.data()
    for seed in range(1, 60):
        corpus.add("program", f"seed-{seed}", corpus.run(corpus.tools / "heddle-fuzz", "print", f"--seed={seed}"))
    corpus.files()
    corpus.commands()
    print(", ".join(f"{len(list((options.out / target).iterdir()))} for {target}" for target in FOLDERS))


if __name__ == "__main__":
    main()
