//===- Access.h - Bytes that an operation read or wrote ---------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a model of caches needs to know of an access. Addresses count from the
// kernel's first argument on, so that they are the same wherever the host has
// the arrays; each argument begins at a multiple of 4 KiB.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_INTERP_ACCESS_H
#define HEDDLE_INTERP_ACCESS_H

#include <cstdint>

namespace heddle::interp {

/// Neighbouring bytes.
struct Access {
  int64_t address = 0, bytes = 0;
};

} // namespace heddle::interp

#endif // HEDDLE_INTERP_ACCESS_H
