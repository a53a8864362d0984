# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How lit finds and runs heddle's tests. The build's lit.site.cfg.py calls this."""

import importlib.util
import os
import shutil
import subprocess
import sys

import lit.formats

config.name = "heddle"
config.suffixes = [".mlir", ".test"]
# Inputs shared by several tests lie in folders named Inputs.
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = config.heddle_test_exec_dir
config.test_format = lit.formats.ShTest(execute_external=False)

# Tests see this build's tools and LLVM's helpers before anything installed.
# Schedules are found, not remembered.
config.environment["HEDDLE_CACHE_DIR"] = ""
config.environment["PATH"] = os.pathsep.join(
    [config.heddle_tools_dir, config.llvm_tools_dir, config.environment["PATH"]]
)
for tool in ["heddle-opt", "heddle"]:
    path = os.path.join(config.heddle_tools_dir, tool)
    if os.path.exists(path):
        config.available_features.add(tool)
if os.path.exists(os.path.join(config.heddle_tools_dir, "..", "lib", "libheddle_fake_driver.so")):
    config.available_features.add("fake-driver")
# What a sanitizer knows of addresses takes terabytes of them, and its checks take time.
if not os.path.exists(os.path.join(os.path.dirname(config.heddle_tools_dir), "sanitizer-runtime.txt")):
    config.available_features |= {"address-limit", "time-limit"}
config.substitutions.append(("%python", sys.executable))
# %expect STATUS COMMAND: the command's exit code and its messages, word for word.
config.substitutions.append(("%expect", "%s %s %%s" % (
    sys.executable, os.path.join(config.test_source_root, "error", "expect.py"))))
config.substitutions.append(("%build", os.path.dirname(config.heddle_tools_dir)))
# Compilers that know std::source_location, for programs that users build.
for name, floor in (("g++", 11), ("clang++-22", 16)):
    if shutil.which(name) and int(subprocess.run(
            [name, "-dumpversion"], stdout=subprocess.PIPE, text=True).stdout.split(".")[0]) >= floor:
        config.available_features.add(name.split("-")[0])
config.substitutions.append(("%source", config.heddle_source_dir))
config.substitutions.append(("%examples", os.path.join(config.heddle_source_dir, "examples")))

# A GPU is a feature, never a need: `REQUIRES: gpu` tests are skipped without one.
if os.path.exists("/dev/nvidiactl"):
    config.available_features.add("gpu")
if importlib.util.find_spec("torch"):
    config.available_features.add("torch")
# Another version allocates registers otherwise.
if shutil.which("ptxas") and "release 13.0," in subprocess.run(
        ["ptxas", "--version"], stdout=subprocess.PIPE, text=True).stdout:
    config.available_features.add("ptxas-13.0")
