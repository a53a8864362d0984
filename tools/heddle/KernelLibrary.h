//===- KernelLibrary.h - Kernels as a C header and an object ----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled kernels go in; the text of a C header and the bytes of an object
// come out, for a build system to compile and link. The user's program then
// reads no file when it runs, and calls a kernel with typed arguments, which a
// C++ compiler checks.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_KERNELLIBRARY_H
#define HEDDLE_TOOLS_HEDDLE_KERNELLIBRARY_H

#include "heddle/Manifest/Manifest.h"
#include "heddle/Pipeline/Compile.h"

#include "llvm/ADT/ArrayRef.h"

namespace heddle::tool {

struct KernelLibrary {
  std::string header, object;
};

/// A C function for each kernel, on top of heddle/runtime.h:
///
///   heddle_status NAME_launch(heddle_stream stream, heddle_tensor a, float s);
///
/// and NAME_load, which loads it for the current device beforehand. `name` is
/// the header's, for its guard.
KernelLibrary
makeKernelLibrary(llvm::StringRef name,
                  llvm::ArrayRef<pipeline::CompiledKernel> kernels);

// Parts of such headers, which those of the CPU have, too.

/// What a header for either machine says behind its comment on tensors, up to
/// the functions, and behind them.
extern const char kTensorAndBegin[], kEnd[];
/// "heddle_tensor a", as a C function takes an argument.
std::string parameter(const manifest::Argument &argument);
/// Statements that put it where `word_` points, a word each.
void packArgument(const manifest::Argument &argument, llvm::raw_ostream &os);
/// How many words all arguments are.
size_t wordCount(const manifest::Manifest &manifest);
/// "a: f16, 2 axes, axis 1 without gaps, written".
std::string describeArgument(const manifest::Argument &argument);
/// The macro that guards a header of this name.
std::string guardOf(llvm::StringRef name);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_HEDDLE_KERNELLIBRARY_H
