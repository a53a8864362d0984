# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Edits what heddle writes and reads as a hand might, and holds every command to it.

    edits.py --tools build/bin --edits 200 --seed 1 --jobs 2 [--only gemm] [--kind aref]
    edits.py --tools build/bin --show gemm.aref.17       # the edited text of one

Each case is a program with a small launch. What the compiler makes of it, each rung, the plan as a
mapping, the manifest, problems and certificates, a tuner's space and record, is a text; an edit
drops or doubles a line, exchanges neighbours, gives an operand another name, or changes a number or
a type. Then every command that reads such a text runs on it, within 40 s of a processor and 6 GiB.
A find is

  a crash    a signal, an assertion, a bug in heddle, or an end without a sentence;
  a hang     more time, or more memory;
  wrong      a program that has a meaning of its own (tile, sched, tasks, einsums, or a program
             under a mapping) and is compiled, but computes something else than its oracle;
  silent     a rung of processes that `heddle check` refutes, and `heddle compile` takes;
  unsound    one that is proved, and that the emulator faults;
  different  an aref rung that the simulator executes to another result than the emulator.

The same seed is the same edit. Ends with a table and status 1 if there are finds, whose texts are
in --keep.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import random
import re
import resource
import subprocess
import sys
import tempfile

import edit_cases
import edit_text

