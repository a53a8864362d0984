//===- main.cpp - The heddle driver ---------------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The process around `runCommandLine`: a deep stack for analyses that recurse,
// and standard streams that may be closed or full. Both belong to the process,
// so they are here and not in Driver.cpp, which the fuzzer of command lines
// calls many times in a process of its own.
//
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include "heddle/Support/BigStack.h"
#include "heddle/Support/StandardStreams.h"

#include "llvm/Support/InitLLVM.h"

int main(int argc, char **argv) {
  heddle::takeStandardStreams("heddle");
  llvm::InitLLVM init(argc, argv);
  return heddle::runOnBigStack(
      [&] { return heddle::tool::runCommandLine(argc, argv); });
}
