//===- HopperDialect.cpp - Registration of the hopper rung ------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registers attributes, types and operations, and compiles the generated code
// of the first two, whose storage must be complete at that point. The generated
// code of the operations is in HopperOps.cpp.
//
//===----------------------------------------------------------------------===//

#include "heddle/Dialect/Hopper/Hopper.h"

#include "heddle/Dialect/Hopper/Cluster.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace heddle::hopper;

#include "heddle/Dialect/Hopper/HopperDialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "heddle/Dialect/Hopper/HopperAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "heddle/Dialect/Hopper/HopperTypes.cpp.inc"

void HopperDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "heddle/Dialect/Hopper/HopperAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "heddle/Dialect/Hopper/HopperTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "heddle/Dialect/Hopper/HopperOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "heddle/Dialect/Hopper/HopperClusterOps.cpp.inc"
      >();
}
