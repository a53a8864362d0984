//===- StampTrace.h - What an instrumented kernel noted ---------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The words that a kernel compiled with --trace leaves in its last argument go
// in; a trace for Chrome or Perfetto comes out. Users do not know of this
// argument, so it is also hidden from the checks of their options and allocated
// here.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_STAMPTRACE_H
#define HEDDLE_TOOLS_HEDDLE_STAMPTRACE_H

#include "heddle/Run/ArgumentData.h"

#include "heddle/Manifest/Manifest.h"

#include <string>

namespace heddle::tool {

/// The arguments that a user gives: without the one that holds the stamps.
manifest::Manifest withoutTrace(manifest::Manifest manifest);

/// The argument that holds the stamps, for CTA 0.
ArgumentData makeTrace(const manifest::Manifest &manifest);

/// What `trace` holds after a launch, as a trace for Chrome or Perfetto; cycles
/// from the first stamp on. `where` says what ran.
std::string drawStamps(const manifest::Variant &variant,
                       const ArgumentData &trace, const std::string &where);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_HEDDLE_STAMPTRACE_H
