//===- InlineAsm.h - A program's own instructions ---------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// tile.inline_asm, for the elements that a thread holds.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CONVERSION_HOPPERTONVVM_INLINEASM_H
#define HEDDLE_LIB_CONVERSION_HOPPERTONVVM_INLINEASM_H

#include "Instructions.h"

#include "heddle/Dialect/Tile/Assembly.h"

namespace heddle::tonvvm {

/// The `count` elements of each result. An operand has as many, or one for all.
llvm::SmallVector<llvm::SmallVector<Value>>
emitInlineAsm(Code &code, tile::InlineAsmOp op,
              llvm::ArrayRef<llvm::SmallVector<Value>> operands, size_t count);

} // namespace heddle::tonvvm

#endif // HEDDLE_LIB_CONVERSION_HOPPERTONVVM_INLINEASM_H
