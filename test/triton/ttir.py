#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the TTIR of the corpus for heddle's importer: ttir.py [--check]

One file a case, with locations, as the front end of the installed Triton makes it
for sm_90 without a GPU. The files are kept, by Triton's version, in ttir/, so that
tests need no Triton; --check only says which of them are not as Triton writes them.
"""

import pathlib
import sys

import triton
from compile import kernel_of, options_of, source_of
from corpus_cases import corpus_cases

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "python"))
from heddle._triton_source import TARGET, ttir_of  # noqa: E402

# Paths start behind these, wherever the checkout and Triton lie.
ROOTS = (HERE.parent.parent, pathlib.Path(triton.__file__).resolve().parent.parent)


def main():
    version = ".".join(triton.__version__.split(".")[:2])
    folder = HERE / "ttir" / version
    stale = []
    for case in corpus_cases():
        case.kernel = kernel_of(case)
        text = ttir_of(source_of(case), TARGET, options_of(case))
        for root in ROOTS:
            text = text.replace(f'loc("{root}/', 'loc("')
        path = folder / f"{case.name}.ttir"
        if "--check" in sys.argv[1:]:
            if not path.exists() or path.read_text(encoding="utf-8") != text:
                stale.append(case.name)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    if stale:
        print(f"not as Triton {triton.__version__} writes it: {', '.join(stale)}; run ttir.py")
    return bool(stale)


if __name__ == "__main__":
    sys.exit(main())
