# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the libFuzzer targets one after the other on a corpus that grows.

    run.py --build build-fuzz --corpus build-fuzz/corpus --minutes 20

The minutes are shared: most for the programs, which go through every pass.
What crashed is left in CORPUS/FUZZER-crashes; run the fuzzer on that file alone
to see the stack.
"""

import argparse
import os
import pathlib
import subprocess
import sys

SHARES = {"program": 0.8, "ptx": 0.1, "manifest": 0.1}
OPTIONS = ["-timeout=20", "-rss_limit_mb=3000", "-malloc_limit_mb=2000", "-max_len=65536",
           "-len_control=0", "-print_final_stats=1", "-reload=0"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, default="build-fuzz")
    parser.add_argument("--corpus", type=pathlib.Path, required=True)
    parser.add_argument("--minutes", type=float, default=20)
    options = parser.parse_args()
    # LLVM's own archives are not instrumented: what its containers hold is not known.
    environment = dict(os.environ, ASAN_OPTIONS="detect_leaks=0:detect_container_overflow=0")
    failed = []
    for name, share in SHARES.items():
        crashes = options.corpus / f"{name}-crashes"
        crashes.mkdir(parents=True, exist_ok=True)
        command = [options.build / "bin" / f"{name}-fuzzer", options.corpus / name, *OPTIONS,
                   f"-artifact_prefix={crashes}/", f"-max_total_time={int(options.minutes * 60 * share)}"]
        print(f"{name}-fuzzer:", flush=True)
        done = subprocess.run(command, env=environment, stderr=subprocess.PIPE, text=True, errors="replace")
        lines = done.stderr.splitlines()
        print("\n".join(lines[-12:] if done.returncode == 0 else lines[-60:]), flush=True)
        if done.returncode != 0:
            failed.append(name)
    print(f"failed: {', '.join(failed)}" if failed else "no crash, no hang, no assertion")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
