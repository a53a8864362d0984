//===- main.cpp - heddle with the toy target ------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The commands of heddle, unchanged, after one registration.
//
//===----------------------------------------------------------------------===//

#include "Cores.h"
#include "Driver.h"

#include "heddle/Support/BigStack.h"

#include "llvm/Support/InitLLVM.h"

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  heddle::toy::registerCores();
  return heddle::runOnBigStack(
      [&] { return heddle::tool::runCommandLine(argc, argv); });
}
