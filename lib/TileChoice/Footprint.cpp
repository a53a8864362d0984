//===- Footprint.cpp - What a kernel has of memory ------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Footprint.h"

#include "LaunchExpr.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::tilechoice;

static tile::ViewType typeOf(BlockArgument array) {
  return cast<tile::ViewType>(array.getType());
}

static double elementBytes(BlockArgument array) {
  return typeOf(array).getElementType().getIntOrFloatBitWidth() / 8.0;
}

SmallVector<BlockArgument> heddle::tilechoice::arraysOf(tile::KernelOp kernel) {
  SmallVector<BlockArgument> arrays;
  for (BlockArgument argument : kernel.getEntry().getArguments()) {
    auto view = dyn_cast<tile::ViewType>(argument.getType());
    bool isTouched = llvm::any_of(argument.getUsers(), [](Operation *user) {
      return isa<tile::LoadOp, tile::StoreOp, tile::ViewReduceOp>(user);
    });
    if (view && view.getElementType().isIntOrFloat() && isTouched)
      arrays.push_back(argument);
  }
  return arrays;
}

double heddle::tilechoice::bytesOf(tile::KernelOp kernel, BlockArgument array,
                                   const Extents &extents) {
  auto given = extents.views.find(kernel.getArgName(array.getArgNumber()));
  double bytes = elementBytes(array);
  for (auto [axis, extent] : llvm::enumerate(typeOf(array).getShape())) {
    bool isKnown = !ShapedType::isDynamic(extent);
    bytes *= isKnown                        ? double(extent)
             : given != extents.views.end() ? double(given->second[axis])
                                            : 0;
  }
  return bytes;
}

manifest::Expr heddle::tilechoice::bytesOf(tile::KernelOp kernel,
                                           BlockArgument array) {
  double bytes = elementBytes(array);
  for (int64_t extent : typeOf(array).getShape())
    if (!ShapedType::isDynamic(extent))
      bytes *= double(extent);
  manifest::Expr product = LaunchExpr::constant(std::max(1.0, bytes));
  for (auto [axis, extent] : llvm::enumerate(typeOf(array).getShape())) {
    if (!ShapedType::isDynamic(extent))
      continue;
    product = LaunchExpr::mul(
        product, LaunchExpr::dim(kernel.getArgName(array.getArgNumber()),
                                 int64_t(axis)));
  }
  return product;
}
