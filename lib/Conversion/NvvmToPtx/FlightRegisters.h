//===- FlightRegisters.h - Who touches what a product writes ----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: PTX. Out: whether an instruction may read or write registers of a product
// that no wait has retired. A wait's text names no registers, so that only the
// final text shows where the back end has copied some.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CONVERSION_NVVMTOPTX_FLIGHTREGISTERS_H
#define HEDDLE_LIB_CONVERSION_NVVMTOPTX_FLIGHTREGISTERS_H

#include "llvm/ADT/StringRef.h"

namespace heddle {

/// Does a kernel of `ptx` do so, on some path? Products that go on in the
/// registers of another do not count.
bool touchesFlights(llvm::StringRef ptx);

} // namespace heddle

#endif // HEDDLE_LIB_CONVERSION_NVVMTOPTX_FLIGHTREGISTERS_H
