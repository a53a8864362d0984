//===- OwnCarried.h - What a loop hands on is made in it --------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SCHEDTOAREF_OWNCARRIED_H
#define HEDDLE_LIB_SCHEDTOAREF_OWNCARRIED_H

#include "heddle/Dialect/Tile/Tile.h"

namespace heddle::expander {

/// Gives every number that a loop hands on a value of its own, made in the
/// loop's body.
void ownCarriedNumbers(tile::KernelOp kernel);

/// Takes these values away again, once loops are written.
void dropOwnedNumbers(tile::KernelOp kernel);

} // namespace heddle::expander

#endif // HEDDLE_LIB_SCHEDTOAREF_OWNCARRIED_H
