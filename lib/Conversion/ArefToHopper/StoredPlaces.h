//===- StoredPlaces.h - Who else touches what is stored -------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Questions of where a tile is stored that decide who stores it: TMA keeps an
// order neither with threads nor with itself.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CONVERSION_AREFTOHOPPER_STOREDPLACES_H
#define HEDDLE_LIB_CONVERSION_AREFTOHOPPER_STOREDPLACES_H

#include "Stored.h"

namespace heddle::areftohopper {

/// Whether other ops read or write what is behind the view that `store` writes,
/// or promise others that it is written. Reductions of one view may come in any
/// order.
bool isAccessedElsewhere(Stored store, tile::KernelOp kernel);

/// Whether only other stores of tiles, which TMA may have too, are in an order
/// with `store` that shows.
bool isOverwrittenOnly(Stored store, tile::KernelOp kernel);

/// Whether two stores may write one place, each by TMA, which keeps no order.
/// Of one view all may.
bool mayMeet(tile::StoreOp store, tile::StoreOp other);

/// Whether `store` may write where `earlier` wrote in the same instance.
bool mayOverwrite(Stored store, mlir::Operation *earlier);

} // namespace heddle::areftohopper

#endif // HEDDLE_LIB_CONVERSION_AREFTOHOPPER_STOREDPLACES_H
