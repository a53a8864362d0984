//===- WrappedAxes.h - What a program reads twice and never uses ------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program may take the places behind an array's end modulo its extent, only
// to read something, and never store what it computes of it. Then a view's
// zeros do as well.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TRANSFORMS_WRAPPEDAXES_H
#define HEDDLE_LIB_TRANSFORMS_WRAPPEDAXES_H

#include "AddressForms.h"

namespace heddle {

/// Whether nothing that a program writes depends on those elements of `tile`
/// that `bound`, a condition along one axis, excludes.
bool isUnusedBeyond(mlir::Value tile, const Form &bound, AddressForms &forms);

} // namespace heddle

#endif // HEDDLE_LIB_TRANSFORMS_WRAPPEDAXES_H
