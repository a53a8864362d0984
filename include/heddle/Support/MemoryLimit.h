//===- MemoryLimit.h - What a process may take in memory --------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Campaigns run each program in a process of its own with a limit, so that one
// that explodes ends there and not in swap. AddressSanitizer reserves 20 TB of
// addresses and has limits of its own.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SUPPORT_MEMORYLIMIT_H
#define HEDDLE_SUPPORT_MEMORYLIMIT_H

#include <sys/resource.h>

namespace heddle {

inline void limitMemory([[maybe_unused]] rlim_t bytes) {
#if !__has_feature(address_sanitizer)
  rlimit limits{bytes, bytes};
  setrlimit(RLIMIT_AS, &limits);
#endif
}

} // namespace heddle

#endif // HEDDLE_SUPPORT_MEMORYLIMIT_H
