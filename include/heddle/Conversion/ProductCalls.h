//===- ProductCalls.h - Which inline assembly is a product ------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The attribute by which hopper-to-nvvm, which writes a product as inline
// assembly, tells the passes on LLVM IR that it is one. It stands on the
// operation of the nvvm rung, and the translation puts it on the call. So
// nobody looks for an instruction's name in a text.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CONVERSION_PRODUCTCALLS_H
#define HEDDLE_CONVERSION_PRODUCTCALLS_H

#include "llvm/ADT/StringRef.h"

namespace heddle {

/// On inline assembly that starts a product, whose registers are written until
/// a wait.
inline constexpr llvm::StringLiteral kProductCall = "hopper.product";

} // namespace heddle

#endif // HEDDLE_CONVERSION_PRODUCTCALLS_H
