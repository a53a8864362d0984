//===- StoreAtOnce.h - No late stores where threads store ---------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel of the aref rung. Out: the same without late stores. These pay
// because the copy engine stores by itself. Where threads do, the tile would
// take registers that copying needs, and ptxas would serialise the products
// among which its many branches stand (C7520). So variants for views that TMA
// cannot write store at the end of the instance.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_AREFTOHOPPER_STOREATONCE_H
#define HEDDLE_LIB_AREFTOHOPPER_STOREATONCE_H

#include "heddle/Dialect/Tile/Tile.h"

namespace heddle::areftohopper {

/// Whether the kernel leaves stores of one instance to the next.
bool hasLateStores(tile::KernelOp kernel);

/// Puts late stores back to the end of their own instance.
void storeAtOnce(tile::KernelOp kernel);

} // namespace heddle::areftohopper

#endif // HEDDLE_LIB_AREFTOHOPPER_STOREATONCE_H
