#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs every test of a build and ends with one line: N passed, M failed.

Counted are lit tests, GoogleTest cases, Python unittests and the structure
check. --fast leaves out the groups that run whole kernels or packages: what is
left takes less than two minutes. Exit status 1 if any failed or none ran.
"""

import argparse
import concurrent.futures
import contextlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent

# The folders of lit tests that compile and run whole kernels.
SLOW_FOLDERS = ("Check", "EndToEnd", "Frontend", "Pipeline", "Tools")


class Tally:
    """What one group of tests did."""

    def __init__(self, name, passed=0, failures=(), skipped=0):
        self.name = name
        self.passed = passed
        self.failures = list(failures)
        self.skipped = skipped
        self.seconds = 0.0


def timed(function, *arguments):
    """The tally of `function`, with the time that it took."""
    start = time.monotonic()
    tally = function(*arguments)
    tally.seconds = time.monotonic() - start
    return tally


def read_json(path):
    """The JSON in `path`, or None when a run died before writing it."""
    try:
        return json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def run_lit(command, jobs, scratch):
    report_path = os.path.join(scratch, "lit.json")
    status = subprocess.run(command + [f"-j{jobs}", "-q", "-v", "--output", report_path]).returncode
    report = read_json(report_path)
    tally = Tally("lit")
    if report is None:
        tally.failures.append(f"lit died with status {status}")
        return tally
    for test in report["tests"]:
        if test["code"] in ("PASS", "XFAIL", "FLAKYPASS"):
            tally.passed += 1
        elif test["code"] in ("UNSUPPORTED", "SKIPPED", "EXCLUDED"):
            tally.skipped += 1
        else:
            tally.failures.append(test["name"])
    return tally


def run_gtest(name, command, scratch):
    report_path = os.path.join(scratch, name + ".json")
    done = subprocess.run(
        command + [f"--gtest_output=json:{report_path}"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    tally = Tally(name)
    report = read_json(report_path)
    if report is None and done.returncode == 0:
        return run_program(name, command)  # no GoogleTest after all
    if report is None:
        tally.failures.append(f"{name} died with status {done.returncode}")
    for suite in (report or {}).get("testsuites", []):
        for case in suite["testsuite"]:
            if case.get("result") == "SKIPPED" or case.get("status") == "NOTRUN":
                tally.skipped += 1
            elif case.get("failures"):
                tally.failures.append(f"{name}: {suite['name']}.{case['name']}")
            else:
                tally.passed += 1
    if done.returncode and not tally.failures:
        tally.failures.append(f"{name} ended with status {done.returncode}")
    if tally.failures:
        print(done.stdout)
    return tally


def run_program(name, command):
    """A ctest that is neither lit nor GoogleTest: Python unittests, else one test."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace")
    ran = re.search(r"^Ran (\d+) tests? in ", done.stdout, re.MULTILINE)
    skipped = re.search(r"^(?:OK|FAILED) \(.*skipped=(\d+)", done.stdout, re.MULTILINE)
    failures = re.findall(r"^(?:FAIL|ERROR): (.*)$", done.stdout, re.MULTILINE)
    if done.returncode and not failures:
        failures = [f"{name} ended with status {done.returncode}"]
    if failures:
        print(done.stdout)
    for remark in re.findall(r"^remark: .*$", done.stdout, re.MULTILINE):
        print(f"{name}: {remark}", flush=True)
    skipped = int(skipped[1]) if skipped else 0
    count = int(ran[1]) if ran else 1
    return Tally(name, max(0, count - skipped - len(failures)), failures, skipped)


def list_ctests(build):
    listing = subprocess.run(["ctest", "--show-only=json-v1"], cwd=build, check=True,
                             stdout=subprocess.PIPE, text=True).stdout
    for test in json.loads(listing)["tests"]:
        labels = [label for prop in test.get("properties", [])
                  if prop["name"] == "LABELS" for label in prop["value"]]
        if "command" in test:
            yield test["name"], test["command"], labels
        else:
            print(f"ctest {test['name']} was not built")
            yield test["name"], ["false"], []


def use_sanitizers(build):
    """What a build with sanitizers needs: Python loads heddle's libraries, and has their runtime
    only if it starts with it. LLVM's archives are not instrumented, so what their containers
    hold and which allocator they call is not known. LLVM gives a thread a stack for signals, and
    AddressSanitizer would unmap any that it finds when the thread ends."""
    runtime = build / "sanitizer-runtime.txt"
    if not runtime.exists():
        return
    os.environ["LD_PRELOAD"] = runtime.read_text(encoding="utf-8").strip()
    os.environ["ASAN_OPTIONS"] = ("detect_leaks=0:detect_container_overflow=0:alloc_dealloc_mismatch=0:"
                                  "allocator_may_return_null=1:allow_user_poisoning=0:detect_odr_violation=0:"
                                  "use_sigaltstack=0")
    os.environ["UBSAN_OPTIONS"] = "print_stacktrace=1"


@contextlib.contextmanager
def packages_beside(fast):
    """Fetches what some groups need while others run; they say what cannot be had."""
    if fast:
        yield
        return
    with subprocess.Popen([sys.executable, "-B", str(ROOT / "test/groups/prepare.py")], stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL):
        yield


def longest_first(groups):
    """Programs take up to minutes each and GoogleTest seconds, so that the short ones fill the end."""
    return sorted(groups, key=lambda group: group[0] is not run_program)


def run_all(build, jobs, fast):
    """Yields a tally for each group as it ends."""
    yield timed(run_program, "structure", [sys.executable, str(ROOT / "scripts/check_structure.py")])
    yield timed(run_program, "diagnostics", [sys.executable, str(ROOT / "scripts/check_diagnostics.py")])
    yield timed(run_program, "scripts", [sys.executable, "-m", "unittest", "discover",
                                         "-s", str(ROOT / "scripts/tests"), "-p", "*_test.py"])
    with packages_beside(fast), tempfile.TemporaryDirectory() as scratch:
        others = []
        for name, command, labels in list_ctests(build):
            if "lit" in labels:
                chosen = ["--filter-out", f":: ({'|'.join(SLOW_FOLDERS)})/"] if fast else []
                yield timed(run_lit, command + chosen, jobs, scratch)
            elif "unit" in labels:
                others.append((run_gtest, name, command, scratch))
            elif not fast:
                others.append((run_program, name, command))
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            yield from pool.map(lambda call: timed(*call), longest_first(others))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default="build", help="the build folder")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--fast", action="store_true", help="only what takes little time")
    options = parser.parse_args()

    passed, failures = 0, []
    use_sanitizers(ROOT / options.build)
    for tally in run_all(ROOT / options.build, options.jobs, options.fast):
        skipped = f", {tally.skipped} skipped" if tally.skipped else ""
        print(f"{tally.name}: {tally.passed} passed, {len(tally.failures)} failed{skipped}"
              f" ({tally.seconds:.0f} s)",
              flush=True)
        passed += tally.passed
        failures += tally.failures
    for failure in failures:
        print(f"FAILED: {failure}")
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
