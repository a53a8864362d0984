//===- RandomSeed.cpp - arc4random for glibc before 2.36 ------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The static libstdc++ of a system with a newer glibc takes arc4random from it
// for std::random_device, which no result of heddle's depends on. Defined here,
// it is no reason why the library would not load on an older system.
//
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <sys/random.h>

extern "C" uint32_t arc4random() noexcept {
  uint32_t value = 0;
  while (getrandom(&value, sizeof value, 0) != sizeof value) {
  }
  return value;
}
