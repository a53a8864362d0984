//===- ReadAhead.h - Rows are asked for before they are needed ------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CONVERSION_TILETOCPU_READAHEAD_H
#define HEDDLE_LIB_CONVERSION_TILETOCPU_READAHEAD_H

#include "mlir/IR/BuiltinOps.h"

namespace heddle {

/// How many iterations a loop's rows are asked for ahead (`rows_ahead`).
inline constexpr char kRowsAhead[] = "rows_ahead";

/// Prefetches the rows of marked loops. A row is a vector that is loaded from
/// where memory says; a loop without one, or of another step than 1, stays.
/// A prefetch brings one line of `lineBytes`.
void readRowsAhead(mlir::ModuleOp module, int64_t lineBytes);

} // namespace heddle

#endif // HEDDLE_LIB_CONVERSION_TILETOCPU_READAHEAD_H
