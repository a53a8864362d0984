//===- SameExtents.h - Extents that are one size ----------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a program on the tile rung. Out: which extents of its arrays are walked
// by one offset, as the columns of A and the rows of B in a product. Nothing
// makes a launch keep them equal; sizes that are drawn for launches are.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TILECHOICE_SAMEEXTENTS_H
#define HEDDLE_LIB_TILECHOICE_SAMEEXTENTS_H

#include "mlir/IR/BuiltinOps.h"

#include <map>
#include <string>
#include <utility>

namespace heddle::tilechoice {

/// An array's name and an axis.
using Extent = std::pair<std::string, int>;

/// Of each extent that is walked like one in front of it, the first.
std::map<Extent, Extent> findSameExtents(mlir::ModuleOp program);

} // namespace heddle::tilechoice

#endif // HEDDLE_LIB_TILECHOICE_SAMEEXTENTS_H
