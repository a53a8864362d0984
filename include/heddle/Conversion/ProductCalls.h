//===- ProductCalls.h - Which inline assembly is a product ------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The attributes by which hopper-to-nvvm, which writes products and waits for
// them as inline assembly, tells the passes on LLVM IR what they are. They
// stand on the operation of the nvvm rung, and the translation puts them on the
// call. So nobody looks for an instruction's name in a text.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CONVERSION_PRODUCTCALLS_H
#define HEDDLE_CONVERSION_PRODUCTCALLS_H

#include "llvm/ADT/StringRef.h"

namespace heddle {

/// On inline assembly that starts a product, whose registers are written until
/// a wait.
inline constexpr llvm::StringLiteral kProductCall = "hopper.product";

/// On inline assembly that waits for products and has the registers of one for
/// operands and results.
inline constexpr llvm::StringLiteral kProductWait = "hopper.product_wait";

} // namespace heddle

#endif // HEDDLE_CONVERSION_PRODUCTCALLS_H
