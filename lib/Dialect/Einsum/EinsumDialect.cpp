//===- EinsumDialect.cpp - Registers the einsum dialect -------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles the code that TableGen generates, apart from the rules of the
// operations, so that a changed rule does not compile all of it again.
//
//===----------------------------------------------------------------------===//

#include "heddle/Dialect/Einsum/Einsum.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::einsum;

#include "heddle/Dialect/Einsum/EinsumDialect.cpp.inc"

#define GET_OP_CLASSES
#include "heddle/Dialect/Einsum/EinsumOps.cpp.inc"

void EinsumDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "heddle/Dialect/Einsum/EinsumOps.cpp.inc"
      >();
}
