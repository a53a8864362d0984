//===- WholeTiles.h - Loops whose tiles end in their views ------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a process whose threads copy tiles of views that are made anew in each
// iteration of a loop. Out: two loops. In the first one, of as many iterations
// as have whole tiles that begin at multiples of 16 bytes, addresses move on by
// their steps and nothing is asked; the second one is as before.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CONVERSION_HOPPERTONVVM_WHOLETILES_H
#define HEDDLE_LIB_CONVERSION_HOPPERTONVVM_WHOLETILES_H

#include "heddle/Dialect/Hopper/Hopper.h"

namespace heddle::tonvvm {

/// Of a copy that may go on: the tile ends in the view, and its rows begin at
/// multiples of 16 bytes.
inline constexpr llvm::StringLiteral kWholeAttr = "hopper.whole";

void splitWholeTiles(hopper::ProcessOp process);

} // namespace heddle::tonvvm

#endif // HEDDLE_LIB_CONVERSION_HOPPERTONVVM_WHOLETILES_H
