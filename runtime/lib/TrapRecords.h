//===- TrapRecords.h - Where kernels say why they trapped -----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// After a trap the context answers every call with an error, and which kernel
// it was nobody says. So whoever reports a driver's error asks here.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_RUNTIME_LIB_TRAPRECORDS_H
#define HEDDLE_RUNTIME_LIB_TRAPRECORDS_H

#include "Driver.h"
#include "heddle/Manifest/TrapRecord.h"

namespace heddle::runtime {

/// A record for launches of `variant`, in page-locked memory that the device
/// can write. It lives as long as the process: a context that has trapped frees
/// nothing.
heddle_status makeTrapRecord(const Driver &driver, const std::string &kernel,
                             const manifest::Variant &variant,
                             uint64_t &address);

/// A sentence for each record that was written; "" if there is none.
std::string describeTraps();

} // namespace heddle::runtime

#endif // HEDDLE_RUNTIME_LIB_TRAPRECORDS_H
