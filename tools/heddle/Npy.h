//===- Npy.h - Arrays in NumPy's file format --------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values are converted, rounding to nearest even; formats that NumPy lacks
// (bf16 and the 8-bit floats) are written as f32 and may be read, bit for bit,
// from unsigned integers of their size.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_NPY_H
#define HEDDLE_TOOLS_HEDDLE_NPY_H

#include "heddle/Run/ArgumentData.h"

namespace heddle::tool {

/// Fills `data`, whose shape must be that of the file.
llvm::Error readNpy(llvm::StringRef path, ArgumentData &data);

/// The file's values, in row-major order of the file's shape, which
/// must be that of `like`.
llvm::Expected<std::vector<Number>> readNpyValues(llvm::StringRef path,
                                                  const ArgumentData &like);

llvm::Error writeNpy(llvm::StringRef path, const ArgumentData &data);

/// Calls `body(place in row-major order, place in memory)` for each element.
void forEachElement(const ArgumentData &data,
                    llvm::function_ref<void(int64_t, int64_t)> body);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_HEDDLE_NPY_H
