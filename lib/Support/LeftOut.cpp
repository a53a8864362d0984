//===- LeftOut.cpp - In place of what heddle leaves out -------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The bodies that cmake/LeftOut.ld gives to functions of LLVM and MLIR which
// heddle links and never runs. Only the linker names them.
//
//===----------------------------------------------------------------------===//

#include "llvm/Support/ErrorHandling.h"

extern "C" {
[[noreturn]] void heddle_left_out();
void *heddle_nothing();
}

void heddle_left_out() {
  llvm::report_fatal_error("this build of heddle leaves out a part of LLVM "
                           "that was reached; see cmake/LeftOut.ld");
}

void *heddle_nothing() { return nullptr; }
