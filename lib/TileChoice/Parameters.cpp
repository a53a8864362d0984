//===- Parameters.cpp - Which parameters are tile shapes ------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program that steps along an axis by a parameter, or has as many instances
// as tiles of that size cover it, computes the same with any value. One that
// only names an extent by it, like a row that must fit in a tile, does not.
//
//===----------------------------------------------------------------------===//

#include "Trials.h"

#include "heddle/Dialect/Tile/Tile.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace heddle;

/// Adds the parameters that `value` is computed from.
static void collect(Value value, llvm::SetVector<StringRef> &names,
                    llvm::DenseSet<Value> &seen) {
  Operation *op = value.getDefiningOp();
  if (!op || !seen.insert(value).second)
    return;
  if (auto parameter = dyn_cast<tile::ParamValueOp>(op))
    names.insert(parameter.getParam());
  for (Value operand : op->getOperands())
    collect(operand, names, seen);
}

/// What the bounds of a tile.parallel are computed from, and loops' steps if
/// asked for, as they are declared.
static std::vector<std::string> findShapes(ModuleOp module, bool withSteps) {
  llvm::SetVector<StringRef> names;
  llvm::DenseSet<Value> seen;
  module.walk([&](Operation *op) {
    if (auto parallel = dyn_cast<tile::ParallelOp>(op))
      for (Value bound : parallel.getBounds())
        collect(bound, names, seen);
    if (auto loop = dyn_cast<scf::ForOp>(op); loop && withSteps)
      collect(loop.getStep(), names, seen);
  });
  std::vector<std::string> ordered;
  module.walk([&](tile::ParamOp parameter) {
    if (names.contains(parameter.getSymName()))
      ordered.push_back(parameter.getSymName().str());
  });
  return ordered;
}

std::vector<std::string> heddle::tilechoice::findTileShapes(ModuleOp module) {
  return findShapes(module, /*withSteps=*/true);
}

std::vector<std::string>
heddle::tilechoice::findInstanceShapes(ModuleOp module) {
  return findShapes(module, /*withSteps=*/false);
}
