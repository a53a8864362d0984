# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""page.py docs/tasks.md OUT.cpp: the C++ of the page as one program, with what the page leaves to the example."""

import pathlib
import re
import sys

page = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
first, *rest = re.findall(r"```cpp\n(.*?)```", page, re.DOTALL)
mapping = rest.pop()
pathlib.Path(sys.argv[2]).write_text(f"""
#include "heddle/task.h"
#include <iostream>
using namespace heddle::tasks;
int main() {{
{first}
Task<Out<f32, 2>> clear(program, "clear", {{"s"}});
Task<In<f32, 2>, Out<f16, 2>> store(program, "store", {{"s", "c"}});
{"".join(rest)}
Variant zero = clear.leaf("zero", [](Out<f32, 2> s) {{ s = splat<f32>(0, {{"M", "N"}}); }});
Variant round = store.leaf("round", [](In<f32, 2> s, Out<f16, 2> c) {{
  c = cast<f16>(s.read({{"M", "N"}}));
}});
using enum Level;
using enum Memory;
{mapping}
}}
""", encoding="utf-8")
