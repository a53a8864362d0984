//===- NewNames.h - Names for operations that a pass adds ---------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel whose operations have names, and an operation without one that
// belongs to another. Out: a name that nobody else has. "p.1" and ".staged"
// become "p.staged.1", so that sub-tiles still look alike.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TRANSFORMS_NEWNAMES_H
#define HEDDLE_LIB_TRANSFORMS_NEWNAMES_H

#include "heddle/Dialect/Tile/Tile.h"

#include "llvm/ADT/StringSet.h"

namespace heddle {

class NewNames {
public:
  explicit NewNames(tile::KernelOp kernel);

  void name(mlir::Operation *op, mlir::Operation *like, llvm::StringRef suffix);

private:
  std::string unused(const llvm::Twine &base);

  llvm::StringSet<> names;
};

} // namespace heddle

#endif // HEDDLE_LIB_TRANSFORMS_NEWNAMES_H
