//===- Internal.h - For heddle's own tests --------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An entry for the unit tests alone, which put a fake driver in the place of
// libcuda.so.1 and so run without a GPU. It is apart from runtime.h because a
// caller has no safe use for it: a kernel that was loaded before keeps handles
// of the old driver.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_RUNTIME_LIB_INTERNAL_H
#define HEDDLE_RUNTIME_LIB_INTERNAL_H

/// Takes the driver from this file instead of libcuda.so.1, and forgets the one
/// in use. Kernels made before must be destroyed first. Not exported from the
/// shared library: tests link the static one.
void heddle_internal_set_driver_path(const char *path);

#endif // HEDDLE_RUNTIME_LIB_INTERNAL_H
