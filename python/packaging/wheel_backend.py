# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `pip install .` calls (PEP 517 and 660), with nothing but Python's library.

Builds libheddle.so, libheddle_runtime.so and the heddle tool by CMake in build/, as
`make build` does, and packs them with python/heddle: one wheel for every Python, because
the libraries are loaded by ctypes. What `make demo` or `make test` left there is not built
again; another folder than build/ is named by

    pip install . --config-settings build-dir=FOLDER     or HEDDLE_BUILD_DIR=FOLDER

pip shows nothing of what a backend prints, so how far it is goes to the terminal itself.
"""

import base64
import hashlib
import os
import pathlib
import platform
import re
import stat
import subprocess
import sys
import tempfile
import time
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
# In the build, and in the package.
BINARIES = {
    "lib/libheddle.so": "libheddle.so",
    "lib/libheddle_runtime.so": "libheddle_runtime.so",
    "bin/heddle": "bin/heddle",
}
TARGETS = ("HeddleCompiler", "HeddleRuntime", "heddle")
# The same bytes for the same files.
EPOCH = (1980, 1, 1, 0, 0, 0)


def project_field(name):
    """A text of pyproject.toml; tomllib came with Python 3.11 only."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    return re.search(r'^%s = "(.*)"$' % name, text, re.MULTILINE)[1]


VERSION = project_field("version")
DIST_INFO = "heddle-%s.dist-info" % VERSION


def build_tree(config_settings):
    """The folder of a build, made now unless one is named."""
    named = (config_settings or {}).get("build-dir") or os.environ.get("HEDDLE_BUILD_DIR")
    tree = (ROOT / (named or "build")).resolve()
    is_configured = (tree / "build.ninja").exists()
    missing = [name for name in BINARIES if not (tree / name).exists()]
    if named and not missing:
        return tree
    if named and not is_configured:
        raise SystemExit(
            "heddle: %s has no %s and is no build; leave build-dir out, or name a folder that "
            "`cmake -B` made" % (tree, missing[0])
        )
    # A tree that is configured keeps its compiler: with another PATH the preset would find
    # clang elsewhere, and CMake would start anew with the system's own C++ compiler.
    if not is_configured:
        run_step(["cmake", "--preset", "release"])
    run_step(["cmake", "--build", str(tree), "--target", *TARGETS])
    return tree


def terminal():
    """Where somebody waits; nowhere in a job without a terminal."""
    try:
        return open("/dev/tty", "w", encoding="utf-8")
    except OSError:
        return open(os.devnull, "w", encoding="utf-8")


def run_step(command):
    """Prints what the command prints, and on the terminal once in ten seconds how far it is."""
    told = time.monotonic()
    try:
        with subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            errors="replace",
        ) as step, terminal() as screen:  # fmt: skip
            for line in step.stdout:
                sys.stdout.write(line)
                done = re.match(r"\[(\d+)/(\d+)\]", line)
                if done and time.monotonic() - told > 10:
                    told = time.monotonic()
                    screen.write("heddle: %s of %s steps of its build are done\n" % done.groups())
                    screen.flush()
        if step.returncode == 0:
            return
        error = "exit status %d" % step.returncode
    except OSError as reason:
        error = reason
    raise SystemExit(
        "heddle: `%s` failed (%s); scripts/setup-debian.sh installs what the build needs"
        % (" ".join(command), error)
    )


def package_files(tree):
    """(name in the wheel, file), in order."""
    for path in sorted((ROOT / "python" / "heddle").rglob("*.py")):
        yield "heddle/" + path.relative_to(ROOT / "python" / "heddle").as_posix(), path
    for built, name in BINARIES.items():
        yield "heddle/" + name, tree / built
    for path in sorted((ROOT / "machines").glob("*.json")):
        yield "heddle/machines/" + path.name, path
    for path in sorted((ROOT / "examples" / "conv").glob("*.mlir")):
        yield "heddle/programs/conv/" + path.name, path
    for folder in ("runtime", "compiler"):
        for path in sorted((ROOT / folder / "include" / "heddle").glob("*.h")):
            yield "heddle/include/heddle/" + path.name, path
    yield DIST_INFO + "/licenses/LICENSE", ROOT / "LICENSE"


