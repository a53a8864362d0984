//===- main.cpp - The heddle driver ---------------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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
