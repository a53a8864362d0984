//===- TuneKernel.h - heddle tune of a program -------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program goes in with the sizes of a launch; points of its space are
// compiled in this process, and their time is a GPU's, or the model's where
// there is none. Out comes a file for `heddle compile --mapping`.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_TUNEKERNEL_H
#define HEDDLE_TOOLS_HEDDLE_TUNEKERNEL_H

#include "ArgumentOptions.h"
#include "EinsumOperands.h"
#include "Program.h"

#include "heddle/Support/CommandLine.h"
#include "heddle/Tuner/Search.h"

namespace heddle::tool {

/// Where the times of points come from.
enum class TimeSource { Auto, Gpu, Model };

/// The options of `heddle tune` that are about programs and not about spaces.
struct TuneKernelOptions {
  explicit TuneKernelOptions(llvm::cl::SubCommand &command);
  /// The first of them that was given, for messages; "" for none.
  std::string firstGiven() const;

  ArgumentOptions arguments;
  OperandOptions operands; ///< of programs of einsums
  NumberOption<unsigned> workers;
  llvm::cl::list<std::string> choices;
  llvm::cl::opt<TimeSource> device;
  NumberOption<unsigned> repeat;
  NumberOption<double> worth;
  llvm::cl::opt<std::string> output;
};

/// What programs and spaces have in common.
struct TuneRequest {
  tuner::SearchOptions search;
  std::string record, key, replay;
  bool explains = false;
  /// Makes the search one of every point, if asked for.
  llvm::Error (*exhaust)(const tuner::Space &,
                         tuner::SearchOptions &) = nullptr;
};

/// An exit code.
int tuneKernel(const ProgramOptions &programOptions,
               const TuneKernelOptions &options, const TuneRequest &request);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_HEDDLE_TUNEKERNEL_H