def content(path, tree):
    """The bytes of a file, of the tool without its symbols, which are two fifths of it."""
    if path != tree / "bin" / "heddle":
        return path.read_bytes()
    cache = (tree / "CMakeCache.txt").read_text(encoding="utf-8")
    strip = re.search(r"^CMAKE_STRIP:\w+=(.+)$", cache, re.MULTILINE)
    with tempfile.TemporaryDirectory() as scratch:
        stripped = pathlib.Path(scratch) / path.name
        subprocess.run([strip[1], "-o", str(stripped), str(path)], check=True)
        return stripped.read_bytes()


def entry_points():
    return "[console_scripts]\nheddle = heddle._tool:main\n"


def metadata():
    return "\n".join([
        "Metadata-Version: 2.4",
        "Name: heddle",
        "Version: " + VERSION,
        "Summary: " + project_field("description"),
        "Requires-Python: " + project_field("requires-python"),
        "License-Expression: " + project_field("license"),
        "Description-Content-Type: text/markdown",
        "",
        (ROOT / "README.md").read_text(encoding="utf-8"),
    ])  # fmt: skip


def tag():
    return "py3-none-linux_" + platform.machine()


def wheel_text(tags):
    return "Wheel-Version: 1.0\nGenerator: heddle\nRoot-Is-Purelib: false\nTag: %s\n" % tags


class Wheel:
    """A wheel being written, with the list of what is in it."""

    def __init__(self, path, tags):
        self.archive = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=6)
        self.record = []
        self.tags = tags

    def add(self, name, data):
        info = zipfile.ZipInfo(name, EPOCH)
        # pip keeps what may be executed of regular files only.
        mode = 0o755 if ".so" in name or "/bin/" in name else 0o644
        info.external_attr = (stat.S_IFREG | mode) << 16
        info.compress_type = zipfile.ZIP_DEFLATED
        self.archive.writestr(info, data)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        self.record.append("%s,sha256=%s,%d" % (name, digest, len(data)))

    def close(self):
        self.add(DIST_INFO + "/METADATA", metadata().encode())
        self.add(DIST_INFO + "/WHEEL", wheel_text(self.tags).encode())
        self.add(DIST_INFO + "/entry_points.txt", entry_points().encode())
        record = DIST_INFO + "/RECORD"
        lines = self.record + [record + ",,"]
        self.archive.writestr(zipfile.ZipInfo(record, EPOCH), "\n".join(lines) + "\n")
        self.archive.close()


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    """Without it pip would build everything to see the name."""
    folder = pathlib.Path(metadata_directory) / DIST_INFO
    folder.mkdir()
    (folder / "METADATA").write_text(metadata(), encoding="utf-8")
    (folder / "WHEEL").write_text(wheel_text(tag()), encoding="utf-8")
    (folder / "entry_points.txt").write_text(entry_points(), encoding="utf-8")
    return DIST_INFO


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    name = "heddle-%s-%s.whl" % (VERSION, tag())
    tree = build_tree(config_settings)
    wheel = Wheel(os.path.join(wheel_directory, name), tag())
    for inside, path in package_files(tree):
        wheel.add(inside, content(path, tree))
    wheel.close()
    return name


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """The checkout itself; libraries are found in its build/lib."""
    build_tree(config_settings)
    name = "heddle-%s-%s.whl" % (VERSION, tag())
    wheel = Wheel(os.path.join(wheel_directory, name), tag())
    wheel.add("heddle.pth", (str(ROOT / "python") + "\n").encode())
    wheel.close()
    return name


def build_sdist(sdist_directory, config_settings=None):
    name = "heddle-%s" % VERSION
    subprocess.run(
        ["git", "archive", "--format=tar.gz", "--prefix=%s/" % name,
         "--output=%s" % os.path.join(sdist_directory, name + ".tar.gz"), "HEAD"],
        cwd=ROOT, check=True,
    )  # fmt: skip
    return name + ".tar.gz"


if __name__ == "__main__":  # without pip: wheel_backend.py FOLDER [BUILD]
    settings = {"build-dir": os.path.abspath(sys.argv[2])} if len(sys.argv) > 2 else None
    print(build_wheel(sys.argv[1], settings))
