# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cases of corpus/, without Triton."""

import importlib.util
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent


def load(folder, name):
    """The module FOLDER/NAME.py here, once. Both folders have the same names."""
    full = f"{folder}.{name}"
    if full not in sys.modules:
        spec = importlib.util.spec_from_file_location(full, HERE / folder / f"{name}.py")
        sys.modules[full] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[full])
    return sys.modules[full]


def builders():
    """{name: function of the sizes that makes the case}."""
    return {
        builder.__name__: builder
        for path in sorted((HERE / "cases").glob("*.py"))
        for builder in load("cases", path.stem).CORPUS
    }


def corpus_cases():
    for builder in builders().values():
        yield builder()