SECONDS, BYTES = 40, 6 << 30
SMALL = ["--max-steps=3000000"]
CRASH = re.compile(r"bug in heddle|Stack dump|PLEASE submit|Assertion|LLVM ERROR|not well-formed|Traceback")
Ended = collections.namedtuple("Ended", "status said")
Find = collections.namedtuple("Find", "edit kind command said")


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Edit:
    """One edited text, and what commands say of it."""

    def __init__(self, options, case, kind, text, number):
        self.options, self.case, self.kind = options, case, kind
        self.name = f"{case.name}.{kind}.{number}"
        self.text = edit_text.edit(text, random.Random(f"{options.seed} {self.name}"))
        self.finds, self.outcome = [], "refused"

    def judge(self, folder):
        self.folder = folder
        self.file = folder / f"{self.name}.{'json' if self.kind in edit_cases.DATA else 'mlir'}"
        self.file.write_text(self.text)
        self.ptx = folder / f"{self.name}.ptx"
        getattr(self, "judge_" + edit_cases.JUDGES[self.kind])()
        for find in self.finds:
            kept = self.options.keep / self.file.name
            kept.write_text(f"{self.text}\n")
        for file in folder.glob(f"{self.name}.*"):
            file.unlink()
        return self

    def run(self, *words):
        """One command, whose crash or hang is a find."""
        command = [str(self.options.tools / "heddle"), *map(str, words)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False,
                                  preexec_fn=limit, timeout=20 * SECONDS, cwd=self.folder)
            ended = Ended(done.returncode, done.stdout + done.stderr)
        except subprocess.TimeoutExpired:
            ended = Ended(-24, "no end")
        if ended.status in (-24, -9) or "bad_alloc" in ended.said or "out of memory" in ended.said.lower():
            self.find("hang", words, ended)
        elif ended.status < 0 or ended.status > 3 or CRASH.search(ended.said):
            self.find("crash", words, ended)
        elif ended.status and not re.search(r"error: |WRONG|counterexample|not proved|refuted", ended.said):
            self.find("crash", words, ended)
        return ended

    def find(self, kind, words, ended):
        lines = [line for line in ended.said.splitlines() if line.strip()]
        said = next((line for line in lines if CRASH.search(line) or "error" in line or "WRONG" in line),
                    lines[-1] if lines else "")
        self.finds.append(Find(self.name, kind, " ".join(map(str, words)).replace(str(self.folder) + "/", ""),
                               f"status {ended.status}: {said[:300]}"))

    def launch(self, *before, device="emulator", order="fair"):
        extra = [f"--device={device}"] + (["--order=" + order] if device == "emulator" else [])
        return self.run("run", *before, *extra, *SMALL, "--sms=2", *self.case.launch)

    def wants_right(self, ended, *words):
        """A program that says itself what it means: right, or a sentence before it is launched."""
        if ended.status == 0:
            self.outcome = "right"
        elif ended.status == 1:
            self.find("wrong", (*words, *self.case.launch), ended)

    def wants_the_oracle(self, *before, device="emulator"):
        self.wants_right(self.launch(*before, device=device), "run", *before, "--device=" + device)

    def wants_compiled(self, *words):
        if self.run("compile", *words).status == 0:
            self.outcome = "compiled"

    def compile_and_check(self):
        """Exit codes of both."""
        checked = self.run("check", self.file)
        compiled = self.run("compile", self.file, "-o", self.ptx)
        if compiled.status == 0:
            self.outcome = "compiled"
            if checked.status == 1:
                self.find("silent", ("compile", self.file), checked)
        return checked.status, compiled.status

    def judge_program(self):
        self.compile_and_check()
        self.run("explain", self.file)
        self.run("simulate", self.file, *SMALL, *self.case.launch)
        self.wants_the_oracle(self.file)
        if self.kind == "tile":
            self.wants_the_oracle(self.file, device="cpu")

    def judge_task(self):
        self.wants_compiled(self.file, "-o", self.ptx)
        self.wants_the_oracle(self.file)

    def judge_processes(self):
        """Rungs below the plan: the protocol is proved, and what the simulator computes counts."""
        verdict, compiled = self.compile_and_check()
        oracle = (self.file, f"--oracle={self.case.written}")
        simulated = self.run("simulate", *oracle, *SMALL, *self.case.launch) if self.kind == "aref" else None
        if verdict or compiled:
            return
        for order in ("fair", "adversarial"):
            ended = self.launch(*oracle, order=order)
            wrong = "differs from the oracle" in ended.said
            if ended.status == 1 and not wrong:
                self.find("unsound", ("run", self.file, "--order=" + order, *self.case.launch), ended)
            if ended.status == 0 or wrong:
                self.outcome = "right" if ended.status == 0 else "another program"
                if simulated and simulated.status != ended.status:
                    self.find("different", ("simulate", self.file, *self.case.launch), simulated)

    def judge_lower(self):
        self.wants_compiled(self.file, "-o", self.ptx)

    def judge_mapping(self):
        program = (self.case.written, f"--mapping={self.file}")
        self.wants_compiled(*program, "-o", self.ptx)
        self.run("explain", *program)
        self.wants_the_oracle(*program)

    def judge_manifest(self):
        ended = self.run("emulate", self.case.ptx, f"--manifest={self.file}", *SMALL, "--sms=2", *self.case.arguments)
        self.outcome = "ran" if ended.status == 0 else "refused"

    def judge_einsum(self):
        self.wants_compiled(self.file, "--emit=llvm", "-o", "-")
        self.run("explain", self.file, *self.case.arguments)
        self.run("simulate", self.file, *SMALL, *self.case.launch)
        self.wants_right(self.run("run", self.file, *SMALL, *self.case.launch), "run", self.file)

    def judge_flow(self):
        self.wants_right(self.run("simulate", self.file, *SMALL, *self.case.launch), "simulate", self.file)

    def judge_problem(self):
        ended = self.run("solve", self.file, "--steps=2000")
        self.outcome = "solved" if ended.status == 0 else "refused"

    def judge_certificate(self):
        ended = self.run("check", f"--certificate={self.file}")
        self.outcome = "believed" if ended.status == 0 else "refused"

    def judge_space(self):
        self.run("tune", self.file, "--count")
        ended = self.run("tune", self.file, f"--replay={self.case.folder / self.case.name}.own.jsonl", "--budget=8")
        self.outcome = "replayed" if ended.status == 0 else "refused"

    def judge_record(self):
        ended = self.run("tune", self.case.path, f"--replay={self.file}", "--budget=8")
        self.outcome = "replayed" if ended.status == 0 else "refused"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", type=pathlib.Path, default=edit_cases.ROOT / "build/bin")
    parser.add_argument("--edits", type=int, default=200, help="of each case, shared by its texts")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", action="append", help="a case")
    parser.add_argument("--kind", action="append", help="a kind of text")
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for the texts of finds")
    parser.add_argument("--show", help="CASE.KIND.NUMBER: print that text and end")
    options = parser.parse_args()
    options.tools = options.tools.resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        options.keep = options.keep or pathlib.Path(tempfile.gettempdir())
        options.keep.mkdir(parents=True, exist_ok=True)
        options.keep = options.keep.resolve()
        if options.show:
            case, kind, number = options.show.rsplit(".", 2)
            options.only, options.kind = [case], [kind]
        edits = []
        for case in edit_cases.make(options.tools, folder, options.only):
            texts = {kind: text for kind, text in case.texts.items() if not options.kind or kind in options.kind}
            for number in range(options.edits if texts and not options.show else 0):
                kind = list(texts)[number % len(texts)]
                edits.append(Edit(options, case, kind, texts[kind], number))
            if options.show:
                return print(Edit(options, case, kind, texts[kind], int(number)).text)
        table, finds = collections.defaultdict(collections.Counter), []
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for done in pool.map(lambda edit: edit.judge(folder), edits):
                table[done.kind][done.outcome] += 1
                finds += done.finds
                for find in done.finds:
                    print(f"{find.edit}: {find.kind.upper()}: {find.said}\n  heddle {find.command}", flush=True)
    for kind, outcomes in sorted(table.items()):
        print(f"{kind}: {sum(outcomes.values())} edits: " + ", ".join(f"{n} {what}" for what, n in outcomes.most_common()))
    print(f"edits: {len(edits)} of {len({edit.case.name for edit in edits})} programs, {len(finds)} finds")
    return 1 if finds else 0


if __name__ == "__main__":
    sys.exit(main())
