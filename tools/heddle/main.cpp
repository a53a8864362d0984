//===- main.cpp - The heddle driver ---------------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The process around `runCommandLine`: a deep stack for analyses that recurse,
// and a signal that becomes an error of the write that caused it. Both belong
// to the process, so they are here and not in Driver.cpp, which the fuzzer of
// command lines calls many times in a process of its own.
//
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include "heddle/Support/BigStack.h"

#include "llvm/Support/InitLLVM.h"

#include <csignal>

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  // A write beyond the limit of a file's size is an error of that write.
  std::signal(SIGXFSZ, SIG_IGN);
  return heddle::runOnBigStack(
      [&] { return heddle::tool::runCommandLine(argc, argv); });
}
