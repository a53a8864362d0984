//===- CpuLibrary.h - CPU kernels as a C header and an object ---*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the object that kernels were compiled to ahead of time, and what they
// take. Out: a header whose functions call them. The object needs nothing but
// the C library; threads are the caller's.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_CPULIBRARY_H
#define HEDDLE_TOOLS_HEDDLE_CPULIBRARY_H

#include "CpuProgram.h"

#include "heddle/Manifest/Manifest.h"

#include "llvm/ADT/ArrayRef.h"

namespace heddle::tool {

/// For each kernel
///
///   const char *NAME_part(int part, int parts, heddle_tensor a, float s);
///   const char *NAME_call(heddle_tensor a, float s);
///
/// which run a share of the instances, or all, and what writeProgram says for
/// each program. `name` is the header's.
std::string makeCpuHeader(llvm::StringRef name,
                          llvm::ArrayRef<manifest::Manifest> kernels,
                          llvm::ArrayRef<CpuProgram> programs);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_HEDDLE_CPULIBRARY_H
