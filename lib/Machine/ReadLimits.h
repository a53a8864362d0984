//===- ReadLimits.h - The limits of a description that was parsed -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A description is parsed once, for its costs and its limits. Apart from
// Limits.h, which most of the compiler reads.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_MACHINE_READLIMITS_H
#define HEDDLE_LIB_MACHINE_READLIMITS_H

#include "heddle/Machine/Limits.h"

#include "llvm/Support/JSON.h"

namespace heddle::machine {

/// As of a description's text.
bool readLimits(const llvm::json::Value &description, Limits &limits,
                std::string &error);

} // namespace heddle::machine

#endif // HEDDLE_LIB_MACHINE_READLIMITS_H
