//===- Kernels.h - Small kernels that are right -----------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_UNITTESTS_ADVERSARY_KERNELS_H
#define HEDDLE_UNITTESTS_ADVERSARY_KERNELS_H

namespace heddle::adversary {

extern const char *const kProduct; ///< TMA, a ring of two slots, a product
extern const char *const kStaged;  ///< threads, a ring of one slot, a TMA store
extern const char *const kMeeting; ///< two processes at a named barrier
extern const char *const kNumber;  ///< a trip count goes through a ring
extern const char *const kChain;   ///< products on one accumulator, one late

} // namespace heddle::adversary

#endif // HEDDLE_UNITTESTS_ADVERSARY_KERNELS_H
