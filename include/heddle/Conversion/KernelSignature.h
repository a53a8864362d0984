//===- KernelSignature.h - The parameters of a compiled kernel ----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one place that decides which parameters a PTX entry has and in which
// order. The expansion to threads and the manifest both ask here, so a launcher
// cannot disagree with the code. Only what the processes use is passed.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CONVERSION_KERNELSIGNATURE_H
#define HEDDLE_CONVERSION_KERNELSIGNATURE_H

#include "heddle/Dialect/Hopper/Hopper.h"
#include "heddle/Manifest/Manifest.h"

#include "llvm/ADT/DenseSet.h"

namespace heddle {

/// How TMA moves a shared tile: equal boxes, in the order of shared memory.
/// Axes that the view has and the tile lacks have extent 1.
struct TmaBoxes {
  llvm::SmallVector<int64_t> box; ///< extents, the view's fastest axis first
  struct Part {
    llvm::SmallVector<int64_t> offset; ///< from the tile's corner, by view axis
    int64_t byteOffset = 0;            ///< in shared memory
  };
  std::vector<Part> parts;
};
TmaBoxes getTmaBoxes(tile::ViewType view, hopper::SmemType tile);
/// The same of runs of pixels, which are cut along channels only.
TmaBoxes getRunBoxes(tile::ViewType view, hopper::SmemType tile);

struct KernelSignature {
  std::vector<manifest::Param> params;

  /// The position of a parameter, -1 if the kernel has none such.
  int findTensorMap(hopper::KernelOp kernel, hopper::TmaLoadOp load) const;
  int findTensorMap(hopper::KernelOp kernel, hopper::TmaStoreOp store) const;
  int find(manifest::Param::Kind kind, llvm::StringRef argument,
           int axis = 0) const;
};
KernelSignature getKernelSignature(hopper::KernelOp kernel);

/// The ops of a kernel's own block that its processes need; the others only
/// describe the launch.
llvm::DenseSet<mlir::Operation *> getDeviceOps(hopper::KernelOp kernel);

/// Null for types that no caller can pass.
std::optional<manifest::ElementType> getElementType(mlir::Type type);

} // namespace heddle

#endif // HEDDLE_CONVERSION_KERNELSIGNATURE_H
