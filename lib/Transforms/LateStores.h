//===- LateStores.h - Which stores may wait for the next instance -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel, and the question whether a tile can be kept. Out: the stores
// that may be carried out under the next instance. The order of memory is
// decided here, room in registers by the caller, which knows the schedule.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TRANSFORMS_LATESTORES_H
#define HEDDLE_LIB_TRANSFORMS_LATESTORES_H

#include "heddle/Dialect/Tile/Tile.h"

namespace heddle {

/// Stores behind a pipelined loop of an instance that may be carried out under
/// the next instance, as far as memory goes. `hasRoom` is asked about each, in
/// reverse program order, whether its tile can be kept so long; where it says
/// yes the store is late.
llvm::SmallVector<tile::StoreOp>
chooseLateStores(tile::KernelOp kernel,
                 llvm::function_ref<bool(tile::StoreOp)> hasRoom);

} // namespace heddle

#endif // HEDDLE_LIB_TRANSFORMS_LATESTORES_H
