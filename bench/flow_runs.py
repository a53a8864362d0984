# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The commands of bench/flow.py: each is run once, with its seconds of the clock and of the processor and the memory that
it took at most. With a journal, a campaign that was stopped goes on where it was: a command is known by
the bytes of the program that runs, of its files, and its options."""

import dataclasses
import hashlib
import json
import os
import pathlib
import re
import subprocess
import tempfile
import time


class Failure(RuntimeError):
    pass


@dataclasses.dataclass
class Spent:
    """What commands took."""
    commands: int = 0
    processor: float = 0.0
    megabytes: float = 0.0  # of the largest

    def add(self, done):
        self.commands += 1
        self.processor += done["processor"]
        self.megabytes = max(self.megabytes, done["megabytes"])


def measure(command):
    """The end of one command, as the journal has it."""
    start = time.monotonic()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(command, stdout=out, stderr=err)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.monotonic() - start
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode(errors="replace"))
    return {"status": process.returncode, "out": texts[0], "err": texts[1], "seconds": seconds,
            "processor": usage.ru_utime + usage.ru_stime, "megabytes": usage.ru_maxrss / 1024}


class Runs:
    def __init__(self, journal=None):
        self.journal, self.known, self.files, self.spent = journal, {}, {}, Spent()
        if journal and journal.exists():
            for line in journal.read_text(encoding="utf-8").splitlines():
                # The last line of a run that was killed may be a part of one.
                if line.endswith("}"):
                    entry = json.loads(line)
                    self.known[entry.pop("key")] = entry

    def run(self, command):
        """(standard output, seconds)."""
        command = [str(word) for word in command]
        key = hashlib.sha256("\0".join(map(self.identify, command)).encode()).hexdigest()
        if key not in self.known:
            self.known[key] = measure(command)
            if self.journal:
                with self.journal.open("a", encoding="utf-8") as file:
                    file.write(json.dumps({"key": key, **self.known[key]}) + "\n")
        done = self.known[key]
        self.spent.add(done)
        if done["status"]:
            raise Failure(f"{' '.join(command)}\n{done['out']}{done['err']}")
        return done["out"], done["seconds"]

    def identify(self, word):
        """A word of a command, its file by its bytes: folders of other campaigns have other names."""
        path = pathlib.Path(re.split("=", word)[-1])
        if not path.is_absolute() or not path.is_file():
            return word
        state = (path, path.stat().st_mtime_ns, path.stat().st_size)
        if state not in self.files:
            self.files[state] = hashlib.sha256(path.read_bytes()).hexdigest()
        return word.replace(str(path), self.files[state])

    def take_spent(self):
        """Of the commands since the last call."""
        spent, self.spent = self.spent, Spent()
        return spent
