//===- main.cpp - The heddle driver ---------------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The process around `runCommandLine`: a deep stack for analyses that recurse,
// a heap, and standard streams that may be closed or full. They belong to the
// process, so they are here and not in Driver.cpp, which the fuzzer of command
// lines calls many times in a process of its own.
//
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include "heddle/Support/BigStack.h"
#include "heddle/Support/StandardStreams.h"

#include "llvm/Support/InitLLVM.h"

#ifdef __linux__
#include <malloc.h>
#endif

/// Commands run on a thread, whose heap glibc lets grow by one system call a
/// page, 550 for the smallest program. Room that nobody touches costs nothing.
static void reserveHeap() {
#ifdef M_TOP_PAD
  mallopt(M_TOP_PAD, 16 << 20);
#endif
}

int main(int argc, char **argv) {
  reserveHeap();
  heddle::takeStandardStreams("heddle");
  llvm::InitLLVM init(argc, argv);
  heddle::outliveFileLimit();
  return heddle::runOnBigStack(
      [&] { return heddle::tool::runCommandLine(argc, argv); });
}
