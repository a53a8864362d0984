//===- Symbols.h - Functions that machine code calls ------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the code generator calls where the processor has no instruction: the
// mathematical functions of the C library, roundings to bf16, and copies. A
// list, since a program without a dynamic linker has no other way to find them,
// and since kernels call nothing else.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CPU_SYMBOLS_H
#define HEDDLE_LIB_CPU_SYMBOLS_H

#include <utility>
#include <vector>

namespace heddle::cpu {

std::vector<std::pair<const char *, void *>> callableFunctions();

} // namespace heddle::cpu

#endif // HEDDLE_LIB_CPU_SYMBOLS_H
