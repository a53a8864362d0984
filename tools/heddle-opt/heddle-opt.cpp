//===- heddle-opt.cpp - Runs single passes on text ------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Pipeline/Registry.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  heddle::pipeline::registerDialects(registry);
  heddle::pipeline::registerPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "heddle's pass driver\n", registry));
}
