//===- Kernels.h - Small kernels that are right -----------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Seven kernels of the hopper rung, as text, that the model must find no fault
// in. ModelTest.cpp breaks each of them by single edits. They are written by
// hand, one for each kind of protocol, so that a change of the lowering does
// not change what the model is tested on.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_UNITTESTS_ADVERSARY_KERNELS_H
#define HEDDLE_UNITTESTS_ADVERSARY_KERNELS_H

namespace heddle::adversary {

extern const char *const kProduct; ///< TMA, a ring of two slots, a product
extern const char *const kStaged;  ///< threads, a ring of one slot, a TMA store
extern const char *const kMeeting; ///< two processes at a named barrier
extern const char *const kNumber;  ///< a trip count goes through a ring
extern const char *const
    kCopied; ///< threads copy and go on, a fence, a product
extern const char *const
    kHandedOn; ///< copies on the way of copies that others wait for
extern const char *const kChain; ///< products on one accumulator, one late

} // namespace heddle::adversary

#endif // HEDDLE_UNITTESTS_ADVERSARY_KERNELS_H
