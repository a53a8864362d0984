//===- Internal.h - For heddle's own tests --------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_RUNTIME_LIB_INTERNAL_H
#define HEDDLE_RUNTIME_LIB_INTERNAL_H

/// Takes the driver from this file instead of libcuda.so.1, and forgets the one
/// in use. Kernels made before must be destroyed first. Not exported from the
/// shared library: tests link the static one.
void heddle_internal_set_driver_path(const char *path);

#endif // HEDDLE_RUNTIME_LIB_INTERNAL_H
