//===- SharedPlaces.h - Where a tile's elements lie in a slot ---*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: an element's number or coordinates, known when the kernel runs. Out: its
// coordinates, or its place in a tile in shared memory, swizzled.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CONVERSION_HOPPERTONVVM_SHAREDPLACES_H
#define HEDDLE_LIB_CONVERSION_HOPPERTONVVM_SHAREDPLACES_H

#include "GlobalTile.h"

namespace heddle::tonvvm {

/// The coordinates in the tile of element `number`, fastest axis first.
llvm::SmallVector<mlir::Value> unrank(Code &code, mlir::Value number,
                                      const machine::SharedLayout &shape);

/// The byte offset of an element, swizzled.
mlir::Value sharedOffset(Code &code, llvm::ArrayRef<mlir::Value> coords,
                         const machine::SharedLayout &shape);

} // namespace heddle::tonvvm

#endif // HEDDLE_LIB_CONVERSION_HOPPERTONVVM_SHAREDPLACES_H
