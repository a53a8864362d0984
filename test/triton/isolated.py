# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles and emulates generated kernels, each in a process of its own, so that one
that crashes is a result like others."""

import os
import pathlib
import pickle
import signal
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "python"))
import heddle

SECONDS = 120  # of the processor; more than any of these takes


class Outcome:
    """`kind` is right, wrong, declined, refused (a valid program called bad input),
    crashed or internal; `text` says more. `loop` is the outcome of a compiled kernel,
    `seconds` the time that compiling took, whatever came of it."""

    def __init__(self, kind, text="", loop="", seconds=0.0):
        self.kind, self.text, self.loop, self.seconds = kind, text, loop, seconds

    @property
    def is_fine(self):
        """Right, or declined by a sentence with an id."""
        return self.kind in ("right", "declined")


def compile_and(text, use, path):
    """`use` gets the compiled kernel and returns None, or what is wrong."""
    start = time.process_time()
    try:
        compiled = heddle.compile(text, path=path)
    except heddle.CompileError as error:
        seconds = time.process_time() - start
        lines = [line for line in error.messages.splitlines() if "error: " in line]
        sentence = lines[-1] if lines else error.messages
        if error.internal or not lines:
            return Outcome("internal", sentence, "", seconds)
        return Outcome("declined" if error.declined else "refused", sentence, "", seconds)
    seconds = time.process_time() - start
    wrong = use(compiled)
    return Outcome("wrong" if wrong else "right", wrong or "", compiled.outcome, seconds)


def isolated(text, use, path="generated.ttir", seconds=SECONDS):
    """The Outcome of compile_and, from a child."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # a crash prints its stack
        signal.setitimer(signal.ITIMER_PROF, seconds)
        try:
            outcome = compile_and(text, use, path)
        except Exception as error:  # of the emulator, or of the test
            outcome = Outcome("wrong", f"{type(error).__name__}: {error}")
        with os.fdopen(write, "wb") as file:
            pickle.dump((outcome.kind, outcome.text, outcome.loop, outcome.seconds), file)
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as file:
        data = file.read()
    status = os.waitpid(child, 0)[1]
    if status or not data:
        by = signal.Signals(os.WTERMSIG(status)).name if os.WIFSIGNALED(status) else f"exit status {status >> 8}"
        return Outcome("crashed", f"more than {seconds} s" if by == "SIGPROF" else by)
    return Outcome(*pickle.loads(data))


def summary(outcomes):
    """How many of each kind, and the sentences of those that are not fine."""
    kinds = {}
    for outcome in outcomes.values():
        kinds[outcome.kind] = kinds.get(outcome.kind, 0) + 1
    bad = [f"{name}: {one.kind}: {one.text}" for name, one in outcomes.items() if not one.is_fine]
    return kinds, "\n".join(bad)
