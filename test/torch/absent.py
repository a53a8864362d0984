#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Libraries that say "no device" in place of CUDA's: absent.py TORCH_LIB_FOLDER.

PyPI's PyTorch for Linux is linked with CUDA's libraries, 3 GB that a processor alone never
calls; without them it does not load. For each library that the files in the folder need and
that is neither there nor part of the C and C++ runtime, one is written into the folder with
the same names and versions of symbols, whose functions return CUDA's error 100, "no device".
PyTorch then finds no GPU and works on the processor. Needs readelf, nm and cc.
"""

import collections
import pathlib
import re
import subprocess
import sys
import tempfile

RUNTIME = re.compile(r"(libc|libm|libdl|librt|libpthread|libstdc\+\+|libgcc_s|libgomp|libquadmath|libz|ld-linux.*)\.so\.\d+$")
FOREIGN = re.compile(r"(cu|nccl|nv|__cuda)[A-Za-z_]")  # symbols without a version that are CUDA's


def lines_of(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True)
    return done.stdout.splitlines()


def symbols_of(file, kind):
    return [line.split()[-1] for line in lines_of("nm", "-D", kind, str(file)) if line.strip()]


def versions_needed(file):
    """(library, version) pairs that a file asks of others."""
    library = None
    for line in lines_of("readelf", "-V", "-W", str(file)):
        if found := re.search(r"File: (\S+)", line):
            library = found[1]
        elif library and (found := re.search(r"Name: (\S+)", line)):
            yield library, found[1]


def find_absent(folder):
    """Library -> version of its symbols or None -> names, of what has to be made."""
    files = sorted(file for file in folder.iterdir() if ".so" in file.name)
    defined = {name.partition("@")[0] for file in files for name in symbols_of(file, "--defined-only")}
    needed = {found[1] for file in files for line in lines_of("readelf", "-d", str(file))
              if (found := re.search(r"NEEDED.*\[(.*)\]", line))}
    absent = {name: collections.defaultdict(set) for name in sorted(needed)
              if not RUNTIME.match(name) and not (folder / name).exists()}
    owner = {version: library for file in files for library, version in versions_needed(file) if library in absent}
    for file in files:
        for symbol in symbols_of(file, "--undefined-only"):
            name, _, version = symbol.partition("@")
            if version in owner:
                absent[owner[version]][version].add(name)
            elif not version and name not in defined and FOREIGN.match(name):
                absent[next(iter(absent))][None].add(name)  # any will do: such a name is looked up in all
    return absent


def make(folder, library, versions, scratch):
    source, script = scratch / "absent.c", scratch / "absent.map"
    names = sorted(set().union(*versions.values()))
    source.write_text("".join(f"int {name}(void) {{ return 100; }}\n" for name in names))
    script.write_text("".join(f"{version} {{ global: {'; '.join(sorted(names))}; }};\n"
                              for version, names in sorted(versions.items(), key=str) if version))
    versioned = [f"-Wl,--version-script={script}"] if script.stat().st_size else []
    subprocess.run(["cc", "-w", "-O1", "-shared", "-fPIC", "-nostdlib", "-fno-builtin", f"-Wl,-soname,{library}",
                    *versioned, str(source), "-o", str(folder / library)], check=True)


def main():
    folder = pathlib.Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as scratch:
        for library, versions in find_absent(folder).items():
            make(folder, library, versions, pathlib.Path(scratch))


if __name__ == "__main__":
    main()
