# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scripts that run on a GPU machine find what they import: imports inside functions,
which no machine without a GPU reaches, and those of the modules that they import."""

import ast
import glob
import os
import subprocess
import sys
import unittest

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
FOLDERS = ("bench", os.path.join("bench", "machine"), os.path.join("test", "gpu"))
SCRIPTS = [
    path
    for folder in FOLDERS
    for path in sorted(glob.glob(os.path.join(ROOT, folder, "*.py")))
    if "__main__" in open(path).read()
]
# Prints sys.path as the script leaves it before its first import of something else.
FIND_PATH = """
import ast, sys
path = sys.argv[1]
sys.path[0] = sys.argv[2]
names = {"__file__": path, "__name__": "script"}
for node in ast.parse(open(path).read()).body:
    text = ast.unparse(node)
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        if all(one.name in ("os", "sys") for one in node.names):
            exec(text, names)
    elif "sys.path" in text or isinstance(node, ast.Assign) and "os.path" in text:
        exec(text, names)
print("\\n".join(sys.path))
"""


def own_modules():
    """Names of the modules that are files of bench/ or test/."""
    found = set()
    for top in ("bench", "test"):
        for _, _, files in os.walk(os.path.join(ROOT, top)):
            found |= {name[: -len(".py")] for name in files if name.endswith(".py")}
    return found


def imports_of(path):
    with open(path) as file:
        tree = ast.parse(file.read())
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (one.name.split(".")[0] for one in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield node.module.split(".")[0]


def missing_from(script, own):
    """(module, who imports it) that are this project's and not on the script's path."""
    command = [sys.executable, "-I", "-c", FIND_PATH, script, os.path.dirname(script)]
    folders = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    seen, todo, missing = {script}, [script], []
    while todo:
        importer = todo.pop()
        for name in imports_of(importer):
            places = [os.path.join(folder, name + ".py") for folder in folders]
            found = next((place for place in places if os.path.isfile(place)), None)
            if found and found.startswith(ROOT) and found not in seen:
                seen.add(found)
                todo.append(found)
            elif not found and name in own and name not in sys.stdlib_module_names:
                missing.append((name, os.path.relpath(importer, ROOT)))
    return missing


class ScriptImports(unittest.TestCase):
    def test_they_are_on_the_path(self):
        own = own_modules()
        self.assertIn("gemm_checks", own)
        self.assertIn(os.path.join(ROOT, "test", "gpu", "triton_correctness.py"), SCRIPTS)
        for script in SCRIPTS:
            with self.subTest(script=os.path.relpath(script, ROOT)):
                self.assertEqual(missing_from(script, own), [])


if __name__ == "__main__":
    unittest.main()
